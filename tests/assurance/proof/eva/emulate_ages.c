/*
 * The emulation of emulate_gpu.c for callers that are newer: all records of their snapshot are longer than here, by a
 * field or by as many as a task can have, alone and in a grid. Or there is no task and no project_resource, and how
 * long those are the snapshot does not say. The caller's functions look at the first and the last word of each record
 * that they are shown. (Older callers there are none: no record of a snapshot has grown since the first release.)
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcemu/host/*.c lib/vcemu/host/*/*.c
// without: lib/vcemu/host/emulate.c lib/vcemu/host/memory.c
// options: -eva-slevel 1 -eva-slevel-function vcs_emu_reserve:100,vcs_emu_show:100,resize:100,read_models:10
// options: -eva-slevel-function choose_by_caller:20,fetch_by_caller:20,ask_caller:100 -eva-no-alloc-returns-null
// options: -eva-subdivide-non-linear 1 -eva-auto-loop-unroll 8 -eva-widening-delay 4 -eva-widening-period 1
// options: -eva-split-return= -eva-split-return-function vcs_emu_show:0,resize:0,vcs_emu_reserve:0
#include <vcsched/vcsched.h>

#include <stdint.h>

#define RESOURCES 2
#define PROJECTS 2
#define APPS 2
#define MOST 2 /* tasks, jobs on offer, results */

static uint32_t longer; /* bytes by which the caller's records are longer */
#define LONGER longer
#define MOST_LONGER (VCS_LARGEST_STRUCT - sizeof(vcs_task)) /* tasks and projects are the longest */
#define LOOKS_AT_ALL

#include "field_check.h"
#include "grid_answers.h"

static void of_age(uint32_t bytes) {
    longer = bytes;
    clear_places();
    const vcs_scenario scenario = any_scenario();
    const vcs_hooks hooks = any_hooks();
    MAY_PASS(emulate(&scenario, &hooks));
    emulate_in_grid(&scenario, &hooks);
}

static void of_no_size(void) {
    longer = 8;
    clear_places();
    vcs_scenario scenario = any_scenario();
    const vcs_hooks hooks = any_hooks();
    scenario.snapshot.tasks = (vcs_array){{NULL}, Frama_C_unsigned_int_interval(0, sizeof(vcs_task) - 1), 0};
    scenario.snapshot.project_resources =
        (vcs_array){{NULL}, Frama_C_unsigned_int_interval(VCS_LARGEST_STRUCT + 1, UINT32_MAX), 0};
    MAY_PASS(emulate(&scenario, &hooks));
}

int main(void) {
    of_age(8);
    of_age(MOST_LONGER);
    of_no_size();
    return 0;
}
