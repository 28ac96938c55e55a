/*
 * Prints cases with their answers, as bytes, for the bindings: in any language the same input gives the same bytes.
 *
 *     vectors CASES
 *
 * A line is a name and bytes in hexadecimal, as they lie in memory on this machine. A case over a host begins with
 * "case" and its number; the records, the parameters and the time follow, then what each decision answers. Lines of
 * other cases begin with the name of the function: argument after argument, then the answer, each a word.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vcsched/vcsched.h>

#include "random_state.h"

static void print_bytes(const void *start, size_t size) {
    const unsigned char *bytes = start;
    putchar(' ');
    for (size_t i = 0; i < size; i++) {
        printf("%02x", bytes[i]);
    }
    if (size == 0) {
        putchar('-');
    }
}

static void print_line(const char *name, const void *start, size_t size) {
    fputs(name, stdout);
    print_bytes(start, size);
    putchar('\n');
}

static void print_array(const char *name, const vcs_array *array) {
    print_line(name, array->base, (size_t)array->element_size * array->count);
}

static void require(int code, const char *what) {
    if (code != VCS_OK) {
        fprintf(stderr, "vectors: %s: %s\n", what, vcs_strerror(code));
        exit(EXIT_FAILURE);
    }
}

/* Room for what is read of a state: the largest answer for the most records. */
static union answers {
    vcs_task_forecast task_forecasts[RANDOM_MOST_TASKS];
    vcs_edf_task edf_tasks[RANDOM_MOST_TASKS];
    vcs_task_decision task_decisions[RANDOM_MOST_TASKS];
    vcs_resource_forecast resource_forecasts[RANDOM_MOST_RESOURCES];
    vcs_edf_resource edf_resources[RANDOM_MOST_RESOURCES];
    vcs_resource_decision resource_decisions[RANDOM_MOST_RESOURCES];
    vcs_pair_forecast pair_forecasts[RANDOM_MOST_PROJECTS * RANDOM_MOST_RESOURCES];
    vcs_pair_decision pair_decisions[RANDOM_MOST_PROJECTS * RANDOM_MOST_RESOURCES];
} answers;

/* Runs one reader of a state and prints what it read. */
#define PRINT_ANSWERS(reader, field, state, count)                                                                     \
    do {                                                                                                               \
        require(vcs_##reader(state, answers.field, sizeof *answers.field, count), #reader);                            \
        print_line(#reader, answers.field, sizeof *answers.field * (count));                                           \
    } while (0)

static void print_simulations(vcs_state *state, const vcs_view *view) {
    uint32_t pairs = view->projects.count * view->resources.count;
    vcs_wrr_summary wrr = {.struct_size = sizeof wrr};
    require(vcs_wrr(state, &wrr), "wrr");
    print_line("wrr", &wrr, sizeof wrr);
    PRINT_ANSWERS(wrr_tasks, task_forecasts, state, view->tasks.count);
    PRINT_ANSWERS(wrr_resources, resource_forecasts, state, view->resources.count);
    PRINT_ANSWERS(wrr_pairs, pair_forecasts, state, pairs);
    vcs_edf_summary edf = {.struct_size = sizeof edf};
    require(vcs_edf(state, VCS_EDF_MISSED, &edf), "edf");
    print_line("edf", &edf, sizeof edf);
    PRINT_ANSWERS(edf_tasks, edf_tasks, state, view->tasks.count);
    PRINT_ANSWERS(edf_resources, edf_resources, state, view->resources.count);
}

static void print_decisions(vcs_state *state, const vcs_view *view) {
    vcs_schedule_summary schedule = {.struct_size = sizeof schedule};
    require(vcs_schedule(state, &schedule), "schedule");
    print_line("schedule", &schedule, sizeof schedule);
    PRINT_ANSWERS(schedule_tasks, task_decisions, state, view->tasks.count);
    PRINT_ANSWERS(schedule_resources, resource_decisions, state, view->resources.count);
    vcs_fetch_summary fetch = {.struct_size = sizeof fetch};
    require(vcs_fetch(state, NULL, &fetch), "fetch");
    print_line("fetch", &fetch, sizeof fetch);
    PRINT_ANSWERS(fetch_pairs, pair_decisions, state, view->projects.count * view->resources.count);
    for (uint32_t i = 0; i < view->candidates.count; i++) {
        vcs_admission admission = {.struct_size = sizeof admission};
        require(vcs_admit(state, i, &admission), "admit");
        print_line("admit", &admission, sizeof admission);
    }
}

static void print_host(uint64_t seed) {
    static random_state random;
    random_state_fill(&random, seed % 3 == 0 ? RANDOM_FLUID : RANDOM_ANY, seed);
    print_line("case", &seed, sizeof seed);
    print_array("host", &random.view.host);
    print_array("resources", &random.view.resources);
    print_array("projects", &random.view.projects);
    print_array("pairs", &random.view.pairs);
    print_array("apps", &random.view.apps);
    print_array("tasks", &random.view.tasks);
    print_array("candidates", &random.view.candidates);
    print_line("parameters", &random.parameters, sizeof random.parameters);
    print_line("now", &random.now, sizeof random.now);
    size_t size;
    require(vcs_state_size(&random.view, &size), "state_size");
    void *work = malloc(size);
    vcs_state *state;
    if (work == NULL) {
        require(VCS_ERR_WORKSPACE, "memory");
    }
    require(vcs_state_prepare(&random.view, &random.parameters, random.now, work, size, &state, NULL), "prepare");
    print_simulations(state, &random.view);
    print_decisions(state, &random.view);
    free(work);
}

static void print_average(uint64_t seed) {
    vcs_average average = {.value = (double)(seed % 7) * 11.3, .time = 1000.0 * (double)(seed % 5)};
    double arguments[3] = {60.0 + 997.0 * (double)seed, 1e4 + 31.7 * (double)seed, 0.37 * (double)(seed % 11)};
    fputs("average_blend", stdout);
    print_bytes(&average, sizeof average);
    print_bytes(arguments, sizeof arguments);
    require(vcs_average_blend(&average, arguments[0], arguments[1], arguments[2]), "average_blend");
    print_bytes(&average, sizeof average);
    putchar('\n');
}

static void print_backoff(uint64_t seed) {
    vcs_backoff_range range = {.struct_size = sizeof range, .rule = 1 + (uint32_t)(seed % 3), .minimum = 60.0,
                               .maximum = 86400.0};
    uint32_t failures = (uint32_t)(seed % 17);
    double u = (double)(seed * 7919 % 1000) / 1000.0, wait;
    fputs("backoff", stdout);
    print_bytes(&range, sizeof range);
    print_bytes(&failures, sizeof failures);
    print_bytes(&u, sizeof u);
    require(vcs_backoff(&range, failures, u, &wait), "backoff");
    print_bytes(&wait, sizeof wait);
    putchar('\n');
}

static void print_estimate(uint64_t seed) {
    vcs_progress progress = {.struct_size = sizeof progress, .est_flops = 1e12 * (double)(1 + seed % 9), .flops = 3e9,
                             .dcf = 0.3 * (double)(seed % 4), .elapsed = 17.0 * (double)(seed % 13),
                             .fraction_done = (double)(seed % 10) / 9.0};
    uint32_t rule = (uint32_t)(seed % 3);
    double seconds;
    fputs("estimate_remaining", stdout);
    print_bytes(&progress, sizeof progress);
    print_bytes(&rule, sizeof rule);
    require(vcs_estimate_remaining(&progress, rule, &seconds, NULL), "estimate_remaining");
    print_bytes(&seconds, sizeof seconds);
    putchar('\n');
}

int main(int argc, char **argv) {
    unsigned long cases = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
    if (cases == 0) {
        fputs("usage: vectors CASES\n", stderr);
        return EXIT_FAILURE;
    }
    for (uint64_t seed = 1; seed <= cases; seed++) {
        print_host(seed);
        print_average(seed);
        print_backoff(seed);
        print_estimate(seed);
    }
    return EXIT_SUCCESS;
}
