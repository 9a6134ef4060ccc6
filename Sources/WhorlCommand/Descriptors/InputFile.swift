internal import Glibc
internal import WhorlKit

/// A file that a command reads whole.
enum InputFile {
    /// Looks whether the file can be read, before anybody is asked for anything.
    ///
    /// - Throws: ``CommandFailure`` where it is not there, is no file, or cannot be read.
    static func check(_ path: String) throws(CommandFailure) {
        close(try open(path))
    }

    /// Reads the file.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - limit: The most bytes that it may have.
    /// - Returns: All of it.
    /// - Throws: As ``check(_:)``, and ``CommandFailure`` where it is longer.
    static func read(_ path: String, atMost limit: Int) throws(CommandFailure) -> [UInt8] {
        let descriptor = try open(path)
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            guard count > 0 else { throw .inputFile(path, .current) }
            bytes += buffer.prefix(count)
            guard bytes.count <= limit else { throw .fileTooLong(path, limit: limit) }
        }
    }

    // A pipe or a terminal of that name must keep nobody waiting.
    private static func open(_ path: String) throws(CommandFailure) -> CInt {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let descriptor = unsafe Glibc.open(path, flags)
        guard descriptor >= 0 else { throw .inputFile(path, .current) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .noFile(path)
        }
        return descriptor
    }
}
