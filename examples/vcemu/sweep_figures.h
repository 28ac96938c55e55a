/*
 * The figures that a sweep tells of its runs: the fields of vcs_outcome, each under its name there, and in that order.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_SWEEP_FIGURES_H
#define VCEMU_SWEEP_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vcsched/emulator.h>

#include "fault.h"

#define SWEEP_MOST_FIGURES 64

struct sweep_figure {
    char name[sizeof((vcs_field_info *)0)->name];
    uint32_t offset;    /* of the field in vcs_outcome */
    bool whole;         /* a uint64_t, not a double */
    uint32_t undefined; /* the flag that says that it has no value; 0 = it always has one */
};

struct sweep_figures {
    struct sweep_figure list[SWEEP_MOST_FIGURES];
    size_t count;
};

/* Those that are named, "waste,idleness", in this order; NULL = all. Returns false and describes what is wrong. */
bool sweep_figures_choose(struct sweep_figures *figures, const char *names, struct fault *fault);

/* The figure of a run. Returns false if it has none. */
bool sweep_figure_of(const struct sweep_figure *figure, const vcs_outcome *outcome, double *value);

#endif
