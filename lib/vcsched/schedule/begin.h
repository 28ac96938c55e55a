/*
 * Beginning a choice of tasks: memory, the room on the host, and when each task is offered.
 *
 * Rules 5.1, 5.4, 5.5 and 5.6; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_BEGIN_H
#define VCS_SCHEDULE_BEGIN_H

#include "vcsched/schedule/late.h"
#include "vcsched/schedule/turn.h"

/* All stages of one choice. */
typedef struct vcs_choice {
    vcs_selection selection;
    vcs_placement placement;
    vcs_late late;
    vcs_turns turns;
    vcs_offer *offers;    /* per task */
    vcs_sort_item *items; /* tasks in the order of their offers; twice as many, for sorting */
} vcs_choice;

/*
 * Lays out a choice in the scratch memory, on an empty host. With `explains`, every task gets its reason. `yield_to`:
 * units of the wide task to which slices yield, 0 = none.
 */
void vcs_begin_choice(vcs_choice *choice, vcs_state *state, uint32_t explains, int64_t yield_to);

/* Says when each task is offered, as long as none is known to be late, and holds the devices of running tasks. */
void vcs_begin_offers(vcs_choice *choice);

#endif
