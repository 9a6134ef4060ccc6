// error: 'CredentialProof' initializer is inaccessible due to 'internal' protection level
// Only a vault that checked a credential proves it.
import WhorlBiometrics
import WhorlKeys
import WhorlSecrets

func make(_ subject: Subject, _ secret: consuming SecretBytes) -> CredentialProof {
    CredentialProof(subject: subject, secret: secret)
}
