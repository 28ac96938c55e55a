/* SPDX-License-Identifier: MIT */
#include "simulation/instance_sets.h"

#include "core/number.h"

void vcs_instance_sets_begin(vcs_instance_sets *sets, uint64_t *maps, int64_t *frees, uint32_t instances,
                             int64_t free) {
    sets->maps = maps;
    sets->free = frees;
    sets->all = instances >= 64 ? UINT64_MAX : (UINT64_C(1) << instances) - 1;
    sets->count = 1;
    sets->unused = 0;
    maps[0] = sets->all;
    frees[0] = free;
}

uint32_t vcs_count_instances(uint64_t map) {
    uint32_t count = 0;
    for (; map != 0; map &= map - 1) {
        count++;
    }
    return count;
}

void vcs_instance_sets_confine(vcs_instance_sets *sets, uint64_t allowed) {
    allowed &= sets->all;
    for (uint32_t i = 0; i < sets->count; i++) {
        if (sets->maps[i] == allowed) {
            return;
        }
    }
    sets->maps[sets->count] = allowed;
    sets->free[sets->count] = (int64_t)vcs_count_instances(allowed) * VCS_ONE;
    sets->count++;
}

static int holds(const vcs_instance_sets *sets, uint32_t set, uint64_t allowed) {
    return (allowed & sets->all & ~sets->maps[set]) == 0;
}

int64_t vcs_instance_sets_free(const vcs_instance_sets *sets, uint64_t allowed) {
    int64_t least = sets->free[0];
    for (uint32_t i = 1; i < sets->count; i++) {
        if (sets->free[i] < least && holds(sets, i, allowed)) {
            least = sets->free[i];
        }
    }
    return least;
}

void vcs_instance_sets_use(vcs_instance_sets *sets, uint64_t allowed, int64_t units) {
    for (uint32_t i = 0; i < sets->count; i++) {
        if (holds(sets, i, allowed)) {
            sets->free[i] -= units;
        }
    }
}
