/*
 * Renewing a state the quick way: of 0 to 3 tasks before and now, which have arrived, ended, made progress or become
 * others, and a candidate or none. Whether two records are the same is any answer. Also records that it leaves to
 * preparing again: of another size, or too many.
 *
 * SPDX-License-Identifier: MIT
 */
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
