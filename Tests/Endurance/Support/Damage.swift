import WhorlBiometrics
import WhorlKeys
import WhorlStoreLoad

/// A store whose database is damaged again and again.
struct Damage: Sendable {
    let template: StoreTemplate
    let database: [UInt8]

    static func prepared() async throws -> Damage {
        let template = try await StoreTemplate.prepared(keys: [.current, .any, .pin])
        return Damage(template: template, database: template.files[StoreTemplate.database] ?? [])
    }

    /// What is wrong with how a store of these bytes is answered for.
    ///
    /// - Parameters:
    ///   - bytes: The database.
    ///   - damage: What was done to it.
    ///   - turn: Which of the ways is tried on which key; in four turns it is every one on each.
    /// - Returns: What is wrong.
    /// - Throws: Where the store cannot be copied.
    func complaints(
        with bytes: [UInt8], as damage: String, turn: Int
    ) async throws -> [String] {
        let folder = try template.copied()
        try folder.write(bytes, to: StoreTemplate.database)
        var found = await Self.answers(of: folder, template, turn)
        let now = folder.contents(of: StoreTemplate.database)
        if now != bytes { found.append("reading changed the file") }
        return found.map { "\(damage): \($0)" }
    }

    private static func answers(
        of folder: StoreFolder, _ template: StoreTemplate, _ turn: Int
    ) async -> [String] {
        var found: [String] = []
        do throws(VaultError) {
            let examiner = try await Examiner.open(folder, folder.owner)
            do throws(VaultError) {
                for info in try await examiner.vault.keys(of: Examiner.subject)
                where template.world.keys[info.name.text]?.ways.access != info.access {
                    found.append("a key is listed that was never made: \(info)")
                }
            } catch {}
            let ways = Examiner.Way.allCases
            for (index, name) in template.world.keys.keys.sorted().enumerated() {
                let way = ways[(turn + index) % ways.count]
                let answer = await examiner.open(try KeyName(checking: name), by: way)
                if case .refused = answer { continue }
                if answer != template.world.keys[name]?.answer(to: way, isPending: false) {
                    found.append("\(name) answers \(answer) to \(way)")
                }
            }
        } catch {
            // A store that does not open is an answer.
        }
        return found
    }

    /// What is wrong with a store that must be as it was at one of several times, or refuse.
    static func states(
        of folder: StoreFolder, allowed worlds: [World]
    ) async -> [String] {
        do throws(VaultError) {
            let examiner = try await Examiner.open(folder, folder.owner)
            var versions: [String: Int] = [:]
            for info in try await examiner.vault.keys(of: Examiner.subject) {
                for way in [.pin, .recovery] as [Examiner.Way] {
                    guard case .opened(let version) = await examiner.open(info.name, by: way) else {
                        return ["\(info.name) does not open by \(way)"]
                    }
                    versions[info.name.text] = version
                }
            }
            let isKnown = worlds.contains { $0.keys.mapValues(\.version) == versions }
            return isKnown ? [] : ["it holds \(versions)"]
        } catch {
            return []
        }
    }
}
