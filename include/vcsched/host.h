/*
 * A host: the records that describe it, and the prepared state that answers all questions about it (chapters 1 to 7 of
 * the rules).
 *
 *   records   vcs_snapshot, with arrays of resources, projects, applications and tasks
 *   state     vcs_state_prepare() checks and sorts the records once; vcs_wrr(), vcs_edf(), vcs_schedule(), vcs_fetch(),
 *             vcs_admit() and vcs_send() then decide on the state as often as you like; vcs_state_renew() updates it
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_HOST_H
#define VCSCHED_HOST_H

#include <vcsched/abi.h>
#include <vcsched/parameters.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Records ---- */

/*
 * Every record is a plain struct without pointers or padding. Its layout is the same on every platform, so it can be
 * copied with memcpy, saved, and filled from any language. Reserved bytes must be 0. Zero the whole record first and
 * set what you know: 0 is a sensible value for every field unless its comment says otherwise.
 *
 * Amounts must be finite and not negative unless a comment says otherwise. Times are seconds since any epoch, the same
 * as for `now`. References are indices into the arrays of the same vcs_snapshot.
 */

/* The most instances one resource may have. */
#define VCS_MAX_INSTANCES 65536u
/* The most instances of a GPU type: its instances are bits of a 64-bit map. */
#define VCS_MAX_GPU_INSTANCES 64u
/* The longest duration, in seconds (about 31,700 years). Longer durations are refused. */
#define VCS_MAX_SECONDS 1e12

/* The computer as a whole. Exactly one. 48 bytes. Since 1.0. */
typedef struct vcs_host {
    uint64_t id;         /* the caller's number for it; any */
    double ram;          /* memory that all tasks together may use, bytes; 0 = no limit */
    double on_spell;     /* mean length of the spells in which it can compute, s; 0 = not known */
    double off_spell;    /* mean length of the spells in between, s; 0 = none, if on_spell is known */
    double next_connection; /* when it can be connected next, a time; one in the past = at any time; 0 = not known.
                               Read for giving up where parameters.connect_every is above 0 */
    uint64_t reserved[1];   /* 0 */
} vcs_host;

/* Why a task cannot run, or a project cannot be asked, for now; shown as the reason. */
#define VCS_WAIT_NONE 0u
#define VCS_WAIT_USER 1u        /* the user has stopped it */
#define VCS_WAIT_MASTER_FILE 2u /* the project's master file must be read first */
#define VCS_WAIT_DOWNLOAD 3u    /* a download has stalled */
#define VCS_WAIT_UPLOADS 4u     /* too many results wait to be uploaded */
#define VCS_WAIT_TASK 5u        /* of a project: the user has suspended one of its tasks */

/* vcs_resource.flags */
#define VCS_RESOURCE_SUSPENDED 0x1u /* nothing may use it, and no work is wanted for it; not allowed for the CPU */
#define VCS_RESOURCE_PAUSED 0x2u    /* its tasks do not run for now, but count, and work is wanted for it, such as a GPU
                                       while the user is at the computer. On the CPU it stops CPU tasks alone: GPU tasks
                                       go on, with their share of the CPUs. To pause everything, set it on every
                                       resource */

/*
 * A kind of processor: all CPUs together are one resource, each GPU type is another. Element 0 is the CPU, and must be
 * there. 48 bytes. Since 1.0.
 */
typedef struct vcs_resource {
    uint64_t id;          /* the caller's number for it; any */
    double flops;         /* peak speed of one instance, FLOPS; > 0 */
    double usable;        /* fraction of wall time in which it computes, 0 < usable <= 1; one wall second yields this
                             many device seconds */
    uint32_t instances;   /* how many there are: 1 ... VCS_MAX_INSTANCES, of a GPU type VCS_MAX_GPU_INSTANCES */
    uint32_t flags;       /* VCS_RESOURCE_* */
    double reserve;       /* instances kept for other programs, fewer than `instances`, may be a fraction; 0 = none;
                             CPU only. Rankings measure loads and queues by the rest, rounded up */
    uint64_t reserved[1]; /* 0 */
} vcs_resource;

/* vcs_project.flags */
#define VCS_PROJECT_SUSPENDED 0x1u   /* none of its tasks may run, and it is asked for nothing */
#define VCS_PROJECT_NO_NEW_WORK 0x2u /* its tasks run, but it is asked for nothing */
#define VCS_PROJECT_APPS_LISTED 0x4u /* each application that it may send tasks of has a vcs_app. If all have limits,
                                        fetching takes the sum of the limits for a limit of the project */
#define VCS_PROJECT_KEEPS_TASKS 0x8u /* none of its tasks is given up, whatever parameters.give_up says */

/* A project the host is attached to. 128 bytes. Since 1.0. */
typedef struct vcs_project {
    uint64_t id;             /* the caller's number, distinct from all others; breaks ties, lower first */
    double share;            /* resource share, any unit; 0 = backup project, served after all projects with a share */
    double rec;              /* recent work (REC) on all resources, credits per day (a vcs_average of work) */
    double short_term_debt;  /* short-term debt, s; may be negative */
    double long_term_debt;   /* long-term debt, s; may be negative */
    double exp_avg_cpu;      /* decayed CPU time, s (a vcs_average of CPU time) */
    double dcf;              /* duration correction factor; 0 = not learned yet, counts as 1 */
    double min_rpc_time;     /* do not call its scheduler before this time; 0 = no restriction */
    double efficiency;       /* CPU seconds its tasks get per second they run, 0 < efficiency <= 1; 0 = not known,
                                counts as 1 */
    int32_t priority_class;  /* the caller's class: a higher one comes before any share; may be negative; default 0 */
    uint32_t max_concurrent; /* most of its tasks that may run concurrently; 0 = no limit */
    uint32_t rpc_failures;   /* consecutive failed scheduler calls. No decision reads it; it is for display */
    uint32_t uploading;      /* results that are being uploaded */
    uint32_t flags;          /* VCS_PROJECT_* */
    uint32_t overdue;        /* finished results that should be reported by now */
    uint32_t wait;           /* VCS_WAIT_*: why it cannot be asked for work now; 0 = it can */
    uint32_t unreported;     /* finished results that its server has not been told of, the overdue ones among them */
    uint64_t reserved[3];    /* 0 */
} vcs_project;

/* vcs_project_resource.flags */
#define VCS_PROJECT_RESOURCE_NOT_WANTED 0x1u /* the user does not want work of this project for this resource */
#define VCS_PROJECT_RESOURCE_NO_APPS 0x2u    /* the project has no application for this resource */
#define VCS_PROJECT_RESOURCE_DEFERRED 0x4u   /* a task of the project for this resource waits to be tried again, so
                                                more of the kind would be of no use now */
#define VCS_PROJECT_RESOURCE_SERVER_LIMIT 0x8u /* its server last sent less than it was asked for, because the host has
                                                as many jobs in progress as it allows. Names the reason for a wait that
                                                follows, VCS_REASON_SERVER_LIMIT; with VCS_WORK_FETCH_OWED, others
                                                leave room in the buffer meanwhile (rule 15.6) */

/*
 * One project on one resource. Without a record, all fields count as 0. 112 bytes. Since 1.0.
 *
 * With VCS_WORK_FETCH_OWED, as in the profile "steady", the client must keep `received` and the last job (rules 15.5,
 * 15.6): where `received` stays 0, one project may get everything. After each reply, add to `received` the estimated
 * device seconds of each job that came, times the instances that it uses. When a task ends, replace its estimate with
 * what it took; when it is given up, subtract it. When a project is attached later than others, set its `received` so
 * that received / share equals the least of the others. Keep the length and the latency bound of the last job that its
 * server sent or refused.
 */
typedef struct vcs_project_resource {
    uint64_t id;             /* the caller's number; any */
    uint32_t project;        /* index of the project */
    uint32_t resource;       /* index of the resource */
    double rec;              /* recent work on this resource alone, credits per day; used with local accounting */
    double backoff_interval; /* its current backoff interval, s; 0 = none */
    double backoff_until;    /* do not ask it for this resource before this time; 0 = no restriction */
    uint64_t excluded;       /* bit i set: this project must not use instance i; 0 = none; GPUs only */
    double max_instances;    /* most instances that its tasks for this resource may use together, may be a fraction: 8 =
                                eight tasks of one CPU, or one of eight; 0 = no limit. CPU shares of GPU tasks do not
                                count. A task that uses more never runs */
    uint32_t max_per_device; /* most of its tasks that may use the same instance; 0 = no limit; GPUs only */
    uint32_t flags;          /* VCS_PROJECT_RESOURCE_* */
    double received;         /* work it has sent for this resource, less what was given up, instance-seconds */
    double job_seconds;      /* device seconds of its last job for this resource, sent or refused; 0 = not known */
    double job_bound;        /* latency bound of that job, from when it is sent to its deadline, s; 0 = not known */
    double job_spread;       /* of the sizes of its jobs by their estimates: standard deviation / mean; 0 = exact */
    uint64_t reserved[2];    /* 0 */
} vcs_project_resource;

/*
 * An application of a project. Optional: needed only for its limit, its correction factor, and where a
 * vcs_app_resource refers to it. An application that is not listed has no limit, and a limit holds for tasks of its own
 * application alone; but see VCS_PROJECT_APPS_LISTED. 48 bytes. Since 1.0.
 */
typedef struct vcs_app {
    uint64_t id;             /* the caller's number; any */
    uint32_t project;        /* index of its project */
    uint32_t max_concurrent; /* most of its tasks that may run concurrently; 0 = no limit */
    double dcf;              /* duration correction factor of this application; 0 = the project's factor */
    uint32_t flags;          /* 0 */
    uint32_t reserved0;      /* 0 */
    uint64_t reserved[2];    /* 0 */
} vcs_app;

/*
 * One application on one resource, in addition to the vcs_project_resource of its project. Without a record, all fields
 * count as 0. The limits hold as those of a project do, but do not change what the project is asked for: it may have
 * other applications. 56 bytes. Since 1.0.
 *
 * With `use` on some resource, the application has no tasks for a resource where that is 0. If that is so for all
 * applications of a project that lists them (VCS_PROJECT_APPS_LISTED), the project is not asked for that resource, as
 * with VCS_PROJECT_RESOURCE_NO_APPS. As long as a project has no task for a resource, its limit in tasks counts with
 * the greatest `use` of its applications there, and with one instance if that is not known.
 */
typedef struct vcs_app_resource {
    uint64_t id;             /* the caller's number; any */
    uint32_t app;            /* index of the application */
    uint32_t resource;       /* index of the resource */
    uint64_t excluded;       /* bit i set: its tasks must not use instance i; 0 = none; GPUs only */
    double max_instances;    /* most instances that its tasks for this resource may use together; 0 = no limit */
    uint32_t max_per_device; /* most of its tasks that may use the same instance; 0 = no limit; GPUs only */
    uint32_t flags;          /* 0 */
    double use;              /* instances that one of its tasks uses, as far as that is known before it has any, may be
                                a fraction; 0 = not known */
    uint64_t reserved[1];    /* 0 */
} vcs_app_resource;

/* vcs_task.flags */
#define VCS_TASK_RUNNING 0x1u      /* is running */
#define VCS_TASK_STARTED 0x2u      /* has run before, so stopping it may lose work; running implies started */
#define VCS_TASK_SUSPENDED 0x4u    /* may not run */
#define VCS_TASK_WAS_LATE 0x8u     /* was expected to miss its deadline at the last decision (for hysteresis) */
#define VCS_TASK_DOWNLOADING 0x10u /* its files have not all arrived: it counts as work at hand but cannot run yet */
#define VCS_TASK_IN_MEMORY 0x20u   /* stays in memory when it is stopped, so that stopping it loses no work */
#define VCS_TASK_UNINTERRUPTIBLE 0x40u /* while it runs, nothing stops it but the user, suspension and memory, not even
                                          a late task: vcs_schedule() */
#define VCS_TASK_FILLS_IN 0x80u    /* was told to run without a slice at the last decision: VCS_DECISION_FILLS_IN */

/*
 * A task on the host, or a candidate for it: one result of a work unit. 128 bytes. Since 1.0.
 *
 * A task with gpu = 0 uses `cpus` CPUs. A task with gpu = r > 0 uses `gpus` instances of resource r and `cpus` CPUs
 * beside them. Uses are rounded to the nearest 2^-20 instance.
 */
typedef struct vcs_task {
    uint64_t id;              /* the caller's number, distinct from all others; breaks ties, lower first */
    uint32_t project;         /* index of its project */
    uint32_t app;             /* index of its application; VCS_NONE = none */
    uint32_t gpu;             /* index of the GPU type it needs; 0 = none */
    uint32_t flags;           /* VCS_TASK_* */
    double cpus;              /* CPUs it uses, may be a fraction; 0 = a negligible part of a CPU */
    double gpus;              /* instances of `gpu` it uses, may be a fraction; 0 if gpu = 0, > 0 otherwise */
    double remaining;         /* device seconds left at full speed; 0 = nothing; up to VCS_MAX_SECONDS */
    double deadline;          /* report deadline, a time; may have passed; +infinity = none */
    double received;          /* when it arrived, a time: tasks are first in, first out; may be negative */
    double ram;               /* memory it needs, bytes; 0 = negligible */
    double running_since;     /* when its current time slice began, a time; used while it is running */
    double since_checkpoint;  /* work that would be lost if it were stopped now, s; 0 = has just made a checkpoint */
    uint64_t devices;         /* the instances of `gpu` that it runs on, or ran on until it was stopped, as bits: the
                                 devices of the last decision by which it ran; used if it has VCS_TASK_RUNNING or
                                 VCS_TASK_STARTED (0 = not known) */
    double usable;            /* fraction of wall time in which it can compute, 0 ... 1, if not the fraction of its
                                 resource, as for a task that needs the network (0 = as its resource) */
    uint32_t wait;            /* VCS_WAIT_*: why it is suspended or still downloading; 0 = no special reason */
    uint32_t reserved0;       /* 0 */
    double total;             /* device seconds of the whole task at full speed, done or not; 0 = not known. Used by
                                 VCS_GIVE_UP_BY_SIZE */
    uint64_t reserved[1];     /* 0 */
} vcs_task;

/*
 * Everything that a decision about a host reads. The caller owns all of it; nothing is kept. 152 bytes. Since 1.0.
 */
typedef struct vcs_snapshot {
    uint32_t struct_size;  /* bytes; set by the caller to sizeof(vcs_snapshot) */
    uint32_t flags;        /* 0 */
    vcs_array host;        /* vcs_host, exactly one */
    vcs_array resources;   /* vcs_resource, at least the CPU */
    vcs_array projects;    /* vcs_project */
    vcs_array project_resources;       /* vcs_project_resource, at most one for each (project, resource) */
    vcs_array apps;        /* vcs_app */
    vcs_array app_resources; /* vcs_app_resource, at most one for each (application, resource); may be empty */
    vcs_array tasks;       /* vcs_task: what the host has */
    vcs_array candidates;  /* vcs_task: what it might be sent, for vcs_admit() and vcs_send() */
    vcs_array hours;       /* vcs_hour of chance.h, 24 or 168 of them: when the host is on; may be empty. Read where
                              parameters.hours is on */
} vcs_snapshot;

/* ---- The prepared state ---- */

/*
 * vcs_state_prepare() checks every record, so decisions on a vcs_state cannot fail on input again. The state lives in
 * the caller's memory and holds a copy of everything it needs: the records are not needed afterwards. There is nothing
 * to free.
 *
 * Any number of states can be in use at the same time in any number of threads, but each by one thread at a time,
 * because decisions keep scratch data and results in it.
 */

/* A prepared state. Its contents are the library's own. */
typedef struct vcs_state vcs_state;

/*
 * How much memory vcs_state_prepare() needs for a snapshot. Reads only the counts and the instances of resources.
 *
 * bytes   set to the number of bytes; left alone on an error, about which vcs_state_prepare() tells more, given any
 *         8 bytes as work memory
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_* of the snapshot, VCS_ERR_RANGE for a number of instances outside the
 * range of vcs_resource.instances, or VCS_ERR_OVERFLOW. vcs_state_prepare() checks the rest, such as that a GPU type
 * has no more than 64. Thread-safe. O(resources).
 */
VCS_API int vcs_state_size(const vcs_snapshot *snapshot, size_t *bytes);

/*
 * Checks a host's records, sorts them and stores them in the caller's memory.
 *
 * snapshot     the records, neither kept nor changed
 * parameters   the policy; kept as a copy
 * now          the current time; finite; deadlines and arrivals may lie on either side of it
 * work         at least vcs_state_size() bytes, aligned to 8; this memory becomes the state
 * work_size    its size in bytes
 * state        set to the prepared state, which begins at `work`
 * error        what was refused, and where; may be NULL
 *
 * Refused: a struct or element size that fits no version, unknown flags, reserved bytes that are not 0, NaN, infinity
 * (except a deadline of +infinity, which means none), numbers outside the range that the record states, indices outside
 * their array, two projects or two tasks with the same id, two records for one project or application and one resource,
 * exclusions on the CPU or beyond 64 instances, limits per instance on the CPU, work memory too small or misaligned.
 * With VCS_DISCIPLINE_FLUID, tasks that use anything but one CPU, and limits per application or in instances, are
 * VCS_ERR_UNSUPPORTED.
 *
 * Accepted, because they happen: deadlines in the past, no projects, no tasks, all shares 0, tasks of 0 seconds or 0
 * CPUs, tasks that need more instances than there are.
 *
 * Returns VCS_OK or the error. On an error neither `work` nor `state` has been written, except that VCS_ERR_DUPLICATE,
 * which is found by sorting, may have written `work`. Thread-safe.
 * O(records + projects * resources): the sorts are radix sorts, linear whatever the values are.
 */
VCS_API int vcs_state_prepare(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now, void *work,
                              size_t work_size, vcs_state **state, vcs_error *error);

/*
 * Brings a prepared state up to date with the current records. The effect is the same as vcs_state_prepare() in the
 * same memory, and all results of decisions are discarded; but if little has changed it is several times as fast,
 * because unchanged records are neither checked nor sorted again. Use it where a client decides often: whenever a task
 * has made progress, arrived or ended, or a project has been contacted.
 *
 * state        a state that was prepared or renewed without an error; it stays where it is
 * work_size    bytes of the memory that begins at `state`. If there is more than vcs_state_size() says, the state can
 *              take in new tasks; 50 % more is plenty
 * snapshot     the records, in any order and number. A task that keeps its index is compared with its old record; tasks
 *              at other indices count as changed
 * parameters   the policy
 * now          the current time, as for vcs_state_prepare()
 * error        what was refused, and where; may be NULL
 *
 * Refused: the same as by vcs_state_prepare(). VCS_ERR_WORKSPACE means that the records no longer fit: prepare a new
 * state in more memory.
 *
 * Returns VCS_OK or the error. On an error the state and its results are unchanged, except after VCS_ERR_DUPLICATE,
 * which is found by sorting: then it is the state of a host without projects, applications, tasks and candidates, and
 * has no results. Renewing it with right records fills it again.
 * Thread-safe, for different states. O(records + c * log(tasks)) for c changed tasks.
 * It costs as much as vcs_state_prepare() if anything has changed but tasks, REC, debts, call times, backoffs,
 * correction factors, the policy, the memory and the number of CPUs, up to the number that the state was prepared for.
 */
VCS_API int vcs_state_renew(vcs_state *state, size_t work_size, const vcs_snapshot *snapshot,
                            const vcs_parameters *parameters, double now, vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif
