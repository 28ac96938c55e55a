/*
 * A policy to compare, as text: "NAME: PROFILE, PARAMETER=VALUE, ...".
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef STUDY_POLICY_H
#define STUDY_POLICY_H

#include <vcsched/parameters.h>

#define MOST_CHANGES 24

struct policy {
    char name[32];
    uint32_t profile; /* VCS_PROFILE_* */
    uint32_t change_count;
    struct {
        uint32_t parameter; /* row of the table of parameters */
        double value;
    } changes[MOST_CHANGES];
};

/* Reads one. Without a name it is called as it is written. Returns NULL, or what is wrong. */
const char *policy_read(struct policy *policy, const char *text);

/* The parameters under a policy of a host with these buffers; the policy may change them, too. */
void policy_parameters(const struct policy *policy, double min_buffer, double additional_buffer,
                       vcs_parameters *parameters);

#endif
