internal import WhorlBiometrics

extension StrengthBasis {
    /// The stable word for JSON.
    var identifier: String {
        switch self {
        case .attestedMatchOnChip: "attested-match-on-chip"
        case .claimedMatchOnChip: "claimed-match-on-chip"
        case .hostMatchingDefaultThreshold: "host-matching-default-threshold"
        case .hostMatchingReduced: "host-matching-reduced"
        case .unknownDriver: "unknown-driver"
        case .notReal: "not-real"
        case .configured: "configured"
        }
    }
}

extension Consent {
    /// The stable word for JSON.
    var identifier: String {
        switch self {
        case .notAsked: "not-asked"
        case .given: "given"
        case .declined: "declined"
        case .revoked: "revoked"
        }
    }
}

extension JSON {
    /// A strength with its basis.
    init(_ rating: StrengthRating) {
        self = [
            "class": JSON(rating.strength?.classNumber),
            "strength": JSON(rating.strength?.word),
            "basis": .string(rating.basis.identifier),
            "explanation": .string(rating.basis.sentence),
        ]
    }

    /// A reader's port.
    init(_ port: ReaderPort) {
        switch port {
        case .usb(let path, let removable):
            self = [
                "kind": "usb", "path": .string(path),
                "removable": removable.map(JSON.bool) ?? .null,
            ]
        case .none: self = ["kind": "none", "path": nil, "removable": nil]
        case .unknown: self = ["kind": "unknown", "path": nil, "removable": nil]
        }
    }

    /// A reader.
    init(_ reader: ReaderStatus) {
        let description = reader.description
        self = [
            "selector": .string(description.identity.selector),
            "driver": .string(description.identity.driver),
            "id": .string(description.identity.deviceID),
            "name": .string(description.name),
            "reality": .string(description.reality.rawValue),
            "simulated": .bool(description.isSimulated),
            "rating": JSON(reader.rating),
            "features": JSON(description.features.words),
            "scanType": .string(description.scanType.rawValue),
            "enrollStages": .integer(description.enrollStages),
            "matchesOnChip": .bool(description.matchesOnChip),
            "port": JSON(description.identity.port),
        ]
    }

    /// A reader that failed.
    init(_ failed: ReaderFailure) {
        self = ["name": .string(failed.name), "error": JSON(CommandFailure(failed.error))]
    }

    /// An enrolled finger.
    init(_ finger: EnrolledFinger) {
        self = [
            "finger": .string(finger.finger.rawValue),
            "reader": .string(finger.reader.selector),
            "port": JSON(finger.reader.port),
            "enrolled": .integer(Int(finger.enrolled)),
            "simulated": .bool(finger.isSimulated),
        ]
    }

    /// A print that is still on a reader's chip.
    init(_ left: LeftPrint) {
        self = [
            "finger": .string(left.finger.rawValue),
            "reason": .string(left.reason.entry.identifier),
        ]
    }

    /// What may be known of a key; where it stands alone, *simulated* is in the envelope.
    static func members(of key: KeyInfo) -> [Member] {
        [
            Member("name", .string(key.name.text)),
            Member("kind", .string(key.kind.rawValue)),
            Member("store", .string(key.store.rawValue)),
            Member("access", .string(key.access.description)),
            Member("strength", JSON(key.minimumStrength?.word)),
            Member("reuse", .integer(key.reuseSeconds)),
            Member("bootBound", .bool(key.isBootBound)),
            Member("recovery", .bool(key.hasRecovery)),
            Member("created", .integer(Int(key.created))),
            Member("generation", .integer(Int(key.generation))),
            Member("state", .string(key.state.rawValue)),
            Member("diskThief", .string(DiskThief(key).rawValue)),
        ]
    }

    /// How somebody was authenticated.
    static func members(of result: AuthenticationResult?) -> [Member] {
        let factors = result?.factors.map(\.rawValue).sorted() ?? []
        return [
            Member("factors", JSON(factors)),
            Member("rating", (result?.rating).map { JSON($0) } ?? .null),
        ]
    }
}
