/*
 * `vcemu sweep` for other programs: the same options, a policy of the program's own, and the figures of each run.
 *
 * doc/vcemu.md describes the options and the table; examples/c/fetch_study.c is a program. A sweep reads and writes
 * files, starts threads, writes to the standard output what `vcemu sweep` writes there, and to the standard error
 * output warnings and, on a terminal, a bar.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_SWEEP_H
#define VCEMU_SWEEP_H

#include <vcemu/policy.h>
#include <vcemu/scenario.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a sweep ended: the exit status of `vcemu sweep` */
#define VCS_SWEEP_DONE 0          /* every run was done */
#define VCS_SWEEP_REFUSED 1       /* the input is wrong, the table could not be written, or `receive` ended it */
#define VCS_SWEEP_USAGE 2         /* the arguments are wrong */
#define VCS_SWEEP_INTERRUPTED 130 /* SIGINT or SIGTERM came */

/* A run that is done. Valid during the call. Since 0.1. */
typedef struct vcs_sweep_run {
    uint32_t struct_size;            /* bytes; set by the library */
    uint32_t flags;                  /* 0 */
    uint64_t point;                  /* number of the point, from 0 */
    uint64_t seed;                   /* seed of the run */
    double weight;                   /* number of hosts that the run stands for; 1 without --hosts */
    const char *const *keys;         /* the keys that are varied */
    const char *const *values;       /* the value of each key at the point */
    const char *const *figure_names; /* names of the figures, as headings of the table have them */
    const double *figures;           /* the value of each figure; NaN if it is undefined */
    uint32_t key_count;              /* number of keys */
    uint32_t figure_count;           /* number of figures */
} vcs_sweep_run;

/* A sweep. Zero the struct, set struct_size, then set what is wanted. Since 0.1. */
typedef struct vcs_sweep {
    uint32_t struct_size;         /* bytes; set by the caller */
    uint32_t flags;               /* 0 */
    const char *const *arguments; /* the command line after `vcemu sweep`: "base.ini", "--vary", "host.cpus=1,2" */
    const vcs_policy *policy;     /* decides in place of --policy; NULL = as the arguments say */
    const char *policy_name;      /* with `policy`: its name in the column `scenario`, a new one for a new policy */

    /* Receives each run, in order and in the calling thread, except the runs of rows that the table has already. A
       number other than 0 ends the sweep. NULL = only the table is wanted. */
    int (*receive)(void *context, const vcs_sweep_run *run);
    void *context;           /* passed to `receive`; may be NULL */
    uint32_t argument_count; /* number of arguments */
    uint32_t reserved0;      /* 0 */
} vcs_sweep;

/*
 * Does a sweep, and writes its table as the arguments say; with `receive` and without --output there is no table.
 *
 * sweep          what to do
 * message        why the sweep was not done, as one line; "" if it was. May be NULL if message_size is 0
 * message_size   bytes of `message`
 *
 * SIGINT and SIGTERM end the sweep, and what is done stays: a sweep with the same arguments goes on from there. The
 * signals do again afterwards what they did before.
 *
 * Returns VCS_SWEEP_DONE, VCS_SWEEP_REFUSED, VCS_SWEEP_USAGE or VCS_SWEEP_INTERRUPTED. Not thread-safe: one sweep at a
 * time in a program, since signals are the program's. Thread-safe beside everything else.
 */
VCS_API int vcs_emulate_sweep(const vcs_sweep *sweep, char *message, uint32_t message_size);

#ifdef __cplusplus
}
#endif

#endif
