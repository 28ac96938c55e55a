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

#define VCS_FIELDS_hour(X) \
    X(hour, f64, 0, on, "s", VCS_DURATION) \
    X(hour, f64, 8, off, "s", VCS_DURATION) \
    X(hour, zero, 16, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_give_up_terms(X) \
    X(give_up_terms, size, 0, struct_size, "bytes", VCS_U32) \
    X(give_up_terms, flags, 4, flags, "", 0.0, VCS_GIVE_UP_FORBIDDEN) \
    X(give_up_terms, choice, 8, rule, "", VCS_GIVE_UP_BY_CHANCE, VCS_GIVE_UP_BY_SIZE) \
    X(give_up_terms, zero, 12, reserved0, "", VCS_NO_RANGE) \
    X(give_up_terms, f64, 16, deadline, "s", -VCS_MAX_TIME, VCS_INFINITY) \
    X(give_up_terms, f64, 24, remaining, "s", VCS_DURATION) \
    X(give_up_terms, f64, 32, total, "s", VCS_DURATION) \
    X(give_up_terms, f64, 40, bound, "s", 0.0, VCS_INFINITY) \
    X(give_up_terms, f64, 48, on, "s", VCS_MIN_ON, VCS_INFINITY) \
    X(give_up_terms, f64, 56, off, "s", VCS_DURATION) \
    X(give_up_terms, f64, 64, threshold, "", 0.0, 1.0) \
    X(give_up_terms, zero, 72, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_admit_terms(X) \
    X(admit_terms, size, 0, struct_size, "bytes", VCS_U32) \
    X(admit_terms, flags, 4, flags, "", 0.0, VCS_ADMIT_IDLE) \
    X(admit_terms, f64, 8, remaining, "s", VCS_DURATION) \
    X(admit_terms, f64, 16, window, "s", VCS_EXTENDED) \
    X(admit_terms, f64, 24, wait, "s", VCS_DURATION) \
    X(admit_terms, f64, 32, spread, "", 0.0, 1000.0) \
    X(admit_terms, f64, 40, on, "s", VCS_MIN_ON, VCS_INFINITY) \
    X(admit_terms, f64, 48, off, "s", VCS_DURATION) \
    X(admit_terms, f64, 56, best, "", 0.0, 1.0) \
    X(admit_terms, f64, 64, least_margin, "s", 0.0, VCS_INFINITY) \
    X(admit_terms, f64, 72, added, "s", VCS_DURATION) \
    X(admit_terms, f64, 80, below_best, "", 0.0, 1.0) \
    X(admit_terms, f64, 88, max_loss, "", 0.0, 1.0) \
    X(admit_terms, f64, 96, give_up_below, "", 0.0, 1.0) \
    X(admit_terms, f64, 104, floor_above, "", 0.01, 1.0) \
    X(admit_terms, zero, 112, reserved, "", VCS_NO_RANGE)

/* Four layouts: a program that asks about one struct links its fields alone. */
#define VCS_SPELLS_STRUCTS(S) \
    S(spells, VCS_TYPE_SPELLS, 40, 40, VCS_SINGLE)
#define VCS_HOUR_STRUCTS(S) \
    S(hour, VCS_TYPE_HOUR, 24, 24, VCS_NUMBERED)
#define VCS_GIVE_UP_STRUCTS(S) \
    S(give_up_terms, VCS_TYPE_GIVE_UP_TERMS, 88, 88, VCS_SINGLE)
#define VCS_ADMIT_STRUCTS(S) \
    S(admit_terms, VCS_TYPE_ADMIT_TERMS, 128, 128, VCS_SINGLE)

#define VCS_CHANCE_STRUCTS(S) \
    VCS_SPELLS_STRUCTS(S) VCS_HOUR_STRUCTS(S) VCS_GIVE_UP_STRUCTS(S) VCS_ADMIT_STRUCTS(S)

VCS_CHANCE_STRUCTS(VCS_DECLARE_LAYOUT)

#endif
