import Glibc

/// Everything that is measured, as text.
enum Report {
    static func print(_ bench: Workbench) async throws {
        Swift.print(machine + "\n")
        if bench.memory == nil {
            Swift.print("there is no tmpfs at /dev/shm, so nothing is measured without a disk\n")
        }
        try await show(VerifyMeasure.table(bench))
        try await show(SecretMeasure.table(bench))
        try await show(StartMeasure.table(bench))
        try await show(MemoryMeasure.table(bench))
        Swift.print("A budget is for the median. What is compared to what, and how: Docs/speed.md")
    }

    private static func show(_ table: Table) {
        for line in table.lines { Swift.print(line) }
        // Each table is out when it is measured, also where the output is no terminal.
        fflush(nil)
    }

    private static var machine: String {
        let cores = sysconf(CInt(_SC_NPROCESSORS_ONLN))
        var load = 0.0
        guard unsafe getloadavg(&load, 1) == 1 else { return "\(cores) cores" }
        let isBusy = load > Double(cores) / 2
        return "\(cores) cores, load \((load * 10).rounded() / 10)"
            + (isBusy ? ": this machine is busy, and what follows is longer for it" : "")
    }
}
