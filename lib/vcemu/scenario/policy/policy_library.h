/*
 * A policy in C that is loaded from a shared library, vcemu_policy.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_POLICY_POLICY_LIBRARY_H
#define VCS_EMU_SCENARIO_POLICY_POLICY_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

#include "vcemu/scenario/text/fault.h"
#include <vcemu/policy.h>

/* All zero: none, the built-in policy. */
struct policy_library {
    void *handle;
    const vcs_policy *policy;
};

/* The name that stands for the built-in policy. */
#define POLICY_NONE "none"

/*
 * Loads the library `path` of --policy. Without a / in its name it is looked for in the current directory, not where
 * the system has its libraries. NULL, "none" and the study's names load none. Returns false and describes the fault.
 * Either way, vcs_scn_policy_library_close() is due.
 */
bool vcs_scn_policy_library_open(struct policy_library *library, const char *path, struct fault *fault);

/*
 * Was the policy, which messages call `path`, compiled for this library or an older one of the same version? Returns
 * false and describes what is wrong.
 */
bool vcs_scn_policy_library_check(const vcs_policy *policy, const char *path, struct fault *fault);

void vcs_scn_policy_library_close(struct policy_library *library);

/* A hash of the contents of the file; 0 without a file. */
uint64_t vcs_scn_policy_library_mark(const char *path);

#endif
