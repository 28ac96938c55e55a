/*
 * Scenarios that are refused.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/emulation_case.h"

static void *allocate_nothing(void *context, size_t size) {
    (void)context;
    (void)size;
    return NULL;
}

static void refuse(case_records *c, int code, const char *field) {
    vcs_error error = {.struct_size = sizeof error};
    c->outcome.struct_size = sizeof c->outcome;
    const vcs_outcome before = c->outcome;
    assert_int_equal(emulate(c, &error), code);
    assert_string_equal(error.field, field);
    assert_memory_equal(&c->outcome, &before, sizeof before);
}

static void begin_good(case_records *c) {
    begin(c, VCS_PROFILE_CURRENT, 1, DAY);
    add_app(c, add_project(c), 1000, DAY);
}

#define REFUSE(change, code, field)                                                                                    \
    do {                                                                                                               \
        case_records c;                                                                                                \
        begin_good(&c);                                                                                                \
        change;                                                                                                        \
        refuse(&c, code, field);                                                                                       \
    } while (0)

static void bad_scenarios_are_refused(void **unused) {
    (void)unused;
    REFUSE(c.emulation.duration = 0, VCS_ERR_RANGE, "duration");
    REFUSE(c.emulation.duration = NAN, VCS_ERR_NOT_FINITE, "duration");
    REFUSE(c.emulation.available = 1.5, VCS_ERR_RANGE, "available");
    REFUSE(c.emulation.available = 0.5, VCS_ERR_RANGE, "available_mean");
    REFUSE(c.emulation.study_rules = 2, VCS_ERR_FLAGS, "study_rules");
    REFUSE(c.emulation.max_reply = 0, VCS_ERR_RANGE, "max_reply");
    REFUSE(c.emulation.flags = 2, VCS_ERR_FLAGS, "flags");
    REFUSE(c.emulation.reserved[1] = 1, VCS_ERR_ABI_NEWER, "reserved");
    REFUSE(c.models[0].latency_bound = 0, VCS_ERR_RANGE, "latency_bound");
    REFUSE(c.models[0].sd_flops = -1, VCS_ERR_RANGE, "sd_flops");
    REFUSE(c.models[0].gpu = 1, VCS_ERR_INDEX, "gpu");
    REFUSE(c.models[0].gpus = 1, VCS_ERR_RANGE, "gpus");
    REFUSE(c.models[0].distribution = 5, VCS_ERR_FLAGS, "distribution");
    REFUSE(c.models[0].fraction_blur = -1, VCS_ERR_RANGE, "fraction_blur");
    REFUSE(c.models[0].fraction_blur = 4.5, VCS_ERR_RANGE, "fraction_blur");
    REFUSE(c.models[0].fraction_step = 1.5, VCS_ERR_RANGE, "fraction_step");
    REFUSE(c.models[0].distribution = VCS_SIZES_LIST, VCS_ERR_INDEX, "size_count");
    REFUSE(c.servers[0].network_failure = 2, VCS_ERR_RANGE, "network_failure");
    REFUSE(c.servers[0].up_mean = 1, VCS_ERR_RANGE, "down_mean");
    REFUSE(c.servers[0].master_failure = 2, VCS_ERR_RANGE, "master_failure");
    REFUSE(c.servers[0].schedulers = 1001, VCS_ERR_RANGE, "schedulers");
    REFUSE(c.servers[0].moves_at = -1, VCS_ERR_RANGE, "moves_at");
    REFUSE(c.projects[0].share = -1, VCS_ERR_RANGE, "share");
    REFUSE(c.scenario.models.count = 0, VCS_ERR_COUNT, "models");
    REFUSE(c.scenario.servers.count = 2, VCS_ERR_COUNT, "servers");
    REFUSE(c.scenario.emulation.count = 0, VCS_ERR_COUNT, "emulation");
    REFUSE((c.switches[0] = 2, c.switches[1] = 1, c.scenario.switches.count = 2), VCS_ERR_RANGE, "switches");
    REFUSE((c.sizes[0] = -1, c.scenario.sizes.count = 1), VCS_ERR_RANGE, "sizes");
    REFUSE((c.parameters.discipline = VCS_DISCIPLINE_FLUID, c.models[0].cpus = 2), VCS_ERR_UNSUPPORTED, "cpus");
    REFUSE(c.resources[0].instances = 1000000000, VCS_ERR_RANGE, "instances");
    REFUSE(c.resources[0].instances = 0, VCS_ERR_RANGE, "instances");
    REFUSE((c.sizes[0] = 2e30, c.scenario.sizes.count = 1), VCS_ERR_RANGE, "sizes");
    REFUSE((c.sizes[0] = NAN, c.scenario.sizes.count = 1), VCS_ERR_NOT_FINITE, "sizes");
    REFUSE((c.switches[0] = 2e12, c.scenario.switches.count = 1), VCS_ERR_RANGE, "switches");
    REFUSE((c.switches[0] = NAN, c.scenario.switches.count = 1), VCS_ERR_NOT_FINITE, "switches");
    REFUSE((c.models[0].distribution = VCS_SIZES_LIST, c.models[0].size_count = 1), VCS_ERR_INDEX, "size_count");
    REFUSE((c.models[0].distribution = VCS_SIZES_LIST, c.models[0].first_size = UINT32_MAX, c.models[0].size_count = 1),
           VCS_ERR_INDEX, "size_count");
    REFUSE(c.servers[0].up_mean = 1e-4, VCS_ERR_RANGE, "up_mean");
    REFUSE((c.scenario.snapshot.candidates = array_of(c.tasks, sizeof *c.tasks, 1)), VCS_ERR_COUNT, "candidates");
    REFUSE((c.parameters.discipline = VCS_DISCIPLINE_FLUID, c.scenario.snapshot.resources.count = 2,
            c.resources[1] = (vcs_resource){.id = 2, .flops = 1, .usable = 1, .instances = 1}, c.models[0].gpu = 1,
            c.models[0].gpus = 1),
           VCS_ERR_UNSUPPORTED, "cpus");
    REFUSE(c.scenario.struct_size = 12, VCS_ERR_ABI_SIZE, "");
    REFUSE(c.scenario.struct_size -= 24, VCS_ERR_ABI_OLDER, "");
    REFUSE(c.scenario.snapshot.struct_size = 0, VCS_ERR_ABI_SIZE, "");
    REFUSE(c.scenario.snapshot.struct_size -= 8, VCS_ERR_ABI_OLDER, "");
    REFUSE(c.scenario.snapshot.struct_size = 4096, VCS_ERR_ABI_SIZE, ""); /* does not fit in the scenario */
    REFUSE(c.hooks.struct_size -= 8, VCS_ERR_ABI_OLDER, "");
    REFUSE(c.hooks.allocate = allocate_nothing, VCS_ERR_FLAGS, "");
}

/* Each array of the scenario itself is looked at before it is read; the message says which is wrong. */
static void arrays_are_checked(void **unused) {
    (void)unused;
    static const struct {
        size_t offset;
        const char *message;
    } cases[] = {
        {offsetof(vcs_scenario, emulation), "emulation: is not a valid array"},
        {offsetof(vcs_scenario, models), "job_model 0: is not a valid array"},
        {offsetof(vcs_scenario, servers), "server_model 0: is not a valid array"},
        {offsetof(vcs_scenario, sizes), "sizes is not a valid array"},
        {offsetof(vcs_scenario, switches), "switches is not a valid array"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        case_records c;
        vcs_error error = {.struct_size = sizeof error};
        begin_good(&c);
        vcs_array *array = (vcs_array *)(void *)((unsigned char *)&c.scenario + cases[i].offset);
        array->element_size = 12;
        array->count = 1;
        assert_int_equal(emulate(&c, &error), VCS_ERR_ABI_SIZE);
        assert_string_equal(error.message, cases[i].message);
    }
}

/* ---- Callers of another age ---- */

/* A scenario of a newer caller: its snapshot and itself are longer, by a number that this library does not know. */
typedef struct longer_scenario {
    uint32_t struct_size, flags;
    vcs_snapshot snapshot;
    uint64_t new_in_snapshot;
    vcs_array emulation, models, servers, sizes, switches;
    uint64_t new_in_scenario;
} longer_scenario;

typedef struct longer_hooks {
    vcs_hooks known;
    uint64_t new_in_hooks;
} longer_hooks;

static longer_scenario lengthen(const vcs_scenario *scenario) {
    longer_scenario longer = {sizeof longer,       0,
                              scenario->snapshot,  0,
                              scenario->emulation, scenario->models,
                              scenario->servers,   scenario->sizes,
                              scenario->switches,  0};
    longer.snapshot.struct_size += sizeof longer.new_in_snapshot;
    return longer;
}

static int emulate_longer(const case_records *c, const longer_scenario *scenario, const longer_hooks *hooks,
                          vcs_outcome *outcome) {
    outcome->struct_size = sizeof *outcome;
    return vcs_emulate((const vcs_scenario *)(const void *)scenario, &c->parameters,
                       (const vcs_hooks *)(const void *)hooks, outcome, NULL, NULL, NULL);
}

static void newer_scenarios_and_hooks_are_understood(void **unused) {
    (void)unused;
    case_records c;
    vcs_outcome outcome;
    begin_good(&c);
    run(&c);
    longer_scenario scenario = lengthen(&c.scenario);
    longer_hooks hooks = {c.hooks, 0};
    hooks.known.struct_size = sizeof hooks;
    assert_int_equal(emulate_longer(&c, &scenario, &hooks, &outcome), VCS_OK);
    assert_true(outcome.ended > 0);
    assert_memory_equal(&outcome, &c.outcome, sizeof outcome);
    uint64_t *const unknown[] = {&scenario.new_in_snapshot, &scenario.new_in_scenario, &hooks.new_in_hooks};
    for (size_t i = 0; i < COUNT_OF(unknown); i++) {
        *unknown[i] = 1;
        assert_int_equal(emulate_longer(&c, &scenario, &hooks, &outcome), VCS_ERR_ABI_NEWER);
        *unknown[i] = 0;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_scenarios_are_refused),
        cmocka_unit_test(arrays_are_checked),
        cmocka_unit_test(newer_scenarios_and_hooks_are_understood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
