/*
 * What is wrong with an input, as the one line that is shown for it.
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

/* Where something stands in a file. Unknown parts are 0 or NULL. */
struct place {
    const char *file;
    size_t line;
    const char *section;
    const char *key;
};

#if defined(__GNUC__)
#define FAULT_FORMAT(index) __attribute__((format(printf, index, (index) + 1)))
#else
#define FAULT_FORMAT(index)
#endif

/* Both put a message together: "FILE:LINE: [section] key: " if a place is given, and the text. They return false. */
bool vcs_scn_fault_set(struct fault *fault, const char *format, ...) FAULT_FORMAT(2);
bool vcs_scn_fault_at(struct fault *fault, const struct place *place, const char *format, ...) FAULT_FORMAT(3);

/* "FILE: there is not enough memory". Returns false. */
bool vcs_scn_fault_memory(struct fault *fault, const char *file);

/* Adds such a message to the ones already in `note`, if there are any, after "; ". */
void vcs_scn_fault_note(struct fault *note, const struct place *place, const char *format, ...) FAULT_FORMAT(3);

/* What an error of the library says of the field at fault, without naming the record and the field. */
const char *vcs_scn_fault_reason(const vcs_error *error);

/* A piece of the input as a message quotes it: shortened if it is long. */
struct quote {
    char text[128];
};
struct quote vcs_scn_fault_quote(const char *text);

#endif
