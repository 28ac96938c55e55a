/*
 * Sessions of scheduler calls: which scheduler of which project to call when, and when to read its master file again
 * (rules 7.1 to 7.4, source S0).
 *
 * Nothing here does any I/O. The caller asks what to do, does it, and reports the outcome:
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
 * This is how clients were meant to fetch work in 2004, and what profile "rpc2003" is for (work_fetch = sessions). In
 * profile "current" vcs_fetch() says whom to ask for how much; such a client has no sessions and needs only
 * vcs_reply_apply().
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_RPC_H
#define VCSCHED_RPC_H

#include <vcsched/backoff.h>

#ifdef __cplusplus
extern "C" {
#endif

/* vcs_rpc_project.flags */
#define VCS_RPC_SUSPENDED 0x1u     /* do not call it unless the user wants it; set and cleared by the caller */
#define VCS_RPC_NO_NEW_WORK 0x2u   /* call it only to report results; set and cleared by the caller */
#define VCS_RPC_CALL_WANTED 0x4u   /* the user wants it called now, whatever its timer says; set by the caller, cleared
                                      when it has been tried */
#define VCS_RPC_MASTER_WANTED 0x8u /* its master file should be read: its schedulers failed repeatedly, or the caller
                                      says so; cleared when it has been read */
#define VCS_RPC_ASKED 0x10u        /* not to be contacted again in this session; kept by the functions */

/*
 * What sessions know of one project. In/out. 104 bytes. Since 0.1.
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
    uint32_t rank;           /* its place in the order of projects, such as that of vcs_rank(); 0 = first */
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
 * The state of a session. In/out. 88 bytes. Since 0.1.
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

/* The present, as the caller sees it. Zero it, set struct_size, then what you know. 40 bytes. Since 0.1. */
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

/* What to do next. 56 bytes. Since 0.1. */
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

/* The outcome of an action. Zero it, set struct_size, then what you know. 64 bytes. Since 0.1. */
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
 * session         in/out
 * projects        one record for each project, aligned to 8 bytes; in/out; may be NULL if project_count is 0
 * project_size    sizeof(vcs_rpc_project) of the caller
 * project_count   projects
 * situation       the present
 * parameters      the policy: min_buffer is the low-water mark, min_buffer + additional_buffer the high-water mark;
 *                 also look_interval and master_fetch_interval
 * action          written up to its struct_size
 * error           what was refused, and where; may be NULL
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
 * missing work; without any work and without a buffer, for one second. Then the master files that are wanted and may be
 * tried are read, best project first. A project is contacted again in the same session only if it sent tasks and there
 * is at least a second more work for them than when it was asked.
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
 * O(project_count).
 */
VCS_API int vcs_rpc_next(vcs_rpc_session *session, vcs_rpc_project *projects, uint32_t project_size,
                         uint32_t project_count, const vcs_rpc_situation *situation, const vcs_parameters *parameters,
                         vcs_rpc_action *action, vcs_error *error);

/*
 * Takes in the outcome of the action that vcs_rpc_next() gave.
 *
 * session, projects, project_size, project_count, error   as for vcs_rpc_next()
 * outcome      of the action
 * parameters   the policy: the range of waits after failures, and master_fetch_failures
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
 * VCS_ERR_SEQUENCE if no action is under way or one of another kind. On an error nothing is written. Thread-safe.
 * O(project_count).
 */
VCS_API int vcs_rpc_report(vcs_rpc_session *session, vcs_rpc_project *projects, uint32_t project_size,
                           uint32_t project_count, const vcs_rpc_outcome *outcome, const vcs_parameters *parameters,
                           vcs_error *error);

/*
 * Whether a finished result should be reported by now, even if there is no other reason to call its project (rule 7.3).
 *
 * deadline     its report deadline, a time within +-VCS_MAX_TIME or +infinity for none
 * completed    when it was finished, a time within +-VCS_MAX_TIME; one in the future (the clock went back) counts as
 *              long ago
 * parameters   the policy: min_buffer, report_delay
 * now          the present, a time within +-VCS_MAX_TIME
 * overdue      set to 1 if the deadline is at most min_buffer away, or report_delay has passed since it was finished;
 *              else to 0
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
