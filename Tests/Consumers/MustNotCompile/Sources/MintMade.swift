// error: 'GrantMint' initializer is inaccessible due to 'fileprivate' protection level
// Nobody but an opened vault makes a mint.
import WhorlKeys

func forge() -> GrantMint { GrantMint(vaultID: []) }
