import Glibc

/// The file beside the database that says how old the store was last, and where.
///
/// It is no secret and no lock, and nothing is waited for: it may fall behind the database, which
/// means nothing, and is never ahead of it unless the database is an older one.
struct StampFile {
    static let name = "stamp"

    /// What the file says.
    struct Record: Equatable {
        let vaultID: [UInt8]
        let counter: Int64
        let machine: [UInt8]
    }

    /// What was found where the file should be.
    enum Finding: Equatable {
        case record(Record)
        /// An empty file, or one half written: the power went before its content was on the disk, or
        /// somebody emptied it.
        case lost
        /// None, or something that this store did not write.
        case missing
    }

    private static let purpose = "whorl/stamp/1"
    private static let maximumCount = 256
    private static let readings = 16

    let folder: String

    private var path: String { "\(folder)/\(Self.name)" }
    private var draft: String { path + ".new" }

    func read() -> Finding {
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return .missing }
        defer { close(descriptor) }
        guard Self.isOurs(descriptor) else { return .missing }
        for _ in 0..<Self.readings {
            var bytes = [UInt8](repeating: 0, count: Self.maximumCount)
            let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
            guard count >= 0 else { return .missing }
            let content = bytes.prefix(count)
            // A file system that keeps the size and loses the content leaves zeros.
            if content.allSatisfy({ $0 == 0 }) { return .lost }
            guard let (record, isWhole) = Self.record(of: Array(content)) else { return .missing }
            if isWhole { return .record(record) }
        }
        return .lost
    }

    /// Puts a record in the place of the one that is there.
    ///
    /// In place, since another file under the name would take a hundred times as long: less than a
    /// sector is written at once, and who reads at that very moment sees two different counts.
    ///
    /// - Returns: Whether it is there now.
    @discardableResult
    func write(_ record: Record) -> Bool {
        let bytes = Self.bytes(of: record)
        return overwrite(bytes) || create(bytes)
    }

    private func overwrite(_ bytes: [UInt8]) -> Bool {
        let descriptor = unsafe open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var status = stat()
        guard Self.isOurs(descriptor), unsafe fstat(descriptor, &status) == 0,
            status.st_size == bytes.count
        else { return false }
        return unsafe pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    }

    // Not exclusive: a draft that a killed process left must keep nobody from writing, and two
    // processes at once leave the record of one of them.
    private func create(_ bytes: [UInt8]) -> Bool {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let descriptor = unsafe open(draft, flags, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count,
            unsafe rename(draft, path) == 0
        else {
            unsafe unlink(draft)
            return false
        }
        return true
    }

    private static func isOurs(_ descriptor: CInt) -> Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && status.st_uid == geteuid()
    }

    private static func bytes(of record: Record) -> [UInt8] {
        var bytes = CanonicalBytes(purpose)
        bytes.append(record.vaultID)
        bytes.append(record.counter)
        bytes.append(record.machine)
        bytes.append(record.counter)
        return bytes.bytes
    }

    // The count stands at both ends of what changes; where the two differ, somebody writes just now.
    private static func record(of bytes: [UInt8]) -> (Record, isWhole: Bool)? {
        guard let fields = CanonicalBytes.fields(of: bytes), fields.count == 5,
            fields[0] == Array(purpose.utf8), fields[2].count == 8, fields[4].count == 8
        else { return nil }
        let counter = fields[2].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let record = Record(
            vaultID: fields[1], counter: Int64(bitPattern: counter), machine: fields[3])
        return (record, fields[2] == fields[4])
    }
}
