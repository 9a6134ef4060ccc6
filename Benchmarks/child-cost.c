// Runs a program once, and prints what it cost: nanoseconds from its start to its end, its largest
// resident memory in KiB, its exit status.
//
//     child-cost PROGRAM [ARGUMENT…]
//
// A program of its own, and a small one, because Linux counts the memory of whoever starts a program
// into that program's peak. What the program prints goes nowhere.

#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void must(int is_so, const char *what) {
    if (is_so) return;
    fprintf(stderr, "child-cost: %s failed\n", what);
    exit(EXIT_FAILURE);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int main(int count, char **arguments) {
    must(count >= 2, "usage: child-cost PROGRAM [ARGUMENT…];");
    posix_spawn_file_actions_t files;
    must(posix_spawn_file_actions_init(&files) == 0, "posix_spawn_file_actions_init");
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        must(posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0) == 0,
             "posix_spawn_file_actions_addopen");
    pid_t child = 0;
    int status = 0;
    struct rusage usage;
    int64_t start = now();
    must(posix_spawn(&child, arguments[1], &files, NULL, arguments + 1, environ) == 0,
         arguments[1]);
    must(wait4(child, &status, 0, &usage) == child, "wait4");
    int64_t end = now();
    printf("cost %" PRId64 " %ld %d\n", end - start, usage.ru_maxrss,
           WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return EXIT_SUCCESS;
}
