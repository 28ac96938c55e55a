/*
 * An emulation (chapter 12) of the smallest host: a project with an application, CPUs alone, one task at first, and
 * memory for no more than two tasks, two jobs on offer and two results at a time. All other numbers are any in their
 * ranges, and so is what libvcsched answers and what the caller's functions decide. Memory may run out at any time;
 * how the emulator keeps it is proved apart. Then the same host in a grid, whose servers give anything.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcemu/host/*.c lib/vcemu/host/*/*.c
// without: lib/vcemu/host/emulate.c lib/vcemu/host/memory.c
// options: -eva-slevel 1 -eva-slevel-function vcs_emu_reserve:100 -eva-no-alloc-returns-null
// options: -eva-subdivide-non-linear 1 -eva-auto-loop-unroll 8 -eva-widening-delay 4 -eva-widening-period 1
// options: -eva-split-return=
#include <vcsched/vcsched.h>

#define RESOURCES 1
#define PROJECTS 1
#define APPS 1
#define MOST 2 /* tasks, jobs on offer, results */

#include "grid_answers.h"

int main(void) {
    const vcs_scenario scenario = any_scenario();
    const vcs_hooks hooks = any_hooks();
    MAY_PASS(emulate(&scenario, &hooks));
    emulate_in_grid(&scenario, &hooks);
    return 0;
}
