import Glibc
import WhorlBiometrics

/// Where a user's store is.
public enum StoreFolder {
    /// The folder of this process's user: `$XDG_STATE_HOME/whorl`, or `~/.local/state/whorl`.
    ///
    /// Source: XDG Base Directory Specification. A relative `XDG_STATE_HOME` is ignored, as it says.
    ///
    /// - Throws: `VaultError.configuration` where the user has no home.
    public static func ofThisUser() throws(VaultError) -> String {
        if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") {
            return state + "/whorl"
        }
        guard let home = environment("HOME") ?? Account.ofThisUser()?.home, home.hasPrefix("/")
        else {
            throw .configuration("this user has no home folder, so name the store with --store")
        }
        return home + "/.local/state/whorl"
    }

    /// Makes the folders above a store that are missing, for this user alone.
    ///
    /// A new account has no `~/.local/state` yet. The corresponding C function is `mkdir`.
    ///
    /// - Parameter folder: An absolute path; the last part is not made.
    /// - Throws: ``VaultError/storage(_:)`` where one cannot be made.
    static func makeParents(of folder: String) throws(VaultError) {
        var path = ""
        for part in folder.split(separator: "/").dropLast() {
            path += "/" + part
            if unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
                throw .storage("\(DisplayText(path)) cannot be made (errno \(errno))")
            }
        }
    }

    private static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        return unsafe String(cString: value)
    }
}
