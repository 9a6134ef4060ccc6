import WhorlBiometrics
import WhorlKit

@testable import WhorlCommand

/// A host without readers and without a store: everything is refused.
struct NoHost: CommandHost {
    private static let error = VaultError.storeUnavailable(
        "this build has neither readers nor a store")

    func readers(_ options: HostOptions) async throws(VaultError) -> ReaderListing {
        throw Self.error
    }

    func reader(
        _ options: HostOptions
    ) async throws(VaultError) -> any FingerprintReader { throw Self.error }

    func recovery(
        from file: String?, options: HostOptions
    ) async throws(VaultError) -> StoreRecovery { throw Self.error }

    func status(_ options: HostOptions) async throws(VaultError) -> StatusReport {
        throw Self.error
    }

    func setUp(
        _ request: SetupRequest, options: HostOptions, recipient: any RecoveryKeyRecipient
    ) async throws(VaultError) -> StatusReport { throw Self.error }

    func open(
        _ options: HostOptions, prompter: any Prompter
    ) async throws(VaultError) -> any CommandSession { throw Self.error }

    func openForReset(
        _ options: HostOptions, prompter: any Prompter
    ) async throws(VaultError) -> any CommandSession { throw Self.error }

    func declineConsent(_ options: HostOptions) async throws(VaultError) -> Consent {
        throw Self.error
    }

    func demonstration(
        recording: String?
    ) async throws(VaultError) -> any Demonstration { throw Self.error }
}
