internal import Glibc
internal import WhorlKit

extension NewFile {
    /// Makes the file with these bytes in it, on the disk, or none of that name at all.
    ///
    /// They are written under another name beside it first, so that even a kill leaves no half of it
    /// under the name that counts. The corresponding C functions are `mkstemp`, `fsync` and `link`.
    ///
    /// - Throws: ``CommandFailure``.
    static func write(whole bytes: [UInt8], to path: String) throws(CommandFailure) {
        var draft = Array("\(path).XXXXXX".utf8CString)
        // Nothing is started meanwhile that could inherit it.
        let descriptor = unsafe mkstemp(&draft)
        guard descriptor >= 0 else { throw .file(path, .current) }
        var failure = unsafe DescriptorOutput.write(bytes.span.bytes, to: descriptor)
        if failure == nil, fsync(descriptor) != 0 { failure = .current }
        close(descriptor)
        if failure == nil, unsafe link(draft, path) != 0 { failure = publish(draft, as: path) }
        let isThere = failure == nil
        unsafe unlink(draft)
        if failure == nil { failure = syncFolder(of: path) }
        guard let failure else { return }
        if isThere { remove(path) }
        throw failure == .exists ? .fileExists(path) : .file(path, failure)
    }

    // Sticks and cards know no links, so there a new file of that name is only looked for.
    private static func publish(_ draft: [CChar], as path: String) -> SystemError? {
        let linking = SystemError.current
        guard linking == .notPermitted || linking == .unsupported else { return linking }
        var status = stat()
        guard unsafe lstat(path, &status) != 0 else { return .exists }
        return unsafe rename(draft, path) == 0 ? nil : .current
    }
}
