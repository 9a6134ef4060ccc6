#ifndef CWHORL_FAULTY_POWER_H
#define CWHORL_FAULTY_POWER_H

#include <stddef.h>
#include <stdint.h>

// One write or truncation that no sync made safe yet.
typedef struct cwhorl_faulty_change {
    struct cwhorl_faulty_change *older;
    struct cwhorl_faulty_change *newer;
    char *path;
    int64_t offset;
    int64_t old_size;
    size_t count;
    size_t old_count;
    uint8_t *bytes;
    uint8_t *old;
} cwhorl_faulty_change;

// All of them, of all files of a folder, in order.
typedef struct {
    cwhorl_faulty_change *oldest;
    cwhorl_faulty_change *newest;
} cwhorl_faulty_power;

void cwhorl_faulty_power_remember(
    cwhorl_faulty_power *power, const char *path, int64_t offset, const void *bytes, size_t count,
    const void *old, size_t old_count, int64_t old_size);

void cwhorl_faulty_power_forget(cwhorl_faulty_power *power, const char *path);

void cwhorl_faulty_power_reset(cwhorl_faulty_power *power);

// Takes back all that is remembered, then does any part of it again. Descriptors of its own are
// opened, which costs the process its locks: it has to die then.
void cwhorl_faulty_power_cut(const cwhorl_faulty_power *power, uint64_t seed);

#endif
