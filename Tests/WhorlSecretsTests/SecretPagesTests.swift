import Glibc
import Testing
import WhorlSecrets

/// What the kernel says about the pages of a secret.
struct SecretPagesTests {
    @Test(arguments: [1, 4096, 12_345])
    func pagesAreLockedAndKeptOutOfCoreDumpsAndChildren(count: Int) throws {
        let secret = try SecretBytes(zeroedCount: count)
        let flags = try #require(try mappingFlags(at: address(of: secret)))
        #expect(flags.contains("lo"), "locked: \(flags)")
        #expect(flags.contains("dd"), "not in a core dump: \(flags)")
        #expect(flags.contains("wf"), "wiped on fork: \(flags)")
    }

    @Test func ordinaryMemoryHasNoneOfTheseFlags() throws {
        let page = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 4096)
        defer { unsafe page.deallocate() }
        let flags = try #require(try mappingFlags(at: UInt(bitPattern: page)))
        #expect(flags.isDisjoint(with: ["lo", "dd", "wf"]))
    }

    @Test func twoSecretsNeverShareAPage() throws {
        let page = UInt(sysconf(CInt(_SC_PAGESIZE)))
        let first = try SecretBytes(zeroedCount: 1)
        let second = try SecretBytes(zeroedCount: 1)
        let third = try first.clone()
        let addresses = [address(of: first), address(of: second), address(of: third)]
        #expect(Set(addresses.map { $0 / page }).count == 3)
        #expect(addresses.allSatisfy { $0 % page == 0 })
    }

    @Test func freeingOneSecretLeavesItsNeighbourLocked() throws {
        let kept = try SecretBytes(zeroedCount: 1)
        do { _ = try SecretBytes(zeroedCount: 1) }
        let flags = try #require(try mappingFlags(at: address(of: kept)))
        #expect(flags.contains("lo"))
    }

    /// A file is mapped over the pages, so that what they held last can be read after they are gone.
    @Test func bytesAreWipedBeforeThePagesAreGivenBack() throws {
        let pages = try openUnnamedFile()
        defer { close(pages) }
        try #require(ftruncate(pages, 4096) == 0)

        var secret = try SecretBytes(zeroedCount: 64)
        let start = address(of: secret)
        let mapped = unsafe mmap(
            UnsafeMutableRawPointer(bitPattern: start), 4096, PROT_READ | PROT_WRITE,
            MAP_SHARED | MAP_FIXED, pages, 0)
        try #require(UInt(bitPattern: mapped) == start)
        secret.withMutableBytes { bytes in
            for offset in 0..<64 {
                bytes.storeBytes(of: 0xA5, toByteOffset: offset, as: UInt8.self)
            }
        }
        #expect(contents(of: pages) == [UInt8](repeating: 0xA5, count: 64))
        drop(secret)
        #expect(contents(of: pages) == [UInt8](repeating: 0, count: 64))
        #expect(try mappingFlags(at: start)?.contains("lo") != true)
    }
}

private func drop(_ secret: consuming SecretBytes) {}

private func contents(of descriptor: CInt) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xFF, count: 64)
    _ = unsafe pread(descriptor, &bytes, 64, 0)
    return bytes
}

/// The `VmFlags` of the mapping that holds an address, from `/proc/self/smaps`.
private func mappingFlags(at address: UInt) throws -> Set<String>? {
    var inside = false
    for line in try lines(ofFile: "/proc/self/smaps") {
        let words = line.split(separator: " ")
        guard let first = words.first else { continue }
        if first == "VmFlags:" {
            if inside { return Set(words.dropFirst().map(String.init)) }
            continue
        }
        let bounds = first.split(separator: "-").compactMap { UInt($0, radix: 16) }
        if bounds.count == 2 { inside = bounds[0] <= address && address < bounds[1] }
    }
    return nil
}

private func lines(ofFile path: String) throws -> [Substring] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    try #require(file >= 0)
    defer { close(file) }
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
        let count = unsafe read(file, &chunk, chunk.count)
        guard count > 0 else { break }
        text += chunk[..<count]
    }
    return String(decoding: text, as: UTF8.self).split(separator: "\n")
}
