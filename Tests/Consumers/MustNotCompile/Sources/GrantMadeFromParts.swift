// error: 'Grant' initializer is inaccessible due to 'fileprivate' protection level
// Nobody but a mint makes a grant.
import WhorlBiometrics
import WhorlKeys

func forge(
    request: RequestID, subject: Subject, now: BootInstant
) -> Grant {
    Grant(
        vaultID: [], request: request, purpose: .authenticate, subject: subject,
        factors: [.finger], strength: .strong, isSimulated: false, allowsSimulated: false,
        generation: 1, minted: now, credential: nil)
}
