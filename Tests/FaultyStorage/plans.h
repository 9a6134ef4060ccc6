#ifndef CWHORL_FAULTY_PLANS_H
#define CWHORL_FAULTY_PLANS_H

#include "cwhorl_faulty_storage.h"

#include <stddef.h>

// What is to be done with one call.
typedef struct {
    int32_t action;
    int32_t code;
} cwhorl_faulty_strike;

// Counts a call on a file and tells what is to be done with it; a cut of the power is done here.
cwhorl_faulty_strike cwhorl_faulty_strike_for(const char *path, uint32_t kind);

// Whether a sync of this file may be left out.
bool cwhorl_faulty_skips_sync(const char *path);

// Whether what happens to this file must be remembered for a power cut.
bool cwhorl_faulty_remembers(const char *path);

// Remembers that bytes of a file are about to be replaced. `old` has `old_count` bytes, fewer than
// `count` where the file ends before. A truncation has no new bytes and `count` 0.
void cwhorl_faulty_remember(
    const char *path, int64_t offset, const void *bytes, size_t count, const void *old,
    size_t old_count, int64_t old_size);

// Forgets what was remembered of a file, which is safe now.
void cwhorl_faulty_forget(const char *path);

_Noreturn void cwhorl_faulty_die(void);

#endif
