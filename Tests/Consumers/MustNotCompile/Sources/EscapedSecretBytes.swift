// error: a function cannot return a ~Escapable result
// The bytes of a secret cannot be carried out of the closure that they are lent to.
import WhorlSecrets

func leak(_ secret: borrowing SecretBytes) -> RawSpan { secret.withBytes { $0 } }
