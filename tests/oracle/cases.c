/* SPDX-License-Identifier: MIT */
#include "oracle/cases.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle_records.h"
#include "support/array.h"
#include "support/effort.h"
#include "support/float_mode.h"

static void insist(int code, const char *call, const char *message) {
    if (code != VCS_OK) {
        fprintf(stderr, "%s: %s %s\n", call, vcs_error_name(code), message);
        abort();
    }
}

/* Which cases */

static uint64_t number_in_environment(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);
    return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

/* Meson takes this for "skipped". */
#define SKIPPED 77

static void enter_mode_in_environment(void) {
    const char *name = getenv("VCS_FLOAT_MODE");
    float_mode mode = FLOAT_ORDINARY;
    while (name != NULL && strcmp(float_mode_name(mode), name) != 0) {
        insist(++mode < FLOAT_MODES ? VCS_OK : VCS_ERR_FLAGS, "VCS_FLOAT_MODE", name);
    }
    if (!float_mode_enter(mode)) {
        exit(SKIPPED);
    }
}

seeds seeds_of_test(uint64_t block, uint64_t usual_count) {
    enter_mode_in_environment();
    const uint64_t most = number_in_environment("VCS_MOST_CASES", usual_count);
    return (seeds){
        .first = number_in_environment("VCS_SEED", block * 1000000000 + 1),
        .count = number_in_environment("VCS_CASES", cases_to_try(usual_count < most ? usual_count : most)),
    };
}

/* The library's answers */

vcs_state *prepare_case(const random_state *s) {
    size_t size;
    vcs_state *state;
    vcs_error error = {.struct_size = sizeof error};
    insist(vcs_state_size(&s->snapshot, &size), "vcs_state_size", "");
    void *memory = oracle_allocate(size, 1);
    memset(memory, 0x7f, size); /* great numbers, if anything is read before it is written */
    insist(vcs_state_prepare(&s->snapshot, &s->parameters, s->now, memory, size, &state, &error), "vcs_state_prepare",
           error.message);
    return state;
}

void free_case(vcs_state *state) {
    free(state); /* the state begins where its memory does */
}

oracle_wrr library_wrr(vcs_state *state, const vcs_snapshot *snapshot) {
    oracle_wrr found = oracle_wrr_new(snapshot);
    uint32_t resources = snapshot->resources.count;
    uint32_t project_resources = snapshot->projects.count * resources;
    insist(vcs_wrr(state, &found.summary), "vcs_wrr", "");
    insist(vcs_wrr_tasks(state, ARRAY(found.tasks, snapshot->tasks.count)), "vcs_wrr_tasks", "");
    insist(vcs_wrr_resources(state, ARRAY(found.resources, resources)), "vcs_wrr_resources", "");
    insist(vcs_wrr_project_resources(state, ARRAY(found.project_resources, project_resources)),
           "vcs_wrr_project_resources", "");
    return found;
}

oracle_edf_outcome library_edf(vcs_state *state, const vcs_snapshot *snapshot, uint32_t which) {
    oracle_edf_outcome found = oracle_edf_new(snapshot);
    uint32_t resources = snapshot->resources.count;
    insist(vcs_edf(state, which, &found.summary), "vcs_edf", "");
    insist(vcs_edf_tasks(state, ARRAY(found.tasks, snapshot->tasks.count)), "vcs_edf_tasks", "");
    insist(vcs_edf_resources(state, ARRAY(found.resources, resources)), "vcs_edf_resources", "");
    return found;
}

/* Shuffled states, put back into the order of the original */

static oracle_wrr unshuffled_wrr(const oracle_wrr *outcome, const vcs_snapshot *snapshot, const random_places *places) {
    oracle_wrr back = oracle_wrr_new(snapshot);
    uint32_t resources = snapshot->resources.count;
    back.summary = outcome->summary;
    memcpy(back.resources, outcome->resources, resources * sizeof *back.resources);
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        back.tasks[i] = outcome->tasks[places->tasks[i]];
    }
    for (uint32_t p = 0; p < snapshot->projects.count; p++) {
        for (uint32_t r = 0; r < resources; r++) {
            back.project_resources[p * resources + r] = outcome->project_resources[places->projects[p] * resources + r];
        }
    }
    return back;
}

static oracle_edf_outcome unshuffled_edf(const oracle_edf_outcome *outcome, const vcs_snapshot *snapshot,
                                  const random_places *places) {
    oracle_edf_outcome back = oracle_edf_new(snapshot);
    back.summary = outcome->summary;
    memcpy(back.resources, outcome->resources, snapshot->resources.count * sizeof *back.resources);
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        back.tasks[i] = outcome->tasks[places->tasks[i]];
    }
    return back;
}

/* Differences */

bool same_double(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

bool same_field(bool same, const char *what, uint64_t seed, const char *record, uint32_t index, const char *field,
                double expected, double found) {
    if (!same) {
        printf("%s, VCS_SEED=%" PRIu64 " VCS_CASES=1: %s %" PRIu32 " %s: expected %.17g, found %.17g\n", what, seed,
               record, index, field, expected, found);
    }
    return same;
}

#define SAME_DOUBLE(record, index, a, b, field)                                                                        \
    same_field(same_double((a)->field, (b)->field), what, seed, record, index, #field, (a)->field, (b)->field)
#define SAME_NUMBER(record, index, a, b, field)                                                                        \
    same_field((a)->field == (b)->field, what, seed, record, index, #field, (double)(a)->field, (double)(b)->field)
/* Reserved bytes after the named fields. */
#define SAME_REST(record, index, a, b)                                                                                 \
    same_field(memcmp(a, b, sizeof *(a)) == 0, what, seed, record, index, "reserved bytes", 0, 1)

bool same_wrr(const oracle_wrr *expected, const oracle_wrr *found, const vcs_snapshot *snapshot, const char *what,
              uint64_t seed) {
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        const vcs_task_forecast *a = &expected->tasks[i], *b = &found->tasks[i];
        if (!SAME_DOUBLE("task", i, a, b, finish) || !SAME_NUMBER("task", i, a, b, verdict) ||
            !SAME_REST("task", i, a, b)) {
            return false;
        }
    }
    vcs_wrr_summary counted = expected->summary;
    const vcs_wrr_summary *a = &counted, *b = &found->summary;
    counted.effort = counted.effort == 0 ? b->effort : counted.effort; /* an oracle does not count it */
    if (!SAME_NUMBER("summary", 0, a, b, flags) || !SAME_DOUBLE("summary", 0, a, b, simulated_until) ||
        !SAME_NUMBER("summary", 0, a, b, steps) || !SAME_NUMBER("summary", 0, a, b, misses) ||
        !SAME_NUMBER("summary", 0, a, b, unknown) || !SAME_NUMBER("summary", 0, a, b, effort) ||
        !SAME_REST("summary", 0, a, b)) {
        return false;
    }
    for (uint32_t i = 0; i < snapshot->resources.count; i++) {
        const vcs_resource_forecast *c = &expected->resources[i], *d = &found->resources[i];
        if (!SAME_DOUBLE("resource", i, c, d, saturated) || !SAME_DOUBLE("resource", i, c, d, idle_now) ||
            !SAME_DOUBLE("resource", i, c, d, shortfall) || !SAME_DOUBLE("resource", i, c, d, idle_from) ||
            !SAME_DOUBLE("resource", i, c, d, short_from) || !SAME_REST("resource", i, c, d)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < snapshot->projects.count * snapshot->resources.count; i++) {
        const vcs_project_resource_forecast *c = &expected->project_resources[i], *d = &found->project_resources[i];
        if (!SAME_NUMBER("pair", i, c, d, tasks) || !SAME_NUMBER("pair", i, c, d, misses) ||
            !SAME_DOUBLE("pair", i, c, d, used_now) || !SAME_DOUBLE("pair", i, c, d, shortfall) ||
            !SAME_NUMBER("pair", i, c, d, waits_for_fit) || !SAME_DOUBLE("pair", i, c, d, saturated) ||
            !SAME_REST("pair", i, c, d)) {
            return false;
        }
    }
    return true;
}

bool same_edf(const oracle_edf_outcome *expected, const oracle_edf_outcome *found, const vcs_snapshot *snapshot,
              const char *what, uint64_t seed) {
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        const vcs_edf_task *a = &expected->tasks[i], *b = &found->tasks[i];
        if (!SAME_DOUBLE("task", i, a, b, start) || !SAME_DOUBLE("task", i, a, b, finish) ||
            !SAME_NUMBER("task", i, a, b, verdict) || !SAME_REST("task", i, a, b)) {
            return false;
        }
    }
    vcs_edf_summary counted = expected->summary;
    const vcs_edf_summary *a = &counted, *b = &found->summary;
    counted.effort = counted.effort == 0 ? b->effort : counted.effort; /* an oracle does not count it */
    if (!SAME_NUMBER("summary", 0, a, b, flags) || !SAME_DOUBLE("summary", 0, a, b, latest_finish) ||
        !SAME_NUMBER("summary", 0, a, b, tasks) || !SAME_NUMBER("summary", 0, a, b, misses) ||
        !SAME_NUMBER("summary", 0, a, b, effort) || !SAME_REST("summary", 0, a, b)) {
        return false;
    }
    for (uint32_t i = 0; i < snapshot->resources.count; i++) {
        const vcs_edf_resource *c = &expected->resources[i], *d = &found->resources[i];
        if (!SAME_DOUBLE("resource", i, c, d, busy) || !SAME_REST("resource", i, c, d)) {
            return false;
        }
    }
    return true;
}

bool same_wrr_shuffled(const random_state *original, const char *what, uint64_t seed) {
    static random_state copy;
    random_places places;
    random_state_shuffle(&copy, original, seed, &places);
    vcs_state *state = prepare_case(original), *shuffled_state = prepare_case(&copy);
    oracle_wrr expected = library_wrr(state, &original->snapshot);
    oracle_wrr shuffled = library_wrr(shuffled_state, &copy.snapshot);
    oracle_wrr found = unshuffled_wrr(&shuffled, &original->snapshot, &places);
    bool same = same_wrr(&expected, &found, &original->snapshot, what, seed);
    oracle_wrr_free(&expected);
    oracle_wrr_free(&shuffled);
    oracle_wrr_free(&found);
    free_case(state);
    free_case(shuffled_state);
    return same;
}

bool same_edf_shuffled(const random_state *original, const char *what, uint64_t seed) {
    static random_state copy;
    random_places places;
    random_state_shuffle(&copy, original, seed, &places);
    vcs_state *state = prepare_case(original), *shuffled_state = prepare_case(&copy);
    oracle_edf_outcome expected = library_edf(state, &original->snapshot, VCS_EDF_ALL);
    oracle_edf_outcome shuffled = library_edf(shuffled_state, &copy.snapshot, VCS_EDF_ALL);
    oracle_edf_outcome found = unshuffled_edf(&shuffled, &original->snapshot, &places);
    bool same = same_edf(&expected, &found, &original->snapshot, what, seed);
    oracle_edf_free(&expected);
    oracle_edf_free(&shuffled);
    oracle_edf_free(&found);
    free_case(state);
    free_case(shuffled_state);
    return same;
}
