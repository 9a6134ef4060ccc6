internal import CWhorlFprint
internal import WhorlBiometrics
internal import WhorlGLib
internal import WhorlSecrets

extension Device {
    /// Gives the reader back.
    ///
    /// libfprint says that closing a reader which was pulled out fails, and closes it all the same.
    func close(_ operation: ReaderOperation) async -> ReaderOutcome {
        let outcome = await unsafe plain(operation, fp_device_close, fp_device_close_finish)
        guard case .failed(let error) = outcome else { return outcome }
        if case .readerDisconnected = error { return .done }
        let isOpen = unsafe fp_device_is_open(pointer) != 0
        return desk.isUnplugged && !isOpen ? .done : outcome
    }

    /// Takes a picture, once a finger is there.
    func capture(_ operation: ReaderOperation) async -> ReaderOutcome {
        let device = unsafe pointer
        return await unsafe call(
            operation,
            start: { unsafe fp_device_capture(device, 1, $0, $1, $2) },
            finish: { result, error in
                guard let image = unsafe fp_device_capture_finish(device, result, error) else {
                    return .withoutReason
                }
                defer { unsafe g_object_unref(image.asObject) }
                return unsafe Self.outcome(capturing: image)
            })
    }

    private nonisolated static func outcome(capturing image: OpaquePointer) -> ReaderOutcome {
        var count: gsize = 0
        let pixels = unsafe fp_image_get_data(image, &count)
        let bytes = unsafe UnsafeRawBufferPointer(start: pixels, count: Int(count))
        do throws(SecretMemoryError) {
            let secret = try unsafe SecretBytes(copying: bytes.bytes)
            let captured = unsafe CapturedImage(
                width: Int(fp_image_get_width(image)), height: Int(fp_image_get_height(image)),
                pixels: secret)
            guard let captured else {
                return .failed(.readerProtocol(.whorl("its picture is not of the size it says")))
            }
            return .captured(captured)
        } catch {
            return .failed(.internalError(.whorl(error.description)))
        }
    }

    /// Names the prints on the chip.
    func list(_ operation: ReaderOperation) async -> ReaderOutcome {
        let device = unsafe pointer
        return await unsafe call(
            operation,
            start: { unsafe fp_device_list_prints(device, $0, $1, $2) },
            finish: { result, error in
                guard let array = unsafe fp_device_list_prints_finish(device, result, error) else {
                    return .withoutReason
                }
                defer { unsafe g_ptr_array_unref(array) }
                return LibfprintActor.assumeIsolated { unsafe Self.outcome(listing: array) }
            })
    }

    private static func outcome(listing array: UnsafeMutablePointer<GPtrArray>) -> ReaderOutcome {
        var prints: [Print] = []
        do throws(AuthenticationError) {
            for index in 0..<Int(unsafe array.pointee.len) {
                guard let element = unsafe array.pointee.pdata[index] else { continue }
                let template = unsafe FingerTemplate(retaining: OpaquePointer(element))
                // Not every driver says so of the prints that its own chip names.
                prints.append(try template.print(isStoredOnChip: true))
            }
            return .prints(prints)
        } catch {
            return .failed(error)
        }
    }

    /// Deletes one print from the chip.
    func delete(_ print: Print, _ operation: ReaderOperation) async -> ReaderOutcome {
        let template: FingerTemplate
        do throws(AuthenticationError) {
            template = try usable(print)
        } catch {
            return .failed(error)
        }
        let device = unsafe pointer
        return await unsafe call(
            operation,
            start: { unsafe fp_device_delete_print(device, template.pointer, $0, $1, $2) },
            finish: {
                unsafe fp_device_delete_print_finish(device, $0, $1) != 0 ? .done : .withoutReason
            })
    }
}
