import Glibc

// What it measures and what that is compared to: Docs/speed.md.

let arguments = CommandLine.arguments.dropFirst()
do {
    switch (arguments.first, Array(arguments.dropFirst())) {
    case ("reader", []): try await ReaderContestant.run()
    case ("put", let rest) where rest.count == 2:
        try await PutContestant.run(folder: rest[0], keys: Int(rest[1]) ?? 0)
    case (let course?, let rest) where rest.count == 2:
        guard let course = RequestContestant.Course(rawValue: course) else {
            throw BenchError("no course '\(course)'")
        }
        try await RequestContestant.run(course, folder: rest[0], keys: Int(rest[1]) ?? 1)
    case ("measure", let places) where (4...5).contains(places.count):
        let bench = Workbench(
            programs: places[0], whorl: places[1], bench: CommandLine.arguments[0],
            sockets: places[2], disk: places[3], memory: places.count == 5 ? places[4] : nil)
        try await Report.print(bench)
    default: throw BenchError("run 'make bench'")
    }
} catch {
    let line = Array("bench: \(error)\n".utf8)
    _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(EXIT_FAILURE)
}
