/// The tables of one module, as steps from nothing to the newest version.
///
/// Each module keeps its steps and all its SQL in one file. A step that was ever released is never
/// changed; a new version is a new step at the end.
public struct DatabaseSchema: Sendable {
    /// The name under which the module's version is kept.
    public let module: String

    /// The script of each version, from 1 on.
    public let steps: [String]

    static let versionTable = """
        CREATE TABLE whorl_schema (
            module TEXT NOT NULL PRIMARY KEY,
            version INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """

    /// Names the tables of a module.
    ///
    /// - Parameters:
    ///   - module: The name under which the module's version is kept.
    ///   - steps: The script of each version, from 1 on; several statements each.
    public init(module: String, steps: [String]) {
        self.module = module
        self.steps = steps
    }
}

extension Database {
    /// Brings the tables of modules to the versions that this program knows.
    ///
    /// Each step is one transaction: killed at any instant, a module has one version or the next.
    /// There is no way back.
    ///
    /// - Parameter schemas: The tables of each module.
    /// - Throws: ``DatabaseError/newerSchema(module:found:known:)`` if a module's version is newer
    ///   than known, before anything is changed; `damaged` for a version that cannot be; other
    ///   ``DatabaseError``s.
    public func migrate(_ schemas: [DatabaseSchema]) throws(DatabaseError) {
        for schema in schemas { _ = try version(of: schema) }
        for schema in schemas {
            // Told again by the lock's holder in each step: another process may be at it too.
            while try version(of: schema) < schema.steps.count {
                try atomically { () throws(DatabaseError) in
                    let version = try version(of: schema)
                    guard version < schema.steps.count else { return }
                    try runScript(schema.steps[version])
                    try run(
                        """
                        INSERT INTO whorl_schema (module, version) VALUES (?, ?)
                        ON CONFLICT (module) DO UPDATE SET version = excluded.version
                        """, .text(schema.module), .integer(Int64(version + 1)))
                }
            }
        }
    }

    private func version(of schema: DatabaseSchema) throws(DatabaseError) -> Int {
        let stored = try row(
            "SELECT version FROM whorl_schema WHERE module = ?", .text(schema.module)
        ) { row throws(DatabaseError) in try row.integer(0) }
        guard let stored else { return 0 }
        guard stored > 0, let version = Int(exactly: stored) else { throw .wrongType }
        guard version <= schema.steps.count else {
            throw .newerSchema(
                module: schema.module, found: version, known: schema.steps.count)
        }
        return version
    }
}
