internal import Glibc

// The ridges of a finger, as a wave whose phase has a smooth part that makes the pattern (arch, loop
// or whorl) and a spiral for each minutia. Source of the model: Larkin and Fletcher, "A coherent
// framework for fingerprint analysis: are fingerprints holograms?", Optics Express 15 (2007).
struct RidgePattern {
    private enum Kind {
        case arch
        case loop
        case whorl
    }

    private struct Minutia {
        let x: Double
        let y: Double
        // Which way the phase winds: +1 or -1.
        let winding: Double
    }

    private struct Ripple {
        let x: Float
        let y: Float
        let start: Float
        let height: Float
    }

    private let kind: Kind
    private let core: (x: Float, y: Float)
    private let tilt: (sine: Float, cosine: Float)
    private let period: Float
    private let stretch: Float
    private let ripples: [Ripple]
    private let minutiae: [Minutia]

    private static let count = 60
    private static let spacing: Float = 22

    init(seed: UInt64, side: Float) {
        var numbers = SeededNumbers(seed: seed, stream: 0)
        let kinds: [Kind] = [.loop, .whorl, .arch]
        kind = kinds[Int(seed % 3)]
        core = (side / 2 + numbers.normal(12), side / 2 - 20 + numbers.normal(15))
        let angle = numbers.normal(0.3)
        tilt = (sin(angle), cos(angle))
        period = numbers.uniform(8.4...9.8)
        stretch = numbers.uniform(1.0...1.35)
        ripples = (0..<6).map { _ in
            let direction = numbers.uniform(0...(2 * .pi))
            let wave = 2 * Float.pi / numbers.uniform(90...200)
            return Ripple(
                x: wave * cos(direction), y: wave * sin(direction),
                start: numbers.uniform(0...(2 * .pi)), height: numbers.uniform(1...4))
        }
        minutiae = Self.scatter(&numbers, side: side)
    }

    // Random places no nearer to each other than `spacing`; the windings alternate, so that the
    // ridges stay level far away.
    private static func scatter(_ numbers: inout SeededNumbers, side: Float) -> [Minutia] {
        var found: [Minutia] = []
        for _ in 0..<4000 where found.count < count {
            let (x, y) = (numbers.uniform(20...(side - 20)), numbers.uniform(20...(side - 20)))
            let isFree = found.allSatisfy { other in
                let (right, down) = (Float(other.x) - x, Float(other.y) - y)
                return right * right + down * down >= spacing * spacing
            }
            guard isFree else { continue }
            let winding: Double = found.count % 2 == 0 ? 1 : -1
            found.append(Minutia(x: Double(x), y: Double(y), winding: winding))
        }
        return found
    }

    /// The height of the ridge: 1 on its crest, -1 in the valley.
    func ridge(_ x: Float, _ y: Float) -> Float {
        var height: Float = 0
        for ripple in ripples {
            height += ripple.height * sin(ripple.x * x + ripple.y * y + ripple.start)
        }
        let phase = 2 * .pi * (distance(x - core.x, y - core.y) + height) / period
        // exp(i phase) times (right + i down) or its conjugate for each minutia: their angles add
        // up, with no arc tangent. A Double holds the product of all lengths.
        var real = Double(cos(phase))
        var imaginary = Double(sin(phase))
        for minutia in minutiae {
            let right = Double(x) - minutia.x
            let down = (Double(y) - minutia.y) * minutia.winding
            (real, imaginary) = (
                real * right - imaginary * down, real * down + imaginary * right
            )
        }
        let length = (real * real + imaginary * imaginary).squareRoot()
        return length > 0 ? Float(real / length) : 1
    }

    // How many pixels of ridges lie between the core and here.
    private func distance(_ right: Float, _ down: Float) -> Float {
        let x = (right * tilt.cosine + down * tilt.sine) * stretch
        let y = down * tilt.cosine - right * tilt.sine
        switch kind {
        case .arch: return y - 36 * exp(-(x * x) / 7200) / (1 + exp(y / 60))
        case .loop: return y > 0 ? abs(x) : (x * x + y * y).squareRoot()
        case .whorl: return (x * x + y * y).squareRoot()
        }
    }
}
