import WhorlCrypto

extension ScryptParameters {
    /// Parameters that cost nothing, so that a test that gives a PIN does not wait.
    static var cheap: ScryptParameters {
        get throws { try ScryptParameters(cost: 16, blockSize: 1, parallelization: 1) }
    }
}
