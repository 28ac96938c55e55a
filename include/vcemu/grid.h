/*
 * A grid in virtual time: projects with their servers, and any number of hosts that work for them (chapter 14).
 *
 * It answers the questions of a project designer before there is a project: how fast work gets done, how long a unit
 * takes, how many copies are computed, how many wrong results are believed. Each host decides by chapters 1 to 7 and
 * each server by chapters 8 to 11, through the functions that a real client and a real server call. Hosts are emulated
 * as in emulator.h: a grid of one host and one copy of each unit gives the events of vcs_emulate().
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_GRID_H
#define VCEMU_GRID_H

#include <vcemu/emulator.h>
#include <vcsched/dispatch.h>
#include <vcsched/unit.h>
#include <vcsched/verify.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Besides the structs of emulator.h and bound.h. */
#define VCS_TYPE_GRID_TERMS 1007u
#define VCS_TYPE_GRID_PROJECT 1008u
#define VCS_TYPE_HOST_MODEL 1009u
#define VCS_TYPE_HOST_ROW 1010u
#define VCS_TYPE_GRID_OUTCOME 1011u
#define VCS_TYPE_GRID_PROJECT_OUTCOME 1012u
#define VCS_TYPE_GRID_HOST_OUTCOME 1013u
#define VCS_TYPE_GRID_SAMPLE 1014u
#define VCS_TYPE_GRID_EVENT 1015u

/* The most hosts of all classes together. */
#define VCS_MAX_HOSTS 100000000u

/* ---- What is emulated ---- */

/* vcs_grid_terms.flags */
#define VCS_GRID_BOUNDS 0x1u /* what each host loses is compared with its bound: vcs_grid_host_outcome.least_loss */

/* When the emulation begins and ends, and its samples. Fill it with vcs_grid_terms_init(). 64 bytes. Since 1.0. */
typedef struct vcs_grid_terms {
    uint32_t struct_size; /* bytes; set by vcs_grid_terms_init() */
    uint32_t flags;       /* VCS_GRID_BOUNDS */
    uint64_t seed;        /* seed of all random draws; any number */
    double start;         /* when it begins, a time within +-1e12 */
    double duration;      /* how long it lasts, s; > 0 */
    double sample;        /* time between the samples of each project, s; 0 = no samples */
    uint64_t reserved[3]; /* 0 */
} vcs_grid_terms;

/* vcs_grid_project.dispatch: how its server hands out work */
#define VCS_GRID_BY_DEADLINE 0u /* units, copies with deadlines, vcs_send(): chapters 8 and 9 */
#define VCS_GRID_BY_REPLY 1u    /* jobs, by expected reply, vcs_dispatch_next(): chapter 10 */

/* vcs_grid_project.verification: how results are checked besides the quorum of units (rules 11.1 to 11.3) */
#define VCS_GRID_CHECK_NONE 0u          /* no check: units go by their quorum, jobs by their first reply */
#define VCS_GRID_CHECK_DIRECT 1u        /* the server's application finds out which results are wrong */
#define VCS_GRID_CHECK_INVERSE 2u       /* another client solves the inverse problem; only VCS_GRID_BY_REPLY */
#define VCS_GRID_CHECK_RECOMPUTATION 3u /* several clients compute the same: `recomputation` */
#define VCS_GRID_CHECK_CREDIBILITY 4u   /* a vote by credibility: `error_bound`, `tolerance`; only by reply */
#define VCS_GRID_CHECK_ADAPTIVE 5u      /* a trusted host's result needs no copy; any other result goes by the
                                           quorum, which is at least 2; only VCS_GRID_BY_DEADLINE */

/* vcs_grid_project.flags */
#define VCS_GRID_BLACKLIST 0x1u       /* a caught host goes on the blacklist: found wrong by a check, or by losing a
                                         vote among copies for verification */
#define VCS_GRID_WITHDRAW 0x2u        /* and none of its results counts any longer in units that are not assimilated */
#define VCS_GRID_ASSIMILATE_LAST 0x4u /* units are assimilated when all of a batch are done, not at once */
#define VCS_GRID_ABORTS 0x8u          /* hosts are told which of their jobs nobody needs any more (rule 8.9) */
#define VCS_GRID_DELAYS 0x10u         /* hosts that get nothing are told when to come again: vcs_next_request_delay(),
                                         at least vcs_server_model.request_delay */

/*
 * One project: its units, and how its server hands them out and checks results. Fill it with vcs_grid_project_init().
 * 240 bytes. Since 1.0.
 */
typedef struct vcs_grid_project {
    uint64_t id;               /* the caller's number; any value */
    uint64_t units;            /* number of units; 0 = as many as are asked for */
    double unit_rate;          /* units that come per second, at random, up to 1e9; 0 = all are there at the start */
    double delay_bound;        /* from sending a copy to its deadline, s; at least 0.001 */
    double est_flops;          /* operations that a unit is said to need, FLOP */
    double mean_flops;         /* mean of the operations that units need, FLOP */
    double sd_flops;           /* standard deviation of the same, FLOP; only with VCS_SIZES_NORMAL and
                                  VCS_SIZES_LOG_NORMAL */
    double input_bytes;        /* files that a host fetches before a job can run, bytes; 0 = none */
    double output_bytes;       /* files that a host sends before it can report a job, bytes; 0 = none */
    uint32_t distribution;     /* VCS_SIZES_*, but not VCS_SIZES_LIST */
    uint32_t flags;            /* VCS_GRID_BLACKLIST, ... */
    uint32_t dispatch;         /* VCS_GRID_BY_* */
    uint32_t verification;     /* VCS_GRID_CHECK_* */
    uint32_t min_quorum;       /* M: number of results that must agree, 1 ... 4096 (see vcs_unit). 1 with
                                  VCS_GRID_BY_REPLY and with VCS_GRID_CHECK_RECOMPUTATION, which choose the number of
                                  copies themselves. With VCS_GRID_CHECK_ADAPTIVE at least 2 where a copy is needed */
    uint32_t target_nresults;  /* N: number of copies made at first, from M up to B. Only VCS_GRID_BY_DEADLINE, like the
                                  next five */
    uint32_t max_error;        /* A: a unit with more errors fails; 0 = the first one is too many */
    uint32_t max_total;        /* B: a unit that needs more copies fails; 1 ... 4096 */
    uint32_t max_success;      /* C: a unit with more results that do not agree fails */
    uint32_t quorum_rule;      /* VCS_QUORUM_MAJORITY or VCS_QUORUM_EQUAL */
    uint32_t max_refusals;     /* a copy is unsendable when this many hosts in a row cannot take it (9.3); 0 = never */
    uint32_t quota;            /* most jobs that a host may get in a day (rule 11.3); 0 = no limit */
    uint32_t credit_rule;      /* VCS_CREDIT_*; only VCS_GRID_BY_DEADLINE: there is no credit by reply. Hosts claim the
                                  operations that they did, so claims and the credit for them are in FLOP */
    uint32_t order;            /* VCS_OVERDUE_FIRST, ... (rule 10.3); only VCS_GRID_BY_REPLY */
    double fixed_credit;       /* credit for each valid result with VCS_CREDIT_FIXED, in a unit of the caller's */
    double max_single_claim;   /* a unit's only claim counts up to this, FLOP; 0 = no limit */
    double recomputation;      /* recomputation factor, 1 ... 1000 (rule 11.2); only VCS_GRID_CHECK_RECOMPUTATION */
    double wait_factor;        /* K_wait (rule 10.2), 1e-6 ... 1e6; only VCS_GRID_BY_REPLY */
    double dead_factor;        /* K_wait_dead, > wait_factor, up to 1e6; only VCS_GRID_BY_REPLY */
    double error_bound;        /* credibility: the largest fraction of results that may be wrong, 0 ... 1 */
    double tolerance;          /* credibility: the greatest doubt with which a result is accepted, > 0, < 0.5 */
    double spot_checks;        /* probability that a job is a spot check, of known result, 0 ... 1 (rule 14.4). It
                                  belongs to no unit, and is computed once */
    uint64_t reserved[6];      /* 0 */
} vcs_grid_project;

/* vcs_host_model.flags */
#define VCS_HOSTS_COLLUDE 0x1u  /* saboteurs return the same wrong result for the same unit; else different ones */
#define VCS_HOSTS_REPLACED 0x2u /* when a host leaves, another comes */

/*
 * The hosts of a class: common properties besides the scenario, and random ones of each host. Zero it, then set what
 * you want. 136 bytes. Since 1.0.
 */
typedef struct vcs_host_model {
    uint64_t id;           /* the caller's number; any value */
    uint64_t count;        /* number of hosts, up to VCS_MAX_HOSTS in all classes; 0 = none */
    double speed_sd;       /* FLOPS vary from host to host: the standard deviation of their logarithm, up to 10; 0 = all
                              alike */
    double arrivals;       /* hosts arrive at random within this time from the start, s; 0 = all are there */
    double lifetime;       /* mean of the exponential time until a host leaves for good, s; 0 = it stays for ever */
    double rate;           /* transfer rate, bytes/s; 0 = transfers take no time */
    double client_error;   /* probability that a job ends in an error on the host, after a part of its time */
    double no_reply;       /* probability that a job is computed and never reported */
    double wrong;          /* probability that an honest host's result is wrong; no two are alike */
    double saboteurs;      /* probability that a host is a saboteur and returns wrong results on purpose. It is drawn
                              for each host, so the number of saboteurs varies with the seed */
    double sabotage;       /* probability that a saboteur's result is wrong */
    uint32_t flags;        /* VCS_HOSTS_COLLUDE, VCS_HOSTS_REPLACED */
    uint32_t reserved0;    /* 0 */
    uint64_t reserved[5];  /* 0 */
} vcs_host_model;

/*
 * A kind of host within a class: a row of a table of hosts. The hosts of a class are divided among its rows in
 * proportion to their weights: exactly, if the weights add up to the number of hosts. 0 = as in the scenario of the
 * class. 64 bytes. Since 1.0.
 */
typedef struct vcs_host_row {
    double weight;        /* number of hosts of this kind, relative to the others */
    double cpus;          /* CPUs; a fraction of a CPU does not count */
    double flops;         /* FLOPS of each CPU */
    double available;     /* fraction of time for which the hosts are on, at most 1 */
    double ram;           /* memory, bytes */
    uint64_t reserved[3]; /* 0 */
} vcs_host_row;

/*
 * A class of hosts. Hosts differ by their seed, by the draws of the model, and by the rows. The scenario describes one
 * host, attached to all projects of the scenario. Only `cpus`, `gpu`, `gpus`, `weight`, `ram`, `checkpoint_interval`,
 * `flags`, `fraction_blur` and `fraction_step` of each vcs_job_model are read, since the units come from the grid's
 * project. The scenario has no initial tasks, and the seed, start and duration of its emulation are not read.
 */
typedef struct vcs_host_class {
    uint32_t struct_size;             /* bytes; set by the caller to sizeof(vcs_host_class) */
    uint32_t flags;                   /* 0 */
    const vcs_scenario *scenario;     /* one host */
    const vcs_parameters *parameters; /* its policy */
    const vcs_hooks *hooks;           /* its functions, see vcs_hooks; NULL = none. Only schedule, fetch, send and
                                         estimate are called */
    const void *reserved0;            /* NULL */
    vcs_array projects;               /* uint32_t: for each project of the scenario, its index in the grid */
    vcs_array model;                  /* vcs_host_model, exactly one */
    vcs_array rows;                   /* vcs_host_row; none = all hosts are as in the scenario */
} vcs_host_class;

/* A grid. The caller owns all of it; no pointer is kept. */
typedef struct vcs_grid {
    uint32_t struct_size; /* bytes; set by the caller to sizeof(vcs_grid) */
    uint32_t flags;       /* 0 */
    vcs_array terms;      /* vcs_grid_terms, exactly one */
    vcs_array projects;   /* vcs_grid_project */
    vcs_array classes;    /* vcs_host_class */
} vcs_grid;

/* ---- What happens ---- */

/* vcs_grid_event.kind: below VCS_EVENT_KINDS an event of a host, see VCS_EVENT_*; else an event of a server */
#define VCS_GRID_EVENT_UNIT 100u       /* a unit was created; amount = operations that it needs */
#define VCS_GRID_EVENT_SENT 101u       /* a copy was sent; amount = 0 */
#define VCS_GRID_EVENT_REPORTED 102u   /* a copy was reported; amount = operations done, reason = VCS_REPORT_* */
#define VCS_GRID_EVENT_NO_REPLY 103u   /* a copy was given up */
#define VCS_GRID_EVENT_ACCEPTED 104u   /* a unit is done; amount = 0 if its result is right, 1 if it is wrong */
#define VCS_GRID_EVENT_FAILED 105u     /* a unit failed; reason = its error mask */
#define VCS_GRID_EVENT_CAUGHT 106u     /* a host goes on the blacklist; reason = VCS_REASON_* */
#define VCS_GRID_EVENT_JOINED 107u     /* a host arrived */
#define VCS_GRID_EVENT_LEFT 108u       /* a host left for good */

/* One event. Fields that mean nothing for its kind are VCS_NONE or 0. 72 bytes. Since 1.0. */
typedef struct vcs_grid_event {
    double time;          /* when */
    uint32_t kind;        /* VCS_GRID_EVENT_* or VCS_EVENT_* */
    uint32_t project;     /* index of the project in the grid */
    uint32_t host;        /* index of the host, from 0 for the first of the first class */
    uint32_t copy_index;  /* of a server: index of the copy in its unit; of a host: the lane, see vcs_event.track */
    uint64_t unit;        /* of a server: number of the unit, from 1; of a host: id of the task */
    double amount;        /* see VCS_GRID_EVENT_*, VCS_EVENT_* */
    double deadline;      /* report deadline of the copy or task */
    uint32_t resource;    /* of a host: index of the resource */
    uint32_t reason;      /* see VCS_GRID_EVENT_*, VCS_EVENT_* */
    uint32_t host_class;  /* index of the class of the host; VCS_NONE if there is no host */
    uint32_t reserved0;   /* 0 */
    uint64_t reserved[1]; /* 0 */
} vcs_grid_event;

/* ---- Policies ---- */

/* What the server of a project decides on; see vcs_grid_hooks. Valid only during the call. */
typedef struct vcs_grid_situation {
    uint32_t struct_size; /* bytes */
    uint32_t flags;       /* 0 */
    uint64_t seed;        /* of the grid */
    double now;           /* the present */
    uint32_t project;     /* index of the project in the grid */
    uint32_t host;        /* index of the host; VCS_NONE if it is about none */
} vcs_grid_situation;

/* What a function of vcs_grid_hooks returns that failed at this one decision */
#define VCS_GRID_NOT_DECIDED 1

/*
 * The caller's functions for servers. Zero the struct, set struct_size, then set what you want to replace. NULL means
 * the default. A function returns VCS_OK, or a negative number, which ends the emulation and is returned.
 *
 * With VCS_GRID_NOT_DECIDED, or any positive number, the grid goes on without this decision, whatever was written:
 *   dispatch   the host gets no job now
 *   validate   the unit is compared again after a minute, then after twice as long each time. After the 8th failure in
 *              a row it waits for a person, so it stays open (rule 8.4). So do units of which a result is
 *              VCS_CLASS_LATER. A result that is VCS_CLASS_FAILED is invalid, and that is all
 *   trust      the job also goes to another host
 * vcs_grid_project_outcome.failed_decisions counts them. `observe` and `progress` decide nothing.
 */
typedef struct vcs_grid_hooks {
    uint32_t struct_size; /* bytes; set by the caller to sizeof(vcs_grid_hooks) */
    uint32_t flags;       /* 0 */
    void *context;        /* passed to each function; may be NULL */

    /* Memory: both or neither; default malloc() and free(), as in vcs_hooks. */
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *memory, size_t size);

    /* Which job a client gets next (VCS_GRID_BY_REPLY): sets decision->job and is_copy; default vcs_dispatch_next(). */
    int (*dispatch)(void *context, const vcs_grid_situation *situation, const vcs_dispatch *index,
                    vcs_dispatch_decision *decision);

    /* Which changes follow from the classes of a unit's results (VCS_GRID_BY_DEADLINE). The contract is that of
       vcs_validate(), the default. Step by element_size: the library's records may be longer. */
    int (*validate)(void *context, const vcs_grid_situation *situation, const vcs_unit *unit, const vcs_array *results,
                    const uint32_t *classes, const vcs_array *changes, uint32_t *change_count);

    /* Whether a host's job also goes to another (VCS_GRID_CHECK_ADAPTIVE); default vcs_trust_needs_copy(). */
    int (*trust)(void *context, const vcs_grid_situation *situation, const vcs_trust *trust, double u,
                 uint32_t *needed);

    /* Receives each event, in order of time. */
    int (*observe)(void *context, const vcs_grid_event *event);

    /* Receives the progress of the emulation now and then: `done` from 0 to 1. */
    int (*progress)(void *context, double done);
} vcs_grid_hooks;

/* ---- The outcome ---- */

/* The hosts all together. 120 bytes. Since 1.0. */
typedef struct vcs_grid_outcome {
    uint32_t struct_size;    /* bytes; set by the caller */
    uint32_t flags;          /* out: 0 */
    uint64_t hosts;          /* out: hosts that there were */
    uint64_t left;           /* out: hosts that left for good */
    uint64_t saboteurs;      /* out: hosts that return wrong results on purpose */
    double present;          /* out: instance-seconds of all hosts while they were there: on and off */
    double off;              /* out: instance-seconds while they were off */
    double used;             /* out: instance-seconds that tasks used */
    double idle;             /* out: the rest: present = off + used + idle */
    double flops_used;       /* out: operations done */
    uint64_t calls;          /* out: calls of servers */
    uint64_t steps;          /* out: moments at which something was due on a host */
    uint64_t samples;        /* out: samples made of each project */
    uint64_t reserved[3];    /* out: 0 */
} vcs_grid_outcome;

/*
 * One project (rule 14.3). A copy is a result of a unit, or a job with its copies. Operations count what hosts did for
 * copies that are over; with flops_held, the sum is all they did for the project. 384 bytes. Since 1.0.
 */
typedef struct vcs_grid_project_outcome {
    uint64_t id;               /* id of the project */
    uint64_t units;            /* units created; done + failed + open */
    uint64_t done;             /* units with a canonical or an accepted result */
    uint64_t failed;           /* units that failed */
    uint64_t open;             /* units neither done nor failed */
    uint64_t wrong_accepted;   /* units done with a wrong result */
    uint64_t copies;           /* copies sent; the sum of the next eight */
    uint64_t valid;            /* reported, and found valid */
    uint64_t invalid;          /* reported, and found invalid */
    uint64_t not_judged;       /* reported, and not judged, or reported too late to be */
    uint64_t errors;           /* client errors */
    uint64_t no_reply;         /* given up at the deadline and not reported in time to count; or refused, since the host
                                  is on the blacklist. By reply: unreported when the unit was done, or later */
    uint64_t aborted;          /* given up because nobody needs them */
    uint64_t detached;         /* withdrawn before the report, because the host was caught */
    uint64_t in_progress;      /* on a host at the end */
    uint64_t late;             /* reported after their deadline; counted above too */
    uint64_t unsendable;       /* copies that no host could take */
    uint64_t duplicates;       /* VCS_GRID_BY_REPLY: copies sent while another copy was unanswered */
    uint64_t spot_checks;      /* jobs of known result that were computed; not among the copies */
    uint64_t caught;           /* hosts on the blacklist */
    uint64_t calls;            /* calls of the server that were answered */
    uint64_t transitions;      /* calls of vcs_transition() */
    uint64_t changes;          /* changes to records */
    double makespan;           /* time from the start of a batch to the end of its last unit, s; 0 = there is no batch,
                                  or it is not done */
    double tail;               /* part of the makespan that went into the last 5 % of the units, s; else 0 */
    double turnaround_mean;    /* mean time from the creation of a unit to its end, for done units, s */
    double turnaround_p50;     /* median of the same, s; to within 1.2 %, like the next two */
    double turnaround_p95;     /* 95 % of the units are done in less, s */
    double turnaround_p99;     /* 99 % of the units are done in less, s */
    double mean_in_progress;   /* copies on hosts, average over the time of the emulation */
    double time_in_progress;   /* mean time from sending a copy to its end, for copies that are over, s */
    double flops_useful;       /* operations for accepted results, one of each unit */
    double flops_redundant;    /* operations for other valid results, and for results that were not judged */
    double flops_invalid;      /* operations for invalid results */
    double flops_late;         /* operations for results that came too late to count, or were refused */
    double flops_failed;       /* operations for client errors and aborted jobs */
    double flops_checks;       /* operations for spot checks and inverse problems */
    double credit;             /* credit granted: FLOP with VCS_CREDIT_CLAIMS, else in the unit of fixed_credit */
    double window;             /* VCS_GRID_BY_REPLY: unanswered jobs, a job and its copies counted once; time average */
    double window_bytes;       /* sizes of the unanswered jobs, bytes; time average */
    double window_span;        /* newest minus oldest unanswered job, s; time average */
    double power_available;    /* operations per second of the attached hosts, while they are on */
    double flops_lost;         /* operations in vain: for copies that are never reported, as the host left or the reply
                                  got lost, and for work that a host repeated from a checkpoint */
    double flops_held;         /* operations for copies on hosts at the end, computed or not */
    uint64_t failed_decisions; /* decisions at which the caller's functions failed, and comparisons that were put off */
    uint64_t waiting;          /* open units that wait for a person, since comparing them failed too often */
    uint64_t reserved[2];      /* 0 */
} vcs_grid_project_outcome;

/* vcs_grid_host_outcome.flags */
#define VCS_GRID_HOST_SABOTEUR 0x1u /* it returns wrong results on purpose */

/* One host. 112 bytes. Since 1.0. */
typedef struct vcs_grid_host_outcome {
    uint32_t host_class;     /* index of its class */
    uint32_t flags;          /* VCS_GRID_HOST_SABOTEUR */
    double cpus;             /* its CPUs */
    double flops;            /* FLOPS of each */
    double joined;           /* when it arrived */
    double on;               /* how long it was on, s */
    double idleness;         /* see vcs_outcome; 0 if it was never on */
    double waste;            /* see vcs_outcome */
    double share_violation;  /* see vcs_outcome */
    uint64_t reported;       /* results reported */
    uint64_t calls;          /* calls of servers */
    uint64_t refused;        /* jobs not sent to it because they, or another task, would have missed a deadline. If the
                                host was idle all the time and was refused jobs, it is too slow for all of them */
    double flops_used;       /* operations done */
    double lost;             /* with VCS_GRID_BOUNDS: as vcs_bound_beyond() finds it, a fraction of the processor time
                                used; else 0 */
    double least_loss;       /* likewise: the same at least, whatever its policy (rule 15.9); lost - least_loss is what
                                is lost beyond the bound. Both are NaN where there is no bound. Besides those that
                                vcs_bound() has none for, projects by reply have none, since late replies count, and
                                hosts with client_error */
} vcs_grid_host_outcome;

/* One project at one time: counts since the start. 96 bytes. Since 1.0. */
typedef struct vcs_grid_sample {
    double time;             /* s since the start */
    uint64_t units;          /* units created */
    uint64_t done;           /* units done */
    uint64_t failed;         /* units failed */
    uint64_t wrong_accepted; /* wrong results accepted */
    uint64_t copies;         /* copies sent */
    uint64_t over;           /* copies that are over */
    uint64_t unsent;         /* copies that wait for a host, now */
    uint64_t duplicates;     /* duplicates sent */
    double window;           /* VCS_GRID_BY_REPLY: unanswered jobs, now */
    double credit;           /* credit granted */
    uint64_t reserved[1];    /* 0 */
} vcs_grid_sample;

/*
 * The bins of a histogram of turnaround: bin i counts times from 2^(i / 64) to 2^((i + 1) / 64) s; the first bin also
 * counts all shorter times.
 */
#define VCS_GRID_BINS 2560u

/* Where the outcome goes. Zero it, set struct_size, then the arrays that you want; the others stay NULL and 0. */
typedef struct vcs_grid_results {
    uint32_t struct_size;               /* bytes; set by the caller to sizeof(vcs_grid_results) */
    uint32_t flags;                     /* 0 */
    vcs_grid_outcome *outcome;          /* its struct_size set */
    vcs_grid_project_outcome *projects; /* one for each project */
    uint64_t *turnarounds;              /* VCS_GRID_BINS counts of done units for each project, project by project */
    vcs_grid_host_outcome *hosts;       /* of the first host_count hosts; VCS_HOSTS_REPLACED adds hosts later */
    vcs_grid_sample *samples;           /* the first sample_count of each project, project by project */
    void *reserved0;                    /* NULL */
    uint32_t project_size;              /* sizeof(vcs_grid_project_outcome) of the caller */
    uint32_t project_count;             /* number of projects in the grid, or 0 */
    uint32_t host_size;                 /* sizeof(vcs_grid_host_outcome) of the caller */
    uint32_t host_count;                /* room for hosts: others are left out, spare room is untouched */
    uint32_t sample_size;               /* sizeof(vcs_grid_sample) of the caller */
    uint32_t sample_count;              /* room for samples of each project; later samples are left out */
} vcs_grid_results;

/*
 * The defaults: 100 days from time 0, seed 1, no samples.
 *
 * terms   written up to `size` bytes; untouched on an error
 * size    sizeof(vcs_grid_terms) of the caller
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE or VCS_ERR_ABI_OLDER. Thread-safe. O(1).
 */
VCS_API int vcs_grid_terms_init(vcs_grid_terms *terms, uint32_t size);

/*
 * The defaults of a project: units without end, one copy of each, by deadline, no check; an hour on a CPU of 1 GFLOPS
 * with a delay bound of a week; 10 copies at most; the defaults of rules 10 and 11.
 *
 * project   written up to `size` bytes; untouched on an error
 * size      sizeof(vcs_grid_project) of the caller
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE or VCS_ERR_ABI_OLDER. Thread-safe. O(1).
 */
VCS_API int vcs_grid_project_init(vcs_grid_project *project, uint32_t size);

/*
 * Emulates a grid from start to end.
 *
 * grid      the projects and the hosts
 * hooks     the caller's functions for servers; NULL = none
 * results   where the outcome goes; untouched on an error
 * error     what was refused, and where; may be NULL. If it is about a class of hosts, the message begins with that
 *           class, as in "class 2: "
 *
 * The same arguments give the same events and the same outcome, byte for byte, on every platform. Each draw depends on
 * the seed, on its purpose, on the host or project, and on the number of earlier draws for the same.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE, VCS_ERR_RANGE, VCS_ERR_INDEX,
 * VCS_ERR_COUNT, VCS_ERR_UNSUPPORTED for a combination that VCS_GRID_* excludes, VCS_ERR_OVERFLOW, VCS_ERR_MEMORY, or
 * an error of the caller's functions. Thread-safe. The decisions make up the cost, with O(projects + log(hosts)) for
 * each moment of a host. Memory: for each host with its tasks and results, and for unfinished units. Rules 14.1 to
 * 14.4.
 */
VCS_API int vcs_emulate_grid(const vcs_grid *grid, const vcs_grid_hooks *hooks, const vcs_grid_results *results,
                             vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif
