import Glibc

/// What libFuzzer calls, whose main this program has; `WHORL_FUZZ` names the target.
@c(LLVMFuzzerTestOneInput)
public func examineOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    target.examine(bytes)
    return 0
}

private let target: FuzzTarget = {
    let name = unsafe getenv("WHORL_FUZZ").map { unsafe String(cString: $0) } ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
        print("WHORL_FUZZ must be one of \(names)")
        exit(64)
    }
    return target
}()
