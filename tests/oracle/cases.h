/*
 * What the comparisons of library and oracle share: how many random cases, the library's answers in the oracle's shape,
 * and the first difference of two outcomes, printed with the seed that shows it again.
 *
 * The environment sets how much is compared: VCS_CASES is the number of cases of each test, VCS_SEED the first seed;
 * without VCS_CASES it is as effort.h says, of at most VCS_MOST_CASES cases. VCS_FLOAT_MODE is the mode of arithmetic,
 * by its name in float_mode.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ORACLE_CASES_H
#define ORACLE_CASES_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/oracle_edf.h"
#include "oracle/oracle_wrr.h"
#include "support/random_state.h"

/* The seeds of a test: `first` and the `count - 1` that follow. */
typedef struct seeds {
    uint64_t first;
    uint64_t count;
} seeds;

/* `block` keeps the seeds of different tests apart. */
seeds seeds_of_test(uint64_t block, uint64_t usual_count);

/* A prepared state in memory of its own. The library must accept its input. */
vcs_state *prepare_case(const random_state *s);
void free_case(vcs_state *state);

oracle_wrr library_wrr(vcs_state *state, const vcs_snapshot *snapshot);
oracle_edf_outcome library_edf(vcs_state *state, const vcs_snapshot *snapshot, uint32_t which);

/*
 * Equal to the last bit? If not, the first difference is printed. `what` says which comparison it is.
 */
bool same_wrr(const oracle_wrr *expected, const oracle_wrr *found, const vcs_snapshot *snapshot, const char *what,
              uint64_t seed);
bool same_edf(const oracle_edf_outcome *expected, const oracle_edf_outcome *found, const vcs_snapshot *snapshot,
              const char *what, uint64_t seed);

/* Whether the order of the records decides nothing: a shuffled copy of the state comes to the same, to the last bit. */
bool same_wrr_shuffled(const random_state *original, const char *what, uint64_t seed);
bool same_edf_shuffled(const random_state *original, const char *what, uint64_t seed);

/* One field; `same` says whether it is. Prints it if not, and returns `same`. */
bool same_field(bool same, const char *what, uint64_t seed, const char *record, uint32_t index, const char *field,
                double expected, double found);
bool same_double(double a, double b);

#endif
