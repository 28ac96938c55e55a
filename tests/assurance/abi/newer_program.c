/*
 * A program of the next release, compiled against the headers that grow.py makes, where each struct has a field `grown`
 * more. It runs with the library of that release, and with this release's, which does not know the field: 0 in it must
 * make no difference, and anything else must be refused.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>
#include <vcemu/emulator.h>

/* ---- One call for each struct that a caller fills ---- */

static test_host host;

/* Everything that is given to any function, valid, and 0 in each field that is new. */
static struct inputs {
    vcs_ranking ranking;
    vcs_rank_entry entry;
    vcs_debt_interval interval;
    vcs_progress progress;
    vcs_backoff_range range;
    vcs_fetch_question question;
    vcs_reply reply;
    vcs_resource_reply resource_reply;
    vcs_rpc_project rpc_project;
    vcs_rpc_situation rpc_situation;
    vcs_rpc_outcome rpc_outcome;
    vcs_unit_event event;
    vcs_check check;
    vcs_ballot ballot;
    vcs_vote_terms terms;
    vcs_dispatch_rules rules;
    vcs_reply_times times;
    vcs_send_request requests[2];
    vcs_send_job jobs[2];
    vcs_send_limits limits;
    vcs_emulation emulation;
    vcs_job_model models[2];
    vcs_server_model servers[2];
    vcs_scenario scenario;
    vcs_hooks hooks;
} in;

#define SIZED(structure) (structure).struct_size = sizeof(structure)
static void begin_inputs(void) {
    host_begin_with_two_of_everything(&host, VCS_PROFILE_CURRENT);
    memset(&in, 0, sizeof in);
    SIZED(in.ranking);
    in.ranking.rule = VCS_RANK_PRIORITY;
    SIZED(in.interval);
    in.interval.period = 3600;
    SIZED(in.progress);
    in.progress.flops = 1;
    assert_int_equal(vcs_backoff_range_init(&in.range, sizeof in.range, &host.parameters, 0, NULL), VCS_OK);
    SIZED(in.question);
    SIZED(in.reply);
    in.rpc_project = (vcs_rpc_project){.id = 1, .scheduler_urls = 1, .flags = VCS_RPC_CALL_WANTED};
    SIZED(in.rpc_situation);
    SIZED(in.rpc_outcome);
    SIZED(in.event);
    in.event.kind = VCS_UNIT_EVENT_CREATED;
    SIZED(in.check);
    SIZED(in.terms);
    in.terms.copies = 1;
    assert_int_equal(vcs_dispatch_rules_init(&in.rules, sizeof in.rules), VCS_OK);
    SIZED(in.times);
    assert_int_equal(vcs_send_limits_init(&in.limits, sizeof in.limits), VCS_OK);
    assert_int_equal(vcs_emulation_init(&in.emulation, sizeof in.emulation, VCS_PROFILE_CURRENT), VCS_OK);
    in.emulation.duration = 1000;
    for (int i = 0; i < 2; i++) {
        in.models[i] = (vcs_job_model){.latency_bound = 1000, .est_flops = 1e9, .mean_flops = 1e9, .cpus = 1};
    }
    SIZED(in.scenario);
    in.scenario.snapshot = host.snapshot;
    in.scenario.snapshot.candidates.count = 0;
    in.scenario.emulation = array_of(&in.emulation, sizeof in.emulation, 1);
    in.scenario.models = array_of(in.models, sizeof *in.models, 2);
    in.scenario.servers = array_of(in.servers, sizeof *in.servers, 2);
    SIZED(in.hooks);
}

static int prepare(void) {
    static uint64_t work[1 << 16];
    vcs_state *state;
    return vcs_state_prepare(&host.snapshot, &host.parameters, 0, work, sizeof work, &state, NULL);
}

static int check_parameters(void) {
    return vcs_parameters_check(&host.parameters, NULL);
}

static int rank(void) {
    uint32_t order;
    return vcs_rank(ARRAY(&in.entry, 1), &in.ranking, &order, NULL, NULL);
}

static int update_debts(void) {
    vcs_debt debt = {.id = 1};
    uint32_t order;
    return vcs_debt_update(ARRAY(&debt, 1), &in.interval, &order, NULL);
}

static int estimate(void) {
    double seconds;
    return vcs_estimate_remaining(&in.progress, VCS_ESTIMATE_STATIC, &seconds, NULL);
}

static int back_off(void) {
    double wait;
    return vcs_backoff(1, &in.range, 0.5, &wait);
}

static int fetch(void) {
    vcs_state *state = host_prepare(&host);
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    int code = vcs_fetch(state, &in.question, NULL);
    host_end(&host);
    return code;
}

static int take_reply(void) {
    vcs_project_timer timer = {.failures = 0};
    vcs_resource_backoff backoff = {.interval = 0};
    return vcs_reply_apply(&timer, ARRAY(&backoff, 1), &in.reply, ARRAY(&in.resource_reply, 1), &host.parameters, NULL);
}

static int call_and_report(void) {
    vcs_rpc_session session;
    vcs_rpc_action action = {.struct_size = sizeof action};
    memset(&session, 0, sizeof session);
    int code = vcs_rpc_next(&session, ARRAY(&in.rpc_project, 1), &in.rpc_situation, &host.parameters, &action, NULL);
    assert_true(action.grown == 0);
    in.rpc_outcome.kind = VCS_RPC_NO_ANSWER;
    return code != VCS_OK
               ? code
               : vcs_rpc_report(&session, ARRAY(&in.rpc_project, 1), &in.rpc_outcome, &host.parameters, NULL);
}

static int handle_event(void) {
    vcs_unit unit;
    vcs_change changes[VCS_CHANGES_PER_UNIT];
    uint32_t count;
    assert_int_equal(vcs_unit_init(&unit, 1), VCS_OK);
    in.event.result = VCS_NONE;
    return vcs_unit_handle_event(&unit, NO_RECORDS, &in.event, 0, ARRAY(changes, VCS_CHANGES_PER_UNIT), &count, NULL);
}

static int verify(void) {
    vcs_verdict verdict = {.struct_size = sizeof verdict};
    return vcs_verify(&in.check, &verdict, NULL);
}

static int vote(void) {
    uint32_t order;
    vcs_ballot_verdict verdict;
    vcs_vote_summary summary = {.struct_size = sizeof summary};
    return vcs_vote(ARRAY(&in.ballot, 1), &in.terms, &order, ARRAY(&verdict, 1), &summary, NULL);
}

static int reply_in_a_pool(void) {
    vcs_client client;
    vcs_pace pool;
    uint32_t refused;
    memset(&client, 0, sizeof client);
    memset(&pool, 0, sizeof pool);
    return vcs_client_reply(&client, &pool, &in.times, &in.rules, 0, &refused, NULL);
}

static int send_jobs(void) {
    vcs_send_decision decisions[2];
    vcs_send_summary summary = {.struct_size = sizeof summary};
    vcs_state *state = host_prepare(&host);
    int code =
        vcs_send(state, ARRAY(in.requests, 2), ARRAY(in.jobs, 2), &in.limits, ARRAY(decisions, 2), &summary, NULL);
    host_end(&host);
    return code;
}

static int emulate(void) {
    vcs_outcome outcome = {.struct_size = sizeof outcome, .grown = 1};
    vcs_error error = {.struct_size = sizeof error};
    int code = vcs_emulate(&in.scenario, &host.parameters, &in.hooks, &outcome, NULL, NULL, &error);
    assert_true(code != VCS_OK || outcome.grown == 0);
    return code;
}

static const struct {
    double *grown;
    int (*call)(void);
} inputs[] = {
    {&host.parameters.grown, check_parameters},
    {&host.parameters.grown, prepare},
    {&host.snapshot.grown, prepare},
    {&host.host.grown, prepare},
    {&host.resources[1].grown, prepare},
    {&host.projects[1].grown, prepare},
    {&host.project_resources[1].grown, prepare},
    {&host.apps[1].grown, prepare},
    {&host.tasks[1].grown, prepare},
    {&host.candidates[1].grown, prepare},
    {&in.ranking.grown, rank},
    {&in.entry.grown, rank},
    {&in.interval.grown, update_debts},
    {&in.progress.grown, estimate},
    {&in.range.grown, back_off},
    {&in.question.grown, fetch},
    {&in.reply.grown, take_reply},
    {&in.resource_reply.grown, take_reply},
    {&in.rpc_project.grown, call_and_report},
    {&in.rpc_situation.grown, call_and_report},
    {&in.rpc_outcome.grown, call_and_report},
    {&in.event.grown, handle_event},
    {&in.check.grown, verify},
    {&in.ballot.grown, vote},
    {&in.terms.grown, vote},
    {&in.rules.grown, reply_in_a_pool},
    {&in.times.grown, reply_in_a_pool},
    {&in.requests[1].grown, send_jobs},
    {&in.jobs[1].grown, send_jobs},
    {&in.limits.grown, send_jobs},
    {&in.emulation.grown, emulate},
    {&in.models[1].grown, emulate},
    {&in.servers[1].grown, emulate},
    {&in.scenario.snapshot.grown, emulate},
};

/* Whether the library knows the fields, too. */
static int is_library_newer(void) {
    return vcs_struct_size(VCS_TYPE_TASK) == sizeof(vcs_task);
}

static void new_fields(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        static const double values[] = {0, 0.5, 2};
        const int newer[] = {VCS_OK, VCS_OK, VCS_ERR_RANGE};
        const int older[] = {VCS_OK, VCS_ERR_ABI_NEWER, VCS_ERR_ABI_NEWER};
        for (int k = 0; k < 3; k++) {
            begin_inputs();
            *inputs[i].grown = values[k];
            const int code = inputs[i].call(), expected = is_library_newer() ? newer[k] : older[k];
            if (code != expected) {
                fail_msg("input %zu with %g: %s, not %s", i, values[k], vcs_error_name(code), vcs_error_name(expected));
            }
        }
    }
}

static int do_nothing(void *context) {
    (void)context;
    return VCS_OK;
}

/* What the table above cannot reach by a number. */
static void new_arrays_and_hooks(void **unused) {
    (void)unused;
    const int expected = is_library_newer() ? VCS_OK : VCS_ERR_ABI_NEWER;
    begin_inputs();
    in.hooks.grown = do_nothing;
    assert_int_equal(emulate(), expected);
    begin_inputs();
    in.scenario.grown = array_of(in.models, sizeof *in.models, 1);
    assert_int_equal(emulate(), expected);
}

/* ---- What else is new ---- */

static void new_choices_reasons_and_parameters(void **unused) {
    (void)unused;
    begin_inputs();
    host.parameters.cpu_fit = VCS_CPU_FIT_GROWN;
    assert_int_equal(check_parameters(), is_library_newer() ? VCS_OK : VCS_ERR_FLAGS);
    assert_string_equal(vcs_reason_name(VCS_REASON_GROWN), is_library_newer() ? "grown" : "unknown");
    assert_string_equal(vcs_error_name(VCS_ERR_GROWN), is_library_newer() ? "VCS_ERR_GROWN" : "unknown");
    assert_int_equal(vcs_struct_size(VCS_TYPE_GROWN_RECORD), is_library_newer() ? sizeof(vcs_grown_record) : 0);
    assert_int_equal(vcs_parameter_find("grown") == VCS_NONE, !is_library_newer());
}

/* Outputs that are longer than the library's are 0 where it has nothing to say. */
static void new_fields_of_outputs(void **unused) {
    (void)unused;
    begin_inputs();
    vcs_state *state = host_prepare(&host);
    vcs_wrr_summary wrr = {.struct_size = sizeof wrr, .grown = 1};
    vcs_edf_summary edf = {.struct_size = sizeof edf, .grown = 1};
    vcs_schedule_summary schedule = {.struct_size = sizeof schedule, .grown = 1};
    vcs_admission admission = {.struct_size = sizeof admission, .grown = 1};
    vcs_task_forecast forecasts[2];
    memset(forecasts, 0xff, sizeof forecasts);
    assert_int_equal(vcs_wrr(state, &wrr), VCS_OK);
    assert_int_equal(vcs_wrr_tasks(state, ARRAY(forecasts, 2)), VCS_OK);
    assert_int_equal(vcs_edf(state, VCS_EDF_ALL, &edf), VCS_OK);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &schedule), VCS_OK);
    assert_int_equal(vcs_admit(state, 0, &admission), VCS_OK);
    assert_true(wrr.grown == 0 && edf.grown == 0 && schedule.grown == 0 && admission.grown == 0);
    assert_true(forecasts[0].grown == 0 && forecasts[1].grown == 0);
    host_end(&host);
}

int main(int count, char **arguments) {
    if (count == 2) { /* only where the library is expected to be this one */
        return vcs_struct_size(VCS_TYPE_TASK) == strtoul(arguments[1], NULL, 10) ? 0 : 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_fields),
        cmocka_unit_test(new_arrays_and_hooks),
        cmocka_unit_test(new_choices_reasons_and_parameters),
        cmocka_unit_test(new_fields_of_outputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
