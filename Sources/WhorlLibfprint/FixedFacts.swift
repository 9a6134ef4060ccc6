internal import CWhorlFprint
internal import Glibc
internal import WhorlBiometrics

/// What of a reader's description never changes while it is plugged in.
struct FixedFacts {
    let identity: ReaderIdentity
    let reality: ReaderReality

    init(of device: UnsafeMutablePointer<FpDevice>) {
        let driver = unsafe Self.text(fp_device_get_driver(device))
        let isVirtual = driver.hasPrefix("virtual_")
        reality =
            if isVirtual {
                .simulated
            } else if Self.isEmulated {
                .emulated
            } else {
                .real
            }
        identity = ReaderIdentity(
            driver: driver, deviceID: unsafe Self.text(fp_device_get_device_id(device)),
            port: isVirtual ? .none : unsafe USBPort.port(of: device))
    }

    /// The reader as it is now.
    func description(of device: UnsafeMutablePointer<FpDevice>) -> ReaderDescription {
        let features = unsafe ReaderFeatures(rawValue: fp_device_get_features(device).rawValue)
        let facts = StrengthCatalogue.facts(ofDriver: identity.driver)
        return ReaderDescription(
            identity: identity, name: unsafe Self.text(fp_device_get_name(device)),
            reality: reality, features: features,
            scanType: unsafe fp_device_get_scan_type(device) == FP_SCAN_TYPE_PRESS
                ? .press : .swipe,
            enrollStages: Int(unsafe fp_device_get_nr_enroll_stages(device)),
            matchesOnChip: facts?.matching == .onChip || features.contains(.storage),
            rating: StrengthCatalogue.rating(driver: identity.driver, reality: reality))
    }

    // A real driver on traffic that does not come from a sensor: what umockdev sets, and what
    // libfprint's own tests set beside it. Any value counts, so that none can pass for a sensor.
    private static var isEmulated: Bool {
        unsafe getenv("FP_DEVICE_EMULATION") != nil || getenv("UMOCKDEV_DIR") != nil
    }

    private static func text(_ text: UnsafePointer<CChar>?) -> String {
        unsafe text.map { unsafe String(cString: $0) } ?? ""
    }
}

extension ReaderTemperature {
    /// The corresponding C type is `FpTemperature`; what it does not know counts as hot.
    init(_ temperature: FpTemperature) {
        self =
            switch temperature {
            case FP_TEMPERATURE_COLD: .cold
            case FP_TEMPERATURE_WARM: .warm
            default: .hot
            }
    }
}
