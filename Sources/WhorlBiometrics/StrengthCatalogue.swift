/// What is known of libfprint's drivers: who matches, how, and so how strong a match is.
///
/// Read in libfprint 1.94.6's source. A driver that is not here is class 1, since a new or patched
/// driver may have any threshold.
public struct DriverFacts: Sendable, Hashable {
    /// Where templates are compared.
    public enum Matching: Sendable, Hashable {
        /// On the sensor's own chip; the template stays there.
        case onChip
        /// On this host, by NIST's bozorth3 with this score threshold.
        case onHost(threshold: Int)
        /// Nowhere: the driver is scripted.
        case scripted
    }

    /// libfprint's name of the driver.
    public let driver: String
    /// Where templates are compared.
    public let matching: Matching
    /// Whether the sensor sees a full fingertip at once (a press sensor that is not small).
    public let isFullSizePress: Bool
    /// Whether the driver is one of libfprint's virtual drivers.
    public let isVirtual: Bool

    /// The strength that a match of this driver's readers has when the reader is real.
    public var rating: StrengthRating {
        switch matching {
        case .onChip: StrengthRating(.strong, basis: .claimedMatchOnChip)
        case .onHost(let threshold) where threshold >= 40 && isFullSizePress:
            StrengthRating(.weak, basis: .hostMatchingDefaultThreshold)
        case .onHost(let threshold):
            StrengthRating(.convenience, basis: .hostMatchingReduced(threshold: threshold))
        case .scripted: StrengthRating(nil, basis: .notReal)
        }
    }
}

/// The table of drivers, and the rating of a reader by it.
public enum StrengthCatalogue {
    /// Every driver that has a row, in the order of the documents.
    public static let drivers: [DriverFacts] =
        ["synaptics", "goodixmoc", "elanmoc", "fpcmoc", "upekts"].map {
            DriverFacts(driver: $0, matching: .onChip, isFullSizePress: true, isVirtual: false)
        }
        + [("uru4000", 40), ("vcom5s", 40), ("upektc", 30), ("nb1010", 24)].map {
            DriverFacts(
                driver: $0.0, matching: .onHost(threshold: $0.1), isFullSizePress: true,
                isVirtual: false)
        }
        + [
            ("vfs7552", 20), ("aes3500", 9), ("aes4000", 9), ("elan", 24), ("elanspi", 24),
            ("vfs0050", 24), ("vfs101", 24), ("vfs301", 24), ("egis0570", 25),
            ("upeksonly", 25), ("vfs5011", 20), ("aes1610", 20), ("aes1660", 20),
            ("aes2660", 20), ("upektc_img", 20), ("aes2501", 40), ("aes2550", 40),
            ("etes603", 40),
        ].map {
            DriverFacts(
                driver: $0.0, matching: .onHost(threshold: $0.1), isFullSizePress: false,
                isVirtual: false)
        }
        + [
            DriverFacts(
                driver: "virtual_image", matching: .onHost(threshold: 40), isFullSizePress: false,
                isVirtual: true),
            DriverFacts(
                driver: "virtual_device", matching: .scripted, isFullSizePress: false,
                isVirtual: true),
            DriverFacts(
                driver: "virtual_device_storage", matching: .scripted, isFullSizePress: false,
                isVirtual: true),
        ]

    /// The row of a driver, or nil where there is none.
    public static func facts(ofDriver driver: String) -> DriverFacts? {
        drivers.first { $0.driver == driver }
    }

    /// The strength of a reader by its driver and by what kind of reader it is.
    ///
    /// A reader that is not ``ReaderReality/real`` has no strength of its own.
    public static func rating(driver: String, reality: ReaderReality) -> StrengthRating {
        guard reality == .real else { return StrengthRating(nil, basis: .notReal) }
        guard let facts = facts(ofDriver: driver) else {
            return StrengthRating(.convenience, basis: .unknownDriver)
        }
        guard !facts.isVirtual else { return StrengthRating(nil, basis: .notReal) }
        return facts.rating
    }
}
