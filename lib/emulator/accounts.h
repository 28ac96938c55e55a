/*
 * The accounts of the host: what its projects did, what they are owed, and how much of it is usable.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_ACCOUNTS_H
#define VCS_EMULATOR_ACCOUNTS_H

#include "emulator/clock.h"
#include "emulator/records.h"

#include <vcsched/average.h>
#include <vcsched/debt.h>
#include <vcsched/estimate.h>

typedef struct vcs_emu_project_account {
    vcs_average rec, cpu_time;
    double flops; /* operations since REC was last brought up to date */
    double cpu;   /* CPU seconds since the average of CPU time was */
} vcs_emu_project_account;

/* Of a (project, resource). */
typedef struct vcs_emu_resource_account {
    vcs_average rec;
    double flops; /* operations since then */
} vcs_emu_resource_account;

/* Of a resource, for the usable fraction. */
typedef struct vcs_emu_usage {
    vcs_usable usable;
    double scheduled; /* device seconds for which tasks were scheduled since the fraction was last learned, */
    double ran;       /* and those that they got */
} vcs_emu_usage;

typedef struct vcs_emu_accounts {
    const vcs_emu_clock *clock;
    vcs_emu_records *records;
    vcs_emu_project_account *projects;
    vcs_emu_resource_account *project_resources;
    vcs_emu_usage *usage; /* of each resource */
    vcs_debt *debts;      /* of each project */
    uint32_t *debt_order;
    bool has_rec, has_cpu_time, has_debts; /* those that the policy looks at */
    double settled;                        /* when all were last brought up to date */
} vcs_emu_accounts;

int vcs_emu_accounts_open(vcs_emu_accounts *accounts, vcs_emu_memory *memory);

/* Books what a task did that ran for `wall` seconds and made `gained` device seconds of progress. */
static inline void vcs_emu_book(vcs_emu_accounts *accounts, const vcs_task *task, double flops, double gained,
                                double wall) {
    const vcs_resource *resources = accounts->records->resources;
    const uint32_t gpu = task->gpu;
    const double cpu_seconds = task->cpus * gained;
    vcs_emu_project_account *project = &accounts->projects[task->project];
    vcs_emu_resource_account *of_resource =
        &accounts->project_resources[vcs_emu_first_of(accounts->records, task->project)];
    project->flops += flops;
    project->cpu += cpu_seconds;
    of_resource[0].flops += cpu_seconds * resources[0].flops;
    if (gpu != 0) {
        of_resource[gpu].flops += task->gpus * gained * resources[gpu].flops;
    }
    accounts->debts[task->project].used += wall;
    accounts->usage[gpu].scheduled += wall;
    accounts->usage[gpu].ran += gained;
}

/* Brings REC, averages, debts and the usable fraction up to now, in the records too. */
int vcs_emu_settle_since(vcs_emu_accounts *accounts);

static inline int vcs_emu_settle(vcs_emu_accounts *accounts) {
    return accounts->settled == accounts->clock->now ? VCS_OK : vcs_emu_settle_since(accounts);
}

#endif
