/// Whose turn it is: one request at a time, in the order in which they came.
///
/// Lives inside the authenticator's isolation; a waiter that is cancelled leaves the line.
struct RequestQueue {
    struct Ticket: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct Waiter {
        let ticket: Ticket
        let continuation: CheckedContinuation<Bool, Never>
    }

    /// Whose turn it is; nil for nobody's.
    private(set) var holder: Ticket?
    private var waiters: [Waiter] = []
    private var nextNumber = 0

    /// Draws a ticket.
    mutating func draw() -> Ticket {
        nextNumber += 1
        return Ticket(number: nextNumber)
    }

    /// Takes the turn if nobody has it.
    mutating func takeTurn(_ ticket: Ticket) -> Bool {
        guard holder == nil, waiters.isEmpty else { return false }
        holder = ticket
        return true
    }

    /// The tickets of those who wait, in line.
    var waitingTickets: [Ticket] { waiters.map(\.ticket) }

    /// How many are before a new waiter, the one whose turn it is included.
    var length: Int { waiters.count + (holder == nil ? 0 : 1) }

    /// Waits; the continuation gives true when it is the waiter's turn, false when it left.
    mutating func wait(_ ticket: Ticket, _ continuation: CheckedContinuation<Bool, Never>) {
        waiters.append(Waiter(ticket: ticket, continuation: continuation))
    }

    /// Leaves the line, if it still waits.
    mutating func leave(_ ticket: Ticket) {
        guard let index = waiters.firstIndex(where: { $0.ticket == ticket }) else { return }
        waiters.remove(at: index).continuation.resume(returning: false)
    }

    /// Ends a turn and gives it to the next.
    mutating func endTurn(_ ticket: Ticket) {
        guard holder == ticket else { return }
        holder = nil
        guard !waiters.isEmpty else { return }
        let next = waiters.removeFirst()
        holder = next.ticket
        next.continuation.resume(returning: true)
    }
}
