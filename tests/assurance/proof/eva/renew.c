/*
 * Renewing a state the quick way: of 0 to 3 tasks before and now, which have arrived, ended, made progress or become
 * others, and a candidate or none. Whether two records are the same is any answer. Also records that it leaves to
 * preparing again: of another size, or too many.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: states
// without: lib/vcsched/host/reorder.c
// options: -eva-min-loop-unroll 4 -eva-slevel 100 -eva-unroll-recursive-calls 2
// options: -eva-slevel-function can_copy_host:2000,find_changed:50000,vcs_renew_quickly:5000,renew_tasks:1000
// options: -eva-slevel-function copy_host:0,next_changed:1000
// options: -eva-split-return auto
// options: -eva-split-return-function vcs_count_for_build:full,vcs_copy_input:full,vcs_count_records:full
// options: -eva-split-return-function find_changed:full,next_changed:full,note_changed:full,are_same_tasks:full
// options: -eva-split-return-function can_copy_host:0:1,are_counts_known:0:1,can_copy_candidates:0:1,is_right:0:1
// options: -eva-split-return-function note_new:0:1,vcs_task_is_right:0:1,vcs_candidate_is_right:0:1
// options: -eva-split-return-function refers_to_the_same:0:1,is_another:0:1,may_be_due_elsewhere:0:1
// options: -eva-split-return-function check_references:0,check_instances:0
#include "renewal.h"

int code;

int main(void) {
    if (prepare() != VCS_OK) {
        return 0;
    }
    /*@ loop unroll 4; */
    for (uint32_t before = 0; before <= TASKS; before++) {
        /*@ loop unroll 4; */
        for (uint32_t now = 0; now <= TASKS; now++) {
            MAY_PASS(renew(before, now, now % 2));
        }
    }
    renew(TASKS, TASKS + 1, 1);
    snapshot.resources.count--;
    renew(TASKS, TASKS, 1);
    snapshot.resources.count++;
    snapshot.tasks.element_size += 8;
    renew(TASKS, TASKS, 1);
    return 0;
}
