/*
 * Renewing a state: it gives the same as preparing it from scratch, whatever has changed, and nothing that preparing
 * refuses gets in.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/support.h"

#include "support/effort.h"
#include "support/random_state.h"
#include "support/whole.h"

#include "vcsched/host/prepared.h"
#include "vcsched/host/reorder.h"
#include "vcsched/host/renew.h"
#include "vcsched/host/builder.h"
#include "vcsched/host/scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Two states of the same records are the same ---- */

/* Pieces lie in different places if there is memory to spare. */
#define ASSERT_SAME_PIECE(a, b, piece, size)                                                                           \
    assert_memory_equal(vcs_piece(a, (a)->piece), vcs_piece(b, (b)->piece), (size_t)(size))

static void assert_same(const vcs_state *a, const vcs_state *b) {
    const size_t project_resources = (size_t)a->project_count * a->resource_count;
    assert_true(a->now == b->now && a->has == b->has);
    assert_memory_equal(&a->parameters, &b->parameters, sizeof a->parameters);
    assert_memory_equal(&a->host, &b->host, sizeof a->host);
    assert_int_equal(a->resource_count, b->resource_count);
    assert_int_equal(a->project_count, b->project_count);
    assert_int_equal(a->app_count, b->app_count);
    assert_int_equal(a->task_count, b->task_count);
    assert_int_equal(a->candidate_count, b->candidate_count);
    assert_int_equal(a->capacity.project_resources, b->capacity.project_resources);
    ASSERT_SAME_PIECE(a, b, resources, a->resource_count * sizeof(vcs_prepared_resource));
    ASSERT_SAME_PIECE(a, b, resource_records, a->resource_count * sizeof(vcs_resource));
    ASSERT_SAME_PIECE(a, b, projects, a->project_count * sizeof(vcs_project));
    ASSERT_SAME_PIECE(a, b, project_order, a->project_count * sizeof(uint32_t));
    ASSERT_SAME_PIECE(a, b, project_resources, project_resources * sizeof(vcs_project_resource));
    ASSERT_SAME_PIECE(a, b, project_resource_places, a->capacity.project_resources * sizeof(uint64_t));
    ASSERT_SAME_PIECE(a, b, apps, a->app_count * sizeof(vcs_app));
    ASSERT_SAME_PIECE(a, b, task_records, a->task_count * sizeof(vcs_task));
    ASSERT_SAME_PIECE(a, b, prepared_tasks, (a->task_count + a->candidate_count) * sizeof(vcs_prepared_task));
    ASSERT_SAME_PIECE(a, b, id_order, a->task_count * sizeof(uint32_t));
    ASSERT_SAME_PIECE(a, b, arrival_order, a->task_count * sizeof(uint32_t));
    ASSERT_SAME_PIECE(a, b, deadline_order, a->task_count * sizeof(uint32_t));
}

/* ---- Random changes ---- */

#define MOST_SIZE ((size_t)1 << 20)

static random_state host;
static uint64_t seed;

static uint32_t draw(uint32_t below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((seed >> 33) % below);
}

static vcs_task *draw_task(void) {
    return host.snapshot.tasks.count > 0 ? &host.tasks[draw(host.snapshot.tasks.count)] : NULL;
}

static void get_on(void) {
    vcs_task *task = draw_task();
    if (task != NULL) {
        task->remaining = task->remaining > 100 ? task->remaining - 100 : 0;
        task->flags |= VCS_TASK_RUNNING | VCS_TASK_STARTED;
        task->since_checkpoint = draw(50);
    }
}

/* The last one takes its place. */
static void end(void) {
    vcs_task *task = draw_task();
    if (task != NULL) {
        *task = host.tasks[--host.snapshot.tasks.count];
    }
}

static uint64_t next_id = 1000000;

static void arrive(void) {
    const uint32_t count = host.snapshot.tasks.count;
    if (count > 0 && count < RANDOM_MOST_TASKS) {
        host.tasks[count] = host.tasks[draw(count)];
        host.tasks[count].id = draw(2) ? next_id++ : (uint64_t)1 << 40 | next_id++ << 8;
        host.tasks[count].received = host.now + draw(3);
        host.snapshot.tasks.count++;
    }
}

static void change_places(void) {
    vcs_task *a = draw_task(), *b = draw_task();
    if (a != NULL) {
        vcs_task other = *a;
        *a = *b;
        *b = other;
    }
}

static void move_deadline(void) {
    vcs_task *task = draw_task();
    if (task != NULL) {
        task->deadline = draw(4) == 0 ? INFINITY : host.now + draw(1000);
    }
}

static void arrive_earlier(void) {
    vcs_task *task = draw_task();
    if (task != NULL) {
        task->received -= draw(500);
    }
}

/* The fluid discipline knows tasks of CPUs alone. */
static void move_to_other_resource(void) {
    vcs_task *task = draw_task();
    if (task != NULL && host.parameters.discipline != VCS_DISCIPLINE_FLUID) {
        task->gpu = draw(host.snapshot.resources.count);
        task->gpus = task->gpu != 0 ? 1 : 0;
        task->devices = task->gpu != 0 ? draw(2) : 0;
    }
}

static void move_to_other_device(void) {
    vcs_task *task = draw_task();
    if (task != NULL && task->gpu != 0) {
        task->devices = UINT64_C(1) << draw(host.resources[task->gpu].instances);
    }
}

static void suspend_task(void) {
    vcs_task *task = draw_task();
    if (task != NULL) {
        task->flags ^= VCS_TASK_SUSPENDED;
    }
}

static void work_for_projects(void) {
    for (uint32_t i = 0; i < host.snapshot.projects.count; i++) {
        host.projects[i].rec += draw(10);
        host.projects[i].long_term_debt -= draw(10);
    }
}

static void suspend_project(void) {
    if (host.snapshot.projects.count > 0) {
        host.projects[draw(host.snapshot.projects.count)].flags ^= VCS_PROJECT_SUSPENDED;
    }
}

static void rename_project(void) {
    if (host.snapshot.projects.count > 0) {
        host.projects[draw(host.snapshot.projects.count)].id = next_id++;
    }
}

static void back_off(void) {
    if (host.snapshot.project_resources.count > 0) {
        host.project_resources[draw(host.snapshot.project_resources.count)].backoff_until = host.now + draw(100);
    }
}

static void exclude(void) {
    if (host.snapshot.project_resources.count > 0) {
        vcs_project_resource *pair = &host.project_resources[draw(host.snapshot.project_resources.count)];
        const int has_map = pair->resource > 0 && host.resources[pair->resource].instances <= 64;
        pair->excluded = has_map ? pair->excluded ^ 1 : 0;
    }
}

static void swap_pairs(void) {
    if (host.snapshot.project_resources.count > 1) {
        vcs_project_resource first = host.project_resources[0];
        host.project_resources[0] = host.project_resources[1];
        host.project_resources[1] = first;
    }
}

static void correct_app(void) {
    if (host.snapshot.apps.count > 0) {
        host.apps[draw(host.snapshot.apps.count)].dcf = 1 + draw(3);
    }
}

static void be_on_less(void) {
    host.resources[draw(host.snapshot.resources.count)].usable = 0.25 + 0.125 * draw(6);
}

static void move_to_other_host(void) {
    host.resources[0].instances = 1 + draw(8);
    host.resources[0].reserve = host.resources[0].instances > 1 && draw(4) == 0 ? 0.5 : 0;
    host.host.ram = draw(2) * 1e12;
}

static void suspend_resource(void) {
    if (host.snapshot.resources.count > 1) {
        host.resources[1].flags ^= VCS_RESOURCE_SUSPENDED;
    }
}

static void change_policy(void) {
    host.parameters.period = 600 + draw(3600);
}

static void offer_other_candidates(void) {
    host.snapshot.candidates.count = draw(RANDOM_MOST_CANDIDATES + 1);
    for (uint32_t i = 0; i < host.snapshot.candidates.count && host.snapshot.tasks.count > 0; i++) {
        host.candidates[i] = host.tasks[draw(host.snapshot.tasks.count)];
    }
    host.snapshot.candidates.count = host.snapshot.tasks.count > 0 ? host.snapshot.candidates.count : 0;
}

static void give_other_memory(void) {
    host.host.ram = host.host.ram > 0 ? 0 : 1e12;
}

typedef void change(void);

/* What happens often stands here often. */
static change *const changes[] = {
    get_on,
    get_on,
    get_on,
    get_on,
    end,
    end,
    arrive,
    arrive,
    arrive,
    change_places,
    move_deadline,
    arrive_earlier,
    move_to_other_resource,
    move_to_other_device,
    suspend_task,
    work_for_projects,
    work_for_projects,
    suspend_project,
    rename_project,
    back_off,
    exclude,
    swap_pairs,
    correct_app,
    be_on_less,
    be_on_less,
    move_to_other_host,
    suspend_resource,
    change_policy,
    offer_other_candidates,
    give_other_memory,
};

/* So few deadlines and run times that many tasks share them. */
static double draw_deadline(void) {
    return host.now + 100 * (1 + draw(4));
}

static double draw_remaining(void) {
    return 10 * draw(6);
}

static void have_more_or_less_left(void) {
    draw_task()->remaining = draw_remaining();
}

static void be_due_with_others(void) {
    draw_task()->deadline = draw_deadline();
}

static void run_without_getting_on(void) {
    draw_task()->since_checkpoint = draw(50);
}

/* Several that are due one after the other. */
static void get_on_together(void) {
    const double deadline = draw_task()->deadline;
    for (uint32_t i = 0, left = 1 + draw(8); i < host.snapshot.tasks.count && left > 0; i++) {
        if (host.tasks[i].deadline == deadline) {
            host.tasks[i].remaining = draw_remaining();
            left--;
        }
    }
}

/* What happens to a few of many tasks. */
static change *const changes_in_a_crowd[] = {
    have_more_or_less_left,
    have_more_or_less_left,
    have_more_or_less_left,
    be_due_with_others,
    run_without_getting_on,
    get_on_together,
    end,
    arrive,
    arrive,
    change_places,
    arrive_earlier,
    move_to_other_resource,
    move_to_other_device,
    suspend_task,
    be_on_less,
    offer_other_candidates,
};

#define STEPS 60

static void *memory(void) {
    void *work = malloc(MOST_SIZE);
    assert_non_null(work);
    memset(work, 0xa5, MOST_SIZE);
    return work;
}

/*
 * A renewed state is the prepared one, down to the last byte that is not scratch, while at most this many of these
 * changes happen at a time; how many were renewed quickly.
 */
static uint32_t live(change *const *happens, size_t kinds, uint32_t most) {
    vcs_state *renewed, *prepared;
    void *of_renewed = memory(), *of_prepared = memory();
    uint32_t quick = 0;
    assert_int_equal(
        vcs_state_prepare(&host.snapshot, &host.parameters, host.now, of_renewed, MOST_SIZE, &renewed, NULL), VCS_OK);
    for (uint32_t step = 0; step < STEPS; step++) {
        for (uint32_t many = draw(most + 1); many > 0; many--) {
            happens[draw((uint32_t)kinds)]();
        }
        host.now += draw(100);
        renewed->has = VCS_HAS_WRR;
        quick += vcs_renew_quickly(renewed, &host.snapshot, &host.parameters, host.now) != 0;
        assert_int_equal(vcs_state_renew(renewed, MOST_SIZE, &host.snapshot, &host.parameters, host.now, NULL), VCS_OK);
        assert_int_equal(
            vcs_state_prepare(&host.snapshot, &host.parameters, host.now, of_prepared, MOST_SIZE, &prepared, NULL),
            VCS_OK);
        assert_same(renewed, prepared);
    }
    free(of_renewed);
    free(of_prepared);
    return quick;
}

static void renewed_as_if_prepared(void **unused) {
    (void)unused;
    uint32_t quick = 0, cases = (uint32_t)cases_to_try(400);
    for (uint32_t i = 0; i < cases; i++) {
        random_state_fill(&host, i % 2 ? RANDOM_ANY : RANDOM_FLUID, i + 1);
        seed = i + 1;
        quick += live(changes, sizeof changes / sizeof *changes, 3);
    }
    assert_true(quick > cases * STEPS / 4); /* both ways were gone often */
    assert_true(quick < cases * STEPS * 7 / 8);
}

/* 0 if this host has no project to have tasks of. */
static int fill_with_a_crowd(random_kind kind, uint64_t from) {
    random_state_fill(&host, kind, from);
    seed = from;
    if (host.snapshot.tasks.count == 0) {
        return 0;
    }
    while (host.snapshot.tasks.count < RANDOM_MOST_TASKS) {
        arrive();
    }
    for (uint32_t i = 0; i < host.snapshot.tasks.count; i++) {
        host.tasks[i].deadline = draw_deadline();
        host.tasks[i].remaining = draw_remaining();
    }
    return 1;
}

static void crowds_renewed_as_if_prepared(void **unused) {
    (void)unused;
    uint32_t quick = 0, lives = 0;
    for (uint32_t i = 0; i < cases_to_try(200); i++) {
        if (fill_with_a_crowd(i % 2 ? RANDOM_ANY : RANDOM_FLUID, i + 1)) {
            quick += live(changes_in_a_crowd, sizeof changes_in_a_crowd / sizeof *changes_in_a_crowd, 12);
            lives++;
        }
    }
    assert_true(lives > 0 && quick > lives * STEPS * 9 / 10);
}

/* ---- What is quick, and what is not ---- */

static test_host small;

static void begin_with_more_tasks(uint32_t count) {
    host_begin_with_two_of_everything(&small, VCS_PROFILE_CURRENT);
    for (uint32_t i = 0; i < count; i++) {
        host_add_task(&small, 0, 100, 1e6);
    }
    host_prepare(&small);
}

static void begin(void) {
    begin_with_more_tasks(0);
}

static int is_quick(void) {
    return vcs_renew_quickly(small.state, &small.snapshot, &small.parameters, small.now);
}

static void what_changes_often_is_quick(void **unused) {
    (void)unused;
    begin();
    assert_true(is_quick());
    small.now += 60;
    small.tasks[0].remaining -= 1;
    small.tasks[0].flags = VCS_TASK_RUNNING | VCS_TASK_STARTED;
    assert_true(is_quick());
    small.tasks[0] = small.tasks[--small.snapshot.tasks.count]; /* one has ended, */
    assert_true(is_quick());
    small.tasks[1] = small.tasks[0]; /* and another has arrived */
    small.tasks[small.snapshot.tasks.count++].id = 99;
    assert_true(is_quick());
    small.projects[0].rec = 7;
    small.projects[1].min_rpc_time = 100;
    small.project_resources[0].backoff_until = 50;
    small.apps[1].dcf = 1.5;
    small.resources[0].usable = 0.5;
    assert_true(is_quick());
    small.snapshot.candidates.count--;
    assert_true(is_quick());
    small.tasks[1].received -= 10;
    assert_true(is_quick());
    host_end(&small);
}

static void assert_as_if_prepared(void) {
    const size_t size = (size_t)small.state->size;
    void *work = malloc(size);
    vcs_state *prepared;
    assert_non_null(work);
    assert_int_equal(vcs_state_prepare(&small.snapshot, &small.parameters, small.now, work, size, &prepared, NULL),
                     VCS_OK);
    assert_same(small.state, prepared);
    free(work);
}

/* With no more CPUs than it was prepared for, a state serves for another host too, and for another policy. */
static void another_host_is_quick(void **unused) {
    (void)unused;
    begin();
    const uint32_t cpus = small.resources[0].instances;
    assert_true(cpus > 1);
    small.host.ram = 1e9;
    small.parameters.period++;
    small.resources[0].instances = 1;
    small.tasks[0].id = 77;
    assert_true(is_quick());
    assert_as_if_prepared();
    small.resources[0].instances = cpus;
    small.resources[0].reserve = 0.5;
    assert_true(is_quick());
    assert_as_if_prepared();
    small.parameters.discipline = VCS_DISCIPLINE_FLUID; /* and then tasks that it does not know are refused */
    assert_false(is_quick());
    small.parameters.discipline = VCS_DISCIPLINE_SLICED;
    small.resources[0].instances = VCS_FEW_INSTANCES; /* beside those of a GPU */
    host_prepare(&small);
    small.resources[0].instances--;
    assert_false(is_quick());
    host_end(&small);
}

/* Where it is so, memory for some instances is memory for fewer. */
static void fewer_instances_need_no_more_memory(void **unused) {
    (void)unused;
    static uint64_t (*const sizes[])(const vcs_counts *) = {
        vcs_admit_queue, vcs_build_scratch,    vcs_wrr_fluid_scratch, vcs_wrr_sliced_scratch,
        vcs_edf_scratch, vcs_schedule_scratch, vcs_fetch_scratch,     vcs_send_scratch,
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (uint32_t kind = 0; kind < 64; kind++) {
            vcs_counts counts = {.resources = 1 + kind % 2, .projects = 3, .apps = 2, .project_resources = 3};
            counts.tasks = kind / 2 % 8 * kind * kind;
            counts.candidates = kind / 16 * 100;
            uint64_t before = 0;
            for (counts.instances = 1; counts.instances <= VCS_FEW_INSTANCES; counts.instances++) {
                const uint64_t size = sizes[i](&counts);
                assert_true(size >= before);
                before = size;
            }
        }
    }
}

/*
 * Tasks of the same deadline: on a host that is nearly always off, each takes 0.1 ms less than the previous one, so the
 * last is first; on a host that is always on, 10 ns less, which is nothing in whole microseconds.
 */
static void run_times_become_the_same(void **unused) {
    (void)unused;
    host_begin_with_two_of_everything(&small, VCS_PROFILE_CURRENT);
    for (uint32_t i = 0; i < 50; i++) {
        host_add_task(&small, 0, 10 - 1e-8 * i, 1e6);
    }
    small.resources[0].usable = 1e-4;
    host_prepare(&small);
    assert_int_equal(vcs_deadline_order(small.state)[0], small.snapshot.tasks.count - 1);
    small.resources[0].usable = 1;
    assert_true(is_quick());
    assert_int_equal(vcs_deadline_order(small.state)[0], 0);
    assert_as_if_prepared();
    host_end(&small);
}

/* ---- One among many ---- */

/* Records enough that some are compared many at a time, and the last few one by one. */
#define CROWD 61

/* Of five deadlines, and of four run times each. */
static void begin_with_crowd_of(uint32_t count) {
    host_begin_with_two_of_everything(&small, VCS_PROFILE_CURRENT);
    small.snapshot.tasks.count = 0;
    while (small.snapshot.tasks.count < count) {
        const uint32_t i = small.snapshot.tasks.count;
        host_add_task(&small, i % 2, 100 + 10 * (i / 5 % 4), 1e6 + 100 * (i % 5))->received = 2 * i;
    }
    host_prepare(&small);
}

static void begin_with_crowd(void) {
    begin_with_crowd_of(CROWD);
}

static void gets_on(vcs_task *task) {
    task->remaining -= 15;
}

static void gets_on_too_little_to_show(vcs_task *task) {
    task->remaining -= 1e-9;
}

static void falls_back(vcs_task *task) {
    task->remaining += 25;
}

static void is_put_off(vcs_task *task) {
    task->deadline += 150;
}

static void is_urgent(vcs_task *task) {
    task->deadline = 5;
}

static void has_no_deadline(vcs_task *task) {
    task->deadline = INFINITY;
}

static void arrived_earlier(vcs_task *task) {
    task->received -= 7;
}

static void has_another_id(vcs_task *task) {
    task->id += 1000;
}

static void starts(vcs_task *task) {
    task->flags = VCS_TASK_RUNNING | VCS_TASK_STARTED;
}

static void loses_less(vcs_task *task) {
    task->since_checkpoint = 1;
}

static void goes_to_gpu(vcs_task *task) {
    task->gpu = 1;
    task->gpus = 1;
}

static void can_compute_less(vcs_task *task) {
    task->usable = 0.5;
}

/* Where all do that, the order is turned round. */
static void has_a_falling_id(vcs_task *task) {
    task->id = 1000 - task->id;
}

static void arrived_the_other_way_round(vcs_task *task) {
    task->received = 500 - task->received;
}

static void is_gone(vcs_task *task) {
    *task = small.tasks[--small.snapshot.tasks.count];
}

static void (*const one_changes[])(vcs_task *) = {
    gets_on,
    gets_on_too_little_to_show,
    falls_back,
    is_put_off,
    is_urgent,
    has_no_deadline,
    arrived_earlier,
    has_another_id,
    starts,
    loses_less,
    goes_to_gpu,
    is_gone,
    can_compute_less,
    has_a_falling_id,
    arrived_the_other_way_round,
};

/* Wherever it stands, it is seen that a record has changed, and the task goes where it belongs. */
static void one_of_a_crowd_changes(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof one_changes / sizeof *one_changes; i++) {
        for (uint32_t place = 0; place < CROWD; place++) {
            begin_with_crowd();
            one_changes[i](&small.tasks[place]);
            assert_true(is_quick());
            assert_as_if_prepared();
            host_end(&small);
        }
    }
}

/* Reserved bytes are checked in every record, also in otherwise unchanged ones. */
static void one_of_a_crowd_is_not_right(void **unused) {
    (void)unused;
    begin_with_crowd();
    for (uint32_t place = 0; place < CROWD; place++) {
        small.tasks[place].reserved[0] = 1;
        assert_false(is_quick());
        assert_int_equal(vcs_state_renew(small.state, (size_t)small.state->size, &small.snapshot, &small.parameters,
                                         small.now, NULL),
                         VCS_ERR_ABI_NEWER);
        small.tasks[place].reserved[0] = 0;
        assert_true(is_quick());
    }
    assert_as_if_prepared();
    host_end(&small);
}

/* All but a few of a crowd have gone, then others have arrived in their places. */
static void crowds_go_and_come(void **unused) {
    (void)unused;
    begin_with_crowd();
    for (uint32_t left = 0; left < CROWD; left++) {
        small.snapshot.tasks.count = left;
        assert_true(is_quick());
        assert_as_if_prepared();
        small.snapshot.tasks.count = CROWD;
        assert_true(is_quick());
        assert_as_if_prepared();
    }
    host_end(&small);
}

/* All of a few tasks are looked at, but only the moved ones of many. */
static const uint32_t crowds[] = {9, CROWD};

/* The last task fills each gap, and may also have made progress. */
static void the_last_take_the_places_of_those_gone(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < 2 * 6 * CROWD; i++) {
        const uint32_t count = crowds[i % 2], place = i / 12, gone = 1 + i / 2 % 6;
        begin_with_crowd_of(count);
        for (uint32_t k = 0; k < gone; k++) {
            const uint32_t last = --small.snapshot.tasks.count, to = (place + 10 * k) % last;
            small.tasks[to] = small.tasks[last];
            small.tasks[to].remaining -= k % 2;
        }
        assert_true(is_quick());
        assert_as_if_prepared();
        host_end(&small);
    }
}

/* All orders are the same, so only the two are wrong. */
static void begin_with_the_last_twice(uint32_t count, uint32_t gone) {
    begin_with_crowd_of(count);
    for (uint32_t i = 0; i < count; i++) {
        small.tasks[i].deadline = 1e6 + i;
    }
    assert_true(is_quick());
    small.tasks[3] = small.tasks[5] = small.tasks[count - gone];
    small.snapshot.tasks.count = count - gone;
}

/* In the gaps of one or two tasks that have gone. */
static void the_last_twice_is_refused(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t count = crowds[i % 2], gone = 1 + i / 2;
        begin_with_the_last_twice(count, gone);
        assert_false(is_quick());
        host_end(&small);
        begin_with_the_last_twice(count, gone);
        assert_int_equal(vcs_state_renew(small.state, (size_t)small.state->size, &small.snapshot, &small.parameters,
                                         small.now, NULL),
                         VCS_ERR_DUPLICATE);
        host_end(&small);
    }
}

/* All tasks, or all but one. */
static void everything_changes(void **unused) {
    (void)unused;
    for (size_t i = 0; i < 2 * sizeof one_changes / sizeof *one_changes; i++) {
        if (one_changes[i / 2] != is_gone) {
            begin_with_crowd();
            for (uint32_t place = i % 2; place < CROWD; place++) {
                one_changes[i / 2](&small.tasks[place]);
            }
            assert_true(is_quick());
            assert_as_if_prepared();
            host_end(&small);
        }
    }
}

/* So many that the parts of an order between two that move are long, and that sorting anew may be the shorter way. */
static void one_or_a_hundred_of_a_thousand_move(void **unused) {
    (void)unused;
    enum { MANY = 1000, LAST = 100 };
    static vcs_task many[MANY];
    host_begin_with_two_of_everything(&small, VCS_PROFILE_CURRENT);
    for (uint32_t i = 0; i < MANY; i++) {
        many[i] = small.tasks[i % 2];
        many[i].id = i + 1;
        many[i].deadline = 1e6 + i;
    }
    small.snapshot.tasks = (vcs_array){{many}, sizeof *many, MANY};
    host_prepare(&small);
    many[0] = many[--small.snapshot.tasks.count];
    assert_true(is_quick());
    assert_as_if_prepared();
    for (uint32_t i = MANY - 1 - LAST; i < MANY - 1; i++) {
        many[i].deadline = i;
    }
    assert_true(is_quick());
    assert_as_if_prepared();
    assert_int_equal(vcs_deadline_order(small.state)[0], MANY - 1 - LAST);
    host_end(&small);
}

/* ---- What is prepared from scratch ---- */

static void more_tasks(void) {
    for (uint32_t i = 0; i < 3; i++) {
        host_add_task(&small, 0, 100, 1e6);
    }
}

static void suspended_project(void) {
    small.projects[1].flags = VCS_PROJECT_SUSPENDED;
}

static void another_limit(void) {
    small.apps[1].max_concurrent = 3;
}

static void another_exclusion(void) {
    small.project_resources[1].excluded = 1;
}

static void one_project_resource_less(void) {
    small.snapshot.project_resources.count--;
}

static void suspended_gpu(void) {
    small.resources[1].flags = VCS_RESOURCE_SUSPENDED;
}

static void more_instances(void) {
    small.resources[1].instances = 4;
}

static void more_cpus(void) {
    small.resources[0].instances++;
}

static void app_of_another_project(void) {
    small.apps[1].project = 0;
}

static void another_exclusion_of_an_app(void) {
    small.app_resources[1].excluded = 1;
}

static void another_limit_in_instances(void) {
    small.project_resources[1].max_instances = 1;
}

static void another_limit_per_device(void) {
    small.project_resources[1].max_per_device = 1;
}

static void another_limit_in_instances_of_an_app(void) {
    small.app_resources[1].max_instances = 1;
}

static void another_limit_per_device_of_an_app(void) {
    small.app_resources[1].max_per_device = 1;
}

static void another_declared_use(void) {
    small.app_resources[1].use = 0.25;
}

static void app_resource_that_is_wrong(void) {
    small.app_resources[1].id++;
    small.app_resources[1].flags = 1;
}

static void app_resource_of_another_app(void) {
    small.app_resources[1].app = 0;
    small.app_resources[1].resource = 0;
}

static void app_resource_of_another_resource(void) {
    small.app_resources[1].resource = 0;
}

static void one_app_resource_less(void) {
    small.snapshot.app_resources.count--;
}

static void no_host(void) {
    small.snapshot.host.count = 0;
}

static void one_project_less(void) {
    small.snapshot.projects.count--;
}

static void one_app_less(void) {
    small.snapshot.apps.count--;
}

static void a_week_of_hours(void) {
    small.snapshot.hours.count = VCS_HOURS_OF_WEEK;
}

static void an_hour_that_is_wrong(void) {
    small.hours[23].off = -1;
}

static void longer_candidates(void) {
    small.snapshot.candidates.element_size += 8;
}

static void (*const greater_changes[])(void) = {
    more_tasks,
    suspended_project,
    another_limit,
    another_exclusion,
    one_project_resource_less,
    suspended_gpu,
    more_instances,
    more_cpus,
    app_of_another_project,
    another_exclusion_of_an_app,
    another_limit_in_instances,
    another_limit_per_device,
    another_limit_in_instances_of_an_app,
    another_limit_per_device_of_an_app,
    another_declared_use,
    app_resource_that_is_wrong,
    app_resource_of_another_app,
    app_resource_of_another_resource,
    one_app_resource_less,
    no_host,
    one_project_less,
    one_app_less,
    a_week_of_hours,
    an_hour_that_is_wrong,
    longer_candidates,
};

static void greater_changes_are_prepared(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof greater_changes / sizeof *greater_changes; i++) {
        begin();
        greater_changes[i]();
        assert_false(is_quick());
        host_end(&small);
    }
}

/* ---- Bad input ---- */

static void not_a_number(void) {
    small.tasks[1].remaining = NAN;
}

static void reserved_bytes(void) {
    small.tasks[1].reserved[0] = 1; /* of a record that is otherwise the same */
}

static void no_project(void) {
    small.tasks[1].project = 2;
}

/* A CPU task that otherwise refers to what it did. */
static void device_of_no_gpu(void) {
    small.tasks[1].devices = 1;
}

static void negative_share(void) {
    small.projects[0].share = -1;
}

static void negative_memory(void) {
    small.host.ram = -1;
}

static void bad_backoff(void) {
    small.project_resources[1].backoff_until = NAN;
}

static void bad_correction(void) {
    small.apps[0].dcf = -1;
}

static void never_usable(void) {
    small.resources[0].usable = -0.5;
}

static void bad_candidate(void) {
    small.candidates[1].gpu = 7;
}

static void candidate_without_a_number(void) {
    small.candidates[1].remaining = NAN;
}

/* It refers to something else, too. */
static void another_task_without_a_number(void) {
    small.tasks[1].project = 0;
    small.tasks[1].remaining = NAN;
}

static void reserve_of_a_gpu(void) {
    small.resources[1].reserve = 0.5;
}

static void hardly_a_cpu_left(void) {
    small.resources[0].reserve = 2 - 1e-7;
}

static void bad_hour(void) {
    small.hours[7].on = NAN;
}

static void bad_policy(void) {
    small.parameters.period = NAN;
}

static void unknown_flag(void) {
    small.snapshot.flags = 1;
}

static void view_of_no_size(void) {
    small.snapshot.struct_size = 4;
}

static void parameters_of_no_size(void) {
    small.parameters.struct_size = 4;
}

static void no_records(void) {
    small.snapshot.tasks.base = NULL;
}

static void bad_time(void) {
    small.now = INFINITY;
}

static void cpu_that_is_gone(void) {
    small.snapshot.resources.count = 0;
}

static void tasks_of_no_version(void) {
    small.snapshot.tasks.element_size = 8;
}

static void two_cpus_in_a_fluid(void) {
    small.parameters.discipline = VCS_DISCIPLINE_FLUID;
    small.tasks[1].cpus = 2;
}

static const struct {
    void (*spoil)(void);
    int code;
} refused[] = {
    {tasks_of_no_version, VCS_ERR_ABI_OLDER},
    {two_cpus_in_a_fluid, VCS_ERR_UNSUPPORTED},
    {not_a_number, VCS_ERR_NOT_FINITE},
    {reserved_bytes, VCS_ERR_ABI_NEWER},
    {no_project, VCS_ERR_INDEX},
    {negative_share, VCS_ERR_RANGE},
    {negative_memory, VCS_ERR_RANGE},
    {bad_backoff, VCS_ERR_NOT_FINITE},
    {bad_correction, VCS_ERR_RANGE},
    {never_usable, VCS_ERR_RANGE},
    {bad_candidate, VCS_ERR_INDEX},
    {bad_hour, VCS_ERR_NOT_FINITE},
    {bad_policy, VCS_ERR_NOT_FINITE},
    {unknown_flag, VCS_ERR_FLAGS},
    {no_records, VCS_ERR_NULL},
    {bad_time, VCS_ERR_NOT_FINITE},
    {view_of_no_size, VCS_ERR_ABI_SIZE},
    {parameters_of_no_size, VCS_ERR_ABI_SIZE},
    {device_of_no_gpu, VCS_ERR_RANGE},
    {cpu_that_is_gone, VCS_ERR_COUNT},
    {more_tasks, VCS_ERR_WORKSPACE},
    {candidate_without_a_number, VCS_ERR_NOT_FINITE},
    {another_task_without_a_number, VCS_ERR_NOT_FINITE},
    {reserve_of_a_gpu, VCS_ERR_RANGE},
    {hardly_a_cpu_left, VCS_ERR_RANGE},
};

static int is_refused_with(int code) {
    size_t i = 0;
    while (i < sizeof refused / sizeof *refused && refused[i].code != code) {
        i++;
    }
    return i < sizeof refused / sizeof *refused;
}

/* Two of the same are another matter; the others are of other functions, or need more records than can be. */
static void every_code_is_tried(void **unused) {
    (void)unused;
    for (int code = -1; strcmp(vcs_error_name(code), "unknown") != 0; code--) {
        const int is_of_others =
            code == VCS_ERR_OVERFLOW || code == VCS_ERR_SEQUENCE || code == VCS_ERR_ARITHMETIC || code == VCS_ERR_QUOTA;
        assert_int_equal(is_refused_with(code), !is_of_others && code != VCS_ERR_DUPLICATE);
    }
}

/* Only the scratch memory, at its end, has changed. */
static void assert_untouched(const vcs_state *state, const void *before) {
    assert_memory_equal(state, before, (size_t)state->scratch);
}

/* The memory of a state of the test's host is exactly as large as it has to be. */
static size_t work_size(void) {
    return (size_t)small.state->size;
}

/* Which alone would be taken. */
static void change_all_that_is_quick(void) {
    small.now += 60;
    small.resources[0].usable = 0.5;
    small.projects[0].rec = 7;
    small.project_resources[0].backoff_until = 50;
    small.apps[1].dcf = 1.5;
    small.tasks[0].deadline = 5;
    small.tasks[0].since_checkpoint = 1;
    small.candidates[0].remaining = 5;
}

static void bad_input_changes_nothing(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof refused / sizeof *refused * 2; i++) {
        vcs_error error = {.struct_size = sizeof error};
        begin_with_more_tasks(i % 2 * 18);
        const size_t size = work_size();
        void *before = malloc(size);
        assert_non_null(before);
        assert_int_equal(vcs_wrr(small.state, NULL), VCS_OK);
        copy_whole(before, small.state, size);
        change_all_that_is_quick();
        refused[i / 2].spoil();
        assert_int_equal(vcs_state_renew(small.state, size, &small.snapshot, &small.parameters, small.now, &error),
                         refused[i / 2].code);
        assert_int_equal(error.code, refused[i / 2].code);
        assert_untouched(small.state, before);
        free(before);
        host_end(&small);
    }
}

/* There is memory for it, since another one has ended. */
static void a_new_task_that_is_not_right(void **unused) {
    (void)unused;
    begin();
    small.snapshot.tasks.count--;
    assert_true(is_quick());
    small.snapshot.tasks.count++;
    small.tasks[1].cpus = -1;
    assert_false(is_quick());
    assert_int_equal(vcs_state_renew(small.state, work_size(), &small.snapshot, &small.parameters, small.now, NULL),
                     VCS_ERR_RANGE);
    small.tasks[1].cpus = 1;
    assert_true(is_quick());
    assert_as_if_prepared();
    host_end(&small);
}

/* Tasks of one CPU each, the only kind that the fluid discipline knows, also where they are exchanged. */
static void fluid_tasks_stay_fluid(void **unused) {
    (void)unused;
    begin();
    small.parameters.discipline = VCS_DISCIPLINE_FLUID;
    host_prepare(&small);
    small.tasks[1].project = 0;
    small.tasks[1].app = 0;
    assert_true(is_quick());
    assert_as_if_prepared();
    small.tasks[1].cpus = 2;
    small.tasks[1].app = VCS_NONE;
    assert_false(is_quick());
    assert_int_equal(vcs_state_renew(small.state, work_size(), &small.snapshot, &small.parameters, small.now, NULL),
                     VCS_ERR_UNSUPPORTED);
    host_end(&small);
}

static void missing_arguments(void **unused) {
    (void)unused;
    begin();
    const size_t size = work_size();
    assert_int_equal(vcs_state_renew(NULL, size, &small.snapshot, &small.parameters, 0, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_state_renew(small.state, size, NULL, &small.parameters, 0, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_state_renew(small.state, size, &small.snapshot, NULL, 0, NULL), VCS_ERR_NULL);
    vcs_error error = {.struct_size = 1};
    assert_int_equal(vcs_state_renew(small.state, size, &small.snapshot, &small.parameters, 0, &error),
                     VCS_ERR_ABI_SIZE);
    host_end(&small);
}

/* Memory that is too small is refused whatever the records are. */
static void memory_of_another_size(void **unused) {
    (void)unused;
    begin_with_more_tasks(18);
    const size_t size = work_size();
    void *before = malloc(size);
    assert_non_null(before);
    copy_whole(before, small.state, size);
    small.tasks[0].id = small.tasks[19].id;
    assert_int_equal(vcs_state_renew(small.state, size - 8, &small.snapshot, &small.parameters, small.now, NULL),
                     VCS_ERR_WORKSPACE);
    assert_untouched(small.state, before);
    free(before);
    host_end(&small);
}

/* ---- Two of the same ---- */

static void second_as_first(void) {
    small.tasks[1].id = small.tasks[0].id;
}

static void first_as_second(void) {
    small.tasks[0].id = small.tasks[1].id;
}

static void both_new(void) {
    small.tasks[0].id = small.tasks[1].id = 77;
}

/* So few of many that the others are not looked at again to order them. */
static void one_of_many(void) {
    small.tasks[0].id = small.tasks[small.snapshot.tasks.count - 1].id;
}

static void projects_of_one_id(void) {
    small.projects[1].id = small.projects[0].id;
}

static void project_resources_for_one_thing(void) {
    small.project_resources[1].project = 0;
}

/* All decisions find what they find on such a host, which has no results yet. */
static void assert_without_projects(vcs_state *state) {
    static const vcs_send_request no_work[2];
    const vcs_fetch_question question = {.struct_size = sizeof question};
    vcs_snapshot without = small.snapshot;
    vcs_state *both[2] = {state};
    void *work = memory();
    struct answers {
        vcs_wrr_summary wrr;
        vcs_edf_summary edf;
        vcs_schedule_summary schedule;
        vcs_fetch_summary fetch;
        vcs_send_summary send;
        vcs_resource_forecast forecasts[2];
    } answers[2];
    without.projects.count = without.project_resources.count = without.apps.count = 0;
    without.app_resources.count = without.tasks.count = without.candidates.count = 0;
    assert_int_equal(vcs_state_prepare(&without, &small.parameters, small.now, work, MOST_SIZE, &both[1], NULL),
                     VCS_OK);
    assert_same(both[0], both[1]);
    memset(answers, 0, sizeof answers);
    for (int i = 0; i < 2; i++) {
        struct answers *a = &answers[i];
        a->wrr.struct_size = sizeof a->wrr;
        a->edf.struct_size = sizeof a->edf;
        a->schedule.struct_size = sizeof a->schedule;
        a->fetch.struct_size = sizeof a->fetch;
        a->send.struct_size = sizeof a->send;
        assert_int_equal(vcs_wrr(both[i], &a->wrr), VCS_OK);
        assert_int_equal(vcs_wrr_resources(both[i], ARRAY(a->forecasts, 2)), VCS_OK);
        assert_int_equal(vcs_edf(both[i], VCS_EDF_ALL, &a->edf), VCS_OK);
        assert_int_equal(vcs_schedule(both[i], VCS_SCHEDULE_EXPLAIN, &a->schedule), VCS_OK);
        assert_int_equal(vcs_fetch(both[i], &question, &a->fetch), VCS_OK);
        assert_int_equal(vcs_send(both[i], ARRAY(no_work, 2), NO_RECORDS, NULL, NO_RECORDS, &a->send, NULL), VCS_OK);
    }
    assert_memory_equal(&answers[0], &answers[1], sizeof answers[0]);
    free(work);
}

/* Found by sorting, when much has been written; under each profile, since decisions differ. */
static void two_of_the_same_leave_no_project(void **unused) {
    static void (*const spoils[])(void) = {second_as_first, both_new, one_of_many, projects_of_one_id,
                                           project_resources_for_one_thing};
    static const uint32_t profiles[] = {VCS_PROFILE_RPC2003, VCS_PROFILE_STUDY2007, VCS_PROFILE_CURRENT};
    (void)unused;
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils * 6; i++) {
        test_host right;
        host_begin_with_two_of_everything(&small, profiles[i % 3]);
        small.project_resources[0].excluded = 1;
        for (uint32_t more = i / 3 % 2 * 18; more > 0; more--) {
            host_add_task(&small, 0, 100, 1e6);
        }
        host_prepare(&small);
        const size_t size = work_size();
        memcpy(&right, &small, sizeof right);
        spoils[i / 6]();
        for (int time = 0; time < 2; time++) { /* that it has been refused does not make it right */
            assert_int_equal(vcs_wrr(small.state, NULL), VCS_OK);
            assert_int_equal(vcs_state_renew(small.state, size, &small.snapshot, &small.parameters, 0, NULL),
                             VCS_ERR_DUPLICATE);
            assert_without_projects(small.state);
        }
        memcpy(&small, &right, sizeof small);
        assert_false(is_quick());
        assert_int_equal(vcs_state_renew(small.state, size, &small.snapshot, &small.parameters, 0, NULL), VCS_OK);
        assert_as_if_prepared();
        host_end(&small);
    }
}

/* It is found when tasks are put in order. */
static void two_tasks_of_one_id(void **unused) {
    static const struct {
        void (*spoil)(void);
        uint32_t more_tasks;
    } cases[] = {{second_as_first, 0}, {first_as_second, 0}, {both_new, 0}, {both_new, 30}, {one_of_many, 18}};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        begin_with_more_tasks(cases[i].more_tasks);
        cases[i].spoil();
        assert_false(is_quick());
        host_end(&small);
        begin_with_more_tasks(cases[i].more_tasks);
        cases[i].spoil();
        for (int time = 0; time < 2; time++) { /* that it has been refused does not make it right */
            assert_int_equal(
                vcs_state_renew(small.state, work_size(), &small.snapshot, &small.parameters, small.now, NULL),
                VCS_ERR_DUPLICATE);
        }
        small.snapshot.resources.count = small.snapshot.candidates.count = 0;
        assert_int_equal(vcs_state_renew(small.state, work_size(), &small.snapshot, &small.parameters, small.now, NULL),
                         VCS_ERR_COUNT);
        host_end(&small);
    }
}

/* Many tasks of the same deadline; one goes to a GPU that is usable half of the time, and takes longer there. */
static void on_another_resource_it_takes_longer(void **unused) {
    (void)unused;
    begin_with_more_tasks(22);
    small.resources[1].usable = 0.5;
    assert_true(is_quick());
    small.tasks[5].gpu = 1;
    small.tasks[5].gpus = 1;
    small.snapshot.tasks
        .count--; /* another task has ended, so that moved tasks find their places one by one */
    assert_true(is_quick());
    vcs_state *prepared;
    void *work = memory();
    assert_int_equal(vcs_state_prepare(&small.snapshot, &small.parameters, small.now, work, MOST_SIZE, &prepared, NULL),
                     VCS_OK);
    assert_same(small.state, prepared);
    free(work);
    host_end(&small);
}

/* New tasks fit into memory that is half as large again. */
static void new_tasks_fit(void **unused) {
    (void)unused;
    host_begin_with_two_of_everything(&small, VCS_PROFILE_CURRENT);
    size_t size;
    uint32_t quick = 0;
    assert_int_equal(vcs_state_size(&small.snapshot, &size), VCS_OK);
    size = 4 * size;
    void *work = malloc(size);
    vcs_state *state;
    assert_non_null(work);
    assert_int_equal(vcs_state_prepare(&small.snapshot, &small.parameters, small.now, work, size, &state, NULL),
                     VCS_OK);
    for (uint32_t i = 0; i < 9; i++) {
        host_add_task(&small, 0, 100, 1e6);
        quick += vcs_renew_quickly(state, &small.snapshot, &small.parameters, small.now) != 0;
        assert_int_equal(vcs_state_renew(state, size, &small.snapshot, &small.parameters, small.now, NULL), VCS_OK);
    }
    assert_int_equal(quick, 8); /* the first one makes space for the others */
    free(work);
}

/* Where there was memory for many tasks, many jobs on offer leave it to them, if all of it reaches for both. */
static void memory_for_many_tasks_is_kept(void **unused) {
    (void)unused;
    for (uint32_t reaches = 0; reaches <= 1; reaches++) {
        host_begin_with_two_of_everything(&small, VCS_PROFILE_CURRENT);
        for (uint32_t i = 0; i < 18; i++) {
            host_add_task(&small, 0, 100, 1e6);
        }
        size_t size;
        assert_int_equal(vcs_state_size(&small.snapshot, &size), VCS_OK);
        size *= 1 + reaches;
        void *work = malloc(size);
        vcs_state *state;
        assert_non_null(work);
        assert_int_equal(vcs_state_prepare(&small.snapshot, &small.parameters, small.now, work, size, &state, NULL),
                         VCS_OK);
        const vcs_array candidates = small.snapshot.candidates;
        small.snapshot.candidates = small.snapshot.tasks;
        small.snapshot.tasks.count = 2;
        assert_int_equal(vcs_state_renew(state, size, &small.snapshot, &small.parameters, small.now, NULL), VCS_OK);
        small.snapshot.tasks.count = 20;
        small.snapshot.candidates = candidates;
        assert_int_equal(vcs_renew_quickly(state, &small.snapshot, &small.parameters, small.now), (int)reaches);
        free(work);
        host_end(&small);
    }
}

/* Where there is no memory to spare, none is needed: not for one job on offer more among many, beside few tasks. */
static void memory_for_just_one_more(void **unused) {
    (void)unused;
    enum { OFFERED = 131 };
    static vcs_task offered[OFFERED];
    host_begin_with_two_of_everything(&small, VCS_PROFILE_CURRENT);
    for (uint32_t i = 0; i < OFFERED; i++) {
        offered[i] = small.tasks[0];
    }
    small.snapshot.candidates = small.snapshot.tasks;
    small.snapshot.candidates.base = offered;
    small.snapshot.candidates.count = OFFERED;
    size_t size;
    assert_int_equal(vcs_state_size(&small.snapshot, &size), VCS_OK);
    void *work = malloc(size);
    vcs_state *state;
    assert_non_null(work);
    small.snapshot.candidates.count = OFFERED - 1;
    assert_int_equal(vcs_state_prepare(&small.snapshot, &small.parameters, small.now, work, size, &state, NULL),
                     VCS_OK);
    small.snapshot.candidates.count = OFFERED;
    assert_int_equal(vcs_renew_quickly(state, &small.snapshot, &small.parameters, small.now), 0);
    assert_int_equal(vcs_state_renew(state, size, &small.snapshot, &small.parameters, small.now, NULL), VCS_OK);
    free(work);
    host_end(&small);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(renewed_as_if_prepared),
        cmocka_unit_test(crowds_renewed_as_if_prepared),
        cmocka_unit_test(what_changes_often_is_quick),
        cmocka_unit_test(another_host_is_quick),
        cmocka_unit_test(fewer_instances_need_no_more_memory),
        cmocka_unit_test(run_times_become_the_same),
        cmocka_unit_test(one_of_a_crowd_changes),
        cmocka_unit_test(one_of_a_crowd_is_not_right),
        cmocka_unit_test(crowds_go_and_come),
        cmocka_unit_test(the_last_take_the_places_of_those_gone),
        cmocka_unit_test(the_last_twice_is_refused),
        cmocka_unit_test(everything_changes),
        cmocka_unit_test(one_or_a_hundred_of_a_thousand_move),
        cmocka_unit_test(greater_changes_are_prepared),
        cmocka_unit_test(every_code_is_tried),
        cmocka_unit_test(bad_input_changes_nothing),
        cmocka_unit_test(a_new_task_that_is_not_right),
        cmocka_unit_test(fluid_tasks_stay_fluid),
        cmocka_unit_test(missing_arguments),
        cmocka_unit_test(memory_of_another_size),
        cmocka_unit_test(two_of_the_same_leave_no_project),
        cmocka_unit_test(two_tasks_of_one_id),
        cmocka_unit_test(on_another_resource_it_takes_longer),
        cmocka_unit_test(new_tasks_fit),
        cmocka_unit_test(memory_for_many_tasks_is_kept),
        cmocka_unit_test(memory_for_just_one_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
