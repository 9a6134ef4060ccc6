#include "plans.h"
#include "power.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { plan_limit = 64, folder_limit = 512 };

typedef struct {
    char folder[folder_limit];
    cwhorl_faulty_plan plan;
    uint64_t calls;
    cwhorl_faulty_power power;
} armed_plan;

static armed_plan plans[plan_limit];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// The plan of a folder, or of the folder that a file is in. The mutex is held.
static armed_plan *find(const char *path, bool is_file)
{
    for (size_t index = 0; index < plan_limit; index++) {
        const size_t length = strlen(plans[index].folder);
        if (length == 0 || strncmp(plans[index].folder, path, length) != 0) { continue; }
        if (path[length] == (is_file ? '/' : '\0')) { return &plans[index]; }
    }
    return NULL;
}

bool cwhorl_faulty_arm(const char *folder, cwhorl_faulty_plan plan)
{
    const size_t length = strlen(folder);
    if (length == 0 || length >= folder_limit) { return false; }
    pthread_mutex_lock(&mutex);
    armed_plan *armed = find(folder, false);
    for (size_t index = 0; armed == NULL && index < plan_limit; index++) {
        if (plans[index].folder[0] == '\0') { armed = &plans[index]; }
    }
    if (armed != NULL) {
        memcpy(armed->folder, folder, length + 1);
        armed->plan = plan;
        armed->calls = 0;
        cwhorl_faulty_power_reset(&armed->power);
    }
    pthread_mutex_unlock(&mutex);
    return armed != NULL;
}

uint64_t cwhorl_faulty_calls(const char *folder)
{
    pthread_mutex_lock(&mutex);
    const armed_plan *armed = find(folder, false);
    const uint64_t calls = armed == NULL ? 0 : armed->calls;
    pthread_mutex_unlock(&mutex);
    return calls;
}

void cwhorl_faulty_disarm(const char *folder)
{
    pthread_mutex_lock(&mutex);
    armed_plan *armed = find(folder, false);
    if (armed != NULL) {
        cwhorl_faulty_power_reset(&armed->power);
        armed->folder[0] = '\0';
    }
    pthread_mutex_unlock(&mutex);
}

cwhorl_faulty_strike cwhorl_faulty_strike_for(const char *path, uint32_t kind)
{
    cwhorl_faulty_strike strike = {CWHORL_FAULTY_NOTHING, 0};
    if (path == NULL) { return strike; }
    pthread_mutex_lock(&mutex);
    armed_plan *armed = find(path, true);
    if (armed != NULL && (armed->plan.kinds & kind) != 0) {
        const cwhorl_faulty_plan *plan = &armed->plan;
        armed->calls++;
        const bool is_hit = plan->at != 0
            && (armed->calls == plan->at || (plan->lasts && armed->calls > plan->at));
        if (is_hit) { strike = (cwhorl_faulty_strike){plan->action, plan->code}; }
        if (strike.action == CWHORL_FAULTY_CUT_POWER) {
            // With the mutex held, so that nothing is written any more.
            cwhorl_faulty_power_cut(&armed->power, plan->seed);
            cwhorl_faulty_die();
        }
    }
    pthread_mutex_unlock(&mutex);
    return strike;
}

bool cwhorl_faulty_skips_sync(const char *path)
{
    if (path == NULL) { return false; }
    pthread_mutex_lock(&mutex);
    const armed_plan *armed = find(path, true);
    const bool skips = armed != NULL && armed->plan.skips_sync;
    pthread_mutex_unlock(&mutex);
    return skips;
}

bool cwhorl_faulty_remembers(const char *path)
{
    if (path == NULL) { return false; }
    pthread_mutex_lock(&mutex);
    const armed_plan *armed = find(path, true);
    const bool remembers = armed != NULL && armed->plan.action == CWHORL_FAULTY_CUT_POWER;
    pthread_mutex_unlock(&mutex);
    return remembers;
}

void cwhorl_faulty_remember(
    const char *path, int64_t offset, const void *bytes, size_t count, const void *old,
    size_t old_count, int64_t old_size)
{
    pthread_mutex_lock(&mutex);
    armed_plan *armed = find(path, true);
    if (armed != NULL) {
        cwhorl_faulty_power_remember(
            &armed->power, path, offset, bytes, count, old, old_count, old_size);
    }
    pthread_mutex_unlock(&mutex);
}

void cwhorl_faulty_forget(const char *path)
{
    if (path == NULL) { return; }
    pthread_mutex_lock(&mutex);
    armed_plan *armed = find(path, true);
    if (armed != NULL) { cwhorl_faulty_power_forget(&armed->power, path); }
    pthread_mutex_unlock(&mutex);
}

_Noreturn void cwhorl_faulty_die(void)
{
    kill(getpid(), SIGKILL);
    for (;;) { pause(); }
}
