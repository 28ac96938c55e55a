/*
 * Runs the self-test of a library, for flags.sh: prints what it finds, and fails then.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <vcsched/vcsched.h>

int main(void) {
    vcs_error error = {.struct_size = sizeof error};
    const int code = vcs_self_test(&error);
    printf("%s\n", code == VCS_OK ? "" : error.message);
    return code != VCS_OK;
}
