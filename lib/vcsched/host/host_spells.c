/*
 * For how long the host is on and off at a time, as all decisions of a state take it.
 *
 * Rules 15.1 and 15.8; the plain reference is tests/oracle/oracle_likely.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/host/host_spells.h"
#include "vcsched/chance/hours_seen.h"

#include <stdbool.h>
#include <vcsched/chance.h>

vcs_mean_spells vcs_spells_of(const vcs_state *state) {
    const vcs_spells none = {.on_count = 0};
    vcs_mean_spells spells = {vcs_max(state->host.on_spell, VCS_MIN_ON), state->host.off_spell};
    if (!(state->host.on_spell > 0.0)) {
        vcs_spells_means(&none, vcs_resources(state)[0].usable, &spells.on, &spells.off); /* was checked: cannot fail */
    }
    return spells;
}

vcs_hourly vcs_hourly_of(const vcs_state *state) {
    const bool is_hourly = state->parameters.hours != VCS_HOURS_NONE;
    return (vcs_hourly){
        .spells = vcs_spells_of(state),
        .fractions = vcs_hour_fractions(state),
        .count = is_hourly ? (uint32_t)state->capacity.hours : 0,
    };
}

void vcs_convert_hours(vcs_state *state, const vcs_snapshot *snapshot) {
    if (snapshot->hours.count > 0) {
        vcs_fractions_of_hours(&snapshot->hours, vcs_spells_of(state), vcs_hour_fractions(state));
    }
}
