/* SPDX-License-Identifier: MIT */
#include "policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *text) {
    return text + strspn(text, " \t");
}

/* Copies a word that ends before one of `ends`, without the blanks around it. Returns where it ends. */
static const char *read_word(const char *text, const char *ends, char *word, size_t size) {
    text = skip_blanks(text);
    const size_t all = strcspn(text, ends);
    size_t length = all;
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) {
        length--;
    }
    length = length < size ? length : size - 1;
    memcpy(word, text, length);
    word[length] = '\0';
    return text + all;
}

static int find_profile(const char *name, uint32_t *profile) {
    for (uint32_t i = 0; *vcs_profile_name(i) != '\0'; i++) {
        if (strcmp(vcs_profile_name(i), name) == 0) {
            *profile = i;
            return 1;
        }
    }
    return 0;
}

/* A number, or the name of a choice. */
static int read_value(uint32_t row, const char *text, double *value) {
    vcs_parameter_info info = {.struct_size = sizeof info};
    char *end;
    vcs_parameter_at(row, &info);
    for (uint32_t i = 0; i < info.choices; i++) {
        if (strcmp(vcs_parameter_choice(row, i), text) == 0) {
            *value = i;
            return 1;
        }
    }
    *value = strtod(text, &end);
    return *text != '\0' && *end == '\0';
}

const char *policy_read(struct policy *policy, const char *text) {
    char word[64], number[64];
    vcs_parameters tried;
    memset(policy, 0, sizeof *policy);
    const char *rest = strchr(text, ':');
    read_word(text, rest != NULL ? ":" : "", policy->name, sizeof policy->name);
    rest = read_word(rest != NULL ? rest + 1 : text, ",", word, sizeof word);
    if (strpbrk(policy->name, ",\"\n") != NULL && strchr(text, ':') != NULL) {
        return "a name has no comma";
    }
    for (char *c = policy->name; *c != '\0'; c++) {
        *c = *c == ',' || *c == '"' ? ' ' : *c;
    }
    if (!find_profile(word, &policy->profile)) {
        return "there is no such profile";
    }
    vcs_parameters_init(&tried, sizeof tried, policy->profile);
    while (*rest == ',') {
        rest = read_word(rest + 1, ",=", word, sizeof word);
        rest = read_word(*rest == '=' ? rest + 1 : rest, ",", number, sizeof number);
        const uint32_t row = vcs_parameter_find(word);
        double value;
        if (row == VCS_NONE) {
            return "there is no such parameter";
        }
        if (policy->change_count == MOST_CHANGES) {
            return "too many parameters";
        }
        if (!read_value(row, number, &value) || vcs_parameter_set(&tried, row, value) != VCS_OK) {
            return "a parameter cannot have this value";
        }
        policy->changes[policy->change_count].parameter = row;
        policy->changes[policy->change_count++].value = value;
    }
    return NULL;
}

void policy_parameters(const struct policy *policy, double min_buffer, double additional_buffer,
                       vcs_parameters *parameters) {
    vcs_parameters_init(parameters, sizeof *parameters, policy->profile);
    parameters->min_buffer = min_buffer;
    parameters->additional_buffer = additional_buffer;
    for (uint32_t i = 0; i < policy->change_count; i++) {
        vcs_parameter_set(parameters, policy->changes[i].parameter, policy->changes[i].value);
    }
}
