// An umbrella that exports nothing would leave its clients with an empty module: whoever imports
// WhorlKit sees the vocabulary, the secrets and the session of its own process, and none of the
// modules below.
@_exported public import WhorlAuthentication
@_exported public import WhorlBiometrics
@_exported public import WhorlSecrets
