/*
 * The arguments of calls about a unit are checked here, and nowhere else: fields, states that contradict each other,
 * and the memory for changes.
 *
 * Rules 8.1 and 8.6; worked by hand in tests/vcsched/unit/test_unit.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/core/compiler.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/unit_fields.h"
#include "vcsched/unit/unit.h"

/* ---- The legal combinations of a result's states ---- */

/* Sets of file states, as bits. */
#define FILES_NEEDED (1u << VCS_FILES_INIT)
#define FILES_ANY (1u << VCS_FILES_INIT | 1u << VCS_FILES_READY | 1u << VCS_FILES_DONE | 1u << VCS_FILES_ERROR)

/*
 * A result that is not over has no outcome, no verdict, and no files to delete. After its end it has an outcome: here
 * is which verdicts go with each outcome, and which states of the files.
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

/* Which file states go with the other three states, as bits; 0 if the three contradict each other already. */
static unsigned files_of(const vcs_result *result) {
    if (result->server_state == VCS_RESULT_OVER) {
        return files_of_over[result->outcome][result->validate_state];
    }
    return result->outcome == VCS_OUTCOME_INIT && result->validate_state == VCS_VALIDATE_INIT ? FILES_NEEDED : 0;
}

/* ---- What contradicts what ---- */

static VCS_COLD int refuse_unit(vcs_error *error, int code, uint32_t offset, const char *why) {
    return vcs_fail(error, code, &vcs_unit_layout, 0, offset, why);
}

static VCS_COLD int refuse_result(vcs_error *error, int code, uint32_t index, uint32_t offset, const char *why) {
    return vcs_fail(error, code, &vcs_result_layout, index, offset, why);
}

static int check_unit_states(const vcs_unit *unit, vcs_error *error) {
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
    if (result->id == 0) {
        return refuse_result(error, VCS_ERR_RANGE, index, VCS_FIELD(vcs_result, id), "is 0");
    }
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

/* ---- Records ---- */

int vcs_check_unit(const vcs_unit *unit, vcs_error *error) {
    const int code = vcs_check_record(unit, &vcs_unit_layout, error);
    return code != VCS_OK ? code : check_unit_states(unit, error);
}

int vcs_check_result(const vcs_unit *unit, const vcs_array *results, uint32_t index, vcs_error *error) {
    vcs_result result;
    const int code = vcs_copy_record(&result, results, index, &vcs_result_layout, error);
    return code != VCS_OK ? code : check_result_states(unit, &result, index, error);
}

/* A result, as far as its fields are not concerned: its states, and whether no result before has its id. */
static int check_among_others(const vcs_unit *unit, const vcs_array *results, uint32_t index, vcs_error *error) {
    const vcs_result *result = vcs_element(results, index);
    for (uint32_t i = 0; i < index; i++) {
        if (((const vcs_result *)vcs_element(results, i))->id == result->id) {
            return refuse_result(error, VCS_ERR_DUPLICATE, index, VCS_FIELD(vcs_result, id),
                                 "is also that of another result");
        }
    }
    return check_result_states(unit, result, index, error);
}

int vcs_check_unit_and_results(const vcs_unit *unit, const vcs_array *results, uint32_t *canonical, vcs_error *error) {
    int code = vcs_check_unit(unit, error);
    code = code == VCS_OK ? vcs_check_records(results, &vcs_result_layout, error) : code;
    *canonical = VCS_NONE;
    for (uint32_t i = 0; code == VCS_OK && i < results->count; i++) {
        code = check_among_others(unit, results, i, error);
        if (((const vcs_result *)vcs_element(results, i))->id == unit->canonical) {
            *canonical = i;
        }
    }
    if (code != VCS_OK || unit->canonical == 0) {
        return code;
    }
    if (*canonical == VCS_NONE) {
        return refuse_unit(error, VCS_ERR_INDEX, VCS_FIELD(vcs_unit, canonical),
                           "is not the id of any result: the canonical result is missing");
    }
    if (((const vcs_result *)vcs_element(results, *canonical))->validate_state != VCS_VALIDATE_VALID) {
        return refuse_result(error, VCS_ERR_UNSUPPORTED, *canonical, VCS_FIELD(vcs_result, validate_state),
                             "is not valid, but this is the canonical result");
    }
    return VCS_OK;
}

int vcs_unit_check(const vcs_unit *unit, const vcs_array *results, vcs_error *error) {
    uint32_t canonical;
    const int code = vcs_check_error(error);
    return code != VCS_OK ? code : vcs_check_unit_and_results(unit, results, &canonical, error);
}

/* ---- Calls that return changes ---- */

/* "has room for too few changes: 28 are needed" */
static VCS_COLD int refuse_capacity(vcs_error *error, uint64_t needed) {
    char why[64] = "";
    vcs_number_text number;
    const char *const texts[] = {"has room for too few changes:", vcs_number_after_space(&number, needed),
                                 " are needed"};
    vcs_join_texts(why, sizeof why, texts, sizeof texts / sizeof *texts);
    return vcs_fail(error, VCS_ERR_COUNT, &vcs_change_layout, 0, VCS_WHOLE_RECORD, why);
}

int vcs_check_changes(const vcs_array *results, double now, const vcs_array *changes, const uint32_t *change_count,
                      vcs_error *error) {
    int code = vcs_check_now(now, error);
    code = code == VCS_OK ? vcs_check_place(changes, "changes is NULL", error) : code;
    code = code == VCS_OK ? vcs_check_place(change_count, "change_count is NULL", error) : code;
    if (code != VCS_OK) {
        return code;
    }
    /* No call makes more than 10 changes to the unit and 4 to a result. */
    const uint64_t needed = VCS_CHANGES_PER_UNIT + (uint64_t)VCS_CHANGES_PER_RESULT * results->count;
    return changes->count < needed ? refuse_capacity(error, needed)
                                   : vcs_check_rows(changes, &vcs_change_layout, changes->count, "", error);
}

int vcs_begin_call(vcs_unit_call *call, const vcs_unit *unit, const vcs_array *results, double now,
                   const vcs_array *changes, const uint32_t *change_count, vcs_error *error) {
    uint32_t canonical = VCS_NONE;
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_check_unit_and_results(unit, results, &canonical, error) : code;
    code = code == VCS_OK ? vcs_check_changes(results, now, changes, change_count, error) : code;
    *call = (vcs_unit_call){unit, results, now, changes, 0, canonical};
    return code;
}
