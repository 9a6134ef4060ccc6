import WhorlBiometrics

/// The parser of `--access` and of the column of that name.
enum AccessControlTarget {
    static func examine(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        let access: AccessControl
        do {
            access = try AccessControl(parsing: text)
        } catch {
            precondition(!error.message.isEmpty, "an error without words")
            return false
        }
        precondition(!access.ways.isEmpty, "nobody could open it")
        precondition(access.ways.count <= 70, "the ways grow without bound")
        let again = try? AccessControl(parsing: access.description)
        precondition(again == access, "\(access) reads as something else")
        return true
    }
}
