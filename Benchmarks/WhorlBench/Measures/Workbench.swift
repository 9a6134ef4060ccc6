/// Where everything is that the measurements need.
struct Workbench {
    /// The folder of the C programs and of `hello`.
    let programs: String
    /// The command.
    let whorl: String
    /// This program, whose contestants are children of it.
    let bench: String
    /// An empty folder with a short path, for sockets.
    let sockets: String
    /// An empty folder on a disk, for stores.
    let disk: String
    /// An empty folder in memory, for stores; nil where the machine has none.
    let memory: String?

    func program(_ name: String) -> String { "\(programs)/\(name)" }

    /// A contestant of Whorl's own.
    func whorl(_ arguments: String...) async throws -> Runner {
        try await Runner([bench] + arguments, socket: "\(sockets)/whorl")
    }

    /// The contestant that makes libfprint's calls from C.
    func libfprint(_ mode: String) async throws -> Runner {
        try await Runner([program("libfprint-verify"), mode], socket: "\(sockets)/libfprint")
    }

    /// The contestant that works on a row of SQLite with OpenSSL, from C.
    func row(_ mode: String, in file: String) async throws -> Runner {
        try await Runner([program("sealed-row"), mode, file])
    }
}
