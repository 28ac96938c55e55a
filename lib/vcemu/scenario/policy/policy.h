/*
 * The policy of a command: a profile, changed by [client] of the state file, then by the command line.
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

/* The command line, as far as it is about the policy. */
struct policy_wish {
    const char *profile;         /* --profile; NULL = as in the file */
    const char *profile_option;  /* the option that names it; NULL = "--profile" */
    const char *const *settings; /* each "parameter=value", or a path as in state_path.h, as given to --set */
    size_t setting_count;
    size_t later_count;                    /* how many of the settings, at the end, come from another option */
    const char *later_option;              /* "--vary" or "--compare" */
    double days;                           /* how many to emulate; 0 = as long as the file says */
    const char *policy; /* --policy: a shared library, or a policy of the study by its name; NULL or "none"
                                              = the built-in policy, as it is set */
    const char *policy_argument;           /* text for the policy */
    const vcs_policy *own_policy;          /* of the calling program, in place of `policy` */
    const char *own_policy_name;           /* stands for it */
    bool has_seed;                         /* --seed: replaces the seed of the file */
    uint32_t seed;
};

/* Reads and checks the options of a program; NULL = none. Returns false and describes the fault. */
bool vcs_scn_policy_read_wish(const vcs_file_options *options, struct policy_wish *wish, struct fault *fault);

/* Checks the wishes alone, so that a fault names the command line. Returns false and describes the fault. */
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

/* Reads a value of this parameter, which is a choice, by its name. Returns false and describes the fault. */
bool vcs_scn_policy_read_choice(const char *parameter, const char *text, uint32_t *choice, const struct place *place,
                                struct fault *fault);

/* Refuses a profile as the parameter `key` of an option. Returns false. */
bool vcs_scn_policy_refuse_profile_key(const char *option, const char *key, struct fault *fault);

/* The profile of this name; VCS_NONE if there is none. */
uint32_t vcs_scn_policy_find_profile(const char *name);

/* The option that made setting number `index`. */
const char *vcs_scn_policy_option(const struct policy_wish *wish, size_t index);

/* Whether a setting names a key of sections, not a parameter. */
bool vcs_scn_policy_is_path(const char *setting);

/* Does the command line set this parameter itself? */
bool vcs_scn_policy_is_wished(const struct policy_wish *wish, const char *name);

#endif
