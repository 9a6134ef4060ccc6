/// What tells one reader from another, across restarts and re-plugging.
///
/// libfprint's device id is `0` for most readers, so driver and id alone do not tell two alike
/// apart: the port does.
public struct ReaderIdentity: Sendable, Hashable {
    /// libfprint's name of the driver, such as `synaptics`.
    ///
    /// The C function is `fp_device_get_driver`.
    public let driver: String
    /// libfprint's id of the device, often just `0`.
    ///
    /// The C function is `fp_device_get_device_id`.
    public let deviceID: String
    /// Where it is plugged in.
    public let port: ReaderPort

    /// Makes an identity.
    public init(driver: String, deviceID: String, port: ReaderPort) {
        self.driver = driver
        self.deviceID = deviceID
        self.port = port
    }

    /// The string that names this reader in `--reader`.
    public var selector: String { "\(driver):\(deviceID)" }
}

/// Where a reader is plugged in.
@nonexhaustive
public enum ReaderPort: Sendable, Hashable {
    /// A USB port: its sysfs path below `/sys/devices`, and whether it is one that people can reach.
    ///
    /// `removable` is nil where the kernel does not say.
    case usb(sysfsPath: String, removable: Bool?)
    /// The reader is not a USB device (a virtual one, or one on SPI).
    case none
    /// It could not be found out.
    case unknown
}

/// Whether a reader is a sensor or only behaves like one.
public enum ReaderReality: String, Sendable, Hashable {
    /// A sensor.
    case real
    /// One of libfprint's virtual drivers, or a scripted reader.
    case simulated
    /// A real driver on traffic that does not come from a sensor.
    case emulated
    /// Events played from a recording.
    case recorded
}

/// What a reader can do.
///
/// The corresponding C type is `FpDeviceFeature`.
public struct ReaderFeatures: OptionSet, Sendable, Hashable {
    /// The bits of `FpDeviceFeature`.
    public let rawValue: UInt32

    /// Makes a set from the bits of `FpDeviceFeature`.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Gives pictures.
    ///
    /// `FP_DEVICE_FEATURE_CAPTURE`.
    public static let capture = ReaderFeatures(rawValue: 1 << 0)
    /// Finds which of several prints matches.
    ///
    /// `FP_DEVICE_FEATURE_IDENTIFY`.
    public static let identify = ReaderFeatures(rawValue: 1 << 1)
    /// Compares with one print.
    ///
    /// `FP_DEVICE_FEATURE_VERIFY`.
    public static let verify = ReaderFeatures(rawValue: 1 << 2)
    /// Keeps prints on the chip.
    ///
    /// `FP_DEVICE_FEATURE_STORAGE`.
    public static let storage = ReaderFeatures(rawValue: 1 << 3)
    /// Lists the prints on the chip.
    ///
    /// `FP_DEVICE_FEATURE_STORAGE_LIST`.
    public static let storageList = ReaderFeatures(rawValue: 1 << 4)
    /// Deletes one print from the chip.
    ///
    /// `FP_DEVICE_FEATURE_STORAGE_DELETE`.
    public static let storageDelete = ReaderFeatures(rawValue: 1 << 5)
    /// Deletes all prints from the chip.
    ///
    /// `FP_DEVICE_FEATURE_STORAGE_CLEAR`.
    public static let storageClear = ReaderFeatures(rawValue: 1 << 6)
    /// Refuses to enrol a finger twice.
    ///
    /// `FP_DEVICE_FEATURE_DUPLICATES_CHECK`.
    public static let duplicatesCheck = ReaderFeatures(rawValue: 1 << 7)
    /// May stay armed for ever.
    ///
    /// `FP_DEVICE_FEATURE_ALWAYS_ON`.
    public static let alwaysOn = ReaderFeatures(rawValue: 1 << 8)
    /// Takes an existing print at enrol and adds to it: Whorl never does, since that would let a
    /// second finger in.
    ///
    /// `FP_DEVICE_FEATURE_UPDATE_PRINT`.
    public static let updatePrint = ReaderFeatures(rawValue: 1 << 9)

    /// The words for the features that are set, in the order of their bits.
    public var words: [String] {
        let names = [
            "capture", "identify", "verify", "storage", "storage-list", "storage-delete",
            "storage-clear", "duplicates-check", "always-on", "update-print",
        ]
        return names.indices.filter { rawValue & (1 << UInt32($0)) != 0 }.map { names[$0] }
    }
}

/// How a finger is presented.
///
/// The corresponding C type is `FpScanType`.
public enum ScanType: String, Sendable, Hashable {
    /// Drawn across a narrow sensor.
    ///
    /// `FP_SCAN_TYPE_SWIPE`.
    case swipe
    /// Laid on the sensor.
    ///
    /// `FP_SCAN_TYPE_PRESS`.
    case press
}

/// How warm libfprint's model takes a reader to be.
///
/// The corresponding C type is `FpTemperature`.
public enum ReaderTemperature: String, Sendable, Hashable {
    /// `FP_TEMPERATURE_COLD`
    case cold
    /// `FP_TEMPERATURE_WARM`
    case warm
    /// `FP_TEMPERATURE_HOT`: it refuses to work until it has rested.
    case hot
}

/// What the sensor says of the finger.
///
/// The corresponding C type is `FpFingerStatusFlags`.
public struct FingerStatus: OptionSet, Sendable, Hashable {
    /// The bits of `FpFingerStatusFlags`.
    public let rawValue: UInt32

    /// Makes a status from the bits of `FpFingerStatusFlags`.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The sensor waits for a finger.
    ///
    /// `FP_FINGER_STATUS_NEEDED`.
    public static let needed = FingerStatus(rawValue: 1 << 0)
    /// A finger is on the sensor.
    ///
    /// `FP_FINGER_STATUS_PRESENT`.
    public static let present = FingerStatus(rawValue: 1 << 1)
}

/// A reader as it is shown and chosen: plain values only.
public struct ReaderDescription: Sendable, Hashable {
    /// What tells it from others.
    public let identity: ReaderIdentity
    /// Its full name, for people.
    ///
    /// The C function is `fp_device_get_name`.
    public let name: String
    /// Whether it is a sensor.
    public let reality: ReaderReality
    /// What it can do.
    public let features: ReaderFeatures
    /// How a finger is presented.
    public let scanType: ScanType
    /// How many good captures an enrolment takes; may change when the reader is opened.
    public let enrollStages: Int
    /// Whether templates are compared and kept on the chip.
    public let matchesOnChip: Bool
    /// Its strength by the catalogue, with its basis.
    public let rating: StrengthRating

    /// Makes a description.
    public init(
        identity: ReaderIdentity, name: String, reality: ReaderReality, features: ReaderFeatures,
        scanType: ScanType, enrollStages: Int, matchesOnChip: Bool, rating: StrengthRating
    ) {
        self.identity = identity
        self.name = name
        self.reality = reality
        self.features = features
        self.scanType = scanType
        self.enrollStages = enrollStages
        self.matchesOnChip = matchesOnChip
        self.rating = rating
    }

    /// The same reader with the strength that it has here: with this store, and what is allowed.
    public func rated(_ rating: StrengthRating) -> ReaderDescription {
        ReaderDescription(
            identity: identity, name: name, reality: reality, features: features,
            scanType: scanType, enrollStages: enrollStages, matchesOnChip: matchesOnChip,
            rating: rating)
    }

    /// Whether *simulated* stands in every answer about this reader.
    public var isSimulated: Bool { reality != .real }
}
