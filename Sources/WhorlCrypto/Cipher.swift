internal import CWhorlOpenSSL
internal import WhorlSecrets

/// Owns an `EVP_CIPHER_CTX` for one AES-256-GCM message; freeing it wipes the key schedule.
@safe
struct Cipher: ~Copyable {
    enum Direction: CInt {
        case decrypt = 0
        case encrypt = 1
    }

    private let context: OpaquePointer

    init(
        _ direction: Direction, key: borrowing SecretBytes, nonce: [UInt8]
    ) throws(CryptoError) {
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw libraryError() }
        let result = unsafe key.withUnsafeBytes { key in
            unsafe EVP_CipherInit_ex2(
                context, EVP_aes_256_gcm(), key.baseAddress?.assumingMemoryBound(to: UInt8.self),
                nonce, direction.rawValue, nil)
        }
        guard result == 1 else {
            unsafe EVP_CIPHER_CTX_free(context)
            throw libraryError()
        }
        unsafe self.context = context
    }

    deinit { unsafe EVP_CIPHER_CTX_free(context) }

    func authenticate(_ additionalData: [UInt8]) throws(CryptoError) {
        guard let length = CInt(exactly: additionalData.count) else { throw .badParameters }
        // A null input means "no more input", so an empty one is left out.
        guard length > 0 else { return }
        var written: CInt = 0
        try unsafe check(EVP_CipherUpdate(context, nil, &written, additionalData, length))
    }

    @unsafe
    func update(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard input.count <= output.count, let length = CInt(exactly: input.count) else {
            throw .badParameters
        }
        guard length > 0 else { return }
        var written: CInt = 0
        try unsafe check(
            EVP_CipherUpdate(
                context, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &written,
                input.baseAddress?.assumingMemoryBound(to: UInt8.self), length))
        guard written == length else { throw libraryError() }
    }

    /// Ends an encryption; GCM has no last block to write.
    func finish() throws(CryptoError) {
        var block: [UInt8] = Array(repeating: 0, count: 16)
        var written: CInt = 0
        try unsafe check(EVP_CipherFinal_ex(context, &block, &written))
    }

    /// Ends a decryption and says whether all that was decrypted is as it was sealed.
    func verify() throws(CryptoError) {
        do {
            try finish()
        } catch {
            throw .authenticationFailed
        }
    }

    @unsafe
    func getTag(into tag: UnsafeMutableRawBufferPointer) throws(CryptoError) {
        guard let length = CInt(exactly: tag.count) else { throw .badParameters }
        try unsafe check(
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, length, tag.baseAddress))
    }

    func setTag(_ tag: [UInt8]) throws(CryptoError) {
        guard let length = CInt(exactly: tag.count) else { throw .badParameters }
        var tag = tag
        try unsafe check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, length, &tag))
    }
}
