public import WhorlBiometrics

/// One step of what a scripted reader does when it is told something.
public enum ScriptedStep: Sendable {
    /// The reader reports this; not `ReaderEvent.ended(_:)`, which is ``end(_:)``.
    case event(ReaderEvent)
    /// The reader stands still until the gate is opened. A cancel is obeyed here.
    case hold(ScriptGate)
    /// From here on the driver does not obey a cancel: one that comes ends in
    /// `AuthenticationError.readerStillFinishing(_:)`, and the reader is not free before the script
    /// is at its end.
    case ignoreCancel
    /// The operation is over.
    case end(ReaderOutcome)
    /// The stream ends without its last event, as when a reader's process dies.
    case fallSilent
}

/// A touch of a scripted reader's sensor.
public enum ScriptedTouch: Sendable, Hashable {
    /// A good capture of the finger with this name.
    case finger(String)
    /// A bad capture.
    case bad(CaptureHint)
    /// The operation fails.
    case fault(AuthenticationError)
}
