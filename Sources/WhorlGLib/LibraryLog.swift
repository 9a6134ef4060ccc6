internal import CWhorlGLib
internal import Glibc

/// What GLib's libraries say to standard error, over whatever a program draws there.
package enum LibraryLog {
    /// Drops it, unless `G_MESSAGES_DEBUG` asks for it.
    ///
    /// For programs that own their process. What is fatal stays so. The corresponding C function is
    /// `g_log_set_writer_func`.
    package static func hush() { hushed }

    // GLib takes one writer a process.
    private static let hushed: Void = {
        if let wanted = unsafe getenv("G_MESSAGES_DEBUG"), unsafe wanted.pointee != 0 { return }
        unsafe g_log_set_writer_func({ _, _, _, _ in G_LOG_WRITER_HANDLED }, nil, nil)
    }()
}
