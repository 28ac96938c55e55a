/*
 * The state file as records of the library.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_STATE_STATE_FILE_H
#define VCS_EMU_SCENARIO_STATE_STATE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include <vcemu/emulator.h>
#include <vcsched/chance.h>
#include <vcsched/parameters.h>
#include <vcsched/host.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/scenario/text/ini.h"
#include "vcemu/scenario/policy/policy.h"
#include "vcemu/scenario/state/state_grammar.h"
#include "vcemu/scenario/state/state_list.h"

#define CPU_NAME "CPU"

/* A whole task, from which jobs are modelled. */
struct state_whole {
    double seconds; /* expected device seconds, from beginning to end */
    double bound;   /* from its arrival to its deadline, s; +infinity or <= 0 = none */
    double said;    /* what its project says that it takes, s */
    bool exact;     /* it tells exactly how far it is, so it takes what its speed so far says */
};

struct state_file {
    struct ini_document document;
    const struct state_grammar *grammar;
    uint32_t counts[STATE_KINDS + STATE_MOST_MORE]; /* sections of each kind */
    const struct ini_section **sections[STATE_KINDS + STATE_MOST_MORE];
    void *more; /* records of the sections that the grammar adds */
    double now;
    vcs_emulation emulation;
    vcs_parameters parameters;
    vcs_parameters emulated_parameters; /* with the changes of [emulation] */
    vcs_host host;
    vcs_hour hours[VCS_HOURS_OF_WEEK];
    uint32_t hour_count;
    vcs_resource *resources; /* the CPU, then one for each [gpu] */
    vcs_project *projects;
    vcs_project_resource *project_resources;
    vcs_app *apps;
    vcs_job_model *models;      /* jobs of each application */
    vcs_server_model *servers;  /* of each project */
    uint32_t app_count;         /* of the file, then those made of tasks */
    vcs_app_resource *app_resources; /* one for each section, then those that an [app] says, with its number as id */
    uint32_t app_resource_count;     /* of the file */
    uint32_t alike_resources;        /* behind them: those of the applications made of tasks */
    uint32_t *alike;            /* by index of an application made of tasks: its first task */
    struct state_list sizes;    /* of jobs; models point to them */
    struct state_list switches; /* of the host, if it is emulated */
    struct fault former;        /* message about former names; "" = none */
    struct fault note;          /* message about assumptions of an emulation; "" = none */
    vcs_task *tasks;
    struct state_whole *wholes; /* of each task */
    vcs_task *candidates;
};

vcs_array vcs_scn_records(const void *base, size_t size, uint32_t count);

/* The records of the library. They belong to `state`. */
vcs_snapshot vcs_scn_state_file_snapshot(const struct state_file *state);

uint32_t vcs_scn_state_file_resource_count(const struct state_file *state);

/* The name of a resource: "CPU" for index 0, else the name of its [gpu]. */
const char *vcs_scn_state_file_resource_name(const struct state_file *state, uint32_t resource);

/* The name in the section of record `index` of this kind. */
const char *vcs_scn_state_file_name(const struct state_file *state, uint32_t kind, uint32_t index);

/* Explains by file, line and key why the library refused a record of this kind. Always returns false. */
bool vcs_scn_state_file_refuse(const struct state_file *state, uint32_t kind, const vcs_error *error,
                               struct fault *fault);

#endif
