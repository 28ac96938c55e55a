/*
 * The functions of chapter 10 on one job and one client whose fields are in range.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcsched/core/number.c lib/vcsched/interface/*/*.c
// sources: lib/vcsched/dispatch/expected.c lib/vcsched/dispatch/pace.c
// options: -eva-min-loop-unroll 4 -eva-slevel 100
#include <vcsched/vcsched.h>

#include "right.h"

int code;

vcs_client client;
vcs_dispatch_job job;
vcs_pace pool;
vcs_dispatch_rules rules;

static void expect(void) {
    double seconds;
    vcs_dispatch_rules first;
    MAY_PASS(vcs_dispatch_rules_init(&first, sizeof first));
    MAY_PASS(vcs_expected_reply(&client, &job, &pool, &rules, &seconds, NOBODY));
}

static void send(void) {
    MAY_PASS(vcs_job_send(&job, ANY_U32(), &client, &pool, &rules, ANY_TIME(), NOBODY));
}

static void receive(void) {
    uint32_t refused;
    RIGHT_SIZED(reply_times, times);
    MAY_PASS(vcs_client_reply(&client, &pool, &times, &rules, ANY_TIME(), &refused, NOBODY));
}

int main(void) {
    any_right_client(&client);
    any_right_dispatch_job(&job);
    any_right_pace(&pool);
    any_right_dispatch_rules(&rules);
    rules.struct_size = sizeof rules;
    switch (Frama_C_interval(0, 2)) {
    case 0:
        expect();
        break;
    case 1:
        send();
        break;
    default:
        receive();
    }
    return 0;
}
