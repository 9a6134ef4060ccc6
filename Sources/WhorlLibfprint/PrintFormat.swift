internal import CWhorlFprint

/// What a serialised print must look like before libfprint may read it.
///
/// `fp_print_deserialize` of 1.94.5 takes well-formed bytes for granted and aborts the program over
/// others, so they are looked at first: the magic `FP3`, then a little-endian GVariant of one type in
/// normal form, with contents of the two kinds that libfprint writes.
enum PrintFormat {
    private static let magic: [UInt8] = Array("FP3".utf8)
    private static let type = "(issbymsmsia{sv}v)"
    private static let kindChild = 0
    private static let fingerChild = 4
    private static let dateChild = 7
    private static let contentChild = 9

    /// Whether libfprint can read these bytes.
    static func isReadable(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count > magic.count, unsafe bytes.starts(with: magic) else {
            return false
        }
        let body = unsafe UnsafeRawBufferPointer(rebasing: bytes[magic.count...])
        guard let type = unsafe g_variant_type_new(type) else { return false }
        defer { unsafe g_variant_type_free(type) }
        guard
            let stored = unsafe g_variant_new_from_data(
                type, body.baseAddress, gsize(body.count), 0, nil, nil)
        else { return false }
        defer { unsafe g_variant_unref(unsafe g_variant_ref_sink(stored)) }
        guard 1.littleEndian != 1 else { return unsafe isReadable(stored) }
        guard let swapped = unsafe g_variant_byteswap(stored) else { return false }
        defer { unsafe g_variant_unref(swapped) }
        return unsafe isReadable(swapped)
    }

    private static func isReadable(_ value: OpaquePointer) -> Bool {
        guard unsafe g_variant_is_normal_form(value) != 0 else { return false }
        let kind = unsafe child(kindChild, of: value) { unsafe g_variant_get_int32($0) }
        let finger = unsafe child(fingerChild, of: value) { unsafe g_variant_get_byte($0) }
        let date = unsafe child(dateChild, of: value) { unsafe g_variant_get_int32($0) }
        let contentType = unsafe child(contentChild, of: value) { content in
            guard let inner = unsafe g_variant_get_variant(content) else { return "" }
            defer { unsafe g_variant_unref(inner) }
            return unsafe String(cString: g_variant_get_type_string(inner))
        }
        guard finger <= FP_FINGER_LAST.rawValue, date != 0 else { return false }
        // FpiPrintType, which is private: 1 is a driver's own data, 2 is NIST's minutiae.
        return switch kind {
        case 1: contentType == "v"
        case 2: contentType == "(a(aiaiai))"
        default: false
        }
    }

    private static func child<Content>(
        _ index: Int, of value: OpaquePointer, _ content: (OpaquePointer?) -> Content
    ) -> Content {
        let child = unsafe g_variant_get_child_value(value, gsize(index))
        defer { unsafe g_variant_unref(child) }
        return unsafe content(child)
    }
}
