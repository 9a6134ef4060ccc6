internal import Glibc
internal import WhorlBiometrics

/// A folder that is made for a while, and removed with all that is in it.
struct TemporaryFolder {
    let path: String

    /// Makes a folder of this user's, mode 0700.
    ///
    /// The corresponding C function is `mkdtemp`.
    init() throws(VaultError) {
        var parent = "/tmp"
        if let named = unsafe getenv("TMPDIR"), unsafe named.pointee == 0x2F {
            parent = unsafe String(cString: named)
        }
        var template = Array((parent + "/whorl-demo-XXXXXX").utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw .storage("no temporary folder can be made in \(parent)")
        }
        path = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes the folder.
    func remove() { Self.remove(path) }

    private static func remove(_ folder: String) {
        guard let entries = unsafe opendir(folder) else { return }
        while let entry = unsafe readdir(entries) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            let path = folder + "/" + name
            // Of a folder unlink says that it is one; a link to one is removed and not followed.
            if unsafe unlink(path) != 0 { remove(path) }
        }
        unsafe closedir(entries)
        unsafe rmdir(folder)
    }
}
