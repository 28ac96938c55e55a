/*
 * The functions of libvcemu that fill structs and name events.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcsched/core/number.c lib/vcsched/interface/*/*.c
// sources: lib/vcemu/interface/event_names.c lib/vcemu/host/failure.c lib/vcemu/host/setup.c
// sources: lib/vcemu/grid/emulate_grid.c
#include <vcemu/grid.h>
#include <vcsched/vcsched.h>

#include "any.h"

int code;

int main(void) {
    vcs_emulation emulation;
    vcs_grid_project project;
    vcs_grid_terms terms;
    MAY_PASS(vcs_emulation_init(&emulation, sizeof emulation, ANY_U32()));
    MAY_PASS(vcs_grid_project_init(&project, sizeof project));
    MAY_PASS(vcs_grid_terms_init(&terms, sizeof terms));
    const char *name = vcs_event_name(ANY_U32());
    const char *idle = vcs_idle_name(ANY_U32());
    const char *sentence = vcs_idle_sentence(ANY_U32());
    return 0;
}
