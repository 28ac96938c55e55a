/*
 * Weighted round-robin in slices: which of the two forms of the simulation answers.
 *
 * Rule 4.3; the plain reference is tests/oracle/oracle_sliced.c.
 *
 *   sliced_general.c   the rule for every host. Read this one first
 *   sliced_uniform.c   the same answer, faster, for hosts whose tasks use one CPU each, without limits. Before changing
 *                      the rule, let this form decline; tests/vcsched/simulation/test_wrr_sliced_oracle.c compares both
 *   sliced_common.c    what both keep: ranks, accounts, shortfalls, time, forecasts
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/simulation/disciplines.h"
#include "vcsched/host/scratch.h"
#include "vcsched/simulation/sliced/sliced_classes.h"
#include "vcsched/simulation/sliced/sliced_general.h"
#include "vcsched/simulation/sliced/sliced_uniform.h"
#include "vcsched/simulation/sliced/uniform_queues.h"

uint64_t vcs_wrr_sliced_scratch(const vcs_counts *counts) {
    return vcs_max_u64(vcs_general_scratch(counts), vcs_uniform_scratch(counts));
}

/* Measured by bench_simulations, with 20 projects on 128 CPUs: the uniform form takes a ninth of the other's time. */
void vcs_wrr_sliced(vcs_state *state, vcs_wrr_summary *summary) {
    if (!vcs_sliced_uniform(state, summary)) {
        vcs_sliced_general(state, summary);
    }
}
