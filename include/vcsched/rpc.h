/*
 * Sessions of scheduler calls: when to call which scheduler of which project, and when to read its master file again
 * (rules 7.1 to 7.4, source S0).
 *
 * Nothing here does any I/O. The caller asks what to do, does it, and reports what came of it:
 *
 *     vcs_rpc_next(...)      ->  call scheduler 0 of project 3, and ask it for 21,600 s of work
 *     vcs_rpc_report(...)    <-  it did not answer
 *     vcs_rpc_next(...)      ->  call scheduler 1 of project 3, and ask it for 21,600 s of work
 *     vcs_rpc_report(...)    <-  it answered, with tasks
 *     vcs_rpc_next(...)      ->  wait until 17:30, unless something happens before
 *
 * A project has one or more schedulers; the URLs of all of them stand in its master file, a web page. The caller keeps
 * the URLs in order; here they are numbers from 0. A session to get work goes on until there is enough of it or no
 * project is left to ask. A session to report results is about one project.
 *
 * At any time at most one action is under way. vcs_rpc_next() gives the same action again until it is reported. So
 * nothing is lost when the program ends in between: load the session and the projects, ask, and carry out what is
 * said. To pause, do not ask. To break a session off, set the vcs_rpc_session to 0. Projects may come, go, and change
 * place in the array at any time.
 *
 * Sessions are how clients were meant to fetch work in 2004, and what profile "rpc2003" is for. In profile "current"
 * vcs_fetch() says whom to ask for how much; such a client has no sessions and needs vcs_reply_apply() alone.
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
#define VCS_RPC_SUSPENDED 0x1u     /* do not call it, unless the user wants it; the caller's to set and clear */
#define VCS_RPC_NO_NEW_WORK 0x2u   /* call it to report results alone; the caller's to set and clear */
#define VCS_RPC_CALL_WANTED 0x4u   /* the user wants it called now, however long it has to wait; set by the caller,
                                      cleared when it has been tried */
#define VCS_RPC_MASTER_WANTED 0x8u /* its master file is to be read: its schedulers failed again and again, or the
                                      caller says so; cleared when it has been read */
#define VCS_RPC_ASKED 0x10u        /* not to be contacted again in this session; kept by the functions */

/*
 * What sessions know of one project. In/out. 104 bytes. Since 0.1.
 *
 * Zero it and set the id for a project that was never called. Fill in `rank` and `overdue` before each vcs_rpc_next();
 * keep the rest, for years. The timer is that of the project as a whole: when a computation of it fails, hold it back
 * with vcs_project_timer_delay() or vcs_project_timer_failed(); for the user, vcs_project_timer_clear() it.
 */
typedef struct vcs_rpc_project {
    uint64_t id;             /* the caller's number, distinct from those of all others; breaks ties, lower first */
    vcs_project_timer timer; /* when it may be contacted again; in/out */
    double master_fetched;   /* when its master file was last tried, a time within +-VCS_MAX_TIME; 0 = never, and so is
                                a time in the future: the clock went back; in/out */
    uint32_t rank;           /* its place in the order of projects, such as that of vcs_rank(); 0 = first */
    uint32_t scheduler_urls; /* schedulers that are known of it; 0 = its master file has to be read first; in/out */
    uint32_t overdue;        /* finished results that should be reported by now, see vcs_result_overdue(); in/out: 0
                                when its scheduler has answered */
    uint32_t flags;          /* VCS_RPC_*; in/out */
    uint64_t reserved[4];    /* 0 */
} vcs_rpc_project;

/* vcs_rpc_session.kind, vcs_rpc_action.session */
#define VCS_RPC_NO_SESSION 0u
#define VCS_RPC_GET_WORK 1u      /* call project after project until there is enough work */
#define VCS_RPC_REPORT_RESULT 2u /* call one project, to report what is overdue or because the user wants it */

/* vcs_rpc_session.step */
#define VCS_RPC_CHOOSE_PROJECT 0u /* the next project is to be chosen; the only step without a session */
#define VCS_RPC_CALLING 1u        /* a scheduler is being called */
#define VCS_RPC_WORK_CAME 2u      /* one sent tasks; whether they help, the next estimate of the work will show */
#define VCS_RPC_CHOOSE_MASTER 3u  /* the next master file is to be chosen */
#define VCS_RPC_READING_MASTER 4u /* a master file is being read */

/*
 * Where a session stands. In/out. 88 bytes. Since 0.1.
 *
 * All zero is no session. Save it along with the projects. The functions keep all of it.
 */
typedef struct vcs_rpc_session {
    uint32_t kind;        /* VCS_RPC_NO_SESSION, VCS_RPC_GET_WORK or VCS_RPC_REPORT_RESULT */
    uint32_t step;        /* VCS_RPC_CHOOSE_PROJECT ... VCS_RPC_READING_MASTER */
    uint32_t last;        /* kind of the session that ended before */
    uint32_t url;         /* which scheduler is being called, from 0; 0 in other steps */
    uint64_t project;     /* id of the project that the step is about; 0 if it is about none */
    uint32_t place;       /* where in the array it was; if another is there now, it is looked for by its id */
    uint32_t reserved0;   /* 0 */
    double seconds;       /* work that it is asked for, s of wall time; 0 = none */
    double estimated;     /* work that there was when it was chosen, s of wall time */
    double next_get_work; /* no session to get work before this time, within +-VCS_MAX_TIME; 0 = at once */
    uint64_t reserved[4]; /* 0 */
} vcs_rpc_session;

/* The present, as the caller sees it. Zero it, set struct_size, then what you know. 40 bytes. Since 0.1. */
typedef struct vcs_rpc_situation {
    uint32_t struct_size;  /* bytes; set by the caller */
    uint32_t flags;        /* 0 */
    double now;            /* the present, a time within +-VCS_MAX_TIME */
    double estimated_work; /* how long the host is busy with the tasks that it has, s of wall time, 0 ... 1e12, such as
                              vcs_resource_forecast.saturated. Tasks that were assigned to it and are not downloaded
                              yet belong to it */
    uint64_t reserved[2];  /* 0 */
} vcs_rpc_situation;

/* vcs_rpc_action.kind */
#define VCS_RPC_WAIT 0u         /* nothing is to be done now */
#define VCS_RPC_CALL 1u         /* call a scheduler: report all finished results, and ask for work if `seconds` > 0 */
#define VCS_RPC_FETCH_MASTER 2u /* read the master file of a project */

/* What to do next. 56 bytes. Since 0.1. */
typedef struct vcs_rpc_action {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t kind;        /* out: VCS_RPC_WAIT, VCS_RPC_CALL or VCS_RPC_FETCH_MASTER */
    uint32_t project;     /* out: index of the project; VCS_NONE to wait */
    uint32_t url;         /* out: which of its schedulers to call, from 0; 0 if none */
    double seconds;       /* out: work to ask for, s of wall time, for as many instances as are to be kept busy. 0 =
                             none */
    double until;         /* out: to wait: ask again at this time at the latest, and when work comes or goes, results
                             become overdue, a project changes; +infinity if time alone changes nothing; else 0 */
    uint32_t session;     /* out: kind of the session that this belongs to */
    uint32_t reserved0;   /* out: 0 */
    uint64_t reserved[2]; /* out: 0 */
} vcs_rpc_action;

/* vcs_rpc_outcome.kind */
#define VCS_RPC_ANSWERED 1u       /* the scheduler answered, with tasks or without */
#define VCS_RPC_NO_ANSWER 2u      /* it did not, or not so that it could be understood */
#define VCS_RPC_MASTER_FETCHED 3u /* the master file was read */
#define VCS_RPC_MASTER_FAILED 4u  /* it could not be read, or named no scheduler */
#define VCS_RPC_NOT_DONE 5u       /* nothing was tried: the user cancelled, the project was suspended or left */

/* vcs_rpc_outcome.flags */
#define VCS_RPC_NEW_URLS 0x1u /* the master file names a scheduler that was not known before */

/* What came of an action. Zero it, set struct_size, then what you know. 64 bytes. Since 0.1. */
typedef struct vcs_rpc_outcome {
    uint32_t struct_size;    /* bytes; set by the caller */
    uint32_t kind;           /* VCS_RPC_ANSWERED ... VCS_RPC_NOT_DONE */
    uint32_t flags;          /* VCS_RPC_NEW_URLS */
    uint32_t tasks;          /* ANSWERED: tasks that came */
    uint32_t scheduler_urls; /* MASTER_FETCHED: schedulers that the file names; 0 counts as MASTER_FAILED */
    uint32_t reserved0;      /* 0 */
    double now;              /* the present, a time within +-VCS_MAX_TIME */
    double request_delay;    /* ANSWERED: the server's wish, NOT_DONE: the caller's: no contact for so long,
                                0 ... 1e12 s, 0 = none */
    double u;                /* draw for the wait after a failure, 0 <= u < 1 */
    uint64_t reserved[2];    /* 0 */
} vcs_rpc_outcome;

/*
 * Says what to do next.
 *
 * session        in/out
 * situation      the present
 * parameters     the policy: min_buffer is the low-water mark, min_buffer + additional_buffer the high-water mark; also
 *                look_interval and master_fetch_interval
 * projects       one record for each project, aligned to 8 bytes; in/out; may be NULL if count is 0
 * element_size   sizeof(vcs_rpc_project) of the caller
 * count          projects
 * action         written up to its struct_size
 * error          what was refused, and where; may be NULL
 *
 * While an action has not been reported, it is given again. If its project or scheduler is gone, it is dropped.
 *
 * Without a session, one begins for the first of these reasons that holds. After a session to get work, 3 goes before
 * 2, so that neither is ever left waiting for the other:
 *   1. The user wants a project to be called: report-result for it.
 *   2. There is less work than the low-water mark, or none, and a project that could be asked for some or whose master
 *      file is to be read: get-work. It begins max(look_interval, 1 s) after the end of the one before at the earliest.
 *   3. A project has overdue results and may be called: report-result for it.
 *
 * Get-work. While there is less work than the high-water mark, the best project that may be called is asked for what
 * is missing; without any work and without a buffer, for a second. Then the master files that are wanted, and may be
 * tried, are read, best project first. No project is contacted again in the session, unless it sent tasks and there is
 * more work for them, by a second at least, than when it was asked.
 *
 * Report-result. If the master file of the project is wanted, or no scheduler of it is known, it is read first. Then
 * the project is called. It is asked for work up to the high-water mark if it may be and no other that may be called
 * goes before it.
 *
 * A master file may be tried if the project has waited for its timer, and either no scheduler of it is known or
 * parameters.master_fetch_interval has passed since the last try. As long as its master file is wanted and may be
 * tried, a project is not called.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE (also for a session
 * whose kind and step do not go together) or VCS_ERR_OVERFLOW. On an error nothing is written. Thread-safe. O(count).
 */
VCS_API int vcs_rpc_next(vcs_rpc_session *session, const vcs_rpc_situation *situation, const vcs_parameters *parameters,
                         vcs_rpc_project *projects, uint32_t element_size, uint32_t count, vcs_rpc_action *action,
                         vcs_error *error);

/*
 * Takes in what came of the action that vcs_rpc_next() gave.
 *
 * session, projects, element_size, count, error   as for vcs_rpc_next()
 * outcome      what came of it
 * parameters   the policy: the range of waits after failures, and master_fetch_failures
 *
 * ANSWERED         The project has no failures and no wait; then request_delay counts. Unless tasks came in a session
 *                  to get work, the project is not contacted again in the session.
 * NO_ANSWER        The next scheduler of the project is called. If this was the last, it is one failure of the project,
 *                  which has to wait as in vcs_project_timer_failed(). Each master_fetch_failures-th failure in a row
 *                  makes its master file wanted.
 * MASTER_FETCHED   The number of schedulers is kept. If there are new ones, the project has no failures and no wait. In
 *                  a session to report results its first scheduler is called next.
 * MASTER_FAILED    One failure of the project, which has to wait. Its master file stays wanted.
 * NOT_DONE         request_delay counts, nothing else. In the same session the project is not chosen again.
 *
 * Leave the timer to this function: vcs_reply_apply() would count the same failure again. Per-resource backoff is apart
 * from sessions; keep it with vcs_resource_backoff_refused() and vcs_resource_backoff_arrived().
 *
 * An outcome for a project that is gone ends its action and changes nothing else.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_OVERFLOW, or
 * VCS_ERR_SEQUENCE if no action is under way or one of another kind. On an error nothing is written. Thread-safe.
 * O(count).
 */
VCS_API int vcs_rpc_report(vcs_rpc_session *session, const vcs_rpc_outcome *outcome, const vcs_parameters *parameters,
                           vcs_rpc_project *projects, uint32_t element_size, uint32_t count, vcs_error *error);

/*
 * Whether a finished result should be reported by now, even if there is no other reason to call its project (rule 7.3).
 *
 * deadline     its report deadline, a time within +-VCS_MAX_TIME or +infinity for none
 * completed    when it was finished, a time within +-VCS_MAX_TIME; in the future (the clock went back) counts as long
 *              ago
 * now          the present, a time within +-VCS_MAX_TIME
 * parameters   the policy: min_buffer, report_delay
 * overdue      set to 1 if its deadline is no more than min_buffer away, or report_delay has passed since it was
 *              finished; else to 0
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, or what vcs_parameters_check() finds. On an error
 * nothing is written. Thread-safe. O(1).
 */
VCS_API int vcs_result_overdue(double deadline, double completed, double now, const vcs_parameters *parameters,
                               uint32_t *overdue);

#ifdef __cplusplus
}
#endif

#endif
