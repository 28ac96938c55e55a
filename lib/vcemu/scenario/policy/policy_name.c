/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/policy/policy_name.h"

#include <ctype.h>
#include <string.h>

/* The parts of a name, in order, each with a 1 or a 2, and the parameters that they choose. */
static const struct {
    char part[3];
    const char *parameter;
} choices[] = {
    {"CS", "scheduling"},
    {"WF", "work_fetch"},
    {"WS", "work_send"},
    {"JC", "use_dcf"},
};

#define CHOICES (sizeof choices / sizeof *choices)
#define PART_LENGTH 4 /* of "CS1_", and of the last with its end */

/* With the two letters, in upper or lower case. */
static bool begins(const char *text, const char *letters) {
    return tolower((unsigned char)text[0]) == tolower((unsigned char)letters[0]) &&
           tolower((unsigned char)text[1]) == tolower((unsigned char)letters[1]);
}

/* Begins as names do, without anything that only a path has. */
bool vcs_scn_policy_name_is(const char *text) {
    return text != NULL && begins(text, "CS") && strpbrk(text, "./\\") == NULL;
}

bool vcs_scn_policy_name_check(const char *text, struct fault *fault) {
    bool is_name = strlen(text) == CHOICES * PART_LENGTH - 1;
    for (size_t i = 0; is_name && i < CHOICES; i++) {
        const char *part = text + i * PART_LENGTH;
        is_name = begins(part, choices[i].part) && (part[2] == '1' || part[2] == '2') &&
                  part[3] == (i + 1 < CHOICES ? '_' : '\0');
    }
    return is_name || vcs_scn_fault_set(fault,
                                        "--policy %s: the study's policies are called CSa_WFb_WSc_JCd, such as "
                                        "CS2_WF1_WS1_JC2, with 1 or 2 for each letter",
                                        vcs_scn_fault_quote(text).text);
}

void vcs_scn_policy_name_set(vcs_parameters *parameters, const char *text) {
    for (size_t i = 0; i < CHOICES; i++) {
        vcs_parameter_set(parameters, vcs_parameter_find(choices[i].parameter), text[i * PART_LENGTH + 2] - '1');
    }
}

bool vcs_scn_policy_name_sets(const char *text, const char *parameter) {
    for (size_t i = 0; vcs_scn_policy_name_is(text) && i < CHOICES; i++) {
        if (strcmp(choices[i].parameter, parameter) == 0) {
            return true;
        }
    }
    return false;
}
