import Glibc

/// A new private folder that goes when the test is over.
final class TemporaryFolder: Sendable {
    let path: String

    struct Failure: Error {}

    init() throws {
        var template = "/tmp/whorl-keys-test-XXXXXX".utf8CString
        path = unsafe template.withUnsafeMutableBufferPointer { template in
            guard let start = template.baseAddress, let made = unsafe mkdtemp(start) else {
                return ""
            }
            return unsafe String(cString: made)
        }
        guard !path.isEmpty else { throw Failure() }
    }

    deinit {
        for name in names() { remove(name) }
        unsafe rmdir(path)
    }

    func remove(_ name: String) {
        unsafe unlink("\(path)/\(name)")
    }

    func names() -> Set<String> {
        guard let listing = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(listing) }
        var names: Set<String> = []
        while let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                    unsafe String(cString: name)
                }
            }
            if name != ".", name != ".." { names.insert(name) }
        }
        return names
    }

    /// The bytes of a file; nil where there is none.
    func contents(of name: String) -> [UInt8]? {
        let descriptor = unsafe open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = unsafe read(descriptor, &buffer, buffer.count), count > 0 {
            all += buffer.prefix(count)
        }
        return all
    }

    func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o600) throws {
        remove(name)
        let descriptor = unsafe open(
            "\(path)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw Failure() }
        defer { close(descriptor) }
        // The umask of whoever runs the tests must not narrow it.
        guard fchmod(descriptor, mode) == 0,
            unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count
        else { throw Failure() }
    }
}
