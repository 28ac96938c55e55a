/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/state/state_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vcemu/scenario/text/bytes.h"
#include "vcemu/scenario/text/parse_number.h"

/* Longer than any number. */
#define ITEM_MAX 256

/* A list while it is read. */
struct numbers {
    const struct state_list_rule *rule;
    struct state_list *list;
    uint32_t first; /* where the list begins */
    struct place place;
    struct fault *fault;
};

bool vcs_scn_state_list_add(struct state_list *list, double number) {
    double *values = vcs_scn_bytes_grow(list->values, &list->capacity, list->count, sizeof *values);
    if (values == NULL || list->count == UINT32_MAX) {
        return false;
    }
    list->values = values;
    list->values[list->count++] = number;
    return true;
}

/* One number, without blanks around it. */
static bool read_number(const struct numbers *numbers, const char *text) {
    const struct state_list *list = numbers->list;
    double number;
    const enum number_problem problem = vcs_scn_number_read(text, &number);
    if (problem != NUMBER_OK) {
        return problem == NUMBER_EMPTY
                   ? vcs_scn_fault_at(numbers->fault, &numbers->place,
                                      "a number is missing; separate numbers with commas")
                   : vcs_scn_fault_text(numbers->fault, &numbers->place, text, vcs_scn_number_problem_text(problem));
    }
    if (number < 0) {
        return vcs_scn_fault_text(numbers->fault, &numbers->place, text, "is negative");
    }
    if (number > numbers->rule->greatest) {
        return vcs_scn_fault_text(numbers->fault, &numbers->place, text, "is too large");
    }
    if (numbers->rule->ascending && list->count > numbers->first && number < list->values[list->count - 1]) {
        return vcs_scn_fault_text(numbers->fault, &numbers->place, text, "is less than the number before it");
    }
    return vcs_scn_state_list_add(numbers->list, number) ||
           vcs_scn_fault_at(numbers->fault, &numbers->place, "there is not enough memory");
}

bool vcs_scn_state_list_read(struct state_list *list, const char *text, const struct state_list_rule *rule,
                             const struct place *place, struct fault *fault) {
    const struct numbers numbers = {.rule = rule, .list = list, .first = list->count, .place = *place, .fault = fault};
    for (bool more = true; more;) {
        char item[ITEM_MAX];
        more = vcs_scn_bytes_item(&text, item, sizeof item);
        if (!read_number(&numbers, item)) {
            return false;
        }
    }
    return true;
}

/* ---- a file of their own ---- */

static bool read_lines(struct numbers *numbers, FILE *file) {
    char line[ITEM_MAX], item[ITEM_MAX];
    while (fgets(line, sizeof line, file) != NULL) {
        const size_t length = strlen(line);
        numbers->place.line++;
        if (length == sizeof line - 1 && line[length - 1] != '\n') {
            return vcs_scn_fault_text(numbers->fault, &numbers->place, line, "is too long for a line with one number");
        }
        vcs_scn_bytes_trim(line, length, item, sizeof item);
        if (item[0] != '\0' && item[0] != '#' && item[0] != ';' && !read_number(numbers, item)) {
            return false;
        }
    }
    return ferror(file) == 0 ||
           vcs_scn_fault_at(numbers->fault, &numbers->place, "cannot be read: %s", strerror(errno));
}

bool vcs_scn_state_list_read_file(struct state_list *list, const char *path, const struct state_list_rule *rule,
                                  const struct place *named, struct fault *fault) {
    struct numbers numbers = {
        .rule = rule, .list = list, .first = list->count, .place = {.file = path}, .fault = fault};
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return vcs_scn_fault_at(fault, named, "\"%s\" cannot be read: %s", vcs_scn_fault_quote(path).text,
                                strerror(errno));
    }
    const bool done = read_lines(&numbers, file);
    fclose(file);
    return done;
}

void vcs_scn_state_list_free(struct state_list *list) {
    free(list->values);
    *list = (struct state_list){.values = NULL};
}
