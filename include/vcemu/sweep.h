/*
 * `vcemu sweep` for other programs in C: the same options, a policy of the program's own, and the figures of each run.
 *
 * Link libvcemu_sweep and libvcemu_reader, or with Meson depend on vcemu_sweep_dep. doc/vcemu.md says more,
 * examples/c/fetch_study.c is one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_SWEEP_H
#define VCEMU_SWEEP_H

#include <stddef.h>
#include <stdint.h>

#include <vcemu/policy.h>
#include <vcemu/scenario.h>

/* A run that is done. Valid during the call. */
struct vcemu_sweep_run {
    uint64_t point; /* its number, from 0 */
    uint64_t seed;
    double weight; /* how many hosts it stands for; 1 without --hosts */

    /* The keys that are varied, and their values at the point. */
    const char *const *keys, *const *values;
    size_t key_count;

    /* The figures: names as headings have them, and numbers, NaN if undefined. */
    const char *const *figure_names;
    const double *figures;
    size_t figure_count;
};

struct vcemu_sweep {
    /* The options of `vcemu sweep` and its files, as on its command line: {"base.ini", "--vary", "host.cpus=1,2"}. */
    const char *const *arguments;
    size_t argument_count;

    /* Decides in place of --policy. Its `begin` is called by several threads. NULL = as the arguments say. */
    const struct vcemu_policy *policy;
    const char
        *policy_name; /* with `policy`: stands for it in the column `scenario`; change it when the policy changes */

    /* Is given each run, in order, always by the same thread; those of rows that the table has already are not done
       again. A number other than 0 ends the sweep. NULL = only the table is wanted. */
    int (*take)(void *context, const struct vcemu_sweep_run *run);
    void *context;
};

/* How it ended: the exit status of `vcemu sweep`. */
enum vcemu_sweep_end {
    VCEMU_SWEEP_DONE = 0,
    VCEMU_SWEEP_REFUSED = 1, /* the input is wrong, the table could not be written, or `take` ended it */
    VCEMU_SWEEP_USAGE = 2,   /* the arguments are wrong */
    VCEMU_SWEEP_INTERRUPTED = 130
};

/*
 * Does the sweep. The table is written as the arguments say; with `take` and without --output there is none. Unless it
 * is done, the message says why not. While it goes on, SIGINT and SIGTERM end it, and what is done stays. One at a
 * time.
 */
VCS_API enum vcemu_sweep_end vcemu_sweep(const struct vcemu_sweep *sweep, char message[VCEMU_MESSAGE_SIZE]);

#endif
