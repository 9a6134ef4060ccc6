internal import CWhorlFprint
internal import Glibc
internal import WhorlBiometrics
internal import WhorlGLib

/// Finds out where a reader is plugged in.
///
/// libfprint has no public word for it. Its private property holds the reader's `GUsbDevice`; bus and
/// address of that lead to the directory that the kernel keeps for the port. Where one of these steps
/// is missing, the port is unknown.
enum USBPort {
    private static let property = "fpi-usb-device"
    private static let directory = "/sys/bus/usb/devices"

    static func port(of device: UnsafeMutablePointer<FpDevice>) -> ReaderPort {
        let object = unsafe UnsafeMutableRawPointer(device).assumingMemoryBound(to: GObject.self)
        guard unsafe ObjectProperty.holdsObject(property, of: object) else { return .unknown }
        guard let usbDevice = unsafe ObjectProperty.object(property, of: object) else {
            return .none
        }
        defer { unsafe g_object_unref(usbDevice) }
        guard let address = unsafe Address(of: usbDevice),
            let entry = entries().first(where: { Address(ofEntry: $0) == address }),
            let path = path(ofEntry: entry)
        else { return .unknown }
        return .usb(sysfsPath: path, removable: isRemovable(entry))
    }

    /// The kernel's numbers for a device on the bus.
    private struct Address: Equatable {
        let bus: Int
        let device: Int

        /// Asks libgusb.
        ///
        /// The corresponding C functions are `g_usb_device_get_bus` and `g_usb_device_get_address`.
        /// libgusb is there wherever libfprint is, but not its headers.
        init?(of object: UnsafeMutablePointer<GObject>) {
            typealias Getter = @convention(c) (UnsafeMutablePointer<GObject>) -> UInt8
            guard unsafe ObjectProperty.typeName(of: object) == "GUsbDevice",
                let busGetter = unsafe dlsym(nil, "g_usb_device_get_bus"),
                let addressGetter = unsafe dlsym(nil, "g_usb_device_get_address")
            else { return nil }
            bus = unsafe Int(unsafeBitCast(busGetter, to: Getter.self)(object))
            device = unsafe Int(unsafeBitCast(addressGetter, to: Getter.self)(object))
        }

        /// Asks the kernel.
        init?(ofEntry entry: String) {
            guard let bus = USBPort.attribute("busnum", ofEntry: entry).flatMap({ Int($0) }),
                let device = USBPort.attribute("devnum", ofEntry: entry).flatMap({ Int($0) })
            else { return nil }
            self.bus = bus
            self.device = device
        }
    }

    private static func entries() -> [String] {
        guard let listing = unsafe g_dir_open(directory, 0, nil) else { return [] }
        defer { unsafe g_dir_close(listing) }
        var entries: [String] = []
        while let name = unsafe g_dir_read_name(listing) {
            entries.append(unsafe String(cString: name))
        }
        return entries
    }

    private static func attribute(_ name: String, ofEntry entry: String) -> String? {
        var text: UnsafeMutablePointer<gchar>?
        guard
            unsafe g_file_get_contents("\(directory)/\(entry)/\(name)", &text, nil, nil) != 0,
            let text = unsafe text
        else { return nil }
        defer { unsafe g_free(text) }
        return unsafe String(cString: g_strchomp(text))
    }

    private static func path(ofEntry entry: String) -> String? {
        guard let resolved = unsafe realpath("\(directory)/\(entry)", nil) else { return nil }
        defer { unsafe free(resolved) }
        let path = unsafe String(cString: resolved)
        let prefix = "/sys/devices/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
    }

    // "unknown", and whatever a later kernel says, is no answer.
    private static func isRemovable(_ entry: String) -> Bool? {
        switch attribute("removable", ofEntry: entry) {
        case "removable": true
        case "fixed": false
        default: nil
        }
    }
}
