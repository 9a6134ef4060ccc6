// error: 'secret' is borrowed and cannot be consumed
// A secret cannot be copied.
import WhorlSecrets

func copy(_ secret: borrowing SecretBytes) -> SecretBytes { secret }
