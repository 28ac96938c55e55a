/*
 * An axis of a sweep: a key of the scenario, and the values that it takes in turn.
 *
 * One axis is what one `--vary KEY=VALUES` says, or a column of a table. KEY is the name of a parameter, KIND.KEY, or
 * KIND.NAME.KEY; VALUES is a list of words, numbers and ranges. doc/vcemu.md is the manual.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_POINTS_SWEEP_AXIS_H
#define VCS_EMU_SWEEP_POINTS_SWEEP_AXIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/scenario/state/state_grammar.h"

/* The most values that an axis, and the most points that a sweep may have. */
#define SWEEP_MOST_POINTS UINT64_C(1000000000)

/* A word or number as it stands, or a range. */
struct sweep_item {
    const char *word; /* NULL = a range */
    double from, step;
    bool geometric; /* each value is `step` times the one before, not `step` more */
    uint64_t count;
};

/* The kind of the axis whose values are scenarios. */
#define SWEEP_KIND_FILE UINT32_MAX

struct sweep_axis {
    const char *origin; /* what messages begin with: "--vary", or the name of a file and a colon */
    char *text;         /* what the other texts point into */
    const char *key;    /* KEY as it was given; the heading of its column */
    const struct state_grammar *grammar;
    uint32_t kind;       /* of the sections that have it; STATE_CLIENT for a parameter or an option */
    const char *section; /* NAME; NULL = all sections of the kind */
    const char *entry;   /* the key in its section, or the name of the parameter */
    struct sweep_item *items;
    size_t item_count;
    const char *const *cells; /* of a column: its values, `stride` apart, instead of items; they belong to the table */
    size_t stride;
    uint64_t count;    /* how many values */
    size_t value_size; /* bytes that hold the text of each of them, with its NUL */
};

/*
 * Reads "KEY=VALUES", with a KEY of the grammar; `option` is what said it. Returns false and describes what is wrong.
 * In both cases vcs_swp_axis_free() is due.
 */
bool vcs_swp_axis_read(struct sweep_axis *axis, const char *option, const char *text,
                       const struct state_grammar *grammar, struct fault *fault);

/*
 * The same for a column headed KEY. In tables of hosts, keys of [host] may stand without "host.". `origin` must last as
 * long as the axis.
 */
bool vcs_swp_axis_read_column(struct sweep_axis *axis, const char *origin, const char *key, bool of_hosts,
                              const struct state_grammar *grammar, struct fault *fault);

/* Gives it the values of a column. */
void vcs_swp_axis_fill(struct sweep_axis *axis, const char *const *cells, size_t stride, uint64_t count);

void vcs_swp_axis_free(struct sweep_axis *axis);

/* Bytes for the text of a number. */
#define SWEEP_NUMBER_SIZE 32

/* The text of value `index`, 0 ... count - 1. That of a number is written to `text`. */
const char *vcs_swp_axis_value(const struct sweep_axis *axis, uint64_t index, char text[SWEEP_NUMBER_SIZE]);

/* Is its key that of an option, "profile", "policy" or "policy_argument", and no parameter? */
bool vcs_swp_axis_is_option(const struct sweep_axis *axis);

/* Is there a section whose key both set? */
bool vcs_swp_axes_meet(const struct sweep_axis *one, const struct sweep_axis *other);

#endif
