/*
 * An emulator: where its parts are, and why it failed.
 *
 * Each part is a struct in a header of its own, beside its source file. A file includes the parts that it touches, and
 * no others. The scenario and the clock are constant for all but their own files and the main loop.
 *
 * The first failure stays in `code` and ends the emulation: nothing more is decided, and no function of the caller's is
 * called. So only new memory has to be checked before it is used.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_EMULATOR_H
#define VCS_EMU_HOST_EMULATOR_H

#include "vcsched/core/invariant.h"
#include "vcsched/core/number.h"

#include <stdbool.h>
#include <string.h>
#include <vcemu/emulator.h>

typedef struct vcs_emu_emulator vcs_emu_emulator;
typedef struct vcs_emu_block vcs_emu_block;
typedef struct vcs_emu_grid_servers vcs_emu_grid_servers;
typedef struct vcs_emu_true_task vcs_emu_true_task;
typedef struct vcs_emu_result vcs_emu_result;

typedef struct vcs_emu_setup vcs_emu_setup;
typedef struct vcs_emu_clock vcs_emu_clock;
typedef struct vcs_emu_agenda vcs_emu_agenda;
typedef struct vcs_emu_records vcs_emu_records;
typedef struct vcs_emu_tasks vcs_emu_tasks;
typedef struct vcs_emu_results vcs_emu_results;
typedef struct vcs_emu_merit vcs_emu_merit;
typedef struct vcs_emu_accounts vcs_emu_accounts;
typedef struct vcs_emu_timers vcs_emu_timers;
typedef struct vcs_emu_prepared vcs_emu_prepared;
typedef struct vcs_emu_shown vcs_emu_shown;
typedef struct vcs_emu_skip vcs_emu_skip;
typedef struct vcs_emu_fetching vcs_emu_fetching;
typedef struct vcs_emu_network vcs_emu_network;
typedef struct vcs_emu_idle vcs_emu_idle;
typedef struct vcs_emu_jobs vcs_emu_jobs;
typedef struct vcs_emu_servers vcs_emu_servers;
typedef struct vcs_emu_workspace vcs_emu_workspace;

/* The caller's functions for memory; NULL = malloc() and free(). */
typedef struct vcs_emu_memory {
    void *context;
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *memory, size_t size);
} vcs_emu_memory;

struct vcs_emu_emulator {
    int code;         /* why the emulation failed; VCS_OK = it has not */
    vcs_error *error; /* where the first failure is described; NULL = nowhere, or it has been */
    vcs_emu_memory memory;
    vcs_emu_block *blocks;                    /* blocks of memory in use, a list */
    const vcs_emu_grid_servers *grid_servers; /* NULL = a host alone */
    vcs_emu_emulator *ground;                 /* owner of the memory of the workspace: itself, or the whole grid */
    void *grid;                               /* the grid */
    uint32_t number;                          /* number of the host in the grid */
    bool is_observed;                         /* somebody is told of events */

    const vcs_emu_setup *setup;   /* the scenario and the policy */
    const vcs_emu_clock *clock;   /* the present */
    vcs_emu_agenda *agenda;       /* when to decide again */
    vcs_emu_records *records;     /* the host as decisions see it */
    vcs_emu_tasks *tasks;         /* what its tasks are in truth */
    vcs_emu_results *results;     /* results to report */
    vcs_emu_merit *merit;         /* the outcome */
    vcs_emu_accounts *accounts;   /* work since the accounts were settled */
    vcs_emu_timers *timers;       /* when projects may be called */
    vcs_emu_prepared *prepared;   /* how far the state is simulated */
    vcs_emu_shown *shown;         /* records as long as the caller's */
    vcs_emu_skip *skip;           /* decisions that may be left out */
    vcs_emu_fetching *fetching;   /* what to ask projects for */
    vcs_emu_network *network;     /* calls */
    vcs_emu_idle *idle;           /* why instances are idle */
    vcs_emu_jobs *jobs;           /* how jobs are drawn */
    vcs_emu_servers *servers;     /* whether servers answer */
    vcs_emu_workspace *workspace; /* used while something is decided; of the whole grid, if there is one */
};

/* Notes what a function of libvcsched returned; it has described what it refused. */
static inline void vcs_emu_note(vcs_emu_emulator *e, int code) {
    if (code != VCS_OK) {
        e->code = e->code == VCS_OK ? code : e->code;
        e->error = NULL;
    }
}

/* Notes what a function of the caller's returned. */
void vcs_emu_note_hook(vcs_emu_emulator *e, int code, const char *name);

/* Notes a failure of the emulator's own; the message is `what` and `why`. */
void vcs_emu_fail(vcs_emu_emulator *e, int code, uint64_t index, const char *what, const char *why);

#endif
