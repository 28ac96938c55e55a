/*
 * The state file as the records that the library decides on.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_STATE_STATE_FILE_H
#define VCS_EMU_SCENARIO_STATE_STATE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include <vcemu/emulator.h>
#include <vcsched/parameters.h>
#include <vcsched/host.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/scenario/text/ini.h"
#include "vcemu/scenario/policy/policy.h"
#include "vcemu/scenario/state/state_grammar.h"
#include "vcemu/scenario/state/state_list.h"

#define CPU_NAME "CPU"

/* A task from its beginning to its end, for jobs like it. */
struct state_whole {
    double seconds; /* device seconds that the client expects it to need, all in all */
    double bound;   /* from its arrival to its deadline, s; +infinity or <= 0 = none */
};

struct state_file {
    struct ini_document document;
    const struct state_grammar *grammar;
    uint32_t counts[STATE_KINDS + STATE_MOST_MORE];                     /* how many sections of each kind */
    const struct ini_section **sections[STATE_KINDS + STATE_MOST_MORE]; /* those sections, by number */
    void *more; /* what the grammar makes of the sections that it adds */
    double now;
    vcs_emulation emulation;
    vcs_parameters parameters;
    vcs_parameters emulated_parameters; /* the same with what [emulation] changes */
    vcs_host host;
    vcs_resource *resources; /* the CPU, then one for each [gpu] */
    vcs_project *projects;
    vcs_project_resource *project_resources;
    vcs_app *apps;
    vcs_job_model *models;      /* the jobs of each application, if it is emulated */
    vcs_server_model *servers;  /* of each project, if it is emulated */
    uint32_t app_count;         /* with those that are not in the file, but made of the tasks there */
    uint32_t *alike;            /* by index of such an application: the first task that it was made of */
    struct state_list sizes;    /* of jobs; models point to them */
    struct state_list switches; /* of the host, if it is emulated */
    struct fault former;        /* former names that the file uses, as a message; "" = none */
    struct fault note;          /* what an emulation takes for granted, likewise */
    vcs_task *tasks;
    struct state_whole *wholes; /* of each task */
    vcs_task *candidates;
};

vcs_array vcs_scn_records(const void *base, size_t size, uint32_t count);

/* The records as the library takes them. They stay the property of `state`. */
vcs_snapshot vcs_scn_state_file_snapshot(const struct state_file *state);

uint32_t vcs_scn_state_file_resource_count(const struct state_file *state);

/* The name of a resource: "CPU" for number 0, else that of the GPU type. */
const char *vcs_scn_state_file_resource_name(const struct state_file *state, uint32_t resource);

/* The name of the section from which record `index` of this kind was made. */
const char *vcs_scn_state_file_name(const struct state_file *state, uint32_t kind, uint32_t index);

/*
 * Describes what the library refused about a record of this kind by the file, line and key it comes from. Always
 * returns false.
 */
bool vcs_scn_state_file_refuse(const struct state_file *state, uint32_t kind, const vcs_error *error,
                               struct fault *fault);

#endif
