import WhorlBiometrics
import WhorlSecrets
import WhorlSensorLab

@testable import WhorlCommand

/// Backups of a scripted store: the names of its keys, one a line.
extension PromptingSession: Backups {
    private static let heading = "scripted backup"

    func backUp() async throws(VaultError) -> StoreBackup {
        let keys = try await vault.list()
        let names = keys.filter(\.hasRecovery).map(\.name)
        let text = ([Self.heading] + names.map(\.text)).joined(separator: "\n")
        return StoreBackup(
            contents: Array(text.utf8), keys: names,
            leftOut: keys.filter { !$0.hasRecovery }.map {
                UnrecoverableKey(name: $0.name.text, reason: .withoutRecovery)
            })
    }

    func restore(
        _ contents: [UInt8], recoveryKey: HeldSecret
    ) async throws(VaultError) -> KeyRestoration {
        let lines = String(decoding: contents, as: UTF8.self).split(separator: "\n")
        guard lines.first == "scripted backup" else {
            throw .unreadableBackup("this is no backup of Whorl's")
        }
        _ = try await checkRecovery(recoveryKey)
        let here = try await vault.list()
        var restored: [KeyInfo] = []
        var kept: [KeyName] = []
        var failed: [KeyRestoration.Failure] = []
        for line in lines.dropFirst() {
            let name = try KeyName(checking: String(line))
            if here.contains(where: { $0.name == name }) {
                kept.append(name)
            } else if line == "strict" {
                failed.append(
                    KeyRestoration.Failure(
                        name: name, error: .authentication(.strengthNotReached)))
            } else if let model = here.first {
                restored.append(
                    KeyInfo(
                        name: name, kind: model.kind, store: model.store, access: model.access,
                        minimumStrength: model.minimumStrength, reuseSeconds: 0,
                        isBootBound: false, hasRecovery: true, created: model.created,
                        generation: model.generation, state: .open, isSimulated: false))
            }
        }
        return KeyRestoration(restored: restored, kept: kept, failed: failed)
    }
}
