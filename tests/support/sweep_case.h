/*
 * A sweep under construction, and the runs that came of it: what the tests of include/vcemu/sweep.h have in common.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SWEEP_CASE_H
#define SWEEP_CASE_H

#include "support/scenario_file.h"

#include <vcemu/sweep.h>

#define MOST_RUNS 8

/* One host and its server, so that a run takes milliseconds. */
static const char short_text[] = "[host]\n"
                                 "cpus = 1\n"
                                 "flops = 1e9\n"
                                 "[project P]\n"
                                 "[app P/A]\n"
                                 "est_flops = 1e12\n"
                                 "latency_bound = 2e4\n"
                                 "[emulation]\n"
                                 "duration = 30000\n";

/* A sweep, and what it gave. */
typedef struct sweep_case {
    vcs_sweep sweep;
    vcs_sweep_axis axes[4];
    vcs_file_options options;
    const char *files[2];
    vcs_sweep_run runs[MOST_RUNS]; /* the pointers in it are no longer valid */
    double first_figures[MOST_RUNS];
    char first_values[MOST_RUNS][32];
    uint32_t run_count;
    uint32_t end_after; /* `receive` ends the sweep after so many; 0 = never */
    uint32_t steps_of[VCS_SWEEP_EMULATING + 1];
    uint32_t interrupt_at; /* `progress` ends it when this stage has begun; VCS_NONE = never */
    char told[2][VCS_MESSAGE_SIZE];
    char message[VCS_MESSAGE_SIZE];
} sweep_case;

static inline int receive_run(void *context, const vcs_sweep_run *run) {
    sweep_case *c = context;
    assert_true(c->run_count < MOST_RUNS);
    assert_true(run->struct_size >= sizeof *run);
    c->runs[c->run_count] = *run;
    c->first_figures[c->run_count] = run->figures[0];
    snprintf(c->first_values[c->run_count], sizeof c->first_values[0], "%s", run->key_count == 0 ? "" : run->values[0]);
    return ++c->run_count == c->end_after;
}

static inline int watch_progress(void *context, uint32_t stage, uint64_t done, uint64_t total) {
    sweep_case *c = context;
    assert_true(stage <= VCS_SWEEP_EMULATING && (done <= total || total == 0));
    c->steps_of[stage]++;
    return stage == c->interrupt_at;
}

static inline void listen(void *context, uint32_t kind, const char *message) {
    sweep_case *c = context;
    assert_true(kind < COUNT_OF(c->told));
    snprintf(c->told[kind], sizeof c->told[kind], "%s", message);
}

/* A sweep of one point of a file, the runs of which are received. It must not be moved. */
static inline void begin_sweep(sweep_case *c, const char *file) {
    memset(c, 0, sizeof *c);
    c->interrupt_at = VCS_NONE;
    c->files[0] = file;
    c->options.struct_size = sizeof c->options;
    c->sweep.struct_size = sizeof c->sweep;
    c->sweep.files = c->files;
    c->sweep.file_count = 1;
    c->sweep.axes = c->axes;
    c->sweep.options = &c->options;
    c->sweep.figures = "calls";
    c->sweep.receive = receive_run;
    c->sweep.progress = watch_progress;
    c->sweep.tell = listen;
    c->sweep.context = c;
}

/* One thing more that it varies, of VCS_SWEEP_VARY, ... */
static inline void add_axis(sweep_case *c, uint32_t kind, const char *text) {
    c->axes[c->sweep.axis_count++] = (vcs_sweep_axis){.text = text, .kind = kind};
}

static inline int do_sweep(sweep_case *c) {
    c->run_count = 0;
    strcpy(c->message, "untouched");
    return vcs_emulate_sweep(&c->sweep, c->message, sizeof c->message);
}

/* Does it, which must succeed. */
static inline void expect_done(sweep_case *c) {
    const int end = do_sweep(c);
    if (end != VCS_SWEEP_DONE) {
        fail_msg("%d: %s", end, c->message);
    }
    assert_string_equal(c->message, "");
}

/* The test works in a folder of its own, with short.ini and grid.ini. */
static inline int enter_folder(void **state) {
    static char folder[64];
    make_folder(folder);
    *state = folder;
    if (chdir(folder) != 0) {
        return -1;
    }
    write_file("short.ini", short_text);
    write_file("grid.ini", grid_text);
    return 0;
}

static inline int leave_folder(void **state) {
    static const char *const files[] = {"short.ini", "grid.ini", "hosts.csv", "points.csv", "table.csv"};
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        remove(files[i]);
    }
    return chdir("..") == 0 ? rmdir(*state) : -1; /* nothing else was left behind */
}

#endif
