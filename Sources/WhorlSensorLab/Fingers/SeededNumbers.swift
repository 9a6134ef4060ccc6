internal import Glibc

// SplitMix64 (Steele, Lea and Flood, 2014). Not the system's generator: a seed must give the same
// finger on every machine and with every version of the standard library.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64, stream: UInt64) {
        state = seed &* 0xD1B5_4A32_D192_ED03 ^ stream &* 0xABC9_8388_FB8F_AC03
        _ = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, not including, 1.
    mutating func fraction() -> Float {
        Float(next() >> 40) * 0x1p-24
    }

    mutating func uniform(_ range: ClosedRange<Float>) -> Float {
        range.lowerBound + fraction() * (range.upperBound - range.lowerBound)
    }

    /// A normal deviate (Box and Muller), cut off at three standard deviations.
    mutating func normal(_ deviation: Float) -> Float {
        let radius = (-2 * log(1 - fraction())).squareRoot()
        let value = radius * cos(2 * .pi * fraction())
        return min(max(value, -3), 3) * deviation
    }
}
