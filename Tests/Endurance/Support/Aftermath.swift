import WhorlBiometrics
import WhorlDatabase
import WhorlKeys
import WhorlStoreLoad

/// Looks at a store after something happened to it, and says what is wrong.
///
/// It must open; each key that was there must open by every way that it has, and by no other; what
/// was cut off is there whole or not at all; no failed attempt is forgotten; and work goes on.
struct Aftermath {
    let folder: StoreFolder
    let transcript: Transcript

    func complaints() async throws -> [String] {
        var found = transcript.complaints
        found += try counts()
        var isPending = false
        var world = World()
        var owner = folder.owner
        let keys = [owner.recoveryKey] + transcript.deliveredKeys
        do {
            let examiner = try await Examiner.open(folder, owner)
            let pins = Set(transcript.worlds.map(\.pin))
            guard let known = await examiner.findOwner(pins: pins, keys: keys) else {
                return found + ["no PIN and recovery key is right"]
            }
            owner = known
            world.pin = known.pin
            world.recoveryKey = keys.firstIndex(of: known.recoveryKey) ?? -1
            let enrollment = try await examiner.vault.enrollment(of: Examiner.subject)
            isPending = enrollment.isPending
            world.fingers = Set(enrollment.prints.map { $0.finger == .leftThumb ? .thumb : .own })
            for print in enrollment.prints {
                _ = try await examiner.vault.print(print.id, of: Examiner.subject)
            }
            for info in try await examiner.vault.keys(of: Examiner.subject) {
                found += await look(at: info, with: examiner, isPending, into: &world)
            }
        }
        if isPending, transcript.inFlight?.isEnrollment != true {
            found.append("a mark of an enrolment stands, and none was cut off")
        }
        let expected = transcript.worlds
        if !expected.contains(where: { $0.holdsTheSame(as: world) }) {
            found.append("the store holds \(world), and must hold one of \(expected)")
        }
        return found + (try await work(in: world, owner, isPending: isPending))
    }

    // MARK: Counts

    private func counts() throws -> [String] {
        let database = try Database(
            inFolder: folder.path, named: StoreTemplate.database, create: false)
        try database.checkIntegrity()
        let counts = try database.row(
            "SELECT failures, credential_failures FROM attempts WHERE subject = ?",
            .text(Examiner.subject.name)
        ) { row throws(DatabaseError) in (try row.integer(0), try row.integer(1)) }
        let (failures, wrongPins) = counts ?? (0, 0)
        var found: [String] = []
        let least = transcript.worlds
        if let least = least.map(\.failures).min(), failures < least {
            found.append("of \(least) failed attempts \(failures) are left")
        }
        if let least = least.map(\.wrongPins).min(), wrongPins < least {
            found.append("of \(least) wrong PINs \(wrongPins) are left")
        }
        return found
    }

    // MARK: Keys

    private func look(
        at info: KeyInfo, with examiner: Examiner, _ isPending: Bool, into world: inout World
    ) async -> [String] {
        let name = info.name
        guard let ways = StoreOperation.KeyWays.allCases.first(where: { $0.access == info.access }),
            case .opened(let version) = await examiner.open(name, by: .recovery)
        else { return ["\(name) does not open with the recovery key"] }
        let key = World.Key(version: version, ways: ways, isAlive: info.state == .open)
        world.keys[name.text] = key
        var found: [String] = []
        for way in [.finger, .pin, .both] as [Examiner.Way] {
            let answer = await examiner.open(name, by: way)
            let expected = key.answer(to: way, isPending: isPending)
            let isRight =
                switch (expected, answer) {
                // Whichever refusal it is, it is one.
                case (.none, .refused): true
                case (.some(let expected), _): answer == expected
                case (.none, _): false
                }
            if !isRight {
                found.append(
                    "\(name) (\(ways), alive: \(key.isAlive)) answers \(answer) to \(way)")
            }
        }
        return found
    }

    // MARK: Work

    private func work(
        in start: World, _ owner: OwnerSecrets, isPending: Bool
    ) async throws -> [String] {
        var world = start
        var found: [String] = []
        let session = try await StoreSession.open(folder.path, owner)
        func expect(_ operation: StoreOperation, _ expected: Outcome) async {
            let outcome = await session.perform(operation)
            if outcome != expected {
                found.append("then \(operation.argument) is answered with \(outcome.argument)")
            }
        }
        if isPending {
            await expect(.get("any", by: .own), .refused("step-up-due"))
            await expect(.get("any", by: .pin), .opened(version: 1))
            // Nobody knows what became of the set, so what was bound to it is dead.
            world.killBoundKeys()
        }
        await expect(.unlock, .done)
        if isPending {
            let examiner = try await Examiner.open(folder, owner)
            var now = World()
            for info in try await examiner.vault.keys(of: Examiner.subject) {
                found += await look(at: info, with: examiner, false, into: &now)
            }
            if now.keys != world.keys { found.append("after the mark it holds \(now.keys)") }
        }
        await expect(.get("any", by: .own), .opened(version: 1))
        await expect(.put("after", version: 7, .current), .done)
        await expect(.get("after", by: .own), .opened(version: 7))
        return found
    }
}

extension World {
    /// Whether two stores hold the same, whatever was counted.
    fileprivate func holdsTheSame(as other: World) -> Bool {
        keys == other.keys && fingers == other.fingers && pin == other.pin
            && recoveryKey == other.recoveryKey
    }
}

extension World.Key {
    /// What a way answers; nil for a refusal of any kind.
    func answer(to way: Examiner.Way, isPending: Bool) -> Examiner.Answer? {
        let opened = Examiner.Answer.opened(version: version)
        let finger: Examiner.Answer =
            isPending
            ? .refused(.authentication(.stepUpDue)) : isAlive ? opened : .refused(.keyInvalidated)
        switch (ways, way) {
        case (_, .recovery): return opened
        case (.current, .finger), (.any, .finger), (.finger, .finger), (.finger, .both):
            return finger
        case (.current, _), (.any, _), (.pin, .pin): return opened
        case (.both, .both): return finger
        // A simulated finger is in the way of a key that was made with none.
        case (.pin, _), (.both, _), (.finger, .pin): return nil
        }
    }
}
