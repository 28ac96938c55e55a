/*
 * A scenario for emulations from their first moment to the last: RESOURCES, PROJECTS and APPS, one task at first or
 * none. All else is any in its range, and refers to any of these. The records that the caller's functions are shown may
 * be LONGER than here; they end where their memory ends.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_PROOF_SCENARIO_H
#define VCS_PROOF_SCENARIO_H

#include "emulation.h"

#define SIZES 2 /* of jobs, and switches; or none */

int code;

#define SIZE(structure) (uint32_t)(sizeof(vcs_##structure) + LONGER)
#define RECORD(structure, place, i)                                                                                    \
    ((vcs_##structure *)((char *)(place) + sizeof(place) - (sizeof(place) / sizeof *(place) - (i)) * SIZE(structure)))

ROOM_FOR(host, hosts, 1);
ROOM_FOR(resource, resources, RESOURCES);
ROOM_FOR(project, projects, PROJECTS);
ROOM_FOR(project_resource, pairs, PAIRS);
ROOM_FOR(app, apps, APPS);
ROOM_FOR(task, initial, 1);
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
int vcs_copy_record(void *known, const vcs_array *array, uint32_t index, const vcs_layout *layout, vcs_error *error) {
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

#define CLEAR(place) memset(place, 0, sizeof place) /* bytes beyond what is known are 0 */

static void any_records(void) {
    CLEAR(hosts);
    CLEAR(resources);
    CLEAR(projects);
    CLEAR(pairs);
    CLEAR(apps);
    CLEAR(initial);
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

#define RECORDS_OF(structure, place, number)                                                                           \
    { {RECORD(structure, place, 0)}, SIZE(structure), number }

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
                .host = RECORDS_OF(host, hosts, 1),
                .resources = RECORDS_OF(resource, resources, RESOURCES),
                .projects = RECORDS_OF(project, projects, PROJECTS),
                .project_resources = RECORDS_OF(project_resource, pairs, Frama_C_unsigned_int_interval(0, PAIRS)),
                .apps = RECORDS_OF(app, apps, APPS),
                .tasks = RECORDS_OF(task, initial, any_yes() ? 1 : 0),
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
    return vcs_emulate(scenario, &policy, any_yes() ? hooks : NULL, &outcome,
                       &(vcs_array){{of_projects}, sizeof *of_projects, PROJECTS},
                       &(vcs_array){{of_resources}, sizeof *of_resources, any_yes() ? RESOURCES : 0},
                       any_yes() ? &error : NULL);
}

#endif
