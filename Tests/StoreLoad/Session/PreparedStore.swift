package import WhorlBiometrics
import WhorlKeys

/// A new store with one finger and a key of every kind.
package struct PreparedStore: Sendable {
    /// The recovery key in its written form.
    package let recoveryKey: [UInt8]
    /// What is in it.
    package let world: World

    /// Makes the store in an empty folder, and closes it.
    ///
    /// - Throws: ``VaultError``.
    package init(
        in folder: String, keys: [StoreOperation.KeyWays] = StoreOperation.KeyWays.allCases
    ) async throws(VaultError) {
        recoveryKey = try await Self.setUp(folder)
        var world = World()
        let session = try await StoreSession.open(folder, OwnerSecrets(recoveryKey: recoveryKey))
        let operations =
            [.enroll(.own, .drop)] + keys.map { StoreOperation.put($0.rawValue, version: 1, $0) }
        for operation in operations {
            guard await session.perform(operation) == .done else {
                throw .internalError("the store could not be prepared: \(operation.argument)")
            }
            world.apply(operation)
        }
        self.world = world
    }

    // The vault itself is asked, since only a session of an owner can be opened.
    private static func setUp(_ folder: String) async throws(VaultError) -> [UInt8] {
        let database = try await StoreDatabase.open(folder: folder, creating: true)
        let opened = try await Vault.open(
            database: database, timekeeper: LoadTimekeeper(isPatient: false),
            scrypt: OwnerSecrets.cheap)
        let kept = DeliveredKeys()
        try await opened.vault.setUp(
            StoreSession.subject, pin: OwnerSecrets(recoveryKey: []).credential,
            consentAt: 1_800_000_000
        ) { (written) throws(VaultError) in kept.keep(written) }
        return kept.all.last ?? []
    }
}
