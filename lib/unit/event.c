/* SPDX-License-Identifier: MIT */
#include "interface/check.h"
#include "core/number.h"
#include "unit/change.h"
#include "unit/unit.h"

#include <vcsched/transition.h>

/* ---- What events have in common ---- */

/* What an event is about, and where it writes. */
typedef struct event {
    const vcs_unit *unit;
    const vcs_result *result; /* NULL = the event is about the unit alone */
    uint32_t index;           /* of the result */
    double now;
    vcs_change_list changes;
} event;

/* The caller's list of changes. */
typedef struct answer {
    vcs_change *changes;
    uint32_t change_size, capacity;
    uint32_t *count_out;
} answer;

static int begin(event *e, const answer *out, vcs_error *error) {
    int code = vcs_check_unit(e->unit, error);
    if (code == VCS_OK) {
        code = vcs_check_now(e->now, error);
    }
    if (code == VCS_OK) {
        code = vcs_begin_changes(&e->changes, out->changes, out->change_size, out->capacity, out->count_out, 1, error);
    }
    return code;
}

static int begin_unit(event *e, const answer *out, vcs_error *error) {
    int code = vcs_check_error(error);
    return code != VCS_OK ? code : begin(e, out, error);
}

static int begin_result(event *e, const answer *out, vcs_error *error) {
    int code = begin_unit(e, out, error);
    return code != VCS_OK ? code : vcs_check_result(e->unit, e->result, e->index, error);
}

static int end(const event *e, const answer *out) {
    *out->count_out = e->changes.count;
    return VCS_OK;
}

static int refuse_unit(vcs_error *error, uint32_t offset, const char *why) {
    return vcs_fail(error, VCS_ERR_SEQUENCE, VCS_TYPE_UNIT, 0, offset, why);
}

static int refuse_result(const event *e, vcs_error *error, uint32_t offset, const char *why) {
    return vcs_fail(error, VCS_ERR_SEQUENCE, VCS_TYPE_RESULT, e->index, offset, why);
}

static void set_unit(event *e, uint32_t field, uint64_t value, uint32_t reason) {
    vcs_change_integer(&e->changes, VCS_NONE, field, value, reason);
}

static void set_result(event *e, uint32_t field, uint32_t value, uint32_t reason) {
    vcs_change_integer(&e->changes, e->index, field, value, reason);
}

/* The unit is due for a transition. */
static void transition_now(event *e, uint32_t reason) {
    vcs_change_number(&e->changes, VCS_NONE, VCS_FIELD_UNIT_TRANSITION_TIME, e->now, reason);
}

/* ---- Of the unit (rules 8.2, 8.5) ---- */

int vcs_unit_created(const vcs_unit *unit, double now, vcs_change *changes, uint32_t change_size, uint32_t capacity,
                     uint32_t *count_out, vcs_error *error) {
    event e = {.unit = unit, .now = now};
    const answer out = {changes, change_size, capacity, count_out};
    int code = begin_unit(&e, &out, error);
    if (code != VCS_OK) {
        return code;
    }
    if (unit->canonical != 0) {
        return refuse_unit(error, VCS_FIELD(vcs_unit, canonical), "is not 0, but the unit is new");
    }
    if (unit->error_mask != 0) {
        return refuse_unit(error, VCS_FIELD(vcs_unit, error_mask), "is not 0, but the unit is new");
    }
    transition_now(&e, VCS_REASON_UNIT_CREATED);
    return end(&e, &out);
}

static void fail(event *e, uint32_t unit_error, uint32_t reason) {
    if ((e->unit->error_mask & unit_error) == 0) {
        set_unit(e, VCS_FIELD_UNIT_ERROR_MASK, e->unit->error_mask | unit_error, reason);
        transition_now(e, reason);
    }
}

int vcs_unit_cancelled(const vcs_unit *unit, double now, vcs_change *changes, uint32_t change_size, uint32_t capacity,
                       uint32_t *count_out, vcs_error *error) {
    event e = {.unit = unit, .now = now};
    const answer out = {changes, change_size, capacity, count_out};
    int code = begin_unit(&e, &out, error);
    if (code != VCS_OK) {
        return code;
    }
    fail(&e, VCS_UNIT_CANCELLED, VCS_REASON_UNIT_CANCELLED);
    return end(&e, &out);
}

int vcs_unit_canonical_lost(const vcs_unit *unit, double now, vcs_change *changes, uint32_t change_size,
                            uint32_t capacity, uint32_t *count_out, vcs_error *error) {
    event e = {.unit = unit, .now = now};
    const answer out = {changes, change_size, capacity, count_out};
    int code = begin_unit(&e, &out, error);
    if (code != VCS_OK) {
        return code;
    }
    if (unit->canonical == 0) {
        return refuse_unit(error, VCS_FIELD(vcs_unit, canonical), "is 0: there is none that could be lost");
    }
    set_unit(&e, VCS_FIELD_UNIT_CANONICAL, 0, VCS_REASON_CANONICAL_LOST);
    fail(&e, VCS_UNIT_NO_CANONICAL, VCS_REASON_CANONICAL_LOST);
    return end(&e, &out);
}

int vcs_unit_assimilated(const vcs_unit *unit, double now, vcs_change *changes, uint32_t change_size,
                         uint32_t capacity, uint32_t *count_out, vcs_error *error) {
    event e = {.unit = unit, .now = now};
    const answer out = {changes, change_size, capacity, count_out};
    int code = begin_unit(&e, &out, error);
    if (code != VCS_OK) {
        return code;
    }
    if (unit->assimilate_state != VCS_ASSIMILATE_READY) {
        return refuse_unit(error, VCS_FIELD(vcs_unit, assimilate_state), "is not ready");
    }
    set_unit(&e, VCS_FIELD_UNIT_ASSIMILATE_STATE, VCS_ASSIMILATE_DONE, VCS_REASON_ASSIMILATED);
    vcs_change_number(&e.changes, VCS_NONE, VCS_FIELD_UNIT_ASSIMILATED, now, VCS_REASON_ASSIMILATED);
    transition_now(&e, VCS_REASON_ASSIMILATED);
    return end(&e, &out);
}

/* ---- Deleted files (rule 8.3f) ---- */

static int refuse_deletion(const event *e, vcs_error *error) {
    return e->result == NULL ? refuse_unit(error, VCS_FIELD(vcs_unit, file_delete_state), "is not ready")
                             : refuse_result(e, error, VCS_FIELD(vcs_result, file_delete_state), "is not ready");
}

/* Of the result if the event is about one, else of the unit. `files` is the state in which they are. */
static int delete_files(event *e, uint32_t what, uint32_t files, vcs_error *error) {
    if (what != VCS_DELETED && what != VCS_NOT_DELETED) {
        return vcs_fail(error, VCS_ERR_FLAGS, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD,
                        "what is no attempt to delete files");
    }
    if (files != VCS_FILES_READY && files != VCS_FILES_ERROR) {
        return refuse_deletion(e, error);
    }
    uint32_t state = what == VCS_DELETED ? VCS_FILES_DONE : VCS_FILES_ERROR;
    uint32_t reason = what == VCS_DELETED ? VCS_REASON_FILES_DELETED : VCS_REASON_FILES_NOT_DELETED;
    if (e->result == NULL) {
        set_unit(e, VCS_FIELD_UNIT_FILE_DELETE_STATE, state, reason);
    } else {
        set_result(e, VCS_FIELD_RESULT_FILE_DELETE_STATE, state, reason);
    }
    return VCS_OK;
}

int vcs_unit_files_deleted(const vcs_unit *unit, uint32_t what, double now, vcs_change *changes, uint32_t change_size,
                           uint32_t capacity, uint32_t *count_out, vcs_error *error) {
    event e = {.unit = unit, .now = now};
    const answer out = {changes, change_size, capacity, count_out};
    int code = begin_unit(&e, &out, error);
    if (code == VCS_OK) {
        code = delete_files(&e, what, unit->file_delete_state, error);
    }
    return code == VCS_OK ? end(&e, &out) : code;
}

int vcs_result_files_deleted(const vcs_unit *unit, const vcs_result *result, uint32_t index, uint32_t what, double now,
                             vcs_change *changes, uint32_t change_size, uint32_t capacity, uint32_t *count_out,
                             vcs_error *error) {
    event e = {.unit = unit, .result = result, .index = index, .now = now};
    const answer out = {changes, change_size, capacity, count_out};
    int code = begin_result(&e, &out, error);
    if (code == VCS_OK) {
        code = delete_files(&e, what, result->file_delete_state, error);
    }
    return code == VCS_OK ? end(&e, &out) : code;
}

/* ---- Of a result (rule 8.2) ---- */

int vcs_result_sent(const vcs_unit *unit, const vcs_result *result, uint32_t index, uint64_t hr_class, double now,
                    vcs_change *changes, uint32_t change_size, uint32_t capacity, uint32_t *count_out,
                    vcs_error *error) {
    event e = {.unit = unit, .result = result, .index = index, .now = now};
    const answer out = {changes, change_size, capacity, count_out};
    int code = begin_result(&e, &out, error);
    if (code != VCS_OK) {
        return code;
    }
    if (result->server_state != VCS_RESULT_UNSENT) {
        return refuse_result(&e, error, VCS_FIELD(vcs_result, server_state), "is not unsent");
    }
    if (unit->hr_class != 0 && unit->hr_class != hr_class) {
        return vcs_fail(error, VCS_ERR_UNSUPPORTED, VCS_TYPE_UNIT, 0, VCS_FIELD(vcs_unit, hr_class),
                        "is another than that of the host");
    }
    double deadline = now + unit->delay_bound;
    set_result(&e, VCS_FIELD_RESULT_SERVER_STATE, VCS_RESULT_IN_PROGRESS, VCS_REASON_SENT);
    vcs_change_number(&e.changes, index, VCS_FIELD_RESULT_DEADLINE, deadline, VCS_REASON_SENT);
    if (deadline < unit->transition_time) {
        vcs_change_number(&e.changes, VCS_NONE, VCS_FIELD_UNIT_TRANSITION_TIME, deadline, VCS_REASON_NEXT_DEADLINE);
    }
    if (unit->hr_class != hr_class) {
        set_unit(&e, VCS_FIELD_UNIT_HR_CLASS, hr_class, VCS_REASON_CLASS_FIXED);
    }
    return end(&e, &out);
}

/* What a report in time makes of a result. */
typedef struct verdict {
    uint32_t outcome, validate_state, reason;
} verdict;

static verdict verdict_of(uint32_t report) {
    switch (report) {
    case VCS_REPORT_SUCCESS:
        return (verdict){VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INIT, VCS_REASON_REPORTED_SUCCESS};
    case VCS_REPORT_CLIENT_ERROR:
        return (verdict){VCS_OUTCOME_CLIENT_ERROR, VCS_VALIDATE_INVALID, VCS_REASON_REPORTED_ERROR};
    case VCS_REPORT_CANCELLED:
        return (verdict){VCS_OUTCOME_NO_REPLY, VCS_VALIDATE_INIT, VCS_REASON_CANCELLED_BY_USER};
    case VCS_REPORT_DETACHED:
        return (verdict){VCS_OUTCOME_CLIENT_DETACHED, VCS_VALIDATE_INIT, VCS_REASON_DETACHED};
    default: /* the caller refuses it */
        return (verdict){VCS_OUTCOME_NO_REPLY, VCS_VALIDATE_INIT, VCS_REASON_REPORT_REFUSED};
    }
}

static void receive_in_time(event *e, verdict made) {
    set_result(e, VCS_FIELD_RESULT_SERVER_STATE, VCS_RESULT_OVER, made.reason);
    set_result(e, VCS_FIELD_RESULT_OUTCOME, made.outcome, made.reason);
    if (made.validate_state != VCS_VALIDATE_INIT) {
        set_result(e, VCS_FIELD_RESULT_VALIDATE_STATE, made.validate_state, made.reason);
    }
    vcs_change_number(&e->changes, e->index, VCS_FIELD_RESULT_RECEIVED, e->now, made.reason);
    transition_now(e, made.reason);
}

/* A success that had been given up counts as long as the unit has not come to an end, and its files are there. */
static bool is_still_wanted(const event *e, uint32_t report) {
    return report == VCS_REPORT_SUCCESS && e->result->outcome == VCS_OUTCOME_NO_REPLY && e->unit->canonical == 0 &&
           e->unit->error_mask == 0 && e->result->file_delete_state == VCS_FILES_INIT;
}

static void receive_after_all(event *e) {
    set_result(e, VCS_FIELD_RESULT_OUTCOME, VCS_OUTCOME_SUCCESS, VCS_REASON_LATE_SUCCESS);
    vcs_change_number(&e->changes, e->index, VCS_FIELD_RESULT_RECEIVED, e->now, VCS_REASON_LATE_SUCCESS);
    transition_now(e, VCS_REASON_LATE_SUCCESS);
}

static void note_late(event *e, uint32_t report) {
    set_result(e, VCS_FIELD_RESULT_LATE_REPORT, report, VCS_REASON_LATE_REPORT);
    vcs_change_number(&e->changes, e->index, VCS_FIELD_RESULT_LATE_RECEIVED, e->now, VCS_REASON_LATE_REPORT);
}

int vcs_result_received(const vcs_unit *unit, const vcs_result *result, uint32_t index, uint32_t report, double now,
                        vcs_change *changes, uint32_t change_size, uint32_t capacity, uint32_t *count_out,
                        vcs_error *error) {
    event e = {.unit = unit, .result = result, .index = index, .now = now};
    const answer out = {changes, change_size, capacity, count_out};
    int code = begin_result(&e, &out, error);
    if (code != VCS_OK) {
        return code;
    }
    if (report < VCS_REPORT_SUCCESS || report > VCS_REPORT_REFUSED) {
        return vcs_fail(error, VCS_ERR_FLAGS, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD, "report is none that there is");
    }
    if (vcs_is_waiting(result)) {
        return refuse_result(&e, error, VCS_FIELD(vcs_result, server_state), "says that it was never sent");
    }
    if (result->server_state == VCS_RESULT_IN_PROGRESS) {
        receive_in_time(&e, verdict_of(report));
    } else if (is_still_wanted(&e, report)) {
        receive_after_all(&e);
    } else {
        note_late(&e, report);
    }
    return end(&e, &out);
}

int vcs_result_unsendable(const vcs_unit *unit, const vcs_result *result, uint32_t index, double now,
                          vcs_change *changes, uint32_t change_size, uint32_t capacity, uint32_t *count_out,
                          vcs_error *error) {
    event e = {.unit = unit, .result = result, .index = index, .now = now};
    const answer out = {changes, change_size, capacity, count_out};
    int code = begin_result(&e, &out, error);
    if (code != VCS_OK) {
        return code;
    }
    if (result->server_state != VCS_RESULT_UNSENT) {
        return refuse_result(&e, error, VCS_FIELD(vcs_result, server_state), "is not unsent");
    }
    set_result(&e, VCS_FIELD_RESULT_SERVER_STATE, VCS_RESULT_OVER, VCS_REASON_UNSENDABLE);
    set_result(&e, VCS_FIELD_RESULT_OUTCOME, VCS_OUTCOME_COULDNT_SEND, VCS_REASON_UNSENDABLE);
    transition_now(&e, VCS_REASON_UNSENDABLE);
    return end(&e, &out);
}
