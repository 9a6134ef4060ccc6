#ifndef CWHORL_DESCRIPTOR_H
#define CWHORL_DESCRIPTOR_H

#include <stddef.h>
#include <sys/types.h>

// One read(2), again after a signal; waits where a descriptor is non-blocking and has nothing yet.
// The number of bytes (0 at the end), or -errno.
ssize_t cwhorl_read(int descriptor, void *_Nonnull start, size_t length);

// write(2) until everything is written. 0, or errno; a reader that has gone is EPIPE and raises no
// SIGPIPE, whatever the process does with that signal.
int cwhorl_write_all(int descriptor, const void *_Nonnull start, size_t length);

#endif
