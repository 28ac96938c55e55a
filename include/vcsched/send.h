/*
 * Which jobs a server sends to a host that asks for work, and why it holds others back (rule 9).
 *
 * The host is a prepared state: its tasks are the tasks in progress that the client reports, its candidates the jobs on
 * offer, in order of preference. vcs_parameters.work_send chooses the rule: with WS1 a job is sent if it can finish
 * within its latency bound after the tasks that keep the client busy; with WS2 it must also pass vcs_admit(). By chance
 * vcs_admit() decides alone.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_SEND_H
#define VCSCHED_SEND_H

#include <vcsched/reason.h>
#include <vcsched/host.h>
#include <vcsched/verify.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The reply is computed with the host's own preferences. A scheduler request becomes a state like this:
 *
 *     in the request                               in the state, or beside it
 *     number of CPUs                               vcs_resource.instances of the first resource
 *     CPU benchmark, FLOPS of one CPU              vcs_resource.flops
 *     fraction of the time that the host is on,    vcs_resource.usable: on fraction * active fraction
 *       and of that, that it may compute
 *     a type of GPU: how many, FLOPS of one        one more vcs_resource likewise
 *     memory that may be used                      vcs_host.ram
 *     disk space that may be used                  vcs_send_limits.disk
 *     minimum buffer                               vcs_parameters.min_buffer, s; 0 if the request names none
 *     additional buffer                            nothing: the seconds asked for include it
 *     each task in progress, of any project:       a vcs_task in vcs_snapshot.tasks:
 *       name                                         id
 *       remaining time, report deadline              remaining, at full speed; deadline
 *       CPUs, type of GPU, number of GPUs            cpus, gpu, gpus
 *     for each resource: seconds asked for         vcs_send_request.seconds
 *       idle instances                             vcs_send_request.instances
 *       how long it is busy with late tasks        vcs_send_request.busy
 *       most jobs, shortest latency bound wanted   vcs_send_request.jobs, .latency_bound; deployed clients send neither
 *     correction factor of this project            in `remaining` of each candidate: its FLOPs / the benchmark *
 *                                                    the factor; already in `remaining` of a task in progress
 *
 * Set min_buffer from the request. With WS2 a job must be done that long before its deadline, since the client may not
 * call earlier; with the default of 0.1 days, no host would be sent a job with a latency bound below 2.4 hours
 * (VCS_REASON_OWN_DEADLINE). A client that is always connected asks for a buffer of 0 or little more.
 *
 * A server needs no simulation by shares, vcs_wrr(): with WS2 vcs_send() simulates only earliest deadline first, within
 * vcs_parameters.placement_effort. This bounds the work that a client can cause by its report: of all hosts with 16,000
 * tasks that a search tried, none took longer than 37 ms for 64 jobs on offer (`bench_worst`). Jobs that it does not
 * reach have the reason VCS_REASON_BUDGET.
 */

/* The client's request for one resource. Without seconds and instances: no request. 40 bytes. Since 1.0. */
typedef struct vcs_send_request {
    double seconds;       /* instance-seconds of wall time */
    double instances;     /* idle instances, to be given a job each; may be a fraction; up to VCS_MAX_INSTANCES */
    double busy;          /* how long all instances are busy with tasks in danger, s from now: vcs_edf_resource.busy */
    double latency_bound; /* no job with a shorter latency bound is wanted, s; 0 = any is */
    uint32_t jobs;        /* most jobs to send, whatever the seconds and instances ask for; 0 = no limit */
    uint32_t reserved0;   /* 0 */
} vcs_send_request;

/* vcs_send_job.flags */
#define VCS_SEND_HOST_HAS_COPY 0x1u /* this host has been sent a copy of the work unit */
#define VCS_SEND_USER_HAS_COPY 0x2u /* another host of the same user has been sent a copy of it */

/* What a server knows about a job besides its vcs_task: element i is about candidate i. 64 bytes. Since 1.0. */
typedef struct vcs_send_job {
    uint64_t unit;         /* its work unit; jobs of the same work unit are copies; 0 = a job without copies */
    uint64_t hr_class;     /* homogeneous redundancy: only hosts of this class get it; 0 = any class */
    double latency_bound;  /* its deadline, s from now; +infinity = none */
    double seconds;        /* instance-seconds subtracted from the request; 0 = its remaining wall time times the
                              instances that it uses */
    double disk;           /* disk space it needs, bytes */
    uint32_t max_per_host; /* most jobs of its application that a host may have in progress; 0 = no limit */
    uint32_t flags;        /* VCS_SEND_HOST_HAS_COPY, VCS_SEND_USER_HAS_COPY */
    uint64_t reserved[2];  /* 0 */
} vcs_send_job;

/* vcs_send_limits.flags: also VCS_BLACKLISTED: nothing is sent */
#define VCS_SEND_ONE_PER_USER 0x2u /* each user gets one copy of a work unit, not each host */
#define VCS_SEND_STUDY_RULES 0x4u  /* as the program of the study does it (rule 13.6); see vcs_send() */

/* Limits of the host and of the reply as a whole. Fill it with vcs_send_limits_init(). 56 bytes. Since 1.0. */
typedef struct vcs_send_limits {
    uint32_t struct_size;     /* bytes; set by vcs_send_limits_init() */
    uint32_t flags;           /* VCS_BLACKLISTED, VCS_SEND_ONE_PER_USER, VCS_SEND_STUDY_RULES */
    uint64_t hr_class;        /* the class of the host; 0 = none: it gets only jobs for hosts of any class */
    double disk;              /* disk space left for jobs, bytes; +infinity = no limit */
    uint32_t max_jobs;        /* most jobs in the reply; UINT32_MAX = no limit */
    uint32_t max_in_progress; /* most jobs that the host may have in progress; UINT32_MAX = no limit */
    uint32_t in_progress;     /* jobs that it has in progress now */
    uint32_t quota_left;      /* jobs that it may still get today, see vcs_quota_left(); UINT32_MAX = no limit */
    uint64_t reserved[2];     /* 0 */
} vcs_send_limits;

/* The decision on one job. 32 bytes. Since 1.0. */
typedef struct vcs_send_decision {
    uint32_t sent;             /* 1 = sent, 0 = not sent */
    uint32_t reason;           /* VCS_REASON_JOB_SENT, or why it is not sent */
    double finish;             /* when it would finish by the last deadline test made, s from now; +infinity without a
                                  test, or if it cannot run */
    uint32_t harmed;           /* index of the task of the snapshot that it would make late; VCS_NONE = none */
    uint32_t harmed_candidate; /* index of the job, sent before it, that it would make late; VCS_NONE = none */
    uint64_t reserved[1];      /* 0 */
} vcs_send_decision;

/* vcs_send_summary.flags */
#define VCS_SEND_NO_WORK_FOR_DEADLINES 0x1u /* no job is sent, but without deadlines some job would be */

/* The reply in short. 32 bytes. Since 1.0. */
typedef struct vcs_send_summary {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* out: VCS_SEND_NO_WORK_FOR_DEADLINES or 0 */
    uint32_t sent;        /* out: jobs that are sent */
    uint32_t late;        /* out: jobs not sent only because of their own or another's deadline, or its chance */
    uint64_t reserved[2]; /* out: 0 */
} vcs_send_summary;

/*
 * No limits, for a host without a class.
 *
 * limits   written up to `size` bytes; untouched on an error
 * size     sizeof(vcs_send_limits) of the caller
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE or VCS_ERR_ABI_OLDER. Thread-safe. O(1).
 */
VCS_API int vcs_send_limits_init(vcs_send_limits *limits, uint32_t size);

/*
 * Decides on each job on offer in turn (rules 9.1 and 9.2).
 *
 * state       prepared from the host's request by the table above. Deadlines of candidates become now + latency_bound,
 *             whatever the snapshot says. Earlier admissions by vcs_admit() are dropped; with WS2, the jobs sent are in
 *             the queue afterwards
 * requests    vcs_send_request[], one for each resource
 * jobs        vcs_send_job[], one for each candidate
 * limits      may be NULL: no limits
 * decisions   out: vcs_send_decision[], one for each candidate
 * summary     out; may be NULL
 * error       what was refused, and where; may be NULL
 *
 * Jobs for a resource (their GPU type, else the CPU) are sent until the seconds requested of it are filled and each of
 * its idle instances has a job, or vcs_send_request.jobs are sent. The reason for not sending a job is the first of
 * these that holds:
 *   blacklisted                                                    the host gets nothing
 *   not asked for; enough sent; reply full; quota; host limit      the request, and the limits of reply and host
 *   host or user has a copy; other class; application's limit      the limits of this work unit and application
 *   host's memory; host's disk; cannot run                         the capacity of the host; vcs_host.ram 0 = no limit
 *   bound too short                                                the host wants jobs that are due later
 *   WS1, WS2: busy past the deadline                               its run time + busy exceeds its latency bound
 *   WS2, by chance: whatever vcs_admit() says
 * A job that is not sent takes nothing from later jobs.
 *
 * With VCS_SEND_STUDY_RULES, WS2 skips the test of the busy time and judges a job by its deadline itself, without
 * subtracting the minimum buffer; and the first job refused by either of the last two tests ends the reply. For the
 * rest of rule 13.6, prepare the state with `usable` 1 and with the CPU time that each candidate will really need as
 * its `remaining`, give the estimate as `seconds`, and request no instances.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_OVERFLOW, or
 * VCS_ERR_COUNT if the number of requests, jobs or decisions does not fit the state. Thread-safe, one thread per state.
 * Asked again with the same arguments, it decides the same. O(tasks + applications + jobs * log(jobs)), with WS2 also
 * the cost of vcs_admit() for each job that reaches this test. Rules 9.1, 9.2, 13.1, 13.4, 13.6.
 */
VCS_API int vcs_send(vcs_state *state, const vcs_array *requests, const vcs_array *jobs, const vcs_send_limits *limits,
                     const vcs_array *decisions, vcs_send_summary *summary, vcs_error *error);

/*
 * Counts, for one job that waits to be sent, how many hosts in a row were unable to run it (rule 9.3). Call it after
 * each decision on the job, whatever the host.
 *
 * reason       vcs_send_decision.reason. The host's memory, its disk, cannot run, bound too short, busy past the
 *              deadline, own deadline, small chance: one more in a row. Sent: back to 0. Any other reason says
 *              nothing about the host and changes nothing
 * limit        so many in a row make the job unsendable; 0 = no limit
 * before       how many in a row so far; 0 for a new job
 * refusals     the answer: how many in a row now; keep it with the job
 * unsendable   set to 1 if the job is unsendable, else to 0: then report VCS_UNIT_EVENT_UNSENDABLE (rule 8.2)
 *
 * Returns VCS_OK or VCS_ERR_NULL. Thread-safe. O(1).
 */
VCS_API int vcs_send_refusals(uint32_t reason, uint32_t limit, uint32_t before, uint32_t *refusals,
                              uint32_t *unsendable);

#ifdef __cplusplus
}
#endif

#endif
