import WhorlDatabase

/// The tables of attempts, and all SQL about them.
enum AttemptTables {
    /// Steps that were released are never changed; a new version is a new step.
    static let schema = DatabaseSchema(module: "attempts", steps: [version1])

    private static let version1 = """
        CREATE TABLE attempts (
            subject TEXT NOT NULL PRIMARY KEY,
            failures INTEGER NOT NULL,
            has_open_charge INTEGER NOT NULL,
            locked_boot TEXT,
            locked_at INTEGER,
            credential_failures INTEGER NOT NULL,
            credential_boot TEXT,
            credential_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE approved_ports (
            subject TEXT NOT NULL,
            driver TEXT NOT NULL,
            device TEXT NOT NULL,
            port TEXT NOT NULL,
            PRIMARY KEY (subject, driver, device, port)
        ) STRICT, WITHOUT ROWID;
        """

    static let read = """
        SELECT failures, has_open_charge, locked_boot, locked_at,
            credential_failures, credential_boot, credential_at
        FROM attempts WHERE subject = ?
        """

    static let write = """
        INSERT OR REPLACE INTO attempts (
            subject, failures, has_open_charge, locked_boot, locked_at,
            credential_failures, credential_boot, credential_at
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """

    static let approve = """
        INSERT OR IGNORE INTO approved_ports (subject, driver, device, port) VALUES (?, ?, ?, ?)
        """

    static let forgetAttempts = "DELETE FROM attempts WHERE subject = ?"
    static let forgetPorts = "DELETE FROM approved_ports WHERE subject = ?"

    static let approved = """
        SELECT port FROM approved_ports WHERE subject = ? AND driver = ? AND device = ?
        """
}
