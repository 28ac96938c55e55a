/*
 * The records of a unit and its results: new ones, and which states contradict each other.
 *
 * Rule 8.1; worked by hand in tests/vcsched/unit/test_unit.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/unit_fields.h"
#include "vcsched/unit/unit.h"

#include <string.h>

#define DELAY_BOUND (7 * 86400.0)

/* ---- New records ---- */

int vcs_unit_init(vcs_unit *unit, uint64_t id) {
    if (unit == NULL) {
        return VCS_ERR_NULL;
    }
    memset(unit, 0, sizeof *unit);
    unit->id = id;
    unit->transition_time = VCS_INFINITY;
    unit->delay_bound = DELAY_BOUND;
    unit->min_quorum = 1;
    unit->target_nresults = 1;
    unit->max_total = 1;
    unit->max_success = 1;
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

/* ---- The legal combinations of a result's states ---- */

/* Sets of file states, as bits. */
#define FILES_NEEDED (1u << VCS_FILES_INIT)
#define FILES_ANY (1u << VCS_FILES_INIT | 1u << VCS_FILES_READY | 1u << VCS_FILES_DONE | 1u << VCS_FILES_ERROR)

/*
 * A result that is not over has no outcome, no verdict, and no files that could be deleted. One that is over has an
 * outcome: here is which verdicts go with it, and which states of its files.
 */
static const unsigned char files_of_over[VCS_OUTCOME_CLIENT_DETACHED + 1][VCS_VALIDATE_TOO_LATE + 1] = {
    [VCS_OUTCOME_SUCCESS] =
        {
            [VCS_VALIDATE_INIT] = FILES_NEEDED,
            [VCS_VALIDATE_VALID] = FILES_ANY,
            [VCS_VALIDATE_INVALID] = FILES_ANY,
            [VCS_VALIDATE_NO_CHECK] = FILES_ANY,
            [VCS_VALIDATE_INCONCLUSIVE] = FILES_NEEDED,
            [VCS_VALIDATE_TOO_LATE] = FILES_ANY,
        },
    [VCS_OUTCOME_COULDNT_SEND] = {[VCS_VALIDATE_INIT] = FILES_ANY},
    [VCS_OUTCOME_CLIENT_ERROR] = {[VCS_VALIDATE_INVALID] = FILES_ANY},
    [VCS_OUTCOME_NO_REPLY] = {[VCS_VALIDATE_INIT] = FILES_ANY},
    [VCS_OUTCOME_DIDNT_NEED] = {[VCS_VALIDATE_INIT] = FILES_ANY},
    [VCS_OUTCOME_VALIDATE_ERROR] = {[VCS_VALIDATE_ERROR] = FILES_ANY},
    [VCS_OUTCOME_CLIENT_DETACHED] = {[VCS_VALIDATE_INIT] = FILES_ANY},
};

/* Which file states go with the other three, as bits; 0 if those contradict each other already. */
static unsigned files_of(const vcs_result *result) {
    if (result->server_state == VCS_RESULT_OVER) {
        return files_of_over[result->outcome][result->validate_state];
    }
    return result->outcome == VCS_OUTCOME_INIT && result->validate_state == VCS_VALIDATE_INIT ? FILES_NEEDED : 0;
}

/* ---- What contradicts what ---- */

static int refuse_unit(vcs_error *error, int code, uint32_t offset, const char *why) {
    return vcs_fail(error, code, &vcs_unit_layout, 0, offset, why);
}

static int refuse_result(vcs_error *error, int code, uint32_t index, uint32_t offset, const char *why) {
    return vcs_fail(error, code, &vcs_result_layout, index, offset, why);
}

static int check_unit(const vcs_unit *unit, vcs_error *error) {
    const bool has_ended = unit->canonical != 0 || unit->error_mask != 0;
    if (unit->target_nresults < unit->min_quorum) {
        return refuse_unit(error, VCS_ERR_RANGE, VCS_FIELD(vcs_unit, target_nresults), "is less than min_quorum");
    }
    if (unit->max_total < unit->target_nresults) {
        return refuse_unit(error, VCS_ERR_RANGE, VCS_FIELD(vcs_unit, max_total), "is less than target_nresults");
    }
    if (unit->quorum_rule == VCS_QUORUM_WEIGHTED && unit->quorum_weight == 0.0) {
        return refuse_unit(error, VCS_ERR_RANGE, VCS_FIELD(vcs_unit, quorum_weight), "is 0: nothing would be enough");
    }
    if (unit->assimilate_state != VCS_ASSIMILATE_INIT && !has_ended) {
        return refuse_unit(error, VCS_ERR_UNSUPPORTED, VCS_FIELD(vcs_unit, assimilate_state),
                           "is not init, but the unit has neither a canonical result nor failed");
    }
    if (unit->assimilate_state == VCS_ASSIMILATE_INIT && unit->canonical != 0) {
        return refuse_unit(error, VCS_ERR_UNSUPPORTED, VCS_FIELD(vcs_unit, assimilate_state),
                           "is init, but the unit has a canonical result");
    }
    if (unit->file_delete_state != VCS_FILES_INIT && unit->assimilate_state != VCS_ASSIMILATE_DONE) {
        return refuse_unit(error, VCS_ERR_UNSUPPORTED, VCS_FIELD(vcs_unit, file_delete_state),
                           "is not init, but the unit is not assimilated");
    }
    return VCS_OK;
}

/* Why the state of its unit makes a verdict on a result impossible; NULL if it does not. */
static const char *problem_of_verdict(const vcs_unit *unit, uint32_t validate_state) {
    const bool had_canonical = unit->canonical != 0 || (unit->error_mask & VCS_UNIT_NO_CANONICAL) != 0;
    switch (validate_state) {
    case VCS_VALIDATE_VALID:
        return had_canonical ? NULL : "is valid, but the unit has no canonical result";
    case VCS_VALIDATE_TOO_LATE:
        return had_canonical ? NULL : "is too late, but the unit has no canonical result";
    case VCS_VALIDATE_NO_CHECK:
        return unit->error_mask != 0 ? NULL : "is no check, but the unit has not failed";
    default:
        return NULL;
    }
}

static int check_result_states(const vcs_unit *unit, const vcs_result *result, uint32_t index, vcs_error *error) {
    const bool is_over = result->server_state == VCS_RESULT_OVER, has_outcome = result->outcome != VCS_OUTCOME_INIT;
    const char *problem = problem_of_verdict(unit, result->validate_state);
    const unsigned files = files_of(result);
    if (files == 0 && is_over != has_outcome) {
        return refuse_result(error, VCS_ERR_UNSUPPORTED, index, VCS_FIELD(vcs_result, outcome),
                             "does not go with server_state");
    }
    if (files == 0) {
        return refuse_result(error, VCS_ERR_UNSUPPORTED, index, VCS_FIELD(vcs_result, validate_state),
                             "does not go with outcome");
    }
    if ((files >> result->file_delete_state & 1) == 0) {
        return refuse_result(error, VCS_ERR_UNSUPPORTED, index, VCS_FIELD(vcs_result, file_delete_state),
                             "is not init, but the files are still needed");
    }
    if (result->file_delete_state != VCS_FILES_INIT && unit->assimilate_state != VCS_ASSIMILATE_DONE) {
        return refuse_result(error, VCS_ERR_UNSUPPORTED, index, VCS_FIELD(vcs_result, file_delete_state),
                             "is not init, but the unit is not assimilated");
    }
    if (problem != NULL) {
        return refuse_result(error, VCS_ERR_UNSUPPORTED, index, VCS_FIELD(vcs_result, validate_state), problem);
    }
    if (result->credited != 0 && result->validate_state != VCS_VALIDATE_VALID) {
        return refuse_result(error, VCS_ERR_UNSUPPORTED, index, VCS_FIELD(vcs_result, credited),
                             "is set, but the result is not valid");
    }
    if (result->granted != 0.0 && result->credited == 0) {
        return refuse_result(error, VCS_ERR_UNSUPPORTED, index, VCS_FIELD(vcs_result, granted),
                             "is not 0, but credited is");
    }
    if ((result->revoked & VCS_REVOKED_RESULT) != 0 && result->validate_state != VCS_VALIDATE_INVALID) {
        return refuse_result(error, VCS_ERR_UNSUPPORTED, index, VCS_FIELD(vcs_result, revoked),
                             "says that it was withdrawn, but the result is not invalid");
    }
    return VCS_OK;
}

/* ---- A unit and its results ---- */

int vcs_check_unit_alone(const vcs_unit_call *call, vcs_error *error) {
    int code = vcs_check_record(call->unit, &vcs_unit_layout, error);
    code = code == VCS_OK ? check_unit(call->unit, error) : code;
    return code != VCS_OK ? code : vcs_check_array(call->results, &vcs_result_layout, error);
}

int vcs_check_result(const vcs_unit_call *call, uint32_t index, vcs_error *error) {
    const vcs_result *result = vcs_result_at(call, index);
    bool is_known = call->results->element_size == sizeof *result && vcs_result_passes(result);
    int code = is_known ? VCS_OK : vcs_refuse_record(call->results, index, &vcs_result_layout, error);
    if (code == VCS_OK && result->id == 0) {
        code = refuse_result(error, VCS_ERR_RANGE, index, VCS_FIELD(vcs_result, id), "is 0");
    }
    return code != VCS_OK ? code : check_result_states(call->unit, result, index, error);
}

static int check_id(const vcs_unit_call *call, uint32_t index, vcs_error *error) {
    for (uint32_t i = 0; i < index; i++) {
        if (vcs_result_at(call, i)->id == vcs_result_at(call, index)->id) {
            return refuse_result(error, VCS_ERR_DUPLICATE, index, VCS_FIELD(vcs_result, id),
                                 "is also that of another result");
        }
    }
    return VCS_OK;
}

int vcs_check_unit_and_results(vcs_unit_call *call, vcs_error *error) {
    int code = vcs_check_unit_alone(call, error);
    for (uint32_t i = 0; code == VCS_OK && i < call->results->count; i++) {
        code = vcs_check_result(call, i, error);
        if (code == VCS_OK) {
            code = check_id(call, i, error);
        }
        if (code == VCS_OK && vcs_result_at(call, i)->id == call->unit->canonical) {
            call->canonical = i;
        }
    }
    if (code != VCS_OK || call->unit->canonical == 0) {
        return code;
    }
    if (call->canonical == VCS_NONE) {
        return refuse_unit(error, VCS_ERR_INDEX, VCS_FIELD(vcs_unit, canonical),
                           "is not the id of any result: the canonical result is missing");
    }
    if (vcs_result_at(call, call->canonical)->validate_state != VCS_VALIDATE_VALID) {
        return refuse_result(error, VCS_ERR_UNSUPPORTED, call->canonical, VCS_FIELD(vcs_result, validate_state),
                             "is not valid, but this is the canonical result");
    }
    return VCS_OK;
}

int vcs_unit_check(const vcs_unit *unit, const vcs_array *results, vcs_error *error) {
    vcs_unit_call call = {unit, results, .canonical = VCS_NONE};
    int code = vcs_check_error(error);
    return code != VCS_OK ? code : vcs_check_unit_and_results(&call, error);
}
