/*
 * Parameters: every choice of a policy, and the profiles that fill them in.
 *
 * A profile is a complete, named set of choices. vcs_parameters_init() fills one in; the caller may then change any
 * field. vcs_parameter_at() reads the table of all parameters, with unit, range and the value in each profile. Where a
 * comment gives no range, a duration is 0 ... 1e12 s, a buffer, margin or cushion of one 0 ... VCS_MAX_BUFFER, and a
 * count any number; "> 0" means at least 1e-3 s.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_PARAMETERS_H
#define VCSCHED_PARAMETERS_H

#include <vcsched/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The longest buffer, in seconds (about 317 years). */
#define VCS_MAX_BUFFER 1e10

/* The profiles. Values are never reused. */
#define VCS_PROFILE_RPC2003 0u   /* "rpc2003": resource debt, slices by debt, sessions (rule source S0) */
#define VCS_PROFILE_STUDY2007 1u /* "study2007": the published study of scheduling policies (S2) */
#define VCS_PROFILE_CURRENT 2u   /* "current": the deployed policy as documented (S4) */
#define VCS_PROFILE_STEADY 3u    /* "steady": current with the better rules (2.3, 15.2 to 15.7) */
#define VCS_PROFILE_COUNT 4u     /* how many there are; grows */

/* vcs_parameters.discipline: how weighted round-robin is simulated */
#define VCS_DISCIPLINE_FLUID 0u  /* instances are divided among projects by share (rule 4.2) */
#define VCS_DISCIPLINE_SLICED 1u /* whole tasks take turns by scheduling priority (rule 4.3) */

/* vcs_parameters.accounting: what recent work is counted over */
#define VCS_ACCOUNTING_GLOBAL 0u /* one REC over all resources: vcs_project.rec */
#define VCS_ACCOUNTING_LOCAL 1u  /* one REC per resource: vcs_project_resource.rec */

/* vcs_parameters.estimate: how the run time of a task is estimated */
#define VCS_ESTIMATE_STATIC 0u   /* from its size alone (rule 2.1) */
#define VCS_ESTIMATE_BLEND 1u    /* from progress and size, weighted by the fraction done (rule 2.2) */
#define VCS_ESTIMATE_STUDY 2u    /* the same with the weights of the study's program (rule 13.5) */
#define VCS_ESTIMATE_DEPLOYED 3u /* from its size, until that has proved wrong, as in the deployed client (2.2) */

/* vcs_parameters.use_dcf: whether estimates are corrected by the DCF (rule 2.3) */
#define VCS_DCF_NONE 0u     /* "no": they are not */
#define VCS_DCF_DEPLOYED 1u /* "yes": it learns as VCS_CORRECTION_DEPLOYED */
#define VCS_DCF_MEAN 2u     /* "mean": it learns as VCS_CORRECTION_MEAN */

/* vcs_parameters.backoff_rule: how long to wait after failures (rule 3.1) */
#define VCS_BACKOFF_EXPONENT 1u /* the exponent is drawn */
#define VCS_BACKOFF_UNIFORM 2u  /* uniform up to an exponential bound */
#define VCS_BACKOFF_DOUBLING 3u /* doubling, then between half and all of it */

/* vcs_parameters.deadline_origin: the origin of finish times in admission (rule 13.1) */
#define VCS_ORIGIN_NOW 0u   /* from now, as it should be */
#define VCS_ORIGIN_START 1u /* from time 0, against deadlines as absolute times: the slip in the study's program */

/* vcs_parameters.scheduling: which tasks run (rules 5.1 to 5.3) */
#define VCS_SCHEDULING_ROUND_ROBIN 0u /* CS1: projects take turns, whatever the deadlines */
#define VCS_SCHEDULING_DEADLINE 1u    /* CS2: tasks that would miss their deadline go first */

/* vcs_parameters.ranking: how projects rank; the values of vcs_ranking.rule */
#define VCS_RANK_PRIORITY 0u      /* scheduling priority: recent work against share (rule 1.4, source S4) */
#define VCS_RANK_RESOURCE_DEBT 1u /* resource debt: share against decayed CPU time (rule 1.2, source S0) */
#define VCS_RANK_DEBT 2u          /* a debt that the caller keeps, such as vcs_debt (rule 1.3, source S2) */

/* vcs_parameters.work_fetch: when to ask for work, and which project (rules 6.1 to 6.3, 15.6) */
#define VCS_WORK_FETCH_WF1 0u      /* each project's part of the buffer by share */
#define VCS_WORK_FETCH_WF2 1u      /* the work that the simulation finds missing */
#define VCS_WORK_FETCH_CURRENT 2u  /* below the minimum buffer, up to the whole one */
#define VCS_WORK_FETCH_ORIGINAL 3u /* below the whole buffer, without hysteresis */
#define VCS_WORK_FETCH_SESSIONS 4u /* by sessions, vcs_rpc_next() of timers.h; vcs_fetch() decides as for CURRENT */
#define VCS_WORK_FETCH_OWED 5u     /* below the minimum buffer, as much as each project is owed (rule 15.6) */

/* vcs_parameters.cpu_fit: when a task fits on the CPUs (rule 4.7) */
#define VCS_CPU_FIT_FRACTION 0u /* less than one CPU may be missing */
#define VCS_CPU_FIT_ANY 1u      /* the same for GPU tasks; a CPU task is taken if anything is free */
#define VCS_CPU_FIT_STRICT 2u   /* nothing may be missing */

/* vcs_parameters.device_bound: on which devices a GPU task goes on that has been stopped (rule 4.7) */
#define VCS_DEVICES_FREE 0u      /* on any */
#define VCS_DEVICES_PREFERRED 1u /* on its own, unless a task that goes first has them or a running one keeps them.
                                    Tasks that have not begun take devices to which no task belongs, if they can */
#define VCS_DEVICES_REQUIRED 2u  /* likewise, but it waits for its own, and takes them from a running task that goes
                                    after it; a running task that loses its devices waits, too. Simulations place tasks
                                    on any device, and foretell no such wait */

/* vcs_parameters.give_up: which tasks are stopped for good because they will not be done in time (rule 15.3) */
#define VCS_GIVE_UP_NEVER 0u /* none; else by a rule of chance.h: VCS_GIVE_UP_BY_CHANCE, VCS_GIVE_UP_BY_SIZE */

/* vcs_parameters.hours: the hours by which chances go (rule 15.8) */
#define VCS_HOURS_NONE 0u /* by mean spells, the same at all hours */
#define VCS_HOURS_DAY 1u  /* the 24 hours of a day */
#define VCS_HOURS_WEEK 2u /* the 168 hours of a week */

/* vcs_parameters.late_by: which tasks are late if the simulation finds late ones (rule 5.2) */
#define VCS_LATE_BY_TASK 0u  /* the same tasks */
#define VCS_LATE_BY_COUNT 1u /* as many of each project on each resource, earliest deadline first */

/* vcs_parameters.work_send: which jobs a server sends (rules 9.1, 9.2, 15.5) */
#define VCS_WORK_SEND_WS1 0u /* jobs that meet their deadline behind the work that keeps the client busy */
#define VCS_WORK_SEND_WS2 1u /* jobs that EDF admission finds harmless */
#define VCS_WORK_SEND_BY_CHANCE 2u /* jobs that are likely enough to be done in time (rule 15.5): vcs_admit() */

/*
 * A policy. Fill it with vcs_parameters_init(), then change what you want. Fields are only ever appended. A program
 * compiled against an older version passes a shorter struct, and every function uses the profile's values for the
 * fields it lacks; so leave `profile` as vcs_parameters_init() set it. The first 16 bytes are mandatory.
 */
typedef struct vcs_parameters {
    uint32_t struct_size;       /* bytes; set by vcs_parameters_init() */
    uint32_t flags;             /* 0 */
    uint32_t profile;           /* VCS_PROFILE_*: where the defaults come from, and what a shorter struct lacks */
    uint32_t discipline;        /* VCS_DISCIPLINE_* */
    uint32_t accounting;        /* VCS_ACCOUNTING_* */
    uint32_t estimate;          /* VCS_ESTIMATE_* */
    uint32_t use_dcf;           /* VCS_DCF_*: whether estimates are corrected, and how the factor learns */
    uint32_t backoff_rule;      /* VCS_BACKOFF_* */
    uint32_t freeze_rec;        /* 1: the simulation leaves REC as it is; 0: it follows the simulated use */
    uint32_t cpu_fit;           /* VCS_CPU_FIT_*: when a task fits on the CPUs */
    uint32_t cushion_min_buffer; /* 1: the deadline cushion is at least the minimum buffer; 0: deadline_cushion alone */
    uint32_t deadline_origin;   /* VCS_ORIGIN_* */
    uint32_t backoff_failures;  /* failures beyond this number no longer increase the wait; 1 ... 1000 */
    uint32_t step_budget;       /* a simulation stops after this many steps and says so; 0 = no limit */
    double period;              /* scheduling period: length of a task's time slice, s; > 0 */
    double min_buffer;          /* minimum amount of work to keep on hand, s */
    double additional_buffer;   /* additional work to keep beyond that, s */
    double rec_half_life;       /* half-life of REC, s; >= 1 */
    double average_rate;        /* decay rate of the average of CPU time, 1/s; 1e-12 ... 1 */
    double deadline_cushion;    /* finish this long before the deadline, s; 0 = at the deadline is early enough */
    double miss_fraction;       /* fluid: fraction of the time to the deadline that may be used, 1e-6 ... 1 */
    double horizon;             /* a simulation stops after this much simulated time and says so, s; 0 = no limit */
    double backoff_min;         /* minimum wait after a failed scheduler call, s; > 0; see vcs_backoff() */
    double backoff_max;         /* maximum wait after failed scheduler calls, s; >= backoff_min */
    double resource_backoff_min; /* first wait when a project has no work for a resource, s; > 0 */
    double resource_backoff_max; /* maximum of that wait before the random draw, s; >= resource_backoff_min */
    double transfer_backoff_min; /* minimum wait after failed file transfers, s; > 0 */
    double transfer_backoff_max; /* maximum wait after failed file transfers, s; >= transfer_backoff_min */
    double transfer_give_up;    /* a transfer that keeps failing is given up after this long, s; > 0 */
    uint32_t scheduling;        /* VCS_SCHEDULING_* */
    uint32_t ranking;           /* VCS_RANK_* */
    uint32_t work_fetch;        /* VCS_WORK_FETCH_* */
    uint32_t work_send;         /* VCS_WORK_SEND_* */
    uint32_t save_first;        /* 1: late tasks that can still finish on time go before hopeless ones */
    uint32_t hysteresis;        /* 1: a task that is late only now and then keeps running undisturbed */
    uint32_t learn_usable;      /* 1: the caller learns the usable fraction (rule 13.9); 0: it is given */
    uint32_t max_runnable;      /* a project with this many runnable tasks is not asked for work; 0 = no limit */
    uint32_t max_uploads;       /* a project uploading more results than this for each CPU, or for each GPU if there
                                   are more, of all types together, is not asked; 0 = no limit */
    uint32_t master_fetch_failures; /* this many failures in a row, and each multiple, mark the master file; >= 1 */
    double switch_cost;         /* a running task with less than this left is not stopped, s; 0 = any may be */
    double backup_lead;         /* a backup project is asked this long before an instance becomes idle, s */
    double look_interval;       /* when to decide again after a project was asked for work, s; 0 = 60 s. WF1 and WF2
                                   decide no sooner in other cases either. Also how often a slice that waits for a
                                   checkpoint is checked again, where 0 = 60 s */
    double master_fetch_interval; /* minimum time between two fetches of a master file, s; 0 = none */
    double report_delay;        /* a finished task is overdue this long after its end, s */
    double bump;                /* a task that was picked counts as having run this long when its project is ranked by
                                   priority or resource debt, s; 0 = picks do not count. By debt it counts `period` */
    uint32_t late_by;           /* VCS_LATE_BY_* */
    uint32_t simulation_effort; /* vcs_wrr() stops after this much work and says so; 0 = no limit. What counts is said
                                   there. A unit takes 2 to 10 ns on a machine of 2023 */
    uint32_t placement_effort;  /* vcs_edf() stops after this much work and says so; so do all vcs_admit() on one
                                   state, or in one vcs_send(), together; 0 = no limit. A unit takes up to 40 ns */
    uint32_t device_bound;      /* VCS_DEVICES_* */
    double least_buffer;        /* work fetch counts min_buffer as at least this much, s, and the whole buffer
                                   likewise; 0 = as it is */
    double least_shortfall;     /* nobody is called for a resource that lacks less than this fraction of its instances
                                   times the buffer, 0 ... 1; 0 = for any shortfall. It is asked for along with others,
                                   and a whole instance that is idle is always reason to call */
    double hold;                /* where a task of several CPUs may run, slices of CPU tasks last this long, no longer
                                   than the buffer, no less than `period`, and CPUs that come free are held for it
                                   when its turn has come, s; 0 = they are not held. See vcs_schedule() */
    uint32_t let_finish;        /* 1: a task that would end within its next slice goes on; 0: it waits for its turn */
    uint32_t spare_gpus;        /* 1: a late CPU task leaves GPU tasks their CPUs where a GPU would idle for it and its
                                   deadline gains nothing by that; 0: late CPU tasks always go first */
    uint32_t stopped_memory;    /* 1: stopped tasks that stay in memory count against the memory of the host, see
                                   vcs_schedule(); 0: not */
    uint32_t give_up;           /* VCS_GIVE_UP_NEVER, VCS_GIVE_UP_BY_CHANCE or VCS_GIVE_UP_BY_SIZE */
    double give_up_below;       /* vcs_give_up_terms.threshold of that rule, 0 ... 1; 0 = only tasks that cannot
                                   be done in time at all */
    double report_margin;       /* a result is reported at the latest this long before its deadline, s; 0 = as
                                   min_buffer */
    double admission_cushion;   /* admission lets tasks end this long before their deadline, s; 0 = as min_buffer */
    double report_risk;         /* where the spells of the host are known, a result is reported at the last moment at
                                   which the chance of missing its deadline by being off is this, 0 ... 1, instead of
                                   report_margin before the deadline; 0 = by report_margin. Read by the emulated
                                   client; a client of your own asks vcs_report_latest() */
    double connect_every;       /* the host is connected once in so many seconds, so the last connection before a
                                   deadline takes its place (rule 15.7): in admission by chance, counted from the
                                   present; in giving up, from vcs_host.next_connection; in reports by risk of the
                                   emulated client, from its next connection. vcs_fetch() reads it, too, see
                                   vcs_fetch_decision.latency_bound. In s; 0 = the host is always connected, but
                                   emulated hosts take the scenario's connection_interval */
    uint32_t keep_running;      /* 1: a task that runs is not stopped for another one, and a free processor takes the
                                   task of the earliest deadline; 0: tasks take turns. See vcs_schedule() */
    uint32_t hours;             /* VCS_HOURS_*: whether all chances go by vcs_snapshot.hours, where that is given, in
                                   the place of mean spells (rule 15.8); an emulated client learns as many hours. Set
                                   with give_up, it needs VCS_WORK_SEND_BY_CHANCE too, or the client takes jobs and
                                   gives them up at once, for ever */
} vcs_parameters;

/* What a parameter holds: vcs_parameter_info.kind */
#define VCS_PARAMETER_AMOUNT 0u  /* a double */
#define VCS_PARAMETER_INTEGER 1u /* a uint32_t that counts */
#define VCS_PARAMETER_CHOICE 2u  /* a uint32_t that selects one of named values; see vcs_parameter_choice() */

/* One row of the table of parameters. */
typedef struct vcs_parameter_info {
    uint32_t struct_size;  /* bytes; set by the caller */
    uint32_t kind;         /* VCS_PARAMETER_* */
    uint32_t offset;       /* byte offset in vcs_parameters */
    uint32_t choices;      /* how many values a choice has; 0 for other kinds */
    double minimum;        /* smallest accepted value */
    double maximum;        /* largest accepted value */
    double value[8];       /* the value in each VCS_PROFILE_*; beyond them 0 */
    char name[32];         /* as in vcs_parameters, and as in the [client] section of a state file */
    char unit[16];         /* "s", "1/s", or empty */
    char about[128];       /* one line for a person */
} vcs_parameter_info;

/*
 * Fills `parameters` with a profile and sets struct_size.
 *
 * parameters   written up to `size` bytes; untouched on an error
 * size         sizeof(vcs_parameters) of the caller
 * profile      VCS_PROFILE_*
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE, VCS_ERR_ABI_OLDER, or VCS_ERR_FLAGS for an unknown profile. A caller
 * newer than the library gets 0 in the fields that the library does not know. Thread-safe. O(1).
 */
VCS_API int vcs_parameters_init(vcs_parameters *parameters, uint32_t size, uint32_t profile);

/*
 * Checks a whole set of parameters: sizes, ranges, choices, and that no minimum is above its maximum.
 *
 * error   what was refused: its field is the parameter; may be NULL
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_*, VCS_ERR_FLAGS, VCS_ERR_NOT_FINITE or VCS_ERR_RANGE. Only `error` is
 * written. Thread-safe. O(1).
 */
VCS_API int vcs_parameters_check(const vcs_parameters *parameters, vcs_error *error);

/* Name of a profile, such as "current"; "" if there is none of this number. Thread-safe. O(1). */
VCS_API const char *vcs_profile_name(uint32_t profile);

/* How many parameters there are: the rows of the table. Thread-safe. O(1). */
VCS_API uint32_t vcs_parameter_count(void);

/*
 * Row `index` of the table of parameters, in the order of vcs_parameters.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE, VCS_ERR_ABI_OLDER or VCS_ERR_INDEX. Thread-safe. O(1).
 */
VCS_API int vcs_parameter_at(uint32_t index, vcs_parameter_info *info);

/* Row of the parameter called `name`; VCS_NONE if there is none or `name` is NULL. Thread-safe. O(parameters). */
VCS_API uint32_t vcs_parameter_find(const char *name);

/*
 * Name of value `value` of the choice in row `index`, such as "sliced"; "" if it has none. Thread-safe. O(1).
 */
VCS_API const char *vcs_parameter_choice(uint32_t index, uint32_t value);

/*
 * Reads or changes one parameter by its row; choices and counts are whole numbers. A field that a shorter struct lacks
 * can be read, as the value of its profile, but not changed.
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_* of the parameters, or VCS_ERR_INDEX for an unknown row;
 * vcs_parameter_get() also VCS_ERR_FLAGS if the struct lacks the field and the library does not know its profile;
 * vcs_parameter_set() also VCS_ERR_ABI_OLDER if the struct lacks the field, VCS_ERR_NOT_FINITE for NaN and infinity, or
 * VCS_ERR_RANGE for a value outside the range, or for a choice or count that is not a whole number. It does not compare
 * minimum and maximum, as vcs_parameters_check() does. Thread-safe. O(1).
 */
VCS_API int vcs_parameter_get(const vcs_parameters *parameters, uint32_t index, double *value);
VCS_API int vcs_parameter_set(vcs_parameters *parameters, uint32_t index, double value);

#ifdef __cplusplus
}
#endif

#endif
