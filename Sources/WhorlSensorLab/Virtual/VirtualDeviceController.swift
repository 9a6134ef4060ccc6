public import WhorlBiometrics

/// Tells libfprint's `virtual_device` and `virtual_device_storage` readers what their finger does.
///
/// The reader exists in a process whose environment names a socket in `FP_VIRTUAL_DEVICE` or
/// `FP_VIRTUAL_DEVICE_STORAGE`; it listens there while it is open. Every call is one connection with
/// one command, and returns when the reader has *taken* the command: it closes the connection then.
/// Commands that stand for a finger queue up in the reader until an operation wants one, so a
/// ``scan(_:)`` too many is eaten by the next operation.
///
/// Calls from several tasks are sent in the order in which they came.
public final class VirtualDeviceController: Sendable {
    /// The path of the socket.
    public let socketPath: String
    /// How long a call waits for the reader to listen and to take the command.
    public let patience: Duration
    private let turnstile = Turnstile()

    /// The longest command that the reader takes, in bytes: `MAX_LINE_LEN` less the closing NUL.
    public static let maximumCommandLength = 1023
    private static let maximumAnswerLength = 1 << 20

    /// Makes a controller; nothing is connected until something is said.
    ///
    /// - Parameters:
    ///   - socketPath: The value of `FP_VIRTUAL_DEVICE` or `FP_VIRTUAL_DEVICE_STORAGE`.
    ///   - patience: How long each call waits.
    public init(socketPath: String, patience: Duration = .seconds(30)) {
        self.socketPath = socketPath
        self.patience = patience
    }

    // MARK: Fingers

    /// A finger with these ridges touches the sensor: `SCAN`.
    ///
    /// - Parameter id: What the reader knows the finger by; 1 byte or more, no NUL or newline.
    /// - Throws: ``VirtualReaderError``.
    public func scan(_ id: String) async throws(VirtualReaderError) {
        try await send("SCAN", id)
    }

    /// The next touch is a bad capture: `RETRY`.
    ///
    /// - Parameter code: A code of `FpDeviceRetry`.
    /// - Throws: ``VirtualReaderError``.
    public func retry(code: Int) async throws(VirtualReaderError) {
        try await send("RETRY", code)
    }

    /// The next operation, or the one that runs, fails: `ERROR`.
    ///
    /// - Parameter code: A code of `FpDeviceError`.
    /// - Throws: ``VirtualReaderError``.
    public func fail(code: Int) async throws(VirtualReaderError) {
        try await send("ERROR", code)
    }

    /// A finger is laid on the sensor or lifted, with no capture: `FINGER`.
    ///
    /// - Throws: ``VirtualReaderError``.
    public func finger(isPresent: Bool) async throws(VirtualReaderError) {
        try await send("FINGER", isPresent ? 1 : 0)
    }

    /// The reader does nothing for a while: `SLEEP`.
    ///
    /// - Parameter milliseconds: 0 or more.
    /// - Throws: ``VirtualReaderError``.
    public func sleep(milliseconds: Int) async throws(VirtualReaderError) {
        try await send("SLEEP", milliseconds)
    }

    /// The operation that runs looks at its commands again, with nothing new: `CONT`.
    ///
    /// - Throws: ``VirtualReaderError``.
    public func proceed() async throws(VirtualReaderError) {
        _ = try await send("CONT ")
    }

    // MARK: The chip of `virtual_device_storage`

    /// Puts a print onto the chip: `INSERT`.
    ///
    /// Done when the next operation looks at its commands. For `virtual_device_storage` only: the
    /// plain virtual device has no chip, and libfprint then aborts its process.
    ///
    /// - Parameter id: What the reader knows the finger by; 1 byte or more, no NUL or newline.
    /// - Throws: ``VirtualReaderError``.
    public func insert(_ id: String) async throws(VirtualReaderError) {
        try await send("INSERT", id)
    }

    /// Takes a print off the chip, as ``insert(_:)`` puts one there: `REMOVE`.
    ///
    /// - Throws: ``VirtualReaderError``.
    public func remove(_ id: String) async throws(VirtualReaderError) {
        try await send("REMOVE", id)
    }

    /// The prints on the chip, in no order: `LIST`.
    ///
    /// - Returns: What the reader knows the fingers by; nothing from a plain virtual device.
    /// - Throws: ``VirtualReaderError``.
    public func list() async throws(VirtualReaderError) -> [String] {
        try await send("LIST").split(separator: UInt8(ascii: "\n")).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    // MARK: The reader

    /// The reader is pulled out: `UNPLUG`.
    ///
    /// - Throws: ``VirtualReaderError``.
    public func unplug() async throws(VirtualReaderError) {
        _ = try await send("UNPLUG")
    }

    /// How many good captures an enrolment takes: `SET_ENROLL_STAGES`.
    ///
    /// - Parameter stages: 1 or more.
    /// - Throws: ``VirtualReaderError``.
    public func setEnrollStages(_ stages: Int) async throws(VirtualReaderError) {
        guard stages > 0 else {
            throw .unusableArgument("an enrolment takes at least one stage, not \(stages)")
        }
        try await send("SET_ENROLL_STAGES", stages)
    }

    /// How a finger is presented: `SET_SCAN_TYPE`.
    ///
    /// - Throws: ``VirtualReaderError``.
    public func setScanType(_ type: ScanType) async throws(VirtualReaderError) {
        try await send("SET_SCAN_TYPE", type.rawValue)
    }

    /// Whether the driver obeys a cancel: `SET_CANCELLATION_ENABLED`.
    ///
    /// - Throws: ``VirtualReaderError``.
    public func setCancellation(isEnabled: Bool) async throws(VirtualReaderError) {
        try await send("SET_CANCELLATION_ENABLED", isEnabled ? 1 : 0)
    }

    /// Whether the socket stays when the reader is closed: `SET_KEEP_ALIVE`.
    ///
    /// - Throws: ``VirtualReaderError``.
    public func setKeepAlive(_ isEnabled: Bool) async throws(VirtualReaderError) {
        try await send("SET_KEEP_ALIVE", isEnabled ? 1 : 0)
    }

    // MARK: The wire

    private func send(_ word: String, _ number: Int) async throws(VirtualReaderError) {
        guard (0...Int(Int32.max)).contains(number) else {
            throw .unusableArgument("\(word) takes a number of 0 or more, not \(number)")
        }
        _ = try await send("\(word) \(number)")
    }

    private func send(_ word: String, _ text: String) async throws(VirtualReaderError) {
        guard !text.isEmpty, !text.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\n") })
        else { throw .unusableArgument("\(word) takes text with no NUL and no newline") }
        _ = try await send("\(word) \(text)")
    }

    private func send(_ command: String) async throws(VirtualReaderError) -> [UInt8] {
        let bytes = Array(command.utf8)
        guard bytes.count <= Self.maximumCommandLength else {
            throw .unusableArgument(
                "a command is at most \(Self.maximumCommandLength) bytes, not \(bytes.count)")
        }
        return try await turnstile.inTurn { () async throws(VirtualReaderError) in
            try await deliver(bytes)
        }
    }

    // A connection that ends unread, because another one came or the reader was closed, has done
    // nothing: the kernel says so (ECONNRESET), and the command goes out again.
    private func deliver(_ bytes: [UInt8]) async throws(VirtualReaderError) -> [UInt8] {
        let deadline = ContinuousClock.now + patience
        repeat {
            let socket = try await LocalSocket(connectingTo: socketPath, until: deadline)
            guard try await socket.write(bytes, until: deadline) == .whole else { continue }
            if let answer = try await socket.readToEnd(
                atMost: Self.maximumAnswerLength, until: deadline)
            {
                return answer
            }
        } while ContinuousClock.now < deadline
        throw .noAnswer(path: socketPath)
    }
}
