/*
 * Records of a new unit and of a new result.
 *
 * Rule 8.1; worked by hand in tests/vcsched/unit/test_unit.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/core/number.h"

#include <string.h>
#include <vcsched/unit.h>

/* Of the project itself, before a person is called. */
#define MAX_FAILURES 8u

int vcs_unit_init(vcs_unit *unit, uint64_t id) {
    if (unit == NULL) {
        return VCS_ERR_NULL;
    }
    memset(unit, 0, sizeof *unit);
    unit->id = id;
    unit->transition_time = VCS_INFINITY;
    unit->delay_bound = 7.0 * VCS_SECONDS_PER_DAY;
    unit->min_quorum = 1;
    unit->target_nresults = 1;
    unit->max_total = 1;
    unit->max_success = 1;
    unit->max_failures = MAX_FAILURES;
    return VCS_OK;
}

int vcs_result_init(vcs_result *result, uint64_t id) {
    if (result == NULL) {
        return VCS_ERR_NULL;
    }
    if (id == 0) {
        return VCS_ERR_RANGE;
    }
    memset(result, 0, sizeof *result);
    result->id = id;
    result->deadline = VCS_INFINITY;
    result->server_state = VCS_RESULT_UNSENT;
    return VCS_OK;
}
