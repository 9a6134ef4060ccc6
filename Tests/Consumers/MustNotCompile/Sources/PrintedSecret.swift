// error: 'SecretBytes' does not conform to expected type 'Copyable'
// A secret cannot be printed, logged, or put into a message.
import WhorlSecrets

func show(_ secret: borrowing SecretBytes) { print(secret) }
