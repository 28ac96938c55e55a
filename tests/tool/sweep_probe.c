/*
 * Calls the scenario reader and the sweep as another program does, for test_vcemu_library.py:
 *
 *     sweep_probe read PATH [--profile NAME] [--days N] [--seed N] [--set PARAMETER=VALUE]
 *     sweep_probe sweep LIMIT ARGUMENT...      as vcemu sweep, printing each run, at most LIMIT of them
 *     sweep_probe twice ARGUMENT...            the same sweep again
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vcemu/sweep.h>

#include "command/command_line.h"
#include "command/interrupt.h"

static int read_scenario(int count, char *arguments[]) {
    const char *settings[8];
    vcs_file_options options = {.struct_size = sizeof options, .settings = settings};
    char message[VCS_MESSAGE_SIZE];
    for (int i = 1; i + 1 < count; i += 2) {
        if (strcmp(arguments[i], "--profile") == 0) {
            options.profile = arguments[i + 1];
        } else if (strcmp(arguments[i], "--days") == 0) {
            options.days = atof(arguments[i + 1]);
        } else if (strcmp(arguments[i], "--seed") == 0) {
            options.flags = VCS_FILE_SEED;
            options.seed = (uint32_t)atoi(arguments[i + 1]);
        } else {
            settings[options.setting_count++] = arguments[i + 1];
        }
    }
    vcs_file *file = vcs_file_read(arguments[0], VCS_FILE_SCENARIO, &options, message, sizeof message);
    if (file == NULL) {
        printf("refused: %s\n", message);
        return 1;
    }
    vcs_outcome outcome = {.struct_size = sizeof outcome};
    vcs_error error = {.struct_size = sizeof error};
    error.code = vcs_emulate(vcs_file_scenario(file), vcs_file_parameters(file), NULL, &outcome, NULL, NULL, &error);
    if (error.code == VCS_OK) {
        printf("%s, %s: %.17g operations, %llu calls, %g s\n", vcs_file_name(file, VCS_TYPE_PROJECT, 0),
               vcs_file_name(file, VCS_TYPE_RESOURCE, 0), outcome.flops_used, (unsigned long long)outcome.calls,
               vcs_file_emulation(file)->duration);
    } else {
        vcs_file_explain(file, &error, message, sizeof message);
        printf("not emulated: %s\n", message);
    }
    printf("note: %s\n", message);
    vcs_file_free(file);
    return 0;
}

static int receive(void *context, const vcs_sweep_run *run) {
    unsigned *left = context;
    printf("%llu %llu %g", (unsigned long long)run->point, (unsigned long long)run->seed, run->weight);
    for (uint32_t i = 0; i < run->key_count; i++) {
        printf(" %s=%s", run->keys[i], run->values[i]);
    }
    for (uint32_t i = 0; i < run->figure_count; i++) {
        isnan(run->figures[i]) ? printf(" %s:", run->figure_names[i])
                               : printf(" %s:%.17g", run->figure_names[i], run->figures[i]);
    }
    putchar('\n');
    return --*left == 0;
}

static int go_on(void *context, uint32_t stage, uint64_t done, uint64_t total) {
    (void)context;
    (void)stage;
    (void)done;
    (void)total;
    return interrupt_has_come();
}

static void tell(void *context, uint32_t kind, const char *message) {
    (void)context;
    printf("%s%s\n", kind == VCS_SWEEP_WARNING ? "warning: " : "", message);
}

static int begin(const vcs_policy_run *run, vcs_hooks *hooks) {
    (void)run;
    (void)hooks;
    return VCS_OK;
}

static const vcs_policy plain = {VCS_POLICY_SIZES, .begin = begin};

static int do_sweep(unsigned limit, int count, char *arguments[], const char *policy_name) {
    struct command_line line;
    struct fault fault = {""};
    int end = VCS_SWEEP_USAGE;
    arguments[1] = "sweep";
    if (command_line_read(&line, count, arguments, &fault)) {
        vcs_sweep sweep = line.sweep;
        if (limit > 0 && strcmp(sweep.output, "-") == 0) {
            sweep.output = NULL;
        }
        sweep.policy = policy_name == NULL ? NULL : &plain;
        sweep.policy_name = policy_name;
        sweep.receive = limit == 0 ? NULL : receive;
        sweep.progress = go_on;
        sweep.tell = tell;
        sweep.context = &limit;
        interrupt_catch();
        end = vcs_emulate_sweep(&sweep, fault.message, sizeof fault.message);
        interrupt_release();
    }
    printf("%d %s\n", end, fault.message);
    command_line_free(&line);
    return 0;
}

int main(int count, char *arguments[]) {
    if (count > 2 && strcmp(arguments[1], "read") == 0) {
        return read_scenario(count - 2, arguments + 2);
    }
    if (count > 3 && strcmp(arguments[1], "sweep") == 0) {
        return do_sweep((unsigned)atoi(arguments[2]), count - 1, arguments + 1, getenv("POLICY_NAME"));
    }
    return do_sweep(1000, count, arguments, NULL) + do_sweep(1000, count, arguments, NULL);
}
