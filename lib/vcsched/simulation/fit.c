/* SPDX-License-Identifier: MIT */
#include "vcsched/simulation/fit.h"

/* How many devices a use needs: part of one, or whole ones. */
static uint32_t devices_for(int64_t units) {
    return units <= VCS_ONE ? units > 0 : (uint32_t)((units + VCS_ONE - 1 - VCS_DEVICE_EXCESS) / VCS_ONE);
}

/* Units that a use occupies on each of its devices. */
static int32_t units_of_each(int64_t units) {
    return (int32_t)vcs_min_i64(units, VCS_ONE);
}

static uint64_t bit(uint32_t device) {
    return UINT64_C(1) << device;
}

void vcs_devices_begin(vcs_devices *devices, uint32_t count) {
    vcs_devices_free_all(devices, count);
    for (uint32_t i = 0; i < count; i++) {
        devices->held[i] = devices->bound[i] = 0;
        devices->loss[i] = -VCS_INFINITY;
    }
}

/* What a search for a device leaves alone. */
#define SPARE_NOTHING 0u
#define SPARE_HELD 1u /* devices of running tasks */
#define SPARE_ALL 2u  /* those, and the ones that stopped tasks are bound to */

/* vcs_devices_find_one() where what is spared counts as occupied. If nothing is, the loss breaks ties. */
static uint32_t find_beside(const vcs_devices *devices, int64_t units, uint64_t allowed, uint32_t spares) {
    uint32_t best = VCS_NONE;
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < devices->count; i++) {
        VCS_INVARIANT(devices->held[i] >= INT64_MIN / 4 && devices->held[i] <= INT64_MAX / 4); /* as add_units() */
        VCS_INVARIANT(devices->bound[i] >= INT64_MIN / 4 && devices->bound[i] <= INT64_MAX / 4);
        const int64_t free = devices->free[i] - (spares != SPARE_NOTHING ? devices->held[i] : 0) -
                             (spares == SPARE_ALL ? devices->bound[i] : 0);
        const bool is_less =
            free < least || (spares == SPARE_NOTHING && free == least && devices->loss[i] < devices->loss[best]);
        if ((allowed & bit(i)) != 0 && free >= units - VCS_DEVICE_EXCESS && is_less) {
            best = i;
            least = free;
        }
    }
    return best;
}

static uint32_t find_one(const vcs_devices *devices, int64_t units, uint64_t allowed) {
    if (devices->holders + devices->bonds == 0) {
        return vcs_devices_find_one(devices, units, allowed);
    }
    uint32_t found = VCS_NONE;
    for (uint32_t spares = SPARE_ALL + 1; found == VCS_NONE && spares-- > SPARE_NOTHING;) {
        found = find_beside(devices, units, allowed, spares);
    }
    return found;
}

bool vcs_devices_find(const vcs_devices *devices, int64_t units, uint64_t allowed, uint64_t *found) {
    uint64_t taken = 0;
    for (uint32_t k = devices_for(units); k > 0; k--) {
        const uint32_t device = find_one(devices, units_of_each(units), allowed & ~taken);
        if (device == VCS_NONE) {
            return false;
        }
        taken |= bit(device);
    }
    *found = taken;
    return true;
}

bool vcs_devices_match(int64_t units, uint64_t own) {
    uint32_t count = 0;
    for (; own != 0; own &= own - 1) { /* without the lowest bit */
        count++;
    }
    return count == devices_for(units);
}

bool vcs_devices_suit(const vcs_devices *devices, int64_t units, uint64_t allowed, uint64_t own) {
    for (uint32_t i = 0; i < devices->count; i++) {
        if ((own & bit(i)) != 0 && devices->free[i] + VCS_DEVICE_EXCESS < units_of_each(units)) {
            return false;
        }
    }
    return (own & ~allowed) == 0 && vcs_devices_match(units, own);
}

bool vcs_devices_are_spare(const vcs_devices *devices, int64_t units, uint64_t taken) {
    for (uint32_t i = 0; i < devices->count; i++) {
        VCS_INVARIANT(devices->held[i] >= INT64_MIN / 4 && devices->held[i] <= INT64_MAX / 4); /* as add_units() */
        if ((taken & bit(i)) != 0 && devices->free[i] - devices->held[i] + VCS_DEVICE_EXCESS < units_of_each(units)) {
            return false;
        }
    }
    return true;
}

bool vcs_devices_suffice(uint32_t count, int64_t units, uint64_t allowed) {
    uint32_t missing = devices_for(units);
    for (uint32_t i = 0; i < count && missing > 0; i++) {
        missing -= (allowed & bit(i)) != 0;
    }
    return missing == 0;
}

void vcs_devices_occupy(vcs_devices *devices, int64_t units, uint64_t taken) {
    for (uint32_t i = 0; taken != 0; i++, taken >>= 1) {
        /* It fits on each of them. */
        VCS_INVARIANT((taken & 1) == 0 || devices->free[i] >= units_of_each(units) - VCS_DEVICE_EXCESS);
        devices->free[i] -= (taken & 1) != 0 ? units_of_each(units) : 0;
    }
}

void vcs_devices_release(vcs_devices *devices, int64_t units, uint64_t taken) {
    for (uint32_t i = 0; taken != 0; i++, taken >>= 1) {
        devices->free[i] += (taken & 1) != 0 ? units_of_each(units) : 0;
    }
}

/* Adds the units of a task on each of its devices. */
static void add_units(int64_t *amounts, uint32_t count, int64_t units, uint64_t own) {
    for (uint32_t i = 0; i < count; i++) {
        /* Some tasks of 32-bit uses add together, and take away no more than they have added. */
        VCS_INVARIANT(amounts[i] >= INT64_MIN / 4 && amounts[i] <= INT64_MAX / 4);
        amounts[i] += (own & bit(i)) != 0 ? units : 0;
    }
}

void vcs_devices_hold(vcs_devices *devices, int64_t units, uint64_t held, double loss) {
    devices->holders += held != 0;
    vcs_devices_risk(devices, held, loss);
    add_units(devices->held, devices->count, units_of_each(units), held);
}

void vcs_devices_risk(vcs_devices *devices, uint64_t held, double loss) {
    for (uint32_t i = 0; i < devices->count; i++) {
        if ((held & bit(i)) != 0) {
            devices->loss[i] = vcs_max(devices->loss[i], loss);
        }
    }
}

void vcs_devices_let_go(vcs_devices *devices, int64_t units, uint64_t held) {
    devices->holders -= held != 0;
    add_units(devices->held, devices->count, -(int64_t)units_of_each(units), held);
}

void vcs_devices_bind(vcs_devices *devices, int64_t units, uint64_t own) {
    devices->bonds += own != 0;
    add_units(devices->bound, devices->count, units_of_each(units), own);
}

void vcs_devices_unbind(vcs_devices *devices, int64_t units, uint64_t own) {
    devices->bonds -= own != 0;
    add_units(devices->bound, devices->count, -(int64_t)units_of_each(units), own);
}
