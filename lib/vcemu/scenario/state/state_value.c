/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/state/state_value.h"

#include <math.h>
#include <string.h>

#include "vcemu/scenario/policy/policy.h"
#include "vcemu/scenario/text/bytes.h"
#include "vcemu/scenario/text/parse_number.h"
#include "vcemu/scenario/text/switch.h"

/* A value, and its place. */
struct value {
    const struct state_key *key;
    const char *text;
    const struct place *place;
    struct fault *fault;
};

static bool refuse(const struct value *value, const char *what) {
    return vcs_scn_fault_at(value->fault, value->place, "\"%s\" %s", vcs_scn_fault_quote(value->text).text, what);
}

static bool read_number(const struct value *value, double *number) {
    enum number_problem problem = vcs_scn_number_read(value->text, number);
    if (problem != NUMBER_OK) {
        return refuse(value, vcs_scn_number_problem_text(problem));
    }
    if (value->key->range != RANGE_OF_LIBRARY && *number < 0) {
        return refuse(value, "is negative");
    }
    if (value->key->range == RANGE_FRACTION && *number > 1) {
        return refuse(value, "is more than 1");
    }
    return true;
}

static bool read_number_or_never(const struct value *value, double *number) {
    if (vcs_scn_bytes_are_word(value->text, "never", strlen("never"))) {
        *number = INFINITY;
        return true;
    }
    return read_number(value, number);
}

static bool read_whole(const struct value *value, double least, double greatest, double *number) {
    if (!read_number(value, number)) {
        return false;
    }
    if (!vcs_scn_number_is_whole(*number)) {
        return refuse(value, "is not a whole number");
    }
    if (*number < least) {
        return refuse(value, least < 0 ? "is too far below 0" : "is negative");
    }
    return *number <= greatest || refuse(value, "is too large");
}

static bool read_switch(const struct value *value, uint32_t *bits) {
    bool on;
    if (!vcs_scn_switch_read(value->text, &on)) {
        return refuse(value, SWITCH_PROBLEM);
    }
    *bits = on ? *bits | value->key->bit : *bits & ~value->key->bit;
    return true;
}

/* "0, 2, 3": a bit for each number. */
static bool read_instances(const struct value *value, uint64_t *bits) {
    const char *text = value->text;
    for (bool more = true; more;) {
        char item[32]; /* longer than any number wanted */
        double number = -1;
        more = vcs_scn_bytes_item(&text, item, sizeof item);
        if (strlen(item) > sizeof item / 2 || vcs_scn_number_read(item, &number) != NUMBER_OK ||
            !vcs_scn_number_is_whole(number) || number < 0 || number > 63) {
            return refuse(value, "is not a list of instances, each from 0 to 63, with commas between");
        }
        *bits |= UINT64_C(1) << (unsigned)number;
    }
    return true;
}

static bool read_word(const struct value *value, uint32_t *which) {
    const char *words = value->key->words;
    uint32_t number = 0;
    for (const char *word = words + 1; *word != '\0'; number++) {
        const size_t length = strcspn(word, " ");
        if (vcs_scn_bytes_are_word(value->text, word, length)) {
            *which = number;
            return true;
        }
        word += length + 1;
    }
    return vcs_scn_fault_at(value->fault, value->place, "\"%s\" is not one of its values:%.*s",
                            vcs_scn_fault_quote(value->text).text, (int)(strlen(words) - 1), words);
}

bool vcs_scn_state_value_read(const struct state_key *key, const char *text, void *target, const struct place *place,
                              struct fault *fault) {
    const struct value value = {key, text, place, fault};
    double number = 0;
    if (text[0] == '\0') {
        return vcs_scn_fault_at(fault, place, "has no value");
    }
    switch (key->form) {
    case FORM_NUMBER:
        return read_number(&value, target);
    case FORM_NUMBER_OR_NEVER:
        return read_number_or_never(&value, target);
    case FORM_WHOLE:
        if (!read_whole(&value, 0, UINT32_MAX, &number)) {
            return false;
        }
        *(uint32_t *)target = (uint32_t)number;
        return true;
    case FORM_WHOLE_SIGNED:
        if (!read_whole(&value, INT32_MIN, INT32_MAX, &number)) {
            return false;
        }
        *(int32_t *)target = (int32_t)number;
        return true;
    case FORM_SWITCH:
        return read_switch(&value, target);
    case FORM_NAME:
        *(const char **)target = text;
        return true;
    case FORM_INSTANCES:
        return read_instances(&value, target);
    case FORM_WORD:
        return read_word(&value, target);
    case FORM_CHOICE:
        return vcs_scn_policy_read_choice(key->field, text, target, place, fault);
    }
    return false;
}
