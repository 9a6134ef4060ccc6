import Foundation
import Testing
import WhorlSensorLab

/// The PIN, the recovery key, and keys that open again, with the built program.
struct OwnerTests {
    private static let new = "battery staple"

    private func recoveryKey(_ bench: Bench) throws -> String {
        try String(contentsOfFile: bench.recoveryFile, encoding: .utf8)
    }

    private func giving(
        pin: String? = nil, new: String? = nil, recovery: String? = nil
    ) -> Bench.Manner {
        var manner = Bench.Manner(pin: pin)
        if let new { manner.descriptors[4] = Array(new.utf8) }
        if let recovery { manner.descriptors[5] = Array(recovery.utf8) }
        return manner
    }

    private func isOpened(_ bench: Bench, _ name: String = "github", pin: String) async throws
        -> CInt?
    {
        try await bench.whorl("vault", "get", name, manner: Bench.Manner(pin: pin)).status
    }

    private func prepared(_ bench: Bench) async throws {
        let setUp = try await bench.whorl(
            "setup", "--accept-consent", "--recovery-out", bench.recoveryFile, manner: .withPIN)
        #expect(setUp.status == 0)
        #expect(try await bench.enroll("f1").status == 0)
        #expect(
            try await bench.whorl("vault", "put", "github", manner: .input("s3cret")).status == 0)
        let lonely = try await bench.whorl(
            "vault", "put", "lonely", "--no-recovery", manner: .input("alone"))
        #expect(lonely.status == 0)
        let mine = try await bench.whorl(
            "vault", "put", "mine", "--access", "biometryCurrentSet", manner: .input("m"))
        #expect(mine.status == 0)
    }

    @Test func thePINIsChangedAndReset() async throws {
        try await Bench.with { bench in
            try await prepared(bench)
            let wrong = try await bench.whorl(
                "pin", "change", "--new-pin-fd", "4",
                manner: giving(pin: "wrong horse", new: Self.new))
            #expect(wrong.status == 1)
            #expect(try await isOpened(bench, pin: Bench.pin) == 0)
            let changed = try await bench.whorl(
                "pin", "change", "--new-pin-fd", "4",
                manner: giving(pin: Bench.pin, new: Self.new))
            #expect(changed.status == 0)
            #expect(try await isOpened(bench, pin: Bench.pin) == 1)
            #expect(try await isOpened(bench, pin: Self.new) == 0)
            #expect(try await isOpened(bench, "lonely", pin: Self.new) == 0)

            let reset = try await bench.whorl(
                "pin", "reset", "--recovery-fd", "5", "--new-pin-fd", "4", "--json",
                manner: giving(new: "third horse", recovery: recoveryKey(bench)))
            #expect(reset.status == 0)
            #expect(try reset.object()["lostKeys"]?.strings == ["lonely"])
            #expect(try await isOpened(bench, pin: "third horse") == 0)
            #expect(try await isOpened(bench, "lonely", pin: "third horse") == 4)
            let finger = try await bench.whorl("vault", "get", "lonely", touching: [.scan("f1")])
            #expect(finger.status == 0)
            #expect(finger.text == "alone")
        }
    }

    @Test func theRecoveryKeyIsCheckedRenewedAndOpens() async throws {
        try await Bench.with { bench in
            try await prepared(bench)
            let old = try recoveryKey(bench)
            let checked = try await bench.whorl(
                "recovery", "check", "--recovery-fd", "5", "--json", manner: giving(recovery: old))
            #expect(try checked.object()["keys"]?.strings == ["github", "mine"])
            var typo = Array(old)
            typo.swapAt(0, 1)
            let mistyped = try await bench.whorl(
                "recovery", "check", "--recovery-fd", "5",
                manner: giving(recovery: String(typo)))
            #expect(mistyped.status == 65)
            #expect(mistyped.lastError.contains("group 1 of the recovery key is mistyped"))

            let opened = try await bench.whorl(
                "vault", "get", "mine", "--recovery-fd", "5", manner: giving(recovery: old))
            #expect(opened.status == 0)
            #expect(opened.text == "m")
            let none = try await bench.whorl(
                "vault", "get", "lonely", "--recovery-fd", "5", manner: giving(recovery: old))
            #expect(none.status == 4)
            #expect(none.text.isEmpty)

            let renewed = try await bench.whorl(
                "recovery", "renew", "--recovery-out", bench.path("new"), "--json",
                manner: .withPIN)
            #expect(renewed.status == 0)
            #expect(try renewed.object()["lostKeys"]?.strings == ["mine"])
            let stale = try await bench.whorl(
                "vault", "get", "github", "--recovery-fd", "5", manner: giving(recovery: old))
            #expect(stale.status == 1)
            let fresh = try String(contentsOfFile: bench.path("new"), encoding: .utf8)
            let last = try await bench.whorl(
                "vault", "get", "github", "--recovery-fd", "5", manner: giving(recovery: fresh))
            #expect(last.text == "s3cret")
        }
    }

    @Test("A dead key is bound to the new fingers, or removed", .bug(id: "8"))
    func aDeadKeyIsBoundAnew() async throws {
        try await Bench.with { bench in
            try await prepared(bench)
            let other = try await bench.enroll("f2", as: "left-thumb", keys: "drop")
            #expect(other.status == 0)
            let dead = try await bench.whorl("vault", "get", "mine", manner: .usual)
            #expect(dead.status == 4)
            let byPIN = try await bench.whorl("vault", "rebind", "mine", manner: .withPIN)
            #expect(byPIN.status == 4)
            let all = try await bench.whorl("vault", "rebind", "--all", "--json", manner: .withPIN)
            #expect(try all.object()["renewed"]?.strings == ["github", "lonely"])
            #expect(try all.object()["unopened"]?.strings == ["mine"])
            let opened = try await bench.whorl("vault", "get", "github", touching: [.scan("f1")])
            #expect(opened.text == "s3cret")
            let recovered = try await bench.whorl(
                "vault", "rebind", "mine", "--recovery-fd", "5",
                manner: giving(recovery: recoveryKey(bench)))
            #expect(recovered.status == 0)
            let mine = try await bench.whorl("vault", "get", "mine", touching: [.scan("f1")])
            #expect(mine.text == "m")
            let next = try await bench.enroll("f3", as: "left-index-finger", keys: "drop")
            #expect(next.status == 0)
            let removed = try await bench.whorl("vault", "remove", "mine", manner: .withPIN)
            #expect(removed.status == 0)
        }
    }
}
