// error: 'mint' is borrowed and cannot be consumed
// There is no second maker of grants.
import WhorlKeys

func copy(_ mint: borrowing GrantMint) -> GrantMint { mint }
