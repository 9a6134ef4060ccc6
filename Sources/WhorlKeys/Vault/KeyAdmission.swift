import WhorlBiometrics

/// Decides through which way a grant opens a key, if any.
///
/// It is the one place where access control is enforced for the software store, so it knows no
/// clock, no disk and no key material.
struct KeyAdmission {
    let attributes: KeyAttributes
    let withdrawn: WithdrawnWays
    /// The subject's enrolment; an error where it cannot be trusted or fingers are not permitted,
    /// which closes the finger's ways only.
    let enrollment: Result<EnrollmentState, VaultError>

    /// Finds the way.
    ///
    /// - Throws: Why no way is open, of several reasons that of the first way.
    func way(for grant: borrowing Grant) throws(VaultError) -> AccessWay {
        // What was made with a simulated reader counts only where those are allowed, and a simulated
        // finger only for what was made so.
        if attributes.isSimulated || grant.isSimulated, !grant.allowsSimulated {
            throw .authentication(.simulatedNotAllowed)
        }
        if grant.isSimulated, !attributes.isSimulated {
            throw .authentication(.simulatedNotAllowed)
        }
        var refusal: VaultError?
        for way in attributes.access.ways {
            if way.needsFinger, !grant.factors.contains(.finger) { continue }
            if way.needsCredential, !grant.factors.contains(.deviceCredential) { continue }
            do throws(VaultError) {
                if way.needsFinger { try checkFinger(way, grant) }
                if way.needsCredential { try checkCredential(grant) }
                guard !withdrawn.includes(way) else {
                    throw way.needsFinger ? .keyInvalidated : .credentialWithdrawn
                }
                return way
            } catch {
                refusal = refusal ?? error
            }
        }
        throw refusal
            ?? .authentication(
                .notPermitted(.whorl("what was given is not what this key asks for")))
    }

    private func checkFinger(_ way: AccessWay, _ grant: borrowing Grant) throws(VaultError) {
        let enrollment = try enrollment.get()
        guard !enrollment.prints.isEmpty else { throw .authentication(.notEnrolled) }
        guard !enrollment.isPending else { throw .authentication(.stepUpDue) }
        guard !attributes.isDead(way, at: enrollment.generation, without: withdrawn) else {
            throw .keyInvalidated
        }
        guard grant.generation == enrollment.generation else {
            throw .authentication(.enrollmentChanged)
        }
        guard let strength = grant.strength, let minimum = attributes.minimumStrength,
            strength >= minimum
        else { throw .authentication(.strengthLowered) }
    }

    private func checkCredential(_ grant: borrowing Grant) throws(VaultError) {
        guard grant.hasProof else {
            throw .internalError("a grant says that the PIN was given, without its proof")
        }
    }
}

extension Grant {
    /// Whether the proof of this subject's credential is in it.
    var hasProof: Bool {
        switch credential {
        case .none: false
        case .some(let proof): proof.subject == subject
        }
    }
}
