private import CWhorlFaultyStorage
package import WhorlBiometrics

/// When the storage below SQLite breaks, and how.
package struct FaultPlan: Sendable, Hashable {
    /// What happens at the call that is hit.
    package enum Action: Int32, Sendable, Hashable {
        /// Calls are only counted.
        case nothing = 0
        /// The call does nothing and answers with an error.
        case fail
        /// As above, but a write leaves half of its bytes.
        case tear
        /// The process is killed before the call.
        case killBefore
        /// The process is killed when a write has written half of its bytes.
        case killHalfway
        /// The process is killed after the call.
        case killAfter
        /// The power goes: any part of what no sync made safe is lost.
        case cutPower
    }

    /// Kinds of calls.
    package struct Calls: OptionSet, Sendable, Hashable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// What takes room on the disk.
        package static let writing = Calls(rawValue: CWHORL_FAULTY_WRITE)
        /// What changes a file, or makes a change safe.
        package static let changing = Calls(
            rawValue: CWHORL_FAULTY_WRITE | CWHORL_FAULTY_TRUNCATE | CWHORL_FAULTY_SYNC
                | CWHORL_FAULTY_DELETE)
        /// Everything that can fail.
        package static let all = Calls(rawValue: .max)
    }

    package var calls: Calls
    /// The call that is hit, from 1; 0 for none.
    package var at: UInt64 = 0
    package var action = Action.nothing
    /// SQLite's code that a failing call answers with; 0 for the input/output error of its kind.
    package var code: Int32 = 0
    /// Whether every later call is hit too.
    package var lasts = false
    /// Decides what a power cut loses.
    package var seed: UInt64 = 0

    package init(
        _ calls: Calls, at: UInt64 = 0, _ action: Action = .nothing, code: Int32 = 0,
        lasts: Bool = false, seed: UInt64 = 0
    ) {
        self.calls = calls
        self.at = at
        self.action = action
        self.code = code
        self.lasts = lasts
        self.seed = seed
    }

    // MARK: As an argument

    /// The plan as one argument of a program.
    package var argument: String {
        [
            "\(calls.rawValue)", "\(at)", "\(action.rawValue)", "\(code)", lasts ? "1" : "0",
            "\(seed)",
        ].joined(separator: ",")
    }

    package init?(argument: String) {
        let parts = argument.split(separator: ",")
        guard parts.count == 6, let calls = UInt32(parts[0]), let at = UInt64(parts[1]),
            let action = Int32(parts[2]).flatMap(Action.init), let code = Int32(parts[3]),
            let seed = UInt64(parts[5])
        else { return nil }
        self.init(
            Calls(rawValue: calls), at: at, action, code: code, lasts: parts[4] == "1", seed: seed)
    }

    // MARK: In force

    /// Sets the plan for the store in a folder, from its next call on; syncs return at once then.
    ///
    /// - Throws: ``VaultError/internalError(_:)`` where the storage cannot be put in between.
    package func arm(_ folder: String) throws(VaultError) {
        guard cwhorl_faulty_register() == 0 else {
            throw .internalError("the faulty storage is not to be had")
        }
        let plan = cwhorl_faulty_plan(
            kinds: calls.rawValue, at: at, action: action.rawValue, code: code, lasts: lasts,
            skips_sync: true, seed: seed)
        guard unsafe cwhorl_faulty_arm(folder, plan) else {
            throw .internalError("there are too many plans")
        }
    }

    /// How many calls counted in a folder since its plan was set.
    package static func count(in folder: String) -> UInt64 {
        unsafe cwhorl_faulty_calls(folder)
    }

    /// Takes the plan of a folder away.
    package static func disarm(_ folder: String) {
        unsafe cwhorl_faulty_disarm(folder)
    }
}
