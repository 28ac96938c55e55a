/*
 * The mean spells of a host within a window, for decisions.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CHANCE_HOURS_H
#define VCS_CHANCE_HOURS_H

#include "vcsched/chance/hourly.h"

/* What vcs_hours_spells() says of a host whose hours are known. */
vcs_mean_spells vcs_spells_by_hours(const vcs_hourly *host, double now, double window);

/* The same of any host. */
static inline vcs_mean_spells vcs_spells_within(const vcs_hourly *host, double now, double window) {
    return host->count == 0 ? host->spells : vcs_spells_by_hours(host, now, window);
}

#endif
