// pthread_sigmask and sigtimedwait need POSIX names beyond ISO C.
#define _GNU_SOURCE
#include "cwhorl_descriptor.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

// Whoever shares a terminal or a pipe with us may have made it non-blocking for both.
static void wait_until_ready(int descriptor, short events)
{
    struct pollfd ready = { .fd = descriptor, .events = events };
    (void)poll(&ready, 1, -1);
}

ssize_t cwhorl_read(int descriptor, void *start, size_t length)
{
    for (;;) {
        const ssize_t count = read(descriptor, start, length);
        if (count >= 0)
            return count;
        if (errno == EAGAIN || errno == EWOULDBLOCK)
            wait_until_ready(descriptor, POLLIN);
        else if (errno != EINTR)
            return -errno;
    }
}

static int write_all(int descriptor, const unsigned char *cursor, size_t length)
{
    while (length > 0) {
        const ssize_t count = write(descriptor, cursor, length);
        if (count >= 0) {
            cursor += count;
            length -= (size_t)count;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            wait_until_ready(descriptor, POLLOUT);
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

int cwhorl_write_all(int descriptor, const void *start, size_t length)
{
    sigset_t pipe_signal, before, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigemptyset(&pending);
    sigpending(&pending);
    const int was_pending = sigismember(&pending, SIGPIPE);

    const int blocked = pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    if (blocked != 0)
        return blocked;
    const int result = write_all(descriptor, start, length);
    if (result == EPIPE && was_pending != 1) {
        // Ours, and raised for this thread: taken away before it can be delivered.
        const struct timespec now = { 0, 0 };
        while (sigtimedwait(&pipe_signal, NULL, &now) < 0 && errno == EINTR)
            ;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}
