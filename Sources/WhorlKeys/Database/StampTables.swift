import WhorlBiometrics
import WhorlDatabase

/// The tables of how old the store is, and all SQL about them.
struct StampTables {
    let database: StoreDatabase

    static let schema = DatabaseSchema(
        module: "store",
        steps: [
            """
            CREATE TABLE stamp (
                one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
                counter INTEGER NOT NULL
            ) STRICT;

            CREATE TABLE restored_subject (
                subject TEXT NOT NULL PRIMARY KEY,
                restoration TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            """
        ])

    /// How often the store was written; nil where it has no stamp yet.
    func counter() throws(VaultError) -> Int64? {
        try database.perform { (database) throws(DatabaseError) in
            try database.row("SELECT counter FROM stamp") { (row) throws(DatabaseError) in
                try row.integer(0)
            }
        }
    }

    func setCounter(_ counter: Int64) throws(VaultError) {
        _ = try database.perform { (database) throws(DatabaseError) in
            try database.run(
                """
                INSERT INTO stamp (one, counter) VALUES (1, ?)
                ON CONFLICT (one) DO UPDATE SET counter = excluded.counter
                """, .integer(counter))
        }
    }

    /// Counts one more write; nil where the store has no stamp.
    func advance() throws(VaultError) -> Int64? {
        try database.perform { (database) throws(DatabaseError) in
            try database.row("UPDATE stamp SET counter = counter + 1 RETURNING counter") {
                (row) throws(DatabaseError) in try row.integer(0)
            }
        }
    }

    /// Records of every subject that the store was put back.
    func noteRestoration(_ restoration: StoreRestoration) throws(VaultError) {
        _ = try database.perform { (database) throws(DatabaseError) in
            try database.run(
                """
                INSERT OR REPLACE INTO restored_subject (subject, restoration)
                SELECT name, ? FROM subject
                """, .text(restoration.rawValue))
        }
    }

    func restoration(of subject: Subject) throws(VaultError) -> StoreRestoration? {
        let found = try database.perform { (database) throws(DatabaseError) in
            try database.row(
                "SELECT restoration FROM restored_subject WHERE subject = ?", .text(subject.name)
            ) { (row) throws(DatabaseError) in try row.text(0) }
        }
        // A word that nobody knows still says that something was put back.
        return found.map { StoreRestoration(rawValue: $0) ?? .unknown }
    }

    func forgetRestoration(of subject: Subject) throws(VaultError) {
        _ = try database.perform { (database) throws(DatabaseError) in
            try database.run(
                "DELETE FROM restored_subject WHERE subject = ?", .text(subject.name))
        }
    }
}
