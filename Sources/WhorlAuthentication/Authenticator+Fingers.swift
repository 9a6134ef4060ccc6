import WhorlBiometrics
import WhorlKeys
import WhorlSecrets

extension Authenticator {
    /// Enrols a finger: the credential, then the reader's stages, then a touch that confirms.
    func enroll(
        _ finger: Finger, confirm: Bool, keys: KeyCarry, of subject: Subject,
        request: AuthenticationRequest
    ) async throws(VaultError) -> EnrollmentResult {
        let turn = try await takeTurn()
        defer { endTurn(turn) }
        let plan = RequestPlan.credential(
            of: subject, for: .changeEnrollment, action: "enrol the \(finger.words)")
        try await gatekeeper.checkCredential(
            plan, mayGive: request.credential != nil || prompter.takesCredentials)
        guard try await vault.permitsFingers(subject) else {
            throw .authentication(.disabledByPolicy)
        }
        // A reader that is not there is said before anyone is asked for a PIN.
        let (reader, description) = try await gatekeeper.permittedReaders()[0]
        let authorized = try await authorize(plan, request: request, turn: turn)
        do throws(VaultError) {
            let deadBefore = try await resolveEnrollment(
                of: subject, factors: authorized.result.factors)
            try await gatekeeper.open(reader)
            let print: Print
            do throws(VaultError) {
                print = try await takePrint(
                    on: reader, description, confirm: confirm, authorized, request: request,
                    turn: turn)
            } catch {
                _ = await reader.answer(to: .close, by: timekeeper)
                throw error
            }
            let old = try await vault.enrollment(of: subject).prints.first { $0.finger == finger }
            let change: EnrollmentChange
            do throws(VaultError) {
                change = try await vault.commitEnrollment(
                    finger: finger, print: print, reader: description.identity,
                    isSimulated: description.isSimulated, keys: keys,
                    grant: grant(from: authorized), at: timekeeper.unixTime())
            } catch {
                // The print is in no store, so it must not stay on the chip.
                _ = await reader.answer(to: .delete(print), by: timekeeper)
                _ = await reader.answer(to: .close, by: timekeeper)
                // The set is what it was, so the mark must not kill its keys with the next PIN.
                try? await vault.abandonEnrollment(subject)
                throw error
            }
            // On another reader's chip it opens nothing; only that reader could delete it.
            if let replaced = change.replaced, replaced.isStoredOnChip,
                old?.reader.driver == description.identity.driver,
                old?.reader.deviceID == description.identity.deviceID
            {
                _ = await reader.answer(to: .delete(replaced), by: timekeeper)
            }
            _ = await reader.answer(to: .close, by: timekeeper)
            await finish(authorized, ending: .succeeded(authorized.result))
            return EnrollmentResult(
                finger: EnrolledFinger(
                    finger: finger, reader: description.identity, enrolled: timekeeper.unixTime(),
                    isSimulated: description.isSimulated),
                generation: change.generation, deadKeys: deadBefore + change.deadKeys)
        } catch {
            await finish(authorized, ending: .failed(AuthenticationError(error)))
            throw error
        }
    }

    // From the first scan on nobody knows what is on the chip, so a mark that no finger opens
    // anything stands on disk until it is known again.
    private func takePrint(
        on reader: any FingerprintReader, _ description: ReaderDescription, confirm: Bool,
        _ authorized: Authorized, request: AuthenticationRequest, turn: Turn
    ) async throws(VaultError) -> Print {
        let subject = authorized.plan.subject
        try await vault.beginEnrollment(subject)
        let prompt = Prompt(
            origin: origin, action: authorized.plan.action, reason: request.reason,
            detail: request.detail,
            reader: description.rated(gatekeeper.rating(of: description, prints: 1)),
            takesCredential: false, needsBoth: false)
        let outcome = await run(
            EnrollmentMachine(limits: request.limits, confirm: confirm), prompt: prompt,
            reader: reader, subject: subject, trouble: StoreTrouble(), turn: turn
        ) { _ in .refused(.internalError(.whorl("no credential is asked for here"))) }
        switch outcome {
        case .success(let print): return print
        case .failure(let error):
            try await vault.abandonEnrollment(subject)
            throw .authentication(error)
        }
    }

    /// Removes a finger from the store, and from its reader where that is here.
    func remove(
        _ finger: Finger, of subject: Subject, request: AuthenticationRequest
    ) async throws(VaultError) -> RemovalResult {
        let turn = try await takeTurn()
        defer { endTurn(turn) }
        let enrollment = try await vault.enrollment(of: subject)
        guard let stored = enrollment.prints.first(where: { $0.finger == finger }) else {
            throw .noSuchFinger(finger)
        }
        let plan = RequestPlan.credential(
            of: subject, for: .changeEnrollment, action: "remove the \(finger.words)")
        let authorized = try await authorize(plan, request: request, turn: turn)
        do throws(VaultError) {
            let left = try await deleteFromChip(stored, of: subject)
            let change = try await vault.removeFinger(finger, grant: grant(from: authorized))
            await finish(authorized, ending: .succeeded(authorized.result))
            return RemovalResult(deadKeys: change.deadKeys, leftOnReader: left)
        } catch {
            await finish(authorized, ending: .failed(AuthenticationError(error)))
            throw error
        }
    }

    // Gives the reason why the print stays on the chip, or nil.
    private func deleteFromChip(
        _ stored: StoredPrint, of subject: Subject
    ) async throws(VaultError) -> AuthenticationError? {
        guard stored.isStoredOnChip else { return nil }
        let print = try await vault.print(stored.id, of: subject)
        do throws(VaultError) {
            for (reader, description) in try await gatekeeper.permittedReaders()
            where description.identity == stored.reader {
                return try await delete(print, from: reader)
            }
            return .readerNotFound
        } catch {
            return AuthenticationError(error)
        }
    }

    /// Deletes a print from a reader's chip.
    ///
    /// - Returns: The reason why it stays there, or nil.
    func delete(
        _ print: Print, from reader: any FingerprintReader
    ) async throws(VaultError) -> AuthenticationError? {
        try await gatekeeper.open(reader)
        let outcome = await reader.answer(to: .delete(print), by: timekeeper)
        _ = await reader.answer(to: .close, by: timekeeper)
        switch outcome {
        case .done, .failed(.printMissing): return nil
        case .failed(let error): return error
        default: return .readerFault(.whorl("the reader did not say whether it deleted"))
        }
    }

    /// Takes the credential for itself: clears a lockout, ends a step-up that is due.
    func unlock(_ subject: Subject, request: AuthenticationRequest) async throws(VaultError) {
        let plan = RequestPlan.credential(
            of: subject, for: .clearLockout, action: "clear the lockout of fingers")
        if let recoveryKey = request.recoveryKey {
            return try await unlock(plan, with: recoveryKey)
        }
        let turn = try await takeTurn()
        defer { endTurn(turn) }
        let authorized = try await authorize(plan, request: request, turn: turn)
        do throws(VaultError) {
            try await resolveEnrollment(of: subject, factors: authorized.result.factors)
            await approveReaders(for: subject)
        } catch {
            await finish(authorized, ending: .failed(AuthenticationError(error)))
            throw error
        }
        await finish(authorized, ending: .succeeded(authorized.result))
    }

    private func unlock(
        _ plan: RequestPlan, with recoveryKey: HeldSecret
    ) async throws(VaultError) {
        let isDone: Bool = try await withRecovery(recoveryKey, for: plan) {
            (_, result) throws(VaultError) in
            try await self.resolveEnrollment(of: plan.subject, factors: result.factors)
            await self.approveReaders(for: plan.subject)
            return true
        }
        assert(isDone)
    }

    // The owner gave the credential with these readers plugged in, so their ports count from now on.
    private func approveReaders(for subject: Subject) async {
        guard let readers = try? await gatekeeper.permittedReaders() else { return }
        for (_, description) in readers {
            try? await ledger.approve(description.identity, for: subject)
        }
    }
}
