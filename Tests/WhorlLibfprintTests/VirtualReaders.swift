import Glibc
import Testing
import WhorlBiometrics
import WhorlLibfprint
import WhorlSensorLab

/// Everything that uses libfprint's virtual readers, one test after the other: their sockets are the
/// process's.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct LibfprintReaderTests {}

/// libfprint's virtual readers.
enum VirtualReaders {
    struct Sockets {
        let folder: String
        let device: String
        let storage: String
        let image: String
    }

    /// The sockets, in a folder of this process's own.
    ///
    /// libfprint reads their names from the environment when it looks for readers, so they are set
    /// once, before its first call.
    static let sockets: Sockets = {
        var template = Array("/tmp/whorl-readers-XXXXXX".utf8CString)
        guard let folder = unsafe mkdtemp(&template).map({ unsafe String(cString: $0) }) else {
            fatalError("no temporary folder")
        }
        let sockets = Sockets(
            folder: folder, device: "\(folder)/device", storage: "\(folder)/storage",
            image: "\(folder)/image")
        unsafe setenv("FP_VIRTUAL_DEVICE", sockets.device, 1)
        unsafe setenv("FP_VIRTUAL_DEVICE_STORAGE", sockets.storage, 1)
        unsafe setenv("FP_VIRTUAL_IMAGE", sockets.image, 1)
        atexit {
            let sockets = VirtualReaders.sockets
            for socket in [sockets.device, sockets.storage, sockets.image] {
                unsafe unlink(socket)
            }
            unsafe rmdir(sockets.folder)
        }
        return sockets
    }()

    /// Short enough for a test of the bounds, long enough for a busy machine to do what is not one.
    static let bounds = LibfprintBounds(
        cancellation: .seconds(1), answer: .seconds(3), enumeration: .seconds(20))

    static func source(bounds: LibfprintBounds = bounds) -> LibfprintSource {
        _ = sockets
        return LibfprintSource(bounds: bounds)
    }
}

/// Which of the virtual readers.
enum VirtualKind: String, CaseIterable {
    case device = "virtual_device"
    case storage = "virtual_device_storage"
    case image = "virtual_image"
}

/// What one operation reported, and how it ended.
struct Run {
    let events: [ReaderEvent]
    let outcome: ReaderOutcome

    var stages: [Int] {
        events.compactMap {
            if case .enrollStage(let completed, of: _) = $0 { completed } else { nil }
        }
    }
    var hints: [CaptureHint] {
        events.compactMap { if case .hint(let hint) = $0 { hint } else { nil } }
    }
    var reports: [Bool] {
        events.compactMap { if case .reported(let match) = $0 { match } else { nil } }
    }
    var fingers: [FingerStatus] {
        events.compactMap { if case .finger(let status) = $0 { status } else { nil } }
    }
}

extension ReaderOutcome {
    /// The outcome as a word that a test can compare.
    var word: String {
        switch self {
        case .done: "done"
        case .enrolled: "enrolled"
        case .match(let index): "match \(index)"
        case .noMatch: "no match"
        case .retry(let hint): "retry \(hint.identifier)"
        case .captured: "captured"
        case .prints(let prints): "\(prints.count) prints"
        case .cancelled: "cancelled"
        case .failed(let error): error.entry.identifier
        @unknown default: "unknown"
        }
    }
}

/// One virtual reader, opened for one test.
struct Bench {
    let source: LibfprintSource
    let reader: LibfprintReader
    let sensor: VirtualDeviceController
    let imager: VirtualImageController

    static func find(
        _ kind: VirtualKind, bounds: LibfprintBounds = VirtualReaders.bounds
    ) async throws -> Bench {
        let source = VirtualReaders.source(bounds: bounds)
        let sockets = VirtualReaders.sockets
        for reader in try await source.readers()
        where await reader.description.identity.driver == kind.rawValue {
            return Bench(
                source: source, reader: try #require(reader as? LibfprintReader),
                sensor: VirtualDeviceController(
                    socketPath: kind == .storage ? sockets.storage : sockets.device),
                imager: VirtualImageController(socketPath: sockets.image))
        }
        throw AuthenticationError.readerNotFound
    }

    /// Opens a reader, lends it to a test, and closes it whatever happens.
    static func with(
        _ kind: VirtualKind, bounds: LibfprintBounds = VirtualReaders.bounds,
        _ body: (Bench) async throws -> Void
    ) async throws {
        let bench = try await find(kind, bounds: bounds)
        #expect(await bench.reader.outcome(of: .open).word == "done")
        do {
            try await body(bench)
        } catch {
            _ = await bench.reader.outcome(of: .close)
            throw error
        }
        #expect(await bench.reader.outcome(of: .close).word == "done")
    }

    /// Runs an operation; what the test does about its events, it does between them.
    func run(
        _ command: ReaderCommand, _ react: (ReaderEvent) async throws -> Void = { _ in }
    ) async throws -> Run {
        var events: [ReaderEvent] = []
        for await event in await reader.perform(command) {
            events.append(event)
            if case .ended(let outcome) = event { return Run(events: events, outcome: outcome) }
            try await react(event)
        }
        throw AuthenticationError.internalError(.whorl("no last event"))
    }

    /// Runs an operation; what the test does about it, it does once, when a finger is needed.
    func run(
        _ command: ReaderCommand, whenArmed act: () async throws -> Void
    ) async throws -> Run {
        var isArmed = false
        return try await run(command) { event in
            guard case .finger(.needed) = event, !isArmed else { return }
            isArmed = true
            try await act()
        }
    }

    /// Enrols a finger of the scripted kinds.
    func enroll(_ finger: String = "whorl") async throws -> Print {
        for _ in 0..<5 { try await sensor.scan(finger) }
        let run = try await run(.enroll)
        guard case .enrolled(let print) = run.outcome else {
            throw AuthenticationError.internalError(.whorl(run.outcome.word))
        }
        return print
    }

    /// Enrols a picture of a finger on the imaging kind, one touch a stage.
    func enroll(_ finger: RidgePicture) async throws -> Print {
        var touch = 0
        let run = try await run(.enroll) { event in
            guard case .finger(.needed) = event else { return }
            try await imager.present(finger.touch(touch))
            touch += 1
        }
        guard case .enrolled(let print) = run.outcome else {
            throw AuthenticationError.internalError(.whorl(run.outcome.word))
        }
        return print
    }
}

/// Every code of `FpDeviceError`, with what it is in the taxonomy.
let deviceErrors: [(code: Int, entry: String)] = [
    (0, "reader-fault"), (1, "reader-unsupported"), (2, "reader-misused"), (3, "reader-misused"),
    (4, "reader-busy"), (5, "reader-protocol"), (6, "print-unusable"), (7, "print-missing"),
    (8, "reader-full"), (9, "duplicate-finger"), (0x100, "reader-disconnected"),
    (0x101, "reader-too-hot"),
]
