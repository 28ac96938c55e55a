/*
 * The client's records: projects, and the applications, files, work units and tasks that each has sent.
 *
 * All of it but the fields marked "not saved" is in the state file. References are pointers inside one project.
 * Decisions are not here: policy_view.c shows these records to the library, and policy.c carries out what it says.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_CLIENT_H
#define GRID_CLIENT_CLIENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include <vcsched/vcsched.h>

#include "text.h"

#define DAY 86400.0
#define MOST_URLS 8

/* What a result says of its end in a request, as the protocol numbers it. */
#define RESULT_COMPUTE_ERROR 3
#define RESULT_UPLOADED 5
#define RESULT_ABORTED 6

/* Exit statuses that the client itself gives. */
#define EXIT_SIGNALLED 193
#define EXIT_TOO_LONG 197
#define EXIT_NOT_IN_TIME 200
#define EXIT_ABORTED_BY_PROJECT 202
#define EXIT_ABORTED_BY_USER 203
#define ERROR_CHECKSUM (-119)
#define ERROR_SIGNATURE (-120)
#define ERROR_TOO_LARGE (-131)
#define ERROR_NOT_FOUND (-161)
#define ERROR_HTTP (-224)

struct transfer;

enum file_state {
    FILE_EXPECTED,  /* a task will write it */
    FILE_WANTED,    /* to be downloaded */
    FILE_PRESENT,   /* downloaded and checked */
    FILE_TO_UPLOAD, /* written by a task */
    FILE_UPLOADED,
    FILE_FAILED /* cannot be fetched or sent: `error` says why */
};

struct file {
    struct file *next;
    char *name;
    char *urls[MOST_URLS];
    uint32_t url_count;
    bool executable, is_output;
    enum file_state state;
    int error;                    /* FILE_FAILED: ERROR_* */
    double bytes, most_bytes;     /* 0 = not known, no limit */
    char md5[33];                 /* of an input what it must be, of an output what it is */
    char *signature;              /* of a program, by its project; may be "" */
    char *ticket;                 /* of an output: what allows its upload, as the server wrote it */
    vcs_transfer_backoff backoff; /* when it alone fails again and again, it is given up */
    uint32_t url;                 /* not saved: which of them is tried next */
    struct transfer *transfer;    /* not saved: under way */
};

struct file_reference {
    struct file_reference *next;
    struct file *file;
    char *open_name; /* by which the program opens it */
    bool is_main_program, is_copied;
};

struct app {
    struct app *next;
    uint64_t id;
    char *name;
    vcs_correction correction;
};

/* A program for an application. */
struct version {
    struct version *next;
    struct app *app;
    int number;
    char *platform, *plan_class, *command_line;
    double cpus, flops; /* that a task uses; its expected speed */
    struct file_reference *files;
};

/* A job; this host has a copy of it. */
struct unit {
    struct unit *next;
    char *name, *command_line;
    struct app *app;
    double est_flops, most_flops, ram;
    struct file_reference *files;
};

enum task_state {
    TASK_DOWNLOADING,
    TASK_COMPUTING, /* may run, runs, or has run and will go on */
    TASK_UPLOADING,
    TASK_REPORTABLE
};

enum process_state {
    PROCESS_NONE,
    PROCESS_RUNNING,
    PROCESS_STOPPED, /* and kept in memory */
    PROCESS_ENDING   /* told to end; what it has not saved is lost */
};

/* What a task has done up to a certain moment. */
struct progress {
    double elapsed, cpu_time, fraction; /* s, s, 0 ... 1 */
};

/* A copy of a unit: a result, in the words of the protocol. */
struct task {
    struct task *next;
    uint64_t id;
    char *name;
    struct unit *unit;
    struct version *version;
    double deadline, received, completed; /* times */
    struct file_reference *outputs;
    enum task_state state;
    bool is_suspended; /* by the user */
    bool is_started, was_late, fills_in;
    double running_since;
    struct progress progress, saved; /* up to now; at its last checkpoint, from which it goes on when it is stopped */
    int slot;                        /* its folder; -1 = none yet */
    int result_state, exit_status;   /* at its end: RESULT_* */
    double booked;                   /* what it counts in known_work.received until it is over */
    uint32_t premature_ends;         /* times that it ended without saying that it has finished */
    char *messages;                  /* at its end: what it wrote to its standard error output, and what we add */
    uint32_t reason;                 /* VCS_REASON_* of the last decision on it */
    bool gone;                       /* not saved: nobody needs it any longer */
    enum process_state process;      /* not saved, like the rest */
    pid_t pid;
    double ending_since;        /* of the steady clock */
    struct timespec checkpoint; /* when it was written; 0 = there is none */
    double cpu_before;          /* CPU time when its process began */
    int abort_status;           /* why it is to be aborted, EXIT_*; 0 = it is not */
};

/* A server that has files of a project or wants them. One that is down holds back nothing of the others. */
struct data_server {
    struct data_server *next;
    char *name; /* its part of the URLs, without a path: "https://data.example.org:8080" */
    vcs_transfer_backoff downloads, uploads;
};

/* What is remembered of the work that a project sends; see known_work.h. */
struct known_work {
    double received;               /* s of one CPU, without what was given up */
    double job_seconds, job_bound; /* of its last job, sent or refused; 0 = none is known */
    double tasks, ratios, squares; /* sums over tasks done, of what they took by their estimate */
};

struct project {
    struct project *next;
    uint64_t id;
    char *url, *key;     /* master URL, account key */
    char *name;          /* as it calls itself; until it has, its URL */
    char *folder;        /* its files are here */
    char *scheduler_url; /* "" = its master page has to be read first */
    char *code_sign_key; /* "" = not known yet */
    uint64_t host_id;    /* by which it knows this host; 0 = not yet */
    uint64_t requests;   /* how many were made, the one under way included */
    double share;
    bool share_is_mine; /* given by the user: what the project says does not count */
    bool is_suspended, is_detached, has_no_cpu_apps, wants_full_list;
    bool is_at_server_limit; /* its last reply said so: this host has as many jobs as it may have */
    bool is_wanted;        /* to be called now, whatever its timer says */
    double master_read;    /* when its master page was read */
    double next_call;      /* it wants to be called at this time, at the latest; 0 = no such wish */
    uint32_t failed_tasks; /* in a row */
    vcs_project_timer timer;
    vcs_resource_backoff backoff;
    vcs_average rec;
    struct known_work known;
    struct data_server *servers;
    struct app *apps;
    struct file *files;
    struct version *versions;
    struct unit *units;
    struct task *tasks;
    uint32_t fetch_reason; /* VCS_REASON_* of the last decision on it */
    double fetch_logged;   /* not saved: seconds asked for that the log knows of */
    bool has_sent_none;    /* not saved: its last answer to a request for work brought none */
    bool is_called;        /* not saved: a call is under way */
    bool has_rubbish;      /* not saved: its folder may hold files that nobody needs */
};

struct client {
    struct project *projects;
    uint64_t next_id;
    char *host_key;          /* tells this host from others to all projects */
    double flops;            /* of one CPU, measured; 0 = not yet */
    double last_seen;        /* when the client last ran */
    vcs_usable on;           /* fraction of time in which it runs */
    double since;            /* when the client began to run, the last time */
    vcs_spells spells;       /* for how long it has run, and has not, one after the other */
    char *preferences;       /* as a server sent them within <global_preferences>; "" = none */
    double preferences_time; /* when they were made */
    bool keep_in_memory;     /* stop tasks rather than end them */
    /* not saved */
    vcs_parameters policy;
    uint32_t cpus;
    double ram;
    double now, steady; /* time of day; seconds of a clock that nobody sets */
    bool is_changed;    /* the state file is out of date */
    bool looks_again;   /* something happened: decide */
    bool has_rubbish;   /* there may be slots that nobody needs */
};

/* Finds by name; NULL if there is none. */
struct project *project_find(const struct client *client, const char *url);
struct file *file_find(const struct project *project, const char *name);
struct app *app_find(const struct project *project, const char *name);
struct version *version_find(const struct project *project, const struct app *app, int number, const char *platform,
                             const char *plan_class);
struct unit *unit_find(const struct project *project, const char *name);
struct task *task_find(const struct project *project, const char *name);

/* New records, at the end of their list. */
struct project *project_add(struct client *client, const char *url, const char *key);
struct file *file_add(struct project *project, const char *name);
struct app *app_add(struct client *client, struct project *project, const char *name);
/* The server of a URL, which is added if it is not there. */
struct data_server *data_server_of(struct project *project, const char *url);
struct version *version_add(struct project *project, struct app *app);
struct unit *unit_add(struct project *project, struct app *app, const char *name);
struct task *task_add(struct client *client, struct project *project, struct unit *unit, const char *name);
struct file_reference *reference_add(struct file_reference **list, struct file *file, const char *open_name);

/* Drops tasks that are gone, and then units, versions and files that no task needs; detached projects without tasks. */
void records_tidy(struct client *client);
void client_free(struct client *client);

/* Ends a task without success, for the reason in `why`. Its process must have ended. */
void task_fail(struct client *client, struct project *project, struct task *task, int result_state, int exit_status,
               const char *why);

/* How long a task still needs at full speed, s, by its progress and what its application has taught us. */
double task_remaining(const struct client *client, const struct task *task);

/* URLs that we call: http or https, with a host, no blanks. */
bool url_is_plain(const char *url);

#endif
