/*
 * The files that vcemu reads: whatever the text is, it is refused with one line that says where, or understood; what is
 * understood is a state that the library prepares or refuses by the line, and a scenario that can be emulated.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vcemu/scenario/prepare.h"
#include "vcemu/scenario/scenario.h"
#include "vcemu/scenario/state/state_interpret.h"
#include "vcemu/scenario/state/state_sections.h"

#include <vcsched/schedule.h>
#include <vcsched/simulation.h>

/* The readers take a path. */
static bool write_file(const char *path, const uint8_t *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    const bool written = file != NULL && fwrite(bytes, 1, size, file) == size;
    return file != NULL && fclose(file) == 0 && written;
}

static const char *path_of_file(void) {
    static char path[64];
    if (path[0] == '\0') {
        const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
        snprintf(path, sizeof path, "%s/fuzz_state_file.%ld.ini", folder, (long)getpid());
    }
    return path;
}

static void remove_file(void) {
    remove(path_of_file());
}

static void is_one_line(const struct fault *fault) {
    const size_t length = strlen(fault->message);
    assert_true(length > 0 && length < sizeof fault->message);
    assert_null(strchr(fault->message, '\n'));
}

/* A key that names another file to be read: not here. */
static bool names_a_file(const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i + 5 <= size; i++) {
        if (memcmp(bytes + i, "trace", 5) == 0) {
            return true;
        }
    }
    return false;
}

static void decide(const struct state_file *file) {
    struct fault fault = {""};
    vcs_state *state = vcs_scn_prepare_state(file, &fault);
    if (state == NULL) {
        is_one_line(&fault);
        return;
    }
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, NULL), VCS_OK);
    free(state);
}

static int stop_soon(void *context, const vcs_event *event) {
    uint32_t *left = context;
    (void)event;
    return --*left == 0 ? -4711 : VCS_OK;
}

/* Others may take long. */
static bool is_small(const struct state_file *file) {
    uint32_t instances = 0;
    for (uint32_t i = 0; i < vcs_scn_state_file_resource_count(file); i++) {
        instances += file->resources[i].instances;
    }
    return instances <= 64 && vcs_scn_state_file_snapshot(file).tasks.count <= 50;
}

static void emulate(const struct state_file *file) {
    struct fault fault = {""};
    vcs_emulation emulation;
    uint32_t left = 50;
    const vcs_hooks hooks = {.struct_size = sizeof hooks, .context = &left, .observe = stop_soon};
    vcs_outcome outcome = {.struct_size = sizeof outcome};
    vcs_error error = {.struct_size = sizeof error};
    const vcs_scenario scenario = vcs_scn_scenario_of(file, &emulation);
    if (!vcs_scn_check(file, &fault)) {
        is_one_line(&fault);
        return;
    }
    const int code = vcs_emulate(&scenario, &file->emulated_parameters, &hooks, &outcome, NULL, NULL, &error);
    if (code != VCS_OK && code != -4711) {
        assert_false(vcs_scn_refuse(file, &error, &fault));
        is_one_line(&fault);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static bool is_begun;
    const struct policy_wish nothing = {.profile = NULL};
    struct state_file file;
    struct fault fault = {""};
    if (!is_begun) {
        is_begun = true;
        atexit(remove_file);
    }
    if (names_a_file(bytes, size) || !write_file(path_of_file(), bytes, size)) {
        return 0;
    }
    memset(&file, 0, sizeof file);
    if (vcs_scn_state_file_read(&file, path_of_file(), &vcs_scn_state_grammar_plain, &nothing, NULL, &fault)) {
        if (is_small(&file)) {
            decide(&file);
            emulate(&file);
        }
    } else {
        is_one_line(&fault);
    }
    vcs_scn_state_file_free(&file);
    return 0;
}
