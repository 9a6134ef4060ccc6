// MAP_ANONYMOUS, MADV_DONTDUMP, MADV_WIPEONFORK, explicit_bzero and getrandom are GNU extensions.
#define _GNU_SOURCE
#include "cwhorl_secret_pages.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

static struct cwhorl_secret_pages refused(int step, int error)
{
    return (struct cwhorl_secret_pages){ .failed_step = step, .error = error };
}

struct cwhorl_secret_pages cwhorl_secret_pages_map(size_t length)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (length == 0 || length > SIZE_MAX - (page - 1))
        return refused(CWHORL_SECRET_PAGES_SIZE, EINVAL);
    const size_t rounded = (length + (page - 1)) / page * page;

    void *start =
        mmap(NULL, rounded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return refused(CWHORL_SECRET_PAGES_MAP, errno);

    int step = 0;
    if (mlock(start, rounded) != 0)
        step = CWHORL_SECRET_PAGES_LOCK;
    else if (madvise(start, rounded, MADV_DONTDUMP) != 0)
        step = CWHORL_SECRET_PAGES_DUMP;
    else if (madvise(start, rounded, MADV_WIPEONFORK) != 0)
        step = CWHORL_SECRET_PAGES_FORK;
    if (step != 0) {
        const int error = errno;
        munmap(start, rounded);
        return refused(step, error);
    }
    return (struct cwhorl_secret_pages){ .start = start, .length = rounded };
}

void cwhorl_secret_pages_unmap(void *start, size_t length)
{
    explicit_bzero(start, length);
    munmap(start, length);
}

void cwhorl_wipe(void *start, size_t length)
{
    explicit_bzero(start, length);
}

int cwhorl_equal_bytes(const void *a, const void *b, size_t length)
{
    const volatile unsigned char *left = a;
    const volatile unsigned char *right = b;
    unsigned int difference = 0;
    for (size_t i = 0; i < length; i++)
        difference |= (unsigned int)(left[i] ^ right[i]);
    // 1 for a difference of 0, by borrow rather than by branch.
    return (int)(((difference - 1) >> 8) & 1);
}

int cwhorl_fill_random(void *start, size_t length)
{
    unsigned char *cursor = start;
    while (length > 0) {
        const ssize_t filled = getrandom(cursor, length, 0);
        if (filled < 0) {
            if (errno == EINTR)
                continue;
            return errno;
        }
        cursor += filled;
        length -= (size_t)filled;
    }
    return 0;
}

uint64_t cwhorl_locked_memory_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    return limit.rlim_cur;
}
