/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "vcemu/sweep/options/command_line.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "vcemu/scenario/text/parse_number.h"

enum option_code {
    OPTION_JSON = 256,
    OPTION_ALL,
    OPTION_EXPLAIN,
    OPTION_TRACE,
    OPTION_TRACE_HOST,
    OPTION_TIMELINE,
    OPTION_DAYS,
    OPTION_SEED,
    OPTION_VARY,
    OPTION_WITH,
    OPTION_POINTS,
    OPTION_HOSTS,
    OPTION_SEEDS,
    OPTION_WORKERS,
    OPTION_SHARD,
    OPTION_FIGURES,
    OPTION_STATISTICS,
    OPTION_HISTOGRAM,
    OPTION_OUTPUT,
    OPTION_EACH_SEED,
    OPTION_EACH_HOST,
    OPTION_CSV,
    OPTION_RESUME,
    OPTION_FORCE,
    OPTION_UNICODE,
    OPTION_PROFILE,
    OPTION_POLICY,
    OPTION_POLICY_ARGUMENT,
    OPTION_SET,
    OPTION_EVERY,
    OPTION_REPORT,
    OPTION_HELP
};

#define COMMON_OPTIONS                                                                                                 \
    {"json", no_argument, NULL, OPTION_JSON}, {"unicode", no_argument, NULL, OPTION_UNICODE},                          \
        {"profile", required_argument, NULL, OPTION_PROFILE}, {"set", required_argument, NULL, OPTION_SET}, {          \
        "help", no_argument, NULL, OPTION_HELP                                                                         \
    }

static const struct option plan_options[] = {COMMON_OPTIONS,
                                             {"all", no_argument, NULL, OPTION_ALL},
                                             {"explain", required_argument, NULL, OPTION_EXPLAIN},
                                             {NULL, 0, NULL, 0}};
static const struct option admit_options[] = {COMMON_OPTIONS, {NULL, 0, NULL, 0}};
static const struct option run_options[] = {COMMON_OPTIONS,
                                            {"trace", required_argument, NULL, OPTION_TRACE},
                                            {"timeline", required_argument, NULL, OPTION_TIMELINE},
                                            {"policy", required_argument, NULL, OPTION_POLICY},
                                            {"policy-argument", required_argument, NULL, OPTION_POLICY_ARGUMENT},
                                            {"days", required_argument, NULL, OPTION_DAYS},
                                            {"seed", required_argument, NULL, OPTION_SEED},
                                            {NULL, 0, NULL, 0}};

static const struct option sweep_options[] = {{"vary", required_argument, NULL, OPTION_VARY},
                                              {"with", required_argument, NULL, OPTION_WITH},
                                              {"points", required_argument, NULL, OPTION_POINTS},
                                              {"hosts", required_argument, NULL, OPTION_HOSTS},
                                              {"seeds", required_argument, NULL, OPTION_SEEDS},
                                              {"workers", required_argument, NULL, OPTION_WORKERS},
                                              {"shard", required_argument, NULL, OPTION_SHARD},
                                              {"figures", required_argument, NULL, OPTION_FIGURES},
                                              {"statistics", required_argument, NULL, OPTION_STATISTICS},
                                              {"histogram", required_argument, NULL, OPTION_HISTOGRAM},
                                              {"output", required_argument, NULL, OPTION_OUTPUT},
                                              {"each-seed", no_argument, NULL, OPTION_EACH_SEED},
                                              {"each-host", no_argument, NULL, OPTION_EACH_HOST},
                                              {"json", no_argument, NULL, OPTION_JSON},
                                              {"csv", no_argument, NULL, OPTION_CSV},
                                              {"resume", no_argument, NULL, OPTION_RESUME},
                                              {"force", no_argument, NULL, OPTION_FORCE},
                                              {"policy", required_argument, NULL, OPTION_POLICY},
                                              {"policy-argument", required_argument, NULL, OPTION_POLICY_ARGUMENT},
                                              {"days", required_argument, NULL, OPTION_DAYS},
                                              {"seed", required_argument, NULL, OPTION_SEED},
                                              {"profile", required_argument, NULL, OPTION_PROFILE},
                                              {"set", required_argument, NULL, OPTION_SET},
                                              {"help", no_argument, NULL, OPTION_HELP},
                                              {NULL, 0, NULL, 0}};

static const struct option grid_options[] = {COMMON_OPTIONS,
                                             {"csv", no_argument, NULL, OPTION_CSV},
                                             {"every", required_argument, NULL, OPTION_EVERY},
                                             {"report", required_argument, NULL, OPTION_REPORT},
                                             {"trace", required_argument, NULL, OPTION_TRACE},
                                             {"trace-host", required_argument, NULL, OPTION_TRACE_HOST},
                                             {"days", required_argument, NULL, OPTION_DAYS},
                                             {"seed", required_argument, NULL, OPTION_SEED},
                                             {"seeds", required_argument, NULL, OPTION_SEEDS},
                                             {"workers", required_argument, NULL, OPTION_WORKERS},
                                             {NULL, 0, NULL, 0}};

/* The commands that work on a state file. */
static const struct {
    const char *name;
    const struct option *options;
    const char *letters; /* the one-letter options, as getopt_long() takes them */
} state_commands[COMMANDS] = {
    [COMMAND_PLAN] = {"plan", plan_options, ":"},   [COMMAND_ADMIT] = {"admit", admit_options, ":"},
    [COMMAND_RUN] = {"run", run_options, ":"},      [COMMAND_SWEEP] = {"sweep", sweep_options, ":o:j:"},
    [COMMAND_GRID] = {"grid", grid_options, ":j:"},
};

/* COMMANDS if there is no such command. */
static enum command find_command(const char *name) {
    for (uint32_t command = 0; command < COMMANDS; command++) {
        if (state_commands[command].name != NULL && strcmp(state_commands[command].name, name) == 0) {
            return (enum command)command;
        }
    }
    return COMMANDS;
}

/* Is it one of those that say what the points of a sweep are? */
static bool take_dimension(struct command_line *line, int code) {
    static const struct {
        int code;
        enum sweep_way way;
    } ways[] = {{OPTION_VARY, SWEEP_VARY},
                {OPTION_WITH, SWEEP_WITH},
                {OPTION_POINTS, SWEEP_POINTS},
                {OPTION_HOSTS, SWEEP_HOSTS}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (ways[i].code == code) {
            line->wanted[line->sweep_options.wanted_count++] = (struct sweep_wanted){ways[i].way, optarg};
            return true;
        }
    }
    return false;
}

/* Is it another option of sweeps? */
static bool take_sweep_option(struct command_line *line, int code) {
    struct sweep_options *options = &line->sweep_options;
    switch (code) {
    case OPTION_STATISTICS:
        options->statistics = optarg;
        return true;
    case OPTION_HISTOGRAM:
        line->histograms[options->histogram_count++] = optarg;
        return true;
    case OPTION_EACH_HOST:
        options->each_host = true;
        return true;
    case OPTION_CSV: /* of `grid` too */
        line->csv = true;
        options->json = false;
        return true;
    case OPTION_RESUME:
        options->resume = true;
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

static bool take_days(struct command_line *line, struct fault *fault) {
    return (vcs_scn_number_read(optarg, &line->wish.days) == NUMBER_OK && line->wish.days > 0) ||
           vcs_scn_fault_set(fault, "--days: \"%s\" is not a number of days above 0", vcs_scn_fault_quote(optarg).text);
}

static bool take_seed(struct command_line *line, struct fault *fault) {
    double seed;
    if (vcs_scn_number_read(optarg, &seed) != NUMBER_OK || !vcs_scn_number_is_whole(seed) || seed < 0 ||
        seed > UINT32_MAX) {
        return vcs_scn_fault_set(fault, "--seed: \"%s\" is not a whole number from 0 to 4294967295",
                                 vcs_scn_fault_quote(optarg).text);
    }
    line->wish.has_seed = true;
    line->wish.seed = (uint32_t)seed;
    return true;
}

static bool take_option(struct command_line *line, int code, const char *argument, struct fault *fault) {
    if (take_dimension(line, code) || take_sweep_option(line, code)) {
        return true;
    }
    switch (code) {
    case OPTION_JSON:
        line->json = true;
        line->sweep_options.json = true;
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
    case OPTION_TRACE_HOST:
        line->trace_host = optarg;
        return true;
    case OPTION_EVERY:
        line->every = optarg;
        return true;
    case OPTION_REPORT:
        line->report = optarg;
        return true;
    case OPTION_TIMELINE:
        line->timeline = optarg;
        return true;
    case OPTION_DAYS:
        return take_days(line, fault);
    case OPTION_SEED:
        return take_seed(line, fault);
    case OPTION_UNICODE:
        line->unicode = true;
        return true;
    case OPTION_PROFILE:
        line->wish.profile = optarg;
        return true;
    case OPTION_POLICY:
        line->wish.policy = optarg;
        return true;
    case OPTION_POLICY_ARGUMENT:
        line->wish.policy_argument = optarg;
        return true;
    case OPTION_SET:
        line->settings[line->wish.setting_count++] = optarg;
        return true;
    case OPTION_HELP:
        line->help_about = line->command;
        line->command = COMMAND_HELP;
        return true;
    case ':':
        return vcs_scn_fault_set(fault, "%s: needs a value", vcs_scn_fault_quote(argument).text);
    default:
        return vcs_scn_fault_set(fault, "%s: there is no such option, or it takes no value; try: vcemu %s --help",
                                 vcs_scn_fault_quote(argument).text, state_commands[line->command].name);
    }
}

static bool read_grid_options(struct command_line *line, struct fault *fault) {
    const struct grid_words words = {.seeds = line->sweep_options.seeds,
                                     .workers = line->sweep_options.workers,
                                     .every = line->every,
                                     .trace = line->trace,
                                     .trace_host = line->trace_host,
                                     .json = line->json,
                                     .csv = line->csv};
    return vcs_swp_grid_options_read(&line->grid, &words, fault);
}

/* `arguments` begins with the name of the command. */
static bool read_options(struct command_line *line, int argument_count, char *const arguments[], struct fault *fault) {
    const struct option *options = state_commands[line->command].options;
    opterr = 0;
    optind = 0; /* for another program this may not be the first time */
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
        return vcs_scn_fault_set(fault, "%s: the name of a state file is missing; try: vcemu %s --help", name, name);
    }
    line->paths = arguments + optind;
    line->path_count = (size_t)(argument_count - optind);
    if (line->path_count > 1 && line->command != COMMAND_SWEEP) {
        return vcs_scn_fault_set(fault, "%s: there is more than one state file: %s and %s", name,
                                 vcs_scn_fault_quote(arguments[optind]).text,
                                 vcs_scn_fault_quote(arguments[optind + 1]).text);
    }
    if (line->explain != NULL && (line->json || line->all)) {
        return vcs_scn_fault_set(fault,
                                 "--explain is about one project or task and cannot be combined with --json or --all");
    }
    if (!vcs_scn_policy_check_wish(&line->wish, fault)) {
        return false;
    }
    if (line->command == COMMAND_GRID) {
        return read_grid_options(line, fault);
    }
    line->sweep_options.files = (const char *const *)line->paths;
    line->sweep_options.file_count = line->path_count;
    return true;
}

/* vcemu help, and vcemu help COMMAND. */
static bool read_help(struct command_line *line, int argument_count, char *const arguments[], struct fault *fault) {
    if (argument_count > 3) {
        return vcs_scn_fault_set(fault, "help: there is more than one command: %s and %s",
                                 vcs_scn_fault_quote(arguments[2]).text, vcs_scn_fault_quote(arguments[3]).text);
    }
    if (argument_count == 3 && strcmp(arguments[2], "help") != 0) {
        line->help_about = find_command(arguments[2]);
    }
    return line->help_about != COMMANDS || vcs_scn_fault_set(fault, "%s: there is no such command; try: vcemu help",
                                                             vcs_scn_fault_quote(arguments[2]).text);
}

bool vcs_swp_command_line_read(struct command_line *line, int argument_count, char *const arguments[],
                               struct fault *fault) {
    *line = (struct command_line){.command = COMMAND_HELP, .help_about = COMMAND_HELP};
    if (argument_count < 2) {
        return vcs_scn_fault_set(fault, "a command is missing; try: vcemu help");
    }
    const char *first = arguments[1];
    if (strcmp(first, "--help") == 0) {
        return true;
    }
    if (strcmp(first, "help") == 0) {
        return read_help(line, argument_count, arguments, fault);
    }
    if (strcmp(first, "--version") == 0) {
        line->command = COMMAND_VERSION;
        return true;
    }
    line->command = find_command(first);
    if (line->command == COMMANDS) {
        return vcs_scn_fault_set(fault, "%s: there is no such command; try: vcemu help",
                                 vcs_scn_fault_quote(first).text);
    }
    line->settings = calloc((size_t)argument_count, sizeof *line->settings);
    line->wanted = calloc((size_t)argument_count, sizeof *line->wanted);
    line->histograms = calloc((size_t)argument_count, sizeof *line->histograms);
    if (line->settings == NULL || line->wanted == NULL || line->histograms == NULL) {
        return vcs_scn_fault_set(fault, "there is not enough memory");
    }
    line->sweep_options.wanted = line->wanted;
    line->sweep_options.histograms = line->histograms;
    line->wish.settings = line->settings;
    return read_options(line, argument_count - 1, arguments + 1, fault);
}

void vcs_swp_command_line_free(struct command_line *line) {
    free(line->wanted);
    free(line->histograms);
    free(line->settings);
    *line = (struct command_line){.command = COMMAND_HELP};
}
