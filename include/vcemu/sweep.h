/*
 * Sweeps: scenarios emulated with other values each time, and a table of the outcomes, as `vcemu sweep` makes it.
 *
 * doc/vcemu.md describes keys, values, figures and the table; messages name the options of `vcemu sweep`.
 * examples/c/fetch_study.c is a program. A sweep reads and writes files and starts threads. It prints nothing, and
 * leaves signals alone.
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

/* How a sweep ended */
#define VCS_SWEEP_DONE 0          /* every run was done */
#define VCS_SWEEP_REFUSED 1       /* a scenario is wrong, the table could not be written, or `receive` ended it */
#define VCS_SWEEP_USAGE 2         /* a field of vcs_sweep is wrong; a message about an option begins with it */
#define VCS_SWEEP_INTERRUPTED 130 /* `progress` ended it; the same sweep continues there */

/* vcs_sweep.flags: --json, --each-seed, --each-host, --resume, --force */
#define VCS_SWEEP_JSON 0x1u      /* the table has a JSON object per line; otherwise it is CSV */
#define VCS_SWEEP_EACH_SEED 0x2u /* one row per run */
#define VCS_SWEEP_EACH_HOST 0x4u /* one row per host of VCS_SWEEP_HOSTS */
#define VCS_SWEEP_RESUME 0x8u    /* continue an existing `output`; refuse if it is missing */
#define VCS_SWEEP_FORCE 0x10u    /* overwrite `output`, whatever it contains */

/* vcs_sweep_axis.kind: --vary, --with, --points, --hosts */
#define VCS_SWEEP_VARY 0u   /* KEY=VALUES; all combinations of these, the last varying fastest */
#define VCS_SWEEP_WITH 1u   /* KEY=VALUES that change together with the axis before */
#define VCS_SWEEP_POINTS 2u /* the file of a table with a key in each column and a point in each row */
#define VCS_SWEEP_HOSTS 3u  /* the file of a table of hosts; at most one */

/* What `tell` says */
#define VCS_SWEEP_WARNING 0u /* an assumption, or a former name, in a scenario */
#define VCS_SWEEP_RESUMED 1u /* how many rows the table has already */

/* What `progress` is about */
#define VCS_SWEEP_READING 0u   /* a scenario; in bytes, of an unknown total (0) from a pipe */
#define VCS_SWEEP_CHECKING 1u  /* the values of an axis */
#define VCS_SWEEP_EMULATING 2u /* all runs; the first call says how much was done before */

/* A run that is done. Valid during the call. Since 1.0. */
typedef struct vcs_sweep_run {
    uint32_t struct_size;            /* bytes; set by the library */
    uint32_t flags;                  /* 0 */
    uint64_t point;                  /* number of the point, from 0 */
    uint64_t seed;                   /* seed of the run */
    double weight;                   /* number of hosts that the run stands for; 1 without a table of hosts */
    const char *const *keys;         /* the keys that are varied */
    const char *const *values;       /* the value of each key at the point */
    const char *const *figure_names; /* names of the figures, as headings of the table have them */
    const double *figures;           /* the value of each figure; NaN if it is undefined */
    uint32_t key_count;              /* number of keys */
    uint32_t figure_count;           /* number of figures */
} vcs_sweep_run;

/* What a sweep varies. Since 1.0. */
typedef struct vcs_sweep_axis {
    const char *text;   /* KEY=VALUES, or the name of a file */
    uint32_t kind;      /* VCS_SWEEP_VARY, VCS_SWEEP_WITH, VCS_SWEEP_POINTS or VCS_SWEEP_HOSTS */
    uint32_t reserved0; /* 0 */
} vcs_sweep_axis;

/* A sweep. Zero the struct, set struct_size, then set what is wanted. Since 1.0. */
typedef struct vcs_sweep {
    uint32_t struct_size;            /* bytes; set by the caller */
    uint32_t flags;                  /* VCS_SWEEP_JSON, VCS_SWEEP_EACH_SEED, ... */
    const char *const *files;        /* the scenarios: hosts, or grids; "-" = standard input */
    const vcs_sweep_axis *axes;      /* what is varied; may be NULL if axis_count is 0 */
    const char *const *histograms;   /* each FIGURE=FROM:TO:STEP; may be NULL if histogram_count is 0 */
    const vcs_file_options *options; /* changes to the scenarios; NULL = none */
    const char *output;              /* the file of the table; "-" = standard output; NULL = no table */
    const char *figures;             /* names of the figures, separated by commas; NULL = all of the host or grid */
    const char *statistics;          /* names of the columns of each figure, likewise; NULL = "mean,se" */
    const char *policy_file;         /* a policy: the file of a shared library (policy.h), or the name of one of the
                                        study, such as CS2_WF1_WS1_JC2; NULL = the built-in policy */
    const char *policy_argument;     /* text for the policy; may be NULL */
    const vcs_policy *policy;        /* decides in place of policy_file; may be NULL */
    const char *policy_name;         /* with `policy`: its name in the column `scenario`; change it with the policy */

    /* Receives each run, in order and in the calling thread, except the runs of rows that the table has already. A
       number other than 0 ends the sweep. May be NULL. */
    int (*receive)(void *context, const vcs_sweep_run *run);

    /* Says how much of a stage, VCS_SWEEP_READING, ..., is done, several times a second and in the calling thread. A
       number other than 0 interrupts the sweep. May be NULL. */
    int (*progress)(void *context, uint32_t stage, uint64_t done, uint64_t total);

    /* Says something in one line; `kind` is VCS_SWEEP_WARNING or VCS_SWEEP_RESUMED. May be NULL. */
    void (*tell)(void *context, uint32_t kind, const char *message);
    void *context;            /* passed to the functions above; may be NULL */
    uint32_t file_count;      /* number of files */
    uint32_t axis_count;      /* number of axes */
    uint32_t histogram_count; /* number of histograms */
    uint32_t seeds;           /* runs of each point, each with the next seed, at most 1000000; 0 = 1 */
    uint32_t workers;         /* threads, at most 1024; 0 = one per processor */
    uint32_t shard;           /* the part to do, from 1 to `shards`; 0 if `shards` is 0 */
    uint32_t shards;          /* parts of about as many rows, at most 1000000; 0 = do all */
    uint32_t reserved0;       /* 0 */
} vcs_sweep;

/*
 * Does a sweep, and writes its table.
 *
 * sweep          what to do
 * message        why the sweep was not done, as one line; "" if it was. May be NULL if message_size is 0
 * message_size   bytes of `message`
 *
 * The table has whole rows at any time: the same sweep continues where an earlier one was interrupted.
 *
 * Returns VCS_SWEEP_DONE, VCS_SWEEP_REFUSED, VCS_SWEEP_USAGE or VCS_SWEEP_INTERRUPTED. Thread-safe, unless two sweeps
 * write the same file.
 */
VCS_API int vcs_emulate_sweep(const vcs_sweep *sweep, char *message, uint32_t message_size);

#ifdef __cplusplus
}
#endif

#endif
