/*
 * Texts and files for the tests of include/vcemu/scenario.h and include/vcemu/sweep.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCENARIO_FILE_H
#define SCENARIO_FILE_H

#ifndef _DEFAULT_SOURCE
#error "this needs mkdtemp(): define _DEFAULT_SOURCE before the first #include"
#endif

#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vcemu/scenario.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* A host with two projects, which can be emulated. The client is in line 8, the tasks are in lines 15 and 19, the
   candidate is in line 23. */
static const char host_text[] = "[host]\n"
                                "now = 1000\n"
                                "cpus = 2\n"
                                "flops = 1e9\n"
                                "[gpu card]\n"
                                "flops = 1e10\n"
                                "\n"
                                "[client]\n"
                                "min_buffer = 900\n"
                                "[project P]\n"
                                "share = 30\n"
                                "[app P/sky]\n"
                                "max_concurrent = 1\n"
                                "[project Q]\n"
                                "[task one]\n"
                                "project = P\n"
                                "remaining = 3600\n"
                                "deadline = 90000\n"
                                "[task two]\n"
                                "project = Q\n"
                                "gpu = card\n"
                                "remaining = 60\n"
                                "[candidate three]\n"
                                "project = Q\n"
                                "remaining = 10\n";

/* A grid of two projects and two populations, the second of which begins in line 14. */
static const char grid_text[] = "[emulation]\n"
                                "duration = 172800\n"
                                "seed = 7\n"
                                "[project P]\n"
                                "[server P]\n"
                                "est_flops = 1e13\n"
                                "[project Q]\n"
                                "[server Q]\n"
                                "est_flops = 1e12\n"
                                "[population home]\n"
                                "count = 5\n"
                                "cpus = 2\n"
                                "flops = 1e9\n"
                                "[population lab]\n"
                                "count = 3\n"
                                "cpus = 4\n"
                                "flops = 2e9\n"
                                "min_buffer = 600\n";

/* The first place of `before` in a text becomes `after`. What is returned lasts until the next call. */
static inline const char *changed(const char *text, const char *before, const char *after) {
    static char made[16384];
    const char *place = strstr(text, before);
    assert_non_null(place);
    snprintf(made, sizeof made, "%.*s%s%s", (int)(place - text), text, after, place + strlen(before));
    return made;
}

/* A text as a file of this kind, called "it.ini". `message` has room for VCS_MESSAGE_SIZE. */
static inline vcs_file *parse(const char *text, uint32_t kind, char *message) {
    return vcs_file_parse(text, strlen(text), "it.ini", kind, NULL, message, VCS_MESSAGE_SIZE);
}

/* The same of a text that is right, and about which there is nothing to say. */
static inline vcs_file *parse_good(const char *text, uint32_t kind) {
    char message[VCS_MESSAGE_SIZE] = "untouched";
    vcs_file *file = parse(text, kind, message);
    if (file == NULL) {
        fail_msg("%s", message);
    }
    assert_string_equal(message, "");
    return file;
}

/* Element `index` of an array of the library, whose records may be longer than those of the test. */
static inline void *record_at(const vcs_array *array, uint32_t index) {
    assert_true(index < array->count);
    return (unsigned char *)(uintptr_t)array->base + (size_t)index * array->element_size;
}

/* A folder of the test's own, inside the one that it is run in. */
static inline void make_folder(char folder[64]) {
    strcpy(folder, "vcs_test_XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static inline void write_file(const char *path, const char *text) {
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

#endif
