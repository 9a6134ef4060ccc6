import WhorlBiometrics

/// A load in which everything that changes a store comes up.
///
/// A round leaves the store as the next one expects it. What can be done with a store from a later
/// version on belongs into it.
package enum MixedLoad {
    /// The operations of a round, from 1.
    package static func round(_ number: Int) -> [StoreOperation] {
        let version = number * 10
        return [
            .put("a", version: version, .current),
            .get("a", by: .own),
            .get("a", by: .stranger),
            .get("a", by: .pin),
            .get("pin", by: .wrongPin),
            .get("any", by: .stranger),
            .get("any", by: .own),
            .changePin(number),
            .replace("a", version: version + 1, .current, by: .own),
            .put("b", version: version, .any),
            .enroll(.thumb, .carry),
            .get("a", by: .thumb),
            .put("big", version: version, .current),
            .replace("big", version: version + 1, .any, by: .pin),
            .enroll(.thumb, .drop),
            .get("a", by: .pin),
            .forget(.thumb),
            .rebind,
            .renewRecovery,
            .replace("a", version: version + 2, .current, by: .pin),
            .replace("current", version: version + 1, .current, by: .pin),
            .get("current", by: .stranger),
            .get("pin", by: .wrongPin),
            .unlock,
            .remove("a", by: .own),
            .remove("b", by: .pin),
            .remove("big", by: .own),
        ]
    }
}
