/*
 * Faults of an input, as one line for people.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_TEXT_FAULT_H
#define VCS_EMU_SCENARIO_TEXT_FAULT_H

#include <stdbool.h>
#include <stddef.h>

#include <vcsched/abi.h>

struct fault {
    char message[1024];
};

/* A place in a file. Unknown parts are 0 or NULL. */
struct place {
    const char *file;
    size_t line;
    const char *section;
    const char *key;
    const char *option; /* that set the key: "--set KEY" */
};

#if defined(__GNUC__)
#define FAULT_FORMAT(index) __attribute__((format(printf, index, (index) + 1)))
#else
#define FAULT_FORMAT(index)
#endif

/* Compose a message: "--set KEY: FILE:LINE: [section] key: " of the place, if any, and the text. Return false. */
bool vcs_scn_fault_set(struct fault *fault, const char *format, ...) FAULT_FORMAT(2);
bool vcs_scn_fault_at(struct fault *fault, const struct place *place, const char *format, ...) FAULT_FORMAT(3);

/* "FILE: ", and what an error of the library says. Returns false. */
bool vcs_scn_fault_library(struct fault *fault, const char *file, const vcs_error *error);

/* "FILE: there is not enough memory". Returns false. */
bool vcs_scn_fault_memory(struct fault *fault, const char *file);

/* Appends such a message to `note`, after "; " if there are others. */
void vcs_scn_fault_note(struct fault *note, const struct place *place, const char *format, ...) FAULT_FORMAT(3);

/* Whether the command line is at fault, not a file: then the message begins with the option. */
bool vcs_scn_fault_is_of_option(const struct fault *fault);

/* The reason in an error of the library, without its record and field. */
const char *vcs_scn_fault_reason(const vcs_error *error);

/* A piece of the input as messages quote it: shortened if it is long. */
struct quote {
    char text[128];
};
struct quote vcs_scn_fault_quote(const char *text);

/* A fault of a quoted text: `what` ends the sentence. Returns false. */
bool vcs_scn_fault_text(struct fault *fault, const struct place *place, const char *text, const char *what);

#endif
