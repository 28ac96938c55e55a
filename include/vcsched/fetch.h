/*
 * When to fetch work, from which project, and how much.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_FETCH_H
#define VCSCHED_FETCH_H

#include <vcsched/reason.h>
#include <vcsched/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* vcs_fetch_question.purpose */
#define VCS_FETCH_CHOOSE 0u    /* which project, if any, should be asked for work? */
#define VCS_FETCH_PIGGYBACK 1u /* a given project is contacted for another reason: what should it be asked for? */

/* vcs_fetch_question.flags */
#define VCS_FETCH_BRIEF 0x2u /* if no project is to be asked, the reasons are not wanted; see vcs_fetch(). No purpose
                                has this value, so a flag in place of a purpose is refused, and vice versa */

/* What vcs_fetch() is to decide. Zero it, set struct_size, then what you need. 32 bytes. Since 1.0. */
typedef struct vcs_fetch_question {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* VCS_FETCH_BRIEF or 0 */
    uint32_t purpose;     /* VCS_FETCH_CHOOSE or VCS_FETCH_PIGGYBACK */
    uint32_t project;     /* piggyback: index of the project that is called; else ignored */
    uint64_t reserved[2]; /* 0 */
} vcs_fetch_question;

/* The decision in short. 40 bytes. Since 1.0. */
typedef struct vcs_fetch_summary {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* out: 0 */
    uint32_t project;     /* out: index of the project to ask; VCS_NONE = ask none now */
    uint32_t reason;      /* out: VCS_REASON_ASKED, or why none is asked; with VCS_FETCH_BRIEF, VCS_REASON_NONE then */
    double next_check;    /* out: ask VCS_FETCH_CHOOSE again after this many seconds at the latest, at least 1; sooner
                             when something happens. +infinity: time alone changes nothing. See vcs_fetch() */
    uint64_t reserved[2]; /* out: 0 */
} vcs_fetch_summary;

/* The decision on one project and one resource. 64 bytes. Since 1.0. */
typedef struct vcs_fetch_decision {
    double seconds;       /* instance-seconds of wall time to ask for; 0 = it is not asked */
    double instances;     /* instances that need work now: the idle ones, or as many as its share lacks if that is more;
                             may be a fraction; 0 = none in particular; > 0 only with seconds > 0 */
    double priority;      /* ranks projects of one class for this resource, projects with a share before projects
                             without: greater goes first; -infinity if something prevents asking it */
    double wait;          /* until it may be asked, s; 0 if it is neither deferred nor backed off. If it is both, the
                             reason and this are the longer wait, `also` and `also_wait` the shorter one. With
                             VCS_REASON_SERVER_LIMIT it may be either */
    uint32_t reason;      /* VCS_REASON_*: why it is asked, or why not; VCS_REASON_NONE where nothing was decided */
    uint32_t better;      /* VCS_REASON_BETTER_PROJECT: index of the project that goes before it; else VCS_NONE */
    double also_wait;     /* if `also` is a wait: for how much longer, s; else 0 */
    uint32_t also;        /* VCS_REASON_DEFERRED or VCS_REASON_BACKED_OFF: the shorter of two waits; VCS_REASON_NONE if
                             there are not two */
    uint32_t jobs;        /* most jobs to ask for; 0 = as many as fill the seconds. vcs_fetch() sets 0: it is for a
                             client, or a function in its place (vcs_hooks.fetch), that knows better */
    double latency_bound; /* ask only for jobs that are due no sooner after they are sent, s; 0 = for any. vcs_fetch()
                             sets parameters.connect_every where VCS_WORK_FETCH_OWED asks (rule 15.7), else 0 */
} vcs_fetch_decision;

/*
 * Decides which project to ask for work now, and for how much of each resource; keeps the decision in the state.
 *
 * state      prepared; vcs_wrr() must have run on it
 * question   may be NULL, which stands for VCS_FETCH_CHOOSE
 * summary    may be NULL
 *
 * parameters.work_fetch names the rule:
 *   VCS_WORK_FETCH_WF1, VCS_WORK_FETCH_WF2   as the published study has them (rules 6.1, 6.2 in the form of 13.3, 13.8)
 *   VCS_WORK_FETCH_CURRENT    fetch when a resource is saturated for no longer than the minimum buffer, then up to the
 *                             whole buffer (rule 6.3)
 *   VCS_WORK_FETCH_ORIGINAL   fetch whenever it is saturated for less than the whole buffer
 *   VCS_WORK_FETCH_SESSIONS   as CURRENT; a client of sessions asks vcs_rpc_next() instead
 *   VCS_WORK_FETCH_OWED       when CURRENT does, but the project that sent least by its share (rule 15.6), see below
 *
 * The minimum buffer counts as at least parameters.least_buffer. A resource whose whole shortfall is small, below
 * parameters.least_shortfall of what its instances do in the buffer and below half a buffer of one instance, is not
 * reason to call while no whole instance is idle; it is asked for along with others. That needs VCS_DISCIPLINE_SLICED.
 *
 * One project is asked, for every resource for which it is the best. With VCS_FETCH_PIGGYBACK the question names it,
 * and its own deferral is ignored. Work for GPUs is asked for by the last three only, and only with
 * VCS_DISCIPLINE_SLICED, because only the sliced discipline simulates GPU tasks. A project without a share, a backup
 * project, is asked only for idle instances (rule 6.5). VCS_WORK_FETCH_WF1 and VCS_WORK_FETCH_WF2 treat it like any
 * other. If a project's own task waits until it fits on the instances that are or will first be idle, the project is
 * not asked to fill them (rule 4.7).
 *
 * With VCS_WORK_FETCH_OWED each project is owed its share of all the work that projects have sent
 * (vcs_project_resource.received) and that is lacking now, less what it has sent itself. Projects that are owed
 * something and have unreported results go first, since the call reports them, too; then the project with the least
 * received / share. It is asked for what it is owed and six days of its share, up to what is lacking. Its last job
 * (job_seconds, job_bound) tells whether more of the kind would be admitted by chance (rule 15.5): if not, it is asked
 * only for idle instances, and after all others if its chance is too small. A project whose jobs lose more than 0.05 of
 * their chance by waiting behind all the work at hand is asked only for idle instances, or when it is owed more than
 * four jobs. In a call that is made anyway, a project is asked if it is to get at least half a job.
 *
 * Run vcs_schedule() on the same state first: then it is known which instances are really idle. Late tasks and tasks
 * within their slice run first, and waiting tasks may not fit beside them. Where the simulation finds no project to
 * ask, a backup project is asked for one task for each such instance, unless a task of its own waits.
 * VCS_SCHEDULE_RUNNING and VCS_SCHEDULE_EXPLAIN serve alike.
 *
 * Tasks that are downloading count as work at hand, and work is wanted for a paused resource. A project that its
 * vcs_project.wait keeps from being asked is not asked in a call for another reason either.
 *
 * When to ask again. Time alone changes the answer when so much work is done that too little is left, when a wait or a
 * backoff ends, when a limit on concurrent tasks leaves room, and when a backup project may be asked. next_check is the
 * first moment at which, by the simulation, one of these lets a project be asked: a threshold met exactly counts as
 * crossed. Tasks may run in another order than the simulation ran them, so the need may come somewhat sooner or later;
 * the answer at that moment is then "not yet", with a new next_check. Ask again sooner if something happens: a task
 * ends, arrives or is suspended, vcs_schedule() chooses others, a reply comes, a resource is paused or goes on, the
 * user changes something. The work for a paused resource does not shrink, so time alone brings no need of it.
 * If a project is to be asked, wait for its reply; next_check is then parameters.look_interval, 0 = 60 s. An answer to
 * VCS_FETCH_PIGGYBACK has a next_check, too, that says when to ask VCS_FETCH_CHOOSE: 1 if another project should be
 * asked now. Under VCS_WORK_FETCH_WF1 and VCS_WORK_FETCH_WF2 it is at least parameters.look_interval.
 *
 * A project with a limit of n tasks can use n times as much as one of its tasks does on average, a quarter of a GPU if
 * that is its use. While it runs as many as its limits allow, and will for longer than the minimum buffer, it is not
 * called, though instances are idle that others could use (VCS_REASON_ENOUGH).
 *
 * The reason for each project and resource explains the decision; see vcs_reason_sentence(). Pass the request and the
 * reply to vcs_reply_apply(). A server that does not know `jobs` and `latency_bound` fills the seconds with any jobs.
 *
 * VCS_FETCH_BRIEF makes the same decision, but if no project is to be asked, it says only when to ask again: the reason
 * in the summary is VCS_REASON_NONE, and vcs_fetch_decisions() returns VCS_ERR_SEQUENCE. The forecasts of the resources
 * usually suffice for that; then neither tasks nor projects are compared.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_* of question or summary, VCS_ERR_FLAGS, VCS_ERR_INDEX for a project that
 * is not there, or VCS_ERR_SEQUENCE. Thread-safe, one thread per state.
 * O(tasks + applications + projects * resources), by what is owed O(resources * tasks + projects * resources *
 * log(tasks)). Rules 6.1 to 6.10 (S2, S4), 3.3, 4.7, 13.3, 13.4, 13.8, 13.11, 15.6, 15.7.
 */
VCS_API int vcs_fetch(vcs_state *state, const vcs_fetch_question *question, vcs_fetch_summary *summary);

/*
 * Reads what the last vcs_fetch() decided on each project and resource; the rest as for vcs_wrr_project_resources().
 *
 * decisions   out: vcs_fetch_decision[], projects * resources of them, project by project
 */
VCS_API int vcs_fetch_decisions(const vcs_state *state, const vcs_array *decisions);

#ifdef __cplusplus
}
#endif

#endif
