internal import CWhorlOpenSSL
internal import WhorlSecrets

/// Owns the curve P-256 (`EC_GROUP`).
@safe
struct Curve: ~Copyable {
    let group: OpaquePointer

    init() throws(CryptoError) {
        guard let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else {
            throw libraryError()
        }
        unsafe self.group = group
    }

    deinit { unsafe EC_GROUP_free(group) }

    /// Whether the bytes are the one allowed form of a point of the curve other than infinity.
    func contains(uncompressed bytes: [UInt8]) throws(CryptoError) -> Bool {
        guard bytes.count == P256PublicKey.uncompressedCount, bytes[0] == 0x04 else { return false }
        let point = try Point(on: self)
        // Refuses coordinates beyond the field prime and points off the curve. The curve has
        // cofactor 1, so every point on it but infinity is of the right order.
        let result = unsafe EC_POINT_oct2point(group, point.point, bytes, bytes.count, nil)
        ERR_clear_error()
        return unsafe result == 1 && EC_POINT_is_at_infinity(group, point.point) == 0
    }

    /// Whether a big-endian number is from 1 to the order of the curve minus 1.
    func isScalar(_ bytes: borrowing SecretBytes) throws(CryptoError) -> Bool {
        guard bytes.count == P256PrivateKey.scalarCount else { return false }
        let number = try BigNumber(bytes)
        guard let order = unsafe EC_GROUP_get0_order(group) else { throw libraryError() }
        return unsafe BN_is_zero(number.number) == 0 && BN_cmp(number.number, order) < 0
    }

    /// The base point times a scalar, uncompressed.
    func publicPoint(ofScalar scalar: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
        let number = try BigNumber(scalar)
        let point = try Point(on: self)
        try unsafe check(EC_POINT_mul(group, point.point, number.number, nil, nil, nil))
        var bytes = [UInt8](repeating: 0, count: P256PublicKey.uncompressedCount)
        let written = unsafe EC_POINT_point2oct(
            group, point.point, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, nil)
        guard written == bytes.count else { throw libraryError() }
        return bytes
    }
}

/// Owns an `EC_POINT`.
@safe
private struct Point: ~Copyable {
    let point: OpaquePointer

    init(on curve: borrowing Curve) throws(CryptoError) {
        guard let point = unsafe EC_POINT_new(curve.group) else { throw libraryError() }
        unsafe self.point = point
    }

    deinit { unsafe EC_POINT_clear_free(point) }
}

/// Owns a secret `BIGNUM`, which is used in constant time and wiped when it is freed.
@safe
private struct BigNumber: ~Copyable {
    let number: OpaquePointer

    init(_ bytes: borrowing SecretBytes) throws(CryptoError) {
        guard let number = unsafe BN_secure_new() else { throw libraryError() }
        unsafe BN_set_flags(number, BN_FLG_CONSTTIME)
        let result = unsafe bytes.withUnsafeBytes { bytes in
            unsafe BN_bin2bn(
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), CInt(bytes.count), number)
        }
        guard unsafe result != nil else {
            unsafe BN_clear_free(number)
            throw libraryError()
        }
        unsafe self.number = number
    }

    deinit { unsafe BN_clear_free(number) }
}
