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

#include <vcemu/emulator.h>
#include <vcsched/vcsched.h>

#include "support/array.h"
#include "support/random_state.h"

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

/* Memory for what is read from a state: the largest answer for the most records. */
static union answers {
    vcs_task_forecast task_forecasts[RANDOM_MOST_TASKS];
    vcs_edf_task edf_tasks[RANDOM_MOST_TASKS];
    vcs_task_decision task_decisions[RANDOM_MOST_TASKS];
    vcs_resource_forecast resource_forecasts[RANDOM_MOST_RESOURCES];
    vcs_edf_resource edf_resources[RANDOM_MOST_RESOURCES];
    vcs_resource_decision resource_decisions[RANDOM_MOST_RESOURCES];
    vcs_project_resource_forecast project_resource_forecasts[RANDOM_MOST_PROJECTS * RANDOM_MOST_RESOURCES];
    vcs_fetch_decision fetch_decisions[RANDOM_MOST_PROJECTS * RANDOM_MOST_RESOURCES];
} answers;

/* Runs one reader of a state and prints what it read. */
#define PRINT_ANSWERS(reader, field, state, count)                                                                     \
    do {                                                                                                               \
        require(vcs_##reader(state, ARRAY(answers.field, count)), #reader);                                            \
        print_line(#reader, answers.field, sizeof *answers.field *(count));                                            \
    } while (0)

static void print_simulations(vcs_state *state, const vcs_snapshot *snapshot) {
    uint32_t project_resources = snapshot->projects.count * snapshot->resources.count;
    vcs_wrr_summary wrr = {.struct_size = sizeof wrr};
    require(vcs_wrr(state, &wrr), "wrr");
    print_line("wrr", &wrr, sizeof wrr);
    PRINT_ANSWERS(wrr_tasks, task_forecasts, state, snapshot->tasks.count);
    PRINT_ANSWERS(wrr_resources, resource_forecasts, state, snapshot->resources.count);
    PRINT_ANSWERS(wrr_project_resources, project_resource_forecasts, state, project_resources);
    vcs_edf_summary edf = {.struct_size = sizeof edf};
    require(vcs_edf(state, VCS_EDF_MISSED, &edf), "edf");
    print_line("edf", &edf, sizeof edf);
    PRINT_ANSWERS(edf_tasks, edf_tasks, state, snapshot->tasks.count);
    PRINT_ANSWERS(edf_resources, edf_resources, state, snapshot->resources.count);
}

static void print_decisions(vcs_state *state, const vcs_snapshot *snapshot) {
    vcs_schedule_summary schedule = {.struct_size = sizeof schedule};
    require(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &schedule), "schedule");
    print_line("schedule", &schedule, sizeof schedule);
    PRINT_ANSWERS(schedule_tasks, task_decisions, state, snapshot->tasks.count);
    PRINT_ANSWERS(schedule_resources, resource_decisions, state, snapshot->resources.count);
    vcs_fetch_summary fetch = {.struct_size = sizeof fetch};
    require(vcs_fetch(state, NULL, &fetch), "fetch");
    print_line("fetch", &fetch, sizeof fetch);
    PRINT_ANSWERS(fetch_decisions, fetch_decisions, state, snapshot->projects.count * snapshot->resources.count);
    for (uint32_t i = 0; i < snapshot->candidates.count; i++) {
        vcs_admission admission = {.struct_size = sizeof admission};
        require(vcs_admit(state, i, &admission), "admit");
        print_line("admit", &admission, sizeof admission);
    }
}

static void print_host(uint64_t seed) {
    static random_state random;
    random_state_fill(&random, seed % 3 == 0 ? RANDOM_FLUID : RANDOM_ANY, seed);
    if (seed % 5 == 4) { /* what is given up depends on the hours */
        random.parameters.give_up = VCS_GIVE_UP_BY_CHANCE;
        random_state_add_hours(&random, seed);
    }
    print_line("case", &seed, sizeof seed);
    print_array("host", &random.snapshot.host);
    print_array("resources", &random.snapshot.resources);
    print_array("projects", &random.snapshot.projects);
    print_array("project_resources", &random.snapshot.project_resources);
    print_array("apps", &random.snapshot.apps);
    print_array("app_resources", &random.snapshot.app_resources);
    print_array("tasks", &random.snapshot.tasks);
    print_array("candidates", &random.snapshot.candidates);
    print_array("hours", &random.snapshot.hours);
    print_line("parameters", &random.parameters, sizeof random.parameters);
    print_line("now", &random.now, sizeof random.now);
    size_t size;
    require(vcs_state_size(&random.snapshot, &size), "state_size");
    void *work = malloc(size);
    vcs_state *state;
    if (work == NULL) {
        require(VCS_ERR_WORKSPACE, "memory");
    }
    require(vcs_state_prepare(&random.snapshot, &random.parameters, random.now, work, size, &state, NULL), "prepare");
    print_simulations(state, &random.snapshot);
    print_decisions(state, &random.snapshot);
    free(work);
}

static void print_average(uint64_t seed) {
    vcs_average average = {.value = (double)(seed % 7) * 11.3, .time = 1000.0 * (double)(seed % 5)};
    double arguments[3] = {60.0 + 997.0 * (double)seed, 1e4 + 31.7 * (double)seed, 0.37 * (double)(seed % 11)};
    fputs("average_blend", stdout);
    print_bytes(&average, sizeof average);
    print_bytes(arguments, sizeof arguments);
    require(vcs_average_blend(&average, arguments[2], arguments[0], arguments[1]), "average_blend");
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
    require(vcs_backoff(failures, &range, u, &wait), "backoff");
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

/* ---- Emulations: three days of a small host, another one for each seed ---- */

#define DAY 86400.0
#define MOST_PROJECTS 4
#define MOST_EVENTS 8000

typedef struct emulated {
    vcs_host host;
    vcs_resource resources[2];
    vcs_project projects[MOST_PROJECTS];
    vcs_app apps[MOST_PROJECTS];
    vcs_task tasks[2];
    vcs_parameters parameters;
    vcs_emulation emulation;
    vcs_job_model models[MOST_PROJECTS];
    vcs_server_model servers[MOST_PROJECTS];
    double sizes[3], switches[4];
    vcs_scenario scenario;
    vcs_outcome outcome;
    vcs_project_outcome outcomes[MOST_PROJECTS];
    vcs_event events[MOST_EVENTS];
    uint32_t event_count;
} emulated;

static void point(vcs_array *array, const void *base, size_t size, uint32_t count) {
    array->base = base;
    array->element_size = (uint32_t)size;
    array->count = count;
}

/* One project with one application: jobs of 0.5 to 2.5 hours, due within 4 hours to 2 days. */
static void fill_project(emulated *e, uint32_t index, uint64_t seed) {
    double hours = 0.5 + (double)((seed + index * 5) % 9) / 4.0;
    e->projects[index] = (vcs_project){.id = 10 + index, .share = (double)(1 + (seed + index) % 3)};
    e->apps[index] = (vcs_app){.id = 20 + index, .project = index};
    e->models[index] = (vcs_job_model){
        .latency_bound = hours * 3600.0 * (double)(8 + seed % 12),
        .est_flops = hours * 3600e9 * (index == 1 ? 1.5 : 1.0),
        .mean_flops = hours * 3600e9,
        .sd_flops = hours * 400e9,
        .cpus = 1.0,
        .weight = 1.0,
        .checkpoint_interval = (double)(seed % 2) * 600.0,
        .distribution = (uint32_t)((seed + index) % 4),
        .first_size = 1,
        .size_count = 2,
    };
    e->servers[index] = (vcs_server_model){
        .up_mean = index == 0 ? 0.5 * DAY : 0.0,
        .down_mean = index == 0 ? 3000.0 : 0.0,
        .network_failure = 0.05 * (double)(seed % 3),
        .request_delay = 60.0,
        .max_in_progress = (uint32_t)(seed % 2) * 6,
        .master_failure = 0.25,
        .moves_at = index == 0 && seed % 4 == 1 ? 0.75 * DAY : 0.0,
    };
}

/* The last project's jobs use a GPU; the fluid discipline knows none. */
static void fill_gpu(emulated *e, uint32_t projects) {
    e->resources[1] = (vcs_resource){.id = 6, .flops = 4e9, .usable = 0.9, .instances = 1};
    e->models[projects - 1].gpu = 1;
    e->models[projects - 1].gpus = 1.0;
    e->models[projects - 1].cpus = 0.25;
}

static void point_scenario(emulated *e, uint32_t resources, uint32_t projects, uint64_t seed) {
    vcs_scenario *scenario = &e->scenario;
    scenario->struct_size = sizeof *scenario;
    scenario->snapshot.struct_size = sizeof scenario->snapshot;
    point(&scenario->snapshot.host, &e->host, sizeof e->host, 1);
    point(&scenario->snapshot.resources, e->resources, sizeof *e->resources, resources);
    point(&scenario->snapshot.projects, e->projects, sizeof *e->projects, projects);
    point(&scenario->snapshot.apps, e->apps, sizeof *e->apps, projects);
    point(&scenario->snapshot.tasks, e->tasks, sizeof *e->tasks, seed % 5 == 0 ? 2 : 0);
    point(&scenario->emulation, &e->emulation, sizeof e->emulation, 1);
    point(&scenario->models, e->models, sizeof *e->models, projects);
    point(&scenario->servers, e->servers, sizeof *e->servers, seed % 4 < 2 ? projects : 0);
    point(&scenario->sizes, e->sizes, sizeof *e->sizes, 3);
    point(&scenario->switches, e->switches, sizeof *e->switches, seed % 5 == 1 ? 4 : 0);
}

static void fill_policy(emulated *e, uint32_t profile, uint64_t seed) {
    require(vcs_parameters_init(&e->parameters, sizeof e->parameters, profile), "parameters_init");
    require(vcs_emulation_init(&e->emulation, sizeof e->emulation, profile), "emulation_init");
    e->emulation.seed = seed;
    e->emulation.start = (double)(seed % 4) * 1e5;
    e->emulation.duration = 3 * DAY;
    e->emulation.available = seed % 2 == 0 ? 1.0 : 0.7;
    e->emulation.available_mean = 5000.0;
}

static void fill_emulated(emulated *e, uint64_t seed) {
    const uint32_t projects = 1 + (uint32_t)(seed % MOST_PROJECTS),
                   profile = (uint32_t)(seed % (VCS_PROFILE_CURRENT + 1));
    const uint32_t resources = profile == VCS_PROFILE_CURRENT && seed % 2 == 0 ? 2 : 1;
    memset(e, 0, sizeof *e);
    e->host.id = 1;
    e->resources[0] = (vcs_resource){.id = 5, .flops = 1e9, .usable = 0.8, .instances = (uint32_t)(1 + seed % 3)};
    fill_policy(e, profile, seed);
    for (uint32_t i = 0; i < projects; i++) {
        fill_project(e, i, seed);
    }
    if (resources == 2) {
        fill_gpu(e, projects);
    }
    for (uint32_t i = 0; i < 2; i++) {
        e->tasks[i] = (vcs_task){.id = 30 + i, .app = VCS_NONE, .cpus = 1.0, .remaining = 5000.0 * (i + 1.0)};
        e->tasks[i].deadline = e->emulation.start + 12000.0 * (i + 1.0);
    }
    for (uint32_t i = 0; i < 3; i++) {
        e->sizes[i] = (2.0 + 3.0 * i) * 1e12;
        e->switches[i] = (0.5 + 0.75 * i) * DAY;
    }
    e->switches[3] = 2.5 * DAY;
    point_scenario(e, resources, projects, seed);
}

static int note_event(void *context, const vcs_event *event) {
    emulated *e = context;
    if (e->event_count == MOST_EVENTS) {
        return VCS_ERR_WORKSPACE;
    }
    e->events[e->event_count++] = *event;
    return VCS_OK;
}

/* The words of the records that a vcs_array holds, which follow the name of the line. */
static void print_records(const vcs_array *array) {
    print_bytes(array->base, (size_t)array->element_size * array->count);
}

/* "emulate": the members of the scenario, the parameters, the outcome, those of the projects, and all events. */
static void print_emulation(uint64_t seed) {
    static emulated e;
    fill_emulated(&e, seed);
    const uint32_t projects = e.scenario.snapshot.projects.count;
    const vcs_hooks hooks = {.struct_size = sizeof hooks, .context = &e, .observe = note_event};
    e.outcome.struct_size = sizeof e.outcome;
    require(vcs_emulate(&e.scenario, &e.parameters, &hooks, &e.outcome, ARRAY(e.outcomes, projects), NULL, NULL),
            "emulate");
    fputs("emulate", stdout);
    print_records(&e.scenario.snapshot.host);
    print_records(&e.scenario.snapshot.resources);
    print_records(&e.scenario.snapshot.projects);
    print_records(&e.scenario.snapshot.apps);
    print_records(&e.scenario.snapshot.tasks);
    print_records(&e.scenario.emulation);
    print_records(&e.scenario.models);
    print_records(&e.scenario.servers);
    print_records(&e.scenario.sizes);
    print_records(&e.scenario.switches);
    print_bytes(&e.parameters, sizeof e.parameters);
    print_bytes(&e.outcome, sizeof e.outcome);
    print_bytes(e.outcomes, sizeof *e.outcomes * projects);
    print_bytes(e.events, sizeof *e.events * e.event_count);
    putchar('\n');
}

/* Emulations take longer than all else, so there are fewer of them. */
#define HOSTS_PER_EMULATION 5

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
        if (seed % HOSTS_PER_EMULATION == 0) {
            print_emulation(seed / HOSTS_PER_EMULATION);
        }
    }
    return EXIT_SUCCESS;
}
