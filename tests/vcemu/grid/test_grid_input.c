/*
 * What a grid refuses, with the right error, and without touching what it would write.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/counted_memory.h"
#include "support/grid_case.h"

static grid_case g;

/* Two projects, and a class of two hosts with two rows. */
static void begin_good(void) {
    begin_grid(&g, 4 * DAY);
    add_units(&g, 1000, DAY);
    add_units(&g, 1000, DAY);
    add_hosts(&g, 2, 1);
    g.rows[0][0].weight = g.rows[0][1].weight = 1;
    g.classes[0].rows.count = 2;
}

static void expect_refused(int expected, int line) {
    vcs_error error = {.struct_size = sizeof error};
    static grid_case before;
    before = g;
    const int code = emulate_grid(&g, &error);
    if (code != expected) {
        fail_msg("line %d: %d (%s) instead of %d", line, code, error.message, expected);
    }
    assert_int_equal(error.code, code);
    assert_true(error.message[0] != '\0');
    assert_memory_equal(&g, &before, sizeof g);
    assert_int_equal(emulate_grid(&g, NULL), expected);
}

/* A good grid is spoilt by one statement. */
#define REFUSED(code, statement)                                                                                       \
    do {                                                                                                               \
        begin_good();                                                                                                  \
        statement;                                                                                                     \
        expect_refused(code, __LINE__);                                                                                \
    } while (0)

static void a_good_grid_is_emulated(void **unused) {
    (void)unused;
    begin_good();
    run_grid(&g);
    assert_true(g.project_outcomes[0].done > 0 && g.project_outcomes[1].done > 0);
    begin_grid(&g, DAY); /* and so is one in which there is nothing, not even places for it */
    g.grid.classes.base = g.grid.projects.base = NULL;
    g.grid.classes.element_size = 0;
    assert_int_equal(g.grid.classes.count + g.grid.projects.count, 0);
    run_grid(&g);
    assert_int_equal(g.outcome.hosts, 0);
    begin_grid(&g, DAY);
    add_units(&g, 1000, DAY)->units = 3;
    run_grid(&g);
    assert_int_equal(g.project_outcomes[0].open, 3);
    begin_grid(&g, DAY); /* hosts that are attached to nothing */
    add_hosts(&g, 2, 1);
    run_grid(&g);
    assert_true(g.outcome.hosts == 2 && g.outcome.idle == 2 * DAY);
    begin_good(); /* and an outcome that nobody wants */
    g.results.outcome = NULL;
    assert_int_equal(emulate_grid(&g, NULL), VCS_OK);
    assert_int_equal(g.outcome.hosts, 0);
    assert_true(g.project_outcomes[0].done > 0);
    begin_good(); /* or the records of projects */
    g.results.projects = NULL;
    g.results.project_count = 0;
    assert_int_equal(emulate_grid(&g, NULL), VCS_OK);
    assert_true(g.outcome.hosts > 0 && g.project_outcomes[0].done == 0);
}

static void missing_pointers(void **unused) {
    (void)unused;
    begin_good();
    assert_int_equal(vcs_emulate_grid(NULL, NULL, &g.results, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_emulate_grid(&g.grid, NULL, NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_emulate_grid(&g.grid, NULL, &g.results, NULL), VCS_OK);
    vcs_error small = {.struct_size = 4};
    assert_int_equal(vcs_emulate_grid(&g.grid, NULL, &g.results, &small), VCS_ERR_ABI_SIZE);
    REFUSED(VCS_ERR_NULL, g.grid.terms.base = NULL);
    REFUSED(VCS_ERR_NULL, g.grid.projects.base = NULL);
    REFUSED(VCS_ERR_NULL, g.grid.classes.base = NULL);
    REFUSED(VCS_ERR_NULL, g.classes[0].scenario = NULL);
    REFUSED(VCS_ERR_NULL, g.classes[0].parameters = NULL);
    REFUSED(VCS_ERR_NULL, g.classes[0].model.base = NULL);
    REFUSED(VCS_ERR_NULL, g.classes[0].rows.base = NULL);
    REFUSED(VCS_ERR_COUNT, g.classes[0].projects.base = NULL);
    REFUSED(VCS_ERR_NULL, g.results.projects = NULL);
    REFUSED(VCS_ERR_NULL, (g.results.host_count = 1, g.results.host_size = sizeof(vcs_grid_host_outcome)));
    REFUSED(VCS_ERR_NULL, (g.results.sample_count = 1, g.results.sample_size = sizeof(vcs_grid_sample)));
    assert_int_equal(vcs_grid_terms_init(NULL, sizeof g.terms), VCS_ERR_NULL);
    assert_int_equal(vcs_grid_project_init(NULL, sizeof *g.projects), VCS_ERR_NULL);
}

static void sizes(void **unused) {
    (void)unused;
    static const struct {
        uint32_t size;
        int code;
    } bad[] = {{0, VCS_ERR_ABI_SIZE}, {12, VCS_ERR_ABI_SIZE}, {8, VCS_ERR_ABI_OLDER}, {4104, VCS_ERR_ABI_SIZE}};
    static vcs_grid_host_outcome hosts[2];
    static vcs_grid_sample samples[2];
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        const uint32_t size = bad[i].size;
        REFUSED(bad[i].code, g.grid.struct_size = size);
        REFUSED(bad[i].code, g.hooks.struct_size = size);
        REFUSED(bad[i].code, g.results.struct_size = size);
        REFUSED(bad[i].code, g.outcome.struct_size = size);
        REFUSED(bad[i].code, g.results.project_size = size);
        REFUSED(bad[i].code, g.grid.terms.element_size = size);
        REFUSED(bad[i].code, g.grid.projects.element_size = size);
        REFUSED(bad[i].code, g.grid.classes.element_size = size);
        REFUSED(bad[i].code, g.classes[0].struct_size = size);
        REFUSED(bad[i].code, g.classes[0].model.element_size = size);
        REFUSED(bad[i].code, g.classes[0].rows.element_size = size);
        REFUSED(bad[i].code, (g.results.hosts = hosts, g.results.host_count = 1, g.results.host_size = size));
        REFUSED(bad[i].code, (g.results.samples = samples, g.results.sample_count = 1, g.results.sample_size = size));
        assert_int_equal(vcs_grid_terms_init(&g.terms, size), bad[i].code);
        assert_int_equal(vcs_grid_project_init(g.projects, size), bad[i].code);
    }
    REFUSED(VCS_ERR_ABI_SIZE, g.classes[0].struct_size += 8); /* longer than the element that it is in */
    REFUSED(VCS_ERR_ABI_SIZE, g.grid.classes.base = (const char *)g.classes + 4);
    REFUSED(VCS_ERR_ABI_OLDER, g.classes[0].hooks = &(vcs_hooks){.struct_size = 8});
}

static void counts(void **unused) {
    (void)unused;
    REFUSED(VCS_ERR_COUNT, g.grid.terms.count = 0);
    REFUSED(VCS_ERR_COUNT, g.grid.terms.count = 2);
    REFUSED(VCS_ERR_COUNT, g.classes[0].model.count = 0);
    REFUSED(VCS_ERR_COUNT, g.classes[0].model.count = 2);
    REFUSED(VCS_ERR_COUNT, g.classes[0].projects.count = 1);
    REFUSED(VCS_ERR_COUNT, g.classes[0].projects.element_size = 8);
    REFUSED(VCS_ERR_COUNT, g.results.project_count = 1);
    REFUSED(VCS_ERR_OVERFLOW, g.models[0].count = VCS_MAX_HOSTS + 1);
    REFUSED(VCS_ERR_RANGE, g.rows[0][0].weight = g.rows[0][1].weight = 0);
    begin_good();
    for (uint32_t i = 1; i < 3; i++) {
        add_hosts(&g, VCS_MAX_HOSTS / 2, 1);
    }
    expect_refused(VCS_ERR_OVERFLOW, __LINE__);
}

/* No integer holds how many these are; the heap ends the test if it is not seen. */
static void numbers_of_hosts_that_wrap_round(void **unused) {
    (void)unused;
    static heap h;
    h = (heap){.fail_at = 100};
    begin_good();
    add_hosts(&g, UINT64_C(1) << 63, 1);
    g.models[0].count = UINT64_C(1) << 63;
    g.hooks.context = &h;
    g.hooks.allocate = heap_allocate;
    g.hooks.release = heap_release;
    expect_refused(VCS_ERR_OVERFLOW, __LINE__);
}

static void flags_and_reserved_fields(void **unused) {
    (void)unused;
    const vcs_hooks odd = {.struct_size = sizeof odd, .flags = 1};
    REFUSED(VCS_ERR_FLAGS, g.grid.flags = 1);
    REFUSED(VCS_ERR_ABI_OLDER, g.hosts[0].scenario.struct_size = 8);
    REFUSED(VCS_ERR_FLAGS, g.hooks.flags = 1);
    REFUSED(VCS_ERR_FLAGS, g.results.flags = 1);
    REFUSED(VCS_ERR_FLAGS, g.terms.flags = 2);
    REFUSED(VCS_ERR_FLAGS, g.classes[0].flags = 1);
    REFUSED(VCS_ERR_FLAGS, g.classes[0].hooks = &odd);
    REFUSED(VCS_ERR_FLAGS, g.models[0].flags = 4);
    REFUSED(VCS_ERR_FLAGS, g.projects[1].flags = 32);
    REFUSED(VCS_ERR_FLAGS, g.projects[1].verification = 6);
    REFUSED(VCS_ERR_FLAGS, g.projects[1].dispatch = 2);
    REFUSED(VCS_ERR_FLAGS, g.projects[1].distribution = VCS_SIZES_LIST);
    REFUSED(VCS_ERR_FLAGS, g.projects[1].distribution = VCS_SIZES_LOG_NORMAL + 1);
    REFUSED(VCS_ERR_FLAGS, g.hooks.allocate = (void *(*)(void *, size_t))abort);
    REFUSED(VCS_ERR_FLAGS, g.results.reserved0 = &g);
    REFUSED(VCS_ERR_FLAGS, g.classes[0].reserved0 = &g);
    REFUSED(VCS_ERR_ABI_NEWER, g.terms.reserved[2] = 1);
    REFUSED(VCS_ERR_ABI_NEWER, g.projects[1].reserved[0] = 1);
    REFUSED(VCS_ERR_ABI_NEWER, g.models[0].reserved0 = 1);
    REFUSED(VCS_ERR_ABI_NEWER, g.rows[0][1].reserved[0] = 1);
}

static void numbers(void **unused) {
    (void)unused;
    static const double bad[] = {NAN, INFINITY, -1};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        const int code = i < 2 ? VCS_ERR_NOT_FINITE : VCS_ERR_RANGE;
        REFUSED(code, g.terms.duration = bad[i]);
        REFUSED(code, g.terms.sample = bad[i]);
        REFUSED(code, g.projects[1].unit_rate = bad[i]);
        REFUSED(code, g.projects[1].delay_bound = bad[i]);
        REFUSED(code, g.projects[1].est_flops = bad[i]);
        REFUSED(code, g.projects[1].mean_flops = bad[i]);
        REFUSED(code, g.projects[1].input_bytes = bad[i]);
        REFUSED(code, g.projects[1].output_bytes = bad[i]);
        REFUSED(code, g.projects[1].recomputation = bad[i]);
        REFUSED(code, g.projects[1].spot_checks = bad[i]);
        REFUSED(code, g.models[0].speed_sd = bad[i]);
        REFUSED(code, g.models[0].arrivals = bad[i]);
        REFUSED(code, g.models[0].lifetime = bad[i]);
        REFUSED(code, g.models[0].rate = bad[i]);
        REFUSED(code, g.models[0].no_reply = bad[i]);
        REFUSED(code, g.models[0].saboteurs = bad[i]);
        REFUSED(code, g.rows[0][1].weight = bad[i]);
        REFUSED(code, g.rows[0][1].flops = bad[i]);
    }
    REFUSED(VCS_ERR_RANGE, g.terms.duration = 0);
    REFUSED(VCS_ERR_RANGE, g.terms.start = 2e12);
    REFUSED(VCS_ERR_RANGE, g.projects[1].min_quorum = 0);
    REFUSED(VCS_ERR_RANGE, g.projects[1].min_quorum = 2);
    REFUSED(VCS_ERR_RANGE, g.projects[1].target_nresults = 11);
    REFUSED(VCS_ERR_RANGE, g.projects[1].max_total = 4097);
    REFUSED(VCS_ERR_RANGE, g.projects[1].dead_factor = g.projects[1].wait_factor);
    REFUSED(VCS_ERR_RANGE, g.models[0].client_error = 1.5);
}

/* Whether anything is emulated or not: a quorum that its copies cannot reach is no quorum. */
static void a_quorum_out_of_reach_is_refused_without_hosts(void **unused) {
    (void)unused;
    REFUSED(VCS_ERR_RANGE, (g.models[0].count = 0, g.projects[1].min_quorum = 2));
    REFUSED(VCS_ERR_RANGE, (g.models[0].count = 0, g.projects[1].target_nresults = 11));
    REFUSED(VCS_ERR_RANGE, (g.models[0].count = 0, g.projects[1].max_total = 4097));
}

static void what_does_not_go_together(void **unused) {
    (void)unused;
    REFUSED(VCS_ERR_UNSUPPORTED, g.projects[1].verification = VCS_GRID_CHECK_INVERSE);
    REFUSED(VCS_ERR_UNSUPPORTED, g.projects[1].verification = VCS_GRID_CHECK_CREDIBILITY);
    REFUSED(VCS_ERR_UNSUPPORTED,
            (g.projects[1].dispatch = VCS_GRID_BY_REPLY, g.projects[1].verification = VCS_GRID_CHECK_ADAPTIVE));
    REFUSED(VCS_ERR_UNSUPPORTED, (g.projects[1].dispatch = VCS_GRID_BY_REPLY, g.projects[1].min_quorum = 2,
                                  g.projects[1].target_nresults = 2));
    REFUSED(VCS_ERR_UNSUPPORTED, (g.projects[1].verification = VCS_GRID_CHECK_RECOMPUTATION,
                                  g.projects[1].min_quorum = 2, g.projects[1].target_nresults = 2));
    REFUSED(VCS_ERR_UNSUPPORTED, add_task(&g.hosts[0], 0, 100, DAY));
    REFUSED(VCS_ERR_INDEX, g.attached[0][1] = 2);
    REFUSED(VCS_ERR_INDEX, g.attached[0][1] = 0); /* each project once */
}

/* What is wrong with the host of a class is found before anything is emulated; with a row, when its host arrives. */
static void bad_hosts(void **unused) {
    (void)unused;
    REFUSED(VCS_ERR_RANGE, g.hosts[0].emulation.max_reply = 0);
    REFUSED(VCS_ERR_RANGE, g.hosts[0].resources[0].usable = 2);
    REFUSED(VCS_ERR_COUNT, g.hosts[0].scenario.models.count = 1);
    REFUSED(VCS_ERR_FLAGS, g.hosts[0].scenario.flags = 1);
    REFUSED(VCS_ERR_RANGE, g.rows[0][1].available = 0.5); /* and nothing says how long its spells are */
}

/* Of several classes it is said which. */
static void the_class_at_fault_is_named(void **unused) {
    (void)unused;
    static const char *const messages[] = {
        "class 1: classes have no scenario or no parameters",
        "class 1: classes have a size, fields or flags that this version of the library does not know",
        "class 1: host_row 1: weight is negative",
        "class 1: resource 0: usable is too large",
        "class 1: emulation: available_mean must be at least 0.001 s unless the host is always on",
    };
    for (size_t i = 0; i < COUNT_OF(messages); i++) {
        vcs_error error = {.struct_size = sizeof error};
        begin_good();
        add_hosts(&g, 2, 1);
        g.classes[1].rows.count = 2;
        g.rows[1][0].weight = 1;
        g.classes[1].parameters = i == 0 ? NULL : g.classes[1].parameters;
        g.classes[1].flags = i == 1;
        g.rows[1][1].weight = i == 2 ? -1 : 1;
        g.hosts[1].resources[0].usable = i == 3 ? 2 : 1;
        g.rows[1][0].available = i == 4 ? 0.5 : 0;
        assert_true(emulate_grid(&g, &error) < VCS_OK);
        assert_string_equal(error.message, messages[i]);
        assert_true(error.index == 1 || i > 1);
    }
}

/* The defaults of the manual. */
static void defaults(void **unused) {
    (void)unused;
    struct {
        vcs_grid_terms known;
        uint64_t more;
    } newer;
    memset(&newer, 0x55, sizeof newer);
    assert_int_equal(vcs_grid_terms_init(&newer.known, sizeof newer), VCS_OK);
    assert_int_equal(newer.known.struct_size, sizeof newer);
    assert_true(newer.known.duration == 100 * DAY && newer.known.seed == 1 && newer.known.sample == 0);
    assert_true(newer.more == 0);
    vcs_grid_project project;
    assert_int_equal(vcs_grid_project_init(&project, sizeof project), VCS_OK);
    assert_true(project.units == 0 && project.mean_flops == 3.6e12 && project.delay_bound == 7 * DAY);
    assert_true(project.min_quorum == 1 && project.target_nresults == 1 && project.max_total == 10);
}

/* A class may be shorter or longer than the library's if what it does not know is 0. */
static void longer_classes(void **unused) {
    (void)unused;
    struct {
        vcs_host_class known;
        uint64_t more[8]; /* so many that no next version knows them all */
    } longer[1];
    begin_good();
    memset(longer, 0, sizeof longer);
    longer[0].known = g.classes[0];
    longer[0].known.struct_size = sizeof *longer;
    g.grid.classes = array_of(longer, sizeof *longer, 1);
    run_grid(&g);
    assert_true(g.project_outcomes[0].done > 0);
    longer[0].more[7] = 1;
    expect_refused(VCS_ERR_ABI_NEWER, __LINE__);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_grid_is_emulated),
        cmocka_unit_test(missing_pointers),
        cmocka_unit_test(sizes),
        cmocka_unit_test(counts),
        cmocka_unit_test(numbers_of_hosts_that_wrap_round),
        cmocka_unit_test(flags_and_reserved_fields),
        cmocka_unit_test(numbers),
        cmocka_unit_test(a_quorum_out_of_reach_is_refused_without_hosts),
        cmocka_unit_test(what_does_not_go_together),
        cmocka_unit_test(bad_hosts),
        cmocka_unit_test(the_class_at_fault_is_named),
        cmocka_unit_test(defaults),
        cmocka_unit_test(longer_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
