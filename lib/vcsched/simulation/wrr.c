/*
 * Weighted round-robin: runs the discipline that the parameters choose.
 *
 * Rules 4.1 and 4.6; the plain references are tests/oracle/oracle_fluid.c and tests/oracle/oracle_sliced.c.
 *
 *   fluid.c    discipline fluid (rule 4.2)
 *   sliced.c   discipline sliced (rule 4.3)
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/simulation/disciplines.h"
#include "vcsched/host/prepared.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/simulation_fields.h"

#include <string.h>
#include <vcsched/simulation.h>

int vcs_wrr(vcs_state *state, vcs_wrr_summary *summary) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    int code = summary == NULL ? VCS_OK : vcs_check_size(VCS_FIRST_wrr_summary, summary->struct_size);
    if (code != VCS_OK) {
        return code;
    }
    vcs_wrr_summary answer;
    memset(&answer, 0, sizeof answer);
    if (state->parameters.discipline == VCS_DISCIPLINE_FLUID) {
        vcs_wrr_fluid(state, &answer);
    } else {
        vcs_wrr_sliced(state, &answer);
    }
    state->has = (state->has | VCS_HAS_WRR) & ~(VCS_HAS_EDF | VCS_HAS_UNKNOWN);
    state->has |= answer.unknown > 0 ? VCS_HAS_UNKNOWN : 0;
    if (summary != NULL) {
        answer.struct_size = summary->struct_size;
        vcs_hand_out(summary, summary->struct_size, &answer, sizeof answer);
    }
    return VCS_OK;
}
