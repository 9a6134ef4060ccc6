import Testing
import WhorlBiometrics
import WhorlStoreLoad

extension Endurance {
    /// The disk fails while a process works on a store, and the process lives on.
    @Suite(.serialized)
    struct StorageFaultTests {
        /// SQLite's codes.
        private static let full: Int32 = 13
        private static let readOnly: Int32 = 8

        // One of each kind is enough where every single call fails once.
        private static let load: [StoreOperation] = [
            .put("a", version: 1, .current),
            .get("a", by: .own),
            .get("a", by: .stranger),
            .get("a", by: .wrongPin),
            .get("a", by: .pin),
            .replace("a", version: 2, .current, by: .own),
            .enroll(.thumb, .carry),
            .put("big", version: 3, .any),
            .remove("big", by: .pin),
            .enroll(.thumb, .drop),
            .forget(.thumb),
            .rebind,
            .changePin(1),
            .renewRecovery,
            .unlock,
        ]

        @Test func anErrorAtAnyCallIsToldAndLosesNothing() async throws {
            let found = try await found(FaultPlan(.all, .fail))
            #expect(found == [])
        }

        @Test func aDiskThatFailsForGoodLosesNothing() async throws {
            let found = try await found(FaultPlan(.changing, .fail, lasts: true))
            #expect(found == [])
        }

        @Test func aDiskThatIsFullAtAnyWriteLosesNothing() async throws {
            let found = try await found(FaultPlan(.writing, .tear, code: Self.full, lasts: true))
            #expect(found == [])
        }

        @Test func aDiskThatTurnsReadOnlyLosesNothing() async throws {
            let found = try await found(
                FaultPlan(.changing, .fail, code: Self.readOnly, lasts: true))
            #expect(found == [])
        }

        @Test func anErrorAtAnyCallOfOpeningIsToldAndLosesNothing() async throws {
            let template = try await StoreTemplate.prepared()
            var found: [String] = []
            for number in 1... {
                let folder = try template.copied()
                var plan = FaultPlan(.all, .fail)
                plan.at = UInt64(number)
                try plan.arm(folder.path)
                do throws(VaultError) {
                    _ = try await StoreSession.open(folder.path, folder.owner)
                } catch {
                    let isTold = if case .storage = error { true } else { false }
                    if !isTold { found.append("\(number): opening threw \(error)") }
                }
                let count = FaultPlan.count(in: folder.path)
                try FaultPlan(.all).arm(folder.path)
                found += try await Aftermath(
                    folder: folder, transcript: Transcript(from: template.world)
                ).complaints()
                if count < number { break }
            }
            #expect(found == [])
        }

        // MARK: At every call of every operation

        private func found(_ plan: FaultPlan) async throws -> [String] {
            let steps = try await Self.steps().filter { !plan.lasts || $0.operation.isTriedForGood }
            return await complaints(in: 0..<steps.count) { index in
                try await steps[index].complaints(plan)
            }
        }

        /// An operation, and the store as it is before it.
        private struct Step: Sendable {
            let template: StoreTemplate
            let operation: StoreOperation
            let undisturbed: Outcome

            func complaints(_ plan: FaultPlan) async throws -> [String] {
                var found: [String] = []
                for number in UInt64(1)... {
                    let folder = try template.copied()
                    var plan = plan
                    plan.at = number
                    var transcript = Transcript(from: template.world)
                    do {
                        let session = try await StoreSession.open(folder.path, folder.owner)
                        try plan.arm(folder.path)
                        let outcome = await session.perform(operation)
                        transcript.note(operation, outcome, undisturbed: undisturbed)
                        transcript.deliveredKeys = session.deliveredKeys
                    }
                    let count = FaultPlan.count(in: folder.path)
                    try FaultPlan(.all).arm(folder.path)
                    found += try await Aftermath(
                        folder: folder, transcript: transcript
                    ).complaints().map { "\(operation.argument), call \(number): \($0)" }
                    if count < number { break }
                }
                return found
            }
        }

        private static func steps() async throws -> [Step] {
            var template = try await StoreTemplate.prepared(keys: [.current, .any])
            var steps: [Step] = []
            for operation in load {
                let before = template
                let folder = try before.copied()
                let outcome: Outcome
                var recoveryKey = before.recoveryKey
                do {
                    let session = try await StoreSession.open(folder.path, folder.owner)
                    outcome = await session.perform(operation)
                    recoveryKey = session.deliveredKeys.last ?? recoveryKey
                }
                var transcript = Transcript(from: before.world)
                transcript.note(operation, outcome)
                try #require(transcript.complaints == [])
                var world = transcript.acknowledged
                world.recoveryKey = 0
                template = try await StoreTemplate(
                    closed: folder, recoveryKey: recoveryKey, world: world)
                steps.append(Step(template: before, operation: operation, undisturbed: outcome))
            }
            return steps
        }
    }
}
