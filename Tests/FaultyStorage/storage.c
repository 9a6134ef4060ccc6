#include "plans.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// An open file: SQLite's own lies behind it, in the same memory.
typedef struct {
    sqlite3_file base;
    // NULL for a temporary file.
    char *path;
    sqlite3_file *inner;
} faulty_file;

static sqlite3_vfs *inner_vfs;

static faulty_file *ours(sqlite3_file *file) { return (faulty_file *)file; }

// MARK: Strikes

// Counts a call; true if it is to fail with `code`, which is the one of its kind on entry.
static bool fails(const char *path, uint32_t kind, int *code, bool *kills_after)
{
    const cwhorl_faulty_strike strike = cwhorl_faulty_strike_for(path, kind);
    switch (strike.action) {
    case CWHORL_FAULTY_FAIL:
    case CWHORL_FAULTY_TEAR:
        if (strike.code != 0) { *code = strike.code; }
        return true;
    case CWHORL_FAULTY_KILL_BEFORE:
    case CWHORL_FAULTY_KILL_HALFWAY:
        cwhorl_faulty_die();
    case CWHORL_FAULTY_KILL_AFTER:
        if (kills_after != NULL) { *kills_after = true; }
        return false;
    default:
        return false;
    }
}

#define RUN(path, kind, kind_code, call)                             \
    do {                                                             \
        int code = (kind_code);                                      \
        bool kills_after = false;                                    \
        if (fails((path), (kind), &code, &kills_after)) { return code; } \
        const int result = (call);                                   \
        if (kills_after) { cwhorl_faulty_die(); }                    \
        return result;                                               \
    } while (0)

// MARK: Remembering

static void remember_change(
    faulty_file *file, sqlite3_int64 offset, const void *bytes, size_t count)
{
    if (!cwhorl_faulty_remembers(file->path)) { return; }
    sqlite3_int64 size = 0;
    if (file->inner->pMethods->xFileSize(file->inner, &size) != SQLITE_OK) { abort(); }
    // A truncation takes away everything from there on.
    size_t old_count = count == 0 ? (size_t)(size > offset ? size - offset : 0) : count;
    if (offset + (sqlite3_int64)old_count > size) {
        old_count = size > offset ? (size_t)(size - offset) : 0;
    }
    void *old = malloc(old_count + 1);
    if (old == NULL) { abort(); }
    if (old_count > 0
        && file->inner->pMethods->xRead(file->inner, old, (int)old_count, offset) != SQLITE_OK) {
        abort();
    }
    cwhorl_faulty_remember(file->path, offset, bytes, count, old, old_count, size);
    free(old);
}

// MARK: Files

static int close_file(sqlite3_file *file)
{
    const int result = ours(file)->inner->pMethods->xClose(ours(file)->inner);
    free(ours(file)->path);
    ours(file)->path = NULL;
    return result;
}

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset)
{
    sqlite3_file *inner = ours(file)->inner;
    RUN(ours(file)->path, CWHORL_FAULTY_READ, SQLITE_IOERR_READ,
        inner->pMethods->xRead(inner, bytes, count, offset));
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset)
{
    sqlite3_file *inner = ours(file)->inner;
    const cwhorl_faulty_strike strike =
        cwhorl_faulty_strike_for(ours(file)->path, CWHORL_FAULTY_WRITE);
    switch (strike.action) {
    case CWHORL_FAULTY_KILL_BEFORE:
        cwhorl_faulty_die();
    case CWHORL_FAULTY_FAIL:
        return strike.code != 0 ? strike.code : SQLITE_IOERR_WRITE;
    case CWHORL_FAULTY_TEAR:
    case CWHORL_FAULTY_KILL_HALFWAY:
        inner->pMethods->xWrite(inner, bytes, count / 2, offset);
        if (strike.action == CWHORL_FAULTY_KILL_HALFWAY) { cwhorl_faulty_die(); }
        return strike.code != 0 ? strike.code : SQLITE_IOERR_WRITE;
    default:
        break;
    }
    remember_change(ours(file), offset, bytes, (size_t)count);
    const int result = inner->pMethods->xWrite(inner, bytes, count, offset);
    if (strike.action == CWHORL_FAULTY_KILL_AFTER) { cwhorl_faulty_die(); }
    return result;
}

static int truncate_after_remembering(faulty_file *file, sqlite3_int64 size)
{
    remember_change(file, size, NULL, 0);
    return file->inner->pMethods->xTruncate(file->inner, size);
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size)
{
    RUN(ours(file)->path, CWHORL_FAULTY_TRUNCATE, SQLITE_IOERR_TRUNCATE,
        truncate_after_remembering(ours(file), size));
}

static int sync_unless_skipped(faulty_file *file, int flags)
{
    int result = SQLITE_OK;
    if (!cwhorl_faulty_skips_sync(file->path)) {
        result = file->inner->pMethods->xSync(file->inner, flags);
    }
    if (result == SQLITE_OK) { cwhorl_faulty_forget(file->path); }
    return result;
}

static int sync_file(sqlite3_file *file, int flags)
{
    RUN(ours(file)->path, CWHORL_FAULTY_SYNC, SQLITE_IOERR_FSYNC,
        sync_unless_skipped(ours(file), flags));
}

static int size_file(sqlite3_file *file, sqlite3_int64 *size)
{
    sqlite3_file *inner = ours(file)->inner;
    RUN(ours(file)->path, CWHORL_FAULTY_SIZE, SQLITE_IOERR_FSTAT,
        inner->pMethods->xFileSize(inner, size));
}

static int lock_file(sqlite3_file *file, int level)
{
    sqlite3_file *inner = ours(file)->inner;
    RUN(ours(file)->path, CWHORL_FAULTY_LOCK, SQLITE_IOERR_LOCK,
        inner->pMethods->xLock(inner, level));
}

// Giving a lock back does not fail on any system, so it does not here.
static int unlock_file(sqlite3_file *file, int level)
{
    return ours(file)->inner->pMethods->xUnlock(ours(file)->inner, level);
}

static int check_reserved(sqlite3_file *file, int *is_reserved)
{
    sqlite3_file *inner = ours(file)->inner;
    RUN(ours(file)->path, CWHORL_FAULTY_LOCK, SQLITE_IOERR_CHECKRESERVEDLOCK,
        inner->pMethods->xCheckReservedLock(inner, is_reserved));
}

static int control_file(sqlite3_file *file, int operation, void *argument)
{
    return ours(file)->inner->pMethods->xFileControl(ours(file)->inner, operation, argument);
}

static int sector_size(sqlite3_file *file)
{
    return ours(file)->inner->pMethods->xSectorSize(ours(file)->inner);
}

static int characteristics(sqlite3_file *file)
{
    return ours(file)->inner->pMethods->xDeviceCharacteristics(ours(file)->inner);
}

static int shared_map(
    sqlite3_file *file, int region, int size, int extends, void volatile **address)
{
    sqlite3_file *inner = ours(file)->inner;
    *address = NULL;
    RUN(ours(file)->path, CWHORL_FAULTY_SHARED_MAP, SQLITE_IOERR_SHMMAP,
        inner->pMethods->xShmMap(inner, region, size, extends, address));
}

static int shared_lock(sqlite3_file *file, int offset, int count, int flags)
{
    sqlite3_file *inner = ours(file)->inner;
    if ((flags & SQLITE_SHM_UNLOCK) != 0) {
        return inner->pMethods->xShmLock(inner, offset, count, flags);
    }
    RUN(ours(file)->path, CWHORL_FAULTY_SHARED_LOCK, SQLITE_IOERR_SHMLOCK,
        inner->pMethods->xShmLock(inner, offset, count, flags));
}

static void shared_barrier(sqlite3_file *file)
{
    ours(file)->inner->pMethods->xShmBarrier(ours(file)->inner);
}

static int shared_unmap(sqlite3_file *file, int deletes)
{
    return ours(file)->inner->pMethods->xShmUnmap(ours(file)->inner, deletes);
}

static int fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **address)
{
    // Nothing is mapped, so that every byte passes through here.
    (void)file, (void)offset, (void)count;
    *address = NULL;
    return SQLITE_OK;
}

static int unfetch(sqlite3_file *file, sqlite3_int64 offset, void *address)
{
    (void)file, (void)offset, (void)address;
    return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
    .iVersion = 3,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = size_file,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_reserved,
    .xFileControl = control_file,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
    .xShmMap = shared_map,
    .xShmLock = shared_lock,
    .xShmBarrier = shared_barrier,
    .xShmUnmap = shared_unmap,
    .xFetch = fetch,
    .xUnfetch = unfetch,
};

// MARK: The VFS

static int open_file(
    sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags)
{
    (void)vfs;
    // Without methods SQLite knows that there is nothing to close.
    file->pMethods = NULL;
    int code = SQLITE_CANTOPEN;
    bool kills_after = false;
    if (fails(path, CWHORL_FAULTY_OPEN, &code, &kills_after)) { return code; }
    ours(file)->inner = (sqlite3_file *)(ours(file) + 1);
    ours(file)->path = NULL;
    const int result =
        inner_vfs->xOpen(inner_vfs, path, ours(file)->inner, flags, out_flags);
    if (kills_after) { cwhorl_faulty_die(); }
    if (ours(file)->inner->pMethods == NULL) { return result; }
    if (path != NULL) {
        ours(file)->path = strdup(path);
        if (ours(file)->path == NULL) { abort(); }
    }
    file->pMethods = &methods;
    return result;
}

static int delete_after_forgetting(const char *path, int syncs_folder)
{
    const int result = inner_vfs->xDelete(inner_vfs, path, syncs_folder);
    // What was written to it must not come back under the name of its successor.
    if (result == SQLITE_OK) { cwhorl_faulty_forget(path); }
    return result;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int syncs_folder)
{
    (void)vfs;
    RUN(path, CWHORL_FAULTY_DELETE, SQLITE_IOERR_DELETE,
        delete_after_forgetting(path, syncs_folder));
}

static int access_file(sqlite3_vfs *vfs, const char *path, int flags, int *answer)
{
    (void)vfs;
    RUN(path, CWHORL_FAULTY_ACCESS, SQLITE_IOERR_ACCESS,
        inner_vfs->xAccess(inner_vfs, path, flags, answer));
}

static int full_path(sqlite3_vfs *vfs, const char *path, int count, char *out)
{
    (void)vfs;
    return inner_vfs->xFullPathname(inner_vfs, path, count, out);
}

static int randomness(sqlite3_vfs *vfs, int count, char *out)
{
    (void)vfs;
    return inner_vfs->xRandomness(inner_vfs, count, out);
}

static int sleep_for(sqlite3_vfs *vfs, int microseconds)
{
    (void)vfs;
    return inner_vfs->xSleep(inner_vfs, microseconds);
}

static int current_time(sqlite3_vfs *vfs, double *time)
{
    (void)vfs;
    return inner_vfs->xCurrentTime(inner_vfs, time);
}

static int current_time_int64(sqlite3_vfs *vfs, sqlite3_int64 *time)
{
    (void)vfs;
    return inner_vfs->xCurrentTimeInt64(inner_vfs, time);
}

static int last_error(sqlite3_vfs *vfs, int count, char *out)
{
    (void)vfs;
    return inner_vfs->xGetLastError(inner_vfs, count, out);
}

static sqlite3_vfs vfs = {
    .iVersion = 2,
    .zName = "whorl-faulty",
    .xOpen = open_file,
    .xDelete = delete_file,
    .xAccess = access_file,
    .xFullPathname = full_path,
    .xRandomness = randomness,
    .xSleep = sleep_for,
    .xCurrentTime = current_time,
    .xGetLastError = last_error,
    .xCurrentTimeInt64 = current_time_int64,
};

int cwhorl_faulty_register(void)
{
    if (inner_vfs != NULL) { return SQLITE_OK; }
    const int result = sqlite3_initialize();
    if (result != SQLITE_OK) { return result; }
    sqlite3_vfs *found = sqlite3_vfs_find(NULL);
    if (found == NULL) { return SQLITE_ERROR; }
    vfs.szOsFile = (int)sizeof(faulty_file) + found->szOsFile;
    vfs.mxPathname = found->mxPathname;
    inner_vfs = found;
    return sqlite3_vfs_register(&vfs, 1);
}
