/*
 * For how long the host is on and off at a time, as all decisions of a state take it.
 *
 * Rule 15.1; the plain reference is tests/oracle/oracle_likely.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/host/host_spells.h"

#include <vcsched/chance.h>

vcs_mean_spells vcs_spells_of(const vcs_state *state) {
    const vcs_spells none = {.on_count = 0};
    vcs_mean_spells spells = {vcs_max(state->host.on_spell, VCS_MIN_ON), state->host.off_spell};
    if (!(state->host.on_spell > 0.0)) {
        vcs_spells_means(&none, vcs_resources(state)[0].usable, &spells.on, &spells.off); /* was checked: cannot fail */
    }
    return spells;
}
