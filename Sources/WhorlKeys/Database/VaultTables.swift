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
            """,
            """
            ALTER TABLE subject ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
            ALTER TABLE subject ADD COLUMN account TEXT NOT NULL DEFAULT '';
            ALTER TABLE subject ADD COLUMN consent_state TEXT NOT NULL DEFAULT 'given';
            ALTER TABLE subject ADD COLUMN disabled INTEGER NOT NULL DEFAULT 0;

            ALTER TABLE wrapped_key ADD COLUMN withdrawn INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE wrapped_key ADD COLUMN public_half BLOB;

            CREATE TABLE declined_consent (
                subject TEXT NOT NULL PRIMARY KEY,
                declined INTEGER NOT NULL
            ) STRICT;
            """,
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
}
