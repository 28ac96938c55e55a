/*
 * The memory of a grid.
 *
 * SPDX-License-Identifier: MIT
 */
#include "emulator/grid_any.h"

typedef struct heap {
    size_t used, most;
    uint32_t pieces, fail_at;
} heap;

static void *allocate(void *context, size_t size) {
    heap *h = context;
    if (h->fail_at != 0 && --h->fail_at == 0) {
        return NULL;
    }
    h->used += size;
    h->most = h->used > h->most ? h->used : h->most;
    h->pieces++;
    return malloc(size);
}

static void release(void *context, void *memory, size_t size) {
    heap *h = context;
    h->used -= size;
    h->pieces--;
    free(memory);
}

static void use_heap(grid_case *g, heap *h) {
    *h = (heap){0};
    g->hooks.allocate = allocate;
    g->hooks.release = release;
    g->hooks.context = h;
}

static grid_case g;

/* Units that are finished leave their memory to others, and hosts that have left to those that come. */
static void memory_does_not_grow_with_time(void **unused) {
    (void)unused;
    heap runs[2];
    for (uint32_t i = 0; i < 2; i++) {
        begin_grid(&g, i == 0 ? 5 * DAY : 40 * DAY);
        add_units(&g, 1000, DAY)->min_quorum = 2;
        g.projects[0].target_nresults = 2;
        add_hosts(&g, 8, 2);
        use_heap(&g, &runs[i]);
        run_grid(&g);
        assert_int_equal(runs[i].used, 0);
        assert_int_equal(runs[i].pieces, 0);
    }
    assert_true(runs[1].most <= runs[0].most + runs[0].most / 4);
}

static int ignore_event(void *context, const vcs_grid_event *event) {
    (void)context;
    (void)event;
    return VCS_OK;
}

/* Whichever allocation fails (all of the first 50, later ones here and there), the emulation ends with an error, nothing is written, and nothing is leaked. */
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

static void missing_memory_is_an_error(void **unused) {
    (void)unused;
    for (uint64_t round = 1; round <= 4; round++) {
        check_missing_memory(round);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_does_not_grow_with_time),
        cmocka_unit_test(missing_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
