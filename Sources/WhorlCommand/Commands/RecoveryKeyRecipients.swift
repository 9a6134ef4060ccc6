internal import Synchronization
internal import WhorlBiometrics
internal import WhorlKit
internal import WhorlSecrets

/// Puts the recovery key into a new file.
final class RecoveryKeyFile: RecoveryKeyRecipient {
    private struct State {
        var isWritten = false
        var failure: CommandFailure?
    }

    private let path: String
    private let state = Mutex(State())

    init(path: String) { self.path = path }

    /// Why the file could not be written; the host only hears that it could not.
    var failure: CommandFailure? { state.withLock { $0.failure } }

    func receive(_ key: borrowing SecretBytes) async throws(VaultError) {
        do throws(CommandFailure) {
            try NewFile.write(key, to: path)
            state.withLock { $0.isWritten = true }
        } catch {
            state.withLock { $0.failure = error }
            throw .storage("the recovery key could not be written to '\(path)'")
        }
    }

    /// Takes the file away again: what it holds belongs to no store.
    func discard() {
        if state.withLock({ $0.isWritten }) { NewFile.remove(path) }
    }
}

/// Shows the recovery key on the terminal, once, and waits until it is copied.
final class RecoveryKeyScreen: RecoveryKeyRecipient {
    let dialogue: Dialogue
    private let isShown = Mutex(false)

    init(dialogue: Dialogue) { self.dialogue = dialogue }

    /// Says that what was shown belongs to no store.
    func discard() {
        guard isShown.withLock({ $0 }) else { return }
        dialogue.say(["The recovery key that was just shown opens nothing. Destroy it."])
    }

    func receive(_ key: borrowing SecretBytes) async throws(VaultError) {
        dialogue.say([
            "", "This is the recovery key. It is shown this once. Write it down, and keep it away",
            "from this machine: it opens everything when the PIN or the machine is lost.", "",
        ])
        do throws(SystemError) {
            try dialogue.terminal.write(secret: key)
        } catch {
            throw .storage("the recovery key could not be shown (\(error))")
        }
        isShown.withLock { $0 = true }
        dialogue.say(["", ""])
        do throws(AuthenticationError) {
            try await dialogue.pause("Press Enter when you have copied it. ")
        } catch {
            throw .authentication(error)
        }
    }
}
