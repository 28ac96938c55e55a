/*
 * An emulation (chapter 12) of the smallest host: a project with an application, CPUs alone, one task at first, and
 * memory for no more than two tasks, two jobs on offer and two results at a time. All other numbers are any in their
 * ranges, and so is what libvcsched answers and what the caller's functions decide. Memory may run out at any time;
 * how the emulator keeps it is proved apart. Then the same host in a grid, whose servers give anything.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/emulator/*.c
// without: lib/emulator/memory.c
// options: -eva-slevel 1 -eva-slevel-function vcs_emu_reserve:100 -eva-no-alloc-returns-null
// options: -eva-subdivide-non-linear 1 -eva-auto-loop-unroll 8 -eva-widening-delay 4 -eva-widening-period 1
// options: -eva-split-return=
#include <vcsched/vcsched.h>

#define PROJECTS 1
#define MOST 2 /* tasks, jobs on offer, results */

#include "emulator/emulator.h"
#include "answers.h"

#include <stdlib.h>

int code;

static vcs_host host;
static vcs_resource resource;
static vcs_project project;
static vcs_project_resource pair;
static vcs_app app;
static vcs_task task;
static vcs_emulation emulation;
static vcs_job_model model;
static vcs_server_model server;
static double sizes[2], switches[2]; /* or none */

/* ---- Memory: each array that grows has a place of its own, and is there as a whole or not at all ---- */

static vcs_task tasks[MOST], candidates[MOST];
static vcs_emu_true_task true_tasks[MOST], truths[MOST];
static uint32_t running[MOST], chosen[MOST];
static vcs_emu_result results[MOST];
static unsigned char tracks[MOST];
static uint64_t switching[1], memory[1];
static vcs_task_decision task_decisions[MOST];
static vcs_send_job descriptions[MOST];
static vcs_send_decision decisions[MOST];

/* What an emulation needs at the start. What fails before it is all there is proved with the refusals. */
void *vcs_emu_allocate(vcs_emu_emulator *e, uint64_t bytes) {
    nothing_fails = bytes <= sizeof(vcs_job_model);
    const size_t size = bytes < sizeof sizes ? sizeof sizes : (size_t)bytes;
    return memset(malloc(size), 0, size);
}

#define GROWS(pointer, place)                                                                                          \
    if (array == (void *)&(pointer)) {                                                                                 \
        if (count * size > sizeof place) {                                                                             \
            return false_for_want_of_memory(e);                                                                        \
        }                                                                                                              \
        if ((pointer) == NULL) {                                                                                       \
            if (any_yes()) {                                                                                           \
                return false_for_want_of_memory(e);                                                                    \
            }                                                                                                          \
            memset(place, 0, sizeof place);                                                                            \
            (pointer) = place;                                                                                         \
        }                                                                                                              \
        return true;                                                                                                   \
    }

static bool false_for_want_of_memory(vcs_emu_emulator *e) {
    vcs_emu_fail(e, VCS_ERR_MEMORY, 0, "", "there is not enough memory");
    return false;
}

bool vcs_emu_reserve(vcs_emu_emulator *e, void *array, uint64_t count, size_t size) {
    vcs_emu_workspace *space = &e->workspace;
    GROWS(e->records.tasks, tasks)
    GROWS(e->tasks.truths, true_tasks)
    GROWS(e->tasks.running, running)
    GROWS(e->merit.results, results)
    GROWS(e->tasks.tracks[0], tracks)
    GROWS(space->switching, switching)
    GROWS(space->chosen, chosen)
    GROWS(space->task_decisions, task_decisions)
    GROWS(space->candidates, candidates)
    GROWS(space->truths, truths)
    GROWS(space->descriptions, descriptions)
    GROWS(space->decisions, decisions)
    if (array == (void *)&space->memory && (nothing_fails || any_yes())) {
        space->memory = memory;
        return true;
    }
    return false_for_want_of_memory(e);
}

#define HOLDS(place)                                                                                                   \
    if (array == (const void *)place) {                                                                                \
        return sizeof place;                                                                                           \
    }

size_t vcs_emu_capacity(const void *array) {
    HOLDS(tasks)
    HOLDS(true_tasks)
    HOLDS(running)
    HOLDS(results)
    HOLDS(tracks)
    HOLDS(candidates)
    return array == NULL ? 0 : ANY_U64();
}

void vcs_emu_release_all(vcs_emu_emulator *e) {
}

/* ---- The caller's functions decide anything ---- */

static int hook_schedule(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                         vcs_schedule_summary *summary) {
    for (uint32_t i = 0; i < situation->snapshot->tasks.count; i++) {
        any_right_task_decision(&decisions[i]);
    }
    summary->next_check = any_between(-VCS_INFINITY, VCS_INFINITY);
    return any_code();
}

static int hook_fetch(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                      vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    decisions[0].seconds = any_between(-VCS_INFINITY, VCS_INFINITY);
    decisions[0].instances = any_between(-VCS_INFINITY, VCS_INFINITY);
    summary->project = ANY_U32();
    summary->next_check = any_between(-VCS_INFINITY, VCS_INFINITY);
    return any_code();
}

static int hook_send(void *context, const vcs_situation *situation, uint32_t candidate, vcs_admission *admission) {
    admission->admitted = ANY_U32();
    return any_code();
}

static int hook_estimate(void *context, const vcs_progress *progress, uint32_t rule, double *device_seconds) {
    *device_seconds = any_between(-VCS_INFINITY, VCS_INFINITY);
    return any_code();
}

static int hook_observe(void *context, const vcs_event *event) {
    return any_code();
}

/* ---- The scenario ---- */

/* The caller's records are right, or refused for any reason. */
int vcs_take_record(void *known, const vcs_array *array, uint32_t index, uint32_t type, vcs_error *error) {
    switch (type) {
    case VCS_TYPE_EMULATION:
        *(vcs_emulation *)known = emulation;
        break;
    case VCS_TYPE_JOB_MODEL:
        *(vcs_job_model *)known = model;
        break;
    default:
        *(vcs_server_model *)known = server;
    }
    return any_code();
}

static void any_records(void) {
    any_right_host(&host);
    any_right_resource(&resource);
    any_right_project(&project);
    any_right_project_resource(&pair);
    pair.project = pair.resource = 0;
    any_right_app(&app);
    app.project = app.gpu = 0;
    any_right_task(&task);
    task.project = task.gpu = 0;
    task.app = any_yes() ? VCS_NONE : 0;
    any_right_emulation(&emulation);
    emulation.struct_size = sizeof emulation;
    any_right_job_model(&model);
    model.gpu = model.first_size = 0;
    model.size_count = Frama_C_unsigned_int_interval(1, 2);
    any_right_server_model(&server);
    for (uint32_t i = 0; i < 2; i++) {
        sizes[i] = ANY_FINITE();
        switches[i] = ANY_FINITE();
    }
}

#define ARRAY_OF(records, number)                                                                                      \
    { {&records}, sizeof records, number }

/* ---- The servers of a grid give anything ---- */

static void grid_call(vcs_emu_emulator *e, uint32_t number) {
}

static bool grid_next(vcs_emu_emulator *e, uint32_t number, double *flops, double *est_flops, vcs_emu_origin *origin) {
    *flops = any_between(0.0, DBL_MAX);
    *est_flops = any_between(0.0, 1e30);
    origin->copy = ANY_U64();
    origin->fate = any_word(VCS_EMU_FATE_DONE, VCS_EMU_FATE_LOST);
    return any_yes();
}

static void grid_limit(vcs_emu_emulator *e, uint32_t number, vcs_send_limits *limits) {
    limits->flags = ANY_U32();
    limits->quota_left = ANY_U32();
}

static void grid_send(vcs_emu_emulator *e, vcs_task *sent, vcs_emu_true_task *truth) {
    sent->id = ANY_U64();
    truth->origin.copy = ANY_U64();
    truth->origin.fate = any_word(VCS_EMU_FATE_DONE, VCS_EMU_FATE_LOST);
    truth->total = any_between(0.0, VCS_MAX_SECONDS);
    truth->ready = any_between(-DBL_MAX, VCS_INFINITY);
}

static void grid_keep(vcs_emu_emulator *e, uint32_t number, vcs_emu_origin origin, uint32_t reason) {
}

static void grid_take_back(vcs_emu_emulator *e, uint32_t number) {
}

static bool grid_needs(vcs_emu_emulator *e, const vcs_task *held, const vcs_emu_true_task *truth) {
    return any_yes();
}

static double grid_seconds(vcs_emu_emulator *e, uint32_t number) {
    return any_between(0.0, VCS_INFINITY);
}

static void grid_report(vcs_emu_emulator *e, const vcs_emu_result *result) {
    vcs_emu_note(e, any_code());
}

static void grid_forget(vcs_emu_emulator *e, uint32_t number, vcs_emu_origin origin, double flops) {
}

static void grid_observe(vcs_emu_emulator *e, const vcs_event *event) {
    vcs_emu_note(e, any_code());
}

static const vcs_emu_grid_servers grid_servers = {
    .call = grid_call,
    .next = grid_next,
    .limit = grid_limit,
    .send = grid_send,
    .keep = grid_keep,
    .take_back = grid_take_back,
    .needs = grid_needs,
    .upload = grid_seconds,
    .report = grid_report,
    .delay = grid_seconds,
    .forget = grid_forget,
    .observe = grid_observe,
};

/* The same host in a grid, from its first moment to the last. */
static void emulate_in_grid(const vcs_scenario *scenario, const vcs_parameters *policy, const vcs_hooks *hooks) {
    vcs_emu_emulator e = {
        .grid_servers = &grid_servers,
        .ground = &e,
        .is_observed = any_yes(),
        .setup.hooks = *hooks,
    };
    bool goes_on = true;
    nothing_fails = 1;
    vcs_emu_open(&e, scenario, policy);
    while (e.code == VCS_OK && goes_on) {
        goes_on = vcs_emu_step(&e);
    }
    if (e.code == VCS_OK) {
        vcs_emu_merit_close(&e);
    }
    MAY_PASS(e.code);
}

int main(void) {
    any_records();
    nothing_fails = 1;
    RIGHT_SIZED(parameters, policy);
    const vcs_scenario scenario = {
        .struct_size = sizeof scenario,
        .snapshot =
            {
                .struct_size = sizeof(vcs_snapshot),
                .host = ARRAY_OF(host, 1),
                .resources = ARRAY_OF(resource, 1),
                .projects = ARRAY_OF(project, 1),
                .project_resources = ARRAY_OF(pair, any_yes() ? 1 : 0),
                .apps = ARRAY_OF(app, 1),
                .tasks = ARRAY_OF(task, any_yes() ? 1 : 0),
            },
        .emulation = ARRAY_OF(emulation, 1),
        .models = ARRAY_OF(model, 1),
        .servers = ARRAY_OF(server, any_yes() ? 1 : 0),
        .sizes = {{sizes}, sizeof *sizes, any_yes() ? 2 : 0},
        .switches = {{switches}, sizeof *switches, any_yes() ? 2 : 0},
    };
    vcs_hooks hooks = {
        .struct_size = sizeof hooks,
        .schedule = any_yes() ? hook_schedule : NULL,
        .fetch = any_yes() ? hook_fetch : NULL,
        .send = any_yes() ? hook_send : NULL,
        .estimate = any_yes() ? hook_estimate : NULL,
        .observe = any_yes() ? hook_observe : NULL,
    };
    vcs_outcome outcome = {.struct_size = sizeof outcome};
    vcs_project_outcome of_project;
    vcs_resource_outcome of_resource;
    vcs_error error = {.struct_size = sizeof error};
    MAY_PASS(vcs_emulate(&scenario, &policy, any_yes() ? &hooks : NULL, &outcome, &of_project, sizeof of_project, 1,
                         &of_resource, sizeof of_resource, any_yes() ? 1 : 0, any_yes() ? &error : NULL));
    emulate_in_grid(&scenario, &policy, &hooks);
    return 0;
}
