import CWhorlFprint
import Glibc
import Testing
import WhorlBiometrics
import WhorlLibfprint
import WhorlSensorLab

/// What must be seen in a process that does nothing else.
@Suite(.timeLimit(.minutes(1)))
struct ProcessTests {
    @Test func saysThatTheMainContextIsTakenByTheProgramsOwnLoop() async {
        await #expect(processExitsWith: .exitCode(0)) {
            guard unsafe g_main_context_acquire(g_main_context_default()) != 0 else { exit(1) }
            let source = VirtualReaders.source()
            do throws(AuthenticationError) {
                _ = try await source.readers()
                exit(2)
            } catch {
                guard error == .mainContextTaken else { exit(3) }
            }
            for await _ in await source.changes() { exit(4) }
            exit(0)
        }
    }

    @Test func growsByNoThreadAndNoDescriptorOverManyVerifies() async {
        await #expect(processExitsWith: .exitCode(0)) {
            try await Bench.with(.device) { bench in
                let print = try await bench.enroll()
                try await bench.verify(print, times: 20)
                let before = ProcessTests.usage()
                try await bench.verify(print, times: 200)
                let after = ProcessTests.usage()
                // The runtime's pool may start a thread late, whatever it is used for.
                guard after.descriptors == before.descriptors, after.threads <= before.threads + 1
                else {
                    Swift.print("before \(before), after \(after)")
                    exit(1)
                }
            }
            exit(0)
        }
    }

    @Test func growsByNoThreadAndNoDescriptorOverManySources() async {
        await #expect(processExitsWith: .exitCode(0)) {
            for _ in 0..<3 { try await ProcessTests.openAndClose() }
            let before = ProcessTests.usage()
            for _ in 0..<20 { try await ProcessTests.openAndClose() }
            // Threads of libusb's end a little after their context.
            let deadline = ContinuousClock.now + .seconds(10)
            var after = ProcessTests.usage()
            while after.threads > before.threads + 1, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(20))
                after = ProcessTests.usage()
            }
            guard after.descriptors <= before.descriptors, after.threads <= before.threads + 1
            else {
                Swift.print("before \(before), after \(after)")
                exit(1)
            }
            exit(0)
        }
    }

    private static func openAndClose() async throws {
        try await Bench.with(.device) { _ in }
    }

    private static func usage() -> (threads: Int, descriptors: Int) {
        (entries(of: "/proc/self/task"), entries(of: "/proc/self/fd"))
    }

    private static func entries(of folder: String) -> Int {
        guard let listing = unsafe g_dir_open(folder, 0, nil) else { return -1 }
        defer { unsafe g_dir_close(listing) }
        var count = 0
        while unsafe g_dir_read_name(listing) != nil { count += 1 }
        return count
    }
}

extension Bench {
    fileprivate func verify(_ print: Print, times: Int) async throws {
        for _ in 0..<times {
            try await sensor.scan("whorl")
            guard case .match = try await run(.verify(print)).outcome else { exit(9) }
        }
    }
}
