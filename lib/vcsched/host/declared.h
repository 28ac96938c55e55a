/*
 * What applications declare of their tasks: vcs_app_resource.use.
 *
 * Rules 4.3 and 6.6; the plain reference is tests/oracle/oracle_records.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_HOST_DECLARED_H
#define VCS_HOST_DECLARED_H

#include "vcsched/host/prepared.h"

#include <stdbool.h>

/* Adds up what is declared, project by project, from the converted records. O((projects + apps) * resources). */
void vcs_add_up_declared_uses(vcs_state *state);

/* Whether an application declares a use on some resource. O(resources). */
bool vcs_app_declares(const vcs_state *state, uint32_t app);

/* Whether an application declares that it has tasks for a resource; asked where such records are given. */
static inline bool vcs_app_declares_for(const vcs_state *state, uint32_t app, uint32_t resource) {
    return vcs_app_resources(state)[(size_t)app * state->resource_count + resource].use > 0.0;
}

/* Whether all applications of a project are listed and none of them has tasks for a resource. `place`: by project. */
static inline bool vcs_declares_no_apps(const vcs_state *state, uint32_t project, uint64_t place) {
    const vcs_declared_use *declared = vcs_declared_use_of(state, place);
    return declared != NULL && declared->apps > 0 && declared->possible == 0 &&
           (vcs_projects(state)[project].flags & VCS_PROJECT_APPS_LISTED) != 0;
}

#endif
