// What a stranger may do with a secret: make it, lend its bytes, hand it on.
import WhorlSecrets

func lend(_ secret: borrowing SecretBytes) -> Int { secret.withBytes { $0.byteCount } }
func take(_ secret: consuming SecretBytes) {}

func use() throws {
    let secret = try SecretBytes(randomCount: 32)
    _ = lend(secret)
    take(secret)
}
