/*
 * A scenario for emulations from their first moment to the last: RESOURCES, PROJECTS and APPS, one task at first or
 * none. All else is any in its range, and refers to any of these.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_PROOF_SCENARIO_H
#define VCS_PROOF_SCENARIO_H

#include "emulation.h"

/* ---- The arrays that keep their size: each in memory of its own, where the emulator has all in one block ---- */

static void *take_apart(vcs_arena *arena, uint64_t count, uint64_t size) {
    void *piece = vcs_arena_take(arena, count, size);
    return piece != NULL && count > 0 ? memset(malloc(count * size), 0, count * size) : piece;
}

#define vcs_arena_take take_apart
#include "emulator/emulate.c"
#undef vcs_arena_take

#define PAIRS (RESOURCES * PROJECTS)
#define SIZES 2 /* of jobs, and switches; or none */

int code;

#define PLACE(structure, place, count) static uint64_t place[count][sizeof(vcs_##structure) / 8]
#define RECORD(structure, place, i) ((vcs_##structure *)(place)[i])

PLACE(host, hosts, 1);
PLACE(resource, resources, RESOURCES);
PLACE(project, projects, PROJECTS);
PLACE(project_resource, pairs, PAIRS);
PLACE(app, apps, APPS);
PLACE(task, initial, 1);
static vcs_emulation emulation;
static vcs_job_model models[APPS];
static vcs_server_model servers[PROJECTS];
static double sizes[SIZES], switches[SIZES];
static vcs_parameters policy;

/* What an emulation needs at the start. What fails before the last of it is proved with the refusals. */
void *vcs_emu_allocate(vcs_emu_emulator *e, uint64_t bytes) {
    nothing_fails = bytes <= sizeof models;
    const size_t size = bytes < sizeof sizes ? sizeof sizes : (size_t)bytes;
    return memset(malloc(size), 0, size);
}

/* The caller's records are right, or refused for any reason. */
int vcs_take_record(void *known, const vcs_array *array, uint32_t index, uint32_t type, vcs_error *error) {
    switch (type) {
    case VCS_TYPE_EMULATION:
        *(vcs_emulation *)known = emulation;
        break;
    case VCS_TYPE_JOB_MODEL:
        *(vcs_job_model *)known = models[index];
        break;
    default:
        *(vcs_server_model *)known = servers[index];
    }
    return any_code();
}

static uint32_t any_below(uint32_t count) {
    return Frama_C_unsigned_int_interval(0, count - 1);
}

static void any_records(void) {
    any_right_host(RECORD(host, hosts, 0));
    for (uint32_t i = 0; i < RESOURCES; i++) {
        any_right_resource(RECORD(resource, resources, i));
    }
    for (uint32_t i = 0; i < PROJECTS; i++) {
        any_right_project(RECORD(project, projects, i));
        any_right_server_model(&servers[i]);
    }
    for (uint32_t i = 0; i < PAIRS; i++) {
        vcs_project_resource *pair = RECORD(project_resource, pairs, i);
        any_right_project_resource(pair);
        pair->project = i / RESOURCES;
        pair->resource = i % RESOURCES;
    }
    for (uint32_t i = 0; i < APPS; i++) {
        vcs_app *app = RECORD(app, apps, i);
        any_right_app(app);
        app->project = any_below(PROJECTS);
        app->gpu = any_below(RESOURCES);
        any_right_job_model(&models[i]);
        models[i].gpu = any_below(RESOURCES);
        models[i].first_size = 0;
        models[i].size_count = Frama_C_unsigned_int_interval(1, SIZES);
    }
    vcs_task *task = RECORD(task, initial, 0);
    any_right_task(task);
    task->project = any_below(PROJECTS);
    task->gpu = any_below(RESOURCES);
    task->app = any_yes() ? VCS_NONE : any_below(APPS);
    any_right_emulation(&emulation);
    emulation.struct_size = sizeof emulation;
    for (uint32_t i = 0; i < SIZES; i++) {
        sizes[i] = ANY_FINITE();
        switches[i] = ANY_FINITE();
    }
    any_right_parameters(&policy);
    policy.struct_size = sizeof policy;
}

#define ARRAY_OF(records, number)                                                                                      \
    { {records}, sizeof *records, number }

static vcs_scenario any_scenario(void) {
    any_records();
    nothing_fails = 1;
    return (vcs_scenario){
        .struct_size = sizeof(vcs_scenario),
        .snapshot =
            {
                .struct_size = sizeof(vcs_snapshot),
                .host = ARRAY_OF(hosts, 1),
                .resources = ARRAY_OF(resources, RESOURCES),
                .projects = ARRAY_OF(projects, PROJECTS),
                .project_resources = ARRAY_OF(pairs, Frama_C_unsigned_int_interval(0, PAIRS)),
                .apps = ARRAY_OF(apps, APPS),
                .tasks = ARRAY_OF(initial, any_yes() ? 1 : 0),
            },
        .emulation = ARRAY_OF(&emulation, 1),
        .models = ARRAY_OF(models, APPS),
        .servers = ARRAY_OF(servers, any_yes() ? PROJECTS : 0),
        .sizes = ARRAY_OF(sizes, any_yes() ? SIZES : 0),
        .switches = ARRAY_OF(switches, any_yes() ? SIZES : 0),
    };
}

static vcs_hooks any_hooks(void) {
    return (vcs_hooks){
        .struct_size = sizeof(vcs_hooks),
        .schedule = any_yes() ? hook_schedule : NULL,
        .fetch = any_yes() ? hook_fetch : NULL,
        .send = any_yes() ? hook_send : NULL,
        .estimate = any_yes() ? hook_estimate : NULL,
        .observe = any_yes() ? hook_observe : NULL,
    };
}

/* From the first moment to the outcome. */
static int emulate(const vcs_scenario *scenario, const vcs_hooks *hooks) {
    vcs_outcome outcome = {.struct_size = sizeof outcome};
    vcs_project_outcome of_projects[PROJECTS];
    vcs_resource_outcome of_resources[RESOURCES];
    vcs_error error = {.struct_size = sizeof error};
    return vcs_emulate(scenario, &policy, any_yes() ? hooks : NULL, &outcome, of_projects, sizeof *of_projects,
                       PROJECTS, of_resources, sizeof *of_resources, any_yes() ? RESOURCES : 0,
                       any_yes() ? &error : NULL);
}

#endif
