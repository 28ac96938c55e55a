/*
 * A host that is on at some hours rather than at others.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CHANCE_HOURLY_H
#define VCS_CHANCE_HOURLY_H

#include "vcsched/chance/finish.h"

#include <stdint.h>

/* The spells of a host, and for which fraction of each hour it is on; count = 0: the hours are not known. */
typedef struct vcs_hourly {
    vcs_mean_spells spells;
    const double *fractions;
    uint32_t count;
} vcs_hourly;

#endif
