/*
 * What people mean when they name something of a plan.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_PLAN_PLAN_NAMES_H
#define VCEMU_PLAN_PLAN_NAMES_H

#include "plan/plan.h"

enum plan_kind { PLAN_PROJECT, PLAN_TASK, PLAN_RESOURCE, PLAN_KINDS };

/* All that has one name, at most one thing of each kind. */
struct plan_named {
    uint32_t index[PLAN_KINDS]; /* VCS_NONE = none of this kind */
};

/*
 * Finds what `name` means: the first of these that fits anything is the name itself, the name in upper or lower case,
 * the name as a narrow table shows it (its middle left out), and how a name begins. Returns false with a fault if
 * nothing fits, or if things of several names do; the fault names what comes near.
 */
bool plan_find(const struct plan *plan, const char *name, struct plan_named *named, struct fault *fault);

#endif
