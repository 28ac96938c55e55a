/*
 * What an event changes: a copy is sent or reported, files are deleted, the project cancels or assimilates a unit.
 *
 * Rules 8.2 and 8.5; worked by hand in tests/unit/test_transition.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interface/argument.h"
#include "interface/check.h"
#include "unit/change.h"
#include "unit/unit.h"

#include <vcsched/unit_event.h>

/* An event under way: what it is about, and the list of what it changes. */
typedef struct occurrence {
    vcs_given_unit given;
    vcs_unit_event event;
    const vcs_unit *unit;
    const vcs_result *result; /* NULL = the event is about the unit alone */
    double now;
    vcs_change_list changes;
} occurrence;

static int refuse_unit(uint32_t offset, const char *why, vcs_error *error) {
    return vcs_fail(error, VCS_ERR_SEQUENCE, VCS_TYPE_UNIT, 0, offset, why);
}

static int refuse_result(const occurrence *o, uint32_t offset, const char *why, vcs_error *error) {
    return vcs_fail(error, VCS_ERR_SEQUENCE, VCS_TYPE_RESULT, o->event.result, offset, why);
}

static int refuse_event(int code, uint32_t offset, const char *why, vcs_error *error) {
    return vcs_fail(error, code, VCS_TYPE_UNIT_EVENT, 0, offset, why);
}

static void set_unit(occurrence *o, uint32_t field, uint64_t value, uint32_t reason) {
    vcs_change_integer(&o->changes, VCS_NONE, field, value, reason);
}

static void set_result(occurrence *o, uint32_t field, uint32_t value, uint32_t reason) {
    vcs_change_integer(&o->changes, o->event.result, field, value, reason);
}

static void set_result_time(occurrence *o, uint32_t field, double time, uint32_t reason) {
    vcs_change_number(&o->changes, o->event.result, field, time, reason);
}

/* The unit is due for a transition. */
static void transition_now(occurrence *o, uint32_t reason) {
    vcs_change_number(&o->changes, VCS_NONE, VCS_FIELD_UNIT_TRANSITION_TIME, o->now, reason);
}

/* ---- Of the unit (rules 8.2 and 8.5) ---- */

static int created(occurrence *o, vcs_error *error) {
    if (o->unit->canonical != 0) {
        return refuse_unit(VCS_FIELD(vcs_unit, canonical), "is not 0, but the unit is new", error);
    }
    if (o->unit->error_mask != 0) {
        return refuse_unit(VCS_FIELD(vcs_unit, error_mask), "is not 0, but the unit is new", error);
    }
    transition_now(o, VCS_REASON_UNIT_CREATED);
    return VCS_OK;
}

static int fail(occurrence *o, uint32_t unit_error, uint32_t reason) {
    if ((o->unit->error_mask & unit_error) == 0) {
        set_unit(o, VCS_FIELD_UNIT_ERROR_MASK, o->unit->error_mask | unit_error, reason);
        transition_now(o, reason);
    }
    return VCS_OK;
}

static int canonical_lost(occurrence *o, vcs_error *error) {
    if (o->unit->canonical == 0) {
        return refuse_unit(VCS_FIELD(vcs_unit, canonical), "is 0: there is none that could be lost", error);
    }
    set_unit(o, VCS_FIELD_UNIT_CANONICAL, 0, VCS_REASON_CANONICAL_LOST);
    return fail(o, VCS_UNIT_NO_CANONICAL, VCS_REASON_CANONICAL_LOST);
}

static int assimilated(occurrence *o, vcs_error *error) {
    if (o->unit->assimilate_state != VCS_ASSIMILATE_READY) {
        return refuse_unit(VCS_FIELD(vcs_unit, assimilate_state), "is not ready", error);
    }
    set_unit(o, VCS_FIELD_UNIT_ASSIMILATE_STATE, VCS_ASSIMILATE_DONE, VCS_REASON_ASSIMILATED);
    vcs_change_number(&o->changes, VCS_NONE, VCS_FIELD_UNIT_ASSIMILATED, o->now, VCS_REASON_ASSIMILATED);
    transition_now(o, VCS_REASON_ASSIMILATED);
    return VCS_OK;
}

/* ---- Deleted files (rule 8.3f) ---- */

static bool may_be_deleted(uint32_t files) {
    return files == VCS_FILES_READY || files == VCS_FILES_ERROR;
}

static uint32_t files_after(const occurrence *o) {
    return o->event.deletion == VCS_DELETED ? VCS_FILES_DONE : VCS_FILES_ERROR;
}

static uint32_t reason_of_deletion(const occurrence *o) {
    return o->event.deletion == VCS_DELETED ? VCS_REASON_FILES_DELETED : VCS_REASON_FILES_NOT_DELETED;
}

static int inputs_deleted(occurrence *o, vcs_error *error) {
    if (!may_be_deleted(o->unit->file_delete_state)) {
        return refuse_unit(VCS_FIELD(vcs_unit, file_delete_state), "is not ready", error);
    }
    set_unit(o, VCS_FIELD_UNIT_FILE_DELETE_STATE, files_after(o), reason_of_deletion(o));
    return VCS_OK;
}

static int outputs_deleted(occurrence *o, vcs_error *error) {
    if (!may_be_deleted(o->result->file_delete_state)) {
        return refuse_result(o, VCS_FIELD(vcs_result, file_delete_state), "is not ready", error);
    }
    set_result(o, VCS_FIELD_RESULT_FILE_DELETE_STATE, files_after(o), reason_of_deletion(o));
    return VCS_OK;
}

/* ---- Of a result (rule 8.2) ---- */

static int sent(occurrence *o, vcs_error *error) {
    if (o->result->server_state != VCS_RESULT_UNSENT) {
        return refuse_result(o, VCS_FIELD(vcs_result, server_state), "is not unsent", error);
    }
    if (o->unit->hr_class != 0 && o->unit->hr_class != o->event.hr_class) {
        return vcs_fail(error, VCS_ERR_UNSUPPORTED, VCS_TYPE_UNIT, 0, VCS_FIELD(vcs_unit, hr_class),
                        "differs from that of the host");
    }
    double deadline = o->now + o->unit->delay_bound;
    set_result(o, VCS_FIELD_RESULT_SERVER_STATE, VCS_RESULT_IN_PROGRESS, VCS_REASON_SENT);
    set_result_time(o, VCS_FIELD_RESULT_DEADLINE, deadline, VCS_REASON_SENT);
    if (deadline < o->unit->transition_time) {
        vcs_change_number(&o->changes, VCS_NONE, VCS_FIELD_UNIT_TRANSITION_TIME, deadline, VCS_REASON_NEXT_DEADLINE);
    }
    if (o->unit->hr_class != o->event.hr_class) {
        set_unit(o, VCS_FIELD_UNIT_HR_CLASS, o->event.hr_class, VCS_REASON_CLASS_FIXED);
    }
    return VCS_OK;
}

/* What a report makes of a result in progress. */
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

static void receive_in_time(occurrence *o, verdict made) {
    set_result(o, VCS_FIELD_RESULT_SERVER_STATE, VCS_RESULT_OVER, made.reason);
    set_result(o, VCS_FIELD_RESULT_OUTCOME, made.outcome, made.reason);
    if (made.validate_state != VCS_VALIDATE_INIT) {
        set_result(o, VCS_FIELD_RESULT_VALIDATE_STATE, made.validate_state, made.reason);
    }
    set_result_time(o, VCS_FIELD_RESULT_RECEIVED, o->now, made.reason);
    transition_now(o, made.reason);
}

/* A success that had been given up counts as long as the unit is not finished and the files are there. */
static bool is_still_wanted(const occurrence *o) {
    return o->event.report == VCS_REPORT_SUCCESS && o->result->outcome == VCS_OUTCOME_NO_REPLY &&
           o->unit->canonical == 0 && o->unit->error_mask == 0 && o->result->file_delete_state == VCS_FILES_INIT;
}

static void receive_after_all(occurrence *o) {
    set_result(o, VCS_FIELD_RESULT_OUTCOME, VCS_OUTCOME_SUCCESS, VCS_REASON_LATE_SUCCESS);
    set_result_time(o, VCS_FIELD_RESULT_RECEIVED, o->now, VCS_REASON_LATE_SUCCESS);
    transition_now(o, VCS_REASON_LATE_SUCCESS);
}

static void note_late(occurrence *o) {
    set_result(o, VCS_FIELD_RESULT_LATE_REPORT, o->event.report, VCS_REASON_LATE_REPORT);
    set_result_time(o, VCS_FIELD_RESULT_LATE_RECEIVED, o->now, VCS_REASON_LATE_REPORT);
}

static int received(occurrence *o, vcs_error *error) {
    if (vcs_is_waiting(o->result)) {
        return refuse_result(o, VCS_FIELD(vcs_result, server_state), "says that it was never sent", error);
    }
    if (o->result->server_state == VCS_RESULT_IN_PROGRESS) {
        receive_in_time(o, verdict_of(o->event.report));
    } else if (is_still_wanted(o)) {
        receive_after_all(o);
    } else {
        note_late(o);
    }
    return VCS_OK;
}

static int unsendable(occurrence *o, vcs_error *error) {
    if (o->result->server_state != VCS_RESULT_UNSENT) {
        return refuse_result(o, VCS_FIELD(vcs_result, server_state), "is not unsent", error);
    }
    set_result(o, VCS_FIELD_RESULT_SERVER_STATE, VCS_RESULT_OVER, VCS_REASON_UNSENDABLE);
    set_result(o, VCS_FIELD_RESULT_OUTCOME, VCS_OUTCOME_COULDNT_SEND, VCS_REASON_UNSENDABLE);
    transition_now(o, VCS_REASON_UNSENDABLE);
    return VCS_OK;
}

/* ---- Any event ---- */

static int handle(occurrence *o, vcs_error *error) {
    switch (o->event.kind) {
    case VCS_UNIT_EVENT_CREATED:
        return created(o, error);
    case VCS_UNIT_EVENT_CANCELLED:
        return fail(o, VCS_UNIT_CANCELLED, VCS_REASON_UNIT_CANCELLED);
    case VCS_UNIT_EVENT_CANONICAL_LOST:
        return canonical_lost(o, error);
    case VCS_UNIT_EVENT_ASSIMILATED:
        return assimilated(o, error);
    case VCS_UNIT_EVENT_INPUTS_DELETED:
        return inputs_deleted(o, error);
    case VCS_UNIT_EVENT_SENT:
        return sent(o, error);
    case VCS_UNIT_EVENT_RECEIVED:
        return received(o, error);
    case VCS_UNIT_EVENT_UNSENDABLE:
        return unsendable(o, error);
    default: /* VCS_UNIT_EVENT_OUTPUTS_DELETED */
        return outputs_deleted(o, error);
    }
}

/* Which fields of an event a kind uses. */
enum { USES_RESULT = 1, USES_REPORT = 2, USES_DELETION = 4, USES_HR_CLASS = 8 };

static const unsigned char used_by[] = {
    [VCS_UNIT_EVENT_INPUTS_DELETED] = USES_DELETION,
    [VCS_UNIT_EVENT_SENT] = USES_RESULT | USES_HR_CLASS,
    [VCS_UNIT_EVENT_RECEIVED] = USES_RESULT | USES_REPORT,
    [VCS_UNIT_EVENT_UNSENDABLE] = USES_RESULT,
    [VCS_UNIT_EVENT_OUTPUTS_DELETED] = USES_RESULT | USES_DELETION,
};

static const char not_given[] = "is 0, but this kind of event needs it";
static const char not_used[] = "is not 0, but this kind of event does not use it";

/* A choice is made if and only if the kind uses it. */
static int check_choice(uint32_t value, bool is_used, uint32_t offset, vcs_error *error) {
    if ((value != 0) == is_used) {
        return VCS_OK;
    }
    return refuse_event(is_used ? VCS_ERR_FLAGS : VCS_ERR_UNSUPPORTED, offset, is_used ? not_given : not_used, error);
}

static int check_event(const vcs_unit_event *event, uint32_t result_count, vcs_error *error) {
    const unsigned uses = used_by[event->kind];
    if ((uses & USES_RESULT) != 0 ? event->result >= result_count : event->result != VCS_NONE) {
        return refuse_event(VCS_ERR_INDEX, VCS_FIELD(vcs_unit_event, result),
                            (uses & USES_RESULT) != 0 ? "is not the index of a result"
                                                      : "is not VCS_NONE, but the event is about the unit", error);
    }
    int code = check_choice(event->report, (uses & USES_REPORT) != 0, VCS_FIELD(vcs_unit_event, report), error);
    if (code == VCS_OK) {
        code = check_choice(event->deletion, (uses & USES_DELETION) != 0, VCS_FIELD(vcs_unit_event, deletion), error);
    }
    if (code == VCS_OK && event->hr_class != 0 && (uses & USES_HR_CLASS) == 0) {
        return refuse_event(VCS_ERR_UNSUPPORTED, VCS_FIELD(vcs_unit_event, hr_class), not_used, error);
    }
    return code;
}

int vcs_unit_handle_event(const vcs_unit *unit, const vcs_result *results, uint32_t result_size, uint32_t result_count,
                          const vcs_unit_event *event, double now, vcs_change *changes, uint32_t change_size,
                          uint32_t change_capacity, uint32_t *change_count, vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    occurrence o = {.unit = unit, .now = now};
    code = vcs_take_unit_alone(&o.given, unit, results, result_size, result_count, error);
    if (code == VCS_OK) {
        code = vcs_take_unit_event(&o.event, event, error);
    }
    if (code == VCS_OK) {
        code = check_event(&o.event, result_count, error);
    }
    if (code == VCS_OK && o.event.result != VCS_NONE) {
        code = vcs_check_result(&o.given, o.event.result, error);
        o.result = vcs_result_at(&o.given, o.event.result);
    }
    if (code == VCS_OK) {
        code = vcs_check_now(now, error);
    }
    if (code == VCS_OK) {
        code = vcs_begin_changes(&o.changes, changes, change_size, change_capacity, change_count, result_count, error);
    }
    if (code == VCS_OK) {
        code = handle(&o, error);
    }
    if (code == VCS_OK) {
        *change_count = o.changes.count;
    }
    return code;
}
