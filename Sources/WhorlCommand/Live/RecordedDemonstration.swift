internal import Glibc
internal import WhorlBiometrics
internal import WhorlKit

/// A demonstration on the USB traffic of a real match-on-chip sensor, played to its real driver.
final class RecordedDemonstration: Demonstration {
    let host: any CommandHost
    let options: HostOptions
    let stage: DemonstrationStage
    private let folder: TemporaryFolder
    private let reader: TapeReader
    private let noise: NoiseFilter?

    private init(
        folder: TemporaryFolder, reader: TapeReader, description: ReaderDescription,
        noise: NoiseFilter?
    ) {
        self.noise = noise
        self.folder = folder
        self.reader = reader
        host = LiveHost(source: OneReader(reader: reader))
        stage = .recording(of: description.name)
        options = HostOptions(
            storeFolder: folder.path + "/store", staysInProcess: true,
            reader: .driver(description.identity.driver, deviceID: nil), simulatedClass: .weak)
    }

    /// Plays the recording in a folder.
    ///
    /// The traffic reaches libfprint only in a process that umockdev started: where this one was
    /// not, it becomes one, and this call does not return.
    ///
    /// - Throws: ``VaultError/storage(_:)`` where there is no recording,
    ///   ``VaultError/storeUnavailable(_:)`` where umockdev is not installed.
    static func open(folder path: String) async throws(VaultError) -> RecordedDemonstration {
        let tape = try Tape(folder: path)
        guard unsafe getenv("UMOCKDEV_DIR") != nil else { throw replay(tape) }
        let noise = NoiseFilter()
        let readers: [any FingerprintReader]
        do {
            readers = try await Whorl.libfprint.readers()
        } catch {
            throw .authentication(error)
        }
        guard let real = readers.first else { throw .authentication(.noReader) }
        let reader = TapeReader(real, operations: tape.operations) { _, _ in }
        return RecordedDemonstration(
            folder: try TemporaryFolder(), reader: reader, description: await real.description,
            noise: noise)
    }

    func present(_ finger: DemonstrationFinger) async {
        // The touches are on the tape.
    }

    func finish() async {
        await reader.finish()
        noise?.finish()
        folder.remove()
    }

    // Starts this program anew below umockdev, with the same arguments.
    private static func replay(_ tape: Tape) -> VaultError {
        unsafe setenv("FP_DEVICE_EMULATION", "1", 1)
        if StrengthCatalogue.facts(ofDriver: tape.driver) != nil {
            unsafe setenv("FP_DRIVERS_WHITELIST", tape.driver, 1)
        }
        // Below umockdev-run `/proc/self/exe` would be umockdev-run.
        guard let program = unsafe realpath("/proc/self/exe", nil) else {
            return .storeUnavailable("this program's own file cannot be found")
        }
        defer { unsafe free(program) }
        let words =
            ["umockdev-run"] + tape.playArguments + ["--", unsafe String(cString: program)]
            + CommandLine.arguments.dropFirst()
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        // The signals that this process took are the new one's to take again.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
        unsafe execvp("umockdev-run", &arguments)
        let failure = errno
        for index in unsafe arguments.indices { unsafe free(arguments[index]) }
        return .storeUnavailable(
            failure == ENOENT
                ? "umockdev-run, which plays recordings, is not installed (Debian: umockdev)"
                : "umockdev-run does not start (errno \(failure))")
    }
}

/// The one reader of a demonstration.
private struct OneReader: ReaderSource {
    let reader: any FingerprintReader

    func readers() async throws(AuthenticationError) -> [any FingerprintReader] { [reader] }
    func changes() async -> AsyncStream<ReaderChange> { AsyncStream { $0.finish() } }
}
