internal import CWhorlFprint
internal import WhorlBiometrics
internal import WhorlGLib

// libfprint gets the operation itself as the data of its progress and match callbacks, unretained:
// each of these functions holds the operation until libfprint is done. The destroy notify would be
// the place to release it, but libfprint does not call that where it refuses a call at once.

extension Device {
    /// The most prints that a reader which matches on this host compares one capture with.
    ///
    /// A comparison takes up to 70 ms a print and cannot be cancelled.
    static let galleryLimit = 30

    /// Takes a new print, from an empty template: whose finger it is is no business of the reader's,
    /// and the recorded match-on-chip sensors fail with anything else.
    func enroll(_ operation: ReaderOperation) async -> ReaderOutcome {
        let device = unsafe pointer
        let template = unsafe FingerTemplate(emptyFor: device)
        let outcome = await unsafe call(
            operation,
            start: {
                unsafe fp_device_enroll(
                    device, template.pointer, $0, reportProgress,
                    Unmanaged.passUnretained(operation).toOpaque(), nil, $1, $2)
            },
            finish: { result, error in
                guard let print = unsafe fp_device_enroll_finish(device, result, error) else {
                    return .withoutReason
                }
                return LibfprintActor.assumeIsolated {
                    unsafe FingerTemplate(adopting: print).outcome { .enrolled($0) }
                }
            })
        if operation.hasEnded, case .enrolled(let print) = outcome {
            await discard(print)
        }
        return outcome
    }

    /// Compares one capture with one print.
    func verify(_ print: Print, _ operation: ReaderOperation) async -> ReaderOutcome {
        let template: FingerTemplate
        do throws(AuthenticationError) {
            template = try usable(print)
        } catch {
            return .failed(error)
        }
        let device = unsafe pointer
        return await unsafe call(
            operation,
            start: {
                unsafe fp_device_verify(
                    device, template.pointer, $0, reportMatch,
                    Unmanaged.passUnretained(operation).toOpaque(), nil, $1, $2)
            },
            finish: { result, error in
                var isMatch: gboolean = 0
                guard unsafe fp_device_verify_finish(device, result, &isMatch, nil, error) != 0
                else { return .withoutReason }
                return isMatch != 0 ? .match(index: 0) : .noMatch
            })
    }

    /// Compares one capture with several prints.
    func identify(_ gallery: [Print], _ operation: ReaderOperation) async -> ReaderOutcome {
        guard !gallery.isEmpty else {
            return .failed(.readerMisused(.whorl("there is no print to compare with")))
        }
        if !desk.description.matchesOnChip, gallery.count > Self.galleryLimit {
            return .failed(
                .readerUnsupported(
                    .whorl("it compares with at most \(Self.galleryLimit) prints at once")))
        }
        var templates: [FingerTemplate] = []
        do throws(AuthenticationError) {
            for print in gallery { templates.append(try usable(print)) }
        } catch {
            return .failed(error)
        }
        let prints = PrintArray(templates)
        let device = unsafe pointer
        return await unsafe call(
            operation,
            start: {
                unsafe fp_device_identify(
                    device, prints.pointer, $0, reportMatch,
                    Unmanaged.passUnretained(operation).toOpaque(), nil, $1, $2)
            },
            finish: { result, error in
                var match: OpaquePointer?
                let isDone = unsafe fp_device_identify_finish(device, result, &match, nil, error)
                defer { if let match = unsafe match { unsafe g_object_unref(match.asObject) } }
                guard isDone != 0 else { return .withoutReason }
                guard let found = unsafe match else { return .noMatch }
                return LibfprintActor.assumeIsolated {
                    guard let index = unsafe prints.index(of: found) else {
                        return .failed(.readerProtocol(.whorl("it matched a print not given")))
                    }
                    return .match(index: index)
                }
            })
    }

    /// The template of a print that this reader can use.
    func usable(_ print: Print) throws(AuthenticationError) -> FingerTemplate {
        let template = try FingerTemplate(reading: print)
        guard unsafe fp_print_compatible(template.pointer, pointer) != 0 else {
            throw .printUnusable(.whorl("it was made by another reader"))
        }
        return template
    }

    // A print that was finished after its enrolment had been given up is nobody's: on a chip it
    // would only take room, and make the next try a duplicate.
    private func discard(_ print: Print) async {
        guard print.isStoredOnChip, let template = try? usable(print) else { return }
        let device = unsafe pointer
        _ = await unsafe gioCall(
            on: LibfprintActor.executor,
            start: { unsafe fp_device_delete_print(device, template.pointer, $0, $1, $2) },
            finish: { unsafe fp_device_delete_print_finish(device, $0, $1) })
    }
}

private let reportProgress: FpEnrollProgress = { device, completed, _, data, error in
    guard let data = unsafe data else { return }
    let operation = unsafe Unmanaged<ReaderOperation>.fromOpaque(data).takeUnretainedValue()
    if let error = unsafe error {
        operation.report(.hint(CaptureHint(libfprintRetry: Int(unsafe error.pointee.code))))
    } else {
        let stages = unsafe fp_device_get_nr_enroll_stages(device)
        operation.report(.enrollStage(completed: Int(completed), of: Int(stages)))
    }
}

// An error here is a retry, and ends the operation, which then says so.
private let reportMatch: FpMatchCb = { _, match, _, data, error in
    guard let data = unsafe data, unsafe error == nil else { return }
    let operation = unsafe Unmanaged<ReaderOperation>.fromOpaque(data).takeUnretainedValue()
    operation.report(.reported(match: unsafe match != nil))
}
