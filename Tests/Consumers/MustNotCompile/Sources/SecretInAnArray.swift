// error: 'SecretBytes' does not conform to protocol 'Copyable'
// A secret does not go where copies are made.
import WhorlSecrets

func keep(_ secret: consuming SecretBytes) -> [SecretBytes] { [secret] }
