import WhorlBiometrics

/// A reader's port as it is stored.
struct StoredPort {
    /// `usb`, `none` or `unknown`.
    let kind: String
    /// The sysfs path of a USB port, else empty.
    let path: String
    /// 1 for a port that people can reach, 0 for one inside, -1 where nobody knows.
    let removable: Int64

    init(_ port: ReaderPort) {
        switch port {
        case .usb(let sysfsPath, let removable):
            kind = "usb"
            path = sysfsPath
            self.removable = removable.map { $0 ? 1 : 0 } ?? -1
        case .none:
            (kind, path, removable) = ("none", "", -1)
        case .unknown:
            (kind, path, removable) = ("unknown", "", -1)
        }
    }

    init(kind: String, path: String, removable: Int64) {
        self.kind = kind
        self.path = path
        self.removable = removable
    }

    /// The port; nil where what was stored is none.
    var port: ReaderPort? {
        switch (kind, removable) {
        case ("usb", -1): .usb(sysfsPath: path, removable: nil)
        case ("usb", 0): .usb(sysfsPath: path, removable: false)
        case ("usb", 1): .usb(sysfsPath: path, removable: true)
        case ("none", -1) where path.isEmpty: ReaderPort.none
        case ("unknown", -1) where path.isEmpty: .unknown
        default: nil
        }
    }
}
