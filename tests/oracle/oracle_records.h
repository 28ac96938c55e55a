/*
 * What the reference implementations share: how they read the public records.
 *
 * An oracle is a second, slow and obvious program for the same rules, against which the library is compared on random
 * inputs. Nothing of the library is used here but the layout of the public records, so that no mistake is shared;
 * conversions that the library has too are written down again, as plainly as the rules state them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ORACLE_RECORDS_H
#define ORACLE_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include <vcsched/parameters.h>
#include <vcsched/host.h>

/* One instance, in the units in which uses are counted: 2^-20 instance. */
#define ORACLE_ONE INT64_C(1048576)
/* With fewer units free than this, nothing is free. */
#define ORACLE_LEAST_FREE INT64_C(2)
/* The longest time that counts, microseconds. */
#define ORACLE_FOREVER (INT64_C(1) << 60)
/* The least part of all shares by which a project is ranked; a smaller one could make its priority infinite. */
#define ORACLE_LEAST_PART 1e-200
/* A deadline that no finish can miss. */
#define ORACLE_NEVER INT64_MAX

__extension__ typedef unsigned __int128 oracle_sum;

const vcs_resource *oracle_resource(const vcs_snapshot *snapshot, uint32_t index);
const vcs_project *oracle_project(const vcs_snapshot *snapshot, uint32_t index);
const vcs_app *oracle_app(const vcs_snapshot *snapshot, uint32_t index);
const vcs_task *oracle_task(const vcs_snapshot *snapshot, uint32_t index);
const vcs_task *oracle_candidate(const vcs_snapshot *snapshot, uint32_t index);
/* NULL if the snapshot has no such pair. */
const vcs_project_resource *oracle_project_resource(const vcs_snapshot *snapshot, uint32_t project, uint32_t resource);
const vcs_app_resource *oracle_app_resource(const vcs_snapshot *snapshot, uint32_t app, uint32_t resource);

/* Seconds as microseconds, rounded half up, never beyond ORACLE_FOREVER; and back. */
int64_t oracle_micros(double seconds);
double oracle_seconds(int64_t micros);
/* Instances as units, rounded half up. */
int64_t oracle_units(double instances);
/* An exact sum of units times microseconds, as instance-seconds. */
double oracle_instance_seconds(oracle_sum sum);

/* Memory for `count` elements of `size` bytes, all 0; the program ends if there is none. */
void *oracle_allocate(uint64_t count, uint64_t size);

/* Neither the task, nor its project, nor its GPU type is suspended. */
bool oracle_takes_part(const vcs_snapshot *snapshot, const vcs_task *task);
/* Which resource the task is for: its GPU type, else the CPU. */
uint32_t oracle_resource_of(const vcs_task *task);
/* Units of `resource` that the task occupies while it runs. */
int64_t oracle_use(const vcs_task *task, uint32_t resource);
/* Wall time the task still needs, in seconds and in whole microseconds. */
double oracle_run_seconds(const vcs_snapshot *snapshot, const vcs_task *task);
int64_t oracle_run_time(const vcs_snapshot *snapshot, const vcs_task *task);
/* Arrival order: received, then id. */
bool oracle_arrives_before(const vcs_task *a, const vcs_task *b);
/* The latest finish in time, in microseconds from `now`. */
/*
 * Tasks of a project that may run at once on a resource, by its own limit and its applications' sum; INFINITY = any
 * number. Where it has tasks for the resource, an application with tasks for others alone does not count.
 */
double oracle_limit_on(const vcs_snapshot *snapshot, uint32_t index, uint32_t resource);

int64_t oracle_limit(const vcs_task *task, double now, double cushion);

/* How long before their deadline admission ends tasks, s. */
double oracle_admission_cushion(const vcs_parameters *parameters);
/* How far a simulation goes at most: to its horizon, and never beyond ORACLE_FOREVER. */
int64_t oracle_horizon(const vcs_parameters *parameters);
/* End of the buffer, s. */
double oracle_buffer(const vcs_parameters *parameters);
/* With less work than this, somebody is called, s. */
double oracle_work_to_keep(const vcs_parameters *parameters);
/* A shortfall of the resource below this is no reason to call anybody, instance-seconds. */
double oracle_least_shortfall(const vcs_snapshot *snapshot, const vcs_parameters *parameters, uint32_t resource);

/* The project may use the instance. */
bool oracle_allows(const vcs_snapshot *snapshot, uint32_t project, uint32_t resource, uint32_t instance);
/*
 * Units that one task of a project for a resource uses, as its applications declare: the widest, or the narrowest; 0 if
 * none does.
 */
int64_t oracle_declared_use(const vcs_snapshot *snapshot, uint32_t project, uint32_t resource, bool at_most);
/* All applications of a project are listed, and as they declare none has tasks for the resource. */
bool oracle_declares_no_apps(const vcs_snapshot *snapshot, uint32_t project, uint32_t resource);

/* How many instances of the resource the project may use. */
uint32_t oracle_allowed_count(const vcs_snapshot *snapshot, uint32_t project, uint32_t resource);

/* The indices of all projects in order of their id: the order of every sum. To be freed. */
uint32_t *oracle_projects_by_id(const vcs_snapshot *snapshot);

#endif
