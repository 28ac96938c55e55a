/*
 * A call into each room of the library, for readme_lines.py: links only if what the README's lines compile is whole.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <vcsched/vcsched.h>

static int ask_kernels(void) {
    vcs_average average = {.value = 0};
    vcs_project_timer timer = {.min_rpc_time = 0};
    vcs_unit unit;
    double wait, credibility;
    size_t size;
    return vcs_self_test(NULL) == VCS_OK && vcs_average_blend(&average, 1e9, 86400, 10) == VCS_OK &&
           vcs_project_timer_wait(&timer, 10, &wait) == VCS_OK && vcs_unit_init(&unit, 1) == VCS_OK &&
           vcs_credibility(3, 0.1, &credibility) == VCS_OK && vcs_dispatch_size(2, 2, &size) == VCS_OK;
}

static int ask_about_a_host(void) {
    const vcs_host host = {.id = 1};
    const vcs_resource cpu = {.flops = 1e9, .usable = 1, .instances = 1};
    const vcs_project project = {.id = 1, .share = 1};
    const vcs_snapshot snapshot = {
        .struct_size = sizeof snapshot,
        .host = {.base = &host, .element_size = sizeof host, .count = 1},
        .resources = {.base = &cpu, .element_size = sizeof cpu, .count = 1},
        .projects = {.base = &project, .element_size = sizeof project, .count = 1},
    };
    vcs_parameters policy;
    vcs_state *state;
    size_t size;
    uint32_t refusals = 0, unsendable;
    vcs_parameters_init(&policy, sizeof policy, VCS_PROFILE_CURRENT);
    void *memory = vcs_state_size(&snapshot, &size) == VCS_OK ? malloc(size) : NULL;
    const int right = memory != NULL &&
                      vcs_state_prepare(&snapshot, &policy, 0, memory, size, &state, NULL) == VCS_OK &&
                      vcs_wrr(state, NULL) == VCS_OK && vcs_edf(state, VCS_EDF_MISSED, NULL) == VCS_OK &&
                      vcs_schedule(state, 0, NULL) == VCS_OK && vcs_fetch(state, NULL, NULL) == VCS_OK &&
                      vcs_send_refusals(VCS_REASON_SENT, 3, 0, &refusals, &unsendable) == VCS_OK;
    free(memory);
    return right;
}

int main(void) {
    return ask_kernels() && ask_about_a_host() ? EXIT_SUCCESS : EXIT_FAILURE;
}
