internal import Glibc

/// The three descriptors that every program counts on.
enum StandardDescriptors {
    /// Fills those that are closed, so that no file of ours gets their number and is written to.
    ///
    /// The filling is open the wrong way round: reading or writing it is an error, as it would be on
    /// one that is closed. To be called before anything is opened.
    static func fill() {
        for descriptor in CInt(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
