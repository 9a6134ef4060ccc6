// error: 'grant' is borrowed and cannot be consumed
// A grant cannot be copied.
import WhorlKeys

func copy(_ grant: borrowing Grant) -> Grant { grant }
