internal import CWhorlFprint
internal import WhorlBiometrics
internal import WhorlGLib
internal import WhorlSecrets

/// A print in the form that libfprint computes with.
///
/// The corresponding C type is `FpPrint`.
@LibfprintActor
@safe
final class FingerTemplate {
    let pointer: OpaquePointer

    /// Takes over a reference, a floating one too.
    init(adopting pointer: OpaquePointer) {
        if unsafe g_object_is_floating(pointer.asObject) != 0 {
            unsafe g_object_ref_sink(pointer.asObject)
        }
        unsafe self.pointer = pointer
    }

    /// Takes a reference of its own.
    convenience init(retaining pointer: OpaquePointer) {
        unsafe g_object_ref(pointer.asObject)
        unsafe self.init(adopting: pointer)
    }

    /// Makes a template with no finger, user or date.
    ///
    /// The corresponding C function is `fp_print_new`.
    convenience init(emptyFor device: UnsafeMutablePointer<FpDevice>) {
        guard let pointer = unsafe fp_print_new(device) else {
            fatalError("fp_print_new() gave nothing")
        }
        unsafe self.init(adopting: pointer)
    }

    /// Reads a stored print.
    ///
    /// The corresponding C function is `fp_print_deserialize`.
    ///
    /// - Throws: ``AuthenticationError/printUnusable(_:)`` where libfprint cannot read it.
    convenience init(reading print: Print) throws(AuthenticationError) {
        let result: Result<OpaquePointer, AuthenticationError> = unsafe print.withSerialized {
            secret in
            unsafe secret.withUnsafeBytes { bytes in
                guard unsafe PrintFormat.isReadable(bytes) else {
                    return unsafe .failure(.printUnusable(.whorl("it is damaged")))
                }
                var error: UnsafeMutablePointer<GError>?
                let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: guchar.self)
                if let pointer = unsafe fp_print_deserialize(start, gsize(bytes.count), &error) {
                    return unsafe .success(pointer)
                }
                return unsafe .failure(Self.unusable(error))
            }
        }
        unsafe self.init(adopting: try result.get())
    }

    isolated deinit {
        unsafe g_object_unref(pointer.asObject)
    }

    /// The print as it is stored.
    ///
    /// The corresponding C function is `fp_print_serialize`.
    ///
    /// - Parameter isStoredOnChip: Whether it is; nil to go by what the driver says.
    /// - Returns: The print, in memory of its own.
    /// - Throws: ``AuthenticationError`` where libfprint cannot write it, or there is no memory fit
    ///   for it.
    func print(isStoredOnChip: Bool? = nil) throws(AuthenticationError) -> Print {
        var start: UnsafeMutablePointer<guchar>?
        var count: gsize = 0
        var error: UnsafeMutablePointer<GError>?
        guard unsafe fp_print_serialize(pointer, &start, &count, &error) != 0,
            let start = unsafe start
        else { throw unsafe Self.unusable(error) }
        defer { unsafe g_free(start) }
        do throws(SecretMemoryError) {
            let bytes = unsafe UnsafeMutableRawBufferPointer(start: start, count: Int(count))
            return Print(
                serialized: try unsafe SecretBytes(moving: bytes),
                isStoredOnChip: isStoredOnChip ?? saysItIsStoredOnChip)
        } catch {
            throw .internalError(.whorl(error.description))
        }
    }

    private var saysItIsStoredOnChip: Bool {
        unsafe fp_print_get_device_stored(pointer) != 0
    }

    /// An outcome made of the print as it is stored, or of the reason why it cannot be.
    func outcome(_ body: (Print) -> ReaderOutcome) -> ReaderOutcome {
        do throws(AuthenticationError) {
            return body(try print())
        } catch {
            return .failed(error)
        }
    }

    private nonisolated static func unusable(
        _ error: UnsafeMutablePointer<GError>?
    ) -> AuthenticationError {
        guard let error = unsafe error else { return .printUnusable(.whorl("no reason given")) }
        let cause = unsafe GLibError(consuming: error)
        return .printUnusable(
            SourceError(domain: cause.domain, code: cause.code, message: cause.message))
    }
}

/// Templates in the form in which libfprint takes several.
///
/// The corresponding C type is `GPtrArray`.
@LibfprintActor
@safe
final class PrintArray {
    let pointer: UnsafeMutablePointer<GPtrArray>
    private let templates: [FingerTemplate]

    /// Makes an array, which holds the templates.
    init(_ templates: [FingerTemplate]) {
        guard let pointer = unsafe g_ptr_array_new() else {
            fatalError("g_ptr_array_new() gave nothing")
        }
        for template in templates {
            unsafe g_ptr_array_add(pointer, UnsafeMutableRawPointer(template.pointer))
        }
        unsafe self.pointer = pointer
        self.templates = templates
    }

    isolated deinit {
        unsafe g_ptr_array_unref(pointer)
    }

    /// Which of the templates it is, by identity and not by what is in it.
    func index(of print: OpaquePointer) -> Int? {
        templates.firstIndex { unsafe $0.pointer == print }
    }
}

extension OpaquePointer {
    /// The object as GObject's functions take it.
    var asObject: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(self) }
}
