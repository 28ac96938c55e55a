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
    OPTION_VARY,
    OPTION_SEEDS,
    OPTION_WORKERS,
    OPTION_SHARD,
    OPTION_FIGURES,
    OPTION_OUTPUT,
    OPTION_EACH_SEED,
    OPTION_FORCE,
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

static const struct option sweep_options[] = {
    {"vary", required_argument, NULL, OPTION_VARY},
    {"seeds", required_argument, NULL, OPTION_SEEDS},
    {"workers", required_argument, NULL, OPTION_WORKERS},
    {"shard", required_argument, NULL, OPTION_SHARD},
    {"figures", required_argument, NULL, OPTION_FIGURES},
    {"output", required_argument, NULL, OPTION_OUTPUT},
    {"each-seed", no_argument, NULL, OPTION_EACH_SEED},
    {"force", no_argument, NULL, OPTION_FORCE},
    {"profile", required_argument, NULL, OPTION_PROFILE},
    {"set", required_argument, NULL, OPTION_SET},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0}};

/* The commands that work on a state file. */
static const struct {
    const char *name;
    const struct option *options;
    const char *letters; /* the options of one letter, as getopt_long() takes them */
} state_commands[COMMANDS] = {
    [COMMAND_PLAN] = {"plan", plan_options, ":"},
    [COMMAND_ADMIT] = {"admit", admit_options, ":"},
    [COMMAND_RUN] = {"run", run_options, ":"},
    [COMMAND_SWEEP] = {"sweep", sweep_options, ":o:j:"},
};

static const char help_text[] = "vcemu shows what the scheduling policy of volunteer computing decides for a host.\n"
                                "\n"
                                "usage: vcemu COMMAND STATE [OPTION]...\n"
                                "\n"
                                "  plan    which tasks of a host run, when they finish, whom it asks for work, why\n"
                                "  admit   which candidates can join its tasks without harm\n"
                                "  run     emulates the host and its servers, and tells how good the policy is\n"
                                "  sweep   emulates them over and over with other values, and writes a table\n"
                                "\n"
                                "STATE is a state file; - is the standard input.\n"
                                "\n"
                                "  vcemu COMMAND --help   about a command and its options\n"
                                "  vcemu --version        version of the library\n"
                                "\n"
                                "Exit status: 0 done, 1 the input is wrong, 2 the command line is wrong, 130 a sweep was interrupted.\n"
                                "\n"
                                "examples:\n"
                                "  vcemu plan host.ini\n"
                                "  vcemu plan host.ini --profile study2007\n"
                                "  vcemu admit host.ini --json\n"
                                "  vcemu run scenario.ini\n"
                                "  vcemu sweep scenario.ini --vary min_buffer=0:86400:3600 --seeds 20 -o buffer.csv\n";

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

static const char sweep_help[] =
    "usage: vcemu sweep STATE [--vary KEY=VALUES]... [OPTION]...\n"
    "\n"
    "Emulates the state, as vcemu run does, with all combinations of the values that are given, several seeds each, and\n"
    "writes CSV: a row for each combination, with means and standard errors. Run again, it goes on where it stopped.\n";

static const char json_help[] = "\n"
                                "  --json                  write JSON\n";

static const char policy_options_help[] =
    "  --profile NAME          the profile, instead of the one in the file; what the file changes of it still holds\n"
    "  --set PARAMETER=VALUE   change a parameter, whatever the file says; may be given again\n";

static const char unicode_help[] =
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

static const char sweep_options_help[] =
    "\n"
    "  --vary KEY=VALUES       take each of these values; with several --vary all combinations, the last one fastest\n"
    "  --seeds COUNT           emulate each combination with so many seeds, from that of the scenario on; default 1\n"
    "  -o, --output FILE       write to FILE, or go on with what it has; default is the standard output\n"
    "  --figures NAME,...      these figures alone, in this order\n"
    "  --each-seed             a row for each seed, not for each combination\n"
    "  -j, --workers COUNT     emulate so many at once; default is the number of processors\n"
    "  --shard K/N             only part K of N; the files of all parts one after the other are that of the whole\n"
    "  --force                 overwrite FILE, whatever it is\n";

static const char sweep_examples[] =
    "\n"
    "KEY is the name of a parameter or \"profile\", or the key of a section: KIND.KEY of all sections of this kind,\n"
    "KIND.NAME.KEY of the section [KIND NAME]. VALUES are words, numbers, ranges FROM:TO:STEP, and ranges FROM:TO:xFACTOR\n"
    "in which each value is FACTOR times the one before; commas between.\n"
    "\n"
    "examples:\n"
    "  vcemu sweep base.ini --vary min_buffer=0:86400:3600 --seeds 20 -o buffer.csv\n"
    "  vcemu sweep base.ini --vary profile=study2007,current --vary host.cpus=1:64:x2 --seeds 20 -o cpus.csv\n"
    "  vcemu sweep base.ini --vary app.P/A.latency_bound=1e4:1e6:x10 --vary project.share=50,100 --figures waste\n"
    "  vcemu sweep base.ini --vary host.available=0.1:1:0.1 --seeds 1000 --shard 2/4 -o part2.csv\n";

/* What there is to say about a command on a state file: what it does, its own options, examples. */
static const char *const command_help[COMMANDS][3] = {
    [COMMAND_PLAN] = {plan_help, plan_options_help, plan_examples},
    [COMMAND_ADMIT] = {admit_help, "", admit_examples},
    [COMMAND_RUN] = {run_help, run_options_help, run_examples},
    [COMMAND_SWEEP] = {sweep_help, "", sweep_examples},
};

void command_line_help(enum command about, FILE *out) {
    if (command_help[about][0] == NULL) {
        fputs(help_text, out);
        return;
    }
    fputs(command_help[about][0], out);
    fputs(about == COMMAND_SWEEP ? sweep_options_help : json_help, out);
    fputs(policy_options_help, out);
    if (about != COMMAND_SWEEP) {
        fputs(unicode_help, out);
        fputs(command_help[about][1], out);
    }
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

/* Is it an option of sweeps? */
static bool take_sweep_option(struct sweep_options *options, int code) {
    switch (code) {
    case OPTION_VARY:
        options->axes[options->axis_count++] = optarg;
        return true;
    case OPTION_SEEDS:
        options->seeds = optarg;
        return true;
    case OPTION_WORKERS:
    case 'j':
        options->workers = optarg;
        return true;
    case OPTION_SHARD:
        options->shard = optarg;
        return true;
    case OPTION_FIGURES:
        options->figures = optarg;
        return true;
    case OPTION_OUTPUT:
    case 'o':
        options->output = optarg;
        return true;
    case OPTION_EACH_SEED:
        options->each_seed = true;
        return true;
    case OPTION_FORCE:
        options->force = true;
        return true;
    default:
        return false;
    }
}

static bool take_option(struct command_line *line, int code, const char *argument, struct fault *fault) {
    if (take_sweep_option(&line->sweep_options, code)) {
        return true;
    }
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
        int code = getopt_long(argument_count, arguments, state_commands[line->command].letters, options, NULL);
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
    if (!policy_check_wish(&line->wish, fault)) {
        return false;
    }
    return line->command != COMMAND_SWEEP || sweep_plan_read(&line->sweep, &line->sweep_options, &line->wish, fault);
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
    line->sweep_options.axes = calloc((size_t)argument_count, sizeof *line->sweep_options.axes);
    if (line->settings == NULL || line->sweep_options.axes == NULL) {
        return fault_set(fault, "there is not enough memory");
    }
    line->wish.settings = line->settings;
    return read_options(line, argument_count - 1, arguments + 1, fault);
}

void command_line_free(struct command_line *line) {
    sweep_plan_free(&line->sweep);
    free(line->sweep_options.axes);
    free(line->settings);
    *line = (struct command_line){.command = COMMAND_HELP};
}
