/*
 * The fields of the structs of chance.h; layout.h says how to read them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_FIELDS_CHANCE_FIELDS_H
#define VCS_FIELDS_CHANCE_FIELDS_H

#include "vcsched/interface/check/layout.h"

#include <vcsched/chance.h>

#define VCS_FIELDS_spells(X) \
    X(spells, f64, 0, on_total, "s", 0.0, VCS_MAX_TIME) \
    X(spells, f64, 8, off_total, "s", 0.0, VCS_MAX_TIME) \
    X(spells, u32, 16, on_count, "", VCS_U32) \
    X(spells, u32, 20, off_count, "", VCS_U32) \
    X(spells, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_CHANCE_STRUCTS(S) \
    S(spells, VCS_TYPE_SPELLS, 40, 40, VCS_SINGLE)

VCS_CHANCE_STRUCTS(VCS_DECLARE_LAYOUT)

#endif
