internal import Synchronization

/// Shows pictures to libfprint's `virtual_image` reader, and tells it what its finger does.
///
/// The reader exists in a process whose environment names a socket in `FP_VIRTUAL_IMAGE`; it listens
/// there while it is open. It answers nothing: a call returns when the message is on its way. So
/// wait until the reader says that it needs a finger before each picture, since one that comes while
/// the last is still being looked at is lost.
///
/// One connection is kept, and made anew after the reader was closed and opened; a new one starts
/// with the automatic finger on. Calls from several tasks are sent in the order in which they came.
public final class VirtualImageController: Sendable {
    /// The path of the socket.
    public let socketPath: String
    /// How long a call waits for the reader to listen and to take the message.
    public let patience: Duration
    private let turnstile = Turnstile()
    private let connection = Mutex<LocalSocket?>(nil)

    /// Makes a controller; nothing is connected until something is said.
    ///
    /// - Parameters:
    ///   - socketPath: The value of `FP_VIRTUAL_IMAGE`.
    ///   - patience: How long each call waits.
    public init(socketPath: String, patience: Duration = .seconds(30)) {
        self.socketPath = socketPath
        self.patience = patience
    }

    /// The sensor sees this picture.
    ///
    /// With the automatic finger on, the finger comes before it and goes after it.
    ///
    /// - Throws: ``VirtualReaderError``.
    public func present(_ picture: SensorPicture) async throws(VirtualReaderError) {
        try await send([Int32(picture.width), Int32(picture.height)], picture.pixels)
    }

    /// A finger touches, is read badly, and is lifted.
    ///
    /// The driver wants all of that: a retry with no finger on the sensor leaves an enrolment
    /// waiting for ever for one to be lifted (libfprint 1.94.5).
    ///
    /// - Parameter code: A code of `FpDeviceRetry`.
    /// - Throws: ``VirtualReaderError``.
    public func retry(code: Int) async throws(VirtualReaderError) {
        let code = try Self.code(code)
        try await send([-3, 0, -4, 1, -1, code, -4, 0, -3, 1])
    }

    /// The operation that runs fails.
    ///
    /// - Parameter code: A code of `FpDeviceError`.
    /// - Throws: ``VirtualReaderError``.
    public func fail(code: Int) async throws(VirtualReaderError) {
        try await send([-2, Self.code(code)])
    }

    /// Whether a finger comes with each picture and goes after it, for this connection.
    ///
    /// - Throws: ``VirtualReaderError``.
    public func setAutomaticFinger(_ isEnabled: Bool) async throws(VirtualReaderError) {
        try await send([-3, isEnabled ? 1 : 0])
    }

    /// A finger is laid on the sensor or lifted.
    ///
    /// - Throws: ``VirtualReaderError``.
    public func finger(isPresent: Bool) async throws(VirtualReaderError) {
        try await send([-4, isPresent ? 1 : 0])
    }

    /// The reader is pulled out.
    ///
    /// - Throws: ``VirtualReaderError``.
    public func unplug() async throws(VirtualReaderError) {
        try await send([-5, 0])
    }

    /// Closes the connection that is kept, if there is one.
    public func disconnect() async {
        await turnstile.inTurn { connection.withLock { $0 = nil } }
    }

    private static func code(_ code: Int) throws(VirtualReaderError) -> Int32 {
        guard code >= 0, let code = Int32(exactly: code) else {
            throw .unusableArgument("a code is 0 or more, not \(code)")
        }
        return code
    }

    // Numbers go out in pairs, in the byte order of this machine; a negative first one is a
    // command, others are the sides of a picture whose pixels follow.
    private func send(
        _ numbers: [Int32], _ pixels: [UInt8] = []
    ) async throws(VirtualReaderError) {
        let message =
            numbers.flatMap { unsafe withUnsafeBytes(of: $0) { unsafe Array($0) } } + pixels
        try await turnstile.inTurn { () async throws(VirtualReaderError) in
            let deadline = ContinuousClock.now + patience
            repeat {
                let socket = try await connected(until: deadline)
                let delivery = try await socket.write(message, until: deadline)
                if case .whole = delivery { return }
                connection.withLock { $0 = nil }
            } while ContinuousClock.now < deadline
            throw VirtualReaderError.noAnswer(path: socketPath)
        }
    }

    private func connected(
        until deadline: ContinuousClock.Instant
    ) async throws(VirtualReaderError) -> LocalSocket {
        if let kept = connection.withLock({ $0 }), !kept.isClosedByPeer { return kept }
        let socket = try await LocalSocket(connectingTo: socketPath, until: deadline)
        connection.withLock { $0 = socket }
        return socket
    }
}
