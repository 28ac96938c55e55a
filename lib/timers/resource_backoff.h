/*
 * The backoff of a project for one resource, where its record, the present and the draw have been checked.
 *
 * Rule 3.3; worked by hand in tests/timers/test_backoff.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_TIMERS_RESOURCE_BACKOFF_H
#define VCS_TIMERS_RESOURCE_BACKOFF_H

#include <vcsched/backoff.h>

void vcs_resource_refused(vcs_resource_backoff *backoff, const vcs_backoff_range *range, double now, double u);
void vcs_resource_arrived(vcs_resource_backoff *backoff);

#endif
