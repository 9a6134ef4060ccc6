#include "power.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What a disk writes whole or not at all.
enum { sector = 512 };

static void *copy(const void *bytes, size_t count)
{
    if (count == 0) { return NULL; }
    void *copy = malloc(count);
    if (copy == NULL) { abort(); }
    return memcpy(copy, bytes, count);
}

void cwhorl_faulty_power_remember(
    cwhorl_faulty_power *power, const char *path, int64_t offset, const void *bytes, size_t count,
    const void *old, size_t old_count, int64_t old_size)
{
    cwhorl_faulty_change *change = calloc(1, sizeof *change);
    if (change == NULL) { abort(); }
    change->path = strdup(path);
    if (change->path == NULL) { abort(); }
    change->offset = offset;
    change->old_size = old_size;
    change->count = count;
    change->old_count = old_count;
    change->bytes = copy(bytes, count);
    change->old = copy(old, old_count);
    change->older = power->newest;
    if (power->newest == NULL) {
        power->oldest = change;
    } else {
        power->newest->newer = change;
    }
    power->newest = change;
}

static void drop(cwhorl_faulty_power *power, cwhorl_faulty_change *change)
{
    if (change->older == NULL) { power->oldest = change->newer; }
    if (change->older != NULL) { change->older->newer = change->newer; }
    if (change->newer == NULL) { power->newest = change->older; }
    if (change->newer != NULL) { change->newer->older = change->older; }
    free(change->path);
    free(change->bytes);
    free(change->old);
    free(change);
}

void cwhorl_faulty_power_forget(cwhorl_faulty_power *power, const char *path)
{
    for (cwhorl_faulty_change *change = power->oldest, *next; change != NULL; change = next) {
        next = change->newer;
        if (path == NULL || strcmp(change->path, path) == 0) { drop(power, change); }
    }
}

void cwhorl_faulty_power_reset(cwhorl_faulty_power *power)
{
    cwhorl_faulty_power_forget(power, NULL);
}

// MARK: The cut

static uint64_t next_number(uint64_t *state)
{
    // SplitMix64, by Sebastiano Vigna; in the public domain.
    uint64_t number = (*state += UINT64_C(0x9E3779B97F4A7C15));
    number = (number ^ (number >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    number = (number ^ (number >> 27)) * UINT64_C(0x94D049BB133111EB);
    return number ^ (number >> 31);
}

static void must(bool succeeded, const char *what)
{
    if (succeeded) { return; }
    // Not to be taken for a cut that was simulated.
    perror(what);
    abort();
}

static void put(int file, const uint8_t *bytes, size_t count, int64_t offset)
{
    if (count > 0) { must(pwrite(file, bytes, count, offset) == (ssize_t)count, "pwrite"); }
}

static void undo(const cwhorl_faulty_change *change, int file)
{
    put(file, change->old, change->old_count, change->offset);
    must(ftruncate(file, change->old_size) == 0, "ftruncate");
}

static void redo(const cwhorl_faulty_change *change, int file, unsigned percent, uint64_t *state)
{
    if (change->count == 0) {
        if (next_number(state) % 100 < percent) {
            must(ftruncate(file, change->offset) == 0, "ftruncate");
        }
        return;
    }
    for (size_t start = 0; start < change->count;) {
        const size_t room = sector - (size_t)((change->offset + (int64_t)start) % sector);
        const size_t left = change->count - start;
        const size_t count = left < room ? left : room;
        if (next_number(state) % 100 < percent) {
            put(file, change->bytes + start, count, change->offset + (int64_t)start);
        }
        start += count;
    }
}

void cwhorl_faulty_power_cut(const cwhorl_faulty_power *power, uint64_t seed)
{
    uint64_t state = seed;
    const unsigned percents[] = {0, 20, 50, 80, 95, 100};
    const unsigned percent = percents[next_number(&state) % (sizeof percents / sizeof *percents)];
    for (const cwhorl_faulty_change *change = power->newest; change != NULL;
         change = change->older) {
        // A file that was deleted since stays so.
        const int file = open(change->path, O_RDWR | O_CLOEXEC);
        if (file < 0) { continue; }
        undo(change, file);
        close(file);
    }
    for (const cwhorl_faulty_change *change = power->oldest; change != NULL;
         change = change->newer) {
        const int file = open(change->path, O_RDWR | O_CLOEXEC);
        if (file < 0) { continue; }
        redo(change, file, percent, &state);
        close(file);
    }
}
