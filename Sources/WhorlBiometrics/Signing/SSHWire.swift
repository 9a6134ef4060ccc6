/// Fields as SSH writes them, RFC 4251 section 5.
struct SSHWire {
    private(set) var bytes: [UInt8] = []

    /// A 32-bit number.
    mutating func append(_ number: UInt32) {
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// Bytes as they are, without their count.
    mutating func append(raw: [UInt8]) { bytes += raw }

    /// A `string`: its count, and its bytes.
    mutating func append(_ string: [UInt8]) {
        append(UInt32(string.count))
        bytes += string
    }

    /// A `string` of text.
    mutating func append(_ text: String) { append(Array(text.utf8)) }

    /// A number that is not negative as an `mpint`: no leading zero, but one where the top bit would
    /// make it negative.
    mutating func append(number: [UInt8]) {
        let digits = Array(number.drop { $0 == 0 })
        append((digits.first ?? 0) & 0x80 == 0 ? digits : [0] + digits)
    }
}

extension SigningPublicKey {
    static let sshAlgorithm = "ecdsa-sha2-nistp256"

    /// The key as SSH sends it, RFC 5656 section 3.1.
    public var sshBlob: [UInt8] {
        var wire = SSHWire()
        wire.append(Self.sshAlgorithm)
        wire.append("nistp256")
        wire.append(uncompressed)
        return wire.bytes
    }

    /// The key as a line of `authorized_keys`, without its end.
    ///
    /// - Parameter comment: What stands behind it for people; on one line, as names of keys are.
    /// - Returns: Algorithm, key and comment.
    public func sshLine(comment: KeyName) -> String {
        "\(Self.sshAlgorithm) \(Base64.standard(sshBlob)) \(comment)"
    }
}
