/*
 * The memory of a grid.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/counted_memory.h"
#include "support/grid_any.h"

#include "vcsched/core/fence.h"

static void use_heap(grid_case *g, heap *h) {
    *h = (heap){0};
    g->hooks.allocate = heap_allocate;
    g->hooks.release = heap_release;
    g->hooks.context = h;
}

static grid_case g;

static void begin_small_grid(double duration) {
    begin_grid(&g, duration);
    add_units(&g, 1000, DAY)->min_quorum = 2;
    g.projects[0].target_nresults = 2;
    add_hosts(&g, 8, 2);
}

/* Finished units leave their memory to new ones, and hosts that leave to hosts that come. */
static void memory_does_not_grow_with_time(void **unused) {
    (void)unused;
    heap runs[2];
    for (uint32_t i = 0; i < 2; i++) {
        begin_small_grid(i == 0 ? 5 * DAY : 40 * DAY);
        use_heap(&g, &runs[i]);
        run_grid(&g);
        assert_int_equal(runs[i].used, 0);
        assert_int_equal(runs[i].pieces, 0);
    }
    assert_true(runs[1].most <= runs[0].most + runs[0].most / 4);
}

/* How much that is, on a machine of 64 bits and without gaps between arrays; by reply, too. */
static void what_a_grid_takes(void **unused) {
    (void)unused;
    heap h;
    if (sizeof(void *) != 8 || VCS_GAP != 0) {
        skip();
    }
    begin_small_grid(5 * DAY);
    use_heap(&g, &h);
    run_grid(&g);
    assert_int_equal(h.most, 958559);
    assert_int_equal(h.asked, 506);
    begin_small_grid(5 * DAY);
    g.projects[0].min_quorum = 1;
    g.projects[0].target_nresults = 1;
    g.projects[0].dispatch = VCS_GRID_BY_REPLY;
    use_heap(&g, &h);
    run_grid(&g);
    assert_int_equal(h.most, 1145332);
    assert_int_equal(h.asked, 608);
}

static int ignore_event(void *context, const vcs_grid_event *event) {
    (void)context;
    (void)event;
    return VCS_OK;
}

/* Whichever allocation fails, of the first 50 each and later ones here and there, the emulation ends with an error,
   nothing is written, and nothing is leaked. */
static void check_missing_memory(uint64_t round) {
    static vcs_grid_host_outcome rows[300];
    static vcs_grid_sample samples[3][10];
    heap h;
    for (uint32_t fail_at = 1;; fail_at += 1 + fail_at / 50) {
        random_stream r = {round};
        any_grid(&g, &r, 3, 2);
        g.terms.duration = 0.5 * DAY;
        g.terms.sample = g.terms.duration / 10;
        g.hooks.observe = ignore_event; /* events need memory, too */
        g.results.hosts = rows;
        g.results.host_size = sizeof *rows;
        g.results.host_count = COUNT_OF(rows);
        g.results.samples = samples[0];
        g.results.sample_size = sizeof **samples;
        g.results.sample_count = COUNT_OF(*samples);
        memset(rows, 0x55, sizeof rows);
        memset(samples, 0x55, sizeof samples);
        memset(g.project_outcomes, 0x55, sizeof g.project_outcomes);
        use_heap(&g, &h);
        h.fail_at = fail_at;
        vcs_error error = {.struct_size = sizeof error};
        const int code = emulate_grid(&g, &error);
        assert_int_equal(h.pieces, 0);
        assert_int_equal(h.used, 0);
        if (code == VCS_OK) {
            assert_true(fail_at > 50); /* so many were needed */
            break;
        }
        assert_int_equal(code, VCS_ERR_MEMORY);
        assert_int_equal(error.code, code);
        assert_string_equal(error.message, "there is not enough memory");
        assert_int_equal(((const unsigned char *)rows)[0], 0x55);
        assert_int_equal(((const unsigned char *)samples)[0], 0x55);
        assert_int_equal(((const unsigned char *)g.project_outcomes)[0], 0x55);
        assert_int_equal(g.outcome.hosts, 0);
    }
}

/* Each allocation of a small grid in which a host is caught early, and its results are withdrawn. */
static void no_allocation_is_left_out(void **unused) {
    (void)unused;
    heap h;
    int code = VCS_ERR_MEMORY;
    for (uint32_t fail_at = 1; code != VCS_OK; fail_at++) {
        begin_grid(&g, 0.3 * DAY);
        add_units(&g, 1000, DAY)->spot_checks = 0.5;
        g.projects[0].flags = VCS_GRID_BLACKLIST | VCS_GRID_WITHDRAW | VCS_GRID_ASSIMILATE_LAST;
        g.projects[0].units = 20;
        g.projects[0].target_nresults = 3;
        add_hosts(&g, 3, 1)->flags = VCS_HOSTS_REPLACED;
        g.models[0].saboteurs = g.models[0].sabotage = 0.6;
        g.models[0].lifetime = 0.1 * DAY;
        g.hosts[0].parameters.report_delay = 0;
        use_heap(&g, &h);
        h.fail_at = fail_at;
        code = emulate_grid(&g, NULL);
        assert_true(code == VCS_OK || code == VCS_ERR_MEMORY);
        assert_int_equal(h.pieces, 0);
    }
    assert_true(g.project_outcomes[0].caught > 0);
}

/* A unit of 600 copies that no host can take: the transition which looks after it is the first to need much memory. */
static void nor_those_of_a_transition(void **unused) {
    (void)unused;
    heap h;
    int code = VCS_ERR_MEMORY;
    for (uint32_t fail_at = 1; code != VCS_OK; fail_at++) {
        begin_grid(&g, 12 * DAY);
        vcs_grid_project *project = add_units(&g, 1000, DAY);
        project->units = 1;
        project->target_nresults = project->max_total = 600;
        add_hosts(&g, 1, 1);
        g.hosts[0].host.ram = 1;
        g.hosts[0].models[0].ram = 2;
        use_heap(&g, &h);
        h.fail_at = fail_at;
        code = emulate_grid(&g, NULL);
        assert_true(code == VCS_OK || code == VCS_ERR_MEMORY);
        assert_int_equal(h.pieces, 0);
    }
    assert_int_equal(g.project_outcomes[0].open, 1);
    assert_int_equal(g.project_outcomes[0].copies, 0);
}

/* The bounds of two hosts: alike, or of different speeds, between which bounds are interpolated. */
static void nor_those_of_bounds(void **unused) {
    (void)unused;
    heap h;
    for (uint32_t varied = 0; varied <= 1; varied++) {
        int code = VCS_ERR_MEMORY;
        vcs_grid_host_outcome rows[2];
        for (uint32_t fail_at = 1; code != VCS_OK; fail_at++) {
            begin_grid(&g, 0.1 * DAY);
            g.terms.flags = VCS_GRID_BOUNDS;
            g.results.hosts = rows;
            g.results.host_size = sizeof *rows;
            g.results.host_count = 2;
            add_units(&g, 1000, DAY);
            add_hosts(&g, 2, 1)->speed_sd = 0.1 * varied;
            g.hosts[0].emulation.available = 0.5;
            g.hosts[0].emulation.available_mean = DAY;
            use_heap(&g, &h);
            h.fail_at = fail_at;
            code = emulate_grid(&g, NULL);
            assert_true(code == VCS_OK || code == VCS_ERR_MEMORY);
            assert_int_equal(h.pieces, 0);
        }
        assert_true(rows[0].least_loss > 0);
    }
}

static void missing_memory_is_an_error(void **unused) {
    (void)unused;
    for (uint64_t round = 1; round <= 4; round++) {
        check_missing_memory(round);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_does_not_grow_with_time),
        cmocka_unit_test(what_a_grid_takes),
        cmocka_unit_test(no_allocation_is_left_out),
        cmocka_unit_test(nor_those_of_a_transition),
        cmocka_unit_test(nor_those_of_bounds),
        cmocka_unit_test(missing_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
