/*
 * Populations of hosts, drawn at random: host k of a population is the same host in every run and under every policy.
 *
 *   plain     CPUs alone: 1 to 16, on for 0.2 to 1 of the time in spells of 0.5 to 48 h, 1 to 20 projects, deadlines of
 *             1.2 to 60 times the run time, sizes that are constant or vary by up to their mean
 *   gpu       hosts with one or two types of GPU besides
 *   daytime   the plain ones, but on from about 8 to about 18 o'clock each day
 *   seldom    the plain ones, connected every 12 hours
 *   wrong     the plain ones; estimates are wrong by a factor of two, too high or too low
 *   heavy     the plain ones; the sizes of all jobs are log-normal, with a standard deviation of 1 of the logarithm
 *   down      the plain ones; each server is down for a day after five days, on average
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef STUDY_POPULATION_H
#define STUDY_POPULATION_H

#include <stdio.h>
#include <vcemu/emulator.h>

#define DAY 86400.0
#define MOST_PROJECTS 20
#define MOST_RESOURCES 3
#define MOST_APPS 24
#define MOST_SWITCHES 128

struct drawn_host {
    vcs_host host;
    vcs_resource resources[MOST_RESOURCES];
    vcs_project projects[MOST_PROJECTS];
    vcs_project_resource project_resources[MOST_APPS];
    vcs_app apps[MOST_APPS];
    vcs_job_model models[MOST_APPS];
    vcs_server_model servers[MOST_PROJECTS];
    vcs_emulation emulation;
    double switches[MOST_SWITCHES];
    uint32_t resource_count, project_count, app_count, switch_count;
    int has_project_resources;
    double min_buffer, additional_buffer; /* s */
    double spread;                        /* standard deviation of the sizes of jobs / their mean */
    double slack[MOST_APPS];              /* of each application: latency bound / run time */
};

struct population {
    const char *name;
    const char *about;
    void (*draw)(struct drawn_host *h, uint64_t number);
};

/* All of them; the last has no name. */
extern const struct population populations[];

/* The one with this name; NULL = none. */
const struct population *population_find(const char *name);

/*
 * The share violation (rule 12.2) below which no policy can come on a host with GPUs, because projects cannot use all
 * of its resources, if each resource is used all the time. The CPUs that GPU tasks use count as free. -1 without a GPU.
 */
double drawn_host_least_violation(const struct drawn_host *h);

/* Fills in the scenario, with pointers into the host. */
void drawn_host_describe(const struct drawn_host *h, vcs_scenario *scenario);

/* Writes the host as a scenario for vcemu, all digits of each number. */
void drawn_host_write(const struct drawn_host *h, FILE *out);

#endif
