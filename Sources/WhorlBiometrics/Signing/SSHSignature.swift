/// A signature of a file as OpenSSH has it: `PROTOCOL.sshsig`, which `ssh-keygen -Y verify` reads.
///
/// What is signed is no message but a few fields with the message's digest among them, so that it can
/// be taken for nothing else.
public struct SSHSignature: Sendable, Hashable {
    /// The most bytes of a namespace.
    public static let maximumNamespaceLength = 255

    /// What the signature is for, so that one for mail is none for a commit: `file`, `git`.
    public let namespace: String
    /// The SHA-256 digest of the message.
    private let digest: [UInt8]
    private let publicKey: SigningPublicKey

    private static let preamble = Array("SSHSIG".utf8)
    private static let version: UInt32 = 1
    private static let hash = "sha256"
    private static let lineLength = 70

    /// Prepares a signature; nil for a digest or a namespace that is none.
    ///
    /// - Parameters:
    ///   - digest: The SHA-256 digest of the message, 32 bytes.
    ///   - namespace: What it is for, 1 to 255 visible characters of ASCII.
    ///   - publicKey: The public half of the key that will sign.
    public init?(ofDigest digest: [UInt8], namespace: String, publicKey: SigningPublicKey) {
        guard digest.count == 32, Self.isNamespace(namespace) else { return nil }
        self.namespace = namespace
        self.digest = digest
        self.publicKey = publicKey
    }

    /// Whether a text may be a namespace.
    public static func isNamespace(_ text: String) -> Bool {
        (1...maximumNamespaceLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// The message that the key is to sign.
    public var signedMessage: [UInt8] {
        var wire = SSHWire()
        wire.append(raw: Self.preamble)
        wire.append(namespace)
        wire.append("")
        wire.append(Self.hash)
        wire.append(digest)
        return wire.bytes
    }

    /// The file that holds the signature.
    ///
    /// - Parameter signature: What the key made of ``signedMessage``.
    /// - Returns: Lines; the last one without its end.
    public func armored(_ signature: SigningSignature) -> String {
        let text = Array(Base64.standard(blob(signature)).utf8)
        let lines = stride(from: 0, to: text.count, by: Self.lineLength).map { start in
            String(decoding: text[start..<min(start + Self.lineLength, text.count)], as: UTF8.self)
        }
        return
            (["-----BEGIN SSH SIGNATURE-----"] + lines + ["-----END SSH SIGNATURE-----"])
            .joined(separator: "\n")
    }

    private func blob(_ signature: SigningSignature) -> [UInt8] {
        var numbers = SSHWire()
        numbers.append(number: Array(signature.raw[..<32]))
        numbers.append(number: Array(signature.raw[32...]))
        var inner = SSHWire()
        inner.append(SigningPublicKey.sshAlgorithm)
        inner.append(numbers.bytes)
        var outer = SSHWire()
        outer.append(raw: Self.preamble)
        outer.append(Self.version)
        outer.append(publicKey.sshBlob)
        outer.append(namespace)
        outer.append("")
        outer.append(Self.hash)
        outer.append(inner.bytes)
        return outer.bytes
    }
}
