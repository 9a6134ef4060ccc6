import Glibc
import Testing
import WhorlDatabase

private actor Store {
    private let thread: DatabaseThread
    private var database: Database?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe thread.asUnownedSerialExecutor()
    }

    init(on thread: DatabaseThread) { self.thread = thread }

    func open(_ folder: TemporaryFolder) throws {
        let database = try folder.database()
        try database.migrate([noteSchema])
        self.database = database
    }

    func add(_ text: String) throws -> Int64? {
        try database?.run("INSERT INTO note (text) VALUES (?)", .text(text))
        return try database?.count(of: "note")
    }

    func place() -> Place {
        thread.checkIsolated()
        assertIsolated()
        var mask = sigset_t()
        unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
        return Place(
            thread: UInt(pthread_self()),
            name: threadName("/proc/thread-self"),
            blocksSignals: unsafe sigismember(&mask, SIGTERM) == 1)
    }

    func hop(to other: Store) async -> Bool {
        let before = UInt(pthread_self())
        let there = await other.place().thread
        return UInt(pthread_self()) == before && there != before
    }
}

private struct Place: Equatable {
    let thread: UInt
    let name: String
    let blocksSignals: Bool
}

struct DatabaseThreadTests {
    @Test func allWorkOfAnActorIsOnItsThread() async throws {
        let store = try Store(on: DatabaseThread(name: "whorl-test-one"))
        let first = await store.place()
        await Task.yield()
        let second = await Task.detached { await store.place() }.value
        #expect(first == second)
        #expect(first.name == "whorl-test-one")
        #expect(first.blocksSignals)
    }

    @Test func twoActorsMayShareAThread() async throws {
        let thread = try DatabaseThread()
        let one = Store(on: thread)
        let other = Store(on: thread)
        let places = await (one.place(), other.place())
        #expect(places.0 == places.1)
    }

    @Test func anActorComesBackToItsThreadAfterWaiting() async throws {
        let one = try Store(on: DatabaseThread())
        let other = try Store(on: DatabaseThread())
        #expect(await one.hop(to: other))
    }

    @Test func aDatabaseIsUsedThereByManyTasks() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(on: DatabaseThread())
        try await store.open(folder)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask { _ = try await store.add("\(number)") }
            }
            try await group.waitForAll()
        }
        #expect(try await store.add("last") == 51)
    }

    @Test func aThreadEndsWithItsLastActor() async throws {
        for _ in 0..<20 {
            let store = try Store(on: DatabaseThread(name: "whorl-test-gone"))
            _ = await store.place()
        }
        _ = try DatabaseThread(name: "whorl-test-gone")
        #expect(await comesTrueSoon { threadNames().allSatisfy { $0 != "whorl-test-gone" } })
    }

    @Test func aThreadThatIsInUseStays() async throws {
        let store = try Store(on: DatabaseThread(name: "whorl-test-stay"))
        _ = await store.place()
        #expect(threadNames().contains("whorl-test-stay"))
        _ = await store.place()
    }

    @Test func anotherThreadIsNotIsolated() async throws {
        let thread = try DatabaseThread()
        #expect(thread.isIsolatingCurrentContext() == false)
        await #expect(processExitsWith: .failure) {
            try DatabaseThread().checkIsolated()
        }
    }
}

private func comesTrueSoon(_ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < deadline {
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(10))
    }
    return condition()
}

private func threadNames() -> [String] {
    guard let listing = unsafe opendir("/proc/self/task") else { return [] }
    defer { unsafe closedir(listing) }
    var names: [String] = []
    while let entry = unsafe readdir(listing) {
        let id = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
            unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                unsafe String(cString: name)
            }
        }
        names.append(threadName("/proc/self/task/\(id)"))
    }
    return names
}

private func threadName(_ folder: String) -> String {
    // A thread may end between the listing and this.
    let name = readableContents(of: folder + "/comm") ?? []
    return String(decoding: name.dropLast(), as: UTF8.self)
}
