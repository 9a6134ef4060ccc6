internal import CWhorlOpenSSL
internal import WhorlSecrets

/// Turns what OpenSSL left in this thread's error queue into an error and empties the queue.
///
/// A queue that is not emptied would explain a later failure with an older one.
func libraryError() -> CryptoError {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    return .library(code: code)
}

/// Passes on 1, which is OpenSSL's only "yes"; 0 and negative numbers are failures.
func check(_ result: CInt) throws(CryptoError) {
    guard result == 1 else { throw libraryError() }
}

/// Makes memory for a secret, with its error as one of ours.
func zeroedSecret(count: Int) throws(CryptoError) -> SecretBytes {
    do throws(SecretMemoryError) {
        return try SecretBytes(zeroedCount: count)
    } catch {
        throw .memory(error)
    }
}

/// A C string that lives as long as the process, since `OSSL_PARAM` keeps the pointer.
func cString(_ text: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

func parameter(_ key: StaticString, text: StaticString) -> OSSL_PARAM {
    unsafe OSSL_PARAM_construct_utf8_string(
        cString(key), UnsafeMutablePointer(mutating: cString(text)), 0)
}

/// A parameter that points to bytes, which must outlive it.
///
/// OpenSSL only reads them.
func parameter(_ key: StaticString, octets: UnsafeRawBufferPointer) -> OSSL_PARAM {
    unsafe OSSL_PARAM_construct_octet_string(
        cString(key), UnsafeMutableRawPointer(mutating: octets.baseAddress), octets.count)
}
