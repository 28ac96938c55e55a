/*
 * The functions of chapter 3, on records with any bytes; structs that state their size state the true one.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/vcsched.h>

#include "any.h"

int code;

static void draw_waits(void) {
    ANY(vcs_error, error);
    error.struct_size = sizeof error;
    ANY(vcs_parameters, parameters);
    parameters.struct_size = sizeof parameters;
    ANY(vcs_backoff_range, range);
    range.struct_size = sizeof range;
    code = vcs_backoff_range_init(&range, sizeof range, &parameters, ANY_U32(), &error);
    ANY(vcs_backoff_range, any_range);
    any_range.struct_size = sizeof any_range;
    double wait;
    code = vcs_backoff(ANY_U32(), &any_range, ANY_FINITE(), &wait);
    ANY(vcs_transfer_backoff, transfers);
    code = vcs_transfer_backoff_failed(&transfers, &any_range, ANY_TIME(), ANY_FINITE());
    ANY(vcs_transfer_backoff, waiting);
    code = vcs_transfer_backoff_wait(&waiting, ANY_TIME(), &wait);
}

static void keep_timers(void) {
    double wait;
    ANY(vcs_project_timer, timer);
    code = vcs_project_timer_delay(&timer, ANY_FINITE(), ANY_TIME());
    ANY(vcs_project_timer, waiting);
    code = vcs_project_timer_wait(&waiting, ANY_TIME(), &wait);
    ANY(vcs_resource_backoff, backoff);
    code = vcs_resource_backoff_wait(&backoff, ANY_TIME(), &wait);
}

int main(void) {
    if (EITHER()) {
        draw_waits();
    } else {
        keep_timers();
    }
    return 0;
}
