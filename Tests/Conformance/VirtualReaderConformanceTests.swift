import Glibc
import Testing
import WhorlBiometrics
import WhorlLibfprint
import WhorlSensorLab

/// libfprint's virtual readers, each in a process of its own: libfprint takes their sockets from the
/// environment, which belongs to the whole process.
@Suite(.timeLimit(.minutes(3)))
struct VirtualReaderConformanceTests {
    @Test func theVirtualDeviceConforms() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) {
            await report(on: "virtual_device", variable: "FP_VIRTUAL_DEVICE") {
                VirtualDeviceOperator(VirtualDeviceController(socketPath: $0))
            }
        }
        expectConformance(
            result,
            except: [
                "identify-finds-the-finger", "identify-refuses-another-finger",
            ])
    }

    @Test func theVirtualStorageDeviceConforms() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) {
            await report(on: "virtual_device_storage", variable: "FP_VIRTUAL_DEVICE_STORAGE") {
                VirtualDeviceOperator(VirtualDeviceController(socketPath: $0))
            }
        }
        expectConformance(result)
    }

    @Test func theVirtualImageDeviceConforms() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) {
            await report(on: "virtual_image", variable: "FP_VIRTUAL_IMAGE") {
                VirtualImageOperator(VirtualImageController(socketPath: $0))
            }
        }
        expectConformance(result)
    }

    private func expectConformance(_ result: ExitTest.Result?, except absent: Set<String> = []) {
        let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        let verdicts = text.split(separator: "\n").filter { $0.hasPrefix("verdict ") }
            .map { String($0.dropFirst("verdict ".count)) }
        let expected = Conformance.requirements.map { requirement in
            absent.contains(requirement.id)
                ? "\(requirement.id): not applicable" : "\(requirement.id): passed"
        }
        #expect(verdicts == expected)
    }
}

/// Puts one virtual reader to every requirement, prints a line for each, and ends the process.
private func report(
    on driver: String, variable: String, operator make: (String) -> any Operator
) async {
    var template = Array("/tmp/whorl-conformance-XXXXXX".utf8CString)
    guard let folder = unsafe mkdtemp(&template).map({ unsafe String(cString: $0) }) else {
        exit(2)
    }
    let socket = "\(folder)/socket"
    unsafe setenv(variable, socket, 1)
    let source = LibfprintSource()
    guard let reader = await find(driver, in: source) else { exit(3) }
    let `operator` = make(socket)
    for requirement in Conformance.requirements {
        let verdict =
            switch await requirement.check(reader, with: `operator`, patience: .seconds(20)) {
            case .passed: "passed"
            case .failed(let reason): "failed: \(reason)"
            case .notApplicable: "not applicable"
            case .unchecked(let reason): "unchecked: \(reason)"
            @unknown default: "unknown"
            }
        print("verdict \(requirement.id): \(verdict)")
    }
    unsafe unlink(socket)
    unsafe rmdir(folder)
    exit(0)
}

private func find(_ driver: String, in source: LibfprintSource) async -> (any FingerprintReader)? {
    for reader in (try? await source.readers()) ?? []
    where await reader.description.identity.driver == driver {
        return reader
    }
    return nil
}
