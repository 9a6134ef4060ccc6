internal import Glibc
internal import Synchronization
internal import WhorlKit

/// A thread that is told of the signals which end or stop a program, so that the terminal is put
/// back and a request cancelled first.
///
/// The signals are caught and not blocked: a program with an asynchronous main function parks its
/// first thread in `sigsuspend` with every signal open, which would take them from `sigwait`.
struct SignalWatch: Sendable {
    /// How long a cancelled request may take to end before the program dies anyway, in milliseconds:
    /// longer than a reader that ignores its cancellation is waited for.
    private static let patience: CInt = 12_000

    private let interruptions: Interruptions
    private let modes: TerminalModes?
    // Where a handler writes the signal's number, and where the thread reads it.
    private let pipe: (readEnd: CInt, writeEnd: CInt)

    /// Catches the signals of this process from now on.
    ///
    /// What was ignored before, as `SIGHUP` under `nohup`, stays ignored. Without a pipe or a thread
    /// the signals do what they always did. The corresponding C function is `sigaction`.
    ///
    /// - Parameters:
    ///   - interruptions: Told of the signals.
    ///   - modes: Put back before the program dies or stops.
    static func start(_ interruptions: Interruptions, modes: TerminalModes?) {
        var ends: [CInt] = [-1, -1]
        guard unsafe Glibc.pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let watch = SignalWatch(
            interruptions: interruptions, modes: modes, pipe: (ends[0], ends[1]))
        guard watch.startThread() else { return }
        caughtSignals.store(watch.pipe.writeEnd, ordering: .releasing)
        for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP] { catchSignal(number) }
    }

    private final class Box {
        let watch: SignalWatch
        init(_ watch: SignalWatch) { self.watch = watch }
    }

    private func startThread() -> Bool {
        let box = unsafe Unmanaged.passRetained(Box(self))
        var thread = pthread_t()
        let failure = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().watch.run()
                return nil
            }, box.toOpaque())
        guard failure == 0 else {
            unsafe box.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    // MARK: On the thread

    private func run() {
        while true {
            var ready = pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0)
            let received = interruptions.received
            let count = unsafe poll(&ready, 1, received == nil ? -1 : Self.patience)
            if count == 0, let received { die(of: received) }
            var byte: UInt8 = 0
            if count > 0, unsafe read(pipe.readEnd, &byte, 1) == 1 { take(CInt(byte)) }
        }
    }

    private func take(_ number: CInt) {
        if number == SIGTSTP {
            modes?.suspend()
            // To this thread, which so does not get past it before the program is stopped.
            raise(SIGSTOP)
            modes?.resume()
            return
        }
        let isPerson = number == SIGINT || number == SIGQUIT
        guard !interruptions.receive(number, isPerson ? .person : .system) else { return }
        die(of: interruptions.received ?? number)
    }

    private func die(of number: CInt) -> Never {
        modes?.restore()
        Self.die(of: number)
    }

    // MARK: Signals

    /// Ends the program by a signal, as if nobody had caught it: so the shell knows.
    static func die(of number: CInt) -> Never {
        _ = signal(number, SIG_DFL)
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        // Only reached by a signal that ends nobody.
        exit(128 + number)
    }

    private static func catchSignal(_ number: CInt) {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0, !isIgnored(action) else { return }
        action = sigaction()
        action.sa_flags = SA_RESTART
        unsafe action.__sigaction_handler.sa_handler = noteSignal
        unsafe sigaction(number, &action, nil)
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}

// The pipe of the one watch of this process; -1 before there is one.
private let caughtSignals = Atomic<CInt>(-1)

// A signal handler: nothing but an atomic load and one write(2), and errno is left as it was.
private func noteSignal(_ number: CInt) {
    let before = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = unsafe write(caughtSignals.load(ordering: .acquiring), &byte, 1)
    errno = before
}
