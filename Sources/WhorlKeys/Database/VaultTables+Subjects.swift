import WhorlBiometrics
import WhorlDatabase

extension VaultTables {
    struct SubjectRow {
        let version: Int64
        let account: String
        let consentState: String
        let consent: Int64
        let disabled: Int64
        let salt: [UInt8]
        let cost: Int64
        let blockSize: Int64
        let parallelization: Int64
        let credential: [UInt8]
        let recovery: [UInt8]
        let code: [UInt8]
    }

    func subject(_ subject: Subject) throws(VaultError) -> SubjectRow? {
        try database.perform { (database) throws(DatabaseError) in
            try database.row(
                """
                SELECT version, account, consent_state, consent, disabled, salt, cost, block_size,
                    parallelization, credential, recovery, code
                FROM subject WHERE name = ?
                """, .text(subject.name)
            ) { (row) throws(DatabaseError) in
                SubjectRow(
                    version: try row.integer(0), account: try row.text(1),
                    consentState: try row.text(2), consent: try row.integer(3),
                    disabled: try row.integer(4), salt: try row.blob(5),
                    cost: try row.integer(6), blockSize: try row.integer(7),
                    parallelization: try row.integer(8), credential: try row.blob(9),
                    recovery: try row.blob(10), code: try row.blob(11))
            }
        }
    }

    /// The name of every subject who is set up, in order.
    func subjectNames() throws(VaultError) -> [String] {
        try database.perform { (database) throws(DatabaseError) in
            try database.rows("SELECT name FROM subject ORDER BY name") {
                (row) throws(DatabaseError) in try row.text(0)
            }
        }
    }

    /// Writes a subject's row, in the place of the one that was there.
    func write(_ record: SubjectRecord) throws(VaultError) {
        let row = record.row
        _ = try database.perform { (database) throws(DatabaseError) in
            try database.run(
                """
                INSERT INTO subject
                    (name, version, account, consent_state, consent, disabled, salt, cost,
                     block_size, parallelization, credential, recovery, code)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET
                    version = excluded.version, account = excluded.account,
                    consent_state = excluded.consent_state, consent = excluded.consent,
                    disabled = excluded.disabled, salt = excluded.salt, cost = excluded.cost,
                    block_size = excluded.block_size,
                    parallelization = excluded.parallelization,
                    credential = excluded.credential, recovery = excluded.recovery,
                    code = excluded.code
                """, .text(record.subject.name), .integer(row.version), .text(row.account),
                .text(row.consentState), .integer(row.consent), .integer(row.disabled),
                .blob(row.salt), .integer(row.cost), .integer(row.blockSize),
                .integer(row.parallelization), .blob(row.credential), .blob(row.recovery),
                .blob(row.code))
        }
    }

    /// Whether anything is stored under a subject's name but the subject itself.
    func hasBelongings(_ subject: Subject) throws(VaultError) -> Bool {
        let name = DatabaseValue.text(subject.name)
        return try database.perform { (database) throws(DatabaseError) in
            try database.row(
                """
                SELECT EXISTS (SELECT 1 FROM enrollment WHERE subject = ?)
                    OR EXISTS (SELECT 1 FROM print WHERE subject = ?)
                    OR EXISTS (SELECT 1 FROM wrapped_key WHERE subject = ?)
                """, name, name, name
            ) { (row) throws(DatabaseError) in try row.integer(0) } != 0
        }
    }
}
