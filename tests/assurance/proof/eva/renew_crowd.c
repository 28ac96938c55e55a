/*
 * Renewing a state the quick way where few tasks of many have moved: one of 33 at most, and of 33 or 32 before and now.
 * Whether two other records are the same is any answer.
 *
 * All tasks in order again, where that is needed, is what `state` proves; here it is any order.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: states
// without: lib/vcsched/host/order.c lib/vcsched/host/reorder.c
// options: -eva-min-loop-unroll 40 -eva-slevel 100 -eva-unroll-recursive-calls 2
// options: -eva-slevel-function can_copy_host:2000,find_changed:50000,vcs_renew_quickly:5000,renew_tasks:1000
// options: -eva-slevel-function copy_host:0,next_changed:1000
// options: -eva-split-return auto
// options: -eva-split-return-function vcs_count_for_build:full,vcs_copy_input:full,vcs_count_records:full
// options: -eva-split-return-function find_changed:full,next_changed:full,note_changed:full,are_same_tasks:full
// options: -eva-split-return-function can_copy_host:0:1,are_counts_known:0:1,can_copy_candidates:0:1,is_right:0:1
// options: -eva-split-return-function note_new:0:1,vcs_task_is_right:0:1,vcs_candidate_is_right:0:1
// options: -eva-split-return-function refers_to_the_same:0:1,is_another:0:1,may_be_due_elsewhere:0:1
// options: -eva-split-return-function check_references:0,check_instances:0
#define vcs_order_tasks really_order_tasks
#include "vcsched/host/order.c"
#undef vcs_order_tasks

#define TASKS 33
#define WORK_SIZE 31032 /* what vcs_state_size() says */
#include "renewal.h"

int code;

static uint32_t is_prepared, may_differ; /* so many tasks */

int vcs_order_tasks(vcs_state *of, vcs_error *error);

int vcs_order_tasks(vcs_state *of, vcs_error *error) {
    if (!is_prepared) {
        return really_order_tasks(of, error);
    }
    any_orders();
    return EITHER() ? VCS_OK : VCS_ERR_DUPLICATE;
}

int memcmp(const void *a, const void *b, size_t size) {
    //@ assert \valid_read((char *)a + (0 .. size - 1)) && \valid_read((char *)b + (0 .. size - 1));
    //@ assert \initialized((char *)a + (0 .. size - 1)) && \initialized((char *)b + (0 .. size - 1));
    if (size != sizeof(vcs_task)) {
        return EITHER();
    }
    if (may_differ == 0 || EITHER()) {
        return 0;
    }
    may_differ--;
    return 1;
}

static int renew_crowd(uint32_t before, uint32_t now) {
    may_differ = 1;
    return renew(before, now, 1);
}

int main(void) {
    if (prepare() != VCS_OK) {
        return 0;
    }
    is_prepared = 1;
    MAY_PASS(renew_crowd(TASKS, TASKS));
    MAY_PASS(renew_crowd(TASKS, TASKS - 1));
    MAY_PASS(renew_crowd(TASKS - 1, TASKS));
    return 0;
}
