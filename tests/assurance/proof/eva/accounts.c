/*
 * The functions of chapters 1 and 2, on records with any bytes; debts of two projects and the
 * ranks of three entries, with fields in range.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcsched/core/number.c lib/vcsched/core/index_sort.c lib/vcsched/interface/*/*.c lib/vcsched/accounts/*.c
// options: -eva-min-loop-unroll 4 -eva-slevel 100
#include <vcsched/vcsched.h>

#include "right.h"

int code;

/* The doors let no other numbers pass than these: the analyser has to be told. */
#define SOME_WORK() Frama_C_double_interval(0.0, 1e30)

static void average(void) {
    vcs_average plain = {SOME_WORK(), ANY_TIME(), {0, 0}};
    code = vcs_average_add(&plain, ANY_FINITE(), Frama_C_double_interval(1e-12, 1.0), ANY_TIME());
    vcs_average blended = {SOME_WORK(), ANY_TIME(), {0, 0}};
    code = vcs_average_blend(&blended, ANY_FINITE(), Frama_C_double_interval(1.0, 1e15), ANY_TIME());
    double credits;
    code = vcs_credits(ANY_FINITE(), &credits);
}

static void estimate(void) {
    ANY(vcs_error, error);
    error.struct_size = sizeof error;
    ANY(vcs_progress, progress);
    progress.struct_size = sizeof progress;
    progress.est_flops = SOME_WORK();
    progress.flops = Frama_C_double_interval(1e-3, 1e30);
    progress.dcf = Frama_C_double_interval(0.0, 1e6);
    progress.efficiency = Frama_C_double_interval(0.0, 1.0);
    progress.elapsed = Frama_C_double_interval(0.0, 1e12);
    progress.fraction_done = Frama_C_double_interval(0.0, DBL_MAX);
    double seconds;
    code = vcs_estimate_remaining(&progress, ANY_U32(), &seconds, &error);
}

static void learn(void) {
    ANY(vcs_progress, finished);
    finished.struct_size = sizeof finished;
    ANY(vcs_correction, correction);
    code = vcs_correction_update(&correction, &finished, 0);
    vcs_usable usable = {Frama_C_double_interval(0.0, 1.0), {0, 0}};
    code = vcs_usable_update(&usable, Frama_C_double_interval(0.0, 1e15), ANY_FINITE());
}

#define PROJECTS 2

static void owe(void) {
    RIGHT_ARRAY(debt, debts, PROJECTS);
    RIGHT_SIZED(debt_interval, interval);
    uint32_t order[PROJECTS];
    MAY_PASS(vcs_debt_update(&(vcs_array){{debts}, sizeof *debts, PROJECTS}, &interval, order, NOBODY));
}

#define ENTRIES 3

static void rank(void) {
    RIGHT_ARRAY(rank_entry, entries, ENTRIES);
    RIGHT_SIZED(ranking, ranking);
    uint32_t order[ENTRIES];
    double priorities[ENTRIES];
    MAY_PASS(vcs_rank(&(vcs_array){{entries}, sizeof *entries, ENTRIES}, &ranking, order, priorities, NOBODY));
}

int main(void) {
    switch (Frama_C_interval(0, 4)) {
    case 0:
        average();
        break;
    case 1:
        estimate();
        break;
    case 2:
        learn();
        break;
    case 3:
        owe();
        break;
    default:
        rank();
    }
    return 0;
}
