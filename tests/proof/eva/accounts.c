/*
 * The functions of chapters 1 and 2, on records with any bytes.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/vcsched.h>

#include "any.h"

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

int main(void) {
    average();
    if (EITHER()) {
        estimate();
    } else {
        learn();
    }
    return 0;
}
