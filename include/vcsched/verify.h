/*
 * Verification: which results are right, which clients to trust, and what a host may ask for next (rule 11).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_VERIFY_H
#define VCSCHED_VERIFY_H

#include <vcsched/abi.h>
#include <vcsched/reason.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Votes ---- */

/*
 * A vote: which of several results of the same job is right (rules 11.2 and 11.3, source S3).
 *
 * The library does not compare results. The caller sorts them into classes of equal results and numbers the classes in
 * any way; the library votes on these numbers.
 */

/* A result put to the vote. 40 bytes. Since 1.0. */
typedef struct vcs_ballot {
    uint64_t id;           /* the caller's number, unique; breaks ties, lower first */
    uint32_t result_class; /* the class that the result belongs to; any number */
    uint32_t flags;        /* VCS_BLACKLISTED: the result is refused and has no vote; else 0 */
    double credibility;    /* of its client, 0 ... VCS_MAX_CREDIBILITY; read only by VCS_VOTE_BY_CREDIBILITY */
    uint64_t reserved[2];  /* 0 */
} vcs_ballot;

/* vcs_vote_terms.flags */
#define VCS_VOTE_DECIDED 0x1u /* an earlier vote decided: these results are late and are judged by `winner` */

/* vcs_vote_terms.rule: who wins */
#define VCS_VOTE_BY_COUNT 0u       /* the class with more results than any other */
#define VCS_VOTE_BY_CREDIBILITY 1u /* the most credible class, if its doubt is small enough */

/* The terms of a vote. Zero it, set struct_size, then what you know. 32 bytes. Since 1.0. */
typedef struct vcs_vote_terms {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* VCS_VOTE_DECIDED or 0 */
    uint32_t copies;      /* results with a vote needed for a decision, 1 or more: see vcs_copies() */
    uint32_t winner;      /* the class that won, if VCS_VOTE_DECIDED; else 0 */
    double tolerance;     /* by credibility: the greatest doubt with which a class wins, 0 < tolerance < 0.5; by count:
                             0 ... 0.5, ignored */
    uint32_t rule;        /* VCS_VOTE_BY_COUNT or VCS_VOTE_BY_CREDIBILITY */
    uint32_t reserved0;   /* 0 */
} vcs_vote_terms;

/* vcs_vote_summary.flags */
#define VCS_VOTE_WON 0x1u /* there is a winner */

/* The outcome of a vote. 56 bytes. Since 1.0. */
typedef struct vcs_vote_summary {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* VCS_VOTE_WON or 0 */
    uint32_t winner;      /* the class that won; 0 without VCS_VOTE_WON */
    uint32_t reason;      /* VCS_REASON_*: why there is a winner, or none */
    uint32_t further;     /* copies to send out, besides the ballots */
    uint32_t refused;     /* results without a vote */
    uint32_t votes;       /* results with a vote in the leading class, or in each tied class */
    uint32_t ballot;      /* index of the result with a vote and the lowest id in the leading class; VCS_NONE without a
                             vote, or if several classes are tied */
    double doubt;         /* by credibility: 1 - the credibility of the leading class; by count: 0 */
    uint64_t reserved[2]; /* 0 */
} vcs_vote_summary;

/* vcs_ballot_verdict.verdict: the result is */
#define VCS_BALLOT_OPEN 0u    /* undecided */
#define VCS_BALLOT_VALID 1u   /* right */
#define VCS_BALLOT_WRONG 2u   /* wrong: report VCS_TRUST_WRONG for its client, which puts it on the blacklist */
#define VCS_BALLOT_REFUSED 3u /* without a vote */

/* The verdict on one result, with its reason. 24 bytes. Since 1.0. */
typedef struct vcs_ballot_verdict {
    uint32_t verdict;     /* VCS_BALLOT_* */
    uint32_t reason;      /* VCS_REASON_* */
    uint64_t reserved[2]; /* 0 */
} vcs_ballot_verdict;

/*
 * Holds a vote.
 *
 * ballots    vcs_ballot[], the results that have arrived
 * terms      how many copies are wanted, who wins, and whether it was decided before
 * order      out: as many numbers as ballots: their indices by class, then id; may be NULL if there are no ballots
 * verdicts   out: vcs_ballot_verdict[], one for each ballot
 * summary    out
 * error      what was refused; may be NULL
 *
 * While fewer than terms.copies results have a vote, nothing is decided, and summary.further says how many are missing.
 *
 * VCS_VOTE_BY_COUNT: the class with more results than any other wins. A tie asks for one further copy; hold the vote
 * again, on the same terms, when its result has arrived.
 *
 * VCS_VOTE_BY_CREDIBILITY: let c be the credibilities of the clients. The weight of a class is the product of c over
 * its results times the product of 1 - c over all others. Its credibility is its weight divided by the sum of the
 * weights of all classes and of the product of 1 - c over all results, which stands for no result being right. The most
 * credible class wins if its doubt, 1 - credibility, is at most terms.tolerance; else one further copy is asked for. Of
 * equally credible classes, the one with the voter of the lowest id leads. Products are taken in order of id, and sums
 * in order of class; none overflows or vanishes, however many results there are.
 *
 * VCS_VOTE_DECIDED: terms.winner remains the winner, each result is compared with it, and no further copy is asked for.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_OVERFLOW, or
 * VCS_ERR_COUNT if there is not one verdict for each ballot. Thread-safe. O(n * log(n)) for n ballots.
 */
VCS_API int vcs_vote(const vcs_array *ballots, const vcs_vote_terms *terms, uint32_t *order, const vcs_array *verdicts,
                     vcs_vote_summary *summary, vcs_error *error);

/* ---- Trust ---- */

/*
 * Trust: the record of a client's results, and how far to rely on the next one (rules 11.1 to 11.3).
 *
 * Trust grows with each result that proves right, and is lost with the first error. No error ever increases it.
 */

/*
 * The blacklist is one flag of vcs_trust.flags, vcs_client.flags, vcs_ballot.flags, vcs_check.flags and
 * vcs_send_limits.flags. The record of trust decides; copy `trust.flags & VCS_BLACKLISTED` to the others.
 */
#define VCS_BLACKLISTED 0x1u /* the client is on the blacklist: it gets no work, and its results are refused */

/*
 * The record of one client. In/out. All zero = nothing is known. To take a client off the blacklist, zero all but its
 * id. 48 bytes. Since 1.0.
 */
typedef struct vcs_trust {
    uint64_t id;           /* the caller's number; any value */
    uint64_t passed;       /* checks passed since its last wrong result: direct, inverse and spot checks */
    uint64_t valid_in_row; /* valid results since its last error */
    uint32_t flags;        /* VCS_BLACKLISTED or 0 */
    uint32_t reason;       /* VCS_REASON_*: why it is on the blacklist; 0 if it is not */
    uint64_t reserved[2];  /* 0 */
} vcs_trust;

/* The outcome of a client's job, for vcs_trust_update() */
#define VCS_TRUST_VALID 0u  /* a vote found the result valid: adds 1 to valid_in_row */
#define VCS_TRUST_PASSED 1u /* the result passed a check: adds 1 to valid_in_row and to passed */
#define VCS_TRUST_ERROR 2u  /* the job failed, was late, or lost the vote of its unit: sets valid_in_row to 0 */
#define VCS_TRUST_WRONG 3u  /* a check or vote of rule 11 showed the result wrong, or the caller did: sets both to 0,
                               and puts the client on the blacklist. No vcs_lesson says so */

/*
 * Counts the outcome of a client's job. For a client on the blacklist only errors count.
 *
 * trust     in/out
 * outcome   VCS_TRUST_VALID, VCS_TRUST_PASSED, VCS_TRUST_ERROR or VCS_TRUST_WRONG
 * reason    VCS_REASON_*: why a client that was wrong goes on the blacklist; ignored if it is on it already, and with
 *           any other outcome
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER or VCS_ERR_FLAGS. On an error the record is unchanged. Thread-safe.
 * O(1).
 */
VCS_API int vcs_trust_update(vcs_trust *trust, uint32_t outcome, uint32_t reason);

/* From this many valid results in a row on, some results of a client are trusted without a copy. */
#define VCS_TRUSTED_FROM 10u

/*
 * Whether a job of this client must also go to another client (adaptive replication, rule 11.3). With n valid results
 * in a row, n >= VCS_TRUSTED_FROM, it must with probability 1 / n; with fewer, or on the blacklist, always.
 *
 * trust    the client's record
 * u        the draw, 0 <= u < 1
 * needed   set to 1 if it must, else to 0
 * reason   VCS_REASON_*; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. Thread-safe.
 * O(1).
 */
VCS_API int vcs_trust_needs_copy(const vcs_trust *trust, double u, uint32_t *needed, uint32_t *reason);

/* The greatest credibility, 1 - 2^-53: nobody is beyond all doubt. */
#define VCS_MAX_CREDIBILITY (1.0 - 1.0 / 9007199254740992.0)

/*
 * Credibility: how likely a client is to be right, by the checks that it passed (rule 11.3).
 *
 * passed        checks passed, vcs_trust.passed; 0 = never checked, counts as 1
 * error_bound   f: the largest fraction of all results that may be wrong, 0 ... 1
 * credibility   the answer: 1 - f / passed, but at most VCS_MAX_CREDIBILITY
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. Thread-safe. O(1).
 */
VCS_API int vcs_credibility(uint64_t passed, double error_bound, double *credibility);

/* ---- Daily quota ---- */

/*
 * Daily quota: how many jobs a host may get in a day, by the outcomes of its last jobs (rule 11.3).
 *
 * It keeps a host that fails every job at once from using up all jobs.
 */

/* The quota of one host. In/out. Zero it, then set `max_quota` and `quota`. 48 bytes. Since 1.0. */
typedef struct vcs_quota {
    uint64_t id;          /* the caller's number; any value */
    double day;           /* the day that `used` refers to: whole days since the epoch */
    uint32_t max_quota;   /* the greatest quota, 1 or more */
    uint32_t quota;       /* jobs that the host may get in a day, 1 ... max_quota; of a new host, the first quota */
    uint32_t used;        /* jobs that it has got on that day */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[2]; /* 0 */
} vcs_quota;

/*
 * How many jobs the host may get now. A new day begins with none used. If the clock goes back to an earlier day, the
 * jobs used stay used.
 *
 * quota   in/out: `day` becomes today
 * now     the present, a time within +-VCS_MAX_TIME
 * left    the answer; 0 = none today
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error nothing is
 * written. Thread-safe. O(1).
 */
VCS_API int vcs_quota_left(vcs_quota *quota, double now, uint32_t *left);

/*
 * Counts jobs that the host gets.
 *
 * quota   in/out
 * now     the present, a time within +-VCS_MAX_TIME
 * jobs    how many; if fewer are left, VCS_ERR_QUOTA, and none is counted
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE or VCS_ERR_QUOTA. On an error
 * nothing is written. Thread-safe. O(1).
 */
VCS_API int vcs_quota_take(vcs_quota *quota, double now, uint32_t jobs);

/*
 * Adjusts the quota to the outcome of a job: a valid result doubles it, up to `max_quota`; an error or a timeout lowers
 * it by 1, down to 1.
 *
 * quota   in/out
 * valid   1 = a valid result; 0 = an error or a timeout; anything else is VCS_ERR_FLAGS
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_NEWER, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error
 * nothing is written. Thread-safe. O(1).
 */
VCS_API int vcs_quota_judge(vcs_quota *quota, uint32_t valid);

/* ---- The next request ---- */

/*
 * When a host may ask again: the delay that a server puts into its reply (rule 8.9).
 *
 * Without a delay, a host asks every minute for work that is not there.
 */

/* vcs_next_request.flags */
#define VCS_REQUEST_WITHOUT_WORK 0x1u /* the host asked for no work, or is at its limit of jobs in progress: nothing
                                         should keep it from reporting */

/* The reply in short, and the delays to choose from. Fill it with vcs_next_request_init(). 80 bytes. Since 1.0. */
typedef struct vcs_next_request {
    uint32_t struct_size;  /* bytes; set by vcs_next_request_init() */
    uint32_t flags;        /* VCS_REQUEST_WITHOUT_WORK or 0 */
    uint32_t sent;         /* jobs in the reply: vcs_send_summary.sent */
    uint32_t late;         /* jobs refused only for deadlines: vcs_send_summary.late */
    uint32_t quota_left;   /* jobs that it may still get today after this reply, vcs_quota_left(); default UINT32_MAX */
    uint32_t reserved0;    /* 0 */
    double report_by;      /* when it must call at the latest to report its jobs: a time, as `now` is, such as the
                              earliest deadline of its jobs less some reserve; +infinity = none, default */
    double least_delay;    /* between any two requests, s, 0 ... VCS_MAX_SECONDS; default 60 */
    double no_work_delay;  /* if there was no work for the host, s, 0 ... VCS_MAX_SECONDS; default 600 */
    double deadline_delay; /* if jobs were refused only for deadlines, s, 0 ... VCS_MAX_SECONDS; default 3600 */
    double quota_spread;   /* hosts at their quota come back within this time after the next day has begun, s,
                              0 ... VCS_MAX_SECONDS; default 3600 */
    uint64_t reserved[2];  /* 0 */
} vcs_next_request;

/*
 * An empty reply to a host without jobs or a quota, and the default delays.
 *
 * request   written up to `size` bytes; untouched on an error
 * size      sizeof(vcs_next_request) of the caller
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE or VCS_ERR_ABI_OLDER. Thread-safe. O(1).
 */
VCS_API int vcs_next_request_init(vcs_next_request *request, uint32_t size);

/*
 * How long a host has to wait before its next request (rule 8.9). The first of these cases that holds:
 *
 *   VCS_REQUEST_WITHOUT_WORK        least_delay (VCS_REASON_LEAST_DELAY)
 *   nothing is left of its quota    until the next day of vcs_quota begins, and a second + u * quota_spread more, so
 *                                   that not all hosts come at midnight (VCS_REASON_QUOTA)
 *   something was sent              least_delay (VCS_REASON_LEAST_DELAY)
 *   some jobs would have been late  deadline_delay (VCS_REASON_DEADLINES_NOT_MET)
 *   else                            no_work_delay (VCS_REASON_NO_WORK)
 *
 * A longer delay is cut off at report_by, so that a host at its quota can report in time (which may raise its quota);
 * but no delay is below least_delay.
 *
 * request   the reply in short
 * now       the present, a time within +-VCS_MAX_TIME
 * u         the draw, 0 <= u < 1
 * seconds   the answer, s
 * reason    VCS_REASON_*; may be NULL
 * error     what was refused; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. On an error
 * nothing is written. Thread-safe. O(1).
 */
VCS_API int vcs_next_request_delay(const vcs_next_request *request, double now, double u, double *seconds,
                                   uint32_t *reason, vcs_error *error);

/* ---- Methods of verification ---- */

/*
 * Verification: what happens to a result before it is accepted (rules 11.1 and 11.2, source S3).
 *
 * A project chooses one of four methods for its jobs. The last one votes: see vcs_vote().
 */

/* vcs_check.method: how results are verified */
#define VCS_VERIFY_NONE 0u          /* results are accepted unchecked */
#define VCS_VERIFY_DIRECT 1u        /* the application on the server examines job and result */
#define VCS_VERIFY_INVERSE 2u       /* another client solves the inverse problem, which must lead back to the job */
#define VCS_VERIFY_RECOMPUTATION 3u /* several clients compute the same, and vote with their results */

/* vcs_check.outcome: the state of a check */
#define VCS_CHECK_NOT_MADE 0u /* the result has just arrived */
#define VCS_CHECK_PASSED 1u   /* the result was found right */
#define VCS_CHECK_FAILED 2u   /* the result was found wrong */

/* A result and the state of its check. Zero it, set struct_size, then what you know. 32 bytes. Since 1.0. */
typedef struct vcs_check {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* VCS_BLACKLISTED: the client that sent the result is on the blacklist; else 0 */
    uint32_t method;      /* VCS_VERIFY_* */
    uint32_t outcome;     /* VCS_CHECK_NOT_MADE, VCS_CHECK_PASSED or VCS_CHECK_FAILED */
    uint64_t reserved[2]; /* 0 */
} vcs_check;

/* vcs_verdict.action: what to do with a result */
#define VCS_ACTION_ACCEPT 0u     /* it is the job's result: hand it to the application */
#define VCS_ACTION_EXAMINE 1u    /* ask the application on the server whether it is right */
#define VCS_ACTION_SEND_CHECK 2u /* put the inverse job at the head of the queue, for another client */
#define VCS_ACTION_VOTE 3u       /* vote on it, together with the results of the other copies */
#define VCS_ACTION_DISCARD 4u    /* discard it as if never received: the job goes back to the queue */

/* vcs_verdict.flags */
#define VCS_BLACKLIST_CLIENT 0x1u  /* the client that sent the result goes on the blacklist */
#define VCS_BLACKLIST_CHECKER 0x2u /* the client that made the check goes on the blacklist, too */
#define VCS_QUEUE_HEAD 0x4u        /* the job, or its check, goes to the head of the queue */

/* What follows from a check. 32 bytes. Since 1.0. */
typedef struct vcs_verdict {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t flags;       /* VCS_BLACKLIST_*, VCS_QUEUE_HEAD */
    uint32_t action;      /* VCS_ACTION_* */
    uint32_t reason;      /* VCS_REASON_* */
    uint64_t reserved[2]; /* 0 */
} vcs_verdict;

/*
 * What becomes of a result (rule 11.1).
 *
 * check     the result and the state of its check. VCS_VERIFY_NONE and VCS_VERIFY_RECOMPUTATION have no check of their
 *           own: any outcome but VCS_CHECK_NOT_MADE is VCS_ERR_UNSUPPORTED
 * verdict   the answer
 * error     what was refused; may be NULL
 *
 *   method                      not made        passed    failed
 *   VCS_VERIFY_NONE             accept
 *   VCS_VERIFY_DIRECT           examine         accept    discard, blacklist the client
 *   VCS_VERIFY_INVERSE          send the check  accept    discard, blacklist client and checker, as it is unknown
 *                                                         which was wrong; the job goes to the head of the queue
 *   VCS_VERIFY_RECOMPUTATION    vote
 *
 * A result from a client on the blacklist is discarded, whatever its check says.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS or VCS_ERR_UNSUPPORTED. Thread-safe. O(1).
 */
VCS_API int vcs_verify(const vcs_check *check, vcs_verdict *verdict, vcs_error *error);

/* The largest recomputation factor. */
#define VCS_MAX_COPIES 1000u

/*
 * Draws how many clients a job goes to (rule 11.2): ceil(factor) with the probability of the factor's fractional part,
 * else floor(factor). With a factor of 1.25 a quarter of all jobs are computed twice; with 3, every job three times.
 *
 * factor   recomputation factor, 1 ... VCS_MAX_COPIES: the mean number of copies
 * u        the draw, 0 <= u < 1
 * copies   the answer
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. Thread-safe. O(1).
 */
VCS_API int vcs_copies(double factor, double u, uint32_t *copies);

#ifdef __cplusplus
}
#endif

#endif
