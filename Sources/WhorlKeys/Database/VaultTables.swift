import WhorlBiometrics
import WhorlCrypto
import WhorlDatabase

/// The vault's tables: all SQL of this module, and rows as plain values that nothing vouches for.
struct VaultTables: Sendable {
    let database: StoreDatabase

    static let schema = DatabaseSchema(
        module: "vault",
        steps: [
            """
            CREATE TABLE vault (
                one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
                id BLOB NOT NULL,
                code BLOB NOT NULL
            ) STRICT;

            CREATE TABLE subject (
                name TEXT NOT NULL PRIMARY KEY,
                consent INTEGER NOT NULL,
                salt BLOB NOT NULL,
                cost INTEGER NOT NULL,
                block_size INTEGER NOT NULL,
                parallelization INTEGER NOT NULL,
                credential BLOB NOT NULL,
                recovery BLOB NOT NULL,
                code BLOB NOT NULL
            ) STRICT;

            CREATE TABLE enrollment (
                subject TEXT NOT NULL PRIMARY KEY REFERENCES subject (name),
                generation INTEGER NOT NULL,
                pending INTEGER NOT NULL,
                code BLOB NOT NULL
            ) STRICT;

            CREATE TABLE print (
                id BLOB NOT NULL PRIMARY KEY,
                subject TEXT NOT NULL REFERENCES subject (name),
                finger TEXT NOT NULL,
                driver TEXT NOT NULL,
                device TEXT NOT NULL,
                port_kind TEXT NOT NULL,
                port_path TEXT NOT NULL,
                port_removable INTEGER NOT NULL,
                enrolled INTEGER NOT NULL,
                simulated INTEGER NOT NULL,
                on_chip INTEGER NOT NULL,
                sealed BLOB NOT NULL
            ) STRICT;
            CREATE INDEX print_by_subject ON print (subject);

            CREATE TABLE wrapped_key (
                id BLOB NOT NULL PRIMARY KEY,
                subject TEXT NOT NULL REFERENCES subject (name),
                name TEXT NOT NULL,
                kind TEXT NOT NULL,
                store TEXT NOT NULL,
                access TEXT NOT NULL,
                strength INTEGER NOT NULL,
                reuse INTEGER NOT NULL,
                boot_bound INTEGER NOT NULL,
                simulated INTEGER NOT NULL,
                created INTEGER NOT NULL,
                generation INTEGER NOT NULL,
                wrapped BLOB NOT NULL,
                recovery BLOB,
                code BLOB NOT NULL,
                payload BLOB NOT NULL,
                UNIQUE (subject, name)
            ) STRICT;
            """
        ])

    // MARK: The vault

    func vault() throws(VaultError) -> (id: [UInt8], code: [UInt8])? {
        try database.perform { (database) throws(DatabaseError) in
            try database.row("SELECT id, code FROM vault") { (row) throws(DatabaseError) in
                (try row.blob(0), try row.blob(1))
            }
        }
    }

    func insertVault(id: [UInt8], code: [UInt8]) throws(VaultError) {
        _ = try database.perform { (database) throws(DatabaseError) in
            try database.run(
                "INSERT INTO vault (one, id, code) VALUES (1, ?, ?)", .blob(id), .blob(code))
        }
    }

    /// Whether anything is stored at all.
    func isInUse() throws(VaultError) -> Bool {
        try database.perform { (database) throws(DatabaseError) in
            try database.row(
                """
                SELECT EXISTS (SELECT 1 FROM subject) OR EXISTS (SELECT 1 FROM enrollment)
                    OR EXISTS (SELECT 1 FROM print) OR EXISTS (SELECT 1 FROM wrapped_key)
                """
            ) { (row) throws(DatabaseError) in try row.integer(0) } != 0
        }
    }

    // MARK: Subjects

    struct SubjectRow {
        let consent: Int64
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
                SELECT consent, salt, cost, block_size, parallelization, credential, recovery, code
                FROM subject WHERE name = ?
                """, .text(subject.name)
            ) { (row) throws(DatabaseError) in
                SubjectRow(
                    consent: try row.integer(0), salt: try row.blob(1),
                    cost: try row.integer(2), blockSize: try row.integer(3),
                    parallelization: try row.integer(4), credential: try row.blob(5),
                    recovery: try row.blob(6), code: try row.blob(7))
            }
        }
    }

    func insert(_ record: SubjectRecord) throws(VaultError) {
        _ = try database.perform { (database) throws(DatabaseError) in
            try database.run(
                """
                INSERT INTO subject
                    (name, consent, salt, cost, block_size, parallelization, credential, recovery,
                     code)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, .text(record.subject.name), .integer(record.consent), .blob(record.salt),
                .integer(Int64(record.parameters.cost)),
                .integer(Int64(record.parameters.blockSize)),
                .integer(Int64(record.parameters.parallelization)), .blob(record.credential),
                .blob(record.recovery.uncompressed), .blob(record.code))
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

    // MARK: Enrolment

    struct EnrollmentRow {
        let generation: Int64
        let pending: Int64
        let code: [UInt8]
    }

    func enrollment(of subject: Subject) throws(VaultError) -> EnrollmentRow? {
        try database.perform { (database) throws(DatabaseError) in
            try database.row(
                "SELECT generation, pending, code FROM enrollment WHERE subject = ?",
                .text(subject.name)
            ) { (row) throws(DatabaseError) in
                EnrollmentRow(
                    generation: try row.integer(0), pending: try row.integer(1),
                    code: try row.blob(2))
            }
        }
    }

    /// Writes the row of an enrolment; the rows of its prints are written by themselves.
    func write(_ record: EnrollmentRecord) throws(VaultError) {
        _ = try database.perform { (database) throws(DatabaseError) in
            try database.run(
                """
                INSERT INTO enrollment (subject, generation, pending, code) VALUES (?, ?, ?, ?)
                ON CONFLICT (subject) DO UPDATE SET
                    generation = excluded.generation, pending = excluded.pending,
                    code = excluded.code
                """, .text(record.subject.name), .integer(record.generation),
                .integer(record.isPending ? 1 : 0), .blob(record.code))
        }
    }

    struct PrintRow {
        let id: [UInt8]
        let finger: String
        let driver: String
        let device: String
        let port: StoredPort
        let enrolled: Int64
        let simulated: Int64
        let onChip: Int64
        let sealed: [UInt8]
    }

    func prints(of subject: Subject) throws(VaultError) -> [PrintRow] {
        try database.perform { (database) throws(DatabaseError) in
            try database.rows(
                """
                SELECT id, finger, driver, device, port_kind, port_path, port_removable, enrolled,
                    simulated, on_chip, sealed
                FROM print WHERE subject = ? ORDER BY enrolled, id
                """, .text(subject.name)
            ) { (row) throws(DatabaseError) in
                PrintRow(
                    id: try row.blob(0), finger: try row.text(1), driver: try row.text(2),
                    device: try row.text(3),
                    port: StoredPort(
                        kind: try row.text(4), path: try row.text(5),
                        removable: try row.integer(6)),
                    enrolled: try row.integer(7), simulated: try row.integer(8),
                    onChip: try row.integer(9), sealed: try row.blob(10))
            }
        }
    }

    func insert(_ record: PrintRecord, of subject: Subject) throws(VaultError) {
        let print = record.print
        let port = StoredPort(print.reader.port)
        _ = try database.perform { (database) throws(DatabaseError) in
            try database.run(
                """
                INSERT INTO print
                    (id, subject, finger, driver, device, port_kind, port_path, port_removable,
                     enrolled, simulated, on_chip, sealed)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, .blob(print.id.bytes), .text(subject.name), .text(print.finger.rawValue),
                .text(print.reader.driver), .text(print.reader.deviceID), .text(port.kind),
                .text(port.path), .integer(port.removable), .integer(print.enrolled),
                .integer(print.isSimulated ? 1 : 0), .integer(print.isStoredOnChip ? 1 : 0),
                .blob(record.sealed))
        }
    }

    func removePrint(_ id: PrintID) throws(VaultError) {
        _ = try database.perform { (database) throws(DatabaseError) in
            try database.run("DELETE FROM print WHERE id = ?", .blob(id.bytes))
        }
    }

    // MARK: Keys

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
        let code: [UInt8]
    }

    private static func keyRow(_ row: borrowing Row) throws(DatabaseError) -> KeyRow {
        KeyRow(
            id: try row.blob(0), name: try row.text(1), kind: try row.text(2),
            store: try row.text(3), access: try row.text(4), strength: try row.integer(5),
            reuse: try row.integer(6), bootBound: try row.integer(7),
            simulated: try row.integer(8), created: try row.integer(9),
            generation: try row.integer(10), wrapped: try row.blob(11),
            recovery: row.isNull(12) ? nil : try row.blob(12), code: try row.blob(13))
    }

    func keys(of subject: Subject) throws(VaultError) -> [KeyRow] {
        try database.perform { (database) throws(DatabaseError) in
            try database.rows(
                """
                SELECT id, name, kind, store, access, strength, reuse, boot_bound, simulated,
                    created, generation, wrapped, recovery, code
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
                    created, generation, wrapped, recovery, code
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
                     simulated, created, generation, wrapped, recovery, code, payload)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, .blob(row.id), .text(subject.name), .text(row.name), .text(row.kind),
                .text(row.store), .text(row.access), .integer(row.strength),
                .integer(row.reuse), .integer(row.bootBound), .integer(row.simulated),
                .integer(row.created), .integer(row.generation), .blob(row.wrapped),
                .optional(row.recovery), .blob(row.code), .blob(payload))
        }
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
