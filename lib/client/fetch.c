/* SPDX-License-Identifier: MIT */
#include "client/prepared.h"

#include <vcsched/fetch.h>

uint64_t vcs_fetch_scratch(const vcs_counts *counts) {
    (void)counts;
    return 0;
}

int vcs_fetch_pairs(const vcs_state *state, vcs_pair_decision *out, uint32_t element_size, uint32_t count) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    return vcs_read_results(state, VCS_HAS_FETCH, vcs_pair_decisions(state), sizeof(vcs_pair_decision),
                            state->project_count * state->resource_count, out, element_size, count);
}
