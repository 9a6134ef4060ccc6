import Foundation
import Synchronization
import WhorlSensorLab

/// A folder of its own with a store, sockets of virtual readers, and the program that uses them.
final class Bench: Sendable {
    /// One of libfprint's virtual readers.
    enum Reader: String, CaseIterable {
        case device = "FP_VIRTUAL_DEVICE"
        case storage = "FP_VIRTUAL_DEVICE_STORAGE"
        case image = "FP_VIRTUAL_IMAGE"

        var driver: String {
            switch self {
            case .device: "virtual_device"
            case .storage: "virtual_device_storage"
            case .image: "virtual_image"
            }
        }
    }

    static let pin = "correct horse"

    let folder: String
    let readers: [Reader]

    /// Makes the folder; the readers are those that each child finds.
    init(_ readers: [Reader] = [.device]) throws {
        folder = try Self.makeFolder()
        self.readers = readers
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private static func makeFolder() throws -> String {
        // Short, since the path of a socket has at most 107 bytes.
        var template = Array(
            (NSTemporaryDirectory().trimmingSuffix("/") + "/whorl.XXXXXX").utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw ChildPipes.Failure(call: "mkdtemp", number: errno)
        }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Lends a bench, when there is room for one more.
    static func with<Result: Sendable>(
        _ readers: Reader..., store state: PreparedStores.State = .none,
        _ body: (Bench) async throws -> Result
    ) async throws -> Result {
        try await Room.shared.inTurn {
            let bench = try Bench(readers.isEmpty ? [.device] : readers)
            try await PreparedStores.shared.copy(state, to: bench)
            return try await body(bench)
        }
    }

    // MARK: Paths

    var store: String { "\(folder)/store" }
    var database: String { "\(store)/whorl.db" }
    var recoveryFile: String { "\(folder)/recovery" }

    func path(_ name: String) -> String { "\(folder)/\(name)" }
    func socket(of reader: Reader) -> String { path(reader.driver) }

    var sensor: VirtualDeviceController { sensor(.device) }

    func sensor(_ reader: Reader) -> VirtualDeviceController {
        VirtualDeviceController(socketPath: socket(of: reader), patience: .seconds(30))
    }

    var environment: [String: String] {
        var environment = ["PATH": "/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8"]
        for reader in readers { environment[reader.rawValue] = socket(of: reader) }
        // The program of a copied folder finds the toolchain's libraries there.
        environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        return environment
    }

    // MARK: Running

    /// How one run differs from the usual.
    struct Manner: Sendable {
        /// The PIN that comes from `--pin-fd 3`; nil for none.
        var pin: String?
        /// The recovery key that comes from `--recovery-fd 4`; nil for none.
        var recoveryKey: String?
        var input: Child.Input = .bytes([])
        var output: Child.Output = .kept
        var reader: String? = "libfprint"
        var allowsSimulated = true
        var namesStore = true
        /// Set on top of the bench's own; an empty value takes a variable away.
        var environment: [String: String] = [:]
        /// Without what lets root pass over the modes of files.
        var isOrdinary = false
        /// Further descriptors, each with all that can be read from it.
        var descriptors: [CInt: [UInt8]] = [:]
        var bound = Duration.seconds(60)

        static let usual = Manner()

        /// With the PIN, on its descriptor.
        static let withPIN = Manner(pin: Bench.pin)

        /// With a secret at standard input.
        static func input(_ text: String, pin: String? = nil) -> Manner {
            Manner(pin: pin, input: .bytes(Array(text.utf8)))
        }
    }

    /// Starts the program.
    func start(_ arguments: [String], _ manner: Manner = .usual) throws -> Child {
        var all: [String] = []
        if manner.namesStore { all += ["--store", store] }
        if let reader = manner.reader { all += ["--reader", reader] }
        if manner.allowsSimulated { all.append("--allow-simulated") }
        all += arguments
        var descriptors = manner.descriptors
        if let pin = manner.pin {
            // Before a `--`, after which everything is a name.
            all.insert(contentsOf: ["--pin-fd", "3"], at: 0)
            descriptors[3] = Array(pin.utf8)
        }
        if let recoveryKey = manner.recoveryKey {
            all.insert(contentsOf: ["--recovery-fd", "4"], at: 0)
            descriptors[4] = Array(recoveryKey.utf8)
        }
        var program = Program.path
        if manner.isOrdinary, geteuid() == 0 {
            all.insert(contentsOf: ["--inh-caps=-all", "--bounding-set=-all", program], at: 0)
            program = "/usr/bin/setpriv"
        }
        let environment = environment.merging(manner.environment) { $1 }
        return try Child(
            Child.Start(
                program: program, arguments: all,
                environment: environment.filter { !$0.value.isEmpty }, input: manner.input,
                output: manner.output, descriptors: descriptors, bound: manner.bound))
    }

    /// Runs the program to its end; `act` does meanwhile what a person would.
    ///
    /// What `act` could not do because the program had ended is not an error.
    @discardableResult
    func whorl(
        _ arguments: String..., manner: Manner = .usual,
        during act: (@Sendable (Child) async throws -> Void)? = nil
    ) async throws -> ProgramRun {
        try await run(arguments, manner: manner, during: act)
    }

    /// Runs the program to its end, with its arguments in an array.
    @discardableResult
    func run(
        _ arguments: [String], manner: Manner = .usual,
        during act: (@Sendable (Child) async throws -> Void)? = nil
    ) async throws -> ProgramRun {
        let child = try start(arguments, manner)
        if let act {
            let acting = Task { try await act(child) }
            _ = await child.end()
            acting.cancel()
            do {
                try await acting.value
            } catch VirtualReaderError.cancelled {
            } catch is CancellationError {
            }
        }
        return await Self.result(of: child, arguments)
    }

    /// What a child that a test started itself gave, once it has ended.
    static func result(of child: Child, _ arguments: [String] = []) async -> ProgramRun {
        let ending = await child.end()
        return ProgramRun(
            arguments: arguments, ending: ending, output: child.output, errors: child.errors)
    }

    /// Runs the program, with these touches of the virtual device.
    @discardableResult
    func whorl(
        _ arguments: String..., manner: Manner = .usual, touching touches: [Touch]
    ) async throws -> ProgramRun {
        let sensor = sensor
        return try await run(arguments, manner: manner) { child in
            try await sensor.give(touches, to: child)
        }
    }
}

/// How many benches there are at a time: enough to keep two processors busy, and no more, so that
/// what a person may take long over is not over before the program had a turn.
actor Room {
    static let shared = Room()

    private var free = 6
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private func enter() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func leave() {
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        free += 1
    }

    nonisolated func inTurn<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        await enter()
        do {
            let result = try await body()
            await leave()
            return result
        } catch {
            await leave()
            throw error
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
