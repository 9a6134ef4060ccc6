import Glibc
import Testing

/// Files of the repository that tests compare with.
///
/// With `WHORL_UPDATE_FIXTURES` set in the environment they are written anew instead, to be looked
/// at before they are committed.
enum Golden {
    // Where another user runs the tests, who may not be able to enter the checkout, a copy is named.
    private static let root: [Substring] = {
        if let copy = unsafe getenv("WHORL_CHECKOUT").map({ unsafe String(cString: $0) }) {
            return copy.split(separator: "/")
        }
        return #filePath.split(separator: "/").dropLast(4)
    }()

    static func path(_ name: String) -> String { "/\((root + [name[...]]).joined(separator: "/"))" }

    static func expect(
        _ text: String, isIn name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        if unsafe getenv("WHORL_UPDATE_FIXTURES") != nil {
            try TestFile.write(text, to: path(name))
        }
        let expected = try TestFile.read(path(name))
        #expect(text == expected, "\(name) differs", sourceLocation: sourceLocation)
    }
}

/// Whole files, without Foundation.
enum TestFile {
    struct Failure: Error {
        let path: String
        let number: CInt
    }

    static func read(_ path: String) throws -> String {
        String(decoding: try bytes(path), as: UTF8.self)
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(path: path, number: errno) }
        defer { close(descriptor) }
        return bytes(from: descriptor)
    }

    static func bytes(from descriptor: CInt) -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return all }
            all += buffer[..<count]
        }
    }

    static func write(_ text: String, to path: String) throws {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(path: path, number: errno) }
        defer { close(descriptor) }
        let bytes = [UInt8](text.utf8)
        guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw Failure(path: path, number: errno)
        }
    }

    /// The mode of a file; nil where it is not there.
    static func mode(_ path: String) -> mode_t? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return status.st_mode & 0o7777
    }
}
