internal import Glibc
internal import WhorlBiometrics
internal import WhorlSensorLab

/// A demonstration on libfprint's simulated reader with storage, in a folder of its own.
final class SimulatedDemonstration: Demonstration {
    let host: any CommandHost = LiveHost()
    let options: HostOptions
    let stage = DemonstrationStage.simulated
    private let folder: TemporaryFolder
    private let controller: VirtualDeviceController

    /// Prepares the reader; to be made before libfprint is first asked for readers, since it reads
    /// then from the environment which virtual ones there are.
    init() throws(VaultError) {
        folder = try TemporaryFolder()
        let socket = folder.path + "/reader.sock"
        for (name, value) in [
            ("FP_VIRTUAL_DEVICE_STORAGE", socket),
            // No real reader is probed for a demonstration.
            ("FP_DRIVERS_WHITELIST", "virtual_device_storage"),
        ] {
            unsafe setenv(name, value, 1)
        }
        controller = VirtualDeviceController(socketPath: socket)
        options = HostOptions(
            storeFolder: folder.path + "/store", staysInProcess: true,
            reader: .driver("virtual_device_storage", deviceID: nil), simulatedClass: .weak)
    }

    func present(_ finger: DemonstrationFinger) async {
        // A touch that does not arrive ends the prompt by its time-out, and the story says so.
        try? await controller.scan(finger == .owner ? "owner" : "stranger")
    }

    func finish() async {
        folder.remove()
    }
}
