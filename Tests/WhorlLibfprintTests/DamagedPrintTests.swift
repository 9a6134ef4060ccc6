import Testing
import WhorlBiometrics
import WhorlLibfprint
import WhorlSecrets
import WhorlSensorLab

extension LibfprintReaderTests {
    /// libfprint aborts the program over bytes that are no print of its own.
    @Suite struct DamagedPrintTests {
        private func bytes(of print: Print) -> [UInt8] {
            print.withSerialized { secret in
                secret.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
            }
        }

        // A closed reader looks at the print first, and then says that it is closed.
        private func word(for bytes: [UInt8], on reader: LibfprintReader) async throws -> String {
            let secret = try unsafe SecretBytes(copying: bytes.span.bytes)
            let print = Print(serialized: secret, isStoredOnChip: false)
            return await reader.outcome(of: .verify(print)).word
        }

        @Test(arguments: [VirtualKind.storage, .image])
        func refusesPrintsThatAreCutShortOrChanged(kind: VirtualKind) async throws {
            var enrolled: Print?
            try await Bench.with(kind) { bench in
                enrolled =
                    if kind == .image {
                        try await bench.enroll(RidgePicture(finger: 1))
                    } else {
                        try await bench.enroll()
                    }
            }
            let good = bytes(of: try #require(enrolled))
            let reader = try await Bench.find(kind).reader
            #expect(try await word(for: good, on: reader) == "reader-misused")
            for length in 0..<good.count {
                #expect(try await word(for: Array(good[..<length]), on: reader) == "print-unusable")
            }
            let step = max(good.count / 200, 1)
            for index in stride(from: 0, to: good.count, by: step) {
                for value: UInt8 in [0x00, 0x01, 0x20, 0x7F, 0x80, 0xFF] where good[index] != value
                {
                    var bad = good
                    bad[index] = value
                    let answer = try await word(for: bad, on: reader)
                    #expect(["print-unusable", "reader-misused"].contains(answer), "byte \(index)")
                }
            }
        }

        @Test(
            arguments: [
                [], Array("FP3".utf8), Array("FP2".utf8), Array("FP3\0".utf8),
                Array(repeating: 0, count: 4096),
                Array("FP3".utf8) + Array(repeating: 255, count: 4096),
            ] as [[UInt8]])
        func refusesWhatIsNoPrintAtAll(bytes: [UInt8]) async throws {
            let reader = try await Bench.find(.storage).reader
            #expect(try await word(for: bytes, on: reader) == "print-unusable")
        }
    }
}
