// error: 'grant' consumed more than once
// A grant opens one thing once.
import WhorlKeys

func use(_ grant: consuming Grant) {}

func open(with grant: consuming Grant) {
    use(grant)
    use(grant)
}
