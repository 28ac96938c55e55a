/*
 * Is a copy that a host has still needed, and is a unit finished in every respect?
 *
 * Rule 8.9; worked by hand in tests/vcsched/unit/test_needed.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/fields/unit_fields.h"
#include "vcsched/unit/unit.h"

#include <vcsched/unit.h>

/* ---- A copy ---- */

typedef struct need {
    uint32_t needed, reason;
} need;

static need need_of(const vcs_unit *unit, const vcs_result *result) {
    const bool is_in_progress = result->server_state == VCS_RESULT_IN_PROGRESS;
    if (!is_in_progress && result->outcome != VCS_OUTCOME_NO_REPLY) {
        return (need){VCS_NEEDED_ABORT, VCS_REASON_REPORT_USELESS};
    }
    if (unit->error_mask != 0) {
        return (need){VCS_NEEDED_ABORT, VCS_REASON_UNIT_FAILED};
    }
    if (unit->canonical != 0) {
        return (need){is_in_progress ? VCS_NEEDED_ABORT_NOT_STARTED : VCS_NEEDED_ABORT, VCS_REASON_HAS_CANONICAL};
    }
    return (need){VCS_NEEDED_KEEP, VCS_REASON_STILL_NEEDED};
}

int vcs_result_needed(const vcs_unit *unit, const vcs_array *results, uint32_t index, uint32_t *needed,
                      uint32_t *reason, vcs_error *error) {
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_check_place(needed, "needed is NULL", error) : code;
    code = code == VCS_OK ? vcs_check_unit(unit, error) : code;
    code = code == VCS_OK ? vcs_check_array(results, &vcs_result_layout, error) : code;
    if (code == VCS_OK && index >= results->count) {
        code = vcs_fail(error, VCS_ERR_INDEX, &vcs_result_layout, index, VCS_WHOLE_RECORD, "does not exist");
    }
    code = code == VCS_OK ? vcs_check_result(unit, results, index, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    const need found = need_of(unit, vcs_element(results, index));
    *needed = found.needed;
    if (reason != NULL) {
        *reason = found.reason;
    }
    return VCS_OK;
}

/* ---- A unit ---- */

int vcs_unit_finished(const vcs_unit *unit, const vcs_array *results, uint32_t *finished, vcs_error *error) {
    uint32_t canonical;
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_check_place(finished, "finished is NULL", error) : code;
    code = code == VCS_OK ? vcs_check_unit_and_results(unit, results, &canonical, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    /* Files can be deleted only when nothing needs them: the result is over and judged, or the unit is assimilated. */
    bool is_finished = unit->file_delete_state == VCS_FILES_DONE;
    for (uint32_t i = 0; i < results->count; i++) {
        const vcs_result *result = vcs_element(results, i);
        is_finished = is_finished && result->file_delete_state == VCS_FILES_DONE;
    }
    *finished = is_finished;
    return VCS_OK;
}
