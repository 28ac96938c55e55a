/*
 * Calls the scenario reader and the sweep as another program does, for test_vcemu_library.py:
 *
 *     sweep_probe read PATH [--profile NAME] [--days N] [--seed N] [--set PARAMETER=VALUE]
 *     sweep_probe sweep LIMIT ARGUMENT...      as vcemu sweep, printing each run, of which at most LIMIT are taken
 *     sweep_probe twice ARGUMENT...            the same sweep again
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vcemu/sweep.h>

static int read_scenario(int count, char *arguments[]) {
    const char *settings[8];
    struct vcemu_options options = {.settings = settings};
    char message[VCEMU_MESSAGE_SIZE];
    for (int i = 1; i + 1 < count; i += 2) {
        if (strcmp(arguments[i], "--profile") == 0) {
            options.profile = arguments[i + 1];
        } else if (strcmp(arguments[i], "--days") == 0) {
            options.days = atof(arguments[i + 1]);
        } else if (strcmp(arguments[i], "--seed") == 0) {
            options.has_seed = true;
            options.seed = (uint32_t)atoi(arguments[i + 1]);
        } else {
            settings[options.setting_count++] = arguments[i + 1];
        }
    }
    struct vcemu_scenario *scenario = vcemu_scenario_read(arguments[0], &options, message);
    if (scenario == NULL) {
        printf("refused: %s\n", message);
        return 1;
    }
    const vcs_scenario *records = vcemu_scenario_records(scenario);
    const vcs_parameters parameters = vcemu_scenario_parameters(scenario);
    vcs_outcome outcome = {.struct_size = sizeof outcome};
    vcs_error error = {.struct_size = sizeof error};
    error.code = vcs_emulate(records, &parameters, NULL, &outcome, NULL, 0, 0, NULL, 0, 0, &error);
    if (error.code == VCS_OK) {
        printf("%s, %s: %.17g operations, %llu calls, %g s\n", vcemu_scenario_project(scenario, 0),
               vcemu_scenario_resource(scenario, 0), outcome.flops_used, (unsigned long long)outcome.calls,
               vcemu_scenario_emulation(scenario)->duration);
    } else {
        vcemu_scenario_explain(scenario, &error, message);
        printf("not emulated: %s\n", message);
    }
    printf("note: %s\n", message);
    vcemu_scenario_free(scenario);
    return 0;
}

static int take(void *context, const struct vcemu_sweep_run *run) {
    unsigned *left = context;
    printf("%llu %llu %g", (unsigned long long)run->point, (unsigned long long)run->seed, run->weight);
    for (size_t i = 0; i < run->key_count; i++) {
        printf(" %s=%s", run->keys[i], run->values[i]);
    }
    for (size_t i = 0; i < run->figure_count; i++) {
        isnan(run->figures[i]) ? printf(" %s:", run->figure_names[i])
                               : printf(" %s:%.17g", run->figure_names[i], run->figures[i]);
    }
    putchar('\n');
    return --*left == 0;
}

static int begin(const struct vcemu_run *run, vcs_hooks *hooks) {
    (void)run;
    (void)hooks;
    return VCS_OK;
}

static const struct vcemu_policy plain = {VCEMU_POLICY_SIZES, .begin = begin};

static int do_sweep(unsigned limit, int count, char *arguments[], const char *policy_name) {
    char message[VCEMU_MESSAGE_SIZE];
    const struct vcemu_sweep sweep = {
        .arguments = (const char *const *)arguments,
        .argument_count = (size_t)count,
        .policy = policy_name == NULL ? NULL : &plain,
        .policy_name = policy_name,
        .take = limit == 0 ? NULL : take,
        .context = &limit,
    };
    const enum vcemu_sweep_end end = vcemu_sweep(&sweep, message);
    printf("%d %s\n", (int)end, message);
    return 0;
}

int main(int count, char *arguments[]) {
    if (count > 2 && strcmp(arguments[1], "read") == 0) {
        return read_scenario(count - 2, arguments + 2);
    }
    if (count > 3 && strcmp(arguments[1], "sweep") == 0) {
        return do_sweep((unsigned)atoi(arguments[2]), count - 3, arguments + 3, getenv("POLICY_NAME"));
    }
    return do_sweep(1000, count - 2, arguments + 2, NULL) + do_sweep(1000, count - 2, arguments + 2, NULL);
}
