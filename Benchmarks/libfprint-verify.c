// The libfprint calls that Whorl makes for a verify, and nothing else: what its time is compared to.
//
//     libfprint-verify alone    verifies on a reader that stays open
//     libfprint-verify whole    opens the reader before each verify, and closes it after
//
// For libfprint's virtual device, whose socket FP_VIRTUAL_DEVICE names. Speaks with the benchmark as
// WhorlBench/Contestant.swift says.

#include <fprint.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STAGES = 5, PATIENCE_S = 20 };

struct lap {
    FpPrint *print;
    gboolean opens;
    gboolean is_over;
    int64_t armed;
    int64_t answered;
};

static _Noreturn void give_up(const char *what, const GError *why) {
    fprintf(stderr, "libfprint-verify: %s: %s\n", what, why ? why->message : "it gave no reason");
    exit(EXIT_FAILURE);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void say(const char *line) {
    if (puts(line) == EOF || fflush(stdout) == EOF) exit(EXIT_FAILURE);
}

static gboolean on_patience_lost(gpointer data) {
    (void)data;
    give_up("a verify", &(GError){.message = "it took too long"});
}

static void on_finger_status(FpDevice *device, GParamSpec *property, gpointer data) {
    (void)property;
    struct lap *lap = data;
    if (lap->armed || fp_device_get_finger_status(device) != FP_FINGER_STATUS_NEEDED) return;
    lap->armed = now();
    say("armed whorl");
}

static void on_verdict(GObject *object, GAsyncResult *result, gpointer data) {
    struct lap *lap = data;
    gboolean is_match = FALSE;
    GError *error = NULL;
    if (!fp_device_verify_finish(FP_DEVICE(object), result, &is_match, NULL, &error))
        give_up("verify", error);
    lap->answered = now();
    if (!is_match) give_up("verify", &(GError){.message = "the finger did not match"});
    lap->is_over = TRUE;
}

// Reports come before the end, as they do to Whorl.
static void on_report(FpDevice *device, FpPrint *match, FpPrint *print, gpointer data,
                      GError *error) {
    (void)device, (void)match, (void)print, (void)data, (void)error;
}

static void verify(FpDevice *device, struct lap *lap) {
    fp_device_verify(device, lap->print, NULL, on_report, NULL, NULL, on_verdict, lap);
}

static void on_open(GObject *object, GAsyncResult *result, gpointer data) {
    GError *error = NULL;
    if (!fp_device_open_finish(FP_DEVICE(object), result, &error)) give_up("open", error);
    verify(FP_DEVICE(object), data);
}

static void run(FpDevice *device, struct lap *lap) {
    guint clock = g_timeout_add_seconds(PATIENCE_S, on_patience_lost, NULL);
    gulong handler =
        g_signal_connect(device, "notify::finger-status", G_CALLBACK(on_finger_status), lap);
    GError *error = NULL;
    int64_t start = now();
    if (lap->opens)
        fp_device_open(device, NULL, on_open, lap);
    else
        verify(device, lap);
    while (!lap->is_over) g_main_context_iteration(NULL, TRUE);
    printf("lap %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", start, lap->armed,
           lap->answered, lap->answered);
    fflush(stdout);
    if (lap->opens && !fp_device_close_sync(device, NULL, &error)) give_up("close", error);
    g_signal_handler_disconnect(device, handler);
    g_source_remove(clock);
}

static FpDevice *virtual_device(FpContext *context) {
    GPtrArray *devices = fp_context_get_devices(context);
    for (guint index = 0; index < devices->len; index++) {
        FpDevice *device = g_ptr_array_index(devices, index);
        if (strcmp(fp_device_get_driver(device), "virtual_device") == 0) return device;
    }
    give_up("libfprint", &(GError){.message = "no virtual device; set FP_VIRTUAL_DEVICE"});
}

int main(int count, char **arguments) {
    gboolean is_whole = count == 2 && strcmp(arguments[1], "whole") == 0;
    if (!is_whole && !(count == 2 && strcmp(arguments[1], "alone") == 0))
        give_up("usage", &(GError){.message = "libfprint-verify alone|whole"});

    GError *error = NULL;
    FpContext *context = fp_context_new();
    FpDevice *device = virtual_device(context);
    if (!fp_device_open_sync(device, NULL, &error)) give_up("open", error);
    for (int stage = 0; stage < STAGES; stage++) say("touch whorl");
    FpPrint *print = fp_device_enroll_sync(device, fp_print_new(device), NULL, NULL, NULL, &error);
    if (!print) give_up("enrol", error);
    if (is_whole && !fp_device_close_sync(device, NULL, &error)) give_up("close", error);
    say("ready");

    char line[16];
    while (fgets(line, sizeof line, stdin) && strcmp(line, "go\n") == 0)
        run(device, &(struct lap){.print = print, .opens = is_whole});

    if (!is_whole && !fp_device_close_sync(device, NULL, &error)) give_up("close", error);
    g_object_unref(print);
    g_object_unref(context);
    return EXIT_SUCCESS;
}
