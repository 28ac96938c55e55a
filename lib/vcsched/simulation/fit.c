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
        devices->held[i] = 0;
        devices->loss[i] = -VCS_INFINITY;
    }
}

/* vcs_devices_find_one() beside held devices: they count as occupied, or with `take_held` the loss breaks ties. */
static uint32_t find_beside(const vcs_devices *devices, int64_t units, uint64_t allowed, bool take_held) {
    uint32_t best = VCS_NONE;
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < devices->count; i++) {
        VCS_INVARIANT(devices->held[i] >= INT64_MIN / 4 && devices->held[i] <= INT64_MAX / 4); /* as add_held() */
        const int64_t free = devices->free[i] - (take_held ? 0 : devices->held[i]);
        const bool is_less = free < least || (take_held && free == least && devices->loss[i] < devices->loss[best]);
        if ((allowed & bit(i)) != 0 && free >= units - VCS_DEVICE_EXCESS && is_less) {
            best = i;
            least = free;
        }
    }
    return best;
}

static uint32_t find_one(const vcs_devices *devices, int64_t units, uint64_t allowed) {
    if (devices->holders > 0) {
        const uint32_t spare = find_beside(devices, units, allowed, false);
        return spare != VCS_NONE ? spare : find_beside(devices, units, allowed, true);
    }
    return vcs_devices_find_one(devices, units, allowed);
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

bool vcs_devices_suit(const vcs_devices *devices, int64_t units, uint64_t allowed, uint64_t held) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < devices->count; i++) {
        if ((held & bit(i)) != 0) {
            count++;
            if (devices->free[i] + VCS_DEVICE_EXCESS < units_of_each(units)) {
                return false;
            }
        }
    }
    return (held & ~allowed) == 0 && count == devices_for(units);
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

static void add_held(vcs_devices *devices, int64_t units, uint64_t held) {
    for (uint32_t i = 0; i < devices->count; i++) {
        /* Some tasks of 32-bit uses hold them together, and let go of no more than they held. */
        VCS_INVARIANT(devices->held[i] >= INT64_MIN / 4 && devices->held[i] <= INT64_MAX / 4);
        devices->held[i] += (held & bit(i)) != 0 ? units : 0;
    }
}

void vcs_devices_hold(vcs_devices *devices, int64_t units, uint64_t held, double loss) {
    devices->holders += held != 0;
    vcs_devices_risk(devices, held, loss);
    add_held(devices, units_of_each(units), held);
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
    add_held(devices, -(int64_t)units_of_each(units), held);
}
