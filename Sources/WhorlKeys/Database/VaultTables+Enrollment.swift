import WhorlBiometrics
import WhorlDatabase

extension VaultTables {
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

    func removePrints(of subject: Subject) throws(VaultError) {
        _ = try database.perform { (database) throws(DatabaseError) in
            try database.run("DELETE FROM print WHERE subject = ?", .text(subject.name))
        }
    }
}
