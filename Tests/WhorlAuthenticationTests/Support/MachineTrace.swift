import WhorlBiometrics
import WhorlSecrets

@testable import WhorlAuthentication

/// Drives a machine without clock, reader or disk, as the loop would, and keeps what it wanted.
struct MachineTrace<Machine: PromptMachine> {
    var machine: Machine
    /// What the ledger would say to the next good capture that does not match.
    var lockout = LockoutStatus.open
    /// What the check of a credential would say.
    var credential = CredentialVerdict.wrong
    /// Whether an attempt can be charged.
    var chargeFails = false
    private(set) var states: [PromptState] = []
    private(set) var log: [String] = []
    private(set) var round = 0
    private(set) var armed: ReaderCommand?
    private(set) var result: Result<Machine.Success, AuthenticationError>?
    private(set) var rearmNanoseconds: Int64?
    private(set) var openCharges = 0
    private(set) var failures = 0
    private(set) var wasArmedBeforePrompt = false

    init(_ machine: Machine) {
        self.machine = machine
    }

    mutating func begin(showing: Bool = true) {
        run(machine.begin())
        if showing { send(.promptShown) }
    }

    mutating func send(_ event: PromptEvent) {
        run(machine.handle(event))
    }

    mutating func reader(_ event: ReaderEvent) {
        send(.reader(event, round: round))
    }

    /// A finger comes and the reader ends its operation so.
    mutating func touch(_ outcome: ReaderOutcome) {
        reader(.started)
        reader(.finger([.needed, .present]))
        reader(.finger([]))
        reader(.ended(outcome))
    }

    mutating func enter(_ verdict: CredentialVerdict) throws {
        credential = verdict
        send(.input(.credential(HeldSecret(try SecretBytes(zeroedCount: 6)))))
    }

    /// The hints among the states that were shown.
    var hints: [CaptureHint] {
        states.compactMap { state -> CaptureHint? in
            if case .hint(let hint) = state { hint } else { nil }
        }
    }

    var failure: AuthenticationError? { result?.failure }

    private mutating func run(_ effects: [PromptEffect<Machine.Success>]) {
        for effect in effects {
            switch effect {
            case .show: log.append("show")
            case .update(let state): states.append(state)
            case .arm(let command, let armedRound):
                log.append("arm")
                armed = command
                round = armedRound
            case .disarm: log.append("disarm")
            case .charge:
                log.append("charge")
                if chargeFails {
                    send(.chargeFailed(.internalError(.whorl("disk full"))))
                } else {
                    openCharges += 1
                    failures += 1
                    send(.charged)
                }
            case .settleNoMatch:
                log.append("settle")
                if openCharges == 0 { failures += 1 }
                openCharges = 0
                send(.settled(lockout))
            case .refund:
                log.append("refund")
                openCharges -= 1
                failures -= 1
            case .checkCredential:
                log.append("check")
                send(.credentialChecked(credential))
            case .start(let timer, let nanoseconds):
                if case .rearm = timer { rearmNanoseconds = nanoseconds }
            case .discard: log.append("discard")
            case .finish(let end):
                log.append("finish")
                result = end
            }
        }
    }
}
