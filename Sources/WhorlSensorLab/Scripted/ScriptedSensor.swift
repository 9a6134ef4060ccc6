internal import Synchronization
internal import WhorlBiometrics
internal import WhorlSecrets

// The sensor of a scripted reader: fingers are names, and prints are made of them.
final class ScriptedSensor: Sendable {
    private struct State {
        var isOpen = false
        var serial: UInt64 = 0
        var chip: [Print] = []
    }
    private let state = Mutex(State())
    let touches = TouchQueue()

    func close() { state.withLock { $0.isOpen = false } }

    func play(
        _ command: ReaderCommand, as description: ReaderDescription,
        in operation: ScriptedOperation
    ) async -> ReaderOutcome {
        if let refusal = refusal(of: command, by: description) { return .failed(refusal) }
        switch command {
        case .open, .close:
            state.withLock { $0.isOpen = command.word == "open" }
            return .done
        case .suspend, .resume: return .done
        case .enroll: return await enroll(as: description, in: operation)
        case .verify(let print): return await compare([print], in: operation)
        case .identify(let prints): return await compare(prints, in: operation)
        case .list: return .prints(state.withLock { $0.chip })
        case .delete(let print): return delete(print)
        case .clearStorage:
            state.withLock { $0.chip = [] }
            return .done
        default: return .failed(.readerUnsupported(.whorl("no script for \(command.word)")))
        }
    }

    private func refusal(
        of command: ReaderCommand, by description: ReaderDescription
    ) -> AuthenticationError? {
        let isOpen = state.withLock { $0.isOpen }
        let needed: ReaderFeatures
        switch command {
        case .open:
            return isOpen ? .readerMisused(.whorl("the reader is open already")) : nil
        case .verify: needed = .verify
        case .identify: needed = .identify
        case .list: needed = .storageList
        case .delete: needed = .storageDelete
        case .clearStorage: needed = .storageClear
        default: needed = []
        }
        guard isOpen else { return .readerMisused(.whorl("the reader is not open")) }
        guard description.features.isSuperset(of: needed) else {
            return .readerUnsupported(.whorl("the reader does no \(command.word)"))
        }
        return nil
    }

    private func enroll(
        as description: ReaderDescription, in operation: ScriptedOperation
    ) async -> ReaderOutcome {
        var enrolled: String?
        var completed = 0
        while completed < description.enrollStages {
            operation.send(.finger(.needed))
            guard let touch = await touches.next() else { return .cancelled }
            operation.send(.finger([.needed, .present]))
            switch touch {
            case .finger(let name) where enrolled == nil || enrolled == name:
                enrolled = name
                completed += 1
                operation.send(
                    .enrollStage(completed: completed, of: description.enrollStages))
            case .finger: operation.send(.hint(.poorQuality))
            case .bad(let hint): operation.send(.hint(hint))
            case .fault(let error): return .failed(error)
            }
            operation.send(.finger([]))
        }
        return makePrint(of: enrolled ?? "", onChip: description.features.contains(.storage))
    }

    private func compare(
        _ prints: [Print], in operation: ScriptedOperation
    ) async -> ReaderOutcome {
        operation.send(.finger(.needed))
        guard let touch = await touches.next() else { return .cancelled }
        operation.send(.finger([.needed, .present]))
        defer { operation.send(.finger([])) }
        switch touch {
        case .finger(let name):
            let index = prints.firstIndex { Self.finger(of: $0) == Array(name.utf8) }
            operation.send(.reported(match: index != nil))
            return index.map { .match(index: $0) } ?? .noMatch
        case .bad(let hint): return .retry(hint)
        case .fault(let error): return .failed(error)
        }
    }

    private func delete(_ print: Print) -> ReaderOutcome {
        state.withLock { state in
            let index = state.chip.firstIndex { $0.hasSameBytes(as: print) }
            guard let index else {
                return .failed(.printMissing(.whorl("that print is not on the chip")))
            }
            state.chip.remove(at: index)
            return .done
        }
    }

    // MARK: Prints

    private static let mark = Array("WHORL-LAB".utf8)
    private static let serialLength = 8

    // A serial number makes two enrolments of one finger differ, as they do on a chip.
    private func makePrint(of finger: String, onChip: Bool) -> ReaderOutcome {
        let serial = state.withLock { state in
            state.serial += 1
            return state.serial
        }
        let number = (0..<Self.serialLength).map { UInt8(truncatingIfNeeded: serial >> ($0 * 8)) }
        let bytes = Self.mark + number + Array(finger.utf8)
        do {
            let template = try unsafe SecretBytes(copying: bytes.span.bytes)
            let print = Print(serialized: template, isStoredOnChip: onChip)
            if onChip { state.withLock { $0.chip.append(print) } }
            return .enrolled(print)
        } catch {
            return .failed(.internalError(.whorl("\(error)")))
        }
    }

    private static func finger(of print: Print) -> [UInt8]? {
        let bytes = print.withSerialized { secret in
            secret.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) } }
        }
        guard bytes.starts(with: mark), bytes.count >= mark.count + serialLength else { return nil }
        return Array(bytes[(mark.count + serialLength)...])
    }
}
