/*
 * A server with a rule of its own in a grid of a scenario file, beside the built-in one: it checks a fifth of the
 * results of hosts that it trusts (VCS_GRID_CHECK_ADAPTIVE), whatever they have done.
 *
 *     grid_policy SCENARIO [DAYS]
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>

#include <vcemu/scenario.h>

/* `u` is drawn from 0 to 1; the rest of it is as good a draw for the built-in rule. */
static int trust_four_of_five(void *context, const vcs_grid_situation *situation, const vcs_trust *trust, double u,
                              uint32_t *needed) {
    unsigned long *checked = context;
    (void)situation;
    if (u < 0.2) {
        *needed = 1;
        ++*checked;
        return VCS_OK;
    }
    return vcs_trust_needs_copy(trust, (u - 0.2) / 0.8, needed, NULL);
}

static int show(const vcs_file *grid, const char *rule, const vcs_grid_hooks *hooks) {
    const uint32_t count = vcs_file_grid(grid)->projects.count;
    vcs_grid_project_outcome *projects = calloc(count, sizeof *projects);
    const vcs_grid_results results = {.struct_size = sizeof results,
                                      .projects = projects,
                                      .project_size = sizeof *projects,
                                      .project_count = projects == NULL ? 0 : count};
    char message[VCS_MESSAGE_SIZE];
    vcs_error error = {.struct_size = sizeof error};
    error.code = vcs_emulate_grid(vcs_file_grid(grid), hooks, &results, &error);
    if (error.code != VCS_OK) {
        vcs_file_explain(grid, &error, message, sizeof message);
        fprintf(stderr, "grid_policy: %s\n", message);
    }
    for (uint32_t i = 0; i < results.project_count && error.code == VCS_OK; i++) {
        const double units = projects[i].units > 0 ? (double)projects[i].units : 1.0; /* without units, no copies */
        printf("%-12s %-12s %8llu done, %.3f copies of each unit, %llu wrong\n",
               vcs_file_name(grid, VCS_TYPE_PROJECT, i), rule, (unsigned long long)projects[i].done,
               (double)projects[i].copies / units, (unsigned long long)projects[i].wrong_accepted);
    }
    free(projects);
    return error.code;
}

int main(int argument_count, char *arguments[]) {
    const vcs_file_options options = {.struct_size = sizeof options,
                                      .days = argument_count > 2 ? atof(arguments[2]) : 0};
    char message[VCS_MESSAGE_SIZE];
    const char *path = argument_count > 1 ? arguments[1] : "-";
    vcs_file *grid = vcs_file_read(path, VCS_FILE_GRID, &options, message, sizeof message);
    if (message[0] != '\0') {
        fprintf(stderr, "grid_policy: %s\n", message); /* an error, or an assumption */
    }
    if (grid == NULL) {
        return 1;
    }
    unsigned long checked = 0;
    const vcs_grid_hooks hooks = {.struct_size = sizeof hooks, .context = &checked, .trust = trust_four_of_five};
    const int failed = show(grid, "built in", NULL) != VCS_OK || show(grid, "four of five", &hooks) != VCS_OK;
    printf("%lu results of all hosts were checked in any case\n", checked);
    vcs_file_free(grid);
    return failed;
}
