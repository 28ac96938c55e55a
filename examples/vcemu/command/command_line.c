/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "command/command_line.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/options.h"
#include "vcemu/scenario/policy/policy.h"
#include "vcemu/scenario/policy/policy_name.h"
#include "vcemu/scenario/text/parse_number.h"

#define MOST_GRID_SEEDS 10000
#define MOST_SWEEP_SEEDS 1000000
#define MOST_SHARDS 1000000
#define MOST_WORKERS 1024

/* ---- one option ---- */

#define MOST_OPTIONS 64u
#define FIRST_CODE 256 /* what getopt_long() returns for the first row; lower codes are letters */

/* What getopt_long() is to know of the options of a command. */
struct grammar {
    struct option options[MOST_OPTIONS];
    char letters[2 * MOST_OPTIONS];
};

static struct grammar grammar_of(enum command command) {
    struct grammar grammar = {.letters = ":"}; /* the colon tells missing values from unknown options */
    size_t count = 0;
    size_t length = 1;
    for (size_t i = 0; i < option_row_count && count + 1 < MOST_OPTIONS; i++) {
        const struct option_row *row = &option_rows[i];
        if (!option_is_of(row, command)) {
            continue;
        }
        const int takes = row->value == NULL ? no_argument : required_argument;
        grammar.options[count++] = (struct option){row->name, takes, NULL, FIRST_CODE + (int)i};
        if (row->letter != '\0') {
            grammar.letters[length++] = row->letter;
            if (row->value != NULL) {
                grammar.letters[length++] = ':';
            }
        }
    }
    return grammar;
}

/* NULL if there is no such option. */
static const struct option_row *find_row(enum command command, int code) {
    if (code >= FIRST_CODE) {
        return &option_rows[code - FIRST_CODE];
    }
    for (size_t i = 0; i < option_row_count; i++) {
        if (option_is_of(&option_rows[i], command) && option_rows[i].letter == code) {
            return &option_rows[i];
        }
    }
    return NULL;
}

/* Options that may be repeated, and those without a value. */
static bool keep_other(struct command_line *line, enum option_code code) {
    vcs_sweep *sweep = &line->sweep;
    switch (code) {
    case OPTION_VARY:
    case OPTION_WITH:
    case OPTION_POINTS:
    case OPTION_HOSTS:
        line->axes[sweep->axis_count++] =
            (vcs_sweep_axis){.text = optarg, .kind = VCS_SWEEP_VARY + (uint32_t)code - OPTION_VARY};
        return true;
    case OPTION_HISTOGRAM:
        line->histograms[sweep->histogram_count++] = optarg;
        return true;
    case OPTION_SET:
        line->settings[line->wish.setting_count++] = optarg;
        return true;
    case OPTION_EACH_HOST:
        sweep->flags |= VCS_SWEEP_EACH_HOST;
        return true;
    case OPTION_EACH_SEED:
        sweep->flags |= VCS_SWEEP_EACH_SEED;
        return true;
    case OPTION_RESUME:
        sweep->flags |= VCS_SWEEP_RESUME;
        return true;
    case OPTION_FORCE:
        sweep->flags |= VCS_SWEEP_FORCE;
        return true;
    case OPTION_JSON:
        line->json = true;
        sweep->flags |= VCS_SWEEP_JSON;
        return true;
    case OPTION_CSV:
        line->csv = true;
        sweep->flags &= ~VCS_SWEEP_JSON;
        return true;
    case OPTION_BOUND:
        return line->bound = true;
    case OPTION_ALL:
        return line->all = true;
    case OPTION_UNICODE:
        return line->unicode = true;
    case OPTION_HELP:
        line->help_about = line->command;
        line->command = COMMAND_HELP;
        return true;
    default:
        return false;
    }
}

static bool read_days(struct command_line *line, struct fault *fault) {
    return (vcs_scn_number_read(optarg, &line->wish.days) == NUMBER_OK && line->wish.days > 0) ||
           vcs_scn_fault_set(fault, "--days: \"%s\" is not a number of days above 0", vcs_scn_fault_quote(optarg).text);
}

static bool read_seed(struct command_line *line, struct fault *fault) {
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

static bool read_option(struct command_line *line, int code, const char *argument, struct fault *fault) {
    if (code == ':') {
        return vcs_scn_fault_set(fault, "%s: needs a value", vcs_scn_fault_quote(argument).text);
    }
    const struct option_row *row = find_row(line->command, code);
    if (row == NULL) {
        return vcs_scn_fault_set(fault, "%s: there is no such option, or it takes no value; try: vcemu %s --help",
                                 vcs_scn_fault_quote(argument).text, command_rows[line->command].name);
    }
    switch (row->code) {
    case OPTION_TEXT:
        memcpy((unsigned char *)line + row->text, &optarg, sizeof optarg);
        return true;
    case OPTION_DAYS:
        return read_days(line, fault);
    case OPTION_SEED:
        return read_seed(line, fault);
    default:
        return keep_other(line, row->code);
    }
}

/* ---- options as a whole ---- */

/* Is it a whole number from `least` to `most`? */
static bool parse_count(const char *text, uint32_t least, uint32_t most, uint32_t *count) {
    double number;
    if (vcs_scn_number_read(text, &number) != NUMBER_OK || !vcs_scn_number_is_whole(number) || number < least ||
        number > most) {
        return false;
    }
    *count = (uint32_t)number;
    return true;
}

/* Leaves *count alone if the option is not given. */
static bool read_count(const char *option, const char *text, uint32_t least, uint32_t most, uint32_t *count,
                       struct fault *fault) {
    return text == NULL || parse_count(text, least, most, count) ||
           vcs_scn_fault_set(fault, "%s %s: must be a whole number from %u to %u", option,
                             vcs_scn_fault_quote(text).text, (unsigned)least, (unsigned)most);
}

static bool has_one_form(const struct command_line *line, struct fault *fault) {
    return !line->json || !line->csv ||
           vcs_scn_fault_set(fault, "--json and --csv are two forms of the same output: give one of them");
}

static bool read_grid_options(struct command_line *line, struct fault *fault) {
    struct grid_options *grid = &line->grid;
    *grid = (struct grid_options){
        .seeds = 1, .trace = line->trace, .trace_host = VCS_NONE, .bounds = line->bound, .hosts = line->json};
    if (line->every != NULL && (vcs_scn_number_read(line->every, &grid->every) != NUMBER_OK || grid->every <= 0)) {
        return vcs_scn_fault_set(fault, "--every: \"%s\" is not a number of seconds above 0",
                                 vcs_scn_fault_quote(line->every).text);
    }
    if (!read_count("--seeds", line->seeds, 1, MOST_GRID_SEEDS, &grid->seeds, fault) ||
        !read_count("-j", line->workers, 1, MOST_WORKERS, &grid->workers, fault) ||
        !read_count("--trace-host", line->trace_host, 0, VCS_NONE - 1, &grid->trace_host, fault)) {
        return false;
    }
    if (line->trace_host != NULL && line->trace == NULL) {
        return vcs_scn_fault_set(fault, "--trace-host: name the file with --trace");
    }
    return line->trace == NULL || grid->seeds == 1 ||
           vcs_scn_fault_set(fault, "--trace writes the events of one seed and cannot be combined with --seeds");
}

/* "K/N": the points are divided into N parts, as equal as possible; this is number K. */
static bool read_shard(vcs_sweep *sweep, const char *text, struct fault *fault) {
    char first[16] = "";
    const size_t length = text == NULL ? 0 : strcspn(text, "/");
    if (text == NULL) {
        return true;
    }
    if (text[length] == '/' && length < sizeof first) {
        memcpy(first, text, length);
    }
    return (first[0] != '\0' && parse_count(text + length + 1, 1, MOST_SHARDS, &sweep->shards) &&
            parse_count(first, 1, sweep->shards, &sweep->shard)) ||
           vcs_scn_fault_set(fault, "--shard %s: must be K/N, part K of N, with whole numbers and 1 <= K <= N <= %d",
                             vcs_scn_fault_quote(text).text, MOST_SHARDS);
}

static bool read_sweep_options(struct command_line *line, struct fault *fault) {
    vcs_sweep *sweep = &line->sweep;
    line->sweep_options = (vcs_file_options){
        .struct_size = sizeof line->sweep_options,
        .flags = line->wish.has_seed ? VCS_FILE_SEED : 0,
        .profile = line->wish.profile,
        .settings = line->settings,
        .setting_count = (uint32_t)line->wish.setting_count,
        .seed = line->wish.seed,
        .days = line->wish.days,
    };
    sweep->options = &line->sweep_options;
    sweep->files = line->paths;
    sweep->file_count = (uint32_t)line->path_count;
    sweep->axes = line->axes;
    sweep->histograms = line->histograms;
    sweep->policy_file = line->wish.policy;
    sweep->policy_argument = line->wish.policy_argument;
    return read_count("--seeds", line->seeds, 1, MOST_SWEEP_SEEDS, &sweep->seeds, fault) &&
           read_count("-j", line->workers, 1, MOST_WORKERS, &sweep->workers, fault) &&
           read_shard(sweep, line->shard, fault);
}

static bool is_there(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        fclose(file);
    }
    return file != NULL;
}

/* Functions of the user decide only where the host is emulated. */
static bool check_policy(const struct command_line *line, struct fault *fault) {
    const char *policy = line->wish.policy;
    const char *command = command_rows[line->command].name;
    const bool takes_files = line->command == COMMAND_RUN || line->command == COMMAND_SWEEP;
    if (policy == NULL || strcmp(policy, "none") == 0 || vcs_scn_policy_name_is(policy)) {
        return true;
    }
    if (vcs_scn_policy_find_profile(policy) != VCS_NONE && !(takes_files && is_there(policy))) {
        return vcs_scn_fault_set(fault, "--policy %s: this is the name of a profile; did you mean --profile %s?",
                                 policy, policy);
    }
    return takes_files ||
           vcs_scn_fault_set(fault, "--policy %s: %s takes a policy of the study by its name, such as CS2_WF1_WS1_JC2",
                             vcs_scn_fault_quote(policy).text, command);
}

static bool read_shell(struct command_line *line, struct fault *fault) {
    line->shell = completion_shell(line->paths[0]);
    return line->shell != SHELLS || vcs_scn_fault_set(fault,
                                                      "completion: \"%s\" is not a shell known here; use bash, "
                                                      "zsh or fish",
                                                      vcs_scn_fault_quote(line->paths[0]).text);
}

/* `arguments` begins with the name of the command. */
static bool read_options(struct command_line *line, int argument_count, char *const arguments[], struct fault *fault) {
    const struct command_row *row = &command_rows[line->command];
    const struct grammar grammar = grammar_of(line->command);
    opterr = 0;
    optind = 0; /* for another program this may not be the first time */
    while (line->command != COMMAND_HELP) {
        int code = getopt_long(argument_count, arguments, grammar.letters, grammar.options, NULL);
        if (code == -1) {
            break;
        }
        if (!read_option(line, code, arguments[optind - 1], fault)) {
            return false;
        }
    }
    if (line->command == COMMAND_HELP) {
        return true;
    }
    if (optind == argument_count) {
        return vcs_scn_fault_set(fault, "%s: the name of %s is missing; try: vcemu %s --help", row->name, row->kind,
                                 row->name);
    }
    line->paths = (const char *const *)arguments + optind;
    line->path_count = (size_t)(argument_count - optind);
    if (line->path_count > 1 && line->command != COMMAND_SWEEP) {
        return vcs_scn_fault_set(fault, "%s: there is more than one%s: %s and %s", row->name, strchr(row->kind, ' '),
                                 vcs_scn_fault_quote(arguments[optind]).text,
                                 vcs_scn_fault_quote(arguments[optind + 1]).text);
    }
    if (line->explain != NULL && (line->json || line->all || line->compare != NULL)) {
        return vcs_scn_fault_set(
            fault,
            "--explain is about one project, task or resource and cannot be combined with --json, --all or --compare");
    }
    if (line->command == COMMAND_COMPLETION) {
        return read_shell(line, fault);
    }
    if (!vcs_scn_policy_check_wish(&line->wish, fault) || !check_policy(line, fault)) {
        return false;
    }
    return line->command == COMMAND_GRID    ? read_grid_options(line, fault) && has_one_form(line, fault)
           : line->command == COMMAND_SWEEP ? read_sweep_options(line, fault)
                                            : has_one_form(line, fault);
}

/* vcemu help, vcemu help COMMAND, and vcemu help --json. */
static bool read_help(struct command_line *line, int argument_count, char *const arguments[], struct fault *fault) {
    if (argument_count == 3 && strcmp(arguments[2], "--json") == 0) {
        return line->json = true;
    }
    if (argument_count > 3) {
        return vcs_scn_fault_set(fault, "help: there is more than one command: %s and %s",
                                 vcs_scn_fault_quote(arguments[2]).text, vcs_scn_fault_quote(arguments[3]).text);
    }
    if (argument_count == 3 && strcmp(arguments[2], "help") != 0) {
        line->help_about = command_find(arguments[2]);
    }
    return line->help_about != COMMANDS || vcs_scn_fault_set(fault, "%s: there is no such command; try: vcemu help",
                                                             vcs_scn_fault_quote(arguments[2]).text);
}

bool command_line_read(struct command_line *line, int argument_count, char *const arguments[], struct fault *fault) {
    *line = (struct command_line){.command = COMMAND_HELP,
                                  .help_about = COMMAND_HELP,
                                  .sweep = {.struct_size = sizeof line->sweep, .output = "-"}};
    if (argument_count < 2) {
        return vcs_scn_fault_set(fault, "a command is missing; try: vcemu help");
    }
    const char *first = arguments[1];
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
        return true;
    }
    if (strcmp(first, "help") == 0) {
        return read_help(line, argument_count, arguments, fault);
    }
    if (strcmp(first, "--version") == 0) {
        line->command = COMMAND_VERSION;
        return true;
    }
    line->command = command_find(first);
    if (line->command == COMMANDS) {
        return vcs_scn_fault_set(fault, "%s: there is no such command; try: vcemu help",
                                 vcs_scn_fault_quote(first).text);
    }
    line->settings = calloc((size_t)argument_count, sizeof *line->settings);
    line->axes = calloc((size_t)argument_count, sizeof *line->axes);
    line->histograms = calloc((size_t)argument_count, sizeof *line->histograms);
    if (line->settings == NULL || line->axes == NULL || line->histograms == NULL) {
        return vcs_scn_fault_set(fault, "there is not enough memory");
    }
    line->wish.settings = line->settings;
    return read_options(line, argument_count - 1, arguments + 1, fault);
}

void command_line_free(struct command_line *line) {
    free(line->axes);
    free(line->histograms);
    free(line->settings);
    *line = (struct command_line){.command = COMMAND_HELP};
}
