/*
 * What servers send.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/emulation_case.h"
#include "vcemu/host/random.h"

/* Sizes from a list, in order, then from the first again: 100 + 200 + 300 + 100 s. */
static void sizes_come_from_a_list(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 700);
    vcs_job_model *model = add_app(&c, add_project(&c), 200, DAY);
    model->distribution = VCS_SIZES_LIST;
    model->first_size = 1;
    model->size_count = 3;
    c.sizes[1] = 100;
    c.sizes[2] = 200;
    c.sizes[3] = 300;
    c.scenario.sizes.count = 4;
    run(&c);
    assert_int_equal(c.outcome.ended, 4);
}

/* Jobs of one application cannot meet their deadlines, jobs of the other can; both are equally frequent. */
static void begin_tight_and_loose(case_records *c, uint32_t profile) {
    begin(c, profile, 1, 1000);
    uint32_t project = add_project(c);
    add_app(c, project, 1000, 500);
    add_app(c, project, 1000, 1e6);
}

/* Rule 9.1: of the 50 or more jobs that fill the buffer, about half are refused; the others are sent. */
static void a_refused_job_leaves_space_for_those_after_it(void **unused) {
    (void)unused;
    case_records c;
    begin_tight_and_loose(&c, VCS_PROFILE_CURRENT);
    run(&c);
    assert_true(c.outcome.refused > 10 && c.outcome.received > 10);
    assert_int_equal(c.outcome.idleness, 0);
}

/* Rule 15.7: what is due before the next connection is not wanted. In the loop, the host does the other jobs. */
static void jobs_due_before_the_next_connection_do_not_come(void **unused) {
    (void)unused;
    for (uint32_t work_send = VCS_WORK_SEND_WS1; work_send <= VCS_WORK_SEND_BY_CHANCE; work_send++) {
        case_records c;
        begin(&c, VCS_PROFILE_CURRENT, 1, 20 * DAY);
        const uint32_t project = add_project(&c);
        add_app(&c, project, 3600, DAY / 4); /* could be done in time, and is due 6 h later */
        c.parameters.min_buffer = c.parameters.admission_cushion = 600;
        c.parameters.work_fetch = VCS_WORK_FETCH_OWED;
        c.parameters.work_send = work_send;
        run(&c);
        assert_true(c.outcome.received > 100);
        c.parameters.connect_every = DAY / 2;
        run(&c);
        assert_int_equal(c.outcome.received, 0);
        add_app(&c, project, 3600, DAY);
        run(&c);
        assert_true(c.outcome.received > 100 && c.outcome.refused > 100);
        assert_int_equal(c.outcome.late, 0);
    }
}

/* Rule 13.6: the first refusal ends the reply. */
static void the_studys_server_ends_the_reply_at_the_first_refusal(void **unused) {
    (void)unused;
    for (uint32_t work_send = VCS_WORK_SEND_WS1; work_send <= VCS_WORK_SEND_WS2; work_send++) {
        case_records c;
        begin_tight_and_loose(&c, VCS_PROFILE_STUDY2007);
        c.parameters.work_send = work_send;
        run(&c);
        assert_true(c.outcome.refused > 0 && c.outcome.received > 0);
        assert_true(c.outcome.refused <= c.outcome.calls);
    }
}

/* Rule 13.6: a host of 2 FLOPS needs 500 s for 1000 operations, which is soon enough for a bound of 600 s. */
static void the_studys_server_reckons_with_the_hosts_speed(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_STUDY2007, 1, 10);
    c.parameters.work_send = VCS_WORK_SEND_WS1;
    c.resources[0].flops = 2;
    add_app(&c, add_project(&c), 1000, 600);
    run(&c);
    assert_true(c.outcome.received > 0);
}

/* A job of 1000 operations that uses half a CPU takes 2000 s and fills 1000 s of a request. So ten fill 10,000 s. */
static void a_job_fills_what_it_uses(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 1, 0.5);
    add_app(&c, add_project(&c), 1000, 1e6)->cpus = 0.5;
    c.parameters.min_buffer = 10000;
    c.parameters.additional_buffer = 0;
    run(&c);
    assert_int_equal(c.outcome.calls, 1);
    assert_int_equal(c.outcome.received, 10);
}

/* Rule 9.1: a job that does not fit into the host's memory, or needs more CPUs than there are, is not sent. */
static void what_cannot_run_is_not_sent(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < 2; i++) {
        case_records c;
        begin(&c, VCS_PROFILE_CURRENT, 2, DAY);
        vcs_job_model *model = add_app(&c, add_project(&c), 1000, DAY);
        c.host.ram = 1e9;
        model->ram = i == 0 ? 2e9 : 0;
        model->cpus = i == 0 ? 1 : 3;
        run(&c);
        assert_true(c.outcome.calls > 0);
        assert_int_equal(c.outcome.received, 0);
    }
}

/* No host can do 1e30 operations: the jobs are refused because of their deadlines, and the emulation goes on. */
static void jobs_of_any_size_are_offered(void **unused) {
    (void)unused;
    for (uint32_t profile = 0; profile < VCS_PROFILE_COUNT; profile++) {
        case_records c;
        begin(&c, profile, 1, DAY);
        add_app(&c, add_project(&c), 1e30, DAY);
        run(&c);
        assert_true(c.outcome.refused > 0);
        assert_int_equal(c.outcome.received, 0);
    }
}

/* The sizes of the jobs that arrive, and the most jobs in one reply. */
typedef struct arrivals {
    double sizes[1000];
    uint32_t count, of_reply, most;
} arrivals;

static int note_arrival(void *context, const vcs_event *event) {
    arrivals *noted = context;
    if (event->kind == VCS_EVENT_CALLED) {
        noted->of_reply = 0;
    } else if (event->kind == VCS_EVENT_RECEIVED && noted->count < 1000) {
        noted->sizes[noted->count++] = event->amount;
        noted->of_reply++;
        noted->most = noted->of_reply > noted->most ? noted->of_reply : noted->most;
    }
    return VCS_OK;
}

static arrivals arrivals_of(uint32_t profile, uint32_t max_reply) {
    case_records c;
    arrivals noted = {.count = 0};
    begin(&c, profile, 2, 5 * DAY);
    uint32_t project = add_project(&c);
    for (uint32_t i = 1; i <= 2; i++) {
        vcs_job_model *model = add_app(&c, project, 5000 * i, 9 * DAY);
        model->distribution = VCS_SIZES_NORMAL;
        model->sd_flops = 1000;
    }
    c.emulation.max_reply = max_reply;
    c.hooks.observe = note_arrival;
    c.hooks.context = &noted;
    run(&c);
    return noted;
}

/* Jobs that were offered but not considered are the next ones: the same jobs arrive for every size of reply. */
static void the_same_jobs_come_in_small_replies(void **unused) {
    (void)unused;
    for (uint32_t profile = VCS_PROFILE_STUDY2007; profile <= VCS_PROFILE_CURRENT; profile++) {
        const arrivals one = arrivals_of(profile, 1), many = arrivals_of(profile, 50);
        const uint32_t both = one.count < many.count ? one.count : many.count;
        assert_true(both > 50);
        assert_memory_equal(one.sizes, many.sizes, both * sizeof *one.sizes);
        assert_int_equal(one.most, 1);
        assert_true(many.most > 3 && many.most <= 50);
    }
}

/* A project may have three jobs on the host, for all resources together; reported jobs do not count. */
static void jobs_in_progress_are_limited(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_CURRENT, 4, DAY);
    c.resources[1] = (vcs_resource){.id = 2, .flops = 10, .usable = 1, .instances = 2};
    c.scenario.snapshot.resources.count = 2;
    uint32_t project = add_project(&c);
    add_app(&c, project, 1e5, 9 * DAY);
    vcs_job_model *model = add_app(&c, project, 1e6, 9 * DAY);
    model->gpu = 1;
    model->gpus = 1;
    model->cpus = 0;
    c.servers[project].max_in_progress = 3;
    run(&c);
    assert_int_equal(c.outcome.received, 3); /* two for the GPU, which come first, and one for the CPU; none ends */
    assert_int_equal(c.outcome.starts, 3);
}

/* ---- Failures ---- */

/* A bit for each of the first 32 calls of two projects: whether it failed. */
typedef struct failures {
    uint32_t of[2], count[2];
} failures;

static int note_call(void *context, const vcs_event *event) {
    failures *noted = context;
    const uint32_t p = event->project;
    if ((event->kind == VCS_EVENT_CALLED || event->kind == VCS_EVENT_FAILED) && noted->count[p] < 32) {
        noted->of[p] |= (uint32_t)(event->kind == VCS_EVENT_FAILED) << noted->count[p]++;
    }
    return VCS_OK;
}

/* Servers with a failing scheduler or network, and jobs so short that each server is called often. */
static failures failures_of(uint64_t seed, double scheduler_failure, double network_failure) {
    case_records c;
    failures noted = {{0}, {0}};
    begin(&c, VCS_PROFILE_CURRENT, 2, DAY / 4);
    c.emulation.seed = seed;
    c.parameters.min_buffer = c.parameters.additional_buffer = 0;
    c.parameters.backoff_min = c.parameters.backoff_max = 60;
    for (uint32_t i = 0; i < 2; i++) {
        vcs_server_model *server = &c.servers[add_project(&c)];
        add_app(&c, i, 100, DAY);
        server->max_in_progress = 1;
        server->scheduler_failure = scheduler_failure;
        server->network_failure = network_failure;
    }
    c.hooks.observe = note_call;
    c.hooks.context = &noted;
    run(&c);
    assert_true(noted.count[0] == 32 && noted.count[1] == 32);
    return noted;
}

/* Each seed has its own failures, each project, and each cause: 32 calls are alike by chance once in 2^32 times. */
static void failures_are_independent(void **unused) {
    (void)unused;
    const failures noted[] = {failures_of(1, 0.5, 0), failures_of(2, 0.5, 0), failures_of(1, 0, 0.5),
                              failures_of(2, 0, 0.5)};
    for (size_t i = 0; i < COUNT_OF(noted); i++) {
        assert_true(noted[i].of[0] != noted[i].of[1]);
        for (size_t k = 0; k < i; k++) {
            assert_true(noted[i].of[0] != noted[k].of[0] && noted[i].of[1] != noted[k].of[1]);
        }
    }
}

/* A call fails with a probability of u if the draw is below u. The first draw of the seed is not. */
static void a_draw_at_the_threshold_is_no_failure(void **unused) {
    (void)unused;
    vcs_emu_stream network = vcs_emu_stream_open(1, VCS_EMU_DRAW_NETWORK_FAILURE, 0);
    vcs_emu_stream scheduler = vcs_emu_stream_open(1, VCS_EMU_DRAW_SCHEDULER_FAILURE, 0);
    const double of_network = vcs_emu_draw_uniform(&network), of_scheduler = vcs_emu_draw_uniform(&scheduler);
    assert_int_equal(failures_of(1, 0, of_network).of[0] & 1, 0);
    assert_int_equal(failures_of(1, 0, nextafter(of_network, 1)).of[0] & 1, 1);
    assert_int_equal(failures_of(1, of_scheduler, 0).of[0] & 1, 0);
    assert_int_equal(failures_of(1, nextafter(of_scheduler, 1), 0).of[0] & 1, 1);
}

/* ---- Which jobs there are ---- */

/* The sizes and ids of the jobs that arrive. */
typedef struct jobs {
    struct job {
        double size;
        uint64_t id;
    } list[MOST];
    uint32_t count;
} jobs;

static int note_job(void *context, const vcs_event *event) {
    jobs *noted = context;
    if (event->kind == VCS_EVENT_RECEIVED && noted->count < MOST) {
        noted->list[noted->count++] = (struct job){event->amount, event->task};
    }
    return VCS_OK;
}

static void observe_jobs(case_records *c, jobs *noted) {
    *noted = (jobs){.count = 0};
    c->hooks.observe = note_job;
    c->hooks.context = noted;
}

/* An application of weight 0 sends nothing; neither does a standard deviation of 0 change the size. */
static void an_application_without_weight_sends_nothing(void **unused) {
    (void)unused;
    case_records c;
    jobs noted;
    begin(&c, VCS_PROFILE_CURRENT, 1, DAY);
    add_app(&c, add_project(&c), 1000, 9 * DAY)->weight = 0;
    add_app(&c, 0, 2000, 9 * DAY)->distribution = VCS_SIZES_NORMAL;
    observe_jobs(&c, &noted);
    run(&c);
    assert_int_equal(noted.count, MOST);
    for (uint32_t i = 0; i < MOST; i++) {
        assert_true(noted.list[i].size == 2000);
    }
}

/* Jobs are numbered from the greatest id of the initial tasks on, but for the last of all ids; else from 0. */
static void jobs_are_numbered_after_the_initial_tasks(void **unused) {
    (void)unused;
    case_records c;
    jobs noted;
    for (uint32_t i = 0; i < 3; i++) {
        begin(&c, VCS_PROFILE_CURRENT, 1, 1000);
        add_app(&c, add_project(&c), 1000, 9 * DAY);
        add_task(&c, 0, 100, 1e6);
        add_task(&c, 0, 100, 1e6);
        c.tasks[0].id = i != 1 ? 40 : UINT64_MAX;
        c.tasks[1].id = i == 0 ? 7 : UINT64_MAX;
        c.scenario.snapshot.tasks.count = i != 1 ? 2 : 1;
        observe_jobs(&c, &noted);
        run(&c);
        assert_true(noted.count > 1);
        assert_int_equal(noted.list[0].id, i != 1 ? 41 : 0);
        assert_int_equal(noted.list[1].id, i != 1 ? 42 : 1);
    }
}

/*
 * A reply holds one job: that for the GPU. Jobs for the CPU were on offer too, and were not considered: they come from
 * the beginning of the list afterwards.
 */
static void a_full_reply_takes_no_jobs_away(void **unused) {
    (void)unused;
    case_records c;
    jobs noted;
    begin(&c, VCS_PROFILE_CURRENT, 1, DAY);
    c.scenario.snapshot.resources.count = 2;
    c.resources[1] = (vcs_resource){.id = 2, .flops = 1, .usable = 1, .instances = 1};
    vcs_job_model *model = add_app(&c, add_project(&c), 1e6, 90 * DAY);
    model->gpu = 1;
    model->gpus = 1;
    model->cpus = 0;
    model = add_app(&c, 0, 20000, 90 * DAY);
    model->distribution = VCS_SIZES_LIST;
    model->size_count = 3;
    for (uint32_t i = 0; i < 3; i++) {
        c.sizes[i] = 20001 + i;
    }
    c.scenario.sizes.count = 3;
    c.emulation.max_reply = 1;
    observe_jobs(&c, &noted);
    run(&c);
    assert_true(noted.count >= 4);
    assert_true(noted.list[0].size == 1e6);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(noted.list[1 + i].size == 20001 + i);
    }
}

/*
 * Rule 13.6: half of the jobs cannot meet their deadlines, and the first that is refused ends the reply. What was on
 * offer behind it comes next time: the sizes of the others arrive in the order of their list, none is left out.
 */
static void what_is_behind_a_refused_job_comes_next_time(void **unused) {
    (void)unused;
    case_records c;
    jobs noted;
    begin_tight_and_loose(&c, VCS_PROFILE_STUDY2007);
    c.parameters.work_send = VCS_WORK_SEND_WS1;
    c.emulation.duration = DAY;
    c.models[1].distribution = VCS_SIZES_LIST;
    c.models[1].size_count = MOST;
    c.scenario.sizes.count = MOST;
    for (uint32_t i = 0; i < MOST; i++) {
        c.sizes[i] = 1000 + i;
    }
    observe_jobs(&c, &noted);
    run(&c);
    assert_int_equal(noted.count, MOST);
    assert_true(c.outcome.refused > 0);
    for (uint32_t i = 0; i < MOST; i++) {
        assert_true(noted.list[i].size == 1000 + i);
    }
}

/*
 * Rule 9.1: the CPU is busy for 5000 s with a task that is late. A job of 1000 s is sent if it is due after 6000 s, and
 * not before; the server knows from the client alone.
 */
static void servers_are_told_how_long_a_host_is_busy(void **unused) {
    (void)unused;
    case_records c;
    for (uint32_t fits = 0; fits < 2; fits++) {
        begin(&c, VCS_PROFILE_CURRENT, 1, 100);
        c.projects[add_project(&c)].flags = VCS_PROJECT_NO_NEW_WORK;
        add_app(&c, add_project(&c), 1000, fits ? 6001 : 5999);
        add_task(&c, 0, 5000, 1000);
        c.emulation.max_reply = 1;
        c.parameters.work_send = VCS_WORK_SEND_WS1;
        c.parameters.min_buffer = 8000;
        run(&c);
        assert_true(c.project_outcomes[1].calls > 0);
        assert_int_equal(c.project_outcomes[1].received, fits);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(servers_are_told_how_long_a_host_is_busy),
        cmocka_unit_test(sizes_come_from_a_list),
        cmocka_unit_test(a_refused_job_leaves_space_for_those_after_it),
        cmocka_unit_test(jobs_due_before_the_next_connection_do_not_come),
        cmocka_unit_test(the_studys_server_ends_the_reply_at_the_first_refusal),
        cmocka_unit_test(the_studys_server_reckons_with_the_hosts_speed),
        cmocka_unit_test(a_job_fills_what_it_uses),
        cmocka_unit_test(what_cannot_run_is_not_sent),
        cmocka_unit_test(jobs_of_any_size_are_offered),
        cmocka_unit_test(the_same_jobs_come_in_small_replies),
        cmocka_unit_test(jobs_in_progress_are_limited),
        cmocka_unit_test(failures_are_independent),
        cmocka_unit_test(a_draw_at_the_threshold_is_no_failure),
        cmocka_unit_test(an_application_without_weight_sends_nothing),
        cmocka_unit_test(jobs_are_numbered_after_the_initial_tasks),
        cmocka_unit_test(a_full_reply_takes_no_jobs_away),
        cmocka_unit_test(what_is_behind_a_refused_job_comes_next_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
