/*
 * The survey on which work fetch rests: what each project has queued on each resource, what limits it, and what
 * prevents asking it.
 *
 * Rules 6.6, 6.7 and 6.9; the plain reference is tests/oracle/oracle_fetch.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FETCH_SURVEY_H
#define VCS_FETCH_SURVEY_H

#include "vcsched/accounts/priority_sums.h"
#include "vcsched/accounts/rank_key.h"
#include "vcsched/host/prepared.h"
#include "vcsched/simulation/deadline/chances.h"

/* How much a project would be asked for of one resource. */
typedef struct vcs_survey_request {
    double seconds;   /* instance-seconds of wall time; 0 = nothing */
    double instances; /* idle instances that want a task each */
    uint32_t reason;  /* VCS_REASON_*: that it is asked, or why it is not */
    uint32_t unused;
} vcs_survey_request;

typedef struct vcs_survey_project_resource vcs_survey_project_resource;

/* A project on all resources together. */
typedef struct vcs_survey_project {
    const vcs_project *record;
    vcs_survey_project_resource *project_resources; /* its own, by resource */
    double queued_flops; /* ranking by priority: operations that its tasks need, at peak speed of what they use */
    double wait;         /* until its scheduler may be called, s */
    double first_beyond; /* the first finish of its tasks after the end of the buffer, s after that; +infinity = none */
    uint64_t tasks;      /* its tasks that take part */
    uint32_t index;      /* of its record */
    uint32_t unused;
} vcs_survey_project;

/* A resource. */
typedef struct vcs_survey_resource {
    const vcs_prepared_resource *prepared;
    const vcs_resource_forecast *forecast;
    const vcs_survey_project_resource *best; /* of the project that goes first; NULL if there is none */
    const vcs_survey_project_resource *best_for_left; /* likewise, to fill what is left idle */
    vcs_priority_sums sums;                  /* of the projects that could be asked */
    int64_t booked;   /* rule 6.5: units of the tasks that outlast a backup project's lead time */
    int64_t left;     /* rule 6.3: units that the choice of tasks leaves idle, and that no task at hand will take */
    int64_t free_units; /* rule 15.6: what running tasks leave, though others may wait; by other rules 0 */
    double owed_at_limit; /* rule 15.6: the most that a project at its server's limit is owed; 0 = there is none */
    uint32_t decided; /* 1: the rules decide on this resource */
    uint32_t wanted;  /* 1: there is something to ask for */
    uint32_t in_need; /* 1: that is reason enough to call a project */
    uint32_t little;  /* 1: it would be, but so little is missing that no call is made for it alone */
    uint32_t is_call_for_free; /* rule 15.6; 1: it is only in need of jobs that would begin there at once */
} vcs_survey_resource;

/* A project on one resource. "Its tasks" are the tasks for this resource that take part. */
struct vcs_survey_project_resource {
    const vcs_survey_project *project;
    vcs_survey_resource *resource;
    const vcs_project_resource *record;
    const vcs_project_resource_forecast *forecast;
    vcs_fetch_decision *decision; /* reported in the end */
    vcs_rank_key key;
    vcs_survey_request request;
    uint64_t limit; /* its tasks that may run at the same time; 0 = any number */
    /* only of a limited one: wall time that its tasks need, of each no more than the whole buffer */
    vcs_wide queued;           /* unit-microseconds */
    vcs_wide queued_time;      /* microseconds */
    int64_t draining;          /* units by which `queued` falls in each microsecond */
    int64_t widest, narrowest; /* units that one of its tasks uses; without a task as declared; 0 = not known */
    /* only where the choice of tasks is known */
    int64_t chosen_units; /* units that its chosen tasks use */
    uint64_t chosen;      /* its tasks that were chosen to run */
    /* of each */
    double last_finish;    /* rule 6.3: of its tasks, s from now */
    double device_seconds; /* WF1: seconds of the device that its tasks need */
    double queued_flops;   /* ranking by priority: operations of all its tasks on this resource */
    double backoff;        /* for how long it is still backed off, s */
    uint32_t allowed;      /* instances it may use */
    uint32_t limited;      /* 1: limits or exclusions hold it back */
    uint32_t has_no_apps;  /* 1: as its applications declare, none of them has tasks for the resource */
    uint32_t is_counted;   /* 1: some task of it was counted towards its limits */
    uint32_t has_enough;   /* 1: they let it run enough for now, so it is not reason to call that others lack work */
    uint32_t obstacle;     /* VCS_REASON_*: what prevents asking it, the project as a whole first; VCS_REASON_NONE */
    uint32_t closed;       /* 1: something prevents asking it that does not end by itself */
    uint32_t waits;        /* 1: instances are idle because its own task does not fit yet (rule 4.7) */
    uint32_t for_left;     /* 1: its request is for what the choice of tasks leaves idle */
    uint32_t asked;        /* 1: it is asked for this resource */
};

/* Under the rules of the study: what the requests of all projects depend on. They know no resource but the CPU. */
typedef struct vcs_survey_totals {
    uint64_t tasks, misses; /* of all projects, as predicted */
    double shortfall;       /* of the CPUs, instance-seconds */
    double share_sum;       /* WF1: of projects not suspended; WF2: of projects that could be asked, not overworked */
    uint32_t sharers;       /* number of these projects, which get equal parts if none has a share */
    uint32_t unused;
} vcs_survey_totals;

/* What rule 15.6 knows of a project on a resource, beside its survey. Work is in device seconds of one instance. */
typedef struct vcs_survey_owed_part {
    double due;         /* its share of all that was sent and is lacking, less what it was sent */
    double wanted;      /* the same, and some days of its share */
    double least;       /* its share of what is lacking */
    double by_share;    /* what it was sent by its share */
    double job;         /* one of its jobs; 0 = not known */
    double chance;      /* that it is done in time if it begins at once */
    uint32_t admission; /* VCS_REASON_*: what vcs_admit() would say of it */
    uint32_t is_behind; /* 1: jobs of others have a much better chance */
    uint32_t suffers;   /* 1: behind all work at hand it would lose much of its chance */
    uint32_t begins;    /* 1: it would begin at once on what running tasks leave free */
} vcs_survey_owed_part;

typedef struct vcs_survey {
    const vcs_state *state;
    const vcs_parameters *parameters;
    vcs_survey_project *projects;
    vcs_survey_project_resource *project_resources; /* project by project */
    vcs_survey_resource *resources;
    uint64_t *limits;       /* of each project on each resource */
    uint64_t *used_by_apps; /* memory for them */
    vcs_survey_owed_part *owed; /* rule 15.6: like project_resources */
    vcs_chances chances;        /* rule 15.6 */
    uint32_t project_count, resource_count;
    uint32_t cpus;                    /* instances of the CPU */
    uint32_t most;                    /* likewise, or of all GPUs if there are more */
    uint32_t is_owed;                 /* 1: by what is owed */
    uint32_t has_limits;              /* 1: some project is limited on some resource */
    double buffer;                    /* minimum and additional, s */
    const vcs_survey_project *called; /* the project that is called anyway; NULL if one is to be chosen */
    uint32_t is_study;                /* 1: by the rules of the study */
    uint32_t is_wf1;                  /* 1: by the older of its two policies */
    uint32_t is_stopped;              /* rule 6.3; 1: the simulation ended before the last task */
    uint32_t knows_choice;            /* 1: which tasks run was chosen, and memory does not decide on it */
    vcs_survey_totals all;
} vcs_survey;

/* The next check is at least this far away, s (rule 6.10). */
#define VCS_LEAST_WAIT 1.0

/* A project without a share is asked only for work that nobody else brings (rule 6.5). */
static inline int vcs_is_backup(const vcs_survey_project_resource *of) {
    return !(of->project->record->share > 0.0);
}

/* The buffer where something is divided by it, or where it has to hold a task: at least a second. */
static inline double vcs_buffer_to_fill(const vcs_survey *survey) {
    return vcs_max(survey->buffer, 1.0);
}

/* Fills the memory, which is laid out, from the records. Tasks, needs, keys, requests and the best are zero. */
void vcs_fill_survey(vcs_survey *survey);

/* Adds the tasks. */
void vcs_survey_tasks(vcs_survey *survey);

#endif
