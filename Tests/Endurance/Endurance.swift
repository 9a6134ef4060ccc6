import Testing

/// What a store goes through without losing anything.
///
/// One after the other: each of these tests keeps all of the machine busy by itself.
@Suite(.serialized, .timeLimit(.minutes(10)))
enum Endurance {}
