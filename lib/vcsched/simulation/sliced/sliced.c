/*
 * Weighted round-robin in slices: chooses between the five forms of the simulation.
 *
 * Rules 4.3 and 15.4; the plain reference is tests/oracle/oracle_sliced.c.
 *
 *   sliced_general.c   the rule for every host. Read this file first
 *   sliced_uniform.c   the same answer, faster, where every task uses one CPU and has no limit. Before changing the
 *                      rule, let this form decline; tests/vcsched/simulation/test_wrr_sliced_oracle.c compares both
 *   sliced_few.c       the same again, in a third of the instructions, for few tasks and projects on such a host. Where
 *                      it gives up, the uniform form begins anew; test_wrr_sliced_few.c compares these two
 *   sliced_common.c    shared by all: ranks, accounts, shortfalls, forecasts
 *   sliced_time.c      shared by all: how long a step is
 *
 * And without turns, in ../to_the_end:
 *
 *   to_the_end_general.c for every host: what runs goes on to its end, then the earliest deadline is next
 *   to_the_end_plain.c   the same answer, faster, where every task uses one CPU and has no limit
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/simulation/disciplines.h"
#include "vcsched/host/scratch.h"
#include "vcsched/simulation/sliced/sliced_classes.h"
#include "vcsched/simulation/sliced/sliced_few.h"
#include "vcsched/simulation/sliced/sliced_general.h"
#include "vcsched/simulation/sliced/sliced_uniform.h"
#include "vcsched/simulation/sliced/uniform_queues.h"
#include "vcsched/simulation/to_the_end/to_the_end_general.h"
#include "vcsched/simulation/to_the_end/to_the_end_plain.h"
#include "vcsched/simulation/to_the_end/to_the_end_queues.h"

uint64_t vcs_wrr_sliced_scratch(const vcs_counts *counts) {
    return vcs_max_u64(vcs_to_the_end_scratch(counts),
                       vcs_max_u64(vcs_general_scratch(counts), vcs_uniform_scratch(counts)));
}

/* With 20 projects on 128 CPUs the uniform form takes a ninth of the general form's time (bench_simulations). */
void vcs_wrr_sliced(vcs_state *state, vcs_wrr_summary *summary) {
    if (state->parameters.keep_running) {
        if (!vcs_to_the_end_plain(state, summary)) {
            vcs_to_the_end_general(state, summary);
        }
    } else if (!vcs_sliced_few(state, summary) && !vcs_sliced_uniform(state, summary)) {
        vcs_sliced_general(state, summary);
    }
}
