import Testing
import WhorlBiometrics
import WhorlCrypto

@testable import WhorlKeys

/// The bytes of a backup, and everything that they might be instead.
struct BackupFileTests {
    private let bytes: [UInt8]
    private let content: RecoverableKeys

    init() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        for access in ["biometryAny", "deviceCredential", "biometryCurrentSet or deviceCredential"]
        {
            try await bench.put(
                access, as: "key/\(access.count)", access: AccessControl(parsing: access))
        }
        bytes = try await bench.vault.backUp(VaultBench.subject).contents
        content = try BackupFile.read(bytes)
    }

    // The digest of what comes before it, so that only the form can be wrong.
    private func digested(_ bytes: [UInt8]) throws -> [UInt8] {
        bytes + (try SHA256.digest(of: bytes))
    }

    private var body: [UInt8] { bytes.dropLast(SHA256.digestCount) }

    private func isRefused(_ bytes: [UInt8]) -> Bool {
        do {
            _ = try BackupFile.read(bytes)
            return false
        } catch .unreadableBackup {
            return true
        } catch {
            return false
        }
    }

    @Test func whatIsWrittenIsReadBackAndWrittenTheSame() throws {
        #expect(content.keys.count == 3)
        #expect(content.subject == VaultBench.subject)
        #expect(try BackupFile.write(content) == bytes)
    }

    @Test func aNewerVersionIsRefusedAsNewer() throws {
        var newer = body
        let place = try #require(
            newer.indices.first { newer[$0...].starts(with: "whorl/backup/1".utf8) })
        newer[place + 13] = UInt8(ascii: "2")
        #expect(throws: VaultError.newerStore) { try BackupFile.read(try digested(newer)) }
    }

    @Test func oneFlippedBitAnywhereIsNoticed() {
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << (index % 8)
            #expect((try? BackupFile.read(changed)) == nil, "byte \(index)")
        }
    }

    @Test func aFileCutShortAnywhereIsNoticed() {
        for count in 0..<bytes.count { #expect(isRefused(Array(bytes.prefix(count)))) }
    }

    @Test func aBodyCutShortAnywhereIsRefusedWithTheRightDigestToo() throws {
        for count in BackupFile.magic.count..<body.count {
            #expect(isRefused(try digested(Array(body.prefix(count)))), "\(count) bytes")
        }
        #expect(isRefused(try digested(body + [0])))
    }

    // What a fuzzer finds first: lengths and counts that are not so.
    @Test func aChangedBodyIsRefusedOrReadsAsWhatItSays() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var changed = body
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: BackupFile.magic.count..<changed.count, using: &random)
                changed[index] = .random(in: 0...255, using: &random)
            }
            let whole = try digested(changed)
            do {
                let read = try BackupFile.read(whole)
                // Whatever is read has one form.
                #expect(try BackupFile.write(read) == whole)
            } catch .unreadableBackup, .newerStore {
            } catch {
                Issue.record("\(error)")
            }
        }
    }

    @Test func keysOutOfOrderOrTwiceAreRefused() throws {
        for keys in [content.keys.reversed(), [content.keys[0], content.keys[0]]] {
            let changed = RecoverableKeys(
                vaultID: content.vaultID, subject: content.subject,
                publicHalf: content.publicHalf, keys: keys, leftOut: [])
            #expect(isRefused(try BackupFile.write(changed)))
        }
    }
}
