import WhorlBiometrics

/// A wrapped key as it is stored, without its payload.
struct StoredKey {
    let attributes: KeyAttributes
    let wrapped: WrappedKey
    /// The payload key sealed to the recovery key's public half; nil without recovery.
    let recovery: [UInt8]?
    /// The ways that were taken from it since.
    let withdrawn: WithdrawnWays
    /// The public half of a signing key; nil for a secret.
    let publicHalf: [UInt8]?
    /// Shows that all of the row but the payload is as this store wrote it.
    let code: [UInt8]

    /// A key to be written.
    init(
        attributes: KeyAttributes, wrapped: WrappedKey, recovery: [UInt8]?,
        withdrawn: WithdrawnWays = [], publicHalf: [UInt8]? = nil,
        authenticatedBy key: StorageKey
    ) throws(VaultError) {
        self.attributes = attributes
        self.wrapped = wrapped
        self.recovery = recovery
        self.withdrawn = withdrawn
        self.publicHalf = publicHalf
        code = try key.authenticationCode(
            for: Self.message(attributes, wrapped.encoded, recovery, withdrawn, publicHalf))
    }

    /// A key that was read.
    ///
    /// - Throws: ``VaultError/damaged(_:)`` if it is not as it was written.
    init(_ row: VaultTables.KeyRow, of subject: Subject, key: StorageKey) throws(VaultError) {
        attributes = try Self.attributes(row, of: subject, vaultID: key.vaultID)
        recovery = row.recovery
        withdrawn = WithdrawnWays(rawValue: row.withdrawn)
        publicHalf = row.publicHalf
        code = row.code
        try key.check(
            code, of: Self.message(attributes, row.wrapped, recovery, withdrawn, publicHalf),
            naming: Self.words(attributes.name.text))
        wrapped = try WrappedKey(encoded: row.wrapped)
    }

    /// The attributes that a row claims, which nothing vouches for yet.
    static func attributes(
        _ row: VaultTables.KeyRow, of subject: Subject, vaultID: [UInt8]
    ) throws(VaultError) -> KeyAttributes {
        guard let id = KeyID(bytes: row.id), let name = try? KeyName(row.name),
            let kind = KeyKind(rawValue: row.kind), let store = StoreKind(rawValue: row.store),
            let access = try? AccessControl(parsing: row.access), access.description == row.access,
            let reuse = Int(exactly: row.reuse), let strength = Int(exactly: row.strength),
            (0...WithdrawnWays.all.rawValue).contains(row.withdrawn),
            (kind == .signing) == (row.publicHalf != nil),
            (0...1).contains(row.bootBound), (0...1).contains(row.simulated),
            (0...Strength.strong.rawValue).contains(strength)
        else { throw .damaged("\(words(row.name)) was changed") }
        return KeyAttributes(
            vaultID: vaultID, subject: subject, id: id, name: name, kind: kind, store: store,
            access: access, minimumStrength: Strength(rawValue: strength), reuseSeconds: reuse,
            isBootBound: row.bootBound == 1,
            hasRecovery: row.recovery != nil
                || WithdrawnWays(rawValue: row.withdrawn).contains(.recovery),
            isSimulated: row.simulated == 1, created: row.created, generation: row.generation)
    }

    /// Checks that it is of a kind.
    ///
    /// - Throws: ``VaultError/wrongKind(_:)`` with the kind that it is of.
    func check(isOf kind: KeyKind) throws(VaultError) {
        guard attributes.kind == kind else { throw .wrongKind(attributes.kind) }
    }

    // MARK: Ways

    /// Whether a way is closed for good.
    func isDead(_ way: AccessWay, at generation: Int64) -> Bool {
        attributes.isDead(way, at: generation, without: withdrawn)
    }

    /// What may be known of it.
    func info(at generation: Int64) -> KeyInfo {
        attributes.info(at: generation, without: withdrawn)
    }

    /// A key with what opening it takes.
    func record(at generation: Int64) -> KeyRecord {
        KeyRecord(
            id: attributes.id, info: info(at: generation),
            deadWays: Set(attributes.access.ways.filter { isDead($0, at: generation) }))
    }

    // MARK: Rows

    var row: VaultTables.KeyRow {
        VaultTables.KeyRow(
            id: attributes.id.bytes, name: attributes.name.text, kind: attributes.kind.rawValue,
            store: attributes.store.rawValue, access: attributes.access.description,
            strength: Int64(attributes.minimumStrength?.rawValue ?? 0),
            reuse: Int64(attributes.reuseSeconds), bootBound: attributes.isBootBound ? 1 : 0,
            simulated: attributes.isSimulated ? 1 : 0, created: attributes.created,
            generation: attributes.generation, wrapped: wrapped.encoded, recovery: recovery,
            withdrawn: withdrawn.rawValue, publicHalf: publicHalf, code: code)
    }

    private static func words(_ name: String) -> String { "the key \(DisplayText(name))" }

    private static func message(
        _ attributes: KeyAttributes, _ wrapped: [UInt8], _ recovery: [UInt8]?,
        _ withdrawn: WithdrawnWays, _ publicHalf: [UInt8]?
    ) -> CanonicalBytes {
        var bytes = CanonicalBytes("whorl/key-row/1")
        bytes.append(attributes.authenticated)
        bytes.append(wrapped)
        bytes.append(recovery != nil)
        bytes.append(recovery ?? [])
        // Left out where there is nothing to say, so that rows of schema 1 stay as they were.
        if !withdrawn.isEmpty {
            bytes.append("withdrawn")
            bytes.append(withdrawn.rawValue)
        }
        if let publicHalf {
            bytes.append("public half")
            bytes.append(publicHalf)
        }
        return bytes
    }
}
