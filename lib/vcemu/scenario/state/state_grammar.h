/*
 * The grammar of the state file: which sections there are, which keys each may have, and where their values go.
 *
 * Each kind of section is a table of keys and a function that makes a record of their values, in a file of its own.
 * state_sections.h lists the sections of every state file, and doc/state_format.md explains them. A command may add
 * sections of its own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_STATE_STATE_GRAMMAR_H
#define VCS_EMU_SCENARIO_STATE_STATE_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct state_file;
struct state_reader;

/* The kinds of section of every state file. A command numbers its own from STATE_KINDS on. */
enum state_kind {
    STATE_HOST,
    STATE_CLIENT, /* has no keys here: they are the parameters of the library */
    STATE_EMULATION,
    STATE_GPU,
    STATE_PROJECT,
    STATE_PROJECT_RESOURCE,
    STATE_APP,
    STATE_APP_RESOURCE,
    STATE_TASK,
    STATE_CANDIDATE,
    STATE_KINDS
};

/* How a value is written, and its type. */
enum state_form {
    FORM_NUMBER,          /* a double */
    FORM_NUMBER_OR_NEVER, /* a double; "never" is +infinity */
    FORM_WHOLE,           /* a uint32_t */
    FORM_WHOLE_SIGNED,    /* an int32_t */
    FORM_SWITCH,          /* a bit of a uint32_t */
    FORM_NAME,            /* a const char * */
    FORM_INSTANCES,       /* a uint64_t with a bit for each number of a list */
    FORM_WORD,            /* a uint32_t: the index of a word */
    FORM_CHOICE           /* a uint32_t: a value of the parameter that is the field, by its name */
};

/* Ranges that the library does not check. */
enum state_range { RANGE_OF_LIBRARY, RANGE_NOT_NEGATIVE, RANGE_FRACTION };

struct state_key {
    const char *name;
    enum state_form form;
    size_t offset;          /* where the value goes in the draft of the section */
    uint32_t bit;           /* of a switch */
    enum state_range range; /* of a number */
    const char *words;      /* of FORM_WORD: all of them, with spaces between and around */
    const char *field;      /* field of the library, if it has another name; else NULL */
};

/* A kind of section. */
struct state_section {
    const char *kind;
    const char *former;           /* an older name for `kind`, still read; NULL = none */
    bool named;                   /* [KIND NAME]; otherwise [KIND], once */
    bool late;                    /* read last, since it refers to others or needs the policy */
    const struct state_key *keys; /* at most 64 */
    size_t key_count;

    /* Reads the section into its record, with the functions of state_reader.h; NULL = it has none. */
    bool (*read)(const struct state_reader *reader);
};

/* The most kinds that a command may add. */
#define STATE_MOST_MORE 16

/* Which sections a file may have. */
struct state_grammar {
    const struct state_section *const *sections; /* by kind: first those of every state file, STATE_SECTIONS */
    uint32_t count;
    bool host_optional;

    /* May be NULL. `begin` is called before the sections are read, when reader->state->counts is known: it allocates
       reader->state->more, which is NULL then. `end` is called after all sections. `forget` releases `more`, however
       far that got. */
    bool (*begin)(const struct state_reader *reader);
    bool (*end)(const struct state_reader *reader);
    void (*forget)(void *more);
};

/* Whether the kind has this name or former name, of `length` bytes. */
bool vcs_scn_state_section_is(const struct state_section *section, const char *name, size_t length);

/* The kind with this name or former name, of `length` bytes; `count` if there is none. */
uint32_t vcs_scn_state_grammar_find(const struct state_grammar *grammar, const char *name, size_t length);

/* The key of this name in such sections; NULL if there is none. */
const struct state_key *vcs_scn_state_section_key(const struct state_section *section, const char *name);

#endif
