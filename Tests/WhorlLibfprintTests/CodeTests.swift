import CWhorlFprint
import Testing
import WhorlBiometrics

/// The numbers and names that we mirror, against the library's own.
struct CodeTests {
    private struct Constant {
        let name: String
        let value: Int
    }

    // Every constant that the installed library registers for an enumeration or a set of flags.
    private static func enumeration(_ type: GType) -> [Constant] {
        guard let held = unsafe g_type_class_ref(type) else { return [] }
        defer { unsafe g_type_class_unref(held) }
        let table = unsafe held.assumingMemoryBound(to: GEnumClass.self).pointee
        return unsafe UnsafeBufferPointer(start: table.values, count: Int(table.n_values)).map {
            unsafe Constant(name: String(cString: $0.value_name), value: Int($0.value))
        }
    }

    private static func flags(_ type: GType) -> [Constant] {
        guard let held = unsafe g_type_class_ref(type) else { return [] }
        defer { unsafe g_type_class_unref(held) }
        let table = unsafe held.assumingMemoryBound(to: GFlagsClass.self).pointee
        return unsafe UnsafeBufferPointer(start: table.values, count: Int(table.n_values)).map {
            unsafe Constant(name: String(cString: $0.value_name), value: Int($0.value))
        }
    }

    private static func domain(_ quark: GQuark) -> String {
        unsafe String(cString: g_quark_to_string(quark)).filter { $0 != " " }
    }

    @Test func knowsEveryErrorOfTheInstalledLibrary() {
        let constants = Self.enumeration(fp_device_error_get_type())
        #expect(constants.count >= 12)
        for constant in constants {
            let row = LibfprintMapping.rows.first { $0.constant == constant.name }
            #expect(row?.code == constant.value, "\(constant.name)")
            #expect(row?.domain == Self.domain(fp_device_error_quark()))
            #expect(row?.entry != nil, "\(constant.name)")
            #expect(row?.entry != Taxonomy.vendorEntry, "\(constant.name)")
        }
    }

    @Test func knowsEveryRetryOfTheInstalledLibrary() {
        let constants = Self.enumeration(fp_device_retry_get_type())
        #expect(constants.count >= 4)
        for constant in constants {
            let row = LibfprintMapping.rows.first { $0.constant == constant.name }
            #expect(row?.code == constant.value, "\(constant.name)")
            #expect(row?.domain == Self.domain(fp_device_retry_quark()))
            #expect(row?.hint == CaptureHint(libfprintRetry: constant.value))
            if case .other? = row?.hint { Issue.record("\(constant.name) is no hint of ours") }
        }
    }

    @Test func knowsEveryFeatureOfTheInstalledLibrary() {
        for constant in Self.flags(fp_device_feature_get_type()) where constant.value != 0 {
            let feature = ReaderFeatures(rawValue: UInt32(constant.value))
            let word = constant.name.dropFirst("FP_DEVICE_FEATURE_".count).lowercased()
            #expect(feature.words == [word.map { $0 == "_" ? "-" : String($0) }.joined()])
        }
    }

    @Test func hasTheLibrarysNumbersForFingersStatesAndScanTypes() {
        #expect(Finger.leftThumb.libfprintValue == Int(FP_FINGER_LEFT_THUMB.rawValue))
        #expect(Finger.leftLittleFinger.libfprintValue == Int(FP_FINGER_LEFT_LITTLE.rawValue))
        #expect(Finger.rightIndexFinger.libfprintValue == Int(FP_FINGER_RIGHT_INDEX.rawValue))
        #expect(Finger.allCases.map(\.libfprintValue).max() == Int(FP_FINGER_LAST.rawValue))
        #expect(FingerStatus.needed.rawValue == FP_FINGER_STATUS_NEEDED.rawValue)
        #expect(FingerStatus.present.rawValue == FP_FINGER_STATUS_PRESENT.rawValue)
    }

    @Test(arguments: [
        (G_IO_ERROR_FAILED, "reader-fault"), (G_IO_ERROR_NOT_FOUND, "reader-disconnected"),
        (G_IO_ERROR_PERMISSION_DENIED, "not-permitted"),
        (G_IO_ERROR_NOT_SUPPORTED, "reader-unsupported"),
        (G_IO_ERROR_CANCELLED, "system-cancelled"), (G_IO_ERROR_TIMED_OUT, "reader-unavailable"),
        (G_IO_ERROR_BUSY, "reader-busy"), (G_IO_ERROR_CONNECTION_CLOSED, "reader-disconnected"),
    ])
    func mapsTheErrorsOfGIOThatDriversRaise(code: GIOErrorEnum, entry: String) {
        let error = LibfprintMapping.error(
            domain: Self.domain(g_io_error_quark()), code: Int(code.rawValue), message: "")
        #expect(error.entry.identifier == entry)
    }

    @Test func keepsWhatItDoesNotKnowAsItIs() {
        for (domain, code) in [
            (LibfprintMapping.deviceErrorDomain, 10), (LibfprintMapping.deviceErrorDomain, 0x102),
            (LibfprintMapping.ioErrorDomain, 9999), (LibfprintMapping.usbErrorDomain, 9999),
            ("some-other-quark", 0),
        ] {
            let error = LibfprintMapping.error(domain: domain, code: code, message: "words")
            #expect(error == .vendor(domain: domain, code: code, message: "words"))
        }
    }
}

extension Taxonomy {
    fileprivate static var vendorEntry: TaxonomyEntry {
        AuthenticationError.vendor(domain: "", code: 0, message: "").entry
    }
}
