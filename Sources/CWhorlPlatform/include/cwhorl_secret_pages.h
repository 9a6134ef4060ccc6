#ifndef CWHORL_SECRET_PAGES_H
#define CWHORL_SECRET_PAGES_H

#include <stddef.h>
#include <stdint.h>

// In C, and not in Swift: an optimiser may drop a Swift loop that zeroes memory about to be freed,
// explicit_bzero(3) does not import, and neither does MAP_FAILED.

// What was refused when cwhorl_secret_pages_map() gave no pages.
enum cwhorl_secret_pages_step {
    CWHORL_SECRET_PAGES_SIZE = 1,  // the length does not fit in the address space
    CWHORL_SECRET_PAGES_MAP,       // mmap(2)
    CWHORL_SECRET_PAGES_LOCK,      // mlock(2)
    CWHORL_SECRET_PAGES_DUMP,      // madvise(2), MADV_DONTDUMP
    CWHORL_SECRET_PAGES_FORK,      // madvise(2), MADV_WIPEONFORK
};

struct cwhorl_secret_pages {
    void *_Nullable start;
    size_t length;  // of the whole mapping, in bytes: a multiple of the page size
    int failed_step;  // 0, or one of cwhorl_secret_pages_step
    int error;  // errno of the failed step
};

// Whole zeroed pages of their own for at least `length` bytes (length > 0): locked in memory, left
// out of core dumps, zero in a forked child. Either all of that holds or there are no pages.
struct cwhorl_secret_pages cwhorl_secret_pages_map(size_t length);

// Zeroes and gives back what cwhorl_secret_pages_map() made.
void cwhorl_secret_pages_unmap(void *_Nonnull start, size_t length);

void cwhorl_wipe(void *_Nonnull start, size_t length);

// 1 if the bytes are equal, else 0; the time taken depends on `length` alone.
int cwhorl_equal_bytes(const void *_Nonnull a, const void *_Nonnull b, size_t length);

// Fills with getrandom(2). 0, or errno.
int cwhorl_fill_random(void *_Nonnull start, size_t length);

// The soft RLIMIT_MEMLOCK in bytes; UINT64_MAX for "no limit" or when it cannot be read.
uint64_t cwhorl_locked_memory_limit(void);

#endif
