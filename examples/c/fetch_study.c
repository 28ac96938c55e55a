/*
 * Another program that reads scenarios and sweeps as vcemu does: who asks for work, and how often?
 *
 *     fetch_study SCENARIO
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>

#include <vcemu/sweep.h>

/* Asks whoever the built-in policy asks, but never for more than an hour of each instance. */
static int ask_for_little(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                          vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    const vcs_resource *resources = situation->snapshot->resources.base;
    const uint32_t resource_count = situation->snapshot->resources.count;
    (void)context;
    const uint32_t count = situation->snapshot->projects.count * resource_count;
    if (vcs_schedule(situation->state, VCS_SCHEDULE_RUNNING, NULL) != VCS_OK ||
        vcs_fetch(situation->state, question, summary) != VCS_OK ||
        vcs_fetch_decisions(situation->state, &(vcs_array){{decisions}, sizeof *decisions, count}) != VCS_OK) {
        return VCS_ERR_RANGE;
    }
    for (uint32_t i = 0; i < count; i++) {
        const double hour = 3600.0 * resources[i % resource_count].instances;
        decisions[i].seconds = decisions[i].seconds < hour ? decisions[i].seconds : hour;
    }
    return VCS_OK;
}

static int begin(const vcs_policy_run *run, vcs_hooks *hooks) {
    (void)run;
    hooks->fetch = ask_for_little;
    return VCS_OK;
}

static const vcs_policy little = {VCS_POLICY_SIZES, .begin = begin};

/* What came of the runs of each buffer. */
static int print_run(void *context, const vcs_sweep_run *run) {
    (void)context;
    printf("  buffer %6s s, seed %llu: %.3f calls per job, idle for %.3f\n", run->values[0],
           (unsigned long long)run->seed, run->figures[0], run->figures[1]);
    return 0;
}

int main(int argument_count, char *arguments[]) {
    const char *path = argument_count == 2 ? arguments[1] : "-";
    const vcs_sweep_axis buffers = {.text = "min_buffer=0,43200", .kind = VCS_SWEEP_VARY};
    const vcs_file_options options = {.struct_size = sizeof options, .days = 10};
    char message[VCS_MESSAGE_SIZE];
    vcs_file *file = vcs_file_read(path, VCS_FILE_SCENARIO, NULL, message, sizeof message);
    int end = file == NULL ? VCS_SWEEP_REFUSED : VCS_SWEEP_DONE;
    if (file != NULL) {
        printf("%u projects, the first of them %s\n", (unsigned)vcs_file_scenario(file)->snapshot.projects.count,
               vcs_file_name(file, VCS_TYPE_PROJECT, 0));
        vcs_file_free(file);
    }
    for (int own = 0; own <= 1 && end == VCS_SWEEP_DONE; own++) {
        const vcs_sweep sweep = {.struct_size = sizeof sweep,
                                 .files = &path,
                                 .file_count = 1,
                                 .axes = &buffers,
                                 .axis_count = 1,
                                 .seeds = 2,
                                 .options = &options,
                                 .figures = "rpcs_per_job,idleness",
                                 .policy = own ? &little : NULL,
                                 .policy_name = "little",
                                 .receive = print_run};
        puts(own ? "an hour at most" : "as ever");
        end = vcs_emulate_sweep(&sweep, message, sizeof message);
    }
    if (end != VCS_SWEEP_DONE) {
        fprintf(stderr, "fetch_study: %s\n", message);
    }
    return end;
}
