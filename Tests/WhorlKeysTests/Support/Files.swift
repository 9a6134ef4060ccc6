import Glibc

func symbolicLink(to target: String, at path: String) -> Bool {
    unsafe symlink(target, path) == 0
}

func makeFolder(_ path: String) -> Bool { unsafe mkdir(path, 0o700) == 0 }

func removeFolder(_ path: String) { unsafe rmdir(path) }

func mode(of path: String) -> mode_t? {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
}
