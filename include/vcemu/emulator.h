/*
 * libvcemu, the emulator: a host and its servers in virtual time, driven by the decisions of libvcsched.
 *
 * It shows how good a policy is, without needing a grid: how much processing is wasted on late results or lost to
 * idleness, how well shares are respected, how often servers are called. It uses only the public functions of
 * libvcsched, and the caller can replace each of its decisions with a function of its own.
 *
 * vcsched.h does not include this header: it belongs to a separate library, which allocates memory and uses callbacks.
 * Otherwise all conventions of vcsched.h apply here too.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_EMULATOR_H
#define VCEMU_EMULATOR_H

#include <vcsched/accounts.h>
#include <vcsched/fetch.h>
#include <vcsched/host.h>
#include <vcsched/parameters.h>
#include <vcsched/schedule.h>
#include <vcsched/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Numbers for the structs of this library: vcs_emulator_struct_size(), vcs_emulator_field_at() and vcs_error refer to
 * structs by them. grid.h and bound.h have more. Values are never reused.
 */
#define VCS_TYPE_EMULATION 1000u
#define VCS_TYPE_JOB_MODEL 1001u
#define VCS_TYPE_SERVER_MODEL 1002u
#define VCS_TYPE_EVENT 1003u
#define VCS_TYPE_OUTCOME 1004u
#define VCS_TYPE_PROJECT_OUTCOME 1005u
#define VCS_TYPE_RESOURCE_OUTCOME 1006u

/* An error that vcs_emulate() can return besides the errors of abi.h and of the caller's functions. */
#define VCS_ERR_MEMORY (-100) /* the caller's function, or malloc(), had no memory to give */

/* The longest emulation, in seconds (about 3,170 years). */
#define VCS_MAX_EMULATION 1e11

/*
 * vcs_emulation.flags: the client goes by the usable fractions of the snapshot's resources. Otherwise it knows its
 * usable fraction as a real client does: the fraction of the emulation for which the host is on (rule 12.1)
 */
#define VCS_EMULATION_USABLE_GIVEN 0x1u

/* vcs_emulation.spells: distribution of the lengths of spells, for which the host is on or off */
#define VCS_SPELLS_EXPONENTIAL 0u /* exponential: the rest of a spell does not depend on its length so far */
#define VCS_SPELLS_WEIBULL 1u     /* Weibull of the shape `spell_shape`: below 1, most are short, a few very long */
#define VCS_SPELLS_LOG_NORMAL 2u  /* log-normal; `spell_shape` is the standard deviation of the logarithm */

/*
 * What is emulated, and when the host is available. Fill it with vcs_emulation_init(), then change what you want.
 * 104 bytes. Since 1.0.
 */
typedef struct vcs_emulation {
    uint32_t struct_size;       /* bytes; set by vcs_emulation_init() */
    uint32_t flags;             /* VCS_EMULATION_* */
    uint64_t seed;              /* seed of all random draws; any number */
    double start;               /* when it begins, in the epoch of the snapshot, within +-1e12 */
    double duration;            /* how long it lasts, s; > 0 */
    double available;           /* fraction of time in which the host is on, 0 < available <= 1 */
    double available_mean;      /* mean length of the spells for which it is on, s; > 0 if available < 1 */
    double connection_interval; /* minimum time between the moments at which servers are called, s; 0 = none. The
                                   client knows it: it is its parameter connect_every where that is 0 (rule 15.7) */
    uint32_t study_rules;       /* 1: client and servers behave like the study's program where it differs (rules 13.6,
                                   13.10, 13.11); 0: they follow rules 3.3, 7.1 and 9 */
    uint32_t max_reply;         /* maximum number of jobs in one reply; 1 ... 1,000,000 */
    double available_step;      /* how often the client looks whether the host is on, s: the host is switched at most
                                   once in each such step from the start, at its end; 0 = at any time. The study's
                                   program has 60 (rule 13.14) */
    double spell_shape;         /* see VCS_SPELLS_*: 0.1 ... 10; ignored for exponential spells */
    uint32_t spells;            /* VCS_SPELLS_* */
    uint32_t reserved0;         /* 0 */
    uint64_t reserved[2];       /* 0 */
} vcs_emulation;

/* vcs_job_model.distribution: how the sizes of jobs are distributed */
#define VCS_SIZES_NORMAL 0u      /* normal, with mean and standard deviation; a negative size counts as 0 */
#define VCS_SIZES_EXPONENTIAL 1u /* exponential, with this mean */
#define VCS_SIZES_CONSTANT 2u    /* always the mean */
#define VCS_SIZES_LIST 3u        /* vcs_scenario.sizes in order, then from the first again */
#define VCS_SIZES_LOG_NORMAL 4u  /* log-normal, with mean and standard deviation: most jobs are shorter than the mean, a
                                    few much longer. A deviation of more than a million means counts as a million */

/* vcs_job_model.flags */
#define VCS_JOB_MODEL_EXACT 0x1u /* its jobs tell exactly how far they are: see VCS_PROGRESS_EXACT */

/* The jobs of one application; element i describes application i of the snapshot. 128 bytes. Since 1.0. */
typedef struct vcs_job_model {
    double latency_bound;       /* time from sending a job to the deadline of its result, s; > 0 */
    double est_flops;           /* operations that a job is estimated to need */
    double mean_flops;          /* mean of the operations that jobs need */
    double sd_flops;            /* standard deviation of the same; for VCS_SIZES_NORMAL and VCS_SIZES_LOG_NORMAL */
    double cpus;                /* CPUs that a job uses, fractions too */
    double gpus;                /* instances of `gpu` that a job uses; 0 if gpu = 0, > 0 otherwise */
    double weight;              /* how often jobs are sent, relative to the other applications of the project that use
                                   the same kind of processor (0 = never) */
    double ram;                 /* memory that a job needs, bytes */
    double checkpoint_interval; /* device seconds between the checkpoints of a job; 0 = no work is ever lost */
    uint32_t gpu;               /* index of the GPU type that a job needs; 0 = none */
    uint32_t distribution;      /* VCS_SIZES_* */
    uint32_t first_size;        /* for VCS_SIZES_LIST: index of the first size in vcs_scenario.sizes */
    uint32_t size_count;        /* for VCS_SIZES_LIST: number of sizes; >= 1 */
    uint32_t flags;             /* VCS_JOB_MODEL_* */
    uint32_t reserved0;         /* 0 */
    double fraction_blur;       /* how far the fraction that jobs report as done is from the truth, 0 ... 4: a job of
                                   which the fraction x is done reports x^k, with a k of its own: log2(k) is normal with
                                   mean 0 and this standard deviation. So some jobs report too much all the time, and
                                   others too little; 0 = the truth. Like the next field, ignored with
                                   VCS_JOB_MODEL_EXACT */
    double fraction_step;       /* jobs report multiples of this fraction alone, 0 ... 1; 0 = any fraction */
    uint64_t reserved[2];       /* 0 */
} vcs_job_model;

/* The server of one project; element i describes the server of project i. 80 bytes. Since 1.0. */
typedef struct vcs_server_model {
    double up_mean;           /* mean length of the exponential periods for which a scheduler is up, s; 0 = always up */
    double down_mean;         /* mean length of the periods for which one is down, s; > 0 if up_mean > 0 */
    double scheduler_failure; /* probability that a call is not answered although the scheduler is up */
    double network_failure;   /* probability that a call, or an attempt to read the master file, does not reach it */
    double request_delay;     /* how long it asks not to be called again, s */
    uint32_t max_in_progress; /* maximum number of jobs that a host may have; 0 = no limit */
    uint32_t schedulers;      /* how many schedulers it has, 0 ... 1000; 0 = one. Each is up and down for itself, by
                                 up_mean and down_mean; the client tries one after another (rule 7.2). The master file
                                 is on the machine of the first */
    double master_failure;    /* probability that its master file cannot be read although that machine is up */
    double moves_at;          /* time from the start until its schedulers move to other URLs, s; 0 = never. The client
                                 gets no answer from then on until it has read the master file again */
    uint64_t reserved[2];     /* 0 */
} vcs_server_model;

/*
 * A scenario: the host at the start, and its future. The caller owns all of it; no pointer is kept.
 *
 * The initial tasks of the snapshot take exactly the time in vcs_task.remaining. Tasks with VCS_TASK_RUNNING run when
 * the emulation begins: the first decision finds them running, and lets them run on or stops them. If it stops one, the
 * work of vcs_task.since_checkpoint has to be done again; once they have run on for a while, stopping them loses
 * nothing. A project without applications sends no jobs.
 */
typedef struct vcs_scenario {
    uint32_t struct_size; /* bytes; set by the caller to sizeof(vcs_scenario) */
    uint32_t flags;       /* 0 */
    vcs_snapshot snapshot; /* the host at the start, with its initial tasks; no candidates */
    vcs_array emulation;  /* vcs_emulation, exactly one */
    vcs_array models;     /* vcs_job_model, one for each application */
    vcs_array servers;    /* vcs_server_model, one for each project; none if all servers always answer */
    vcs_array sizes;      /* double: sizes of jobs for VCS_SIZES_LIST, operations */
    vcs_array switches;   /* double: when the host is switched off, on, off, ..., s from the start, ascending. If there
                             are any, they replace vcs_emulation.available. The host is on at the start */
} vcs_scenario;

/* ---- What happens ---- */

/* vcs_event.kind */
#define VCS_EVENT_ON 0u         /* the host was switched on */
#define VCS_EVENT_OFF 1u        /* the host was switched off; running tasks make no progress until it is on again */
#define VCS_EVENT_RECEIVED 2u   /* a job arrived; amount = the operations that it needs */
#define VCS_EVENT_STARTED 3u    /* a task began or resumed, or ran at the start and runs on; amount = how many
                                   instances of the resource it uses */
#define VCS_EVENT_STOPPED 4u    /* a task was stopped before it had ended */
#define VCS_EVENT_ENDED 5u      /* a task ended */
#define VCS_EVENT_REPORTED 6u   /* the result of a task was reported in time; amount = its operations */
#define VCS_EVENT_LATE 7u       /* the result of a task was reported too late; amount = its operations */
#define VCS_EVENT_CALLED 8u     /* a server was called and answered; amount = instance-seconds asked for */
#define VCS_EVENT_FAILED 9u     /* a server was called and did not answer; amount likewise */
#define VCS_EVENT_FORECAST 10u  /* the client decided whether to fetch; amount = time the resource is saturated, s */
#define VCS_EVENT_MASTER 11u    /* the master file of a project was read (rule 7.2) */
#define VCS_EVENT_NO_MASTER 12u /* the master file could not be read */
#define VCS_EVENT_IDLE 13u      /* from now on `amount` instances of a resource are idle; `reason` says why */
#define VCS_EVENT_ABORTED 14u   /* in a grid: a task was given up, because its server no longer needs it */
#define VCS_EVENT_GIVEN_UP 15u  /* the client gave a task up: it would not have been done in time (rule 15.3) */
#define VCS_EVENT_KINDS 16u     /* how many there are; grows */

/* vcs_event.reason of VCS_EVENT_IDLE: why instances are idle while the host is on */
#define VCS_IDLE_NONE 0u         /* no instance is idle */
#define VCS_IDLE_UNFIT 1u        /* tasks wait, but none fits into the free instances (rule 4.7) */
#define VCS_IDLE_LIMIT 2u        /* limits of tasks, exclusions or memory hold tasks back, or keep the client from
                                    asking; or instances are reserved for other programs (vcs_resource.reserve) */
#define VCS_IDLE_HELD 3u         /* the waiting tasks are suspended or not ready */
#define VCS_IDLE_BACKED_OFF 4u   /* there is no task, and each project with work is deferred or backed off */
#define VCS_IDLE_DISCONNECTED 5u /* there is no task, and the host is not connected until later */
#define VCS_IDLE_NO_WORK 6u      /* there is no task, and no project that may be asked has work for the resource */
#define VCS_IDLE_UNEXPLAINED 7u  /* none of these: a task would have fitted, or work was to be had */
#define VCS_IDLE_SERVER_LIMIT 8u /* there is no task, and a project with work is not asked yet, since the host has as
                                    many jobs in progress as its server allows (vcs_server_model.max_in_progress) */
#define VCS_IDLE_REASONS 9u      /* how many there are; grows */

/* One event. Fields that mean nothing for its kind are VCS_NONE or 0. Its size is frozen. 64 bytes. Since 1.0. */
typedef struct vcs_event {
    double time;          /* when, in the epoch of the scenario */
    uint32_t kind;        /* VCS_EVENT_* */
    uint32_t project;     /* index of the project */
    uint64_t task;        /* id of the task */
    uint32_t resource;    /* index of the resource: the GPU type of a GPU task, otherwise the CPU */
    uint32_t track;       /* index of the row of a running task on the timeline of the resource: the lowest free one;
                             CALLED and FAILED: which scheduler, from 0, if its project has several */
    double amount;        /* see VCS_EVENT_* */
    double deadline;      /* report deadline of the task */
    uint32_t reason;      /* VCS_IDLE_* */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[1]; /* 0 */
} vcs_event;

/* ---- Policies ---- */

/* What a decision is based on. Valid only during the call. */
typedef struct vcs_situation {
    uint32_t struct_size;             /* bytes */
    uint32_t flags;                   /* 0 */
    double now;                       /* the current time */
    const vcs_snapshot *snapshot;     /* the records, of the same sizes as in the scenario; candidates are as long as
                                         tasks. An element_size of 0 there stands for the size in this library */
    const vcs_parameters *parameters; /* the policy */
    vcs_state *state;                 /* prepared from both; vcs_wrr() has run on it */
    uint64_t seed;                    /* vcs_emulation.seed: a function that draws at random starts from it, so that the
                                         same emulation has the same outcome. libvcemu draws other numbers from it */
} vcs_situation;

/*
 * The caller's functions. Zero the struct, set struct_size, then set what you want to replace. NULL means the default.
 *
 * A function returns VCS_OK, or a negative number, which ends the emulation and which vcs_emulate() returns. A positive
 * number counts as VCS_OK.
 * An impossible decision ends the emulation with VCS_ERR_RANGE: more tasks than there are instances for, an amount that
 * is negative or not finite, a next_check that is NaN. A next_check below a second counts as a second: time must pass.
 */
typedef struct vcs_hooks {
    uint32_t struct_size; /* bytes; set by the caller to sizeof(vcs_hooks) */
    uint32_t flags;       /* 0 */
    void *context;        /* passed to each function; may be NULL */

    /* Memory: both or neither; default malloc() and free(). `allocate` returns memory aligned to 16 bytes, or NULL.
       `release` receives the memory that `allocate` returned, and its size. */
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *memory, size_t size);

    /* Which tasks run: writes a decision for each task of the snapshot and summary->next_check; only `run`, `flags` and
       `devices` of a decision are read; default vcs_schedule(). The chosen tasks must not use more instances than there
       are; under parameters.cpu_fit, CPU tasks may use one more, or any number. CPU shares of GPU tasks do not count. A
       running task starts again from its checkpoint if its devices change. */
    int (*schedule)(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                    vcs_schedule_summary *summary);

    /* Which project to ask for how much work: writes a decision for each (project, resource), project by project,
       summary->project and summary->next_check; only `seconds`, `instances`, `jobs` and `latency_bound` of a
       decision are read; default vcs_fetch(), after vcs_schedule() on the same state under the discipline
       VCS_DISCIPLINE_SLICED (rule 6.3). */
    int (*fetch)(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                 vcs_fetch_decision *decisions, vcs_fetch_summary *summary);

    /* Whether the server sends this candidate of the snapshot: writes `admitted`; default the deadline tests of rules
       9.1 and 9.2. It is called for each job that would otherwise be sent, in order; a refused job is not replaced by
       another one. `remaining` of the candidate is the server's estimate. */
    int (*send)(void *context, const vcs_situation *situation, uint32_t candidate, vcs_admission *admission);

    /* How many device seconds a task has left; default vcs_estimate_remaining(). */
    int (*estimate)(void *context, const vcs_progress *progress, uint32_t rule, double *device_seconds);

    /* Receives each event, in order of time. */
    int (*observe)(void *context, const vcs_event *event);
} vcs_hooks;

/* ---- The outcome ---- */

/* vcs_outcome.flags: figures that are undefined, and therefore 0 */
#define VCS_UNDEFINED_WASTE 0x1u        /* waste and idleness: the host was never on, or all it has is suspended */
#define VCS_UNDEFINED_SHARE 0x2u        /* share_violation: nothing was processed, or no project has a share */
#define VCS_UNDEFINED_MONOTONY 0x4u     /* monotony: there is no project, or the host was never on */
#define VCS_UNDEFINED_RPCS 0x8u         /* rpcs_per_job and stops_per_job: nothing was reported */
#define VCS_UNDEFINED_STUDY 0x10u       /* study_waste and study_idleness: nothing was reported or processed */
#define VCS_UNDEFINED_STUDY_SHARE 0x20u /* study_share_violation: nothing was reported, or no project has a share */

/* The figures of merit of rule 12.2, and what they are made of. 272 bytes. Since 1.0. */
typedef struct vcs_outcome {
    uint32_t struct_size;         /* bytes; set by the caller */
    uint32_t flags;               /* out: VCS_UNDEFINED_* */
    double waste;                 /* out: fraction of the time of all instances that went into late tasks: reported
                                     late, or not at all though their deadline has passed */
    double idleness;              /* out: idle fraction of the time of all instances while the host was on */
    double share_violation;       /* out: how far processing is from the shares: 0 = best, 1 = worst */
    double monotony;              /* out: how long projects wait for their turn: 0 = not at all, or there is only
                                     one, 1 = forever */
    double rpcs_per_job;          /* out: calls of servers per reported job */
    double stops_per_job;         /* out: how often a task was stopped before its end, per reported job */
    double study_waste;           /* out: the study's waste: late fraction of the reported or idle operations */
    double study_idleness;        /* out: the study's idleness: idle fraction of the same */
    double study_share_violation; /* out: the study's share violation: of reported work only */
    double available_time;        /* out: how long the host was on, s */
    double flops_available;       /* out: operations that the host could have done in that time */
    double flops_used;            /* out: operations that the host did */
    double flops_in_time;         /* out: operations for results reported in time */
    double flops_late;            /* out: operations for results reported late; the rest was not reported */
    uint64_t received;            /* out: jobs that arrived; initial tasks do not count */
    uint64_t ended;               /* out: tasks that ended */
    uint64_t in_time;             /* out: results reported in time */
    uint64_t late;                /* out: results reported late */
    uint64_t calls;               /* out: calls of servers */
    uint64_t failed_calls;        /* out: calls without an answer */
    uint64_t refused;             /* out: jobs not sent because they, or another task, would miss a deadline */
    uint64_t starts;              /* out: how often a task began or resumed, or ran at the start and ran on */
    uint64_t stops;               /* out: how often a task was stopped before its end */
    uint64_t schedules;           /* out: decisions on which tasks run */
    uint64_t fetches;             /* out: decisions on whether to fetch */
    uint64_t master_fetches;      /* out: attempts to read a master file (rule 7.2) */
    uint64_t failed_masters;      /* out: failed attempts */
    uint64_t given_up;            /* out: tasks that the client gave up (rule 15.3) */
    uint64_t done_late;           /* out: part of `late`: done by their deadline, and reported later */
    uint64_t unreported;          /* out: results of tasks that have ended, not reported at the end */
    double flops_received;        /* out: operations that the received jobs need */
    double flops_done_late;       /* out: part of flops_late: for the results in done_late */
    double flops_unreported;      /* out: operations for the results in unreported */
} vcs_outcome;

/* The same for one project. 152 bytes. Since 1.0. */
typedef struct vcs_project_outcome {
    uint64_t id;             /* id of the project */
    double flops_used;       /* operations done for it */
    double flops_in_time;    /* operations for results reported in time */
    double flops_late;       /* operations for results reported late */
    double mean_wait;        /* root of the mean square of the time since it last ran, s of available time */
    uint64_t received;       /* jobs that arrived; initial tasks do not count */
    uint64_t ended;          /* tasks that ended */
    uint64_t in_time;        /* results reported in time */
    uint64_t late;           /* results reported late */
    uint64_t calls;          /* calls of its server */
    uint64_t failed_calls;   /* calls without an answer */
    uint64_t master_fetches; /* attempts to read its master file */
    uint64_t failed_masters; /* failed attempts */
    uint64_t done_late;      /* part of `late`: done by their deadline, and reported later */
    uint64_t unreported;     /* results of tasks that have ended, not reported at the end */
    uint64_t stops;          /* how often a task of it was stopped before its end */
    double flops_received;   /* operations that the received jobs need */
    double flops_done_late;  /* part of flops_late: for the results in done_late */
    double flops_unreported; /* operations for the results in unreported */
} vcs_project_outcome;

/*
 * The same for one resource, in instance-seconds while the host was on; all 0 if it is suspended at the start. 128
 * bytes. Since 1.0.
 */
typedef struct vcs_resource_outcome {
    double waste;         /* fraction of `available` that was wasted; 0 if there was none */
    double idleness;      /* fraction of `available` that was idle; 0 if there was none */
    double available;     /* instances times the time for which the host was on */
    double used;          /* part of `available` that tasks used */
    double wasted;            /* part of `available` that late tasks used: see vcs_outcome.waste */
    double off;               /* besides `available`: instances times the time for which the host was off */
    double idle_unfit;        /* idle because of VCS_IDLE_UNFIT; the sum with the seven below is all idle time */
    double idle_limit;        /* ... VCS_IDLE_LIMIT */
    double idle_held;         /* ... VCS_IDLE_HELD */
    double idle_backed_off;   /* ... VCS_IDLE_BACKED_OFF */
    double idle_disconnected; /* ... VCS_IDLE_DISCONNECTED */
    double idle_no_work;      /* ... VCS_IDLE_NO_WORK */
    double idle_unexplained;  /* ... VCS_IDLE_UNEXPLAINED */
    double idle_server_limit; /* ... VCS_IDLE_SERVER_LIMIT */
    double in_time;           /* part of `used`: of tasks reported in time */
    double done_late;         /* part of `wasted`: of tasks done by their deadline, and reported later */
} vcs_resource_outcome;

/*
 * Fills in the defaults for a profile: 100 days from time 0, always on, seed 1.
 *
 * emulation   written up to `size` bytes; untouched on an error
 * size        sizeof(vcs_emulation) of the caller
 * profile     VCS_PROFILE_*; VCS_PROFILE_STUDY2007 sets study_rules
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE, VCS_ERR_ABI_OLDER, or VCS_ERR_FLAGS for an unknown profile.
 * Thread-safe. O(1).
 */
VCS_API int vcs_emulation_init(vcs_emulation *emulation, uint32_t size, uint32_t profile);

/*
 * Emulates a host and its servers from start to end, and returns the figures of merit.
 *
 * scenario     the host, its servers and its future
 * parameters   the policy; profiles are ready-made ones
 * hooks        the caller's functions; NULL = none
 * outcome      the figures of merit; untouched on an error
 * projects     out: vcs_project_outcome[], one for each project of the snapshot, or none if they are not wanted;
 *              untouched on an error; may be NULL
 * resources    out: vcs_resource_outcome[], one for each resource of the snapshot, or none if they are not wanted;
 *              untouched on an error; may be NULL
 * error        what was refused, and where; may be NULL
 *
 * The same arguments give the same events and the same outcome, byte for byte, on every platform. A random draw depends
 * on the seed, on its purpose, and on the number of earlier draws for that purpose. So job k of an application has the
 * same size under every policy, and the host is on at the same times.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX,
 * VCS_ERR_COUNT, VCS_ERR_UNSUPPORTED, VCS_ERR_MEMORY, or an error of the caller's functions. Thread-safe. All memory is
 * released at the end; the amount depends on the number of tasks that the host has at a time, not on the duration. The
 * decisions make up the cost: one or two for each task that ends, each call and each scheduling period. Rules 12 and
 * 13.
 */
VCS_API int vcs_emulate(const vcs_scenario *scenario, const vcs_parameters *parameters, const vcs_hooks *hooks,
                        vcs_outcome *outcome, const vcs_array *projects, const vcs_array *resources, vcs_error *error);

/* Name of an event kind, such as "received"; "" for an unknown kind. `kind` is one of VCS_EVENT_*, or of a grid's
 * VCS_GRID_EVENT_*. Never NULL. Thread-safe. O(1). */
VCS_API const char *vcs_event_name(uint32_t kind);

/* Short name of a reason to be idle, VCS_IDLE_*, such as "no_work"; "" for an unknown one. "idle_" and this name is the
 * field of vcs_resource_outcome that counts it. Never NULL. Thread-safe. O(1). */
VCS_API const char *vcs_idle_name(uint32_t reason);

/* Sentence of a reason to be idle, VCS_IDLE_*; "" for an unknown one. Never NULL. Thread-safe. O(1). */
VCS_API const char *vcs_idle_sentence(uint32_t reason);

/* ---- Structs as data ---- */

/* Like vcs_struct_size(), for the structs of both libraries. Thread-safe. O(1). */
VCS_API uint32_t vcs_emulator_struct_size(uint32_t type);

/* Like vcs_struct_name(), for the structs of both libraries. Never NULL. Thread-safe. O(1). */
VCS_API const char *vcs_emulator_struct_name(uint32_t type);

/* Like vcs_field_count(), for the structs of both libraries. Thread-safe. O(1). */
VCS_API uint32_t vcs_emulator_field_count(uint32_t type);

/*
 * Like vcs_field_at(), for the structs of both libraries.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE, VCS_ERR_ABI_OLDER or VCS_ERR_INDEX. Thread-safe. O(fields).
 */
VCS_API int vcs_emulator_field_at(uint32_t type, uint32_t index, vcs_field_info *info);

#ifdef __cplusplus
}
#endif

#endif
