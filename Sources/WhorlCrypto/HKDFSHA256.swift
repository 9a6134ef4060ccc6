internal import CWhorlOpenSSL
public import WhorlSecrets

/// HKDF with SHA-256, RFC 5869: extract and expand in one.
public enum HKDFSHA256 {
    /// The most bytes that one derivation can give.
    public static let maximumCount = 255 * 32

    /// Derives a secret from another.
    ///
    /// The corresponding C function is `EVP_KDF_derive`.
    ///
    /// - Parameters:
    ///   - keyMaterial: The secret to derive from, at least one byte.
    ///   - salt: A value that need not be secret; empty for none.
    ///   - info: What the derived secret is for. Different purposes must differ here.
    ///   - count: The number of bytes to derive, 1 to ``maximumCount``.
    /// - Returns: The derived secret.
    /// - Throws: ``CryptoError/badKey`` for an empty secret, ``CryptoError/badParameters`` for a
    ///   count out of range, ``CryptoError/memory(_:)``, ``CryptoError/library(code:)``.
    public static func deriveKey(
        from keyMaterial: borrowing SecretBytes, salt: [UInt8] = [], info: [UInt8], count: Int = 32
    ) throws(CryptoError) -> SecretBytes {
        guard !keyMaterial.isEmpty else { throw .badKey }
        guard (1...maximumCount).contains(count) else { throw .badParameters }
        let derivation = try KeyDerivation()
        var derived = try zeroedSecret(count: count)
        let result = unsafe derived.withUnsafeMutableBytes { derived in
            unsafe keyMaterial.withUnsafeBytes { key in
                unsafe salt.withUnsafeBytes { salt in
                    unsafe info.withUnsafeBytes { info in
                        unsafe derivation.derive(into: derived, key: key, salt: salt, info: info)
                    }
                }
            }
        }
        try check(result)
        return derived
    }
}

/// Owns an `EVP_KDF_CTX`, which wipes its copy of the key when it is freed.
@safe
private struct KeyDerivation: ~Copyable {
    private let context: OpaquePointer

    init() throws(CryptoError) {
        let algorithm = unsafe EVP_KDF_fetch(nil, "HKDF", nil)
        defer { unsafe EVP_KDF_free(algorithm) }
        guard let context = unsafe EVP_KDF_CTX_new(algorithm) else { throw libraryError() }
        unsafe self.context = context
    }

    deinit { unsafe EVP_KDF_CTX_free(context) }

    @unsafe
    func derive(
        into derived: UnsafeMutableRawBufferPointer, key: UnsafeRawBufferPointer,
        salt: UnsafeRawBufferPointer, info: UnsafeRawBufferPointer
    ) -> CInt {
        var parameters = unsafe [
            parameter("digest", text: "SHA256"),
            parameter("key", octets: key),
        ]
        // OpenSSL takes "no salt" and "no info", but not a null pointer for either.
        if unsafe !salt.isEmpty { unsafe parameters.append(parameter("salt", octets: salt)) }
        if unsafe !info.isEmpty { unsafe parameters.append(parameter("info", octets: info)) }
        unsafe parameters.append(OSSL_PARAM_construct_end())
        return unsafe EVP_KDF_derive(
            context, derived.baseAddress?.assumingMemoryBound(to: UInt8.self), derived.count,
            parameters)
    }
}
