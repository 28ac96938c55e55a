/* The parts of the emulator are put together here. SPDX-License-Identifier: MIT */
#include "emulator/emulator.h"

#include <string.h>

/* ---- What each part stands on ---- */

static void connect_host(vcs_emu_emulator *e) {
    e->accounts = (vcs_emu_accounts){.clock = &e->clock, .records = &e->records};
    e->estimates = (vcs_emu_estimates){.setup = &e->setup, .records = &e->records};
    e->results = (vcs_emu_results){.clock = &e->clock, .memory = &e->memory, .merit = &e->merit};
    e->timers = (vcs_emu_timers){.clock = &e->clock, .records = &e->records};
    e->tasks = (vcs_emu_tasks){
        .clock = &e->clock,
        .memory = &e->memory,
        .records = &e->records,
        .accounts = &e->accounts,
        .estimates = &e->estimates,
        .results = &e->results,
        .merit = &e->merit,
    };
    e->client = (vcs_emu_client){
        .clock = &e->clock,
        .memory = &e->memory,
        .records = &e->records,
        .accounts = &e->accounts,
        .tasks = &e->tasks,
        .timers = &e->timers,
        .merit = &e->merit,
    };
}

static void connect_servers(vcs_emu_emulator *e) {
    e->servers = (vcs_emu_servers){.clock = &e->clock};
    e->jobs = (vcs_emu_jobs){
        .clock = &e->clock, .memory = &e->memory, .records = &e->records, .estimates = &e->estimates};
    e->sender = (vcs_emu_sender){
        .clock = &e->clock,
        .memory = &e->memory,
        .records = &e->records,
        .results = &e->results,
        .jobs = &e->jobs,
        .client = &e->client,
        .tasks = &e->tasks,
        .merit = &e->merit,
    };
    e->network = (vcs_emu_network){
        .clock = &e->clock,
        .records = &e->records,
        .accounts = &e->accounts,
        .results = &e->results,
        .timers = &e->timers,
        .servers = &e->servers,
        .sender = &e->sender,
        .client = &e->client,
        .merit = &e->merit,
    };
}

/* ---- The start ---- */

static int open_host(vcs_emu_emulator *e, const vcs_array *tasks) {
    int code = vcs_emu_merit_open(&e->merit, &e->memory, &e->records);
    if (code == VCS_OK) {
        code = vcs_emu_accounts_open(&e->accounts, &e->memory);
    }
    if (code == VCS_OK) {
        code = vcs_emu_estimates_open(&e->estimates, &e->memory);
    }
    if (code == VCS_OK) {
        code = vcs_emu_results_open(&e->results, e->records.project_count);
    }
    if (code == VCS_OK) {
        code = vcs_emu_timers_open(&e->timers, &e->memory);
    }
    return code == VCS_OK ? vcs_emu_tasks_open(&e->tasks, tasks) : code;
}

static int open_servers(vcs_emu_emulator *e, const vcs_array *tasks) {
    int code = vcs_emu_servers_open(&e->servers, &e->memory, e->records.project_count);
    if (code == VCS_OK) {
        code = vcs_emu_jobs_open(&e->jobs, tasks);
    }
    if (code == VCS_OK) {
        code = vcs_emu_sender_open(&e->sender);
    }
    if (code == VCS_OK) {
        code = vcs_emu_client_open(&e->client);
    }
    return code == VCS_OK ? vcs_emu_network_open(&e->network, &e->memory) : code;
}

int vcs_emu_open(vcs_emu_emulator *e, const vcs_scenario *scenario, const vcs_parameters *parameters,
                 const vcs_hooks *hooks, vcs_error *error) {
    memset(e, 0, sizeof *e);
    e->setup.error = error;
    e->setup.hooks = hooks != NULL ? *hooks : (vcs_hooks){0};
    e->memory.hooks = &e->setup.hooks;
    connect_host(e);
    connect_servers(e);
    int code = vcs_emu_setup_open(&e->setup, &e->memory, scenario, parameters);
    if (code == VCS_OK) {
        code = vcs_emu_records_open(&e->records, &e->memory, &scenario->snapshot);
    }
    if (code == VCS_OK) {
        vcs_emu_clock_start(&e->clock, &e->setup);
        code = open_host(e, &scenario->snapshot.tasks);
    }
    return code == VCS_OK ? open_servers(e, &scenario->snapshot.tasks) : code;
}

void vcs_emu_close(vcs_emu_emulator *e) {
    vcs_emu_release_all(&e->memory);
}
