/*
 * Which tasks run now (rules 5.1 to 5.6): examples worked by hand.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

#define HOUR 3600.0
#define GB 1e9

/* ---- A host, and what is decided on it ---- */

typedef struct outcome {
    vcs_schedule_summary summary;
    vcs_task_decision tasks[HOST_MOST];
    vcs_resource_decision resources[HOST_MOST];
} outcome;

/* Nobody is late by deadline, nothing that is on in a profile but not looked at here; the period is an hour. */
static void begin(test_host *h, uint32_t cpus) {
    host_begin(h, VCS_PROFILE_CURRENT, cpus);
    h->now = 100 * HOUR;
    h->parameters.scheduling = VCS_SCHEDULING_ROUND_ROBIN;
    h->parameters.hysteresis = 0;
    h->parameters.save_first = 0;
    h->parameters.switch_cost = 0;
}

/*
 * With deadlines. The cushion is long enough that every task with a deadline is predicted to miss it, and those without
 * are not: so a test says for each task whether it is late, and how urgent that is.
 */
static void begin_late(test_host *h, uint32_t cpus) {
    begin(h, cpus);
    h->parameters.scheduling = VCS_SCHEDULING_DEADLINE;
    h->parameters.deadline_cushion = 1e9;
    host_add_project(h, 1);
}

static outcome decide(test_host *h) {
    outcome found;
    memset(&found, 0, sizeof found);
    found.summary.struct_size = sizeof found.summary;
    vcs_state *state = host_prepare(h);
    if (h->parameters.scheduling == VCS_SCHEDULING_DEADLINE) {
        assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    }
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &found.summary), VCS_OK);
    assert_int_equal(vcs_schedule_tasks(state, ARRAY(found.tasks, h->snapshot.tasks.count)), VCS_OK);
    assert_int_equal(vcs_schedule_resources(state, ARRAY(found.resources, h->snapshot.resources.count)), VCS_OK);
    host_end(h);
    return found;
}

/* The reasons of all tasks, in order of the records. */
static void assert_reasons(const outcome *found, const uint32_t *expected, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (found->tasks[i].reason != expected[i]) {
            print_error("task %u: %s, not %s\n", i, vcs_reason_name(found->tasks[i].reason),
                        vcs_reason_name(expected[i]));
            fail();
        }
        assert_int_equal(found->tasks[i].run, expected[i] >= VCS_REASON_LATE && expected[i] <= VCS_REASON_FILLS_IN);
        assert_int_equal(found->tasks[i].place == VCS_NONE, !found->tasks[i].run);
    }
}

#define REASONS(found, ...)                                                                                            \
    assert_reasons(&(found), (const uint32_t[]){__VA_ARGS__},                                                          \
                   sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

#define LATE VCS_REASON_LATE
#define NEARLY_DONE VCS_REASON_NEARLY_DONE
#define SLICE VCS_REASON_SLICE
#define TURN VCS_REASON_TURN
#define WAITS VCS_REASON_WAITS
#define HELD VCS_REASON_HELD

static void assert_places(const outcome *found, const uint32_t *expected, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(found->tasks[i].place, expected[i]);
    }
}

#define PLACES(found, ...)                                                                                             \
    assert_places(&(found), (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static vcs_task *add_task(test_host *h, uint32_t project) {
    return host_add_task(h, project, 10 * HOUR, INFINITY);
}

static vcs_task *add_gpu_task(test_host *h, uint32_t project, uint32_t gpu, double gpus, double cpus) {
    vcs_task *task = add_task(h, project);
    task->gpu = gpu;
    task->gpus = gpus;
    task->cpus = cpus;
    return task;
}

/* It has run for so long, and checkpoints all the time. */
static vcs_task *run(test_host *h, vcs_task *task, double seconds) {
    task->flags |= VCS_TASK_RUNNING | VCS_TASK_STARTED;
    task->running_since = h->now - seconds;
    return task;
}

static vcs_task *make_late(test_host *h, vcs_task *task, double remaining, double time_to_deadline) {
    task->remaining = remaining;
    task->deadline = h->now + time_to_deadline;
    return task;
}

/* ---- Whose turn it is ---- */

/*
 * 4 CPUs, equal shares, nobody has done anything. K = 1 * (3600 / 86400) / 4 = 1/96. Keys of A, B:
 * 0, 0: A by its id. -2/96, 0: B. -2/96, -2/96: A. -4/96, -2/96: B.
 */
static void equal_shares_take_turns(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    for (int i = 0; i < 3; i++) {
        add_task(&h, a);
    }
    for (int i = 0; i < 3; i++) {
        add_task(&h, b);
    }
    outcome found = decide(&h);
    REASONS(found, TURN, TURN, WAITS, TURN, TURN, WAITS);
    PLACES(found, 0, 2, VCS_NONE, 1, 3, VCS_NONE);
    assert_int_equal(found.summary.running, 4);
    assert_int_equal(found.summary.started, 4);
    assert_int_equal(found.summary.stopped, 0);
    assert_true(found.resources[0].used == 4.0);
    assert_true(found.summary.next_check == HOUR);
}

/*
 * Shares 3 and 1: keys are -n * K / (3/4) and -n * K / (1/4), in units of K * 4/3: A has -n, B has -3 n.
 * A 0, B 0: A. -1, 0: B. -1, -3: A, -2: A, -3, -3: A by its id. So 4 of A and 1 of B.
 */
static void shares_set_the_pace(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 5);
    uint32_t a = host_add_project(&h, 3), b = host_add_project(&h, 1);
    for (int i = 0; i < 5; i++) {
        add_task(&h, a);
        add_task(&h, b);
    }
    outcome found = decide(&h);
    REASONS(found, TURN, TURN, TURN, WAITS, TURN, WAITS, TURN, WAITS, WAITS, WAITS);
}

/* With REC 100 and 300 the sum is 400 and K = 400 / 24 / 2 = 8.3: two tasks do not make up for a difference of 200. */
static void recent_work_counts(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    h.projects[a].rec = 300;
    h.projects[b].rec = 100;
    add_task(&h, a);
    add_task(&h, b);
    add_task(&h, b);
    outcome found = decide(&h);
    REASONS(found, WAITS, TURN, TURN);
}

/* Class goes before share, and a share before none. */
static void class_then_share(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    uint32_t none = host_add_project(&h, 0), some = host_add_project(&h, 1), first = host_add_project(&h, 0);
    h.projects[first].priority_class = 1;
    add_task(&h, none);
    add_task(&h, some);
    add_task(&h, first);
    outcome found = decide(&h);
    REASONS(found, WAITS, TURN, TURN);
    PLACES(found, VCS_NONE, 1, 0);
}

/* No share anywhere: by work alone, so they take turns as equals do. */
static void share_0_everywhere(void **unused) {
    (void)unused;
    static test_host h;
    for (uint32_t ranking = VCS_RANK_PRIORITY; ranking <= VCS_RANK_DEBT; ranking++) {
        begin(&h, 2);
        h.parameters.ranking = ranking;
        uint32_t a = host_add_project(&h, 0), b = host_add_project(&h, 0);
        add_task(&h, a);
        add_task(&h, a);
        add_task(&h, b);
        outcome found = decide(&h);
        REASONS(found, TURN, WAITS, TURN);
    }
}

static void one_project_alone(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    uint32_t a = host_add_project(&h, 0);
    h.projects[a].rec = 1e30;
    add_task(&h, a);
    add_task(&h, a);
    add_task(&h, a);
    outcome found = decide(&h);
    REASONS(found, TURN, TURN, WAITS);
}

static void nothing_to_run(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    for (int projects = 0; projects < 2; projects++) {
        outcome found = decide(&h);
        assert_int_equal(found.summary.running, 0);
        assert_true(found.summary.next_check == INFINITY);
        assert_true(found.resources[0].used == 0);
        begin(&h, 2);
        host_add_project(&h, 1);
    }
}

/* Of one project: running, then started, then by arrival. */
static void within_a_project(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    uint32_t a = host_add_project(&h, 1);
    add_task(&h, a);
    add_task(&h, a)->flags = VCS_TASK_STARTED;
    run(&h, add_task(&h, a), HOUR); /* its slice has just ended */
    add_task(&h, a)->flags = VCS_TASK_STARTED;
    outcome found = decide(&h);
    REASONS(found, WAITS, TURN, TURN, WAITS);
    PLACES(found, VCS_NONE, 1, 0, VCS_NONE);
    assert_int_equal(found.tasks[1].flags, VCS_DECISION_START | VCS_DECISION_NEW_SLICE);
    assert_int_equal(found.tasks[2].flags, VCS_DECISION_NEW_SLICE);
    assert_int_equal(found.summary.started, 1);
}

/* By arrival means by the time of receipt, then by id. */
static void arrival(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    uint32_t a = host_add_project(&h, 1);
    add_task(&h, a)->received = 20;
    add_task(&h, a)->received = 10;
    add_task(&h, a)->received = 10;
    h.tasks[1].id = 9;
    outcome found = decide(&h);
    REASONS(found, WAITS, TURN, TURN);
    PLACES(found, VCS_NONE, 1, 0);
}

/*
 * A CPU and a GPU; A has worked much on the GPU and B on the CPU. Each resource has its own accounts: sums of REC 300,
 * K = 300 / 24 / 1 = 12.5, less than the difference of 100.
 */
static void local_accounting(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    h.parameters.accounting = VCS_ACCOUNTING_LOCAL;
    uint32_t gpu = host_add_resource(&h, 1, 10);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    host_add_project_resource(&h, a, 0)->rec = 100;
    host_add_project_resource(&h, b, 0)->rec = 200;
    host_add_project_resource(&h, a, gpu)->rec = 200;
    host_add_project_resource(&h, b, gpu)->rec = 100;
    add_gpu_task(&h, a, gpu, 1, 0);
    add_gpu_task(&h, b, gpu, 1, 0);
    add_task(&h, a);
    add_task(&h, b);
    outcome found = decide(&h);
    REASONS(found, WAITS, TURN, TURN, WAITS);
}

/*
 * With global accounting a GPU task of A counts as 10 CPUs against it, so that B goes first on the CPU; with local
 * accounting it does not, and A does by its id.
 */
static void gpu_work_counts_globally(void **unused) {
    (void)unused;
    static test_host h;
    for (uint32_t local = 0; local < 2; local++) {
        begin(&h, 1);
        h.parameters.accounting = local ? VCS_ACCOUNTING_LOCAL : VCS_ACCOUNTING_GLOBAL;
        uint32_t gpu = host_add_resource(&h, 1, 10);
        uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
        add_gpu_task(&h, a, gpu, 1, 0);
        add_task(&h, a);
        add_task(&h, b);
        outcome found = decide(&h);
        REASONS(found, TURN, local ? TURN : WAITS, local ? WAITS : TURN);
    }
}

/*
 * Resource debt (rule 1.2). A never ran and goes first, whatever its share. With its task picked it counts as having
 * run an hour: 1 / 3600. B has 100 / 10 s, then 100 / 3610 = 1/36, still more than A, then 100 / 7210.
 */
static void resource_debt(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 3);
    h.parameters.ranking = VCS_RANK_RESOURCE_DEBT;
    uint32_t b = host_add_project(&h, 100), a = host_add_project(&h, 1);
    h.projects[b].exp_avg_cpu = 10;
    for (int i = 0; i < 3; i++) {
        add_task(&h, b);
        add_task(&h, a);
    }
    outcome found = decide(&h);
    REASONS(found, TURN, TURN, TURN, WAITS, WAITS, WAITS);
    PLACES(found, 1, 0, 2);
}

/*
 * Short-term debt (rule 13.13). Each pick is charged half of 3600 s. A 0, B 1000: B. 0, -800: A. -1800, -800: B.
 */
static void short_term_debt(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 3);
    h.parameters.ranking = VCS_RANK_DEBT;
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    h.projects[b].short_term_debt = 1000;
    for (int i = 0; i < 2; i++) {
        add_task(&h, a);
        add_task(&h, b);
    }
    outcome found = decide(&h);
    REASONS(found, TURN, TURN, WAITS, TURN);
    PLACES(found, 1, 0, VCS_NONE, 2);
}

/*
 * A pick counts the bump, whatever the period is. A has done 100 and B 103, as REC or as CPU time: A goes first.
 * With a bump of an hour A then has 100 + 203 / 24 / 2 = 104.2, or 3700, and B is next. With one of a second it is A.
 */
static void the_bump_counts_and_not_the_period(void **unused) {
    (void)unused;
    static test_host h;
    for (int i = 0; i < 8; i++) {
        begin(&h, 2);
        h.parameters.ranking = i % 2 == 0 ? VCS_RANK_PRIORITY : VCS_RANK_RESOURCE_DEBT;
        h.parameters.period = i / 2 % 2 == 0 ? 120 : 24 * HOUR;
        assert_true(h.parameters.bump == HOUR);
        h.parameters.bump = i < 4 ? HOUR : 1;
        uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
        h.projects[a].rec = h.projects[a].exp_avg_cpu = 100;
        h.projects[b].rec = h.projects[b].exp_avg_cpu = 103;
        add_task(&h, a);
        add_task(&h, a);
        add_task(&h, b);
        outcome found = decide(&h);
        REASONS(found, TURN, i < 4 ? WAITS : TURN, i < 4 ? TURN : WAITS);
    }
}

/* Debts are charged by the period, whatever the bump is: half of 120 s leaves A, who has 100, before B. */
static void the_period_counts_for_debts(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    h.parameters.ranking = VCS_RANK_DEBT;
    h.parameters.period = 120;
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    h.projects[a].short_term_debt = 100;
    add_task(&h, a);
    add_task(&h, a);
    add_task(&h, b);
    outcome found = decide(&h);
    REASONS(found, TURN, TURN, WAITS);
}

/* Who is charged by share is not put last for having none: with debts, class and debt alone count. */
static void debt_without_share(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    h.parameters.ranking = VCS_RANK_DEBT;
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 0);
    h.projects[b].short_term_debt = 1;
    add_task(&h, a);
    add_task(&h, b);
    outcome found = decide(&h);
    REASONS(found, WAITS, TURN);
}

/* ---- What fits ---- */

/* 8 CPUs. One project: in order of arrival. The task of 7 fits beside one of the small ones only. */
static void wide_task_last(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 8);
    uint32_t a = host_add_project(&h, 1);
    for (int i = 0; i < 3; i++) {
        add_task(&h, a);
    }
    add_task(&h, a)->cpus = 7;
    outcome found = decide(&h);
    REASONS(found, TURN, TURN, TURN, HELD);
    assert_true(found.resources[0].used == 3.0);
}

static void wide_task_first(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 8);
    uint32_t a = host_add_project(&h, 1);
    add_task(&h, a)->cpus = 7;
    for (int i = 0; i < 3; i++) {
        add_task(&h, a);
    }
    outcome found = decide(&h);
    REASONS(found, TURN, TURN, WAITS, WAITS);
    assert_true(found.resources[0].used == 8.0);
}

/* With any, the task of 7 is taken too, as something is free; then nothing is, not even for a small one. */
static void any_cpu_task_fits(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 8);
    h.parameters.cpu_fit = VCS_CPU_FIT_ANY;
    uint32_t a = host_add_project(&h, 1);
    for (int i = 0; i < 3; i++) {
        add_task(&h, a);
    }
    add_task(&h, a)->cpus = 7;
    add_task(&h, a);
    add_task(&h, a)->cpus = 0;
    outcome found = decide(&h);
    REASONS(found, TURN, TURN, TURN, TURN, WAITS, TURN);
    assert_true(found.resources[0].used == 10.0);
}

/*
 * Three halves leave half a CPU. A whole one is taken all the same, for it lacks less than one CPU, and then nothing is
 * free but for a use of 0. Strictly, it does not fit, another half does.
 */
static void fractions(void **unused) {
    (void)unused;
    static test_host h;
    const double uses[] = {0.5, 0.5, 0.5, 1, 0.5, 0.001, 0};
    for (int is_strict = 0; is_strict < 2; is_strict++) {
        begin(&h, 2);
        h.parameters.cpu_fit = is_strict ? VCS_CPU_FIT_STRICT : VCS_CPU_FIT_FRACTION;
        uint32_t a = host_add_project(&h, 1);
        for (int i = 0; i < 7; i++) {
            add_task(&h, a)->cpus = uses[i];
        }
        outcome found = decide(&h);
        REASONS(found, TURN, TURN, TURN, is_strict ? WAITS : TURN, is_strict ? TURN : WAITS, WAITS, TURN);
        assert_true(found.resources[0].used == (is_strict ? 2.0 : 2.5));
        assert_true(found.summary.cpu_excess == (is_strict ? 0.0 : 0.5));
    }
}

/*
 * Tenths are not exact, but counted in units of 2^-20 ten of them are a little more than 1: floor(0.1 * 2^20 + 0.5) is
 * 104858, and 10 * 104858 = 2^20 + 4. So strictly nine fit.
 */
static void tenths(void **unused) {
    (void)unused;
    static test_host h;
    for (int is_strict = 0; is_strict < 2; is_strict++) {
        const uint32_t fit = is_strict ? 9 : 10;
        begin(&h, 1);
        h.parameters.cpu_fit = is_strict ? VCS_CPU_FIT_STRICT : VCS_CPU_FIT_FRACTION;
        uint32_t a = host_add_project(&h, 1);
        for (int i = 0; i < 11; i++) {
            add_task(&h, a)->cpus = 0.1;
        }
        outcome found = decide(&h);
        assert_int_equal(found.summary.running, fit);
        assert_true(found.resources[0].used == fit * 104858 / 1048576.0);
    }
}

/* ---- CPUs beside GPU tasks (rule 4.7) ---- */

/* A fifth of an instance in units of 2^-20: floor(0.2 * 2^20 + 0.5) of them. */
#define FIFTH (209715 / 1048576.0)

/* Four CPUs: what the GPU task takes of them is less than one, so no task of one CPU loses its place. */
static void a_fraction_of_a_gpu_task_costs_no_cpu_task_its_place(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    uint32_t gpu = host_add_resource(&h, 1, 10);
    uint32_t a = host_add_project(&h, 1);
    run(&h, add_gpu_task(&h, a, gpu, 1, 0.2), 10)->devices = 1;
    for (int i = 0; i < 5; i++) {
        add_task(&h, a);
    }
    outcome found = decide(&h);
    REASONS(found, SLICE, TURN, TURN, TURN, TURN, WAITS);
    assert_true(found.resources[0].used == 4.0 + FIFTH);
    assert_true(found.summary.cpu_excess == FIFTH);
}

/* Eight CPUs, a GPU task that takes one of them, or a tenth: a task of all eight runs, and only one. */
static void gpu_tasks_do_not_starve_a_task_of_all_cpus(void **unused) {
    (void)unused;
    static test_host h;
    const double shares[] = {0.1, 1.0, 3.0};
    for (int i = 0; i < 3; i++) {
        begin(&h, 8);
        uint32_t gpu = host_add_resource(&h, 1, 10);
        uint32_t a = host_add_project(&h, 1);
        add_gpu_task(&h, a, gpu, 1, shares[i]);
        add_task(&h, a)->cpus = 8;
        add_task(&h, a)->cpus = 8;
        add_task(&h, a);
        outcome found = decide(&h);
        REASONS(found, TURN, TURN, HELD, WAITS);
    }
}

/* Beside another CPU task, one of seven CPUs waits for six that are free: it would lack a whole one. */
static void a_task_of_several_cpus_must_fit(void **unused) {
    (void)unused;
    static test_host h;
    const double first[] = {0.9, 1, 1.9, 2};
    for (int i = 0; i < 4; i++) {
        begin(&h, 8);
        uint32_t a = host_add_project(&h, 1);
        add_task(&h, a)->cpus = first[i];
        add_task(&h, a)->cpus = 7;
        outcome found = decide(&h);
        REASONS(found, TURN, i < 3 ? TURN : HELD);
    }
}

/* GPU tasks get their share of the CPUs as long as less than one is missing, even if none is free. */
static void shares_of_gpu_tasks_may_lack_a_cpu(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    uint32_t gpu = host_add_resource(&h, 8, 10);
    uint32_t a = host_add_project(&h, 1);
    for (int i = 0; i < 4; i++) {
        add_gpu_task(&h, a, gpu, 1, 0.5);
    }
    add_gpu_task(&h, a, gpu, 1, 0.25);
    add_gpu_task(&h, a, gpu, 1, 0);
    outcome found = decide(&h);
    REASONS(found, TURN, TURN, TURN, TURN, WAITS, TURN);
    assert_true(found.summary.cpu_excess == 1.0);
}

/* With any, a CPU task is taken whenever anything is free; a GPU keeps to what it has. */
static void any_is_about_cpus_alone(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    h.parameters.cpu_fit = VCS_CPU_FIT_ANY;
    uint32_t gpu = host_add_resource(&h, 2, 10);
    uint32_t a = host_add_project(&h, 1);
    add_gpu_task(&h, a, gpu, 0.75, 0);
    add_gpu_task(&h, a, gpu, 0.75, 0);
    add_gpu_task(&h, a, gpu, 0.75, 0);
    add_task(&h, a)->cpus = 1.5;
    add_task(&h, a)->cpus = 8;
    add_task(&h, a);
    outcome found = decide(&h);
    REASONS(found, TURN, TURN, WAITS, TURN, TURN, WAITS);
}

/* ---- Devices (rule 4.7) ---- */

static void assert_devices(const outcome *found, const uint64_t *expected, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(found->tasks[i].devices, expected[i]);
    }
}

#define DEVICES(found, ...)                                                                                            \
    assert_devices(&(found), (const uint64_t[]){__VA_ARGS__},                                                          \
                   sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* Two GPUs: 0.6 on each, 0.4 beside each. A third 0.6 would fit the sum of what is free, but no device. */
static void parts_are_placed_on_devices(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    uint32_t gpu = host_add_resource(&h, 2, 10);
    uint32_t a = host_add_project(&h, 1);
    for (int i = 0; i < 3; i++) {
        add_gpu_task(&h, a, gpu, 0.6, 0);
    }
    add_gpu_task(&h, a, gpu, 0.4, 0);
    add_gpu_task(&h, a, gpu, 0.4, 0);
    outcome found = decide(&h);
    REASONS(found, TURN, TURN, WAITS, TURN, TURN);
    DEVICES(found, 1, 2, 0, 1, 2);
    assert_true(found.resources[gpu].used > 1.9999 && found.resources[gpu].used < 2.0001);
}

/* Ten tenths and six sixths fill a device, although their units are a few more than one. */
static void parts_may_exceed_a_device_by_rounding(void **unused) {
    (void)unused;
    static test_host h;
    const uint32_t parts[] = {10, 6};
    for (int i = 0; i < 2; i++) {
        begin(&h, 2);
        uint32_t gpu = host_add_resource(&h, 1, 10);
        uint32_t a = host_add_project(&h, 1);
        for (uint32_t k = 0; k <= parts[i]; k++) {
            add_gpu_task(&h, a, gpu, 1.0 / parts[i], 0);
        }
        outcome found = decide(&h);
        assert_int_equal(found.summary.running, parts[i]);
    }
}

/* Two whole ones need two free devices, one and a half are rounded up to two. */
static void several_devices(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    uint32_t gpu = host_add_resource(&h, 4, 10);
    uint32_t a = host_add_project(&h, 1);
    add_gpu_task(&h, a, gpu, 0.5, 0);
    add_gpu_task(&h, a, gpu, 1.5, 0);
    add_gpu_task(&h, a, gpu, 2, 0);
    add_gpu_task(&h, a, gpu, 0.5, 0);
    add_gpu_task(&h, a, gpu, 1, 0);
    outcome found = decide(&h);
    REASONS(found, TURN, TURN, WAITS, TURN, TURN);
    DEVICES(found, 1, 6, 0, 1, 8);
}

/*
 * 24 CPUs, and a limit of eight for A: one of its tasks of eight runs, or two of four, but never one of twelve. GPU
 * tasks have CPU shares, which do not count.
 */
static void a_limit_in_instances(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 24);
    uint32_t gpu = host_add_resource(&h, 1, 10);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    host_add_project_resource(&h, a, 0)->max_instances = 8;
    for (int i = 0; i < 3; i++) {
        add_task(&h, a)->cpus = 8;
    }
    add_task(&h, b)->cpus = 15;
    outcome found = decide(&h);
    REASONS(found, TURN, VCS_REASON_PROJECT_LIMIT, VCS_REASON_PROJECT_LIMIT, TURN);
    add_gpu_task(&h, a, gpu, 1, 1);
    found = decide(&h);
    REASONS(found, TURN, VCS_REASON_PROJECT_LIMIT, VCS_REASON_PROJECT_LIMIT, TURN, TURN);
    h.tasks[0].cpus = 12;
    h.tasks[1].cpus = h.tasks[2].cpus = 4;
    found = decide(&h);
    REASONS(found, VCS_REASON_PROJECT_LIMIT, TURN, TURN, TURN, TURN);
}

/* Carried out for 18 hours, decided each half hour: one task of eight CPUs runs at a time, and B's go on beside it. */
static void a_limit_in_instances_as_time_passes(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 24);
    host_add_project(&h, 1);
    host_add_project(&h, 1);
    host_add_project_resource(&h, 0, 0)->max_instances = 8;
    for (int i = 0; i < 3; i++) {
        host_add_task(&h, 0, 6 * HOUR, INFINITY)->cpus = 8;
        host_add_task(&h, 1, 20 * HOUR, INFINITY)->cpus = 4;
    }
    for (int passed = 0; passed < 36; passed++) {
        outcome found = decide(&h);
        uint32_t wide = 0;
        for (uint32_t i = 0; i < h.snapshot.tasks.count; i++) {
            vcs_task *task = &h.tasks[i];
            wide += task->project == 0 && found.tasks[i].run;
            assert_int_equal(found.tasks[i].run,
                             task->project == 1 || found.tasks[i].reason != VCS_REASON_PROJECT_LIMIT);
            task->flags = found.tasks[i].run ? VCS_TASK_RUNNING | VCS_TASK_STARTED : task->flags & VCS_TASK_STARTED;
            task->running_since = (found.tasks[i].flags & VCS_DECISION_NEW_SLICE) != 0 ? h.now : task->running_since;
            task->remaining -= found.tasks[i].run ? HOUR / 2 : 0;
        }
        assert_int_equal(wide, 1);
        for (uint32_t i = 0; i < h.snapshot.tasks.count; i++) {
            if (h.tasks[i].remaining == 0) { /* it has ended; the last one takes its place */
                h.tasks[i] = h.tasks[--h.snapshot.tasks.count];
            }
        }
        h.now += HOUR / 2;
    }
    assert_int_equal(h.snapshot.tasks.count, 3); /* B's */
}

/* Of tasks of a third of a GPU three make one instance, in spite of rounding; a fourth does not run. */
static void a_limit_in_instances_of_an_application(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    uint32_t gpu = host_add_resource(&h, 4, 10);
    uint32_t a = host_add_project(&h, 1);
    uint32_t app = host_add_app(&h, a, 0);
    host_add_app_resource(&h, app, gpu)->max_instances = 1;
    for (int i = 0; i < 4; i++) {
        add_gpu_task(&h, a, gpu, 1.0 / 3, 0)->app = app;
    }
    add_gpu_task(&h, a, gpu, 1, 0);
    outcome found = decide(&h);
    REASONS(found, TURN, TURN, TURN, VCS_REASON_APP_LIMIT, TURN);
}

/*
 * Quarters of three devices, two of A on each: so many that four would share the first. The application in it may have
 * one on each. B may fill what is left.
 */
static void a_limit_per_device(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    uint32_t gpu = host_add_resource(&h, 2, 10);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    h.projects[a].priority_class = 1;
    host_add_project_resource(&h, a, gpu)->max_per_device = 2;
    for (int i = 0; i < 5; i++) {
        add_gpu_task(&h, a, gpu, 0.25, 0);
    }
    add_gpu_task(&h, b, gpu, 0.5, 0);
    outcome found = decide(&h);
    REASONS(found, TURN, TURN, TURN, TURN, VCS_REASON_PROJECT_LIMIT, TURN);
    DEVICES(found, 1, 1, 2, 2, 0, 1);
    uint32_t app = host_add_app(&h, a, 0);
    host_add_app_resource(&h, app, gpu)->max_per_device = 1;
    for (int i = 0; i < 3; i++) {
        h.tasks[i].app = app;
    }
    found = decide(&h);
    REASONS(found, TURN, TURN, VCS_REASON_APP_LIMIT, TURN, TURN, TURN);
    DEVICES(found, 1, 2, 0, 1, 2, 1);
}

/* A running task stays on its device, and another one of its project must not join it there. */
static void a_limit_per_device_beside_running_tasks(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    uint32_t gpu = host_add_resource(&h, 2, 10);
    uint32_t a = host_add_project(&h, 1);
    host_add_project_resource(&h, a, gpu)->max_per_device = 1;
    run(&h, add_gpu_task(&h, a, gpu, 0.5, 0), HOUR / 2)->devices = 2;
    run(&h, add_gpu_task(&h, a, gpu, 0.5, 0), HOUR / 2)->devices = 2;
    outcome found = decide(&h);
    REASONS(found, SLICE, SLICE);
    DEVICES(found, 2, 1);
}

/*
 * The running task keeps device 0, though the other one would be packed there first. If nothing else fits, its device
 * is taken, and it moves where there is room.
 */
static void running_tasks_keep_their_devices(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    uint32_t gpu = host_add_resource(&h, 2, 10);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    h.projects[a].priority_class = 1;
    add_gpu_task(&h, a, gpu, 0.75, 0);
    vcs_task *runs = run(&h, add_gpu_task(&h, b, gpu, 0.5, 0), 2 * HOUR);
    for (uint64_t held = 1; held <= 2; held++) {
        runs->devices = held;
        outcome found = decide(&h);
        REASONS(found, TURN, TURN);
        DEVICES(found, 3 - held, held);
    }
    host_add_project_resource(&h, a, gpu)->excluded = 2; /* device 0 alone is left to A */
    runs->devices = 1;
    outcome found = decide(&h);
    REASONS(found, TURN, TURN);
    DEVICES(found, 1, 2);
    assert_int_equal(found.tasks[1].flags, VCS_DECISION_NEW_SLICE);
}

/* A late task needs one of two devices: that of the running task which loses least. The other stays where it is. */
static void a_late_task_takes_the_device_of_who_loses_least(void **unused) {
    (void)unused;
    static test_host h;
    for (int in_memory = 0; in_memory < 2; in_memory++) {
        begin_late(&h, 2);
        uint32_t gpu = host_add_resource(&h, 2, 10);
        make_late(&h, add_gpu_task(&h, 0, gpu, 1, 0), HOUR, 2 * HOUR);
        for (uint64_t device = 1; device <= 2; device++) {
            vcs_task *task = run(&h, add_gpu_task(&h, 0, gpu, 1, 0), 1000);
            task->devices = device;
            task->since_checkpoint = device == 1 ? 900 : 300;
        }
        h.tasks[1].flags |= in_memory ? VCS_TASK_IN_MEMORY : 0; /* it loses nothing then */
        outcome found = decide(&h);
        REASONS(found, LATE, in_memory ? VCS_REASON_GIVES_WAY : SLICE, in_memory ? SLICE : VCS_REASON_GIVES_WAY);
        DEVICES(found, in_memory ? 1 : 2, in_memory ? 0 : 1, in_memory ? 2 : 0);
    }
}

/* Both running tasks are late themselves: the less urgent one loses its device, wherever that is. */
static void a_late_task_takes_the_device_of_the_least_urgent(void **unused) {
    (void)unused;
    static test_host h;
    for (uint64_t urgent = 1; urgent <= 2; urgent++) {
        begin_late(&h, 2);
        uint32_t gpu = host_add_resource(&h, 2, 10);
        make_late(&h, add_gpu_task(&h, 0, gpu, 1, 0), HOUR, 2 * HOUR);
        make_late(&h, run(&h, add_gpu_task(&h, 0, gpu, 1, 0), 1000), HOUR, 3 * HOUR)->devices = urgent;
        make_late(&h, run(&h, add_gpu_task(&h, 0, gpu, 1, 0), 1000), HOUR, 4 * HOUR)->devices = 3 - urgent;
        outcome found = decide(&h);
        REASONS(found, LATE, LATE, VCS_REASON_GIVES_WAY);
        DEVICES(found, 3 - urgent, urgent, 0);
    }
}

/* A task whose device another project's task has taken does not drive a running sibling from the other one. */
static void a_displaced_task_displaces_nobody(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    uint32_t gpu = host_add_resource(&h, 2, 10);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    run(&h, add_gpu_task(&h, a, gpu, 1, 0), 2 * HOUR)->devices = 1;
    run(&h, add_gpu_task(&h, a, gpu, 1, 0), 2 * HOUR)->devices = 2;
    add_gpu_task(&h, b, gpu, 1, 0);
    h.projects[a].rec = 1000;
    outcome found = decide(&h);
    REASONS(found, VCS_REASON_SLICE_OVER, TURN, TURN);
    DEVICES(found, 0, 2, 1);
    assert_int_equal(found.summary.stopped, 1);
}

/* Exclusions of an application come on top of those of its project. */
static void exclusions_of_an_application(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    uint32_t gpu = host_add_resource(&h, 3, 10);
    uint32_t a = host_add_project(&h, 1);
    host_add_project_resource(&h, a, gpu)->excluded = 1;
    uint32_t app = host_add_app(&h, a, 0);
    host_add_app_resource(&h, app, gpu)->excluded = 2;
    for (int i = 0; i < 2; i++) {
        add_gpu_task(&h, a, gpu, 1, 0)->app = app;
    }
    add_gpu_task(&h, a, gpu, 1, 0);
    add_gpu_task(&h, a, gpu, 2, 0)->app = app;
    outcome found = decide(&h);
    REASONS(found, TURN, VCS_REASON_EXCLUDED, TURN, VCS_REASON_CANNOT_RUN);
    DEVICES(found, 4, 0, 2, 0);
}

/* ---- The devices of stopped tasks (rule 4.7) ---- */

static vcs_task *add_stopped(test_host *h, uint32_t project, uint32_t gpu, double gpus, uint64_t devices) {
    vcs_task *task = add_gpu_task(h, project, gpu, gpus, 0.1);
    task->flags = VCS_TASK_STARTED;
    task->devices = devices;
    return task;
}

/* After a restart of the client: either would fail on the other's device. The first one used to get device 0. */
static void stopped_tasks_go_back_to_their_devices(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    uint32_t gpu = host_add_resource(&h, 2, 10);
    add_stopped(&h, host_add_project(&h, 1), gpu, 1, 2);
    add_stopped(&h, host_add_project(&h, 1), gpu, 1, 1);
    outcome found = decide(&h);
    REASONS(found, TURN, TURN);
    DEVICES(found, 2, 1);
    h.parameters.device_bound = VCS_DEVICES_REQUIRED;
    found = decide(&h);
    DEVICES(found, 2, 1);
    h.parameters.device_bound = VCS_DEVICES_FREE;
    found = decide(&h);
    DEVICES(found, 1, 2);
}

/* A's new task is offered first, and leaves device 0 to B's stopped one. With D's it must take one of the two. */
static void others_keep_away_from_the_devices_of_stopped_tasks(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    uint32_t gpu = host_add_resource(&h, 2, 10);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1), d = host_add_project(&h, 1);
    h.projects[a].priority_class = 2;
    add_gpu_task(&h, a, gpu, 1, 0);
    vcs_task *stopped = add_stopped(&h, b, gpu, 1, 1);
    outcome found = decide(&h);
    REASONS(found, TURN, TURN);
    DEVICES(found, 2, 1);
    stopped->flags |= VCS_TASK_SUSPENDED; /* it will come back */
    found = decide(&h);
    DEVICES(found, 2, 0);
    stopped->flags = VCS_TASK_STARTED;
    stopped->devices = 3; /* it ran on both when it needed both, and needs one now: nobody knows which is its own */
    found = decide(&h);
    DEVICES(found, 1, 2);
    stopped->devices = 1;
    add_stopped(&h, d, gpu, 1, 2);
    found = decide(&h);
    REASONS(found, TURN, TURN, WAITS);
    DEVICES(found, 1, 2, 0); /* preferred alone: B's runs where there is room */
    h.parameters.device_bound = VCS_DEVICES_REQUIRED;
    found = decide(&h);
    REASONS(found, TURN, VCS_REASON_OWN_DEVICES, TURN);
    DEVICES(found, 1, 0, 2);
}

/* A half-full device is the first choice, but its other half is that of a stopped task. */
static void parts_keep_away_from_the_parts_of_stopped_tasks(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    uint32_t gpu = host_add_resource(&h, 3, 10);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    h.projects[a].priority_class = 1;
    run(&h, add_gpu_task(&h, a, gpu, 0.5, 0), 10)->devices = 2;
    add_gpu_task(&h, a, gpu, 0.5, 0);
    add_gpu_task(&h, a, gpu, 0.5, 0);
    add_stopped(&h, b, gpu, 0.5, 2);
    add_stopped(&h, b, gpu, 1, 4);
    outcome found = decide(&h);
    REASONS(found, SLICE, TURN, TURN, TURN, TURN);
    DEVICES(found, 2, 1, 1, 2, 4);
}

/* Two devices of three, not the first two; and one of which another task has taken half. */
static void several_devices_of_a_stopped_task(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    uint32_t gpu = host_add_resource(&h, 3, 10);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    h.projects[a].priority_class = 1;
    add_gpu_task(&h, a, gpu, 0.5, 0);
    add_stopped(&h, b, gpu, 2, 5);
    outcome found = decide(&h);
    DEVICES(found, 2, 5);
    run(&h, &h.tasks[0], 10)->devices = 1;
    found = decide(&h);
    DEVICES(found, 1, 6);
    h.parameters.device_bound = VCS_DEVICES_REQUIRED;
    found = decide(&h);
    REASONS(found, SLICE, VCS_REASON_OWN_DEVICES);
    DEVICES(found, 1, 0);
}

/* The first to arrive gets the device of both; the other one goes elsewhere, or waits. */
static void two_stopped_tasks_of_one_device(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    uint32_t gpu = host_add_resource(&h, 3, 10);
    uint32_t a = host_add_project(&h, 1);
    add_stopped(&h, a, gpu, 1, 2);
    add_stopped(&h, a, gpu, 1, 2);
    outcome found = decide(&h);
    REASONS(found, TURN, TURN);
    DEVICES(found, 2, 1);
    h.parameters.device_bound = VCS_DEVICES_REQUIRED;
    found = decide(&h);
    REASONS(found, TURN, VCS_REASON_OWN_DEVICES);
    DEVICES(found, 2, 0);
}

/* Excluded since: it goes elsewhere; if it must not, it waits, and keeps nobody from the device. */
static void stopped_tasks_of_excluded_devices(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    uint32_t gpu = host_add_resource(&h, 2, 10);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    h.projects[b].priority_class = 1;
    host_add_project_resource(&h, a, gpu)->excluded = 1;
    add_stopped(&h, a, gpu, 1, 1);
    add_gpu_task(&h, b, gpu, 1, 0);
    outcome found = decide(&h);
    DEVICES(found, 2, 1);
    h.parameters.device_bound = VCS_DEVICES_REQUIRED;
    found = decide(&h);
    REASONS(found, VCS_REASON_OWN_DEVICES, TURN);
    DEVICES(found, 0, 1);
}

/* A stopped task moves no running one while another device is free; if it has to, it takes its own device. */
static void stopped_tasks_move_no_running_one(void **unused) {
    (void)unused;
    static test_host h;
    begin_late(&h, 4);
    uint32_t gpu = host_add_resource(&h, 2, 10);
    make_late(&h, add_stopped(&h, 0, gpu, 1, 1), HOUR, 2 * HOUR);
    run(&h, add_gpu_task(&h, 0, gpu, 1, 0), 100)->devices = 1;
    outcome found = decide(&h);
    REASONS(found, LATE, SLICE);
    DEVICES(found, 2, 1);
    h.parameters.device_bound = VCS_DEVICES_REQUIRED; /* it has to, and the running one must not move either */
    found = decide(&h);
    REASONS(found, LATE, VCS_REASON_OWN_DEVICES);
    DEVICES(found, 1, 0);
    h.parameters.device_bound = VCS_DEVICES_PREFERRED;
    h.tasks[1].since_checkpoint = 50; /* by its loss this device would be the last to be taken */
    run(&h, add_gpu_task(&h, 0, gpu, 1, 0), 100)->devices = 2;
    found = decide(&h);
    REASONS(found, LATE, VCS_REASON_GIVES_WAY, SLICE);
    DEVICES(found, 1, 0, 2);
}

/*
 * An hour of A, an hour of B, on three cards with five tasks each that take half a card: whoever comes back is where it
 * was, although nine of the ten are stopped in between.
 */
static void in_the_long_run_tasks_stay_on_their_devices(void **unused) {
    (void)unused;
    static test_host h;
    for (uint32_t bound = VCS_DEVICES_PREFERRED; bound <= VCS_DEVICES_REQUIRED; bound++) {
        begin(&h, 4);
        uint32_t gpu = host_add_resource(&h, 3, 10);
        uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1), resumed = 0;
        h.parameters.device_bound = bound;
        for (int i = 0; i < 10; i++) {
            add_gpu_task(&h, i < 5 ? a : b, gpu, i % 5 == 4 ? 1 : 0.5, 0.1);
        }
        for (int hour = 0; hour < 20; hour++, h.now += HOUR) {
            h.projects[a].rec = hour % 2 == 0 ? 0 : 1e6;
            h.projects[b].rec = 1e6 - h.projects[a].rec;
            outcome found = decide(&h);
            assert_int_equal(found.summary.running, 5);
            for (uint32_t i = 0; i < 10; i++) {
                vcs_task *task = &h.tasks[i];
                if (found.tasks[i].run) {
                    assert_true(task->devices == 0 || task->devices == found.tasks[i].devices);
                    resumed += task->devices != 0 && (found.tasks[i].flags & VCS_DECISION_START) != 0;
                    task->devices = found.tasks[i].devices; /* a stopped one keeps them */
                    task->running_since = h.now;
                }
                task->flags = found.tasks[i].run ? VCS_TASK_RUNNING | VCS_TASK_STARTED : task->flags & VCS_TASK_STARTED;
            }
        }
        assert_int_equal(resumed, 18 * 5);
    }
}

/* ---- What cannot start yet (rule 5.4) ---- */

static void what_cannot_start_yet(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 8);
    uint32_t gpu = host_add_resource(&h, 1, 10);
    uint32_t a = host_add_project(&h, 1);
    h.resources[gpu].flags = VCS_RESOURCE_PAUSED;
    add_task(&h, a)->flags = VCS_TASK_DOWNLOADING;
    add_task(&h, a)->flags = VCS_TASK_DOWNLOADING;
    h.tasks[1].wait = VCS_WAIT_DOWNLOAD;
    add_task(&h, a)->flags = VCS_TASK_SUSPENDED;
    h.tasks[2].wait = VCS_WAIT_USER;
    run(&h, add_gpu_task(&h, a, gpu, 1, 0), 10);
    add_gpu_task(&h, a, gpu, 1, 0)->flags = VCS_TASK_DOWNLOADING;
    add_task(&h, a)->wait = VCS_WAIT_DOWNLOAD; /* of a task that can run it says nothing */
    outcome found = decide(&h);
    REASONS(found, VCS_REASON_DOWNLOADING, VCS_REASON_DOWNLOAD_STALLED, VCS_REASON_BY_USER, VCS_REASON_RESOURCE_PAUSED,
            VCS_REASON_DOWNLOADING, TURN);
    assert_int_equal(found.tasks[3].flags, VCS_DECISION_STOP);
}

/* Paused CPUs stop CPU tasks alone. GPU tasks go on with their CPUs, and are stopped where their own type is paused. */
static void paused_cpus(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    uint32_t gpu = host_add_resource(&h, 2, 10);
    uint32_t a = host_add_project(&h, 1);
    h.resources[0].flags = VCS_RESOURCE_PAUSED;
    add_task(&h, a);
    run(&h, add_gpu_task(&h, a, gpu, 1, 1.5), 10);
    add_gpu_task(&h, a, gpu, 1, 0);
    add_task(&h, a)->cpus = 0;
    outcome found = decide(&h);
    REASONS(found, VCS_REASON_RESOURCE_PAUSED, SLICE, TURN, VCS_REASON_RESOURCE_PAUSED);
    assert_true(found.resources[0].used == 1.5);
    h.resources[gpu].flags = VCS_RESOURCE_PAUSED;
    found = decide(&h);
    assert_int_equal(found.summary.running, 0);
    h.resources[0].flags = 0;
    found = decide(&h);
    REASONS(found, TURN, VCS_REASON_RESOURCE_PAUSED, VCS_REASON_RESOURCE_PAUSED, TURN);
}

/* A task that is late by the fluid simulation does not go first on CPUs that are paused. */
static void paused_cpus_of_who_is_late(void **unused) {
    (void)unused;
    static test_host h;
    begin_late(&h, 1);
    h.parameters.discipline = VCS_DISCIPLINE_FLUID;
    h.resources[0].flags = VCS_RESOURCE_PAUSED;
    add_task(&h, 0)->deadline = h.now + 1;
    outcome found = decide(&h);
    REASONS(found, VCS_REASON_RESOURCE_PAUSED);
    h.resources[0].flags = 0;
    found = decide(&h);
    REASONS(found, LATE);
}

/* A period is over: a task with no checkpoint since then goes on, unless it stays in memory and so loses nothing. */
static void a_slice_in_memory_waits_for_no_checkpoint(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    h.projects[a].rec = 1000;
    vcs_task *task = run(&h, add_task(&h, a), HOUR + 60);
    task->since_checkpoint = HOUR;
    add_task(&h, b);
    outcome found = decide(&h);
    REASONS(found, SLICE, WAITS);
    task->flags |= VCS_TASK_IN_MEMORY;
    found = decide(&h);
    REASONS(found, VCS_REASON_SLICE_OVER, TURN);
}

/* 2 GB, tasks of 0.9 and 0.1 GB: A, B, A, B come to exactly 2 GB, as they take turns. */
static void memory(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    h.host.ram = 2 * GB;
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    for (int i = 0; i < 3; i++) {
        add_task(&h, a)->ram = 0.9 * GB;
        add_task(&h, b)->ram = 0.1 * GB;
    }
    outcome found = decide(&h);
    REASONS(found, TURN, TURN, TURN, TURN, VCS_REASON_MEMORY, VCS_REASON_MEMORY);
    assert_true(found.summary.ram == 2 * GB);
}

/* With 2.2 GB and 6 CPUs a third task of A does not fit; that does not keep B from its third and fourth. */
/*
 * 5 GB: a running task of 3 and two stopped ones of 1.5 are in memory, so a new one of 0.5 does not fit, though it does
 * beside the running one. It does once a stopped one has gone. Nobody who is in memory pays for the others there.
 */
static void stopped_tasks_keep_their_memory(void **unused) {
    (void)unused;
    static test_host h;
    for (uint32_t counts = 0; counts < 2; counts++) {
        begin(&h, 2);
        h.host.ram = 5 * GB;
        h.parameters.stopped_memory = counts;
        uint32_t a = host_add_project(&h, 1);
        run(&h, add_task(&h, a), 10)->ram = 3 * GB;
        add_task(&h, a)->ram = 0.5 * GB;
        for (int i = 0; i < 2; i++) {
            vcs_task *stopped = add_task(&h, a);
            stopped->flags = VCS_TASK_STARTED | VCS_TASK_SUSPENDED | VCS_TASK_IN_MEMORY;
            stopped->ram = 1.5 * GB;
        }
        h.tasks[0].flags |= VCS_TASK_IN_MEMORY;
        outcome found = decide(&h);
        assert_int_equal(found.tasks[0].reason, SLICE);
        assert_int_equal(found.tasks[1].reason, counts ? VCS_REASON_MEMORY : TURN);
        assert_true(found.summary.ram == (counts ? 3 : 3.5) * GB);
        h.tasks[2].flags &= ~VCS_TASK_IN_MEMORY;
        found = decide(&h);
        assert_int_equal(found.tasks[1].reason, TURN);            /* 3 + 1.5 + 0.5 */
        h.tasks[2].flags = VCS_TASK_STARTED | VCS_TASK_IN_MEMORY; /* resumed, it is there already, and it has begun */
        found = decide(&h);
        REASONS(found, SLICE, counts ? VCS_REASON_MEMORY : WAITS, TURN, VCS_REASON_TASK_SUSPENDED);
    }
}

/* All are in memory, more than fits together: they go on one after the other, and the host never stands still. */
static void tasks_in_memory_do_not_lock_each_other_out(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    h.host.ram = 4 * GB;
    h.parameters.stopped_memory = 1;
    uint32_t a = host_add_project(&h, 1);
    for (int i = 0; i < 3; i++) {
        vcs_task *task = add_task(&h, a);
        task->flags = VCS_TASK_STARTED | VCS_TASK_IN_MEMORY;
        task->ram = 3 * GB;
    }
    for (uint32_t left = 3; left > 0; left--) {
        outcome found = decide(&h);
        assert_int_equal(found.summary.running, 1);
        assert_int_equal(found.tasks[3 - left].reason, TURN);
        h.tasks[3 - left].flags |= VCS_TASK_SUSPENDED; /* as if it had ended, but it stays there */
    }
}

static void what_does_not_fit_blocks_nobody(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 6);
    h.host.ram = 2.2 * GB;
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    for (int i = 0; i < 4; i++) {
        add_task(&h, a)->ram = 0.9 * GB;
        add_task(&h, b)->ram = 0.1 * GB;
    }
    outcome found = decide(&h);
    REASONS(found, TURN, TURN, TURN, TURN, VCS_REASON_MEMORY, TURN, VCS_REASON_MEMORY, TURN);
    assert_true(found.resources[0].used == 6.0);
}

static void limits(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 8);
    uint32_t gpu = host_add_resource(&h, 1, 10);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    h.projects[a].max_concurrent = 2;
    uint32_t app = host_add_app(&h, b, 1);
    add_gpu_task(&h, a, gpu, 1, 1); /* counts, though it is for another processor */
    add_task(&h, a);
    add_task(&h, a);
    add_task(&h, b)->app = app;
    add_task(&h, b)->app = app;
    add_task(&h, b);
    outcome found = decide(&h);
    REASONS(found, TURN, TURN, VCS_REASON_PROJECT_LIMIT, TURN, VCS_REASON_APP_LIMIT, TURN);
    assert_true(found.resources[0].used == 4.0);
    assert_true(found.resources[1].used == 1.0);
}

/*
 * 1 CPU, which the first task takes. What the others wait for is that CPU, unless a limit or memory is in their way
 * before it; a use of 0 needs no CPU. Each of these alone is reported, though nothing is free any more.
 */
static void what_is_used_up_is_no_reason_if_there_is_another(void **unused) {
    (void)unused;
    static test_host h;
    for (uint32_t other = 0; other < 5; other++) {
        begin(&h, 1);
        const uint32_t a = host_add_project(&h, 1);
        const uint32_t app = host_add_app(&h, a, other == 1 ? 1 : 0);
        h.projects[a].max_concurrent = other == 2 ? 1 : 0;
        h.host.ram = other == 3 ? GB : 0;
        add_task(&h, a)->app = app;
        for (uint32_t i = 0; i < 2; i++) {
            vcs_task *task = add_task(&h, a);
            task->app = app;
            task->ram = GB;
            task->cpus = other == 4 ? 0 : 1;
        }
        h.tasks[0].ram = GB;
        const uint32_t reasons[] = {WAITS, VCS_REASON_APP_LIMIT, VCS_REASON_PROJECT_LIMIT, VCS_REASON_MEMORY, TURN};
        const outcome found = decide(&h);
        REASONS(found, TURN, reasons[other], reasons[other]);
    }
}

/* 2 CPUs; A has used both, so B goes first with both of its tasks. Those of A lose their places, which is reported. */
static void what_is_used_up_is_taken_from_whose_slice_is_over(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    h.projects[a].rec = 1;
    run(&h, add_task(&h, a), 2 * HOUR);
    run(&h, add_task(&h, a), 2 * HOUR);
    add_task(&h, b);
    add_task(&h, b);
    outcome found = decide(&h);
    REASONS(found, VCS_REASON_SLICE_OVER, VCS_REASON_SLICE_OVER, TURN, TURN);
    assert_int_equal(found.summary.stopped, 2);
}

/* A may use the first GPU only, B the second only. */
static void exclusions(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    uint32_t gpu = host_add_resource(&h, 2, 10);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    host_add_project_resource(&h, a, gpu)->excluded = 2;
    host_add_project_resource(&h, b, gpu)->excluded = 1;
    add_gpu_task(&h, a, gpu, 1, 0);
    add_gpu_task(&h, a, gpu, 1, 0);
    add_gpu_task(&h, b, gpu, 1, 0);
    outcome found = decide(&h);
    REASONS(found, TURN, WAITS, TURN); /* when A's second is offered, B's runs: nothing is free at all */
    h.snapshot.tasks.count = 2;
    found = decide(&h);
    REASONS(found, TURN, VCS_REASON_EXCLUDED); /* one is free, but not for A */
    h.tasks[1].gpus = 2;
    found = decide(&h);
    REASONS(found, TURN, VCS_REASON_CANNOT_RUN); /* A may never use two */
}

static void what_cannot_run(void **unused) {
    (void)unused;
    static test_host h;
    for (uint32_t cpu_fit = VCS_CPU_FIT_FRACTION; cpu_fit <= VCS_CPU_FIT_STRICT; cpu_fit++) {
        begin(&h, 2);
        h.parameters.cpu_fit = cpu_fit;
        h.host.ram = 2 * GB;
        uint32_t gpu = host_add_resource(&h, 1, 10);
        uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
        host_add_project_resource(&h, b, gpu)->excluded = 1;
        add_gpu_task(&h, b, gpu, 0.5, 0);
        add_gpu_task(&h, a, gpu, 2, 0);
        add_task(&h, a)->ram = 2.5 * GB;
        add_task(&h, a)->cpus = 3;
        add_gpu_task(&h, a, gpu, 1, 3.5);
        outcome found = decide(&h);
        const uint32_t wide = cpu_fit == VCS_CPU_FIT_ANY ? TURN : VCS_REASON_CANNOT_RUN;
        REASONS(found, VCS_REASON_CANNOT_RUN, VCS_REASON_CANNOT_RUN, VCS_REASON_CANNOT_RUN, wide,
                VCS_REASON_CANNOT_RUN);
    }
}

/* What is suspended is named from the task outwards. */
static void suspended(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    uint32_t gpu = host_add_resource(&h, 1, 10);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    h.resources[gpu].flags = VCS_RESOURCE_SUSPENDED;
    h.projects[b].flags = VCS_PROJECT_SUSPENDED;
    run(&h, add_gpu_task(&h, a, gpu, 1, 1), 10);
    add_gpu_task(&h, b, gpu, 1, 1);
    add_gpu_task(&h, b, gpu, 1, 1)->flags = VCS_TASK_SUSPENDED;
    add_task(&h, a)->flags = VCS_TASK_SUSPENDED;
    add_task(&h, b);
    add_task(&h, a);
    outcome found = decide(&h);
    REASONS(found, VCS_REASON_RESOURCE_SUSPENDED, VCS_REASON_PROJECT_SUSPENDED, VCS_REASON_TASK_SUSPENDED,
            VCS_REASON_TASK_SUSPENDED, VCS_REASON_PROJECT_SUSPENDED, TURN);
    assert_int_equal(found.tasks[0].flags, VCS_DECISION_STOP);
    assert_int_equal(found.summary.stopped, 1);
    assert_true(found.resources[gpu].used == 0.0);
}

/* A task of no length is a task like any other; one of no CPU runs beside whatever else does. */
static void zero_seconds_and_zero_cpus(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    uint32_t a = host_add_project(&h, 1);
    add_task(&h, a)->remaining = 0;
    add_task(&h, a)->cpus = 0;
    add_task(&h, a);
    outcome found = decide(&h);
    REASONS(found, TURN, TURN, WAITS);
}

/* ---- Slices ---- */

static outcome decide_slice(double elapsed, double since_checkpoint) {
    static test_host h;
    begin(&h, 1);
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    run(&h, add_task(&h, b), elapsed)->since_checkpoint = since_checkpoint;
    add_task(&h, a); /* by its id it would go first */
    return decide(&h);
}

static void slice_lasts_for_a_period(void **unused) {
    (void)unused;
    outcome found = decide_slice(3000, 0);
    REASONS(found, SLICE, WAITS);
    assert_int_equal(found.tasks[0].flags, 0);
    assert_true(found.summary.next_check == 600.0);
    found = decide_slice(3600, 0);
    REASONS(found, VCS_REASON_SLICE_OVER, TURN);
    assert_int_equal(found.tasks[0].flags, VCS_DECISION_STOP);
    assert_int_equal(found.summary.stopped, 1);
}

/* It began 4000 s ago, so its period ended 400 s ago, and a checkpoint was made since then or not. */
static void slice_lasts_until_a_checkpoint(void **unused) {
    (void)unused;
    outcome found = decide_slice(4000, 401);
    REASONS(found, SLICE, WAITS);
    assert_true(found.summary.next_check == 60.0); /* parameters.look_interval */
    found = decide_slice(4000, 400);
    REASONS(found, VCS_REASON_SLICE_OVER, TURN);
}

static void no_look_interval_is_a_minute(void **unused) {
    (void)unused;
    static test_host h;
    static const double intervals[] = {0, 0.5, 10};
    for (uint32_t i = 0; i < 3; i++) {
        const double seconds = intervals[i];
        begin(&h, 1);
        h.parameters.look_interval = seconds;
        run(&h, add_task(&h, host_add_project(&h, 1)), 2 * HOUR)->since_checkpoint = 2 * HOUR;
        outcome found = decide(&h);
        REASONS(found, SLICE);
        assert_true(found.summary.next_check == (seconds == 0 ? 60.0 : seconds));
    }
}

/* The clock went back: nobody knows how long it has run, and nobody is kept waiting for years. */
static void slice_that_began_in_the_future_is_over(void **unused) {
    (void)unused;
    outcome found = decide_slice(-1, 1e9);
    REASONS(found, VCS_REASON_SLICE_OVER, TURN);
}

/* Of two that keep their slice, one has lost its CPU: the one that loses least by stopping. */
static void most_unsaved_work_stays(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    uint32_t a = host_add_project(&h, 1);
    run(&h, add_task(&h, a), 1000)->since_checkpoint = 10;
    run(&h, add_task(&h, a), 1000)->since_checkpoint = 500;
    run(&h, add_task(&h, a), 1000)->since_checkpoint = 10;
    outcome found = decide(&h);
    REASONS(found, SLICE, SLICE, VCS_REASON_SLICE_OVER);
    PLACES(found, 1, 0, VCS_NONE);
}

/*
 * A GPU that needs the CPU is the greater loss. Strictly, the task of the CPU gives it up in the middle of its slice;
 * but GPU tasks alone keep no CPU task away.
 */
static void gpu_task_takes_its_cpu_first(void **unused) {
    (void)unused;
    static test_host h;
    for (int is_strict = 0; is_strict < 2; is_strict++) {
        begin(&h, 1);
        h.parameters.cpu_fit = is_strict ? VCS_CPU_FIT_STRICT : VCS_CPU_FIT_FRACTION;
        uint32_t gpu = host_add_resource(&h, 1, 10);
        uint32_t a = host_add_project(&h, 1);
        run(&h, add_task(&h, a), 1000);
        add_gpu_task(&h, a, gpu, 1, 1);
        outcome found = decide(&h);
        REASONS(found, is_strict ? VCS_REASON_SLICE_OVER : SLICE, TURN);
        assert_true(found.resources[0].used == (is_strict ? 1.0 : 2.0) && found.resources[1].used == 1.0);
    }
}

/* The last GPU type first; a task whose CPU is not free does not keep a later one from its GPU. */
static void gpu_types_from_last_to_first(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    h.parameters.cpu_fit = VCS_CPU_FIT_STRICT;
    uint32_t first = host_add_resource(&h, 1, 10), last = host_add_resource(&h, 1, 10);
    uint32_t a = host_add_project(&h, 1);
    add_gpu_task(&h, a, first, 1, 0.75);
    add_gpu_task(&h, a, last, 1, 0.75);
    add_gpu_task(&h, a, first, 1, 0.25);
    outcome found = decide(&h);
    REASONS(found, WAITS, TURN, TURN);
}

/* A running task with less left than it takes to switch is kept: before late ones, and whatever its slice is. */
static void no_task_is_stopped_that_is_nearly_done(void **unused) {
    (void)unused;
    static test_host h;
    for (int left = 59; left <= 60; left++) {
        begin_late(&h, 1);
        h.parameters.switch_cost = 60;
        run(&h, add_task(&h, 0), 2 * HOUR)->remaining = left;
        make_late(&h, add_task(&h, 0), HOUR, 2 * HOUR);
        outcome found = decide(&h);
        if (left < 60) {
            REASONS(found, NEARLY_DONE, WAITS);
        } else {
            REASONS(found, VCS_REASON_GIVES_WAY, LATE);
        }
    }
}

/* With no cost of switching nobody is nearly done, not even a task with nothing left. */
static void no_switch_cost(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    run(&h, add_task(&h, host_add_project(&h, 1)), 10)->remaining = 0;
    outcome found = decide(&h);
    REASONS(found, SLICE);
}

static void least_left_first(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 2);
    h.parameters.switch_cost = 60;
    uint32_t a = host_add_project(&h, 1);
    const double left[] = {30, 10, 20, 10};
    for (int i = 0; i < 4; i++) {
        run(&h, add_task(&h, a), 10)->remaining = left[i];
    }
    outcome found = decide(&h);
    REASONS(found, VCS_REASON_SLICE_OVER, NEARLY_DONE, VCS_REASON_SLICE_OVER, NEARLY_DONE);
    PLACES(found, VCS_NONE, 0, VCS_NONE, 1);
}

/* ---- Late tasks ---- */

/* By deadline, then less run time, then arrival; before a slice, which gives way. */
/* ---- Tasks that must not be interrupted (rule 5.7) ---- */

#define UNINTERRUPTIBLE VCS_REASON_UNINTERRUPTIBLE

/* Three of one CPU, whose slices are over, keep their places before a late task of all 8 and a GPU task's share. */
static void nothing_interrupts_what_must_not_be(void **unused) {
    (void)unused;
    static test_host h;
    begin_late(&h, 4);
    uint32_t gpu = host_add_resource(&h, 1, 10);
    h.parameters.switch_cost = 60;
    h.parameters.hold = 0; /* else slices last longer beside the task of all 4 */
    for (int i = 0; i < 3; i++) {
        run(&h, add_task(&h, 0), 2 * HOUR)->flags |= VCS_TASK_UNINTERRUPTIBLE;
    }
    run(&h, add_task(&h, 0), 100)->remaining = 10; /* it is nearly done */
    make_late(&h, add_task(&h, 0), HOUR, HOUR)->cpus = 4;
    make_late(&h, add_gpu_task(&h, 0, gpu, 1, 2), HOUR, HOUR);
    outcome found = decide(&h);
    REASONS(found, UNINTERRUPTIBLE, UNINTERRUPTIBLE, UNINTERRUPTIBLE, NEARLY_DONE, WAITS, WAITS);
    assert_int_equal(found.tasks[0].flags, VCS_DECISION_NEW_SLICE);
    h.tasks[0].flags |= VCS_TASK_SUSPENDED; /* the user may */
    h.tasks[1].flags &= ~VCS_TASK_UNINTERRUPTIBLE;
    h.tasks[2].flags &= ~VCS_TASK_RUNNING; /* it is started, but does not run: others may go before */
    found = decide(&h);
    REASONS(found, VCS_REASON_TASK_SUSPENDED, TURN, WAITS, NEARLY_DONE, WAITS, LATE);
    h.tasks[0].flags &= ~VCS_TASK_SUSPENDED;
    h.resources[0].flags = VCS_RESOURCE_PAUSED;
    found = decide(&h);
    assert_int_equal(found.tasks[0].reason, VCS_REASON_RESOURCE_PAUSED);
}

/* It is late itself: it makes good for the miss that is counted, so no sibling is late in its place. */
static void what_must_not_be_interrupted_counts_as_late(void **unused) {
    (void)unused;
    static test_host h;
    begin_late(&h, 2);
    make_late(&h, run(&h, add_task(&h, 0), 100), HOUR, HOUR)->flags |= VCS_TASK_UNINTERRUPTIBLE;
    add_task(&h, 0);
    outcome found = decide(&h);
    REASONS(found, UNINTERRUPTIBLE, TURN);
    assert_int_equal(found.tasks[0].flags, VCS_DECISION_LATE);
    assert_int_equal(found.summary.late, 1);
}

/* CPUs have become fewer, or memory less: whoever loses most goes on, then who arrived first. */
static void what_must_not_be_interrupted_may_not_fit(void **unused) {
    (void)unused;
    static test_host h;
    for (int less_memory = 0; less_memory < 2; less_memory++) {
        begin(&h, less_memory ? 8 : 2);
        h.host.ram = less_memory ? 5 * GB : 0;
        uint32_t a = host_add_project(&h, 1);
        for (int i = 0; i < 3; i++) {
            vcs_task *task = run(&h, add_task(&h, a), 100);
            task->flags |= VCS_TASK_UNINTERRUPTIBLE;
            task->cpus = 2;
            task->ram = 3 * GB;
            task->since_checkpoint = i == 1 ? 50 : 10;
        }
        outcome found = decide(&h);
        const uint32_t reason = less_memory ? VCS_REASON_MEMORY : WAITS;
        REASONS(found, reason, UNINTERRUPTIBLE, reason);
        h.tasks[1].flags |= VCS_TASK_SUSPENDED;
        found = decide(&h);
        REASONS(found, UNINTERRUPTIBLE, VCS_REASON_TASK_SUSPENDED, reason);
    }
}

/*
 * Four CPU tasks on 4 CPUs were late, and a GPU task got a CPU beside them, one more than there are. Were it taken
 * first as others are, the last CPU task would not fit. With `any` the wide task was taken last.
 */
static void what_ran_together_goes_on_together(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 4);
    uint32_t gpu = host_add_resource(&h, 1, 10);
    uint32_t a = host_add_project(&h, 1);
    for (int i = 0; i < 4; i++) {
        run(&h, add_task(&h, a), 100)->flags |= VCS_TASK_UNINTERRUPTIBLE;
    }
    run(&h, add_gpu_task(&h, a, gpu, 1, 1), 100)->flags |= VCS_TASK_UNINTERRUPTIBLE;
    outcome found = decide(&h);
    assert_int_equal(found.summary.running, 5);
    assert_true(found.summary.cpu_excess == 1);
    h.parameters.cpu_fit = VCS_CPU_FIT_ANY;
    h.tasks[0].cpus = 4;
    h.tasks[0].since_checkpoint = 50; /* it is offered first now */
    found = decide(&h);
    assert_int_equal(found.summary.running, 5);
    h.parameters.cpu_fit = VCS_CPU_FIT_STRICT;
    found = decide(&h);
    REASONS(found, WAITS, UNINTERRUPTIBLE, UNINTERRUPTIBLE, UNINTERRUPTIBLE, UNINTERRUPTIBLE);
}

static void late_tasks_go_first(void **unused) {
    (void)unused;
    static test_host h;
    begin_late(&h, 3);
    run(&h, add_task(&h, 0), 100);
    make_late(&h, add_task(&h, 0), 2 * HOUR, 20 * HOUR);
    make_late(&h, add_task(&h, 0), 1 * HOUR, 20 * HOUR);
    make_late(&h, add_task(&h, 0), 2 * HOUR, 20 * HOUR);
    make_late(&h, add_task(&h, 0), 9 * HOUR, 10 * HOUR);
    outcome found = decide(&h);
    REASONS(found, VCS_REASON_GIVES_WAY, LATE, LATE, WAITS, LATE);
    PLACES(found, VCS_NONE, 2, 1, VCS_NONE, 0);
    assert_int_equal(found.summary.late, 4);
    assert_int_equal(found.tasks[0].flags, VCS_DECISION_STOP);
    assert_int_equal(found.tasks[1].flags, VCS_DECISION_LATE | VCS_DECISION_START | VCS_DECISION_NEW_SLICE);
    assert_int_equal(found.tasks[3].flags, VCS_DECISION_LATE);
}

/* CS1 does not look at deadlines, nor does it need a simulation. */
static void round_robin_knows_no_deadline(void **unused) {
    (void)unused;
    static test_host h;
    begin_late(&h, 1);
    h.parameters.scheduling = VCS_SCHEDULING_ROUND_ROBIN;
    h.parameters.hysteresis = 1;
    run(&h, add_task(&h, 0), 100)->flags |= VCS_TASK_WAS_LATE;
    make_late(&h, add_task(&h, 0), HOUR, -HOUR);
    outcome found = decide(&h);
    REASONS(found, SLICE, WAITS);
    assert_int_equal(found.summary.late, 0);
}

/* 40 s left and 60 s to the deadline, beside one whose deadline has passed: first the one that can be saved. */
static void the_one_that_can_be_saved(void **unused) {
    (void)unused;
    static test_host h;
    for (uint32_t save_first = 0; save_first < 2; save_first++) {
        for (uint32_t hysteresis = 0; hysteresis < 2; hysteresis++) {
            begin_late(&h, 1);
            h.parameters.save_first = save_first;
            h.parameters.hysteresis = hysteresis;
            make_late(&h, add_task(&h, 0), 40, -100);
            make_late(&h, add_task(&h, 0), 40, 60);
            outcome found = decide(&h);
            if (save_first) {
                REASONS(found, WAITS, LATE);
            } else {
                REASONS(found, LATE, WAITS);
            }
        }
    }
}

/* Hopeless is what would be too late even if it ran alone from now on: 60 s left are enough for 60 s, not for 60.1. */
static void hopeless_to_the_microsecond(void **unused) {
    (void)unused;
    static test_host h;
    begin_late(&h, 1);
    h.now = 0;
    h.parameters.save_first = 1;
    make_late(&h, add_task(&h, 0), 30.000001, 30);
    make_late(&h, add_task(&h, 0), 60, 60);
    outcome found = decide(&h);
    REASONS(found, WAITS, LATE);
    h.tasks[0].remaining = 30;
    found = decide(&h);
    REASONS(found, LATE, WAITS);
}

/* Late GPU tasks go before late tasks of the CPU, whatever the deadlines, and take their CPUs. */
/* 60 days are left and 25 to the deadline: it says so whether it runs, waits or is suspended, late first or not. */
static void what_cannot_be_in_time_says_so(void **unused) {
    (void)unused;
    static test_host h;
    begin_late(&h, 1);
    h.parameters.save_first = 1;
    make_late(&h, run(&h, add_task(&h, 0), 100), 60 * 24 * HOUR, 25 * 24 * HOUR);
    make_late(&h, add_task(&h, 0), HOUR, 2 * HOUR);
    make_late(&h, add_task(&h, 0), 0, -1)->flags = VCS_TASK_SUSPENDED; /* its deadline has passed */
    make_late(&h, add_task(&h, 0), 0, 0);                              /* it ends now, which is in time */
    make_late(&h, add_task(&h, 0), 1e12, INFINITY);
    outcome found = decide(&h);
    REASONS(found, VCS_REASON_GIVES_WAY, WAITS, VCS_REASON_TASK_SUSPENDED, LATE, WAITS);
    assert_int_equal(found.tasks[0].flags, VCS_DECISION_HOPELESS | VCS_DECISION_LATE | VCS_DECISION_STOP);
    assert_int_equal(found.tasks[1].flags & VCS_DECISION_HOPELESS, 0);
    assert_int_equal(found.tasks[2].flags, VCS_DECISION_HOPELESS);
    assert_int_equal(found.tasks[3].flags & VCS_DECISION_HOPELESS, 0);
    assert_int_equal(found.tasks[4].flags, 0);
    h.parameters.scheduling = VCS_SCHEDULING_ROUND_ROBIN; /* it keeps its place here */
    found = decide(&h);
    assert_int_equal(found.tasks[0].reason, SLICE);
    assert_int_equal(found.tasks[0].flags, VCS_DECISION_HOPELESS);
}

/* Half of the time, 10 hours take 20: too long for 19, unless the task computes all the time. */
static void what_is_in_time_depends_on_what_is_usable(void **unused) {
    (void)unused;
    static test_host h;
    for (int to_deadline = 19; to_deadline <= 20; to_deadline++) {
        begin(&h, 2);
        h.resources[0].usable = 0.5;
        uint32_t a = host_add_project(&h, 1);
        make_late(&h, add_task(&h, a), 10 * HOUR, to_deadline * HOUR);
        make_late(&h, add_task(&h, a), 10 * HOUR, to_deadline * HOUR)->usable = 1;
        outcome found = decide(&h);
        assert_int_equal(found.tasks[0].flags & VCS_DECISION_HOPELESS, to_deadline < 20 ? VCS_DECISION_HOPELESS : 0);
        assert_int_equal(found.tasks[1].flags & VCS_DECISION_HOPELESS, 0);
    }
}

static void late_gpu_tasks_first(void **unused) {
    (void)unused;
    static test_host h;
    for (int is_strict = 0; is_strict < 2; is_strict++) {
        begin_late(&h, 1);
        h.parameters.cpu_fit = is_strict ? VCS_CPU_FIT_STRICT : VCS_CPU_FIT_FRACTION;
        uint32_t gpu = host_add_resource(&h, 1, 10);
        run(&h, add_task(&h, 0), 100);
        make_late(&h, add_task(&h, 0), HOUR, 2 * HOUR);
        make_late(&h, add_gpu_task(&h, 0, gpu, 1, 1), HOUR, 9 * HOUR);
        outcome found = decide(&h);
        REASONS(found, VCS_REASON_GIVES_WAY, is_strict ? WAITS : LATE, LATE);
        assert_int_equal(found.tasks[2].place, 0);
    }
}

/* A late task that does not fit leaves the place to one that does. */
static void late_task_that_does_not_fit(void **unused) {
    (void)unused;
    static test_host h;
    begin_late(&h, 2);
    make_late(&h, add_task(&h, 0), HOUR, 2 * HOUR);
    make_late(&h, add_task(&h, 0), HOUR, 3 * HOUR)->cpus = 2.5;
    add_task(&h, 0);
    outcome found = decide(&h);
    REASONS(found, LATE, WAITS, TURN);
}

/*
 * The study's form (rule 13.7). One CPU, first in, first out: the first task ends at 10 s and is in time, the second at
 * 2010 s, and may take 0.9 * (5000 - 3600) = 1260 s: one miss. It is the earliest deadline that goes first for it.
 */
static void misses_only_count(void **unused) {
    (void)unused;
    static test_host h;
    host_begin(&h, VCS_PROFILE_STUDY2007, 1);
    h.parameters.min_buffer = 0;
    uint32_t a = host_add_project(&h, 1), b = host_add_project(&h, 1);
    h.projects[b].short_term_debt = 1000;
    host_add_task(&h, a, 10, 4500);
    host_add_task(&h, a, 2000, 5000);
    host_add_task(&h, b, 10, INFINITY);
    h.snapshot.tasks.count = 2;
    outcome found = decide(&h);
    REASONS(found, LATE, WAITS);
    assert_int_equal(found.summary.late, 1);
}

/* What cannot run at all is not late, and no other task goes first in its place. */
static void what_cannot_run_is_not_late(void **unused) {
    (void)unused;
    static test_host h;
    for (uint32_t ranking = VCS_RANK_PRIORITY; ranking <= VCS_RANK_DEBT; ranking++) {
        begin_late(&h, 1);
        h.parameters.ranking = ranking;
        h.host.ram = GB;
        make_late(&h, add_task(&h, 0), HOUR, HOUR)->ram = 2 * GB; /* the simulation does not look at memory */
        add_task(&h, 0);
        outcome found = decide(&h);
        REASONS(found, VCS_REASON_CANNOT_RUN, TURN);
        assert_int_equal(found.summary.late, 0);
    }
}

/* ---- Late by count (rule 5.2) ---- */

/*
 * Two CPUs, three tasks of the same project and deadline. Two run; the third, which would have to wait for one of them,
 * is predicted to be late. One of the three counts as late, and of equal deadlines it is the shorter of those that run.
 * By task, the third goes first, and one of the others stops for it.
 */
static void no_task_gives_way_to_its_sibling(void **unused) {
    (void)unused;
    static test_host h;
    for (uint32_t late_by = VCS_LATE_BY_TASK; late_by <= VCS_LATE_BY_COUNT; late_by++) {
        begin(&h, 2);
        h.parameters.scheduling = VCS_SCHEDULING_DEADLINE;
        h.parameters.late_by = late_by;
        uint32_t a = host_add_project(&h, 1);
        for (int i = 0; i < 3; i++) {
            make_late(&h, add_task(&h, a), (10 - i) * HOUR, 16 * HOUR);
        }
        run(&h, &h.tasks[0], 2 * HOUR);
        run(&h, &h.tasks[1], 2 * HOUR);
        outcome found = decide(&h);
        assert_int_equal(found.summary.late, 1);
        if (late_by == VCS_LATE_BY_COUNT) {
            REASONS(found, TURN, LATE, WAITS);
            assert_int_equal(found.summary.stopped, 0);
        } else {
            REASONS(found, TURN, VCS_REASON_GIVES_WAY, LATE);
        }
    }
}

/* One miss: the earliest deadline goes first for it, though the simulation names another; but on its own resource. */
static void a_miss_is_made_good_by_the_earliest_deadline(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    h.parameters.scheduling = VCS_SCHEDULING_DEADLINE;
    uint32_t gpu = host_add_resource(&h, 1, 1);
    uint32_t a = host_add_project(&h, 1);
    make_late(&h, add_task(&h, a), HOUR, 20 * HOUR);
    make_late(&h, add_task(&h, a), HOUR, 19 * HOUR);
    make_late(&h, add_task(&h, a), 40 * HOUR, 22 * HOUR); /* late whatever is done */
    make_late(&h, add_gpu_task(&h, a, gpu, 1, 0), HOUR, 18 * HOUR);
    outcome found = decide(&h);
    REASONS(found, WAITS, LATE, WAITS, TURN);
    assert_int_equal(found.summary.late, 1);
}

/* One that stays late by hysteresis is among those that miss, so that it hands its place to nobody. */
static void one_that_stays_late_is_among_the_misses(void **unused) {
    (void)unused;
    static test_host h;
    begin_late(&h, 1);
    h.parameters.hysteresis = 1;
    make_late(&h, add_task(&h, 0), HOUR, 2 * HOUR);
    run(&h, add_task(&h, 0), 100)->flags |= VCS_TASK_WAS_LATE;
    outcome found = decide(&h);
    REASONS(found, WAITS, LATE);
    assert_int_equal(found.summary.late, 1);
    h.tasks[1].flags &= ~VCS_TASK_WAS_LATE;
    found = decide(&h);
    REASONS(found, LATE, VCS_REASON_GIVES_WAY);
}

/* Two misses. The first application may run one task: the second task of it leaves its place to the next deadline. */
static void a_task_refused_for_a_limit_passes_its_place_on(void **unused) {
    (void)unused;
    static test_host h;
    begin_late(&h, 2);
    uint32_t app = host_add_app(&h, 0, 1);
    make_late(&h, add_task(&h, 0), HOUR, 2 * HOUR)->app = app;
    make_late(&h, add_task(&h, 0), HOUR, 3 * HOUR)->app = app;
    add_task(&h, 0)->deadline = h.now + 1e12; /* in time */
    run(&h, add_task(&h, 0), 100);
    outcome found = decide(&h);
    REASONS(found, LATE, VCS_REASON_APP_LIMIT, LATE, VCS_REASON_GIVES_WAY);
    assert_int_equal(found.tasks[1].flags, 0);
    assert_int_equal(found.summary.late, 2);
}

/*
 * Both are nearly done and predicted to miss, and their application may run one. Nobody is left to take the place of
 * the other; nor if they stay late by hysteresis besides.
 */
static void a_place_may_find_nobody(void **unused) {
    (void)unused;
    static test_host h;
    for (uint32_t stays = 0; stays < 2; stays++) {
        begin_late(&h, 2);
        h.parameters.switch_cost = 10;
        h.parameters.hysteresis = stays;
        const uint32_t app = host_add_app(&h, 0, 1);
        for (int i = 0; i < 2; i++) {
            vcs_task *task = run(&h, make_late(&h, add_task(&h, 0), 5 + i, HOUR), 100);
            task->app = app;
            task->flags |= VCS_TASK_WAS_LATE;
        }
        outcome found = decide(&h);
        REASONS(found, NEARLY_DONE, VCS_REASON_APP_LIMIT);
        assert_int_equal(found.tasks[0].flags, VCS_DECISION_LATE);
        assert_int_equal(found.summary.late, 1);
    }
}

/*
 * Two tasks of an application that may run one stay late by hysteresis, though no miss is predicted. The one that is
 * refused has no place of a miss to pass on: the third task is not late, and runs because it is its turn.
 */
static void one_that_stays_late_beyond_the_misses_passes_no_place_on(void **unused) {
    (void)unused;
    static test_host h;
    begin_late(&h, 2);
    h.parameters.hysteresis = 1;
    const uint32_t app = host_add_app(&h, 0, 1);
    for (int i = 0; i < 2; i++) {
        vcs_task *task = run(&h, add_task(&h, 0), 100);
        task->app = app;
        task->flags |= VCS_TASK_WAS_LATE;
    }
    add_task(&h, 0);
    outcome found = decide(&h);
    REASONS(found, LATE, VCS_REASON_APP_LIMIT, TURN);
    assert_int_equal(found.summary.late, 1);
}

/* ---- Hysteresis ---- */

/* The second task runs; the first is late now, was not before, and could wait for the period, but not for more. */
static void begin_hysteresis(test_host *h, double slack) {
    begin_late(h, 1);
    h->parameters.late_by = VCS_LATE_BY_TASK;
    h->parameters.hysteresis = 1;
    make_late(h, add_task(h, 0), HOUR, HOUR + slack);
    run(h, add_task(h, 0), 100);
}

/* Whoever is late goes first immediately: the slice that it cuts is not one of a late task. */
static void a_late_task_does_not_wait_for_a_slice(void **unused) {
    (void)unused;
    static test_host h;
    for (int waits = 0; waits < 2; waits++) {
        begin_hysteresis(&h, waits ? HOUR : HOUR - 1);
        outcome found = decide(&h);
        REASONS(found, LATE, VCS_REASON_GIVES_WAY);
        assert_int_equal(found.tasks[0].flags, VCS_DECISION_LATE | VCS_DECISION_START | VCS_DECISION_NEW_SLICE);
        assert_int_equal(found.summary.late, 1);
    }
}

/*
 * Two CPUs. The third task was late and keeps one; for the other, the second has the earlier deadline, but could wait
 * for the period, which the first could not. Where nothing stays late, the earlier deadline decides.
 */
static void beside_a_task_that_stays_late_those_go_first_that_cannot_wait(void **unused) {
    (void)unused;
    static test_host h;
    for (int stays = 0; stays < 2; stays++) {
        begin_late(&h, 2);
        h.parameters.hysteresis = 1;
        h.parameters.late_by = VCS_LATE_BY_TASK;
        make_late(&h, add_task(&h, 0), 10 * HOUR, 10.5 * HOUR);
        make_late(&h, add_task(&h, 0), HOUR, 3 * HOUR);
        vcs_task *third = run(&h, add_task(&h, 0), 100);
        third->flags |= stays ? VCS_TASK_WAS_LATE : 0;
        outcome found = decide(&h);
        assert_int_equal(found.tasks[0].run, 1);
        assert_int_equal(found.tasks[1].run, !stays);
        assert_int_equal(found.tasks[2].run, stays);
    }
}

/* The running task was late and is not any more: it stays so until its slice ends. */
static void a_late_task_stays_late_for_its_slice(void **unused) {
    (void)unused;
    static test_host h;
    begin_hysteresis(&h, HOUR);
    h.tasks[0].flags |= VCS_TASK_WAS_LATE;
    h.tasks[1].flags |= VCS_TASK_WAS_LATE;
    outcome found = decide(&h);
    REASONS(found, WAITS, LATE);
    assert_int_equal(found.tasks[1].flags, VCS_DECISION_LATE);
    assert_int_equal(found.summary.late, 2);
    h.tasks[1].running_since = h.now - HOUR;
    found = decide(&h);
    REASONS(found, LATE, VCS_REASON_GIVES_WAY);
    assert_int_equal(found.tasks[1].flags, VCS_DECISION_STOP);
}

/* But not against one that cannot wait and can still be saved; a hopeless one can wait as well as not. */
static void a_slice_of_a_late_task_gives_way_to_who_can_be_saved(void **unused) {
    (void)unused;
    static test_host h;
    begin_hysteresis(&h, 10);
    h.tasks[1].flags |= VCS_TASK_WAS_LATE;
    outcome found = decide(&h);
    REASONS(found, LATE, VCS_REASON_GIVES_WAY);
    begin_hysteresis(&h, -10);
    h.tasks[1].flags |= VCS_TASK_WAS_LATE;
    found = decide(&h);
    REASONS(found, WAITS, LATE);
}

/* What the caller does with a decision: the next one is a minute later. */
static void live_for_a_minute(test_host *h, const outcome *found) {
    for (uint32_t i = 0; i < h->snapshot.tasks.count; i++) {
        vcs_task *task = &h->tasks[i];
        const vcs_task_decision *decision = &found->tasks[i];
        task->flags = decision->run ? VCS_TASK_RUNNING | VCS_TASK_STARTED : task->flags & VCS_TASK_STARTED;
        task->flags |= (decision->flags & VCS_DECISION_LATE) != 0 ? VCS_TASK_WAS_LATE : 0;
        if ((decision->flags & VCS_DECISION_NEW_SLICE) != 0) {
            task->running_since = h->now;
        }
        h->projects[task->project].rec += decision->run ? 1 : 0;
    }
    h->now += 60;
}

/* A task alternates, minute by minute, between a miss and none; so does the other, in the other minutes. */
static uint32_t count_stops(double first_deadline, double second_deadline, int phase) {
    static test_host h;
    uint32_t stops = 0;
    begin_late(&h, 1);
    h.parameters.hysteresis = 1;
    h.parameters.period = 61 * 60; /* ends in a minute in which the other one is late */
    host_add_project(&h, 1);
    h.now = 0;
    add_task(&h, 0);
    add_task(&h, 1);
    for (int minute = 0; minute < 600; minute++) {
        h.tasks[0].deadline = minute % 2 == phase ? first_deadline : INFINITY;
        h.tasks[1].deadline = minute % 2 == phase ? INFINITY : second_deadline;
        outcome found = decide(&h);
        for (uint32_t i = 0; i < 2; i++) {
            if ((found.tasks[i].flags & VCS_DECISION_STOP) != 0) {
                assert_true(h.now - h.tasks[i].running_since >= h.parameters.period);
                stops++;
            }
        }
        live_for_a_minute(&h, &found);
    }
    return stops;
}

/* Nobody is stopped within a period, whoever has the earlier deadline. After it, now and then: ten hours are enough. */
static void flipping_between_miss_and_no_miss(void **unused) {
    (void)unused;
    uint32_t stops = 0;
    for (int phase = 0; phase < 2; phase++) {
        stops += count_stops(100 * HOUR, 200 * HOUR, phase);
        stops += count_stops(200 * HOUR, 100 * HOUR, phase);
    }
    assert_true(stops > 0);
}

/*
 * The first task runs and is late now and then, so that it stays late. From the third minute on the second is late at
 * every decision. If it can wait, it does until the slice of the first has ended; else it gets in immediately. Either
 * way it then keeps its place.
 */
static void a_lasting_miss_gets_through(void **unused) {
    (void)unused;
    static test_host h;
    for (int urgent = 0; urgent < 2; urgent++) {
        begin_late(&h, 1);
        h.parameters.hysteresis = 1;
        host_add_project(&h, 1);
        h.now = 0;
        add_task(&h, 0);
        add_task(&h, 1);
        uint32_t first_run = VCS_NONE;
        for (uint32_t minute = 0; minute < 110; minute++) {
            h.tasks[0].deadline = minute % 2 ? 300 * HOUR : INFINITY;
            h.tasks[1].deadline = minute < 3 ? INFINITY : (urgent ? 10.5 : 20) * HOUR;
            outcome found = decide(&h);
            if (found.tasks[1].run && first_run == VCS_NONE) {
                first_run = minute;
            }
            assert_true(first_run == VCS_NONE || minute >= first_run + 50 || found.tasks[1].run);
            live_for_a_minute(&h, &found);
        }
        assert_int_equal(first_run, urgent ? 3 : 60);
    }
}

/* ---- Errors ---- */

static void errors_write_nothing(void **unused) {
    (void)unused;
    static test_host h;
    begin_late(&h, 1);
    add_task(&h, 0);
    vcs_schedule_summary summary, untouched;
    vcs_task_decision task, untouched_task;
    vcs_resource_decision resource;
    memset(&summary, 0xa5, sizeof summary);
    memset(&task, 0xa5, sizeof task);
    summary.struct_size = sizeof summary;
    untouched = summary;
    untouched_task = task;
    vcs_state *state = host_prepare(&h);
    assert_int_equal(vcs_schedule(NULL, VCS_SCHEDULE_EXPLAIN, &summary), VCS_ERR_NULL);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &summary), VCS_ERR_SEQUENCE);
    assert_int_equal(vcs_schedule_tasks(state, ARRAY(&task, 1)), VCS_ERR_SEQUENCE);
    assert_int_equal(vcs_schedule_resources(state, ARRAY(&resource, 1)), VCS_ERR_SEQUENCE);
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    assert_memory_equal(&summary, &untouched, sizeof summary);
    summary.struct_size = untouched.struct_size = 12;
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &summary), VCS_ERR_ABI_SIZE);
    assert_memory_equal(&summary, &untouched, sizeof summary);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, NULL), VCS_OK);
    assert_int_equal(vcs_schedule_tasks(NULL, ARRAY(&task, 1)), VCS_ERR_NULL);
    assert_int_equal(vcs_schedule_resources(NULL, ARRAY(&resource, 1)), VCS_ERR_NULL);
    assert_int_equal(vcs_schedule_tasks(state, ARRAY(&task, 2)), VCS_ERR_COUNT);
    assert_int_equal(vcs_schedule_tasks(state, ARRAY_OF(NULL, sizeof task, 1)), VCS_ERR_NULL);
    assert_memory_equal(&task, &untouched_task, sizeof task);
    assert_int_equal(vcs_schedule_tasks(state, ARRAY(&task, 1)), VCS_OK);
    assert_int_equal(task.run, 1);
    host_end(&h);
}

/* A choice that needs no simulation does not stand for one. */
static void a_choice_is_no_forecast(void **unused) {
    (void)unused;
    static test_host h;
    vcs_task_forecast forecast;
    begin(&h, 1);
    add_task(&h, host_add_project(&h, 1));
    vcs_state *state = host_prepare(&h);
    for (uint32_t detail = VCS_SCHEDULE_EXPLAIN; detail <= VCS_SCHEDULE_RUNNING; detail++) {
        assert_int_equal(vcs_schedule(state, detail, NULL), VCS_OK);
        assert_int_equal(vcs_wrr_tasks(state, ARRAY(&forecast, 1)), VCS_ERR_SEQUENCE);
    }
    host_end(&h);
}

static void errors_of_deciding_only_what_runs(void **unused) {
    (void)unused;
    static test_host h;
    begin_late(&h, 1);
    add_task(&h, 0);
    make_late(&h, add_task(&h, 0), HOUR, HOUR);
    vcs_schedule_summary summary, untouched_summary;
    vcs_task_decision decision[2], untouched;
    uint32_t task[2] = {77, 77};
    memset(&summary, 0xa5, sizeof summary);
    memset(decision, 0xa5, sizeof decision);
    summary.struct_size = sizeof summary;
    untouched_summary = summary;
    untouched = decision[0];
    vcs_state *state = host_prepare(&h);
    assert_int_equal(vcs_schedule(NULL, VCS_SCHEDULE_RUNNING, &summary), VCS_ERR_NULL);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_RUNNING, &summary), VCS_ERR_SEQUENCE);
    assert_int_equal(vcs_schedule_running(state, task, ARRAY(decision, 1)), VCS_ERR_SEQUENCE);
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    summary.struct_size = untouched_summary.struct_size = 12;
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_RUNNING, &summary), VCS_ERR_ABI_SIZE);
    assert_memory_equal(&summary, &untouched_summary, sizeof summary);
    assert_int_equal(vcs_schedule_running(state, task, ARRAY(decision, 1)), VCS_ERR_SEQUENCE);
    assert_int_equal(vcs_schedule(state, 2, NULL), VCS_ERR_FLAGS);
    assert_int_equal(vcs_schedule_running(state, task, ARRAY(decision, 1)), VCS_ERR_SEQUENCE);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_RUNNING, NULL), VCS_OK);
    assert_int_equal(vcs_schedule_tasks(state, ARRAY(decision, 2)), VCS_ERR_SEQUENCE);
    assert_int_equal(vcs_schedule_running(NULL, task, ARRAY(decision, 1)), VCS_ERR_NULL);
    assert_int_equal(vcs_schedule_running(state, NULL, ARRAY(decision, 1)), VCS_ERR_NULL);
    assert_int_equal(vcs_schedule_running(state, task, ARRAY_OF(NULL, sizeof *decision, 1)), VCS_ERR_NULL);
    assert_int_equal(vcs_schedule_running(state, task, ARRAY(decision, 0)), VCS_ERR_COUNT);
    assert_int_equal(vcs_schedule_running(state, task, ARRAY(decision, 2)), VCS_ERR_COUNT);
    assert_int_equal(vcs_schedule_running(state, task, ARRAY_OF(decision, 12, 1)), VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_schedule_running(state, task, ARRAY_OF(decision, 24, 1)), VCS_ERR_ABI_OLDER);
    assert_int_equal(task[0], 77);
    assert_memory_equal(&decision[0], &untouched, sizeof untouched);
    assert_int_equal(vcs_schedule_running(state, task, ARRAY(decision, 1)), VCS_OK);
    assert_int_equal(task[0], 1);
    assert_int_equal(decision[0].reason, VCS_REASON_LATE);
    assert_int_equal(task[1], 77);
    assert_memory_equal(&decision[1], &untouched, sizeof untouched);
    host_end(&h);
}

/* Nothing runs: there is nothing to read, and no array is needed. */
static void deciding_only_what_runs_of_nothing(void **unused) {
    (void)unused;
    static test_host h;
    begin(&h, 1);
    vcs_state *state = host_prepare(&h);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_RUNNING, NULL), VCS_OK);
    assert_int_equal(vcs_schedule_running(state, NULL, NO_RECORDS), VCS_OK);
    host_end(&h);
}

/*
 * A client whose decisions are longer than the library's: what the library does not know is 0. Deciding only what runs
 * replaces a decision with reasons.
 */
static void longer_decisions(void **unused) {
    (void)unused;
    static test_host h;
    struct {
        vcs_task_decision known;
        uint64_t later;
    } found[2];
    uint32_t tasks[2];
    begin(&h, 2);
    host_add_project(&h, 1);
    add_task(&h, 0)->cpus = 3; /* there are 2 */
    add_task(&h, 0);
    add_task(&h, 0);
    memset(found, 0xa5, sizeof found);
    vcs_state *state = host_prepare(&h);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, NULL), VCS_OK);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_RUNNING, NULL), VCS_OK);
    assert_int_equal(vcs_schedule_running(state, tasks, ARRAY_OF(&found[0].known, sizeof *found, 2)), VCS_OK);
    for (uint32_t place = 0; place < 2; place++) {
        assert_int_equal(tasks[place], place + 1);
        assert_int_equal(found[place].known.place, place);
        assert_int_equal(found[place].known.run, 1);
        assert_int_equal(found[place].later, 0);
    }
    vcs_task_decision all[3];
    assert_int_equal(vcs_schedule_tasks(state, ARRAY(all, 3)), VCS_ERR_SEQUENCE);
    host_end(&h);
}

/* A second decision on the same state is the same. */
static void deciding_twice(void **unused) {
    (void)unused;
    static test_host h;
    vcs_task_decision first[2], second[2];
    begin_late(&h, 1);
    make_late(&h, add_task(&h, 0), HOUR, HOUR);
    run(&h, add_task(&h, 0), 10);
    vcs_state *state = host_prepare(&h);
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, NULL), VCS_OK);
    assert_int_equal(vcs_schedule_tasks(state, ARRAY(first, 2)), VCS_OK);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, NULL), VCS_OK);
    assert_int_equal(vcs_schedule_tasks(state, ARRAY(second, 2)), VCS_OK);
    assert_memory_equal(first, second, sizeof first);
    host_end(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_shares_take_turns),
        cmocka_unit_test(shares_set_the_pace),
        cmocka_unit_test(recent_work_counts),
        cmocka_unit_test(class_then_share),
        cmocka_unit_test(share_0_everywhere),
        cmocka_unit_test(one_project_alone),
        cmocka_unit_test(nothing_to_run),
        cmocka_unit_test(within_a_project),
        cmocka_unit_test(arrival),
        cmocka_unit_test(local_accounting),
        cmocka_unit_test(gpu_work_counts_globally),
        cmocka_unit_test(resource_debt),
        cmocka_unit_test(short_term_debt),
        cmocka_unit_test(the_bump_counts_and_not_the_period),
        cmocka_unit_test(the_period_counts_for_debts),
        cmocka_unit_test(debt_without_share),
        cmocka_unit_test(wide_task_last),
        cmocka_unit_test(wide_task_first),
        cmocka_unit_test(any_cpu_task_fits),
        cmocka_unit_test(fractions),
        cmocka_unit_test(tenths),
        cmocka_unit_test(a_fraction_of_a_gpu_task_costs_no_cpu_task_its_place),
        cmocka_unit_test(gpu_tasks_do_not_starve_a_task_of_all_cpus),
        cmocka_unit_test(a_task_of_several_cpus_must_fit),
        cmocka_unit_test(shares_of_gpu_tasks_may_lack_a_cpu),
        cmocka_unit_test(any_is_about_cpus_alone),
        cmocka_unit_test(parts_are_placed_on_devices),
        cmocka_unit_test(parts_may_exceed_a_device_by_rounding),
        cmocka_unit_test(several_devices),
        cmocka_unit_test(a_limit_in_instances),
        cmocka_unit_test(a_limit_in_instances_as_time_passes),
        cmocka_unit_test(a_limit_in_instances_of_an_application),
        cmocka_unit_test(a_limit_per_device),
        cmocka_unit_test(a_limit_per_device_beside_running_tasks),
        cmocka_unit_test(running_tasks_keep_their_devices),
        cmocka_unit_test(a_late_task_takes_the_device_of_who_loses_least),
        cmocka_unit_test(a_late_task_takes_the_device_of_the_least_urgent),
        cmocka_unit_test(a_displaced_task_displaces_nobody),
        cmocka_unit_test(exclusions_of_an_application),
        cmocka_unit_test(stopped_tasks_go_back_to_their_devices),
        cmocka_unit_test(others_keep_away_from_the_devices_of_stopped_tasks),
        cmocka_unit_test(parts_keep_away_from_the_parts_of_stopped_tasks),
        cmocka_unit_test(several_devices_of_a_stopped_task),
        cmocka_unit_test(two_stopped_tasks_of_one_device),
        cmocka_unit_test(stopped_tasks_of_excluded_devices),
        cmocka_unit_test(stopped_tasks_move_no_running_one),
        cmocka_unit_test(in_the_long_run_tasks_stay_on_their_devices),
        cmocka_unit_test(what_cannot_start_yet),
        cmocka_unit_test(paused_cpus),
        cmocka_unit_test(paused_cpus_of_who_is_late),
        cmocka_unit_test(a_slice_in_memory_waits_for_no_checkpoint),
        cmocka_unit_test(memory),
        cmocka_unit_test(stopped_tasks_keep_their_memory),
        cmocka_unit_test(tasks_in_memory_do_not_lock_each_other_out),
        cmocka_unit_test(what_does_not_fit_blocks_nobody),
        cmocka_unit_test(limits),
        cmocka_unit_test(what_is_used_up_is_no_reason_if_there_is_another),
        cmocka_unit_test(what_is_used_up_is_taken_from_whose_slice_is_over),
        cmocka_unit_test(exclusions),
        cmocka_unit_test(what_cannot_run),
        cmocka_unit_test(suspended),
        cmocka_unit_test(zero_seconds_and_zero_cpus),
        cmocka_unit_test(slice_lasts_for_a_period),
        cmocka_unit_test(slice_lasts_until_a_checkpoint),
        cmocka_unit_test(no_look_interval_is_a_minute),
        cmocka_unit_test(slice_that_began_in_the_future_is_over),
        cmocka_unit_test(most_unsaved_work_stays),
        cmocka_unit_test(gpu_task_takes_its_cpu_first),
        cmocka_unit_test(gpu_types_from_last_to_first),
        cmocka_unit_test(no_task_is_stopped_that_is_nearly_done),
        cmocka_unit_test(no_switch_cost),
        cmocka_unit_test(least_left_first),
        cmocka_unit_test(nothing_interrupts_what_must_not_be),
        cmocka_unit_test(what_must_not_be_interrupted_counts_as_late),
        cmocka_unit_test(what_must_not_be_interrupted_may_not_fit),
        cmocka_unit_test(what_ran_together_goes_on_together),
        cmocka_unit_test(late_tasks_go_first),
        cmocka_unit_test(round_robin_knows_no_deadline),
        cmocka_unit_test(the_one_that_can_be_saved),
        cmocka_unit_test(hopeless_to_the_microsecond),
        cmocka_unit_test(what_cannot_be_in_time_says_so),
        cmocka_unit_test(what_is_in_time_depends_on_what_is_usable),
        cmocka_unit_test(late_gpu_tasks_first),
        cmocka_unit_test(late_task_that_does_not_fit),
        cmocka_unit_test(misses_only_count),
        cmocka_unit_test(what_cannot_run_is_not_late),
        cmocka_unit_test(no_task_gives_way_to_its_sibling),
        cmocka_unit_test(a_miss_is_made_good_by_the_earliest_deadline),
        cmocka_unit_test(one_that_stays_late_is_among_the_misses),
        cmocka_unit_test(a_task_refused_for_a_limit_passes_its_place_on),
        cmocka_unit_test(a_place_may_find_nobody),
        cmocka_unit_test(one_that_stays_late_beyond_the_misses_passes_no_place_on),
        cmocka_unit_test(a_late_task_does_not_wait_for_a_slice),
        cmocka_unit_test(beside_a_task_that_stays_late_those_go_first_that_cannot_wait),
        cmocka_unit_test(a_late_task_stays_late_for_its_slice),
        cmocka_unit_test(a_slice_of_a_late_task_gives_way_to_who_can_be_saved),
        cmocka_unit_test(flipping_between_miss_and_no_miss),
        cmocka_unit_test(a_lasting_miss_gets_through),
        cmocka_unit_test(errors_write_nothing),
        cmocka_unit_test(a_choice_is_no_forecast),
        cmocka_unit_test(errors_of_deciding_only_what_runs),
        cmocka_unit_test(deciding_only_what_runs_of_nothing),
        cmocka_unit_test(longer_decisions),
        cmocka_unit_test(deciding_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
