import Glibc
import WhorlBiometrics
import WhorlStoreLoad

// WhorlStoreChild FOLDER PLAN patient|hasty|rounds RECOVERY-KEY [OPERATION...]
//
// Does the operations, or rounds of the mixed load without end, on a store whose storage breaks
// as planned, and says before and after each what it does, each with one write.

func say(_ words: String) {
    let line = Array("\(words)\n".utf8)
    guard unsafe write(STDOUT_FILENO, line, line.count) == line.count else { exit(74) }
}

let arguments = CommandLine.arguments
guard arguments.count >= 5, let plan = FaultPlan(argument: arguments[2]) else { exit(64) }
let folder = arguments[1]
let operations = arguments[5...].compactMap { StoreOperation(argument: $0) }
guard operations.count == arguments.count - 5 else { exit(64) }

do {
    try plan.arm(folder)
    do {
        let session = try await StoreSession.open(
            folder, OwnerSecrets(recoveryKey: Array(arguments[4].utf8)),
            isPatient: arguments[3] == "patient"
        ) { say("delivered \(String(decoding: $0, as: UTF8.self))") }
        say("opened")
        for round in 1... {
            for operation in arguments[3] == "rounds" ? MixedLoad.round(round) : operations {
                say("begin \(operation.argument)")
                say("end \(await session.perform(operation).argument)")
            }
            if arguments[3] != "rounds" { break }
        }
    }
    say("closed \(FaultPlan.count(in: folder))")
} catch {
    say("failed \(error.identifier)")
}
