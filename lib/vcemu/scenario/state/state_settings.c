/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/state/state_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vcemu/scenario/text/ini_edit.h"

/* A setting, taken apart. */
struct set_key {
    struct state_path path;
    char *option;      /* "--set KEY"; NULL = there is not enough memory */
    const char *text;  /* its KEY */
    const char *value; /* NULL = there is no such key */
};

/* The caller frees key.option in any case. */
static struct set_key take_apart(const char *option, const char *setting, const struct state_grammar *grammar) {
    const size_t length = strlen(option) + 1, size = strlen(setting) + 1;
    struct set_key key = {.path = {.grammar = grammar}, .option = malloc(length + 2 * size)};
    if (key.option != NULL) {
        char *const text = key.option + length;
        snprintf(key.option, length + size, "%s %s", option, setting);
        key.value = vcs_scn_state_path_read(&key.path, text, text + size);
        key.text = text;
    }
    return key;
}

/* The option that sets the same key, in the same command; NULL = none. */
static const char *other_option(const struct state_path *path, const struct policy_wish *wish) {
    if (path->kind != STATE_EMULATION) {
        return NULL;
    }
    if (strcmp(path->entry, "duration") == 0) {
        return wish->days > 0 ? "--days" : NULL;
    }
    return wish->has_seed && strcmp(path->entry, "seed") == 0 ? "--seed" : NULL;
}

static bool apply(struct ini_document *document, const struct set_key *key, struct fault *fault) {
    struct ini_entry entry = {.key = key->path.entry, .value = key->value, .option = key->option};
    return (vcs_scn_ini_keep(document, &entry) && vcs_scn_state_path_set(&key->path, document, &entry)) ||
           vcs_scn_fault_memory(fault, document->file);
}

bool vcs_scn_state_settings_apply(struct ini_document *document, const struct state_grammar *grammar,
                                  const struct policy_wish *wish, struct fault *fault) {
    bool applied = true;
    for (size_t i = 0; applied && i < wish->setting_count; i++) {
        if (!vcs_scn_policy_is_path(wish->settings[i])) {
            continue;
        }
        const char *option = vcs_scn_policy_option(wish, i);
        const struct set_key key = take_apart(option, wish->settings[i], grammar);
        const char *other = key.value == NULL ? NULL : other_option(&key.path, wish);
        if (key.option == NULL) {
            applied = vcs_scn_fault_memory(fault, option);
        } else if (key.value == NULL) {
            applied = vcs_scn_state_path_refuse(grammar, option, key.text, fault);
        } else if (other != NULL) {
            applied = vcs_scn_fault_set(fault, "%s: %s sets the same key", key.option, other);
        } else {
            applied =
                vcs_scn_state_path_leads(&key.path, document, option, key.text, fault) && apply(document, &key, fault);
        }
        free(key.option);
    }
    return applied;
}

bool vcs_scn_state_settings_meet(const struct policy_wish *wish, const struct state_path *path) {
    bool meet = false;
    for (size_t i = 0; !meet && i < wish->setting_count; i++) {
        if (vcs_scn_policy_is_path(wish->settings[i])) {
            const struct set_key key = take_apart("", wish->settings[i], path->grammar);
            meet = key.value != NULL && vcs_scn_state_paths_meet(&key.path, path);
            free(key.option);
        }
    }
    return meet;
}
