/* SPDX-License-Identifier: MIT */
#include "command/value_words.h"

#include <vcsched/parameters.h>

#include "vcemu/sweep/figures/sweep_statistics.h"

struct taker {
    void (*take)(void *context, const char *word);
    void *context;
};

/* KEY=WORD, or KEY= for a value that goes on. */
static void take_pair(const struct taker *taker, const char *key, const char *word) {
    char text[128];
    snprintf(text, sizeof text, "%s=%s", key, word);
    taker->take(taker->context, text);
}

static void take_profiles(const struct taker *taker, const char *key) {
    for (uint32_t profile = 0; profile < VCS_PROFILE_COUNT; profile++) {
        if (key == NULL) {
            taker->take(taker->context, vcs_profile_name(profile));
        } else {
            take_pair(taker, key, vcs_profile_name(profile));
        }
    }
}

static void take_policies(const struct taker *taker) {
    for (unsigned number = 0; number < 16; number++) {
        char text[32];
        snprintf(text, sizeof text, "CS%u_WF%u_WS%u_JC%u", 1 + (number >> 3 & 1), 1 + (number >> 2 & 1),
                 1 + (number >> 1 & 1), 1 + (number & 1));
        taker->take(taker->context, text);
    }
}

/* A choice with each of its names, any other parameter alone. */
static void take_settings(const struct taker *taker) {
    for (uint32_t i = 0; i < vcs_parameter_count(); i++) {
        vcs_parameter_info info = {.struct_size = sizeof info};
        vcs_parameter_at(i, &info);
        if (info.kind != VCS_PARAMETER_CHOICE) {
            take_pair(taker, info.name, "");
            continue;
        }
        for (uint32_t choice = (uint32_t)info.minimum; choice <= info.maximum; choice++) {
            take_pair(taker, info.name, vcs_parameter_choice(i, choice));
        }
    }
}

void value_words(enum value_kind kind, void (*take)(void *context, const char *word), void *context) {
    const struct taker taker = {take, context};
    switch (kind) {
    case VALUE_PROFILE:
        take_profiles(&taker, NULL);
        break;
    case VALUE_POLICY:
        take_policies(&taker);
        break;
    case VALUE_COMPARISON:
        take_profiles(&taker, NULL);
        take_settings(&taker);
        break;
    case VALUE_SETTING:
        take_settings(&taker);
        break;
    case VALUE_AXIS:
        take_profiles(&taker, "profile");
        take_pair(&taker, "policy", "");
        take_pair(&taker, "policy_argument", "");
        take_settings(&taker);
        break;
    case VALUE_STATISTICS:
        for (size_t i = 0; i < SWEEP_NAMED_STATISTICS; i++) {
            take(context, vcs_swp_statistic_names[i].name);
        }
        break;
    default:
        break;
    }
}
