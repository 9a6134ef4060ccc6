import WhorlBiometrics
import WhorlDatabase

extension VaultTables {
    /// What is stored under a subject's name, by the names in the rows, which nothing vouches for.
    func contents(of subject: Subject) throws(VaultError) -> (fingers: [String], keys: [String]) {
        try database.perform { (database) throws(DatabaseError) in
            let fingers = try database.rows(
                "SELECT finger FROM print WHERE subject = ? ORDER BY enrolled, id",
                .text(subject.name)
            ) { (row) throws(DatabaseError) in try row.text(0) }
            let keys = try database.rows(
                "SELECT name FROM wrapped_key WHERE subject = ? ORDER BY name",
                .text(subject.name)
            ) { (row) throws(DatabaseError) in try row.text(0) }
            return (fingers, keys)
        }
    }

    /// Removes everything that is stored under a subject's name.
    func removeEverything(of subject: Subject) throws(VaultError) {
        let name = DatabaseValue.text(subject.name)
        try database.perform { (database) throws(DatabaseError) in
            try database.run("DELETE FROM wrapped_key WHERE subject = ?", name)
            try database.run("DELETE FROM print WHERE subject = ?", name)
            try database.run("DELETE FROM enrollment WHERE subject = ?", name)
            try database.run("DELETE FROM declined_consent WHERE subject = ?", name)
            try database.run("DELETE FROM subject WHERE name = ?", name)
        }
    }

    /// Removes the vault's identity; nothing that it was made for may be left.
    func removeVault() throws(VaultError) {
        _ = try database.perform { (database) throws(DatabaseError) in
            try database.run("DELETE FROM vault")
        }
    }
}
