/// What the command's exit statuses mean; from 64 on those of `sysexits.h`, narrowed.
enum ExitStatus {
    /// Every status, in order.
    static let all: [(status: Int, meaning: String)] = [
        (0, "done"),
        (1, "not authenticated"),
        (3, "nothing enrolled, or no PIN set"),
        (4, "this way into the key is dead"),
        (5, "cancelled or timed out"),
        (6, "locked out"),
        (64, "the command line is wrong"),
        (65, "the data is wrong"),
        (66, "no such key, finger or file"),
        (69, "reader, service or TPM not there"),
        (70, "a bug of ours"),
        (73, "exists already"),
        (74, "reading or writing failed"),
        (75, "busy, try again"),
        (77, "not permitted"),
        (78, "the configuration is wrong"),
    ]
}
