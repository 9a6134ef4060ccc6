package import CWhorlGLib

/// An error of GLib or of a library on top of it, as a plain value.
///
/// The corresponding C type is `GError`.
package struct GLibError: Error, Sendable, Hashable {
    /// The domain's quark as a string without spaces, such as `g-io-error-quark`.
    ///
    /// Quarks themselves are numbers of one process.
    package let domain: String
    /// The code in that domain.
    package let code: Int
    /// The library's own words; not translated, and not yet safe to show.
    package let message: String

    /// Makes an error from its parts.
    package init(domain: String, code: Int, message: String) {
        self.domain = domain
        self.code = code
        self.message = message
    }

    /// Whether this is `G_IO_ERROR_CANCELLED`.
    package var isCancellation: Bool {
        domain == Self.name(of: g_io_error_quark())
            && code == Int(G_IO_ERROR_CANCELLED.rawValue)
    }
}

extension GLibError {
    /// Copies an error that a library lends, as to a progress callback.
    package init(borrowing error: UnsafePointer<GError>) {
        let content = unsafe error.pointee
        self.init(
            domain: unsafe Self.name(of: content.domain), code: Int(unsafe content.code),
            message: unsafe content.message.map { unsafe String(cString: $0) } ?? "")
    }

    /// Takes over an error that a library gave away, and frees it.
    ///
    /// The corresponding C function is `g_error_free`.
    package init(consuming error: UnsafeMutablePointer<GError>) {
        unsafe self.init(borrowing: error)
        unsafe g_error_free(error)
    }

    // libfprint 1.94.5 spells its quarks with spaces in them, later versions may not.
    private static func name(of quark: GQuark) -> String {
        guard let name = unsafe g_quark_to_string(quark) else { return "" }
        return unsafe String(cString: name).filter { $0 != " " }
    }
}
