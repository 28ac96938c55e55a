/*
 * A state as in any_state.h, whose tasks stand in a queue for admission: which of them take part, and in which order
 * they are due, is one of a few choices.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_PROOF_ANY_QUEUE_H
#define VCS_PROOF_ANY_QUEUE_H

#include "any_state.h"

/* How many of the tasks take part, and which, by deadline; then the others. */
static const uint32_t queues[][1 + TASKS] = {
    {0, 0, 1, 2}, {1, 0, 1, 2}, {1, 1, 0, 2}, {2, 0, 1, 2}, {2, 1, 0, 2}, /* all on a CPU */
    {1, 2, 0, 1}, {2, 0, 2, 1}, {2, 2, 0, 1}, {2, 1, 2, 0}, {2, 2, 1, 0}, /* one on the GPU */
};

/* Behind the choice of a number comes the annotation "split", so that each is looked at on a path of its own. */
static void take_queue(uint32_t number) {
    for (uint32_t i = 0; i < TASKS; i++) {
        const uint32_t task = queues[number][1 + i];
        vcs_deadline_order(state)[i] = task;
        vcs_prepared_tasks(state)[task].takes_part = i < queues[number][0];
    }
    any_prepared_task(&vcs_prepared_tasks(state)[TASKS]); /* the candidate */
}

#endif
