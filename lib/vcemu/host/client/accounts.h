/*
 * What the projects and resources did since the accounts were last settled.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_CLIENT_ACCOUNTS_H
#define VCS_EMU_HOST_CLIENT_ACCOUNTS_H

#include "vcemu/host/emulator.h"

#include <vcsched/chance.h>

struct vcs_emu_accounts {
    struct vcs_emu_project_work {
        double flops, cpu; /* operations, CPU seconds */
    } * projects;
    double *flops; /* operations of each (project, resource) */
    struct vcs_emu_known_jobs *known_jobs; /* likewise */
    struct vcs_emu_usage {
        double scheduled; /* device seconds for which tasks were scheduled */
        double ran;       /* device seconds that the tasks got */
    } * usage;            /* of each resource */
    vcs_debt *debts;      /* of each project */
    uint32_t *debt_order;
    vcs_spells spells;                                 /* of the host, as the client has seen them */
    double spell_began;                                /* the present one */
    bool has_rec, has_cpu_time, has_debts, has_spells; /* accounts that the policy looks at */
    double settled;                        /* when all were last settled */
};

void vcs_emu_accounts_open(vcs_emu_emulator *e);

/* Learns from the spell that has ended, once the host has been switched on or off. */
void vcs_emu_learn_spell(vcs_emu_emulator *e);

/* Brings REC, averages, debts and the usable fraction of the records up to now. */
void vcs_emu_settle(vcs_emu_emulator *e);

#endif
