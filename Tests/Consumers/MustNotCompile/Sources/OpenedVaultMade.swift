// error: 'OpenedVault' initializer is inaccessible due to 'internal' protection level
// A vault that is open already gives no second mint.
import WhorlKeys

func reopen(_ vault: Vault) -> OpenedVault { OpenedVault(vault) }
