/*
 * The vote in which results weigh by the credibility of their clients.
 *
 * Rule 11.3; worked by hand in tests/verify/test_credibility.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_VERIFY_CREDIBILITY_H
#define VCS_VERIFY_CREDIBILITY_H

#include "verify/poll.h"

/* The most credible class, and whether its doubt is small enough to win. O(ballots). */
vcs_poll_result vcs_most_credible(const vcs_poll *poll);

#endif
