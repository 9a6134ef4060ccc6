public import WhorlBiometrics

/// The global options that choose store and reader.
public struct HostOptions: Sendable, Hashable {
    /// The store's folder, `--store`; nil for the usual one.
    public var storeFolder: String?
    /// Whether the service is not to be used, `--in-process` or `--store`.
    public var staysInProcess: Bool
    /// Which reader, `--reader`; nil for the best there is.
    public var reader: ReaderSelector?
    /// The class that simulated readers get in this process, `--allow-simulated`; nil for none.
    public var simulatedClass: Strength?
    /// The kind of key store, `--tpm`; nil for the one recorded at setup.
    public var keyStore: KeyStoreChoice?

    /// Makes options.
    public init(
        storeFolder: String? = nil, staysInProcess: Bool = false, reader: ReaderSelector? = nil,
        simulatedClass: Strength? = nil, keyStore: KeyStoreChoice? = nil
    ) {
        self.storeFolder = storeFolder
        self.staysInProcess = staysInProcess
        self.reader = reader
        self.simulatedClass = simulatedClass
        self.keyStore = keyStore
    }
}

/// Which kind of key store is meant by `--tpm`.
public enum KeyStoreChoice: Sendable, Hashable {
    /// Files of this machine: `--tpm none`.
    case software
    /// The TPM that a TCTI string leads to.
    case tpm(String)
}
