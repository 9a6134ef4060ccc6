#ifndef CWHORL_FAULTY_STORAGE_H
#define CWHORL_FAULTY_STORAGE_H

#include <stdbool.h>
#include <stdint.h>

// A storage for SQLite that breaks on command, for tests only.
//
// It wraps SQLite's own VFS and is registered as the default one, so that what is tested needs no
// hook. Without a plan for a file's folder every call goes through as it is.

// Kinds of calls, as bits.
enum : uint32_t {
    CWHORL_FAULTY_OPEN = 1 << 0,
    CWHORL_FAULTY_READ = 1 << 1,
    CWHORL_FAULTY_WRITE = 1 << 2,
    CWHORL_FAULTY_TRUNCATE = 1 << 3,
    CWHORL_FAULTY_SYNC = 1 << 4,
    CWHORL_FAULTY_DELETE = 1 << 5,
    CWHORL_FAULTY_SIZE = 1 << 6,
    CWHORL_FAULTY_LOCK = 1 << 7,
    CWHORL_FAULTY_SHARED_MAP = 1 << 8,
    CWHORL_FAULTY_SHARED_LOCK = 1 << 9,
    CWHORL_FAULTY_ACCESS = 1 << 10,
};

// What happens at the call that is hit.
enum : int32_t {
    // Nothing: the calls are only counted.
    CWHORL_FAULTY_NOTHING = 0,
    // The call does nothing and answers with an error.
    CWHORL_FAULTY_FAIL = 1,
    // As above, but a write leaves half of its bytes.
    CWHORL_FAULTY_TEAR = 2,
    // The process is killed before the call, halfway through a write, or after the call.
    CWHORL_FAULTY_KILL_BEFORE = 3,
    CWHORL_FAULTY_KILL_HALFWAY = 4,
    CWHORL_FAULTY_KILL_AFTER = 5,
    // The power goes before the call: of what was written since a file's last sync any part is lost,
    // sector by sector, and the process is killed.
    CWHORL_FAULTY_CUT_POWER = 6,
};

typedef struct {
    // The kinds of calls that count.
    uint32_t kinds;
    // The call that is hit, from 1; 0 for none.
    uint64_t at;
    int32_t action;
    // SQLite's code that a failing call answers with; 0 for the input/output error of its kind.
    int32_t code;
    // Whether every later call that counts is hit too.
    bool lasts;
    // Whether a sync returns at once. A kill loses nothing that was written, and what a power cut
    // loses is decided here.
    bool skips_sync;
    // Decides what a power cut loses.
    uint64_t seed;
} cwhorl_faulty_plan;

// Makes the faulty storage SQLite's default, once. Answers with SQLite's code.
int cwhorl_faulty_register(void);

// Sets the plan for files of a folder, named as SQLite names it: without any symbolic link. Counting
// begins anew. False if there are too many plans.
bool cwhorl_faulty_arm(const char *_Nonnull folder, cwhorl_faulty_plan plan);

// How many calls counted since the plan was set.
uint64_t cwhorl_faulty_calls(const char *_Nonnull folder);

// Takes the plan of a folder away.
void cwhorl_faulty_disarm(const char *_Nonnull folder);

#endif
