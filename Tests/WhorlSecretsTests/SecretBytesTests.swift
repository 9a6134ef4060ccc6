import Testing
import WhorlSecrets

struct SecretBytesTests {
    @Test(arguments: [0, 1, 31, 4095, 4096, 4097, 100_000])
    func aNewSecretHasTheAskedCountAndIsZero(count: Int) throws {
        let secret = try SecretBytes(zeroedCount: count)
        #expect(secret.count == count)
        #expect(secret.isEmpty == (count == 0))
        #expect(revealed(secret) == [UInt8](repeating: 0, count: count))
    }

    @Test(arguments: [-1, Int.min])
    func aNegativeCountIsRefused(count: Int) {
        let error = #expect(throws: SecretMemoryError.self) {
            _ = try SecretBytes(zeroedCount: count)
        }
        #expect(error?.operation == .count)
        #expect(error?.byteCount == count)
    }

    @Test func aCountBeyondTheAddressSpaceIsRefused() {
        let error = #expect(throws: SecretMemoryError.self) {
            _ = try SecretBytes(zeroedCount: .max)
        }
        #expect(error?.operation == .map)
    }

    @Test func bytesAreFilledInPlace() throws {
        let secret = try SecretBytes(count: 3) { bytes in
            for offset in 0..<3 {
                bytes.storeBytes(of: UInt8(offset + 7), toByteOffset: offset, as: UInt8.self)
            }
        }
        #expect(revealed(secret) == [7, 8, 9])
    }

    @Test(arguments: [[], [1], [UInt8](repeating: 9, count: 5000)] as [[UInt8]])
    func aCopyHasTheSameBytesInOtherPages(bytes: [UInt8]) throws {
        let original = try secret(bytes)
        let copy = try original.clone()
        #expect(revealed(copy) == bytes)
        if !bytes.isEmpty { #expect(address(of: copy) != address(of: original)) }
    }

    @Test func changingACopyLeavesTheOriginalAlone() throws {
        let original = try secret("abc")
        var copy = try original.clone()
        copy.withMutableBytes { $0.storeBytes(of: 0, toByteOffset: 0, as: UInt8.self) }
        #expect(revealed(original) == [UInt8]("abc".utf8))
    }

    @Test func randomSecretsDiffer() throws {
        let one = try SecretBytes(randomCount: 32)
        let other = try SecretBytes(randomCount: 32)
        #expect(one.count == 32)
        let equal = one.isEqual(to: other)
        #expect(!equal)
        let none = try SecretBytes(randomCount: 0)
        #expect(none.count == 0)
    }

    @Test func aLongRandomSecretIsRandomToTheEnd() throws {
        let secret = try SecretBytes(randomCount: 1 << 20)
        let tail = revealed(secret).suffix(64)
        #expect(!tail.allSatisfy { $0 == 0 })
    }

    @Test(arguments: [("", ""), ("a", ""), ("", "b"), ("ab", "cd")])
    func joiningKeepsTheOrder(first: String, second: String) throws {
        let joined = try secret(first).concatenating(secret(second))
        #expect(revealed(joined) == [UInt8]((first + second).utf8))
    }

    @Test func truncatingWipesTheRestAtOnce() throws {
        var secret = try secret("0123456789")
        secret.truncate(to: 4)
        #expect(revealed(secret) == [UInt8]("0123".utf8))
        let rest = unsafe secret.withUnsafeBytes { bytes in
            unsafe [UInt8](UnsafeRawBufferPointer(start: bytes.baseAddress, count: 10)[4...])
        }
        #expect(rest == [0, 0, 0, 0, 0, 0])
    }

    @Test(arguments: [(5, 3), (3, 3), (0, 0), (-1, 0)])
    func truncatingNeverGrowsAndNeverGoesBelowNothing(newCount: Int, left: Int) throws {
        var secret = try secret("abc")
        secret.truncate(to: newCount)
        #expect(secret.count == left)
    }

    @Test(arguments: [
        ("", ""), ("\n", ""), ("pin", "pin"), ("pin\n", "pin"), ("pin\n\n", "pin\n"),
        ("pin\r\n", "pin\r"), ("a\nb", "a\nb"),
    ])
    func exactlyOneTrailingNewlineIsDropped(given: String, left: String) throws {
        var secret = try secret(given)
        secret.dropTrailingNewline()
        #expect(revealed(secret) == [UInt8](left.utf8))
    }

    @Test func theClosureMayReturnASecretAndThrowItsOwnError() throws {
        enum Refusal: Error { case no }
        let secret = try secret("abcdef")
        let part = try secret.withBytes { (bytes) throws(SecretMemoryError) in
            try SecretBytes(copying: bytes.extracting(2..<4))
        }
        #expect(revealed(part) == [UInt8]("cd".utf8))
        do throws(Refusal) {
            try secret.withBytes { (_) throws(Refusal) in throw .no }
            Issue.record("the closure's error was lost")
        } catch {
            #expect(error == .no)
        }
    }

    @Test func theClosureMayWait() async throws {
        let secret = try secret("abc")
        let sum = await secret.withBytes { bytes in
            await Task.yield()
            return bytes.unsafeSum()
        }
        #expect(sum == 97 + 98 + 99)
    }

    @Test func anotherTaskMayTakeTheSecret() async throws {
        let vault = Vault(try secret("abc"))
        let taken = await Task.detached { await vault.take().map { $0.count } }.value
        #expect(taken == 3)
        #expect(await vault.take() == nil)
    }
}

private actor Vault {
    private var secret: SecretBytes?

    init(_ secret: consuming SecretBytes) { self.secret = consume secret }

    func take() -> [UInt8]? {
        guard let taken = secret.take() else { return nil }
        return revealed(taken)
    }
}

extension RawSpan {
    fileprivate func unsafeSum() -> Int {
        var sum = 0
        for offset in 0..<byteCount {
            sum += Int(unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self))
        }
        return sum
    }
}
