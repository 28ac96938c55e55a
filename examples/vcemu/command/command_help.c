/* The help texts. SPDX-License-Identifier: MIT */
#include <string.h>

#include <vcsched/vcsched.h>

#include "command/command_line.h"
#include "command/options.h"
#include "command/value_words.h"
#include "text/json.h"

#define OPTION_COLUMNS 24 /* of an option with its value; what it does comes two columns after */

static const char overview_about[] =
    "vcemu shows what the scheduling policy of volunteer computing decides for a host.\n";

static const char overview_notes[] =
    "STATE is a state file; - is standard input.\n"
    "\n"
    "  vcemu help COMMAND     about a command and its options; so does vcemu COMMAND --help\n"
    "  vcemu help --json      about all of them, for programs\n"
    "  vcemu --version        version of the library\n"
    "\n"
    "Exit status: 0 done, 1 the input is wrong, 2 the command line is wrong, 130 interrupted.\n";

static const char overview_examples[] =
    "vcemu plan host.ini\n"
    "vcemu plan host.ini --profile study2007\n"
    "vcemu admit host.ini --json\n"
    "vcemu run scenario.ini\n"
    "vcemu sweep scenario.ini --vary min_buffer=0:86400:3600 --seeds 20 -o buffer.csv\n"
    "vcemu grid grid.ini --report grid.html\n";

/* Each line after so many blanks, but the first without them. */
static void print_lines(const char *lines, int indent, FILE *out) {
    for (const char *end; *lines != '\0'; lines = *end == '\0' ? end : end + 1) {
        end = lines + strcspn(lines, "\n");
        fprintf(out, "%.*s\n%*s", (int)(end - lines), lines, end[0] == '\0' || end[1] == '\0' ? 0 : indent, "");
    }
}

static void print_examples(const char *examples, FILE *out) {
    fputs("\nexamples:\n  ", out);
    print_lines(examples, 2, out);
}

static void print_overview(FILE *out) {
    fprintf(out, "%s\nusage: vcemu COMMAND STATE [OPTION]...\n\n", overview_about);
    for (uint32_t command = 0; command < COMMANDS; command++) {
        if (command_rows[command].name != NULL) {
            fprintf(out, "  %-10s  %s\n", command_rows[command].name, command_rows[command].summary);
        }
    }
    fprintf(out, "\n%s", overview_notes);
    print_examples(overview_examples, out);
}

static void print_option(const struct option_row *row, FILE *out) {
    const char letter[] = {'-', row->letter, ',', ' ', '\0'};
    const int columns = fprintf(out, "  %s--%s%s%s", row->letter == '\0' ? "" : letter, row->name,
                                row->value == NULL ? "" : " ", row->value == NULL ? "" : row->value);
    if (columns > OPTION_COLUMNS) {
        fprintf(out, "\n%*s", OPTION_COLUMNS + 2, "");
    } else {
        fprintf(out, "%*s", OPTION_COLUMNS + 2 - columns, "");
    }
    print_lines(row->about, OPTION_COLUMNS + 2, out);
}

/* "a, b or c" */
static void print_choices(uint32_t parameter, const vcs_parameter_info *info, FILE *out) {
    for (uint32_t choice = (uint32_t)info->minimum; choice <= info->maximum; choice++) {
        const char *separator = choice == info->minimum ? "" : choice == info->maximum ? " or " : ", ";
        fprintf(out, "%s%s", separator, vcs_parameter_choice(parameter, choice));
    }
}

static void print_parameters(FILE *out) {
    for (uint32_t i = 0; i < vcs_parameter_count(); i++) {
        vcs_parameter_info info = {.struct_size = sizeof info};
        vcs_parameter_at(i, &info);
        fprintf(out, "  %-21s %s\n  %-21s   ", info.name, info.about, "");
        if (info.kind == VCS_PARAMETER_CHOICE) {
            print_choices(i, &info, out);
        } else {
            fprintf(out, "%.15g to %.15g%s%s", info.minimum, info.maximum, info.unit[0] == '\0' ? "" : " ", info.unit);
        }
        fputc('\n', out);
    }
}

void command_line_help(enum command about, FILE *out) {
    const struct command_row *row = &command_rows[about];
    if (row->name == NULL) {
        print_overview(out);
        return;
    }
    bool sets_parameters = false;
    fprintf(out, "usage: vcemu %s %s [OPTION]...\n\n%s\n", row->name, row->operand, row->about);
    for (size_t i = 0; i < option_row_count; i++) {
        if (option_is_of(&option_rows[i], about)) {
            print_option(&option_rows[i], out);
            sets_parameters = sets_parameters || option_rows[i].kind == VALUE_SETTING;
        }
    }
    fprintf(out, "%s%s", row->notes[0] == '\0' ? "" : "\n", row->notes);
    print_examples(row->examples, out);
    if (sets_parameters) {
        fputs("\nparameters:\n", out);
        print_parameters(out);
    }
}

/* ---- as JSON ---- */

static void write_word(void *context, const char *word) {
    json_string(context, NULL, word);
}

static void write_option(struct json *json, const struct option_row *row) {
    const char letter[] = {row->letter, '\0'};
    json_begin_object(json, NULL);
    json_string(json, "name", row->name);
    json_string(json, "letter", row->letter == '\0' ? NULL : letter);
    json_string(json, "value", row->value);
    json_bool(json, "file", row->kind == VALUE_FILE);
    json_string(json, "about", row->about);
    json_begin_array(json, "words");
    value_words(row->kind, write_word, json);
    json_end_array(json);
    json_end_object(json);
}

static void write_command(struct json *json, enum command command) {
    const struct command_row *row = &command_rows[command];
    json_begin_object(json, NULL);
    json_string(json, "name", row->name);
    json_string(json, "operand", row->operand);
    json_string(json, "summary", row->summary);
    json_string(json, "about", row->about);
    json_string(json, "notes", row->notes);
    json_string(json, "examples", row->examples);
    json_begin_array(json, "options");
    for (size_t i = 0; i < option_row_count; i++) {
        if (option_is_of(&option_rows[i], command)) {
            write_option(json, &option_rows[i]);
        }
    }
    json_end_array(json);
    json_end_object(json);
}

static void write_parameter(struct json *json, uint32_t index) {
    vcs_parameter_info info = {.struct_size = sizeof info};
    vcs_parameter_at(index, &info);
    json_begin_object(json, NULL);
    json_string(json, "name", info.name);
    json_string(json, "about", info.about);
    json_string(json, "unit", info.unit);
    json_number(json, "minimum", info.minimum);
    json_number(json, "maximum", info.maximum);
    json_begin_array(json, "choices");
    for (uint32_t i = (uint32_t)info.minimum; info.kind == VCS_PARAMETER_CHOICE && i <= info.maximum; i++) {
        json_string(json, NULL, vcs_parameter_choice(index, i));
    }
    json_end_array(json);
    json_end_object(json);
}

void command_line_help_json(FILE *out) {
    struct json json = json_start(out);
    json_begin_object(&json, NULL);
    json_string(&json, "version", vcs_version());
    json_string(&json, "about", overview_about);
    json_string(&json, "notes", overview_notes);
    json_string(&json, "examples", overview_examples);
    json_begin_array(&json, "commands");
    for (uint32_t command = 0; command < COMMANDS; command++) {
        if (command_rows[command].name != NULL) {
            write_command(&json, (enum command)command);
        }
    }
    json_end_array(&json);
    json_begin_array(&json, "parameters");
    for (uint32_t i = 0; i < vcs_parameter_count(); i++) {
        write_parameter(&json, i);
    }
    json_end_array(&json);
    json_end_object(&json);
    json_finish(&json);
}
