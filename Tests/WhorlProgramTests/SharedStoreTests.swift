import Glibc
import Testing
import WhorlSensorLab

/// Several processes on one store.
@Suite(.timeLimit(.minutes(5)))
struct SharedStoreTests {
    @Test(.bug(id: "15"))
    func aSecondRequestWaitsForTheFirstAndThenGivesUp() async throws {
        try await Bench.with(store: .holding) { bench in
            let first = try bench.start(["vault", "get", "github"])
            try await first.says("Swipe")
            let second = try await bench.whorl("vault", "get", "github")
            expect(second, 75, saying: "another request")
            #expect(!second.errors.contains("Swipe"), "nothing may be armed: \(second)")
            // The touch is the first one's, and opens once.
            try await bench.sensor.scan("f1")
            let run = await Bench.result(of: first)
            expect(run, 0)
            #expect(run.text == PreparedStores.secret)
        }
    }

    @Test func aSecondRequestGoesOnWhenTheFirstHasEnded() async throws {
        try await Bench.with(store: .holding) { bench in
            let first = try bench.start(["vault", "get", "github"])
            try await first.says("Swipe")
            let second = try bench.start(["vault", "get", "github"])
            try await second.says("working in this process")
            first.send(SIGINT)
            _ = await first.end()
            try await second.says("Swipe")
            try await bench.sensor.scan("f1")
            expect(await Bench.result(of: second), 0)
        }
    }

    @Test func aRequestThatWasKilledKeepsNobodyWaiting() async throws {
        try await Bench.with(store: .holding) { bench in
            let first = try bench.start(["vault", "get", "github"])
            try await first.says("Swipe")
            let second = try bench.start(["vault", "get", "github"])
            try await second.says("working in this process")
            first.send(SIGKILL)
            _ = await first.end()
            try await second.says("Swipe")
            try await bench.sensor.scan("f1")
            expect(await Bench.result(of: second), 0)
        }
    }

    @Test func whatNeedsNoTouchWaitsForNoRequest() async throws {
        try await Bench.with(store: .holding) { bench in
            let first = try bench.start(["vault", "get", "github"])
            try await first.says("Swipe")
            expect(try await bench.whorl("status"), 0)
            expect(try await bench.whorl("vault", "list"), 0)
            expect(try await bench.whorl("vault", "info", "github"), 0)
            expect(try await bench.whorl("vault", "put", "other", manner: .input("x")), 0)
            #expect(first.ending == nil)
            first.send(SIGINT)
            _ = await first.end()
        }
    }

    @Test func putsAtTheSameTimeAllArrive() async throws {
        try await Bench.with(store: .enrolled) { bench in
            let children = try (0..<12).map { number in
                try bench.start(["vault", "put", "key\(number)"], .input("secret \(number)"))
            }
            for child in children { expect(await Bench.result(of: child), 0) }
            let list = try await bench.whorl("vault", "list", "--json").object()
            #expect(list["keys"]?.array?.count == 12)
            for number in [0, 5, 11] {
                let run = try await bench.whorl(
                    "vault", "get", "key\(number)", touching: ["f1"])
                expect(run, 0)
                #expect(run.text == "secret \(number)")
            }
        }
    }

    @Test func ofPutsOfOneNameAtTheSameTimeOneWins() async throws {
        try await Bench.with(store: .enrolled) { bench in
            let children = try (0..<8).map { number in
                try bench.start(["vault", "put", "same"], .input("secret \(number)"))
            }
            var winners: [Int] = []
            for (number, child) in children.enumerated() {
                let run = await Bench.result(of: child)
                if run.status == 0 { winners.append(number) } else { expect(run, 73) }
            }
            try #require(winners.count == 1)
            let run = try await bench.whorl("vault", "get", "same", touching: ["f1"])
            #expect(run.text == "secret \(winners[0])")
        }
    }

    @Test func setupsAtTheSameTimeMakeOneStore() async throws {
        try await Bench.with { bench in
            let children = try (0..<4).map { number in
                try bench.start(
                    ["setup", "--accept-consent", "--recovery-out", bench.path("key\(number)")],
                    Bench.Manner(pin: "horse number \(number)"))
            }
            var winners: [Int] = []
            for (number, child) in children.enumerated() {
                let run = await Bench.result(of: child)
                if run.status == 0 {
                    winners.append(number)
                } else {
                    #expect([65, 75].contains(run.status), "\(run)")
                    // A recovery key that belongs to no store would be worse than none.
                    #expect(!bench.exists(bench.path("key\(number)")), "\(run)")
                }
            }
            try #require(winners.count == 1)
            let pin = Bench.Manner(pin: "horse number \(winners[0])")
            expect(try await bench.whorl("unlock", manner: pin), 0)
        }
    }

    @Test func twoRequestsAndOneTouchOpenOnce() async throws {
        try await Bench.with(store: .holding) { bench in
            let children = try (0..<2).map { _ in
                try bench.start(["vault", "get", "github", "--timeout", "2"])
            }
            try await bench.sensor.scan("f1")
            var opened = 0
            for child in children {
                let run = await Bench.result(of: child)
                if run.status == 0 { opened += 1 } else { expect(run, 5) }
                #expect((run.status == 0) == (run.text == PreparedStores.secret))
            }
            #expect(opened == 1)
        }
    }
}
