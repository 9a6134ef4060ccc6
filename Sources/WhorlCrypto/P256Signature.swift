internal import CWhorlOpenSSL

/// An ECDSA signature on P-256: two numbers, r and s.
public struct P256Signature: Hashable, Sendable {
    /// The number of bytes of the raw form.
    public static let rawCount = 64

    /// The raw form: r ‖ s, 32 big-endian bytes each, as in JWS (RFC 7518, 3.4).
    public let raw: [UInt8]

    /// The DER form of `ECDSA-Sig-Value` (RFC 3279, 2.2.3), 8 to 72 bytes.
    public let der: [UInt8]

    /// Takes the raw form.
    ///
    /// - Parameter raw: r ‖ s, 64 bytes. Whether the numbers are in range shows when verifying.
    /// - Throws: ``CryptoError/badParameters`` for another size, ``CryptoError/library(code:)``.
    public init(raw: [UInt8]) throws(CryptoError) {
        guard raw.count == Self.rawCount else { throw .badParameters }
        let value = try SignatureValue(raw: raw)
        der = try value.der()
        self.raw = raw
    }

    /// Takes the DER form, and only it: BER variants are refused.
    ///
    /// The corresponding C function is `d2i_ECDSA_SIG`.
    ///
    /// - Parameter der: An `ECDSA-Sig-Value`.
    /// - Throws: ``CryptoError/badParameters`` if it is none, ``CryptoError/library(code:)``.
    public init(der: [UInt8]) throws(CryptoError) {
        let value = try SignatureValue(der: der)
        guard try value.der() == der else { throw .badParameters }
        raw = try value.raw()
        self.der = der
    }
}

/// Owns an `ECDSA_SIG`.
@safe
private struct SignatureValue: ~Copyable {
    private let signature: OpaquePointer

    init(raw: [UInt8]) throws(CryptoError) {
        let half = P256Signature.rawCount / 2
        let r = unsafe BN_bin2bn(Array(raw[..<half]), CInt(half), nil)
        let s = unsafe BN_bin2bn(Array(raw[half...]), CInt(half), nil)
        let signature = unsafe ECDSA_SIG_new()
        guard let signature = unsafe signature, unsafe ECDSA_SIG_set0(signature, r, s) == 1 else {
            unsafe BN_free(r)
            unsafe BN_free(s)
            unsafe ECDSA_SIG_free(signature)
            throw libraryError()
        }
        unsafe self.signature = signature
    }

    init(der: [UInt8]) throws(CryptoError) {
        let signature = unsafe der.withUnsafeBytes { bytes in
            var cursor = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return unsafe d2i_ECDSA_SIG(nil, &cursor, bytes.count)
        }
        guard let signature = unsafe signature else {
            ERR_clear_error()
            throw .badParameters
        }
        unsafe self.signature = signature
    }

    deinit { unsafe ECDSA_SIG_free(signature) }

    func raw() throws(CryptoError) -> [UInt8] {
        let half = CInt(P256Signature.rawCount / 2)
        var r = [UInt8](repeating: 0, count: Int(half))
        var s = r
        let negative =
            unsafe BN_is_negative(ECDSA_SIG_get0_r(signature)) != 0
            || BN_is_negative(ECDSA_SIG_get0_s(signature)) != 0
        guard !negative,
            unsafe BN_bn2binpad(ECDSA_SIG_get0_r(signature), &r, half) == half,
            unsafe BN_bn2binpad(ECDSA_SIG_get0_s(signature), &s, half) == half
        else {
            ERR_clear_error()
            throw .badParameters
        }
        return r + s
    }

    func der() throws(CryptoError) -> [UInt8] {
        let count = unsafe i2d_ECDSA_SIG(signature, nil)
        guard count > 0 else { throw libraryError() }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        let written = unsafe bytes.withUnsafeMutableBytes { bytes in
            var cursor = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return unsafe i2d_ECDSA_SIG(signature, &cursor)
        }
        guard written == count else { throw libraryError() }
        return bytes
    }
}
