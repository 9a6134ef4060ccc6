internal import CWhorlOpenSSL
internal import WhorlSecrets

/// Owns an `EVP_PKEY` on P-256.
///
/// While it lives OpenSSL holds a copy of the scalar in memory of its own, which is wiped when it is
/// freed but not locked; so it is made for one operation and dropped.
@safe
struct EVPKey: ~Copyable {
    let key: OpaquePointer

    init(_ publicKey: P256PublicKey) throws(CryptoError) {
        try unsafe self.init(publicKey, scalarPointer: nil)
    }

    init(_ privateKey: borrowing P256PrivateKey) throws(CryptoError) {
        // OSSL_PARAM takes numbers in the byte order of the machine; the scalar is big-endian.
        var native = try zeroedSecret(count: P256PrivateKey.scalarCount)
        unsafe native.withUnsafeMutableBytes { native in
            unsafe privateKey.scalar.withUnsafeBytes { scalar in
                for index in 0..<scalar.count {
                    let last = scalar.count - 1 - index
                    unsafe native[index] = scalar[1.littleEndian == 1 ? last : index]
                }
            }
        }
        // Returned and not assigned inside: `self` cannot be initialised in a closure.
        let publicKey = privateKey.publicKey
        self = try unsafe native.withUnsafeMutableBytes { (native) throws(CryptoError) in
            try unsafe EVPKey(publicKey, scalarPointer: native)
        }
    }

    private init(
        _ publicKey: P256PublicKey, scalarPointer: UnsafeMutableRawBufferPointer?
    ) throws(CryptoError) {
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        try unsafe check(EVP_PKEY_fromdata_init(context))
        var key: OpaquePointer?
        let result = unsafe publicKey.uncompressed.withUnsafeBytes { point in
            var parameters = unsafe [
                parameter("group", text: "prime256v1"),
                parameter("pub", octets: point),
            ]
            if let scalar = unsafe scalarPointer {
                unsafe parameters.append(
                    OSSL_PARAM_construct_BN(
                        cString("priv"), scalar.baseAddress?.assumingMemoryBound(to: UInt8.self),
                        scalar.count))
            }
            unsafe parameters.append(OSSL_PARAM_construct_end())
            let selection =
                unsafe scalarPointer == nil
                ? cwhorl_evp_pkey_public_key : cwhorl_evp_pkey_keypair
            return unsafe EVP_PKEY_fromdata(context, &key, selection, &parameters)
        }
        guard result == 1, let key = unsafe key else { throw libraryError() }
        unsafe self.key = key
    }

    deinit { unsafe EVP_PKEY_free(key) }
}

/// Owns an `EVP_PKEY_CTX`: one operation with one key.
@safe
struct EVPKeyOperation: ~Copyable {
    let context: OpaquePointer

    init(with key: borrowing EVPKey) throws(CryptoError) {
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key.key, nil) else {
            throw libraryError()
        }
        unsafe self.context = context
    }

    deinit { unsafe EVP_PKEY_CTX_free(context) }
}
