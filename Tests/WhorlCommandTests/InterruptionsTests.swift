import Synchronization
import Testing
import WhorlAuthentication

@testable import WhorlCommand

struct InterruptionsTests {
    private final class Heard: Sendable {
        let all = Mutex<[Interruption]>([])
        func hear(_ interruption: Interruption) { all.withLock { $0.append(interruption) } }
        var list: [Interruption] { all.withLock { $0 } }
    }

    @Test func whatIsNotHeldDies() {
        let interruptions = Interruptions()
        #expect(!interruptions.receive(2, .person))
        interruptions.hold(true)
        interruptions.hold(false)
        #expect(!interruptions.receive(2, .person))
        #expect(interruptions.received == nil)
    }

    @Test func whatIsHeldIsToldAndGoesOn() {
        let interruptions = Interruptions()
        let heard = Heard()
        interruptions.hold(true)
        _ = interruptions.onInterruption(heard.hear)
        #expect(interruptions.receive(15, .system))
        #expect(heard.list == [.system])
        #expect(interruptions.received == 15)
    }

    @Test func theSecondSignalKills() {
        let interruptions = Interruptions()
        interruptions.hold(true)
        #expect(interruptions.receive(2, .person))
        #expect(!interruptions.receive(2, .person))
        #expect(!interruptions.receive(15, .system))
        #expect(interruptions.received == 2)
    }

    @Test func whoComesLaterHearsOfItToo() {
        let interruptions = Interruptions()
        let heard = Heard()
        interruptions.hold(true)
        _ = interruptions.receive(2, .person)
        _ = interruptions.onInterruption(heard.hear)
        #expect(heard.list == [.person])
    }

    @Test func whoLeftHearsNothing() {
        let interruptions = Interruptions()
        let heard = Heard()
        interruptions.hold(true)
        interruptions.remove(interruptions.onInterruption(heard.hear))
        _ = interruptions.receive(2, .person)
        #expect(heard.list.isEmpty)
    }
}
