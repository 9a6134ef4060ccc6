import Foundation

/// The built program.
enum Program {
    /// Its path: `WHORL_COMMAND`, or beside the tests.
    static let path: String = {
        let environment = ProcessInfo.processInfo.environment
        if let named = environment["WHORL_COMMAND"], !named.isEmpty { return named }
        let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var folder = URL(filePath: tests ?? "/").deletingLastPathComponent()
        while folder.path != "/" {
            let program = folder.appending(path: "whorl").path
            let attributes = try? FileManager.default.attributesOfItem(atPath: program)
            if attributes?[.type] as? FileAttributeType == .typeRegular { return program }
            folder.deleteLastPathComponent()
        }
        return "whorl"
    }()
}
