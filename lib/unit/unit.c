/*
 * The records of a unit and its results: new ones, and which states contradict each other.
 *
 * Rule 8.1; worked by hand in tests/unit/test_unit.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interface/argument.h"
#include "interface/check.h"
#include "core/number.h"
#include "unit/unit.h"

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
static unsigned files_of(uint32_t server_state, uint32_t outcome, uint32_t validate_state) {
    if (server_state == VCS_RESULT_OVER) {
        return files_of_over[outcome][validate_state];
    }
    return outcome == VCS_OUTCOME_INIT && validate_state == VCS_VALIDATE_INIT ? FILES_NEEDED : 0;
}

/* ---- What goes with what ---- */

static int refuse_unit(vcs_error *error, int code, uint32_t offset, const char *why) {
    return vcs_fail(error, code, VCS_TYPE_UNIT, 0, offset, why);
}

static int refuse_result(vcs_error *error, int code, uint32_t index, uint32_t offset, const char *why) {
    return vcs_fail(error, code, VCS_TYPE_RESULT, index, offset, why);
}

static int check_unit_parameters(const vcs_unit *unit, vcs_error *error) {
    if (unit->target_nresults < unit->min_quorum) {
        return refuse_unit(error, VCS_ERR_RANGE, VCS_FIELD(vcs_unit, target_nresults), "is less than min_quorum");
    }
    if (unit->max_total < unit->target_nresults) {
        return refuse_unit(error, VCS_ERR_RANGE, VCS_FIELD(vcs_unit, max_total), "is less than target_nresults");
    }
    if (unit->quorum_rule == VCS_QUORUM_WEIGHTED && unit->quorum_weight == 0.0) {
        return refuse_unit(error, VCS_ERR_RANGE, VCS_FIELD(vcs_unit, quorum_weight), "is 0: nothing would be enough");
    }
    return VCS_OK;
}

static int check_unit_states(const vcs_unit *unit, vcs_error *error) {
    bool has_ended = unit->canonical != 0 || unit->error_mask != 0;
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

static int check_unit(const vcs_unit *unit, vcs_error *error) {
    if (unit == NULL) {
        return refuse_unit(error, VCS_ERR_NULL, VCS_WHOLE_RECORD, "is NULL");
    }
    int code = vcs_unit_passes(unit) ? VCS_OK : vcs_refuse_fields(VCS_TYPE_UNIT, unit, 0, error);
    if (code == VCS_OK) {
        code = check_unit_parameters(unit, error);
    }
    return code != VCS_OK ? code : check_unit_states(unit, error);
}

/* Whether the unit has, or had, a result with which others could be compared. */
static bool has_standard(const vcs_unit *unit) {
    return unit->canonical != 0 || (unit->error_mask & VCS_UNIT_NO_CANONICAL) != 0;
}

/* Whether a verdict is possible in the unit's state; if not, why. */
static bool is_verdict_possible(const vcs_unit *unit, uint32_t validate_state, const char **why) {
    switch (validate_state) {
    case VCS_VALIDATE_VALID:
        *why = "is valid, but the unit has no canonical result";
        return has_standard(unit);
    case VCS_VALIDATE_TOO_LATE:
        *why = "is too late, but the unit has no canonical result";
        return has_standard(unit);
    case VCS_VALIDATE_NO_CHECK:
        *why = "is no check, but the unit has not failed";
        return unit->error_mask != 0;
    default:
        return true;
    }
}

static int check_result_states(const vcs_unit *unit, const vcs_result *result, uint32_t index, vcs_error *error) {
    unsigned files = files_of(result->server_state, result->outcome, result->validate_state);
    if (files == 0) {
        bool knows_outcome = result->server_state == VCS_RESULT_OVER ? result->outcome != VCS_OUTCOME_INIT
                                                                     : result->outcome == VCS_OUTCOME_INIT;
        return knows_outcome ? refuse_result(error, VCS_ERR_UNSUPPORTED, index, VCS_FIELD(vcs_result, validate_state),
                                             "does not go with outcome")
                             : refuse_result(error, VCS_ERR_UNSUPPORTED, index, VCS_FIELD(vcs_result, outcome),
                                             "does not go with server_state");
    }
    if ((files >> result->file_delete_state & 1) == 0) {
        return refuse_result(error, VCS_ERR_UNSUPPORTED, index, VCS_FIELD(vcs_result, file_delete_state),
                             "is not init, but the files are still needed");
    }
    const char *why = "";
    if (!is_verdict_possible(unit, result->validate_state, &why)) {
        return refuse_result(error, VCS_ERR_UNSUPPORTED, index, VCS_FIELD(vcs_result, validate_state), why);
    }
    if (result->credited != 0 && result->validate_state != VCS_VALIDATE_VALID) {
        return refuse_result(error, VCS_ERR_UNSUPPORTED, index, VCS_FIELD(vcs_result, credited),
                             "is set, but the result is not valid");
    }
    return VCS_OK;
}

/* ---- All results of a unit ---- */

static int refuse_fields(const vcs_given_unit *given, uint32_t index, vcs_error *error) {
    vcs_result known; /* bytes that this version does not know come first */
    int code = vcs_take_record(&known, sizeof known, &given->results, index, VCS_TYPE_RESULT, error);
    return code != VCS_OK ? code : vcs_refuse_fields(VCS_TYPE_RESULT, &known, index, error);
}

int vcs_check_result(const vcs_given_unit *given, uint32_t index, vcs_error *error) {
    const vcs_result *result = vcs_result_at(given, index);
    bool is_known = given->results.element_size == sizeof *result && vcs_result_passes(result);
    int code = is_known ? VCS_OK : refuse_fields(given, index, error);
    if (code == VCS_OK && result->id == 0) {
        code = refuse_result(error, VCS_ERR_RANGE, index, VCS_FIELD(vcs_result, id), "is 0");
    }
    return code != VCS_OK ? code : check_result_states(given->unit, result, index, error);
}

static int check_id(const vcs_given_unit *given, uint32_t index, vcs_error *error) {
    for (uint32_t i = 0; i < index; i++) {
        if (vcs_result_at(given, i)->id == vcs_result_at(given, index)->id) {
            return refuse_result(error, VCS_ERR_DUPLICATE, index, VCS_FIELD(vcs_result, id),
                                 "is also that of another result");
        }
    }
    return VCS_OK;
}

/* Checks the results one by one, and finds the canonical one among them. */
static int check_results(vcs_given_unit *given, vcs_error *error) {
    for (uint32_t i = 0; i < given->results.count; i++) {
        int code = vcs_check_result(given, i, error);
        if (code == VCS_OK) {
            code = check_id(given, i, error);
        }
        if (code != VCS_OK) {
            return code;
        }
        if (vcs_result_at(given, i)->id == given->unit->canonical) {
            given->canonical = i;
        }
    }
    return VCS_OK;
}

static int check_canonical(const vcs_given_unit *given, vcs_error *error) {
    if (given->unit->canonical == 0) {
        return VCS_OK;
    }
    const vcs_result *canonical = vcs_canonical_of(given);
    if (canonical == NULL) {
        return refuse_unit(error, VCS_ERR_INDEX, VCS_FIELD(vcs_unit, canonical),
                           "is not the id of any result: the canonical result is missing");
    }
    if (canonical->validate_state != VCS_VALIDATE_VALID) {
        return refuse_result(error, VCS_ERR_UNSUPPORTED, given->canonical, VCS_FIELD(vcs_result, validate_state),
                             "is not valid, but this is the canonical result");
    }
    return VCS_OK;
}

int vcs_take_unit_alone(vcs_given_unit *given, const vcs_unit *unit, const vcs_result *results, uint32_t result_size,
                        uint32_t result_count, vcs_error *error) {
    given->unit = unit;
    given->results = (vcs_array){.base = results, .element_size = result_size, .count = result_count};
    given->canonical = VCS_NONE;
    int code = check_unit(unit, error);
    return code != VCS_OK ? code : vcs_check_array(&given->results, sizeof(vcs_result), VCS_TYPE_RESULT, error);
}

int vcs_take_unit(vcs_given_unit *given, const vcs_unit *unit, const vcs_result *results, uint32_t result_size,
                  uint32_t result_count, vcs_error *error) {
    int code = vcs_take_unit_alone(given, unit, results, result_size, result_count, error);
    if (code == VCS_OK) {
        code = check_results(given, error);
    }
    return code != VCS_OK ? code : check_canonical(given, error);
}

int vcs_check_now(double now, vcs_error *error) {
    int code = vcs_check_time(now);
    return code == VCS_OK ? VCS_OK
                          : vcs_fail(error, code, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD, "now is out of range");
}

int vcs_unit_check(const vcs_unit *unit, const vcs_result *results, uint32_t result_size, uint32_t result_count,
                   vcs_error *error) {
    int code = vcs_check_error(error);
    vcs_given_unit given;
    return code != VCS_OK ? code : vcs_take_unit(&given, unit, results, result_size, result_count, error);
}
