import Testing
import WhorlBiometrics

@testable import WhorlKeys

/// What somebody who can write the database gets: damage is said, and no finger opens anything.
struct EnrollmentTamperingTests {
    private let bench: VaultBench
    private let other: Subject

    init() async throws {
        bench = try await VaultBench.open()
        other = try Subject(name: "other")
        try await bench.setUp(other, pin: "another horse")
        try await bench.enroll(.rightIndexFinger, "own")
        try await bench.enroll(.leftThumb, "second")
        try await bench.enroll(.leftThumb, "theirs", of: other, pin: "another horse")
        try await bench.put("any", access: .biometryAny.or(.deviceCredential))
    }

    private func isDamaged(_ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return false
        } catch VaultError.damaged { return true } catch { return false }
    }

    private func isDamagedAndNoFingerOpens(after change: () async throws -> Void) async throws
        -> Bool
    {
        let subject = VaultBench.subject
        let purpose = try await bench.purpose(of: "key")
        let finger = try await bench.finger(purpose)
        let pin = try await bench.credential(purpose)
        let print = try await bench.vault.enrollment(of: subject).prints[0].id
        try await change()
        let isSaid = await isDamaged { _ = try await bench.vault.enrollment(of: subject) }
        let isKept = await isDamaged { _ = try await bench.vault.print(print, of: subject) }
        let refusal = await bench.refusal(finger)
        let byPin = await bench.refusal(pin)
        let noNewKey = await isDamaged { _ = try await bench.put(as: "new", access: .biometryAny) }
        return isSaid && isKept && refusal?.identifier == "damaged" && byPin == nil && noNewKey
    }

    private static let own = "subject = 'uid:4711' AND finger = 'right-index-finger'"

    @Test(arguments: [
        "id", "finger", "driver", "device", "port_kind", "port_path", "port_removable", "enrolled",
        "simulated", "on_chip", "sealed",
    ])
    func aChangedColumnOfAPrintIsDamage(column: String) async throws {
        #expect(
            try await isDamagedAndNoFingerOpens {
                try bench.nudge(column, of: "print", where: Self.own)
            })
    }

    @Test(arguments: ["generation", "pending", "code"])
    func aChangedColumnOfTheEnrolmentIsDamage(column: String) async throws {
        #expect(
            try await isDamagedAndNoFingerOpens {
                try bench.nudge(column, of: "enrollment", where: "subject = 'uid:4711'")
            })
    }

    @Test func everyColumnWasChangedAbove() throws {
        #expect(
            try bench.columns(of: "print") == [
                "id", "subject", "finger", "driver", "device", "port_kind", "port_path",
                "port_removable", "enrolled", "simulated", "on_chip", "sealed",
            ])
        #expect(
            try bench.columns(of: "enrollment") == ["subject", "generation", "pending", "code"])
    }

    @Test(arguments: [
        "UPDATE print SET port_kind = 'none', port_path = '', port_removable = -1",
        "UPDATE print SET port_kind = 'pci'", "UPDATE print SET finger = 'left-little-finger'",
        "UPDATE print SET finger = 'nose'", "UPDATE print SET simulated = 2",
        "UPDATE print SET sealed = x''", "UPDATE enrollment SET pending = 7",
        "UPDATE enrollment SET generation = generation - 1",
        "UPDATE print SET subject = 'other' WHERE finger = 'right-index-finger'",
        "DELETE FROM print WHERE finger = 'right-index-finger'", "DELETE FROM print",
        "DELETE FROM enrollment",
        "UPDATE print SET subject = 'uid:4711'",
        """
        INSERT INTO print SELECT x'00112233445566778899aabbccddeeff', 'uid:4711',
            'right-thumb', driver, device, port_kind, port_path, port_removable, enrolled,
            simulated, on_chip, sealed
        FROM print WHERE subject = 'other'
        """,
    ])
    func aRowChangedRemovedOrAddedIsDamage(sql: String) async throws {
        #expect(try await isDamagedAndNoFingerOpens { try bench.tamper(sql) })
    }

    @Test func twoPrintsExchangedBetweenSubjectsAreDamageForBoth() async throws {
        #expect(
            try await isDamagedAndNoFingerOpens {
                try bench.swap(
                    "sealed", of: "print", "subject = 'other'",
                    "subject = 'uid:4711' AND finger = 'left-thumb'")
            })
        #expect(await isDamaged { _ = try await bench.vault.enrollment(of: other) })
    }

    @Test func aPrintPutBackFromAnOlderCopyIsDamage() async throws {
        try bench.tamper("CREATE TABLE copy AS SELECT * FROM print WHERE \(Self.own)")
        try await bench.enroll(.rightIndexFinger, "new")
        #expect(
            try await isDamagedAndNoFingerOpens {
                try bench.tamper("DELETE FROM print WHERE \(Self.own)")
                try bench.tamper("INSERT INTO print SELECT * FROM copy")
            })
    }

    @Test func aRemovedPrintPutBackIsDamage() async throws {
        try bench.tamper("CREATE TABLE copy AS SELECT * FROM print WHERE \(Self.own)")
        _ = try await bench.vault.removeFinger(
            .rightIndexFinger, grant: bench.credential(.changeEnrollment))
        #expect(
            try await isDamagedAndNoFingerOpens {
                try bench.tamper("INSERT INTO print SELECT * FROM copy")
            })
    }

    @Test func anEnrolmentPutBackFromAnOlderCopyIsDamage() async throws {
        try bench.tamper("CREATE TABLE copy AS SELECT * FROM enrollment")
        try await bench.enroll(.rightThumb, "third")
        #expect(
            try await isDamagedAndNoFingerOpens {
                try bench.tamper("DELETE FROM enrollment")
                try bench.tamper("INSERT INTO enrollment SELECT * FROM copy")
            })
    }

    @Test func aMarkTakenAwayByHandIsDamage() async throws {
        try await bench.vault.beginEnrollment(VaultBench.subject)
        let stale = try await bench.finger(bench.purpose(of: "key"))
        try bench.tamper("UPDATE enrollment SET pending = 0")
        #expect(await bench.refusal(stale)?.identifier == "damaged")
    }

    @Test func theEnrolmentOfAnotherSubjectIsNoUse() async throws {
        #expect(
            try await isDamagedAndNoFingerOpens {
                try bench.tamper("DELETE FROM enrollment WHERE subject = 'uid:4711'")
                try bench.tamper("DELETE FROM print WHERE subject = 'uid:4711'")
                try bench.tamper("UPDATE enrollment SET subject = 'uid:4711'")
                try bench.tamper("UPDATE print SET subject = 'uid:4711'")
            })
    }

    @Test func theGenerationDoesNotWrap() async throws {
        let record = try EnrollmentRecord(
            subject: VaultBench.subject, generation: .max, isPending: true, prints: [],
            authenticatedBy: bench.vault.storageKey)
        let code = record.code.map { byte in
            let digits = Array("0123456789abcdef")
            return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
        }.joined()
        try bench.tamper("DELETE FROM print WHERE subject = 'uid:4711'")
        try bench.tamper(
            """
            UPDATE enrollment SET generation = \(Int64.max), pending = 1, code = x'\(code)'
            WHERE subject = 'uid:4711'
            """)
        #expect(
            await isDamaged {
                _ = try await bench.vault.resolvePendingEnrollment(
                    bench.credential(.changeEnrollment))
            })
    }
}
