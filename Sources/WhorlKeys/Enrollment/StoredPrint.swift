public import WhorlBiometrics

/// What may be known of a stored print without decrypting it.
public struct StoredPrint: Sendable, Hashable {
    /// Which print it is.
    public let id: PrintID
    /// The finger that it is of.
    public let finger: Finger
    /// The reader that it was made on, with the port.
    public let reader: ReaderIdentity
    /// When it was made, in seconds since 1970.
    public let enrolled: Int64
    /// Whether that reader was simulated.
    public let isSimulated: Bool
    /// Whether the template is on the reader's chip, and the store only names it.
    public let isStoredOnChip: Bool

    /// The bytes that are authenticated with the print of a subject.
    func canonical(vaultID: [UInt8], subject: Subject) -> CanonicalBytes {
        var bytes = CanonicalBytes("whorl/print/1")
        bytes.append(vaultID)
        bytes.append(subject.name)
        bytes.append(id.bytes)
        bytes.append(finger.rawValue)
        bytes.append(reader.driver)
        bytes.append(reader.deviceID)
        let port = StoredPort(reader.port)
        bytes.append(port.kind)
        bytes.append(port.path)
        bytes.append(port.removable)
        bytes.append(enrolled)
        bytes.append(isSimulated)
        bytes.append(isStoredOnChip)
        return bytes
    }
}
