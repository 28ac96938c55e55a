/*
 * The functions of libvcsched as the emulator sees them: each answers with any code, and if that is VCS_OK, with any
 * values that its header allows. What they are is proved by other harnesses, and by the tests.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_PROOF_ANSWERS_H
#define VCS_PROOF_ANSWERS_H

#include <vcsched/vcsched.h>

#include "vcsched/interface/check/check.h"
#include "right.h"

/* A harness may begin with answers that are all VCS_OK, and nothing to refuse. */
static int nothing_fails;

/* Whether anything has failed: a harness may keep the paths apart by that. */
static int has_failed;

/* VCS_OK or any error, after which the emulator may go on. */
static int any_answer(void) {
    return nothing_fails ? VCS_OK : Frama_C_int_interval(-1000, VCS_OK);
}

/* VCS_OK or any error, which ends the emulation. */
static int any_code(void) {
    const int answer = any_answer();
    if (answer != VCS_OK) {
        has_failed = 1;
    }
    return answer;
}

static int any_yes(void) {
    return Frama_C_interval(0, 1);
}

/* An answer of `count` elements, each of them any that is right, or an error, which leaves them as they are. */
#define ANSWER_ALL(structure, elements, count)                                                                         \
    const int answer = any_code();                                                                                     \
    if (answer == VCS_OK) {                                                                                            \
        for (uint32_t answered = 0; answered < (count); answered++) {                                                  \
            any_right_##structure(&(elements)[answered]);                                                              \
        }                                                                                                              \
    }                                                                                                                  \
    return answer

/* The same of a vcs_array. */
#define ANSWER_ARRAY(structure, array) ANSWER_ALL(structure, (vcs_##structure *)(array)->out, (array)->count)

/* The same of a struct that states its size; NULL is allowed. */
#define ANSWER_SIZED(structure, record)                                                                                \
    const int answer = any_code();                                                                                     \
    if (answer == VCS_OK && (record) != NULL) {                                                                        \
        any_right_##structure(record);                                                                                 \
        (record)->struct_size = sizeof *(record);                                                                      \
    }                                                                                                                  \
    return answer

/* ---- Numbers and checks, unless the harness has them ---- */

#ifndef HAS_CHECKS

double vcs_exp2(double x) {
    return any_between(0.0, VCS_INFINITY);
}

double vcs_log2(double x) {
    return any_between(-VCS_INFINITY, VCS_INFINITY);
}

double vcs_sqrt(double x) {
    return any_between(0.0, VCS_INFINITY);
}

int __builtin_ctzll(unsigned long long bits) {
    /*@ loop unroll 64; */
    for (int place = 0; place < 64; place++) {
        if ((bits >> place & 1) != 0) {
            return place;
        }
    }
    return Frama_C_interval(0, 63);
}

static void any_error(vcs_error *error) {
    if (nothing_fails) {
        nowhere();
    }
    has_failed = 1;
    if (error != NULL) {
        error->code = Frama_C_int_interval(INT32_MIN, INT32_MAX);
        Frama_C_make_unknown(error->message, sizeof error->message);
    }
}

#ifndef HAS_REFUSALS
int vcs_fail(vcs_error *error, int code, const vcs_layout *layout, uint64_t index, uint32_t offset, const char *why) {
    any_error(error);
    return code;
}

int vcs_fail_at(vcs_error *error, int code, uint64_t index, const char *what, const char *why) {
    any_error(error);
    return code;
}

/* The arrays of the harnesses are right. */
int vcs_check_array(const vcs_array *array, const vcs_layout *layout, vcs_error *error) {
    return any_code();
}
#endif
#else
static void any_error(vcs_error *error) {
}
#endif

const char *vcs_strerror(int code) {
    return "";
}

/* ---- Parameters ---- */

int vcs_parameters_init(vcs_parameters *parameters, uint32_t size, uint32_t profile) {
    any_right_parameters(parameters);
    parameters->struct_size = size;
    return VCS_OK;
}

uint32_t vcs_parameter_count(void) {
    return Frama_C_unsigned_int_interval(0, 1000);
}

/* Any value of any of them: the set has been right, and stays so. Nobody looks at the codes. */
int vcs_parameter_get(const vcs_parameters *parameters, uint32_t index, double *value) {
    *value = ANY_FINITE();
    return VCS_OK;
}

int vcs_parameter_set(vcs_parameters *parameters, uint32_t index, double value) {
    return VCS_OK;
}

/* ---- States: nobody looks into one. What is known is how many tasks and candidates it has ---- */

static uint64_t state_itself;
static uint32_t state_tasks;

#ifndef HAS_REFUSALS
int vcs_state_size(const vcs_snapshot *snapshot, size_t *bytes) {
    *bytes = ANY_U64();
    return any_code();
}
#endif

int vcs_state_prepare(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now, void *work,
                      size_t work_size, vcs_state **state, vcs_error *error) {
    const int answer = any_code();
    if (answer == VCS_OK) {
        state_tasks = snapshot->tasks.count;
        *state = (vcs_state *)(void *)&state_itself;
    } else {
        any_error(error);
    }
    return answer;
}

int vcs_state_renew(vcs_state *state, size_t work_size, const vcs_snapshot *snapshot, const vcs_parameters *parameters,
                    double now, vcs_error *error) {
    state_tasks = snapshot->tasks.count;
    return any_answer();
}

int vcs_wrr(vcs_state *state, vcs_wrr_summary *summary) {
    ANSWER_SIZED(wrr_summary, summary);
}

int vcs_wrr_for_schedule(vcs_state *state) {
    return any_code();
}

int vcs_wrr_resources(const vcs_state *state, const vcs_array *forecasts) {
    ANSWER_ARRAY(resource_forecast, forecasts);
}

int vcs_edf(vcs_state *state, uint32_t which, vcs_edf_summary *summary) {
    ANSWER_SIZED(edf_summary, summary);
}

int vcs_edf_resources(const vcs_state *state, const vcs_array *resources) {
    ANSWER_ARRAY(edf_resource, resources);
}

int vcs_schedule(vcs_state *state, uint32_t detail, vcs_schedule_summary *summary) {
    const int answer = any_code();
    if (answer == VCS_OK) {
        any_right_schedule_summary(summary);
        summary->struct_size = sizeof *summary;
        summary->running = Frama_C_unsigned_int_interval(0, state_tasks);
    }
    return answer;
}

int vcs_schedule_running(const vcs_state *state, uint32_t *tasks, const vcs_array *decisions) {
    const int answer = any_code();
    if (answer == VCS_OK && state_tasks > 0) {
        for (uint32_t i = 0; i < decisions->count; i++) {
            tasks[i] = Frama_C_unsigned_int_interval(0, state_tasks - 1);
            any_right_task_decision((vcs_task_decision *)decisions->out + i);
        }
    }
    return answer;
}

int vcs_schedule_tasks(const vcs_state *state, const vcs_array *decisions) {
    ANSWER_ARRAY(task_decision, decisions);
}

int vcs_fetch(vcs_state *state, const vcs_fetch_question *question, vcs_fetch_summary *summary) {
    const int answer = any_code();
    if (answer == VCS_OK) {
        any_right_fetch_summary(summary);
        summary->struct_size = sizeof *summary;
        summary->project = any_yes() ? VCS_NONE : Frama_C_unsigned_int_interval(0, PROJECTS - 1);
    }
    return answer;
}

int vcs_fetch_decisions(const vcs_state *state, const vcs_array *decisions) {
    ANSWER_ARRAY(fetch_decision, decisions);
}

int vcs_send_limits_init(vcs_send_limits *limits, uint32_t size) {
    any_right_send_limits(limits);
    limits->struct_size = size;
    return VCS_OK;
}

int vcs_send(vcs_state *state, const vcs_array *requests, const vcs_array *jobs, const vcs_send_limits *limits,
             const vcs_array *decisions, vcs_send_summary *summary, vcs_error *error) {
    const int answer = any_code();
    if (answer == VCS_OK) {
        for (uint32_t i = 0; i < decisions->count; i++) {
            any_right_send_decision((vcs_send_decision *)decisions->out + i);
        }
        any_right_send_summary(summary);
        summary->struct_size = sizeof *summary;
        summary->sent = Frama_C_unsigned_int_interval(0, jobs->count);
    }
    return answer;
}

/* ---- Accounts ---- */

int vcs_average_add(vcs_average *average, double work, double rate, double now) {
    ANSWER_ALL(average, average, 1);
}

int vcs_average_blend(vcs_average *average, double work, double half_life, double now) {
    ANSWER_ALL(average, average, 1);
}

int vcs_credits(double operations, double *credits) {
    *credits = any_between(0.0, DBL_MAX);
    return any_code();
}

int vcs_usable_update(vcs_usable *usable, double scheduled, double ran) {
    ANSWER_ALL(usable, usable, 1);
}

int vcs_debt_update(const vcs_array *debts, const vcs_debt_interval *interval, uint32_t *order, vcs_error *error) {
    for (uint32_t i = 0; i < debts->count; i++) {
        order[i] = Frama_C_unsigned_int_interval(0, debts->count - 1);
    }
    ANSWER_ARRAY(debt, debts);
}

int vcs_correction_update(vcs_correction *correction, const vcs_progress *finished, vcs_error *error) {
    ANSWER_ALL(correction, correction, 1);
}

int vcs_estimate_remaining(const vcs_progress *progress, uint32_t rule, double *device_seconds, vcs_error *error) {
    const int answer = any_code();
    *device_seconds = answer == VCS_OK ? any_between(0.0, VCS_MAX_SECONDS) : *device_seconds;
    return answer;
}

int vcs_rank(const vcs_array *entries, const vcs_ranking *ranking, uint32_t *order, double *priorities,
             vcs_error *error) {
    const int answer = any_code();
    for (uint32_t i = 0; answer == VCS_OK && i < entries->count; i++) {
        order[i] = Frama_C_unsigned_int_interval(0, entries->count - 1);
    }
    return answer;
}

/* ---- Timers ---- */

int vcs_project_timer_delay(vcs_project_timer *timer, double delay, double now) {
    ANSWER_ALL(project_timer, timer, 1);
}

int vcs_reply_apply(vcs_project_timer *timer, const vcs_array *backoffs, const vcs_reply *reply,
                    const vcs_array *replies, const vcs_parameters *parameters, vcs_error *error) {
    any_right_project_timer(timer);
    ANSWER_ARRAY(resource_backoff, backoffs);
}

int vcs_rpc_next(vcs_rpc_session *session, const vcs_array *projects, const vcs_rpc_situation *situation,
                 const vcs_parameters *parameters, vcs_rpc_action *action, vcs_error *error) {
    const int answer = any_code();
    if (answer == VCS_OK) {
        any_right_rpc_session(session);
        for (uint32_t i = 0; i < projects->count; i++) {
            any_right_rpc_project((vcs_rpc_project *)projects->out + i);
        }
        any_right_rpc_action(action);
        action->kind = Frama_C_unsigned_int_interval(VCS_RPC_WAIT, VCS_RPC_FETCH_MASTER);
        action->project =
            action->kind == VCS_RPC_WAIT ? VCS_NONE : Frama_C_unsigned_int_interval(0, projects->count - 1);
    }
    return answer;
}

int vcs_rpc_report(vcs_rpc_session *session, const vcs_array *projects, const vcs_rpc_outcome *outcome,
                   const vcs_parameters *parameters, vcs_error *error) {
    const int answer = any_code();
    if (answer == VCS_OK) {
        any_right_rpc_session(session);
        for (uint32_t i = 0; i < projects->count; i++) {
            any_right_rpc_project((vcs_rpc_project *)projects->out + i);
        }
    }
    return answer;
}

#endif
