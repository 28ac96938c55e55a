/* SPDX-License-Identifier: MIT */
#include "command/foreign_file.h"

#include <stdio.h>
#include <string.h>

/* A path as a shell takes it: in quotes if it has characters that a shell could take for something else. */
static bool quote_for_shell(const char *path, char *out, size_t size) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+/:@%=,";
    if (path[strspn(path, plain)] == '\0') {
        return (size_t)snprintf(out, size, "%s", path) < size;
    }
    size_t used = (size_t)snprintf(out, size, "'");
    for (; *path != '\0' && used < size; path++) {
        used += (size_t)snprintf(out + used, size - used, *path == '\'' ? "'\\''" : "%c", *path);
    }
    return used < size && used + (size_t)snprintf(out + used, size - used, "'") < size;
}

bool foreign_file_is_xml(const char *path, const char *name, const char *text, struct fault *fault) {
    static const char mark[] = "\xef\xbb\xbf";
    char quoted[512];
    text += strncmp(text, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0;
    if (*text != '<') {
        return false;
    }
    vcs_scn_fault_set(fault,
                      "%s: this is XML, not a state file; if a BOINC client wrote it, install the Python package "
                      "(pip install bindings/python, or the wheel of a release) and type: "
                      "python3 -m vcsched import %s -o state.ini",
                      name, quote_for_shell(path, quoted, sizeof quoted) ? quoted : "FILE");
    return true;
}
