public import FoundationEssentials

// The modules below know no Foundation, and without these an error would print as "error 0".

extension AuthenticationError: LocalizedError {
    /// What happened and what to do.
    public var errorDescription: String? { sentence }
}

extension VaultError: LocalizedError {
    /// What happened and what to do.
    public var errorDescription: String? { sentence }
}

extension SecretMemoryError: LocalizedError {
    /// What happened and what to do.
    public var errorDescription: String? { description }
}
