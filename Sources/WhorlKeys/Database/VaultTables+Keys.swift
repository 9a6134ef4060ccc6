import WhorlBiometrics
import WhorlDatabase

extension VaultTables {
    struct KeyRow {
        let id: [UInt8]
        let name: String
        let kind: String
        let store: String
        let access: String
        let strength: Int64
        let reuse: Int64
        let bootBound: Int64
        let simulated: Int64
        let created: Int64
        let generation: Int64
        let wrapped: [UInt8]
        let recovery: [UInt8]?
        let withdrawn: Int64
        let publicHalf: [UInt8]?
        let code: [UInt8]
    }

    private static func keyRow(_ row: borrowing Row) throws(DatabaseError) -> KeyRow {
        KeyRow(
            id: try row.blob(0), name: try row.text(1), kind: try row.text(2),
            store: try row.text(3), access: try row.text(4), strength: try row.integer(5),
            reuse: try row.integer(6), bootBound: try row.integer(7),
            simulated: try row.integer(8), created: try row.integer(9),
            generation: try row.integer(10), wrapped: try row.blob(11),
            recovery: row.isNull(12) ? nil : try row.blob(12), withdrawn: try row.integer(13),
            publicHalf: row.isNull(14) ? nil : try row.blob(14), code: try row.blob(15))
    }

    func keys(of subject: Subject) throws(VaultError) -> [KeyRow] {
        try database.perform { (database) throws(DatabaseError) in
            try database.rows(
                """
                SELECT id, name, kind, store, access, strength, reuse, boot_bound, simulated,
                    created, generation, wrapped, recovery, withdrawn, public_half, code
                FROM wrapped_key WHERE subject = ? ORDER BY name
                """, .text(subject.name)
            ) { (row) throws(DatabaseError) in try Self.keyRow(row) }
        }
    }

    func key(_ name: KeyName, of subject: Subject) throws(VaultError) -> KeyRow? {
        try database.perform { (database) throws(DatabaseError) in
            try database.row(
                """
                SELECT id, name, kind, store, access, strength, reuse, boot_bound, simulated,
                    created, generation, wrapped, recovery, withdrawn, public_half, code
                FROM wrapped_key WHERE subject = ? AND name = ?
                """, .text(subject.name), .text(name.text)
            ) { (row) throws(DatabaseError) in try Self.keyRow(row) }
        }
    }

    func payload(of key: KeyID) throws(VaultError) -> [UInt8]? {
        try database.perform { (database) throws(DatabaseError) in
            try database.row("SELECT payload FROM wrapped_key WHERE id = ?", .blob(key.bytes)) {
                (row) throws(DatabaseError) in try row.blob(0)
            }
        }
    }

    func insert(_ row: KeyRow, of subject: Subject, payload: [UInt8]) throws(VaultError) {
        _ = try database.perform { (database) throws(DatabaseError) in
            try database.run(
                """
                INSERT INTO wrapped_key
                    (id, subject, name, kind, store, access, strength, reuse, boot_bound,
                     simulated, created, generation, wrapped, recovery, withdrawn, public_half,
                     code, payload)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, .blob(row.id), .text(subject.name), .text(row.name), .text(row.kind),
                .text(row.store), .text(row.access), .integer(row.strength),
                .integer(row.reuse), .integer(row.bootBound), .integer(row.simulated),
                .integer(row.created), .integer(row.generation), .blob(row.wrapped),
                .optional(row.recovery), .integer(row.withdrawn), .optional(row.publicHalf),
                .blob(row.code), .blob(payload))
        }
    }

    /// Writes a key's row anew, without its payload.
    func update(_ row: KeyRow) throws(VaultError) {
        let count = try database.perform { (database) throws(DatabaseError) in
            try database.run(
                """
                UPDATE wrapped_key SET generation = ?, wrapped = ?, recovery = ?, withdrawn = ?,
                    public_half = ?, code = ?
                WHERE id = ?
                """, .integer(row.generation), .blob(row.wrapped), .optional(row.recovery),
                .integer(row.withdrawn), .optional(row.publicHalf), .blob(row.code),
                .blob(row.id))
        }
        guard count == 1 else { throw .noSuchKey }
    }

    /// Removes a key.
    ///
    /// - Returns: Whether it was there.
    func removeKey(_ id: KeyID) throws(VaultError) -> Bool {
        try database.perform { (database) throws(DatabaseError) in
            try database.run("DELETE FROM wrapped_key WHERE id = ?", .blob(id.bytes)) == 1
        }
    }
}
