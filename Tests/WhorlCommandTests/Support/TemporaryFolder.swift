import Glibc

/// A folder that goes with all that is in it.
struct TemporaryFolder: ~Copyable {
    let path: String

    init() throws {
        var template = Array("/tmp/whorl-command-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw TestFile.Failure(path: "/tmp", number: errno)
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { Self.remove(path) }

    /// What is in it.
    var names: [String] { Self.names(in: path) }

    private static func names(in path: String) -> [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func remove(_ path: String) {
        for name in names(in: path) { remove("\(path)/\(name)") }
        if unsafe rmdir(path) != 0 { unsafe unlink(path) }
    }
}
