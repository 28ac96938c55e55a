/*
 * Timers: when to try again after a failure, what a server's reply asks for, and whom to call next (rules 3 and 7).
 *
 *   backoff        how long to wait: vcs_backoff(), vcs_project_timer_wait(), vcs_resource_backoff_wait(),
 *                  vcs_transfer_backoff_wait()
 *   replies        a reply of a scheduler changes its project's timers: vcs_reply_apply()
 *   RPC sessions   which scheduler to call next: vcs_rpc_next(), vcs_rpc_report(), vcs_result_overdue()
 *
 * Every timer is a small record that the caller keeps and may save. Zero it to clear it. Every random draw u is the
 * caller's, 0 <= u < 1. `now` is the present, a time within +-VCS_MAX_TIME.
 *
 * When the clock goes back, a timer keeps the remaining wait: its times move back with the clock. So a clock that is
 * years ahead for a moment does not delay anything by years, and setting it back a little does not cut a wait short.
 * For this each timer remembers when it was last used. That is why even functions that only query it may write to it,
 * and why `seen` must be saved with the rest.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_TIMERS_H
#define VCSCHED_TIMERS_H

#include <vcsched/parameters.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Backoff ---- */

/* How long to leave a server alone after it failed, refused, or asked for a pause (rules 3.1 to 3.4). */

/* The range of a wait. 40 bytes. Since 1.0. */
typedef struct vcs_backoff_range {
    uint32_t struct_size;   /* bytes; set by the caller or vcs_backoff_range_init() */
    uint32_t flags;         /* 0 */
    uint32_t rule;          /* VCS_BACKOFF_*: how the wait is drawn */
    uint32_t max_failures;  /* failures beyond this number no longer increase the wait; 0 = no such limit */
    double minimum;         /* s, 1e-3 ... 1e12 */
    double maximum;         /* s, minimum ... 1e12 */
    uint64_t reserved[1];   /* 0 */
} vcs_backoff_range;

/* What a wait is for, and the fields of vcs_parameters that its range comes from */
#define VCS_BACKOFF_OF_SCHEDULER 0u /* backoff_min, backoff_max: a project whose schedulers failed */
#define VCS_BACKOFF_OF_RESOURCE 1u  /* resource_backoff_min, resource_backoff_max: no work for a resource */
#define VCS_BACKOFF_OF_TRANSFER 2u  /* transfer_backoff_min, transfer_backoff_max: file transfers that failed */

/*
 * Fills a range from the parameters of a policy, with its rule and limit of failures.
 *
 * range        written up to `size` bytes; untouched on an error
 * size         sizeof(vcs_backoff_range) of the caller
 * parameters   the policy
 * purpose      VCS_BACKOFF_OF_*
 * error        what was refused; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS for an unknown purpose, or what vcs_parameters_check()
 * finds. Thread-safe. O(1).
 */
VCS_API int vcs_backoff_range_init(vcs_backoff_range *range, uint32_t size, const vcs_parameters *parameters,
                                   uint32_t purpose, vcs_error *error);

/*
 * Draws the wait after `failures` failures in a row (rule 3.1).
 *
 * failures   n, any number; failures beyond range.max_failures do not count; 0 = nothing failed, no wait
 * range      of the wait
 * u          the draw, 0 <= u < 1
 * wait       the answer, s
 *
 * VCS_BACKOFF_EXPONENT   max(minimum, min(maximum, e^(u * n)))
 * VCS_BACKOFF_UNIFORM    uniform between minimum and min(maximum, e^n); minimum if e^n is not above it
 * VCS_BACKOFF_DOUBLING   min(maximum, minimum * 2^n) * (0.5 + 0.5 * u); below `minimum` if maximum < 2 * minimum
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_* of the range, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE.
 * Thread-safe. O(1).
 */
VCS_API int vcs_backoff(uint32_t failures, const vcs_backoff_range *range, double u, double *wait);

/*
 * When a project's scheduler may be called again (rule 3.2, source S0). In/out. 40 bytes. Since 1.0.
 *
 * All zero: it may be called now. vcs_reply_apply() counts failures, and clears the record when a call succeeded; zero
 * it when a new scheduler URL was found, or the user says so. Nothing else clears it.
 */
typedef struct vcs_project_timer {
    double min_rpc_time;  /* not before this time, within +-VCS_MAX_TIME; 0 = now; for vcs_project.min_rpc_time */
    double seen;          /* when the timer was last used, a time; kept by the functions */
    uint32_t failures;    /* failures in a row; for vcs_project.rpc_failures */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[2]; /* 0 */
} vcs_project_timer;

/*
 * Delays the next call, because the server asked for it or a computation failed. A call that is due later stays so.
 *
 * timer   in/out
 * delay   s, 0 ... 1e12
 * now     the present, a time within +-VCS_MAX_TIME
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error the timer is
 * unchanged. Thread-safe. O(1).
 */
VCS_API int vcs_project_timer_delay(vcs_project_timer *timer, double delay, double now);

/*
 * How long to leave the project alone from now on.
 *
 * timer   its times move back if the clock did
 * now     the present, a time within +-VCS_MAX_TIME
 * wait    s; 0 = it may be called now
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error nothing is
 * written. Thread-safe. O(1).
 */
VCS_API int vcs_project_timer_wait(vcs_project_timer *timer, double now, double *wait);

/*
 * When a project may be asked again for work for one resource (rule 3.3, source S4). In/out. 40 bytes. Since 1.0.
 *
 * All zero: it may be asked now. vcs_reply_apply() keeps it: a refusal doubles the interval, from resource_backoff_min
 * up to resource_backoff_max, and until = now + interval * (0.5 + u), unless it is already backed off; a task for the
 * resource, asked for or not, clears it. It is independent of the project's own timer. A project that is asked for
 * another resource may be asked for this one too, even while backed off.
 */
typedef struct vcs_resource_backoff {
    double interval;      /* s, 0 ... 1e12; 0 = no refusal since work last arrived; for
                             vcs_project_resource.backoff_interval */
    double until;         /* not before this time, within +-VCS_MAX_TIME; 0 = now; for
                             vcs_project_resource.backoff_until */
    double seen;          /* when it was last used, a time; kept by the functions */
    uint64_t reserved[2]; /* 0 */
} vcs_resource_backoff;

/* How long the project is still backed off for the resource, s; 0 = it is not; as for vcs_project_timer_wait(). */
VCS_API int vcs_resource_backoff_wait(vcs_resource_backoff *backoff, double now, double *wait);

/* Backoff starts at this failure of transfers in a row; fewer are no reason to wait. */
#define VCS_TRANSFER_FAILURES 3u

/*
 * When files may be transferred again (rule 3.4). In/out. 56 bytes. Since 1.0.
 *
 * Keep one for each server and direction, to hold back the transfers with it together, and one for each file if single
 * files are to be given up. A project may have several servers: with one for the whole project, a server that is down
 * would hold back the files of all others. A file that may go to any of several servers waits for the first of them.
 * All zero: nothing has failed. Zero the record when a transfer succeeds.
 *
 * Give up when `failures` > 0 and now - failing_since >= vcs_parameters.transfer_give_up. Call
 * vcs_transfer_backoff_wait() first: it moves failing_since back if the clock went back.
 */
typedef struct vcs_transfer_backoff {
    double until;         /* not before this time, within +-VCS_MAX_TIME; 0 = now */
    double seen;          /* when it was last used, a time; kept by the functions */
    double failing_since; /* the first failure since the last success, a time; meaningful while failures > 0 */
    double failed_at;     /* the last failure that counted, a time; meaningful while failures > 0 */
    uint32_t failures;    /* failures in a row that counted */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[2]; /* 0 */
} vcs_transfer_backoff;

/*
 * Counts a transfer that failed. It does not count while backed off, nor at the same `now` as the one before: six files
 * that fail together are one failure. Otherwise the number of failures grows by one, and from VCS_TRANSFER_FAILURES on,
 * until = now + vcs_backoff() of all failures in a row.
 *
 * range   of the wait, from vcs_backoff_range_init() with VCS_BACKOFF_OF_TRANSFER
 * now     the present, a time within +-VCS_MAX_TIME
 * u       the draw, 0 <= u < 1
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error the
 * backoff is unchanged. Thread-safe. O(1).
 */
VCS_API int vcs_transfer_backoff_failed(vcs_transfer_backoff *backoff, const vcs_backoff_range *range, double now,
                                        double u);

/* How long transfers are still held back, s; 0 = they are not; as for vcs_project_timer_wait(). */
VCS_API int vcs_transfer_backoff_wait(vcs_transfer_backoff *backoff, double now, double *wait);

/* ---- Replies ---- */

/* A scheduler's reply, or the lack of it, changes the timers of its project (rules 3.2 and 3.3). */

/* vcs_reply.flags */
#define VCS_REPLY_FAILED 0x1u /* no scheduler of the project answered */

/* The reply as a whole. Zero it, set struct_size, then what you know. 48 bytes. Since 1.0. */
typedef struct vcs_reply {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* VCS_REPLY_FAILED or 0 */
    double now;           /* the present, a time within +-VCS_MAX_TIME */
    double request_delay; /* how long the server wants no call, s, 0 ... 1e12; 0 = no such wish */
    double u;             /* draw for the wait after a failure, 0 <= u < 1 */
    uint64_t reserved[2]; /* 0 */
} vcs_reply;

/* vcs_resource_reply.flags */
#define VCS_RESOURCE_REPLY_NOT_WANTED 0x1u /* the user has switched off work for this resource at the project, so its
                                              absence means nothing */

/* What was asked for one resource, and what arrived. 48 bytes. Since 1.0. */
typedef struct vcs_resource_reply {
    double seconds;       /* instance-seconds asked for, 0 ... 1e30; 0 = not asked */
    double u;             /* draw for the backoff, 0 <= u < 1 */
    uint32_t tasks;       /* tasks for this resource that arrived */
    uint32_t flags;       /* VCS_RESOURCE_REPLY_NOT_WANTED or 0 */
    uint64_t reserved[3]; /* 0 */
} vcs_resource_reply;

/*
 * Updates the timers of a project after a call of its scheduler, answered or not.
 *
 * timer        of the project; in/out
 * backoffs     in/out: vcs_resource_backoff[], those of the project, one for each resource
 * reply        the reply as a whole
 * replies      vcs_resource_reply[], one for each resource in the same order
 * parameters   the policy: ranges and rule of the waits
 * error        what was refused, and where; may be NULL
 *
 * An answer clears the project's failures and its wait; then the server's delay applies. For each resource: if tasks
 * arrived, asked for or not, its backoff is cleared; if some were asked for, wanted, and none arrived, it backs off.
 * No answer counts as a failure of the project, whatever else the reply says, and changes nothing for its resources.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_OVERFLOW, or
 * VCS_ERR_COUNT if there is not one reply for each backoff. On an error nothing is changed. Thread-safe. O(resources).
 */
VCS_API int vcs_reply_apply(vcs_project_timer *timer, const vcs_array *backoffs, const vcs_reply *reply,
                            const vcs_array *replies, const vcs_parameters *parameters, vcs_error *error);

/* ---- RPC sessions ---- */

/*
 * Sessions decide which scheduler of which project to call when, and when to read its master file again (rules 7.1 to
 * 7.4, source S0). No function does I/O: the caller asks what to do, does it, and reports the outcome:
 *
 *     vcs_rpc_next(...)      ->  call scheduler 0 of project 3, and ask it for 21,600 s of work
 *     vcs_rpc_report(...)    <-  it did not answer
 *     vcs_rpc_next(...)      ->  call scheduler 1 of project 3, and ask it for 21,600 s of work
 *     vcs_rpc_report(...)    <-  it answered, with tasks
 *     vcs_rpc_next(...)      ->  wait until 17:30, unless something happens before
 *
 * A project has one or more schedulers. Their URLs are listed in its master file, a web page. The caller keeps the URLs
 * in order; here they are numbers from 0. A session to get work goes on until there is enough work or no project is
 * left to ask. A session to report results concerns one project.
 *
 * At most one action is under way at any time. vcs_rpc_next() gives the same action again until it is reported, so
 * nothing is lost when the program ends in between: load the session and the projects, ask, and carry out the answer.
 * To pause, do not ask. To abandon a session, zero the vcs_rpc_session. Projects may be added, removed and reordered in
 * the array at any time.
 *
 * Clients were meant to fetch work like this in 2004: profile "rpc2003" (work_fetch = sessions). In profile "current"
 * vcs_fetch() says whom to ask for how much; such a client has no sessions and needs only vcs_reply_apply().
 */

/* vcs_rpc_project.flags */
#define VCS_RPC_SUSPENDED 0x1u     /* do not call it unless the user wants it; set and cleared by the caller */
#define VCS_RPC_NO_NEW_WORK 0x2u   /* call it only to report results; set and cleared by the caller */
#define VCS_RPC_CALL_WANTED 0x4u   /* the user wants it called now, whatever its timer says; set by the caller, cleared
                                      when it has been tried */
#define VCS_RPC_MASTER_WANTED 0x8u /* its master file should be read: its schedulers failed repeatedly, or the caller
                                      says so; cleared when it has been read */
#define VCS_RPC_ASKED 0x10u        /* not to be contacted again in this session; kept by the functions */

/*
 * The state of one project in sessions. In/out. 104 bytes. Since 1.0.
 *
 * For a project that was never called, zero it and set the id. Fill in `rank` and `overdue` before each vcs_rpc_next();
 * keep the rest, for years. The timer is that of the whole project: when a computation of it fails, delay it with
 * vcs_project_timer_delay(), perhaps by a wait that vcs_backoff() draws; if the user says so, zero it.
 */
typedef struct vcs_rpc_project {
    uint64_t id;             /* the caller's number, distinct; breaks ties, lower first */
    vcs_project_timer timer; /* when it may be contacted again; in/out */
    double master_fetched;   /* when its master file was last tried, a time within +-VCS_MAX_TIME; 0 = never; a time in
                                the future counts as never, for the clock went back; in/out */
    uint32_t rank;           /* its position in an order of projects, for example by vcs_rank(); 0 = first */
    uint32_t scheduler_urls; /* its known schedulers; 0 = its master file has to be read first; in/out */
    uint32_t overdue;        /* finished results that should be reported by now, see vcs_result_overdue(); set to 0 when
                                its scheduler has answered */
    uint32_t flags;          /* VCS_RPC_*; in/out */
    uint64_t reserved[4];    /* 0 */
} vcs_rpc_project;

/* vcs_rpc_session.kind, vcs_rpc_action.session */
#define VCS_RPC_NO_SESSION 0u
#define VCS_RPC_GET_WORK 1u      /* call one project after another until there is enough work */
#define VCS_RPC_REPORT_RESULT 2u /* call one project, to report overdue results or because the user wants it */

/* vcs_rpc_session.step */
#define VCS_RPC_CHOOSE_PROJECT 0u /* the next project will be chosen; the only step without a session */
#define VCS_RPC_CALLING 1u        /* a scheduler is being called */
#define VCS_RPC_WORK_CAME 2u      /* a scheduler sent tasks; the next estimate of the work will show if they help */
#define VCS_RPC_CHOOSE_MASTER 3u  /* the next master file will be chosen */
#define VCS_RPC_READING_MASTER 4u /* a master file is being read */

/*
 * The state of a session. In/out. 88 bytes. Since 1.0.
 *
 * All zero is no session. Save it with the projects. All of it is kept by the functions.
 */
typedef struct vcs_rpc_session {
    uint32_t kind;        /* VCS_RPC_NO_SESSION, VCS_RPC_GET_WORK or VCS_RPC_REPORT_RESULT */
    uint32_t step;        /* VCS_RPC_CHOOSE_PROJECT ... VCS_RPC_READING_MASTER */
    uint32_t last;        /* kind of the session before this one */
    uint32_t url;         /* which scheduler is being called, from 0; 0 in other steps */
    uint64_t project;     /* id of the project that the step is about; 0 if none */
    uint32_t place;       /* its index in the array when it was chosen; if it has moved, it is found by its id */
    uint32_t reserved0;   /* 0 */
    double seconds;       /* work it is asked for, s of wall time; 0 = none */
    double estimated;     /* estimated work when it was chosen, s of wall time */
    double next_get_work; /* no session to get work before this time, within +-VCS_MAX_TIME; 0 = now */
    uint64_t reserved[4]; /* 0 */
} vcs_rpc_session;

/* The situation of the caller. Zero it, set struct_size, then what you know. 40 bytes. Since 1.0. */
typedef struct vcs_rpc_situation {
    uint32_t struct_size;  /* bytes; set by the caller */
    uint32_t flags;        /* 0 */
    double now;            /* the present, a time within +-VCS_MAX_TIME */
    double estimated_work; /* how long the host's tasks will keep it busy, s of wall time, 0 ... 1e12, such as
                              vcs_resource_forecast.saturated. Include tasks that are assigned to it but not downloaded
                              yet */
    uint64_t reserved[2];  /* 0 */
} vcs_rpc_situation;

/* vcs_rpc_action.kind */
#define VCS_RPC_WAIT 0u         /* there is nothing to do now */
#define VCS_RPC_CALL 1u         /* call a scheduler: report all finished results, and ask for work if `seconds` > 0 */
#define VCS_RPC_FETCH_MASTER 2u /* read the master file of a project */

/* What to do next. 56 bytes. Since 1.0. */
typedef struct vcs_rpc_action {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t kind;        /* out: VCS_RPC_WAIT, VCS_RPC_CALL or VCS_RPC_FETCH_MASTER */
    uint32_t project;     /* out: index of the project; VCS_NONE to wait */
    uint32_t url;         /* out: which of its schedulers to call, from 0; 0 if none */
    double seconds;       /* out: work to ask for, s of wall time, for each instance to be kept busy. 0 = none */
    double until;         /* out: WAIT: ask again no later than this time, or earlier when work comes or goes, results
                             become overdue or a project is changed. +infinity: time alone is no reason. Else 0 */
    uint32_t session;     /* out: kind of the session that the action belongs to */
    uint32_t reserved0;   /* out: 0 */
    uint64_t reserved[2]; /* out: 0 */
} vcs_rpc_action;

/* vcs_rpc_outcome.kind */
#define VCS_RPC_ANSWERED 1u       /* the scheduler answered, with tasks or without */
#define VCS_RPC_NO_ANSWER 2u      /* it did not, or its answer could not be understood */
#define VCS_RPC_MASTER_FETCHED 3u /* the master file was read */
#define VCS_RPC_MASTER_FAILED 4u  /* it could not be read, or named no scheduler */
#define VCS_RPC_NOT_DONE 5u       /* not tried: the user cancelled, or the project was suspended or removed */

/* vcs_rpc_outcome.flags */
#define VCS_RPC_NEW_URLS 0x1u /* the master file names a scheduler that was not known before */

/* The outcome of an action. Zero it, set struct_size, then what you know. 64 bytes. Since 1.0. */
typedef struct vcs_rpc_outcome {
    uint32_t struct_size;    /* bytes; set by the caller */
    uint32_t kind;           /* VCS_RPC_ANSWERED ... VCS_RPC_NOT_DONE */
    uint32_t flags;          /* VCS_RPC_NEW_URLS */
    uint32_t tasks;          /* ANSWERED: tasks that arrived */
    uint32_t scheduler_urls; /* MASTER_FETCHED: schedulers named by the file; 0 counts as MASTER_FAILED */
    uint32_t reserved0;      /* 0 */
    double now;              /* the present, a time within +-VCS_MAX_TIME */
    double request_delay;    /* how long not to contact the project, s, 0 ... 1e12; 0 = no delay. ANSWERED: as the
                                server asks, NOT_DONE: as the caller likes */
    double u;                /* draw for the wait after a failure, 0 <= u < 1 */
    uint64_t reserved[2];    /* 0 */
} vcs_rpc_outcome;

/*
 * Says what to do next.
 *
 * session      in/out
 * projects     in/out: vcs_rpc_project[], one for each project
 * situation    now, and the work at hand
 * parameters   the policy: min_buffer is the low-water mark, min_buffer + additional_buffer the high-water mark; also
 *              look_interval and master_fetch_interval
 * action       written up to its struct_size
 * error        what was refused, and where; may be NULL
 *
 * Until an action is reported, it is given again. If its project or scheduler has been removed, it is dropped.
 *
 * Without a session, one begins for the first of these reasons that holds. After a session to get work, 3 goes before
 * 2, so that neither has to wait for the other forever:
 *   1. The user wants a project called: report-result for it.
 *   2. There is less work than the low-water mark, or none at all, and a project may be asked for some or has a master
 *      file to be read: get-work, at least max(look_interval, 1 s) after the last one ended.
 *   3. A project has overdue results and may be called: report-result for it.
 *
 * Get-work. While there is less work than the high-water mark, the best project that may be called is asked for the
 * missing work; without any work and without a buffer, for one second. Then wanted master files that may be tried are
 * read, best project first. A project is contacted again in the same session only if it sent tasks and they added at
 * least a second of work.
 *
 * Report-result. If the project's master file is wanted, or none of its schedulers is known, the file is read first.
 * Then the project is called. It is asked for work up to the high-water mark if it may be asked and is the best project
 * that may be called.
 *
 * A master file may be tried if the project's timer has run out, and either none of its schedulers is known or
 * parameters.master_fetch_interval has passed since the last try. While its master file is wanted and may be tried, a
 * project is not called.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE (also for a session
 * with a step that its kind does not have) or VCS_ERR_OVERFLOW. On an error nothing is written. Thread-safe.
 * O(projects).
 */
VCS_API int vcs_rpc_next(vcs_rpc_session *session, const vcs_array *projects, const vcs_rpc_situation *situation,
                         const vcs_parameters *parameters, vcs_rpc_action *action, vcs_error *error);

/*
 * Reports the outcome of the action that vcs_rpc_next() gave.
 *
 * session      in/out
 * projects     in/out: vcs_rpc_project[], as for vcs_rpc_next()
 * outcome      of the action
 * parameters   the policy: the range of waits after failures, and master_fetch_failures
 * error        what was refused, and where; may be NULL
 *
 * ANSWERED         Clears the project's failures and its wait; then request_delay applies. Unless tasks arrived in a
 *                  session to get work, the project is not contacted again in the session.
 * NO_ANSWER        The next scheduler of the project is called. If this was the last, it counts as a failure of the
 *                  project, which then waits as long as vcs_backoff() draws. Each master_fetch_failures-th failure in a
 *                  row makes its master file wanted.
 * MASTER_FETCHED   The number of schedulers is kept. If there are new ones, the project's failures and its wait are
 *                  cleared. In a session to report results its first scheduler is called next.
 * MASTER_FAILED    Counts as a failure of the project, which then waits. Its master file stays wanted.
 * NOT_DONE         request_delay applies, nothing else. The project is not chosen again in the same session.
 *
 * This function keeps the timer; vcs_reply_apply() would count the same failure again. Backoffs for resources do not
 * belong to sessions: keep them with vcs_reply_apply(), which may be given another timer, zeroed.
 *
 * An outcome for a project that has been removed ends its action and changes nothing else.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_OVERFLOW, or
 * VCS_ERR_SEQUENCE if no action of such a kind is under way. On an error nothing is written. Thread-safe.
 * O(projects).
 */
VCS_API int vcs_rpc_report(vcs_rpc_session *session, const vcs_array *projects, const vcs_rpc_outcome *outcome,
                           const vcs_parameters *parameters, vcs_error *error);

/*
 * Whether a finished result should be reported by now, even if there is no other reason to call its project (rule 7.3).
 *
 * deadline     its report deadline, a time within +-VCS_MAX_TIME or +infinity for none
 * completed    when it was finished, a time within +-VCS_MAX_TIME; a future time (the clock went back) counts as long
 *              ago
 * parameters   the policy: report_margin, report_delay
 * now          the present, a time within +-VCS_MAX_TIME
 * overdue      set to 1 if the deadline is at most report_margin away (min_buffer if that is 0), or report_delay has
 *              passed since it was finished; else to 0
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, or what vcs_parameters_check() finds. On an error
 * nothing is written. Thread-safe. O(1).
 */
VCS_API int vcs_result_overdue(double deadline, double completed, const vcs_parameters *parameters, double now,
                               uint32_t *overdue);

#ifdef __cplusplus
}
#endif

#endif
