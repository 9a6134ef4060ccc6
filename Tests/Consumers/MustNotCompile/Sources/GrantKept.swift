// error: type 'Grant' does not conform to protocol 'Copyable'
// A grant cannot be kept where copies are made.
import WhorlKeys

func keep(_ grant: consuming Grant) -> [Grant] { [grant] }
