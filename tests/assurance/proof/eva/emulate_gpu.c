/*
 * The emulation of emulate.c for a host with a GPU, two projects and two applications, each of either project and of
 * the CPUs or the GPU, alone and in a grid. Memory is for no more than two tasks, two jobs on offer and two results at
 * a time.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcemu/host/*.c lib/vcemu/host/*/*.c
// without: lib/vcemu/host/emulate.c lib/vcemu/host/memory.c
// options: -eva-slevel 1 -eva-slevel-function vcs_emu_reserve:100,take_models:10 -eva-no-alloc-returns-null
// options: -eva-subdivide-non-linear 1 -eva-auto-loop-unroll 8 -eva-widening-delay 4 -eva-widening-period 1
// options: -eva-split-return=
#include <vcsched/vcsched.h>

#define RESOURCES 2
#define PROJECTS 2
#define APPS 2
#define MOST 2 /* tasks, jobs on offer, results */

#include "grid_answers.h"

int main(void) {
    const vcs_scenario scenario = any_scenario();
    const vcs_hooks hooks = any_hooks();
    MAY_PASS(emulate(&scenario, &hooks));
    emulate_in_grid(&scenario, &hooks);
    return 0;
}
