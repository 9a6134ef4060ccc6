public import WhorlBiometrics

/// What came of signing in.
public enum SignInOutcome: Sendable, Equatable {
    /// With a token of that many bytes.
    case signedIn(tokenLength: Int)
    /// Not; the password may do it.
    case passwordNeeded
    /// Not; the finger's key is dead.
    case mustRegisterAgain
}

/// Signs in with the token behind the finger, where there is one.
public func signIn(with whorl: any WhorlSession) async -> SignInOutcome {
    guard case .ready = await whorl.canAuthenticate(.weak) else { return .passwordNeeded }
    do throws(VaultError) {
        let token = try await whorl.vault.get("acme/refresh", reason: "Sign in to Acme")
        return .signedIn(tokenLength: token.count)
    } catch {
        switch error {
        case .keyInvalidated: return .mustRegisterAgain
        default: return .passwordNeeded
        }
    }
}
