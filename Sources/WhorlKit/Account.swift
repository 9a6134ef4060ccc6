import Glibc

/// An account of this machine, as its list of users has it.
struct Account {
    /// The login name.
    let name: String
    /// The home folder.
    let home: String

    /// The account of this process's user; nil where the list has none.
    ///
    /// The corresponding C function is `getpwuid_r`.
    static func ofThisUser() -> Account? {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        let count = buffer.count
        return unsafe buffer.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let status = unsafe getpwuid_r(getuid(), &entry, start, count, &found)
            guard status == 0, unsafe found != nil, let name = unsafe entry.pw_name,
                let home = unsafe entry.pw_dir
            else { return nil }
            return unsafe Account(name: String(cString: name), home: String(cString: home))
        }
    }
}
