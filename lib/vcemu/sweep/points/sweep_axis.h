/*
 * An axis of a sweep: a key of the scenario, and its values.
 *
 * A `--vary KEY=VALUES` or a column of a table is an axis. KEY is a parameter, KIND.KEY, or KIND.NAME.KEY; VALUES is a
 * list of words, numbers and ranges. doc/vcemu.md is the manual.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_POINTS_SWEEP_AXIS_H
#define VCS_EMU_SWEEP_POINTS_SWEEP_AXIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/scenario/state/state_path.h"

/* The most values that an axis, and the most points that a sweep may have. */
#define SWEEP_MOST_POINTS UINT64_C(1000000000)

/* A word or number, or a range. */
struct sweep_item {
    const char *word; /* NULL = a range */
    double from, step;
    bool geometric; /* each value is `step` times the one before, not `step` more */
    uint64_t count;
};

/* The kind of the axis over scenarios. */
#define SWEEP_KIND_FILE UINT32_MAX

struct sweep_axis {
    const char *origin; /* begins messages: "--vary", or the name of a file and a colon */
    char *text;         /* the other texts point into it */
    const char *key;    /* KEY as it was given; the heading of its column */
    struct state_path path; /* its kind is STATE_CLIENT for a parameter or an option, whose name is its entry */
    struct sweep_item *items;
    size_t item_count;
    const char *const *cells; /* values of a column, `stride` apart, instead of items; they belong to the table */
    size_t stride;
    uint64_t count;    /* number of values */
    size_t value_size; /* bytes of the longest value, with its NUL */
};

/*
 * Reads "KEY=VALUES" with a KEY of the grammar, from the option `option`. Returns false and describes the fault. Either
 * way, vcs_swp_axis_free() is due.
 */
bool vcs_swp_axis_read(struct sweep_axis *axis, const char *option, const char *text,
                       const struct state_grammar *grammar, struct fault *fault);

/*
 * Reads the heading KEY of a column. In tables of hosts, keys of [host] may stand without "host.". `origin` must last
 * as long as the axis.
 */
bool vcs_swp_axis_read_column(struct sweep_axis *axis, const char *origin, const char *key, bool of_hosts,
                              const struct state_grammar *grammar, struct fault *fault);

/* Sets the values of a column. */
void vcs_swp_axis_fill(struct sweep_axis *axis, const char *const *cells, size_t stride, uint64_t count);

void vcs_swp_axis_free(struct sweep_axis *axis);

/* Bytes for the text of a number. */
#define SWEEP_NUMBER_SIZE 32

/* The text of value `index`, from 0 on. A number is written to `text`. */
const char *vcs_swp_axis_value(const struct sweep_axis *axis, uint64_t index, char text[SWEEP_NUMBER_SIZE]);

/* Is the key an option, "profile", "policy" or "policy_argument"? */
bool vcs_swp_axis_is_option(const struct sweep_axis *axis);

/* Do both set the same key of some section? */
bool vcs_swp_axes_meet(const struct sweep_axis *one, const struct sweep_axis *other);

#endif
