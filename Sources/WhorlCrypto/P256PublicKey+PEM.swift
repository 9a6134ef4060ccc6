internal import CWhorlOpenSSL

extension P256PublicKey {
    /// The key as `SubjectPublicKeyInfo` in PEM (RFC 5480, RFC 7468), as most programs take it.
    ///
    /// The corresponding C function is `PEM_write_bio_PUBKEY`.
    ///
    /// - Returns: Three or more lines, each with its end.
    /// - Throws: ``CryptoError/library(code:)``.
    public func pem() throws(CryptoError) -> String {
        let key = try EVPKey(self)
        let memory = try MemoryBIO()
        try unsafe check(PEM_write_bio_PUBKEY(memory.bio, key.key))
        return String(decoding: try memory.contents(), as: UTF8.self)
    }
}

/// Owns a `BIO` that keeps what is written to it.
@safe
private struct MemoryBIO: ~Copyable {
    let bio: OpaquePointer

    init() throws(CryptoError) {
        guard let bio = unsafe BIO_new(BIO_s_mem()) else { throw libraryError() }
        unsafe self.bio = bio
    }

    deinit { unsafe BIO_free(bio) }

    func contents() throws(CryptoError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: unsafe BIO_ctrl_pending(bio))
        var read = 0
        try unsafe check(BIO_read_ex(bio, &bytes, bytes.count, &read))
        guard read == bytes.count else { throw libraryError() }
        return bytes
    }
}
