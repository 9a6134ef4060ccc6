import Glibc
import WhorlCrypto
import WhorlSecrets

/// Which machine this is, in a form that names it to nobody else.
///
/// It is made from `/etc/machine-id` as `sd_id128_get_machine_app_specific` makes it: HMAC-SHA256 of
/// this program's id under the machine's, cut to 16 bytes and marked as a random UUID. A machine that
/// is installed anew is another one.
enum MachineIdentity {
    // 7b3e0d5c-91f4-4c0a-b6a8-2f6d1e8c5a47, drawn once for this purpose.
    private static let application: [UInt8] = [
        0x7B, 0x3E, 0x0D, 0x5C, 0x91, 0xF4, 0x4C, 0x0A, 0xB6, 0xA8, 0x2F, 0x6D, 0x1E, 0x8C, 0x5A,
        0x47,
    ]

    /// 16 bytes; empty where the machine has no id.
    static func current(file: String = "/etc/machine-id") -> [UInt8] {
        guard let id = machineID(file: file) else { return [] }
        return (try? derived(from: id)) ?? []
    }

    static func derived(from id: [UInt8]) throws(CryptoError) -> [UInt8] {
        let key: SecretBytes
        do throws(SecretMemoryError) {
            key = try SecretBytes(copying: id.span)
        } catch {
            throw .memory(error)
        }
        var identity = Array(
            try HMACSHA256.authenticationCode(for: application, key: key).prefix(16))
        identity[6] = identity[6] & 0x0F | 0x40
        identity[8] = identity[8] & 0x3F | 0x80
        return identity
    }

    // 32 hexadecimal digits and a newline; `uninitialized` in an image that never booted.
    private static func machineID(file: String) -> [UInt8]? {
        let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var text = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(descriptor, &text, text.count)
        guard count >= 32 else { return nil }
        var id: [UInt8] = []
        for index in stride(from: 0, to: 32, by: 2) {
            guard let high = digit(text[index]), let low = digit(text[index + 1]) else {
                return nil
            }
            id.append(high << 4 | low)
        }
        return id
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
