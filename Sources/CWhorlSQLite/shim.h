#include <sqlite3.h>
#include <sys/prctl.h>

// sqlite3_db_config() is variadic. For the operations that switch something on or off.
static inline int cwhorl_sqlite3_db_config(sqlite3 *database, int operation, int on)
{
    int now = -1;
    const int result = sqlite3_db_config(database, operation, on, &now);
    return result == SQLITE_OK && now != on ? SQLITE_ERROR : result;
}

// SQLITE_TRANSIENT is a cast, which does not import. A null pointer would bind NULL and not "empty".
static inline int cwhorl_sqlite3_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count)
{
    return sqlite3_bind_blob64(
        statement, index, count == 0 ? "" : bytes, count, SQLITE_TRANSIENT);
}

static inline int cwhorl_sqlite3_bind_text(
    sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count)
{
    return sqlite3_bind_text64(
        statement, index, count == 0 ? "" : bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// Macros made of other macros do not import.
static const int cwhorl_sqlite_ioerr_shmmap = SQLITE_IOERR_SHMMAP;

// prctl(2) is variadic, pthread_setname_np(3) hidden. At most 15 characters.
static inline void cwhorl_name_this_thread(const char *name)
{
    (void)prctl(PR_SET_NAME, name);
}
