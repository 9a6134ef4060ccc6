import Foundation
import Testing
import WhorlBiometrics
import WhorlCrypto
import WhorlDatabase
import WhorlSecrets
import WhorlSensorLab

@testable import WhorlKeys
@testable import WhorlLibfprint

extension LibfprintReaderTests {
    /// Another program may add another finger to a print: libfprint lets it, and nothing in the print
    /// says so.
    @Suite struct ExtendedPrintTests {
        private let first = RidgePicture(finger: 1)
        private let second = RidgePicture(finger: 2)

        @Test("A print that another program extended opens nothing", .bug(id: "8"), .bug(id: "23"))
        func anExtendedPrintOpensNothing() async throws {
            try await Bench.with(.image) { bench in
                let own = try await bench.enroll(first)
                let store = try await PrintStore.open(holding: own)
                let extended = try await extending(own)
                // It is as dangerous as it sounds: the other finger matches now.
                let match = try await bench.run(.verify(extended)) {
                    try await bench.imager.present(second.touch(9))
                }
                #expect(match.outcome.word == "match 0")

                #expect(await store.opensWithFinger())
                try await store.replace(by: extended)
                await #expect(
                    throws: VaultError.damaged("the list of enrolled fingers was changed")
                ) {
                    _ = try await store.vault.enrollment(of: PrintStore.subject)
                }
                #expect(await store.opensWithFinger() == false)
                #expect(try await store.opensWithPIN())
                // The owner is asked, and starts anew: no finger of that list counts again.
                let dead = try await store.resolve()
                #expect(dead.map(\.text) == ["key"])
                let enrollment = try await store.vault.enrollment(of: PrintStore.subject)
                #expect(enrollment.prints.isEmpty)
                #expect(enrollment.generation > 2)
            }
        }

        @Test func enrollingAnEnrolledFingerAnewTakesNothingOfTheOldPrint() async throws {
            try await Bench.with(.image) { bench in
                _ = try await bench.enroll(first)
                let anew = try await bench.enroll(second)
                let old = try await bench.run(.verify(anew)) {
                    try await bench.imager.present(first.touch(9))
                }
                #expect(old.outcome.word == "no match")
            }
        }

        // Lets a program that is not ours add the second finger to a print.
        private func extending(_ print: Print) async throws -> Print {
            let folder = NSTemporaryDirectory() + "whorl-foreign-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let program = Process()
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            program.executableURL = URL(filePath: tests).deletingLastPathComponent()
                .appending(path: "CWhorlForeignEnroller")
            program.environment = ["FP_VIRTUAL_IMAGE": "\(folder)/image", "PATH": "/usr/bin:/bin"]
            let (input, output) = (Pipe(), Pipe())
            program.standardInput = input
            program.standardOutput = output
            try program.run()
            let bytes = print.withSerialized { secret in
                secret.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Data($0) } }
            }
            input.fileHandleForWriting.write(bytes)
            try input.fileHandleForWriting.close()
            let imager = VirtualImageController(
                socketPath: "\(folder)/image", patience: .milliseconds(200))
            let deadline = ContinuousClock.now + .seconds(20)
            var touch = 0
            while program.isRunning, ContinuousClock.now < deadline {
                try? await imager.present(second.touch(touch % 8))
                touch += 1
                try await Task.sleep(for: .milliseconds(50))
            }
            if program.isRunning { program.terminate() }
            program.waitUntilExit()
            #expect(program.terminationStatus == 0)
            let extended = [UInt8](try output.fileHandleForReading.readToEnd() ?? Data())
            try #require(!extended.isEmpty)
            return Print(
                serialized: try SecretBytes(copying: extended.span), isStoredOnChip: false)
        }
    }
}

/// A vault with one enrolled finger and one key.
private final class PrintStore: Sendable {
    static let subject = Subject(uid: 4711)
    private static let pin = "correct horse"

    let vault: Vault
    private let mint: GrantMint
    private let database: StoreDatabase
    private let clock: StillClock

    private init(_ opened: consuming OpenedVault, _ database: StoreDatabase, _ clock: StillClock) {
        vault = opened.vault
        mint = opened.takeMint()
        self.database = database
        self.clock = clock
    }

    deinit { try? FileManager.default.removeItem(atPath: database.folder) }

    static func open(holding print: Print) async throws -> PrintStore {
        let clock = StillClock()
        let database = try await StoreDatabase.open(
            folder: NSTemporaryDirectory() + "whorl-store-\(UUID().uuidString.prefix(8))",
            creating: true)
        let store = PrintStore(
            try await Vault.open(
                database: database, timekeeper: clock,
                scrypt: try ScryptParameters(cost: 16, blockSize: 1, parallelization: 1)),
            database, clock)
        try await store.vault.setUp(subject, pin: held(pin), consentAt: 1) { _ throws(VaultError) in
        }
        try await store.vault.beginEnrollment(subject)
        _ = try await store.vault.commitEnrollment(
            finger: .rightIndexFinger, print: print,
            reader: ReaderIdentity(driver: "virtual_image", deviceID: "0", port: .none),
            isSimulated: false, keys: .drop, grant: store.credential(.changeEnrollment), at: 1)
        _ = try await store.vault.put(
            SecretBytes(copying: Array("s3cret".utf8).span), as: KeyName("key"), for: subject,
            options: KeyOptions(), strength: .weak, isSimulated: false, at: 1)
        return store
    }

    // As somebody would who has the storage key and the file, and not the code over all prints.
    func replace(by print: Print) async throws {
        let stored = try #require(
            try await vault.enrollment(of: Self.subject).prints.first)
        let record = try PrintRecord(
            sealing: print, as: stored, of: Self.subject, under: vault.storageKey)
        let other = try Database(
            inFolder: database.folder, named: StoreDatabase.fileName, create: false)
        #expect(try other.run("UPDATE print SET sealed = ?", .blob(record.sealed)) == 1)
    }

    func opensWithFinger() async -> Bool {
        do {
            let id = try await vault.key(KeyName("key"), of: Self.subject).id
            _ = try await vault.open(
                KeyName("key"),
                grant: mint.mint(
                    purpose: .openKey(id), subject: Self.subject, request: RequestID(),
                    factors: [.finger], credential: nil, strength: .weak, isSimulated: false,
                    allowsSimulated: false, generation: 2, at: clock.now()))
            return true
        } catch { return false }
    }

    func opensWithPIN() async throws -> Bool {
        let id = try await vault.key(KeyName("key"), of: Self.subject).id
        let opened = try await vault.open(KeyName("key"), grant: credential(.openKey(id)))
        return opened.count == 6
    }

    func resolve() async throws -> [KeyName] {
        try await vault.resolvePendingEnrollment(credential(.changeEnrollment))
    }

    private func credential(_ purpose: GrantPurpose) async throws -> Grant {
        let proof = try await vault.checkCredential(Self.subject, pin: Self.held(Self.pin))
        return mint.mint(
            purpose: purpose, subject: Self.subject, request: RequestID(),
            factors: [.deviceCredential], credential: proof, strength: nil, isSimulated: false,
            allowsSimulated: false, generation: 0, at: clock.now())
    }

    private static func held(_ text: String) throws -> HeldSecret {
        HeldSecret(try SecretBytes(copying: Array(text.utf8).span))
    }
}

private struct StillClock: Timekeeper {
    func now() -> BootInstant { BootInstant(bootID: "boot", nanoseconds: 1) }
    func unixTime() -> Int64 { 1 }
    func sleep(nanoseconds: Int64) async {}
}
