/*
 * The policy that a command works with: a profile, changed by the [client] section of the state file, changed by the
 * command line.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_POLICY_POLICY_H
#define VCS_EMU_SCENARIO_POLICY_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vcemu/policy.h>
#include <vcemu/scenario.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/scenario/text/ini.h"

/* What the command line says about it. */
struct policy_wish {
    const char *profile;         /* --profile; NULL = as in the file */
    const char *const *settings; /* each "parameter=value", as given to --set */
    size_t setting_count;
    size_t varied_count;                   /* how many of the settings, the last ones, are of --vary */
    double days;                           /* how many to emulate; 0 = as long as the file says */
    const char *policy;                    /* --policy: a shared library; NULL or "none" = the built-in policy */
    const char *policy_argument;           /* what it is told; NULL = nothing */
    const vcs_policy *own_policy;          /* of the program that calls, rather than `policy`; NULL = none */
    const char *own_policy_name;           /* stands for it */
    bool has_seed;                         /* --seed: instead of that of the file */
    uint32_t seed;
};

/* Reads and checks the options of a program; NULL = none. Returns false and describes what is wrong. */
bool vcs_scn_policy_read_wish(const vcs_file_options *options, struct policy_wish *wish, struct fault *fault);

/*
 * Checks the wishes on their own, so that an error on the command line is reported as such. Returns false and
 * describes what is wrong.
 */
bool vcs_scn_policy_check_wish(const struct policy_wish *wish, struct fault *fault);

/*
 * Puts the policy together. `client` is the [client] section or NULL if there is none; `wish` has been checked. Former
 * names of parameters are added to `note`, if it is not NULL. A fault names the line of the file, or the option.
 */
bool vcs_scn_policy_read(vcs_parameters *parameters, const struct policy_wish *wish,
                         const struct ini_document *document, const struct ini_section *client, struct fault *note,
                         struct fault *fault);

/* The present name of a parameter that may be given by a former name. */
const char *vcs_scn_policy_current_name(const char *name);

/* The profile of this name; VCS_NONE if there is none. */
uint32_t vcs_scn_policy_find_profile(const char *name);

/* Does the command line set this parameter itself? */
bool vcs_scn_policy_is_wished(const struct policy_wish *wish, const char *name);

#endif
