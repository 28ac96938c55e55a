/*
 * Random host states: everything that a simulation can meet, from a number.
 *
 * The same seed gives the same state on every machine. States are small but odd: ties wherever the rules break ties,
 * fractions that do not add up, limits, exclusions, tasks that fit nowhere, zero shares, zero lengths, past deadlines.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef RANDOM_STATE_H
#define RANDOM_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <vcsched/chance.h>
#include <vcsched/parameters.h>
#include <vcsched/host.h>

#define RANDOM_MOST_RESOURCES 3
#define RANDOM_MOST_PROJECTS 20
#define RANDOM_MOST_APPS 20
#define RANDOM_MOST_TASKS 200
#define RANDOM_MOST_CANDIDATES 8

/* What the states are for. */
typedef enum random_kind {
    RANDOM_ANY,  /* all that the sliced discipline and earliest deadline first understand */
    RANDOM_FLUID /* what the fluid discipline does not refuse: tasks of one CPU, no limits of applications */
} random_kind;

/* A state with the records that its snapshot points to. It must not be moved. */
typedef struct random_state {
    vcs_host host;
    vcs_resource resources[RANDOM_MOST_RESOURCES];
    vcs_project projects[RANDOM_MOST_PROJECTS];
    vcs_project_resource project_resources[RANDOM_MOST_PROJECTS * RANDOM_MOST_RESOURCES];
    vcs_app apps[RANDOM_MOST_APPS];
    vcs_app_resource app_resources[RANDOM_MOST_APPS * RANDOM_MOST_RESOURCES];
    vcs_task tasks[RANDOM_MOST_TASKS];
    vcs_task candidates[RANDOM_MOST_CANDIDATES];
    vcs_hour hours[VCS_HOURS_OF_WEEK];
    vcs_snapshot snapshot;
    vcs_parameters parameters;
    double now;
} random_state;

/* Where a shuffle put the records: record i of the original is record places[i] of the copy. */
typedef struct random_places {
    uint32_t projects[RANDOM_MOST_PROJECTS];
    uint32_t project_resources[RANDOM_MOST_PROJECTS * RANDOM_MOST_RESOURCES];
    uint32_t apps[RANDOM_MOST_APPS];
    uint32_t app_resources[RANDOM_MOST_APPS * RANDOM_MOST_RESOURCES];
    uint32_t tasks[RANDOM_MOST_TASKS];
    uint32_t candidates[RANDOM_MOST_CANDIDATES];
} random_places;

void random_state_fill(random_state *state, random_kind kind, uint64_t seed);

/*
 * Adds CPUs kept for others, paused resources, tasks that are downloading, stay in memory, wait for something or have
 * a usable fraction and devices of their own, exclusions of applications, and CPUs that must not be exceeded.
 */
void random_state_enrich(random_state *state, uint64_t seed);

/* Sets new limits on concurrent tasks, for most projects and applications; with `single`, all tasks take one CPU. */
void random_state_limit(random_state *state, bool single, uint64_t seed);

/* Sets limits in instances and per device, for some projects and applications on some resources. */
void random_state_restrict(random_state *state, uint64_t seed);

/* Hours that the policy goes by, and spells and deadlines within some days, unless a task has none. */
void random_state_add_hours(random_state *state, uint64_t seed);

/* Points the snapshot at the state's own records; only the counts of `counts` are looked at. */
void random_state_point_snapshot(random_state *state, const vcs_snapshot *counts);

/* The same state with its arrays in another order. Resources stay: their order is part of the rules. */
void random_state_shuffle(random_state *copy, const random_state *original, uint64_t seed, random_places *places);

#endif
