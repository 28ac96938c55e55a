/*
 * The functions of chapters 3 and 7. Those on single records get any bytes, and the true size of a struct that states
 * it; those on arrays, and all that a policy decides, get fields that are in range.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcsched/core/number.c lib/vcsched/interface/*/*.c lib/vcsched/timers/*.c
// options: -eva-min-loop-unroll 4
// options: -eva-slevel-function vcs_reply_apply:100,vcs_rpc_check:200,vcs_rpc_report:200
#include <vcsched/vcsched.h>

#include "right.h"

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

#define RESOURCES 2
#define PROJECTS 2

static void apply_reply(void) {
    RIGHT_SIZED(parameters, policy);
    RIGHT_SIZED(reply, reply);
    RIGHT(project_timer, timer);
    RIGHT_ARRAY(resource_backoff, backoffs, RESOURCES);
    RIGHT_ARRAY(resource_reply, replies, RESOURCES);
    MAY_PASS(vcs_reply_apply(&timer, &(vcs_array){{backoffs}, sizeof *backoffs, RESOURCES}, &reply,
                             &(vcs_array){{replies}, sizeof *replies, RESOURCES}, &policy, NOBODY));
}

static void report_by_deadline(void) {
    RIGHT_SIZED(parameters, policy);
    uint32_t overdue;
    MAY_PASS(vcs_result_overdue(ANY_FINITE(), ANY_FINITE(), &policy, ANY_FINITE(), &overdue));
    MAY_PASS(vcs_result_overdue(VCS_INFINITY, ANY_FINITE(), &policy, ANY_FINITE(), &overdue));
}

static void call_schedulers(void) {
    RIGHT_SIZED(parameters, policy);
    RIGHT(rpc_session, session);
    RIGHT_ARRAY(rpc_project, projects, PROJECTS);
    session.place = any_index(PROJECTS);
    vcs_rpc_action action = {.struct_size = sizeof action};
    RIGHT_SIZED(rpc_situation, situation);
    /*@ split session.place; */
    MAY_PASS(vcs_rpc_next(&session, &(vcs_array){{projects}, sizeof *projects, PROJECTS}, &situation, &policy, &action,
                          NOBODY));
}

static void hear_from_schedulers(void) {
    RIGHT_SIZED(parameters, policy);
    RIGHT(rpc_session, session);
    RIGHT_ARRAY(rpc_project, projects, PROJECTS);
    session.place = any_index(PROJECTS);
    RIGHT_SIZED(rpc_outcome, outcome);
    /*@ split session.place; */
    MAY_PASS(vcs_rpc_report(&session, &(vcs_array){{projects}, sizeof *projects, PROJECTS}, &outcome, &policy, NOBODY));
}

int main(void) {
    switch (Frama_C_interval(0, 5)) {
    case 0:
        draw_waits();
        break;
    case 1:
        keep_timers();
        break;
    case 2:
        apply_reply();
        break;
    case 3:
        report_by_deadline();
        break;
    case 4:
        call_schedulers();
        break;
    default:
        hear_from_schedulers();
    }
    return 0;
}
