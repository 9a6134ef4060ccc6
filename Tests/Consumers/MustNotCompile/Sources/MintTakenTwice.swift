// error: 'opened' consumed more than once
// Opening a vault yields its mint once.
import WhorlKeys

func keep(_ mint: consuming GrantMint) {}

func take(_ opened: consuming OpenedVault) {
    keep(opened.takeMint())
    keep(opened.takeMint())
}
