/*
 * The changes that an event makes: a copy is sent or reported, files are deleted, a unit is cancelled or assimilated.
 *
 * Rules 8.2 and 8.5, and of 8.9 the lost reply; worked by hand in tests/vcsched/unit/test_transition.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/unit_fields.h"
#include "vcsched/unit/unit.h"

#include <vcsched/unit.h>

VCS_COPY_INPUT(unit_event)

/* An event under way: its subject, and the list of its changes. */
typedef struct occurrence {
    vcs_unit_call call;
    vcs_unit_event event;
    const vcs_result *result; /* NULL = the event is about the unit alone */
} occurrence;

static int refuse_unit(uint32_t offset, const char *why, vcs_error *error) {
    return vcs_fail(error, VCS_ERR_SEQUENCE, &vcs_unit_layout, 0, offset, why);
}

static int refuse_result(const occurrence *o, uint32_t offset, const char *why, vcs_error *error) {
    return vcs_fail(error, VCS_ERR_SEQUENCE, &vcs_result_layout, o->event.result, offset, why);
}

static int refuse_event(int code, uint32_t offset, const char *why, vcs_error *error) {
    return vcs_fail(error, code, &vcs_unit_event_layout, 0, offset, why);
}

static void set_result(occurrence *o, uint32_t field, uint32_t value, uint32_t reason) {
    vcs_change_result(&o->call, o->event.result, field, value, reason);
}

static void set_result_number(occurrence *o, uint32_t field, double number, uint32_t reason) {
    vcs_change_result_number(&o->call, o->event.result, field, number, reason);
}

/* The unit is due for a transition. */
static void transition_now(occurrence *o, uint32_t reason) {
    vcs_change_unit_time(&o->call, VCS_FIELD_UNIT_TRANSITION_TIME, o->call.now, reason);
}

/* ---- Of the unit (rules 8.2 and 8.5) ---- */

static int created(occurrence *o, vcs_error *error) {
    const vcs_unit *unit = o->call.unit;
    if (unit->canonical != 0 || unit->error_mask != 0) {
        return refuse_unit(unit->canonical != 0 ? VCS_FIELD(vcs_unit, canonical) : VCS_FIELD(vcs_unit, error_mask),
                           "is not 0, but the unit is new", error);
    }
    transition_now(o, VCS_REASON_UNIT_CREATED);
    return VCS_OK;
}

static int fail(occurrence *o, uint32_t unit_error, uint32_t reason) {
    const uint32_t mask = o->call.unit->error_mask;
    if ((mask & unit_error) == 0) {
        vcs_change_unit(&o->call, VCS_FIELD_UNIT_ERROR_MASK, mask | unit_error, reason);
        transition_now(o, reason);
    }
    return VCS_OK;
}

static int canonical_lost(occurrence *o, vcs_error *error) {
    if (o->call.unit->canonical == 0) {
        return refuse_unit(VCS_FIELD(vcs_unit, canonical), "is 0: there is none that could be lost", error);
    }
    vcs_change_unit(&o->call, VCS_FIELD_UNIT_CANONICAL, 0, VCS_REASON_CANONICAL_LOST);
    return fail(o, VCS_UNIT_NO_CANONICAL, VCS_REASON_CANONICAL_LOST);
}

static int assimilated(occurrence *o, vcs_error *error) {
    if (o->call.unit->assimilate_state != VCS_ASSIMILATE_READY) {
        return refuse_unit(VCS_FIELD(vcs_unit, assimilate_state), "is not ready", error);
    }
    vcs_change_unit(&o->call, VCS_FIELD_UNIT_ASSIMILATE_STATE, VCS_ASSIMILATE_DONE, VCS_REASON_ASSIMILATED);
    vcs_change_unit_time(&o->call, VCS_FIELD_UNIT_ASSIMILATED, o->call.now, VCS_REASON_ASSIMILATED);
    vcs_forget_failures(&o->call, VCS_UNIT_WORK_ASSIMILATE);
    transition_now(o, VCS_REASON_ASSIMILATED);
    return VCS_OK;
}

/* ---- Deleted files: the inputs of the unit, or the outputs of a result (rule 8.3f) ---- */

static int files_deleted(occurrence *o, vcs_error *error) {
    const uint32_t files = o->result != NULL ? o->result->file_delete_state : o->call.unit->file_delete_state;
    const bool is_done = o->event.deletion == VCS_DELETED;
    const uint32_t becomes = is_done ? VCS_FILES_DONE : VCS_FILES_ERROR;
    const uint32_t reason = is_done ? VCS_REASON_FILES_DELETED : VCS_REASON_FILES_NOT_DELETED;
    const bool may_be_deleted = files == VCS_FILES_READY || files == VCS_FILES_ERROR;
    if (o->result != NULL) {
        if (!may_be_deleted) {
            return refuse_result(o, VCS_FIELD(vcs_result, file_delete_state), "is not ready", error);
        }
        set_result(o, VCS_FIELD_RESULT_FILE_DELETE_STATE, becomes, reason);
    } else {
        if (!may_be_deleted) {
            return refuse_unit(VCS_FIELD(vcs_unit, file_delete_state), "is not ready", error);
        }
        vcs_change_unit(&o->call, VCS_FIELD_UNIT_FILE_DELETE_STATE, becomes, reason);
    }
    if (is_done) {
        vcs_forget_failures(&o->call, VCS_UNIT_WORK_DELETE);
    }
    return VCS_OK;
}

/* ---- The project's own work on the unit (rules 8.4 and 8.5) ---- */

static int work_failed(occurrence *o, vcs_error *error) {
    const vcs_unit *unit = o->call.unit;
    if (o->event.work == VCS_UNIT_WORK_COMPARE && unit->need_validate == 0) {
        return refuse_unit(VCS_FIELD(vcs_unit, need_validate), "is 0: nothing is to be compared", error);
    }
    if (o->event.work == VCS_UNIT_WORK_ASSIMILATE && unit->assimilate_state != VCS_ASSIMILATE_READY) {
        return refuse_unit(VCS_FIELD(vcs_unit, assimilate_state), "is not ready", error);
    }
    if (o->event.work == VCS_UNIT_WORK_DELETE && unit->assimilate_state != VCS_ASSIMILATE_DONE) {
        return refuse_unit(VCS_FIELD(vcs_unit, assimilate_state), "is not done: no files may be deleted", error);
    }
    vcs_count_failure(&o->call, o->event.work, o->event.delay);
    return VCS_OK;
}

/* ---- Of a result (rule 8.2) ---- */

/* Whether this host was sent a copy of the unit before. A host that left and is back has lost its copy. */
static bool has_copy(const occurrence *o, uint64_t host) {
    bool is_found = false;
    for (uint32_t i = 0; host != 0 && i < o->call.results->count; i++) {
        const vcs_result *result = vcs_result_at(&o->call, i);
        is_found = is_found || (result->host == host && result->outcome != VCS_OUTCOME_CLIENT_DETACHED);
    }
    return is_found;
}

static int sent(occurrence *o, vcs_error *error) {
    const vcs_unit *unit = o->call.unit;
    const double deadline = o->call.now + unit->delay_bound;
    if (o->result->server_state != VCS_RESULT_UNSENT) {
        return refuse_result(o, VCS_FIELD(vcs_result, server_state), "is not unsent", error);
    }
    if (unit->hr_class != 0 && unit->hr_class != o->event.hr_class) {
        return vcs_fail(error, VCS_ERR_UNSUPPORTED, &vcs_unit_layout, 0, VCS_FIELD(vcs_unit, hr_class),
                        "differs from that of the host");
    }
    if (has_copy(o, o->event.host)) {
        return refuse_event(VCS_ERR_UNSUPPORTED, VCS_FIELD(vcs_unit_event, host),
                            "was sent a copy of this unit before, and a host gets only one", error);
    }
    set_result(o, VCS_FIELD_RESULT_SERVER_STATE, VCS_RESULT_IN_PROGRESS, VCS_REASON_SENT);
    set_result_number(o, VCS_FIELD_RESULT_DEADLINE, deadline, VCS_REASON_SENT);
    if (deadline < unit->transition_time) {
        vcs_change_unit_time(&o->call, VCS_FIELD_UNIT_TRANSITION_TIME, deadline, VCS_REASON_NEXT_DEADLINE);
    }
    if (unit->hr_class != o->event.hr_class) {
        vcs_change_unit(&o->call, VCS_FIELD_UNIT_HR_CLASS, o->event.hr_class, VCS_REASON_CLASS_FIXED);
    }
    if (o->event.host != 0) {
        vcs_change_result(&o->call, o->event.result, VCS_FIELD_RESULT_HOST, o->event.host, VCS_REASON_SENT);
    }
    return VCS_OK;
}

/* The reply with the copy was lost, and the host does not have it. Whatever follows, the host is not to blame. */
static int resent(occurrence *o, vcs_error *error) {
    const bool is_wanted = o->call.unit->canonical == 0 && o->call.unit->error_mask == 0;
    if (o->result->server_state != VCS_RESULT_IN_PROGRESS) {
        return refuse_result(o, VCS_FIELD(vcs_result, server_state), "is not in progress", error);
    }
    if (is_wanted && o->call.now + o->event.estimate <= o->result->deadline) {
        set_result_number(o, VCS_FIELD_RESULT_DEADLINE, o->result->deadline, VCS_REASON_RESENT);
    } else {
        const uint32_t reason = is_wanted ? VCS_REASON_RESEND_TOO_LATE : VCS_REASON_RESEND_NOT_NEEDED;
        vcs_end_result(&o->call, o->event.result, VCS_OUTCOME_NO_REPLY, reason);
        transition_now(o, reason);
    }
    return VCS_OK;
}

/* What each report makes of a result in progress. */
static const struct {
    uint32_t outcome, validate_state, reason;
} verdicts[] = {
    [VCS_REPORT_SUCCESS] = {VCS_OUTCOME_SUCCESS, VCS_VALIDATE_INIT, VCS_REASON_REPORTED_SUCCESS},
    [VCS_REPORT_CLIENT_ERROR] = {VCS_OUTCOME_CLIENT_ERROR, VCS_VALIDATE_INVALID, VCS_REASON_REPORTED_ERROR},
    [VCS_REPORT_CANCELLED] = {VCS_OUTCOME_NO_REPLY, VCS_VALIDATE_INIT, VCS_REASON_CANCELLED_BY_USER},
    [VCS_REPORT_DETACHED] = {VCS_OUTCOME_CLIENT_DETACHED, VCS_VALIDATE_INIT, VCS_REASON_DETACHED},
    [VCS_REPORT_REFUSED] = {VCS_OUTCOME_NO_REPLY, VCS_VALIDATE_INIT, VCS_REASON_REPORT_REFUSED},
};

/* What the host claims for a success. */
static void set_claim(occurrence *o, uint32_t reason) {
    if (o->event.report == VCS_REPORT_SUCCESS && o->event.claimed != 0.0) {
        set_result_number(o, VCS_FIELD_RESULT_CLAIMED, o->event.claimed, reason);
    }
}

static void receive_in_time(occurrence *o) {
    const uint32_t report = o->event.report, reason = verdicts[report].reason;
    vcs_end_result(&o->call, o->event.result, verdicts[report].outcome, reason);
    if (verdicts[report].validate_state != VCS_VALIDATE_INIT) {
        set_result(o, VCS_FIELD_RESULT_VALIDATE_STATE, verdicts[report].validate_state, reason);
    }
    set_result_number(o, VCS_FIELD_RESULT_RECEIVED, o->call.now, reason);
    set_claim(o, reason);
    transition_now(o, reason);
}

/* A success reported after its copy was given up counts as long as the unit is not finished. */
static bool is_still_wanted(const occurrence *o) {
    return o->event.report == VCS_REPORT_SUCCESS && o->result->outcome == VCS_OUTCOME_NO_REPLY &&
           o->call.unit->canonical == 0 && o->call.unit->error_mask == 0;
}

static int received(occurrence *o, vcs_error *error) {
    if (vcs_is_waiting(o->result)) {
        return refuse_result(o, VCS_FIELD(vcs_result, server_state), "says that it was never sent", error);
    }
    if (o->result->server_state == VCS_RESULT_IN_PROGRESS) {
        receive_in_time(o);
    } else if (is_still_wanted(o)) {
        set_result(o, VCS_FIELD_RESULT_OUTCOME, VCS_OUTCOME_SUCCESS, VCS_REASON_LATE_SUCCESS);
        set_result_number(o, VCS_FIELD_RESULT_RECEIVED, o->call.now, VCS_REASON_LATE_SUCCESS);
        set_claim(o, VCS_REASON_LATE_SUCCESS);
        transition_now(o, VCS_REASON_LATE_SUCCESS);
    } else {
        set_result(o, VCS_FIELD_RESULT_LATE_REPORT, o->event.report, VCS_REASON_LATE_REPORT);
        set_result_number(o, VCS_FIELD_RESULT_LATE_RECEIVED, o->call.now, VCS_REASON_LATE_REPORT);
    }
    return VCS_OK;
}

static int unsendable(occurrence *o, vcs_error *error) {
    if (o->result->server_state != VCS_RESULT_UNSENT) {
        return refuse_result(o, VCS_FIELD(vcs_result, server_state), "is not unsent", error);
    }
    vcs_end_result(&o->call, o->event.result, VCS_OUTCOME_COULDNT_SEND, VCS_REASON_UNSENDABLE);
    transition_now(o, VCS_REASON_UNSENDABLE);
    return VCS_OK;
}

static int withdrawn(occurrence *o, vcs_error *error) {
    if (vcs_is_waiting(o->result)) {
        return refuse_result(o, VCS_FIELD(vcs_result, server_state), "says that it was never sent", error);
    }
    vcs_withdraw_result(&o->call, o->event.result);
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
    case VCS_UNIT_EVENT_SENT:
        return sent(o, error);
    case VCS_UNIT_EVENT_RECEIVED:
        return received(o, error);
    case VCS_UNIT_EVENT_UNSENDABLE:
        return unsendable(o, error);
    case VCS_UNIT_EVENT_RESENT:
        return resent(o, error);
    case VCS_UNIT_EVENT_WITHDRAWN:
        return withdrawn(o, error);
    case VCS_UNIT_EVENT_WORK_FAILED:
        return work_failed(o, error);
    case VCS_UNIT_EVENT_WORK_RESUMED:
        vcs_forget_failures(&o->call, o->event.work);
        return VCS_OK;
    default: /* VCS_UNIT_EVENT_INPUTS_DELETED, VCS_UNIT_EVENT_OUTPUTS_DELETED */
        return files_deleted(o, error);
    }
}

/* The fields that a kind of event uses. */
enum {
    USES_RESULT = 1,
    USES_REPORT = 2,
    USES_DELETION = 4,
    USES_HOST = 8,
    USES_ESTIMATE = 16,
    USES_CLAIMED = 32,
    USES_WORK = 64,
    USES_DELAY = 128
};

static const unsigned char used_by[] = {
    [VCS_UNIT_EVENT_INPUTS_DELETED] = USES_DELETION,
    [VCS_UNIT_EVENT_SENT] = USES_RESULT | USES_HOST,
    [VCS_UNIT_EVENT_RECEIVED] = USES_RESULT | USES_REPORT | USES_CLAIMED,
    [VCS_UNIT_EVENT_UNSENDABLE] = USES_RESULT,
    [VCS_UNIT_EVENT_OUTPUTS_DELETED] = USES_RESULT | USES_DELETION,
    [VCS_UNIT_EVENT_RESENT] = USES_RESULT | USES_ESTIMATE,
    [VCS_UNIT_EVENT_WITHDRAWN] = USES_RESULT,
    [VCS_UNIT_EVENT_WORK_FAILED] = USES_WORK | USES_DELAY,
    [VCS_UNIT_EVENT_WORK_RESUMED] = USES_WORK,
};

static int refuse_unused(uint32_t offset, vcs_error *error) {
    return refuse_event(VCS_ERR_UNSUPPORTED, offset, "is not 0, but this kind of event does not use it", error);
}

/* A choice is made if and only if the kind uses it. */
static int check_choice(uint32_t value, bool is_used, uint32_t offset, vcs_error *error) {
    if (is_used && value == 0) {
        return refuse_event(VCS_ERR_FLAGS, offset, "is 0, but this kind of event needs it", error);
    }
    return !is_used && value != 0 ? refuse_unused(offset, error) : VCS_OK;
}

static int check_event(const vcs_unit_event *event, uint32_t result_count, vcs_error *error) {
    const unsigned uses = used_by[event->kind];
    if ((uses & USES_RESULT) != 0 ? event->result >= result_count : event->result != VCS_NONE) {
        return refuse_event(VCS_ERR_INDEX, VCS_FIELD(vcs_unit_event, result),
                            (uses & USES_RESULT) != 0 ? "is not the index of a result"
                                                      : "is not VCS_NONE, but the event is about the unit",
                            error);
    }
    int code = check_choice(event->report, (uses & USES_REPORT) != 0, VCS_FIELD(vcs_unit_event, report), error);
    if (code == VCS_OK) {
        code = check_choice(event->deletion, (uses & USES_DELETION) != 0, VCS_FIELD(vcs_unit_event, deletion), error);
    }
    if (code == VCS_OK) {
        code = check_choice(event->work, (uses & USES_WORK) != 0, VCS_FIELD(vcs_unit_event, work), error);
    }
    if (code == VCS_OK && event->hr_class != 0 && (uses & USES_HOST) == 0) {
        return refuse_unused(VCS_FIELD(vcs_unit_event, hr_class), error);
    }
    if (code == VCS_OK && event->host != 0 && (uses & USES_HOST) == 0) {
        return refuse_unused(VCS_FIELD(vcs_unit_event, host), error);
    }
    if (code == VCS_OK && event->estimate != 0.0 && (uses & USES_ESTIMATE) == 0) {
        return refuse_unused(VCS_FIELD(vcs_unit_event, estimate), error);
    }
    if (code == VCS_OK && event->claimed != 0.0 && (uses & USES_CLAIMED) == 0) {
        return refuse_unused(VCS_FIELD(vcs_unit_event, claimed), error);
    }
    if (code == VCS_OK && event->delay != 0.0 && (uses & USES_DELAY) == 0) {
        return refuse_unused(VCS_FIELD(vcs_unit_event, delay), error);
    }
    return code;
}

/* Checks the result of the event; all results if its fate decides on the others. */
static int check_results(const occurrence *o, vcs_error *error) {
    const bool is_about_all = o->event.kind == VCS_UNIT_EVENT_WITHDRAWN;
    const uint32_t first = is_about_all ? 0 : o->event.result;
    const uint32_t end = is_about_all ? o->call.results->count : first + 1;
    int code = VCS_OK;
    for (uint32_t i = first; code == VCS_OK && i < end; i++) {
        code = vcs_check_result(o->call.unit, o->call.results, i, error);
    }
    return code;
}

int vcs_unit_handle_event(const vcs_unit *unit, const vcs_array *results, const vcs_unit_event *event, double now,
                          const vcs_array *changes, uint32_t *change_count, vcs_error *error) {
    occurrence o = {.call = {unit, results, now, changes, 0, VCS_NONE}};
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_check_unit(unit, error) : code;
    code = code == VCS_OK ? vcs_check_array(results, &vcs_result_layout, error) : code;
    code = code == VCS_OK ? vcs_copy_unit_event(&o.event, event, error) : code;
    code = code == VCS_OK ? check_event(&o.event, results->count, error) : code;
    if (code == VCS_OK && o.event.result != VCS_NONE) {
        code = check_results(&o, error);
        o.result = vcs_result_at(&o.call, o.event.result);
    }
    code = code == VCS_OK ? vcs_check_changes(results, now, changes, change_count, error) : code;
    code = code == VCS_OK ? handle(&o, error) : code;
    if (code == VCS_OK) {
        *change_count = o.call.change_count;
    }
    return code;
}
