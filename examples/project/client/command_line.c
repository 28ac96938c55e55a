/*
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vcsched/vcsched.h>

#include "client.h"
#include "command_line.h"

static const char help[] =
    "gridclient computes for projects of volunteer computing. Which tasks run, and which project is asked for\n"
    "work, is decided by libvcsched; the log says why.\n"
    "\n"
    "usage: gridclient --dir DIR COMMAND [OPTION]...\n"
    "\n"
    "  attach URL KEY [--share N]   compute for a project; KEY is your account key there\n"
    "  detach URL                   compute for it no longer; its tasks are dropped\n"
    "  run                          compute until interrupted\n"
    "  status                       projects and tasks, and why each is as it is\n"
    "  suspend URL|TASK             do not run the tasks of a project, or a task\n"
    "  resume URL|TASK\n"
    "  abort TASK                   give up a task\n"
    "  update URL                   call a project now, whatever its timers say\n"
    "\n"
    "DIR is the client's own folder, made if it is not there; all that it has is in it. While a client runs,\n"
    "the other commands tell it what to do.\n"
    "\n"
    "options of run:\n"
    "  --cpus N             use N CPUs, by default all\n"
    "  --until-idle         end when there is nothing left to do and no project has sent work\n"
    "  --keep-in-memory     stop tasks instead of ending them when others take their place\n"
    "  --policy NAME        a profile: rpc2003, study2007, current, which is the default, or steady\n"
    "  --flops F            the speed of a CPU, operations a second; by default it is measured\n"
    "  --set NAME=VALUE     a parameter of the policy, such as min_buffer=3600; vcemu plan --help lists them\n"
    "\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0 done, 1 it cannot be done, 2 the command line is wrong, 130 interrupted.\n"
    "\n"
    "examples:\n"
    "  gridclient --dir ~/grid attach http://localhost:8080/ 0123456789abcdef\n"
    "  gridclient --dir ~/grid run --cpus 2 --set report_delay=0\n"
    "  gridclient --dir ~/grid run --policy steady\n"
    "  gridclient --dir ~/grid status\n";

void command_line_print_help(void) {
    fputs(help, stdout);
}

static bool read_number(const char *option, const char *string, double least, double greatest, double *number,
                        struct fault *fault) {
    char *end;
    *number = strtod(string, &end);
    if (end == string || *end != '\0' || !(*number >= least && *number <= greatest)) {
        return fault_set(fault, "%s %s: it must be a number from %g to %g", option, string, least, greatest);
    }
    return true;
}

static bool read_profile(struct command_line *line, const char *name, struct fault *fault) {
    for (uint32_t profile = 0; vcs_profile_name(profile)[0] != '\0'; profile++) {
        if (strcmp(vcs_profile_name(profile), name) == 0) {
            line->profile = profile;
            return true;
        }
    }
    return fault_set(fault, "--policy %s: there is no such profile", name);
}

static bool read_setting(struct command_line *line, const char *string, struct fault *fault) {
    struct setting *setting = &line->settings[line->setting_count];
    const char *sign = strchr(string, '=');
    if (sign == NULL || (size_t)(sign - string) >= sizeof setting->name || strlen(sign) > sizeof setting->value) {
        return fault_set(fault, "--set %s: it must be NAME=VALUE", string);
    }
    if (line->setting_count == MOST_SETTINGS) {
        return fault_set(fault, "--set can be given %d times", MOST_SETTINGS);
    }
    memcpy(setting->name, string, (size_t)(sign - string));
    strcpy(setting->value, sign + 1);
    line->setting_count++;
    return true;
}

/* An option that has a value, which may follow it or stand behind "=". NULL if the argument is another. */
static const char *value_of(const char *option, char **arguments, int count, int *at) {
    const char *argument = arguments[*at];
    const size_t length = strlen(option);
    if (strncmp(argument, option, length) != 0) {
        return NULL;
    }
    if (argument[length] == '=') {
        return argument + length + 1;
    }
    return argument[length] == '\0' && *at + 1 < count ? arguments[++*at] : NULL;
}

static bool read_option(struct command_line *line, int count, char **arguments, int *at, double *share,
                        struct fault *fault) {
    const char *argument = arguments[*at], *value;
    double number;
    if (strcmp(argument, "--until-idle") == 0) {
        line->until_idle = true;
    } else if (strcmp(argument, "--keep-in-memory") == 0) {
        line->keep_in_memory = true;
    } else if ((value = value_of("--dir", arguments, count, at)) != NULL) {
        line->folder = value;
    } else if ((value = value_of("--cpus", arguments, count, at)) != NULL) {
        if (!read_number("--cpus", value, 1, VCS_MAX_INSTANCES, &number, fault)) {
            return false;
        }
        line->cpus = (uint32_t)number;
        if (line->cpus != number) {
            return fault_set(fault, "--cpus %s: it must be a whole number", value);
        }
    } else if ((value = value_of("--flops", arguments, count, at)) != NULL) {
        return read_number("--flops", value, 1e6, 1e18, &line->flops, fault);
    } else if ((value = value_of("--share", arguments, count, at)) != NULL) {
        return read_number("--share", value, 0, 1e9, share, fault);
    } else if ((value = value_of("--policy", arguments, count, at)) != NULL) {
        return read_profile(line, value, fault);
    } else if ((value = value_of("--set", arguments, count, at)) != NULL) {
        return read_setting(line, value, fault);
    } else {
        return fault_set(fault, "%s: there is no such option, or its value is missing", argument);
    }
    return true;
}

/* Each command, and how many words follow it. */
static const struct {
    const char *name;
    enum command command;
    int words;
} commands[] = {
    {"run", COMMAND_RUN, 0},      {"status", COMMAND_STATUS, 0}, {"attach", COMMAND_ORDER, 2},
    {"detach", COMMAND_ORDER, 1}, {"suspend", COMMAND_ORDER, 1}, {"resume", COMMAND_ORDER, 1},
    {"abort", COMMAND_ORDER, 1},  {"update", COMMAND_ORDER, 1},
};

static bool read_command(struct command_line *line, char **words, int count, double share, struct fault *fault) {
    struct text order = {0};
    size_t i = 0;
    if (count == 0) {
        return fault_set(fault, "a command is missing");
    }
    while (i < sizeof commands / sizeof *commands && strcmp(commands[i].name, words[0]) != 0) {
        i++;
    }
    if (i == sizeof commands / sizeof *commands) {
        return fault_set(fault, "%s: there is no such command", words[0]);
    }
    if (count - 1 != commands[i].words) {
        return fault_set(fault, "%s: it takes %d more words, not %d", words[0], commands[i].words, count - 1);
    }
    line->command = commands[i].command;
    if (line->command != COMMAND_ORDER) {
        return true;
    }
    for (int word = 0; word < count; word++) {
        if (words[word][0] == '\0' || words[word][strcspn(words[word], " \t\r\n")] != '\0') {
            text_free(&order);
            return fault_set(fault, "\"%s\": no word may be empty or have blanks in it", words[word]);
        }
        text_printf(&order, "%s%s", word > 0 ? " " : "", words[word]);
    }
    if (strcmp(words[0], "attach") == 0 && !url_is_plain(words[1])) {
        text_free(&order);
        return fault_set(fault, "%s is not the address of a project, such as http://example.org/", words[1]);
    }
    if (strcmp(words[0], "attach") == 0 && share >= 0) {
        text_printf(&order, " %.17g", share);
    }
    line->order = order.bytes;
    return true;
}

bool command_line_read(struct command_line *line, int count, char **arguments, struct fault *fault) {
    char *words[4];
    int word_count = 0;
    double share = -1;
    *line = (struct command_line){.profile = VCS_PROFILE_CURRENT};
    for (int at = 1; at < count; at++) {
        if (strcmp(arguments[at], "--help") == 0 || strcmp(arguments[at], "--version") == 0) {
            line->command = strcmp(arguments[at], "--help") == 0 ? COMMAND_HELP : COMMAND_VERSION;
            return true;
        }
        if (arguments[at][0] == '-') {
            if (!read_option(line, count, arguments, &at, &share, fault)) {
                return false;
            }
        } else if (word_count == 4) {
            return fault_set(fault, "%s: that is one word too many", arguments[at]);
        } else {
            words[word_count++] = arguments[at];
        }
    }
    if (!read_command(line, words, word_count, share, fault)) {
        return false;
    }
    return line->folder != NULL || fault_set(fault, "--dir DIR is missing");
}
