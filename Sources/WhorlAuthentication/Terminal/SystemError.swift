import Glibc

/// An error number of the system.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    package let number: CInt

    package init(number: CInt) {
        self.number = number
    }

    package static let noSuchFile = SystemError(number: ENOENT)
    package static let notADirectory = SystemError(number: ENOTDIR)
    package static let exists = SystemError(number: EEXIST)
    package static let accessDenied = SystemError(number: EACCES)
    package static let notPermitted = SystemError(number: EPERM)
    package static let unsupported = SystemError(number: EOPNOTSUPP)
    package static let readOnly = SystemError(number: EROFS)
    package static let brokenPipe = SystemError(number: EPIPE)
    package static let badDescriptor = SystemError(number: EBADF)
    package static let timedOut = SystemError(number: ETIMEDOUT)

    /// The error of the C function that failed just now.
    package static var current: SystemError { SystemError(number: errno) }

    /// The system's own words.
    ///
    /// The corresponding C function is `strerror_r`.
    package var description: String {
        var buffer: [CChar] = Array(repeating: 0, count: 128)
        guard unsafe strerror_r(number, &buffer, buffer.count) == 0 else {
            return "error \(number)"
        }
        let text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: text, as: UTF8.self)
    }
}
