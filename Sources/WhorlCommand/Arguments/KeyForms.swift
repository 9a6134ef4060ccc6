/// How a signature is written.
enum SignatureForm: String, CaseIterable, Sendable {
    /// `ECDSA-Sig-Value`, as `openssl dgst` takes it.
    case der
    /// r ‖ s, 64 bytes.
    case raw
    /// A signature of a file as `ssh-keygen -Y` has it.
    case ssh
    /// A JSON Web Signature in its compact form.
    case jws
}

/// How a public half is written.
enum PublicKeyForm: String, CaseIterable, Sendable {
    /// `SubjectPublicKeyInfo`, as `openssl` takes it.
    case pem
    /// A line of `authorized_keys`.
    case ssh
    /// A JSON Web Key.
    case jwk
}
