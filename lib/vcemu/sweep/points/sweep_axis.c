/* SPDX-License-Identifier: MIT */
#include "vcemu/sweep/points/sweep_axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vcsched/parameters.h>

#include "vcemu/scenario/policy/policy.h"
#include "vcemu/scenario/text/bytes.h"
#include "vcemu/scenario/text/parse_number.h"

/* ---- the key ---- */

bool vcs_swp_axis_is_option(const struct sweep_axis *axis) {
    static const char *const options[] = {"profile", "policy", "policy_argument"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (axis->path.kind == STATE_CLIENT && strcmp(axis->path.entry, options[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool read_parameter(struct sweep_axis *axis, struct fault *fault) {
    axis->path.kind = STATE_CLIENT;
    axis->path.entry = axis->key;
    return vcs_swp_axis_is_option(axis) || vcs_parameter_find(axis->path.entry) != VCS_NONE ||
           vcs_scn_fault_set(fault, "%s %s: there is no such parameter; keys of sections are KIND.KEY", axis->origin,
                             vcs_scn_fault_quote(axis->path.entry).text);
}

/* Finds the key, and returns its values, or NULL. */
static char *read_key(struct sweep_axis *axis, struct fault *fault) {
    char *const first = strchr(axis->text, '=');
    axis->key = axis->text;
    if (first == NULL || first == axis->text) {
        vcs_scn_fault_set(fault, "%s %s: expected KEY=VALUES", axis->origin, vcs_scn_fault_quote(axis->text).text);
        return NULL;
    }
    if (!vcs_scn_policy_is_path(axis->text)) {
        *first = '\0';
        return read_parameter(axis, fault) ? first + 1 : NULL;
    }
    char *values = vcs_scn_state_path_read(&axis->path, axis->text, axis->text + strlen(axis->text) + 1);
    if (values == NULL) {
        vcs_scn_state_path_refuse(axis->path.grammar, axis->origin, axis->key, fault);
    }
    return values;
}

static bool is_seed(const struct sweep_axis *axis) {
    return axis->path.kind == STATE_EMULATION && strcmp(axis->path.entry, "seed") == 0;
}

/* ---- the values ---- */

static bool refuse_values(const struct sweep_axis *axis, const char *what, struct fault *fault) {
    return vcs_scn_fault_set(fault, "%s %s: %s", axis->origin, vcs_scn_fault_quote(axis->key).text, what);
}

/* How many values a range has; 0 if it never gets from one end to the other. */
static uint64_t count_range(double from, double to, double step, bool geometric) {
    double steps;
    if (from == to) {
        return 1;
    }
    if (geometric) {
        if (from == 0 || step <= 0 || step == 1 || !(to / from > 0)) {
            return 0;
        }
        steps = log(to / from) / log(step);
    } else {
        steps = step == 0 ? -1 : (to - from) / step;
    }
    if (!(steps >= 0)) {
        return 0;
    }
    steps = floor(steps * (1 + 1e-12)); /* 0.1 has no exact double, and 0:1:0.1 is to end with 1 */
    return steps < (double)SWEEP_MOST_POINTS ? (uint64_t)steps + 1 : SWEEP_MOST_POINTS + 1;
}

/* FROM:TO:STEP or FROM:TO:xFACTOR. `colons` are the places of the colons. */
static bool read_range(struct sweep_axis *axis, struct sweep_item *item, char *text, char *const colons[2],
                       struct fault *fault) {
    const char *step = colons[1] + 1;
    double to;
    *colons[0] = *colons[1] = '\0';
    item->geometric = step[0] == 'x';
    step += item->geometric;
    if (vcs_scn_number_read(text, &item->from) != NUMBER_OK || vcs_scn_number_read(colons[0] + 1, &to) != NUMBER_OK ||
        vcs_scn_number_read(step, &item->step) != NUMBER_OK) {
        return refuse_values(axis, "a range is FROM:TO:STEP or FROM:TO:xFACTOR, in numbers", fault);
    }
    item->count = count_range(item->from, to, item->step, item->geometric);
    return item->count != 0 || refuse_values(axis, "the range is empty: its steps do not lead to its end", fault);
}

static bool is_blank(char character) {
    return character == ' ' || character == '\t';
}

static bool read_item(struct sweep_axis *axis, struct sweep_item *item, char *text, struct fault *fault) {
    char *colons[2] = {NULL, NULL};
    size_t colon_count = 0;
    text += strspn(text, " \t");
    for (size_t length = strlen(text); length > 0 && is_blank(text[length - 1]); length--) {
        text[length - 1] = '\0';
    }
    for (char *place = text; *place != '\0'; place++) {
        if ((unsigned char)*place < 0x20 || *place == 0x7f) {
            return refuse_values(axis, "a value contains a control character", fault);
        }
        if (*place == '\\' && place[1] != '\0') {
            place++;
        } else if (*place == ':') {
            colons[colon_count == 0 ? 0 : 1] = place;
            colon_count++;
        }
    }
    *item = (struct sweep_item){.word = text, .count = 1};
    if (colon_count == 2) {
        item->word = NULL;
        return read_range(axis, item, text, colons, fault);
    }
    if (colon_count != 0) {
        return refuse_values(
            axis, "a range is FROM:TO:STEP or FROM:TO:xFACTOR; a \\ before a : makes it part of a word", fault);
    }
    item->word = vcs_scn_bytes_word(&text); /* all of it, without escapes */
    return item->word[0] != '\0' || refuse_values(axis, "a value is missing", fault);
}

/* The place of the comma that ends the item, or of the end. */
static char *end_of_item(char *text) {
    while (*text != '\0' && *text != ',') {
        text += *text == '\\' && text[1] != '\0' ? 2 : 1;
    }
    return text;
}

static bool read_values(struct sweep_axis *axis, char *values, struct fault *fault) {
    size_t most = 1;
    for (const char *comma = values; (comma = strchr(comma, ',')) != NULL; comma++) {
        most++;
    }
    axis->items = calloc(most, sizeof *axis->items);
    if (axis->items == NULL) {
        return refuse_values(axis, "there is not enough memory", fault);
    }
    axis->value_size = SWEEP_NUMBER_SIZE;
    for (bool more = true; more;) {
        char *end = end_of_item(values);
        struct sweep_item *item = &axis->items[axis->item_count++];
        more = *end == ',';
        *end = '\0';
        if (!read_item(axis, item, values, fault)) {
            return false;
        }
        axis->count += item->count;
        if (axis->count > SWEEP_MOST_POINTS) {
            return refuse_values(axis, "it has more than 1000000000 values", fault);
        }
        if (item->word != NULL && strlen(item->word) >= axis->value_size) {
            axis->value_size = strlen(item->word) + 1;
        }
        values = end + 1;
    }
    return true;
}

/* ---- the axis ---- */

/* Room for the text of `size` bytes and a copy to split. */
static bool make_text(struct sweep_axis *axis, const char *origin, size_t size, const struct state_grammar *grammar,
                      struct fault *fault) {
    *axis = (struct sweep_axis){.origin = origin, .text = malloc(2 * size), .path.grammar = grammar};
    return axis->text != NULL || vcs_scn_fault_memory(fault, origin);
}

static bool refuse_seed(const struct sweep_axis *axis, struct fault *fault) {
    return vcs_scn_fault_set(fault, "%s %s: --seeds says how many seeds there are", axis->origin, axis->key);
}

bool vcs_swp_axis_read(struct sweep_axis *axis, const char *option, const char *text,
                       const struct state_grammar *grammar, struct fault *fault) {
    const size_t size = strlen(text) + 1;
    if (!make_text(axis, option, size, grammar, fault)) {
        return false;
    }
    memcpy(axis->text, text, size);
    char *values = read_key(axis, fault);
    if (values == NULL || !read_values(axis, values, fault)) {
        return false;
    }
    return !is_seed(axis) || refuse_seed(axis, fault);
}

bool vcs_swp_axis_read_column(struct sweep_axis *axis, const char *origin, const char *key, bool of_hosts,
                              const struct state_grammar *grammar, struct fault *fault) {
    static const char host[] = "host.";
    const bool is_short =
        of_hosts && strchr(key, '.') == NULL && vcs_scn_state_section_key(grammar->sections[STATE_HOST], key) != NULL;
    const size_t size = strlen(key) + sizeof host;
    if (!make_text(axis, origin, size, grammar, fault)) {
        return false;
    }
    char *parts = axis->text + size;
    strcpy(axis->text, key);
    axis->key = axis->text;
    if (strchr(key, '.') == NULL && !is_short) {
        return read_parameter(axis, fault);
    }
    snprintf(parts, size, "%s%s", is_short ? host : "", key);
    if (!vcs_scn_state_path_split(&axis->path, parts)) {
        return vcs_scn_state_path_refuse(grammar, origin, axis->key, fault);
    }
    return !is_seed(axis) || refuse_seed(axis, fault);
}

void vcs_swp_axis_fill(struct sweep_axis *axis, const char *const *cells, size_t stride, uint64_t count) {
    axis->cells = cells;
    axis->stride = stride;
    axis->count = count;
    axis->value_size = 1;
    for (uint64_t i = 0; i < count; i++) {
        const size_t size = strlen(cells[i * stride]) + 1;
        axis->value_size = size > axis->value_size ? size : axis->value_size;
    }
}

void vcs_swp_axis_free(struct sweep_axis *axis) {
    free(axis->items);
    free(axis->text);
    *axis = (struct sweep_axis){.text = NULL};
}

/* base to the power of `exponent` by multiplication, which gives the same on every machine. */
static double power(double base, uint64_t exponent) {
    double result = 1;
    for (; exponent != 0; exponent /= 2) {
        result = exponent % 2 == 0 ? result : result * base;
        base *= base;
    }
    return result;
}

const char *vcs_swp_axis_value(const struct sweep_axis *axis, uint64_t index, char text[SWEEP_NUMBER_SIZE]) {
    if (axis->cells != NULL) {
        return axis->cells[index * axis->stride];
    }
    const struct sweep_item *item = axis->items;
    while (index >= item->count) {
        index -= item->count;
        item++;
    }
    if (item->word != NULL) {
        return item->word;
    }
    const double value =
        item->geometric ? item->from * power(item->step, index) : item->from + (double)index * item->step;
    snprintf(text, SWEEP_NUMBER_SIZE, "%.12g", value == 0 ? 0 : value);
    return text;
}

bool vcs_swp_axes_meet(const struct sweep_axis *one, const struct sweep_axis *other) {
    return one->path.kind != SWEEP_KIND_FILE && vcs_scn_state_paths_meet(&one->path, &other->path);
}
