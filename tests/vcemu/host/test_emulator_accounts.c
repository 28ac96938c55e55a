/*
 * Which accounts an emulated client keeps: the ones that its policy looks at; and what is in them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/emulation_case.h"

#include <vcsched/accounts.h>

/* The first project as a server sees it at the first call from some time on. */
typedef struct noted_project {
    double from;
    vcs_project project;
} noted_project;

static int note_project(void *context, const vcs_situation *situation, uint32_t candidate, vcs_admission *admission) {
    noted_project *noted = context;
    (void)candidate;
    if (situation->now >= noted->from && noted->project.id == 0) {
        noted->project = *(const vcs_project *)situation->snapshot->projects.base;
    }
    admission->admitted = 1;
    return VCS_OK;
}

/*
 * One CPU of 1e9 FLOPS. The first project sends jobs of 1000 s, one at a time, the second none; both have the same
 * share. Noted is the first project when it is called after so many jobs.
 */
static vcs_project project_after(uint32_t jobs, case_records *c, uint32_t flags_of_second) {
    noted_project noted = {.from = 1000 * jobs};
    c->resources[0].flops = 1e9;
    c->emulation.study_rules = 0;
    c->parameters.min_buffer = c->parameters.additional_buffer = 0;
    c->parameters.work_send = VCS_WORK_SEND_WS1;
    add_app(c, add_project(c), 1e12, 1e6);
    c->servers[0].max_in_progress = 1;
    c->projects[add_project(c)].flags = flags_of_second;
    c->hooks.context = &noted;
    c->hooks.send = note_project;
    run(c);
    assert_int_equal(noted.project.id, 1);
    return noted.project;
}

/* Rule 1.1: 1e12 operations in each 1000 s, from nothing. */
static double rec_after(uint32_t jobs, const case_records *c) {
    vcs_average rec = {.time = 0};
    double credits;
    assert_int_equal(vcs_credits(1e12, &credits), VCS_OK);
    for (uint32_t i = 1; i <= jobs; i++) {
        assert_int_equal(vcs_average_blend(&rec, credits, c->parameters.rec_half_life, 1000 * i), VCS_OK);
    }
    return rec.value;
}

/* REC is for priorities, and for the order of the sliced simulation, which follows them. */
static void recent_work_is_kept_for_priorities(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 5000);
    vcs_project project = project_after(3, &c, 0);
    assert_true(fabs(project.rec / rec_after(3, &c) - 1) < 1e-9);
    assert_true(project.exp_avg_cpu == 0 && project.long_term_debt == 0);
    begin(&c, VCS_PROFILE_CURRENT, 1, 5000);
    c.parameters.ranking = VCS_RANK_RESOURCE_DEBT;
    project = project_after(1, &c, 0);
    assert_true(fabs(project.rec / rec_after(1, &c) - 1) < 1e-9);
}

/* At each call: the second project, for which nothing is ever computed. */
static int note_second(void *context, const vcs_situation *situation, uint32_t candidate, vcs_admission *admission) {
    uint32_t *calls = context;
    const vcs_project *projects = situation->snapshot->projects.base;
    (void)candidate;
    assert_true(projects[1].rec == 0.0 && (*calls == 0 || projects[0].rec > 0.0));
    ++*calls;
    admission->admitted = 1;
    return VCS_OK;
}

static void without_work_there_is_no_recent_work(void **unused) {
    (void)unused;
    case_records c;
    uint32_t calls = 0;
    begin(&c, VCS_PROFILE_CURRENT, 1, 50000);
    c.parameters.min_buffer = c.parameters.additional_buffer = 0;
    add_app(&c, add_project(&c), 1000, 1e6);
    c.servers[0].max_in_progress = 1;
    add_project(&c);
    c.hooks.context = &calls;
    c.hooks.send = note_second;
    run(&c);
    assert_true(calls > 40);
}

/* What local accounting has of the first project, on the CPU and on the GPU, at the first call from 1000 s on. */
static int note_resources(void *context, const vcs_situation *situation, uint32_t candidate, vcs_admission *admission) {
    const vcs_project_resource *records = situation->snapshot->project_resources.base;
    double *noted = context;
    (void)candidate;
    if (situation->now >= 1000 && noted[1] == 0) {
        noted[0] = records[0].rec;
        noted[1] = records[1].rec;
    }
    admission->admitted = 1;
    return VCS_OK;
}

/* With local accounting, 1000 s of a GPU of 1e9 FLOPS and of a quarter of a CPU of 4e8: 1e12 and 1e11 operations. */
static void local_accounting_keeps_resources_apart(void **unused) {
    (void)unused;
    case_records c;
    double noted[2] = {0}, credits;
    vcs_average rec = {.time = 0};
    begin(&c, VCS_PROFILE_CURRENT, 1, 5000);
    c.parameters.accounting = VCS_ACCOUNTING_LOCAL;
    c.parameters.min_buffer = c.parameters.additional_buffer = 0;
    c.scenario.snapshot.resources.count = 2;
    c.scenario.snapshot.project_resources.element_size = sizeof(vcs_project_resource); /* as note_resources() reads */
    c.resources[0].flops = 4e8;
    c.resources[1] = (vcs_resource){.id = 2, .flops = 1e9, .usable = 1, .instances = 1};
    vcs_job_model *model = add_app(&c, add_project(&c), 1.1e12, 1e6);
    model->gpu = 1;
    model->gpus = 1;
    model->cpus = 0.25;
    c.servers[0].max_in_progress = 1;
    c.hooks.context = noted;
    c.hooks.send = note_resources;
    run(&c);
    assert_int_equal(vcs_credits(1e12, &credits), VCS_OK);
    assert_int_equal(vcs_average_blend(&rec, credits, c.parameters.rec_half_life, 1000), VCS_OK);
    assert_true(fabs(noted[1] / rec.value - 1) < 1e-9);
    assert_true(fabs(noted[0] / rec.value - 0.1) < 1e-9);
}

/* CPU time is for resource debts alone: three times 1000 s, each decaying in the 1000 s after it. */
static void cpu_time_is_kept_for_resource_debts(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_RPC2003, 1, 5000);
    c.parameters.work_fetch = VCS_WORK_FETCH_CURRENT;
    c.parameters.ranking = VCS_RANK_RESOURCE_DEBT;
    const vcs_project project = project_after(3, &c, 0);
    const double kept = exp(-1000 * c.parameters.average_rate);
    assert_true(fabs(project.exp_avg_cpu - 1000 * (1 + kept + kept * kept)) < 1e-6);
    assert_true(project.long_term_debt == 0);
}

/*
 * Rule 1.3: of 1000 s, each of two projects is owed 500 in the long run, and the first got all: -500, which is as far
 * below the mean as the second is above. A suspended project is owed nothing, nor is one that may not be asked: then
 * the first got what it was owed. Debts are for the rankings by debt, and for both rules of fetching by debt.
 */
static void debts_are_kept_for_the_policies_of_the_study(void **unused) {
    (void)unused;
    static const struct {
        uint32_t ranking, work_fetch, flags_of_second;
        double debt;
    } cases[] = {
        {VCS_RANK_DEBT, VCS_WORK_FETCH_CURRENT, 0, -500},
        {VCS_RANK_PRIORITY, VCS_WORK_FETCH_WF1, 0, -500},
        {VCS_RANK_PRIORITY, VCS_WORK_FETCH_WF2, 0, -500},
        {VCS_RANK_PRIORITY, VCS_WORK_FETCH_CURRENT, 0, 0},
        {VCS_RANK_DEBT, VCS_WORK_FETCH_WF2, VCS_PROJECT_SUSPENDED, 0},
        {VCS_RANK_DEBT, VCS_WORK_FETCH_WF2, VCS_PROJECT_NO_NEW_WORK, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        case_records c;
        begin(&c, VCS_PROFILE_CURRENT, 1, 5000);
        c.parameters.ranking = cases[i].ranking;
        c.parameters.work_fetch = cases[i].work_fetch;
        const vcs_project project = project_after(1, &c, cases[i].flags_of_second);
        assert_true(fabs(project.long_term_debt - cases[i].debt) <= 1);
    }
}

/*
 * The mean of all debts is 0, so a single project owes nothing and is owed nothing. What it starts with, in the short
 * or in the long run, is gone when the accounts are first settled.
 */
static void a_single_project_has_no_debts(void **unused) {
    (void)unused;
    static const struct { double short_term, long_term; } starts[] = {{0, 0}, {700, 0}, {0, -700}};
    for (size_t i = 0; i < COUNT_OF(starts); i++) {
        case_records c;
        noted_project noted = {.from = 1000};
        begin(&c, VCS_PROFILE_STUDY2007, 1, 5000);
        c.parameters.min_buffer = c.parameters.additional_buffer = 0;
        add_app(&c, add_project(&c), 1000 * c.resources[0].flops, 1e6);
        c.projects[0].short_term_debt = starts[i].short_term;
        c.projects[0].long_term_debt = starts[i].long_term;
        c.hooks.context = &noted;
        c.hooks.send = note_project;
        run(&c);
        assert_int_equal(noted.project.id, 1);
        assert_true(noted.project.short_term_debt == 0 && noted.project.long_term_debt == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recent_work_is_kept_for_priorities),
        cmocka_unit_test(without_work_there_is_no_recent_work),
        cmocka_unit_test(local_accounting_keeps_resources_apart),
        cmocka_unit_test(cpu_time_is_kept_for_resource_debts),
        cmocka_unit_test(debts_are_kept_for_the_policies_of_the_study),
        cmocka_unit_test(a_single_project_has_no_debts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
