// What a stranger who holds a grant or an opened vault may do with it: hand it on, once.
import WhorlKeys

func use(_ grant: consuming Grant) {}
func keep(_ mint: consuming GrantMint) {}

func open(_ opened: consuming OpenedVault, with grant: consuming Grant) {
    keep(opened.takeMint())
    use(grant)
}
