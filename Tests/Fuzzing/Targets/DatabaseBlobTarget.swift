import WhorlBiometrics
import WhorlCrypto
import WhorlSecrets

@testable import WhorlKeys

/// What lies in the columns of the database, all of it as somebody may have written it.
enum DatabaseBlobTarget {
    private static let subject = Subject(uid: 1000)
    private static let vaultID = [UInt8](repeating: 7, count: 16)

    static func examine(_ bytes: [UInt8]) -> Bool {
        if let fields = CanonicalBytes.fields(of: bytes) {
            let count = fields.reduce(0) { $0 + 8 + $1.count }
            precondition(count == bytes.count, "fields of other bytes")
        }
        var isTaken = false
        if let wrapped = try? WrappedKey(encoded: bytes) {
            precondition(wrapped.encoded == bytes, "a wrapped key is written as other bytes")
            isTaken = true
        }
        if let key = try? P256PublicKey(uncompressed: bytes) {
            precondition(key.uncompressed == bytes, "a public half is written as other bytes")
        }
        if let signature = try? P256Signature(der: bytes) {
            precondition((try? P256Signature(raw: signature.raw)) == signature, "two signatures")
        }
        row(bytes)
        return isTaken
    }

    // Nothing that is not authenticated may pass for a key or a print, whatever it is made of.
    private static func row(_ bytes: [UInt8]) {
        guard let secret = try? SecretBytes(copying: [UInt8](repeating: 9, count: 32).span),
            let key = try? StorageKey(secret, vaultID: vaultID)
        else { return }
        let part = { (index: Int) -> [UInt8] in
            let size = max(bytes.count / 4, 1)
            return Array(bytes.dropFirst(index * size).prefix(size))
        }
        let number = bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let text = String(decoding: part(1), as: UTF8.self)
        let stored = VaultTables.KeyRow(
            id: part(0), name: text, kind: number & 1 == 0 ? "secret" : text, store: "software",
            access: number & 2 == 0 ? "biometryAny" : text, strength: number & 3, reuse: 0,
            bootBound: 0, simulated: 0, created: number, generation: number, wrapped: bytes,
            recovery: number & 4 == 0 ? nil : part(2), withdrawn: number & 7, publicHalf: nil,
            code: part(3))
        precondition((try? StoredKey(stored, of: subject, key: key)) == nil, "a key of nobody's")
        let print = VaultTables.PrintRow(
            id: part(0), finger: number & 1 == 0 ? "left-thumb" : text, driver: text,
            device: text, port: StoredPort(kind: text, path: text, removable: number & 1),
            enrolled: number, simulated: number & 1, onChip: 0, sealed: bytes)
        if let record = try? PrintRecord(print) {
            precondition(
                (try? record.opened(of: subject, under: key)) == nil, "a print of nobody's")
        }
    }
}
