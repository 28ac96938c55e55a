/*
 * The grammar of the state file: which sections there are, which keys each may have, and where their values go.
 *
 * doc/state_format.md says what they mean.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_STATE_GRAMMAR_H
#define VCEMU_STATE_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vcsched/emulator.h>
#include <vcsched/estimate.h>
#include <vcsched/record.h>

/* The sections. Those from TASK on refer to the others, and their estimates need the policy: they are read last. */
enum state_kind {
    STATE_HOST,
    STATE_CLIENT, /* has no keys here: they are the parameters of the library */
    STATE_EMULATION,
    STATE_GPU,
    STATE_PROJECT,
    STATE_PAIR,
    STATE_APP,
    STATE_TASK,
    STATE_CANDIDATE,
    STATE_KINDS
};

/* How a value is written, and what it becomes. */
enum state_form {
    FORM_NUMBER,          /* a double */
    FORM_NUMBER_OR_NEVER, /* a double; "never" is +infinity */
    FORM_WHOLE,           /* a uint32_t */
    FORM_WHOLE_SIGNED,    /* an int32_t */
    FORM_SWITCH,          /* a bit of a uint32_t */
    FORM_NAME,            /* a const char * */
    FORM_INSTANCES,       /* a uint64_t with a bit for each number of a list */
    FORM_WORD             /* one of a few words; a uint32_t, which of them, from 0 */
};

/* What the library does not check itself. */
enum state_range { RANGE_OF_LIBRARY, RANGE_NOT_NEGATIVE, RANGE_FRACTION };

struct state_key {
    const char *name;
    enum state_form form;
    size_t offset;          /* where the value goes in the draft */
    uint32_t bit;           /* of a switch */
    enum state_range range; /* of a number */
    const char *words;      /* of FORM_WORD: all of them, with spaces between and around */
    const char *field;      /* the library's name for it where that is another one; NULL otherwise */
};

/* The grammar of one kind of section. */
struct state_section_grammar {
    const char *kind;
    bool named; /* [KIND NAME]; otherwise [KIND], once */
    const struct state_key *keys;
    size_t key_count;
};

extern const struct state_section_grammar state_grammar[STATE_KINDS];

/* The key of this name in sections of this kind; NULL if there is none. */
const struct state_key *state_grammar_find(enum state_kind kind, const char *name);

/* A draft holds what one section says: records of the library where it has them. Names are NULL until given. */
struct state_host_draft {
    double now;
    vcs_host host;
    vcs_resource cpu;
    vcs_emulation emulation; /* how an emulated host is there */
    const char *switches;    /* when it is switched off and on, as a list or as the name of a file */
    const char *trace;
};

struct state_project_draft {
    vcs_project project;
    vcs_server_model server; /* of an emulated project */
};

struct state_app_draft {
    vcs_app app;
    const char *gpu; /* of the jobs of an emulated application, like the model */
    vcs_job_model model;
    const char *sizes; /* a list */
};

struct state_task_draft {
    vcs_task task;
    const char *project;
    const char *app;
    const char *gpu;
    vcs_progress progress; /* from which `remaining` is estimated where it is not given */
};

struct state_emulation_draft {
    double duration;
    uint32_t seed;
    /* words by their number, from 0 */
    uint32_t scheduling, work_fetch, work_send, completion, deadline_origin;
};

union state_draft {
    struct state_host_draft host;
    vcs_resource gpu;
    struct state_project_draft project;
    vcs_project_resource pair;
    struct state_app_draft app;
    struct state_task_draft task;
    struct state_emulation_draft emulation;
};

#endif
