internal import CWhorlFprint
internal import WhorlBiometrics
internal import WhorlGLib

/// The readers of one context: those found at first, and those that come and go later.
@LibfprintActor
final class ReaderRoster {
    private struct Entry {
        let device: Device
        let reader: LibfprintReader
    }

    private let context = Context()
    private let bounds: LibfprintBounds
    private let announce: @Sendable (ReaderChange) -> Void
    private var entries: [Entry] = []
    private var complaints: [String] = []

    /// Finds the readers.
    ///
    /// - Parameters:
    ///   - bounds: The bounds of the readers' operations.
    ///   - announce: Told of every reader that comes or goes.
    init(bounds: LibfprintBounds, announce: @escaping @Sendable (ReaderChange) -> Void) {
        self.bounds = bounds
        self.announce = announce
        unsafe context.observe(
            onAdded: { [weak self] in unsafe self?.add($0) },
            onRemoved: { [weak self] in unsafe self?.drop($0) })
        complaints = context.enumerate()
    }

    /// The readers that are plugged in, in the order in which they came.
    ///
    /// - Throws: Where there is none, but libfprint found one that it could not use:
    ///   ``AuthenticationError/notPermitted(_:)`` or ``AuthenticationError/readerUnavailable(_:)``.
    func readers() throws(AuthenticationError) -> [LibfprintReader] {
        let readers = entries.map(\.reader).filter { !$0.isUnplugged }
        if readers.isEmpty, let complaint = complaints.last {
            throw Self.error(ofUnusable: complaint)
        }
        return readers
    }

    private func add(_ pointer: UnsafeMutablePointer<FpDevice>) {
        let device = unsafe Device(retaining: pointer, of: context)
        let reader = LibfprintReader(device: device, bounds: bounds)
        device.observe { [announce, bounds, desk = device.desk] in
            guard desk.unplug(grace: bounds.cancellation) else { return }
            announce(.removed(desk.description))
        }
        entries.append(Entry(device: device, reader: reader))
        announce(.added(device.desk.description))
    }

    private func drop(_ pointer: UnsafeMutablePointer<FpDevice>) {
        entries.removeAll { unsafe $0.device.pointer == pointer }
    }

    // Drivers that ask the sensor who it is need its device node even to find it: where they may not,
    // libfprint passes the reader over, and says why in a log line only.
    private static func error(ofUnusable complaint: String) -> AuthenticationError {
        complaint.contains("insufficient permissions")
            ? .noDirectUse(domain: LibfprintMapping.usbErrorDomain, code: 9)
            : .readerUnavailable(.whorl(complaint))
    }
}
