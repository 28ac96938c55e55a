/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "command_line.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum option_code {
    OPTION_JSON = 256,
    OPTION_ALL,
    OPTION_EXPLAIN,
    OPTION_TRACE,
    OPTION_TIMELINE,
    OPTION_UNICODE,
    OPTION_PROFILE,
    OPTION_SET,
    OPTION_HELP
};

#define COMMON_OPTIONS                                                                                                 \
    {"json", no_argument, NULL, OPTION_JSON}, {"unicode", no_argument, NULL, OPTION_UNICODE},                          \
        {"profile", required_argument, NULL, OPTION_PROFILE}, {"set", required_argument, NULL, OPTION_SET}, {          \
        "help", no_argument, NULL, OPTION_HELP                                                                         \
    }

static const struct option plan_options[] = {
    COMMON_OPTIONS,
    {"all", no_argument, NULL, OPTION_ALL},
    {"explain", required_argument, NULL, OPTION_EXPLAIN},
    {NULL, 0, NULL, 0}};
static const struct option admit_options[] = {COMMON_OPTIONS, {NULL, 0, NULL, 0}};
static const struct option run_options[] = {
    COMMON_OPTIONS, {"trace", required_argument, NULL, OPTION_TRACE},
    {"timeline", required_argument, NULL, OPTION_TIMELINE}, {NULL, 0, NULL, 0}};

/* The commands that work on a state file. */
static const struct {
    const char *name;
    const struct option *options;
} state_commands[COMMANDS] = {
    [COMMAND_PLAN] = {"plan", plan_options},
    [COMMAND_ADMIT] = {"admit", admit_options},
    [COMMAND_RUN] = {"run", run_options},
};

static const char help_text[] = "vcemu shows what the scheduling policy of volunteer computing decides for a host.\n"
                                "\n"
                                "usage: vcemu COMMAND STATE [OPTION]...\n"
                                "\n"
                                "  plan    which tasks of a host run, when they finish, whom it asks for work, why\n"
                                "  admit   which candidates can join its tasks without harm\n"
                                "  run     emulates the host and its servers, and tells how good the policy is\n"
                                "\n"
                                "STATE is a state file; - is the standard input.\n"
                                "\n"
                                "  vcemu COMMAND --help   about a command and its options\n"
                                "  vcemu --version        version of the library\n"
                                "\n"
                                "Exit status: 0 done, 1 the input is wrong, 2 the command line is wrong.\n"
                                "\n"
                                "examples:\n"
                                "  vcemu plan host.ini\n"
                                "  vcemu plan host.ini --profile study2007\n"
                                "  vcemu admit host.ini --json\n"
                                "  vcemu run scenario.ini\n";

static const char plan_help[] =
    "usage: vcemu plan STATE [OPTION]...\n"
    "\n"
    "Decides for the host, under the policy of its client, which tasks run now and which project is asked for how\n"
    "much work; foretells when each task will finish and which miss their deadline.\n";

static const char admit_help[] =
    "usage: vcemu admit STATE [OPTION]...\n"
    "\n"
    "Tells for each [candidate] of the state, in the order of the file, whether it can join the tasks of the host: it "
    "has\n"
    "to meet its own deadline and must harm no other. One that is admitted joins the tasks for those that follow.\n";

static const char run_help[] =
    "usage: vcemu run STATE [OPTION]...\n"
    "\n"
    "Emulates the host from its state on, with jobs as its [app] sections describe them, for as long as [emulation]\n"
    "says; tells what part of the processing was wasted or idle, and how far the shares were kept.\n";

static const char options_help[] =
    "\n"
    "  --json                  write JSON\n"
    "  --profile NAME          the profile, instead of the one in the file; what the file changes of it still holds\n"
    "  --set PARAMETER=VALUE   change a parameter, whatever the file says; may be given again\n"
    "  --unicode               draw with block characters also where the output is no UTF-8 terminal\n";

static const char plan_options_help[] =
    "  --all                   show all tasks, not just the first 40\n"
    "  --explain NAME          all that led to what was decided on this project or task\n";

static const char plan_examples[] = "\n"
                                    "examples:\n"
                                    "  vcemu plan host.ini\n"
                                    "  vcemu plan host.ini --explain Einstein@Home\n"
                                    "  vcemu plan host.ini --all --set min_buffer=43200\n"
                                    "  vcemu plan - --json < host.ini\n";

static const char admit_examples[] = "\n"
                                     "examples:\n"
                                     "  vcemu admit host.ini\n"
                                     "  vcemu admit host.ini --set min_buffer=0 --json\n";

static const char run_options_help[] = "  --trace FILE            write all that happens, as CSV\n"
                                       "  --timeline FILE         draw it: a page for a browser, in one file\n";

static const char run_examples[] = "\n"
                                   "examples:\n"
                                   "  vcemu run scenario.ini\n"
                                   "  vcemu run scenario.ini --profile study2007 --json\n"
                                   "  vcemu run scenario.ini --trace events.csv\n"
                                   "  vcemu run scenario.ini --timeline month.html\n";

/* What there is to say about a command on a state file: what it does, its own options, examples. */
static const char *const command_help[COMMANDS][3] = {
    [COMMAND_PLAN] = {plan_help, plan_options_help, plan_examples},
    [COMMAND_ADMIT] = {admit_help, "", admit_examples},
    [COMMAND_RUN] = {run_help, run_options_help, run_examples},
};

void command_line_help(enum command about, FILE *out) {
    if (command_help[about][0] == NULL) {
        fputs(help_text, out);
        return;
    }
    fputs(command_help[about][0], out);
    fputs(options_help, out);
    fputs(command_help[about][1], out);
    fputs(command_help[about][2], out);
    fputs("\nparameters:\n", out);
    policy_print_parameters(out);
}

/* COMMANDS if there is none of this name. */
static enum command find_command(const char *name) {
    for (uint32_t command = 0; command < COMMANDS; command++) {
        if (state_commands[command].name != NULL && strcmp(state_commands[command].name, name) == 0) {
            return (enum command)command;
        }
    }
    return COMMANDS;
}

static bool take_option(struct command_line *line, int code, const char *argument, struct fault *fault) {
    switch (code) {
    case OPTION_JSON:
        line->json = true;
        return true;
    case OPTION_ALL:
        line->all = true;
        return true;
    case OPTION_EXPLAIN:
        line->explain = optarg;
        return true;
    case OPTION_TRACE:
        line->trace = optarg;
        return true;
    case OPTION_TIMELINE:
        line->timeline = optarg;
        return true;
    case OPTION_UNICODE:
        line->unicode = true;
        return true;
    case OPTION_PROFILE:
        line->wish.profile = optarg;
        return true;
    case OPTION_SET:
        line->settings[line->wish.setting_count++] = optarg;
        return true;
    case OPTION_HELP:
        line->help_about = line->command;
        line->command = COMMAND_HELP;
        return true;
    case ':':
        return fault_set(fault, "%s: needs a value", fault_quote(argument).text);
    default:
        return fault_set(fault, "%s: there is no such option, or it takes no value; try: vcemu %s --help",
                         fault_quote(argument).text, state_commands[line->command].name);
    }
}

/* `arguments` begins with the name of the command. */
static bool read_options(struct command_line *line, int argument_count, char *const arguments[], struct fault *fault) {
    const struct option *options = state_commands[line->command].options;
    opterr = 0;
    while (line->command != COMMAND_HELP) {
        int code = getopt_long(argument_count, arguments, ":", options, NULL);
        if (code == -1) {
            break;
        }
        if (!take_option(line, code, arguments[optind - 1], fault)) {
            return false;
        }
    }
    if (line->command == COMMAND_HELP) {
        return true;
    }
    const char *name = state_commands[line->command].name;
    if (optind == argument_count) {
        return fault_set(fault, "%s: the name of a state file is missing; try: vcemu %s --help", name, name);
    }
    if (optind + 1 < argument_count) {
        return fault_set(fault, "%s: there is more than one state file: %s and %s", name,
                         fault_quote(arguments[optind]).text, fault_quote(arguments[optind + 1]).text);
    }
    line->path = arguments[optind];
    if (line->explain != NULL && (line->json || line->all)) {
        return fault_set(fault, "--explain tells of one project or task; it goes neither with --json nor with --all");
    }
    return policy_check_wish(&line->wish, fault);
}

bool command_line_read(struct command_line *line, int argument_count, char *const arguments[], struct fault *fault) {
    *line = (struct command_line){.command = COMMAND_HELP, .help_about = COMMAND_HELP};
    if (argument_count < 2) {
        return fault_set(fault, "a command is missing; try: vcemu --help");
    }
    const char *first = arguments[1];
    if (strcmp(first, "--help") == 0) {
        return true;
    }
    if (strcmp(first, "--version") == 0) {
        line->command = COMMAND_VERSION;
        return true;
    }
    line->command = find_command(first);
    if (line->command == COMMANDS) {
        return fault_set(fault, "%s: there is no such command; try: vcemu --help", fault_quote(first).text);
    }
    line->settings = calloc((size_t)argument_count, sizeof *line->settings);
    if (line->settings == NULL) {
        return fault_set(fault, "there is not enough memory");
    }
    line->wish.settings = line->settings;
    return read_options(line, argument_count - 1, arguments + 1, fault);
}

void command_line_free(struct command_line *line) {
    free(line->settings);
    line->settings = NULL;
}
