/* SPDX-License-Identifier: MIT */
#include "simulation/fit.h"

/* How many devices a use takes: part of one, or whole ones. */
static uint32_t devices_for(int64_t units) {
    return units <= VCS_ONE ? units > 0 : (uint32_t)((units + VCS_ONE - 1 - VCS_DEVICE_EXCESS) / VCS_ONE);
}

/* What a use takes of each of them. */
static int32_t units_of_each(int64_t units) {
    return (int32_t)vcs_min_i64(units, VCS_ONE);
}

static uint64_t bit(uint32_t device) {
    return UINT64_C(1) << device;
}

void vcs_devices_begin(vcs_devices *devices, uint32_t count) {
    devices->count = count;
    devices->holders = 0;
    for (uint32_t i = 0; i < count; i++) {
        devices->free[i] = (int32_t)VCS_ONE;
        devices->held[i] = 0;
    }
}

/* The device where least is left that still fits. */
static uint32_t find_one(const vcs_devices *devices, int32_t units, uint64_t allowed, bool spares_held) {
    uint32_t best = VCS_NONE;
    int32_t least = INT32_MAX;
    for (uint32_t i = 0; i < devices->count; i++) {
        const int32_t free = devices->free[i] - (spares_held ? devices->held[i] : 0);
        if ((allowed & bit(i)) != 0 && free + VCS_DEVICE_EXCESS >= units && free < least) {
            best = i;
            least = free;
        }
    }
    return best;
}

bool vcs_devices_find(const vcs_devices *devices, int64_t units, uint64_t allowed, uint64_t *found) {
    const int32_t each = units_of_each(units);
    uint64_t taken = 0;
    for (uint32_t k = devices_for(units); k > 0; k--) {
        uint32_t device = find_one(devices, each, allowed & ~taken, true);
        if (device == VCS_NONE && devices->holders > 0) {
            device = find_one(devices, each, allowed & ~taken, false);
        }
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

static void add(int32_t *amounts, uint32_t count, int32_t units, uint64_t devices) {
    for (uint32_t i = 0; i < count; i++) {
        amounts[i] += (devices & bit(i)) != 0 ? units : 0;
    }
}

void vcs_devices_take(vcs_devices *devices, int64_t units, uint64_t taken) {
    add(devices->free, devices->count, -units_of_each(units), taken);
}

void vcs_devices_hold(vcs_devices *devices, int64_t units, uint64_t held) {
    devices->holders += held != 0;
    add(devices->held, devices->count, units_of_each(units), held);
}

void vcs_devices_let_go(vcs_devices *devices, int64_t units, uint64_t held) {
    devices->holders -= held != 0;
    add(devices->held, devices->count, -units_of_each(units), held);
}
