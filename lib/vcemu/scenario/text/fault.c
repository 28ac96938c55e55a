/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/text/fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "vcemu/scenario/text/utf8.h"

#define QUOTED_COLUMNS 48

bool vcs_scn_fault_set(struct fault *fault, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->message, sizeof fault->message, format, arguments);
    va_end(arguments);
    return false;
}

bool vcs_scn_fault_library(struct fault *fault, const char *file, const vcs_error *error) {
    return vcs_scn_fault_set(fault, "%s: %s", file,
                             error->message[0] == '\0' ? vcs_strerror(error->code) : error->message);
}

bool vcs_scn_fault_memory(struct fault *fault, const char *file) {
    return vcs_scn_fault_set(fault, "%s: there is not enough memory", file);
}

static bool set_at(struct fault *fault, const struct place *place, const char *format, va_list arguments) {
    char where[512] = "";
    size_t used = 0;
    if (place->line != 0) {
        used += (size_t)snprintf(where + used, sizeof where - used, ":%zu", place->line);
    }
    used += (size_t)snprintf(where + used, sizeof where - used, ": ");
    if (place->section != NULL) {
        used += (size_t)snprintf(where + used, sizeof where - used, "[%s]%s", vcs_scn_fault_quote(place->section).text,
                                 place->key == NULL ? ": " : " ");
    }
    if (place->key != NULL) {
        snprintf(where + used, sizeof where - used, "%s: ", vcs_scn_fault_quote(place->key).text);
    }

    char what[sizeof fault->message];
    vsnprintf(what, sizeof what, format, arguments);
    return vcs_scn_fault_set(fault, "%s%s%s%s%s", place->option == NULL ? "" : vcs_scn_fault_quote(place->option).text,
                             place->option == NULL ? "" : ": ", place->file, where, what);
}

bool vcs_scn_fault_at(struct fault *fault, const struct place *place, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    set_at(fault, place, format, arguments);
    va_end(arguments);
    return false;
}

void vcs_scn_fault_note(struct fault *note, const struct place *place, const char *format, ...) {
    struct fault one;
    const size_t used = strlen(note->message);
    va_list arguments;
    va_start(arguments, format);
    set_at(&one, place, format, arguments);
    va_end(arguments);
    snprintf(note->message + used, sizeof note->message - used, "%s%s", used == 0 ? "" : "; ", one.message);
}

bool vcs_scn_fault_is_of_option(const struct fault *fault) {
    return strncmp(fault->message, "--", 2) == 0;
}

static const char *after_colon(const char *text) {
    const char *colon = strstr(text, ": ");
    return colon == NULL ? text : colon + 2;
}

/* The library's sentences are "RECORD: FIELD WHY", and "RECORD: WHY" of a record as a whole; behind "class I: " in a
   grid. */
const char *vcs_scn_fault_reason(const vcs_error *error) {
    const bool is_of_class = strncmp(error->message, "class ", strlen("class ")) == 0;
    const char *reason = after_colon(is_of_class ? after_colon(error->message) : error->message);
    size_t length = strlen(error->field);
    if (length > 0 && strncmp(reason, error->field, length) == 0 && reason[length] == ' ') {
        reason += length + 1;
    }
    return reason;
}

struct quote vcs_scn_fault_quote(const char *text) {
    struct quote quote;
    vcs_scn_utf8_shorten(text, QUOTED_COLUMNS, "...", quote.text, sizeof quote.text);
    return quote;
}

bool vcs_scn_fault_text(struct fault *fault, const struct place *place, const char *text, const char *what) {
    return vcs_scn_fault_at(fault, place, "\"%s\" %s", vcs_scn_fault_quote(text).text, what);
}
