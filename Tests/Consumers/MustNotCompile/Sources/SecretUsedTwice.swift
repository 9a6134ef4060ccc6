// error: 'secret' consumed more than once
// A secret that was handed on is gone.
import WhorlSecrets

func take(_ secret: consuming SecretBytes) {}

func use() throws {
    let secret = try SecretBytes(randomCount: 32)
    take(secret)
    take(secret)
}
