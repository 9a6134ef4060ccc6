internal import Synchronization

/// Touches libfprint's `virtual_device` or `virtual_device_storage`.
public struct VirtualDeviceOperator: Operator {
    private let controller: VirtualDeviceController

    /// Makes an operator of the reader that the controller speaks to.
    public init(_ controller: VirtualDeviceController) { self.controller = controller }

    /// It can unplug the reader, but libfprint cannot plug it in again.
    public var abilities: Set<OperatorAbility> { [.unplug] }

    /// Scans a finger; each has an id of its own.
    public func present(_ finger: PresentedFinger) async throws(OperatorError) {
        try await tell { () async throws(VirtualReaderError) in
            try await controller.scan("conformance-\(finger.rawValue)")
        }
    }

    /// Nothing: a scan is over when it is done.
    public func lift() async throws(OperatorError) {}

    /// Pulls the reader out.
    public func unplug() async throws(OperatorError) {
        try await tell { () async throws(VirtualReaderError) in try await controller.unplug() }
    }

    /// Fails.
    public func replug() async throws(OperatorError) {
        throw OperatorError("libfprint cannot plug a virtual reader in again")
    }

    /// Fails.
    public func suspend() async throws(OperatorError) {
        throw OperatorError("a virtual reader has no machine to send to sleep")
    }
}

/// Touches libfprint's `virtual_image` with ridges that nobody has.
public struct VirtualImageOperator: Operator {
    private let controller: VirtualImageController
    private let touches = TouchCounter()
    private let first = RidgePicture(finger: 1)
    private let second = RidgePicture(finger: 2)

    /// Makes an operator of the reader that the controller speaks to.
    public init(_ controller: VirtualImageController) { self.controller = controller }

    /// It can unplug the reader, but libfprint cannot plug it in again.
    public var abilities: Set<OperatorAbility> { [.unplug] }

    /// Shows the next touch of a finger; no two are alike.
    public func present(_ finger: PresentedFinger) async throws(OperatorError) {
        let picture = (finger == .first ? first : second).touch(touches.next())
        try await tell { () async throws(VirtualReaderError) in
            try await controller.present(picture)
        }
    }

    /// Nothing: the finger goes with its picture.
    public func lift() async throws(OperatorError) {}

    /// Pulls the reader out.
    public func unplug() async throws(OperatorError) {
        try await tell { () async throws(VirtualReaderError) in try await controller.unplug() }
    }

    /// Fails.
    public func replug() async throws(OperatorError) {
        throw OperatorError("libfprint cannot plug a virtual reader in again")
    }

    /// Fails.
    public func suspend() async throws(OperatorError) {
        throw OperatorError("a virtual reader has no machine to send to sleep")
    }
}

// The generator was vetted with ten touches a finger.
private final class TouchCounter: Sendable {
    private let count = Atomic<Int>(0)
    func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue % 10 }
}

private func tell(
    _ body: () async throws(VirtualReaderError) -> Void
) async throws(OperatorError) {
    do throws(VirtualReaderError) {
        try await body()
    } catch {
        throw OperatorError(error.message)
    }
}
