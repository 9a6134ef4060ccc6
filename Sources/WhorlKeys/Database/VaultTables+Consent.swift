import WhorlBiometrics
import WhorlDatabase

extension VaultTables {
    /// When a subject declined, in seconds since 1970.
    func declinedConsent(of subject: Subject) throws(VaultError) -> Int64? {
        try database.perform { (database) throws(DatabaseError) in
            try database.row(
                "SELECT declined FROM declined_consent WHERE subject = ?", .text(subject.name)
            ) { (row) throws(DatabaseError) in try row.integer(0) }
        }
    }

    func writeDeclinedConsent(of subject: Subject, at unixTime: Int64) throws(VaultError) {
        _ = try database.perform { (database) throws(DatabaseError) in
            try database.run(
                """
                INSERT INTO declined_consent (subject, declined) VALUES (?, ?)
                ON CONFLICT (subject) DO UPDATE SET declined = excluded.declined
                """, .text(subject.name), .integer(unixTime))
        }
    }

    func removeDeclinedConsent(of subject: Subject) throws(VaultError) {
        _ = try database.perform { (database) throws(DatabaseError) in
            try database.run(
                "DELETE FROM declined_consent WHERE subject = ?", .text(subject.name))
        }
    }
}
