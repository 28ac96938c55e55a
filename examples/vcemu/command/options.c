/* SPDX-License-Identifier: MIT */
#include "command/options.h"

#define PLAN (1u << COMMAND_PLAN)
#define ADMIT (1u << COMMAND_ADMIT)
#define RUN (1u << COMMAND_RUN)
#define BOUND (1u << COMMAND_BOUND)
#define SWEEP (1u << COMMAND_SWEEP)
#define GRID (1u << COMMAND_GRID)
#define ALL_BUT_SWEEP (PLAN | ADMIT | RUN | BOUND | GRID)
#define ALL (ALL_BUT_SWEEP | SWEEP)

#define KEPT_AS(field) OPTION_TEXT, offsetof(struct command_line, field)
#define DOES(what) OPTION_##what, 0

const struct option_row option_rows[] = {
    {PLAN, 0, "all", NULL, VALUE_NONE, DOES(ALL), "show all tasks and projects, not just the first 40 tasks"},
    {PLAN, 0, "explain", "NAME", VALUE_ANY, KEPT_AS(explain), "explain the decision on this project, task or resource"},
    {PLAN, 0, "compare", "POLICY", VALUE_COMPARISON, KEPT_AS(compare),
     "show what another policy would do beside it, and\n"
     "mark the differences; POLICY is\n"
     "PROFILE[,KEY=VALUE]..., with a \\ before a\n"
     "comma in a name or value"},
    {SWEEP, 0, "vary", "KEY=VALUES", VALUE_AXIS, DOES(VARY),
     "use each of these values; several --vary: all combinations, the last varying fastest"},
    {SWEEP, 0, "with", "KEY=VALUES", VALUE_AXIS, DOES(WITH),
     "as many values as in the option before; both move together"},
    {SWEEP, 0, "points", "FILE", VALUE_FILE, DOES(POINTS),
     "a CSV or TSV table: a KEY heads each column, each row is a point"},
    {SWEEP, 0, "hosts", "FILE", VALUE_FILE, DOES(HOSTS),
     "such a table of hosts; its column \"count\" says how many of each. A row then covers\n"
     "all hosts"},
    {SWEEP, 0, "each-host", NULL, VALUE_NONE, DOES(EACH_HOST), "one row per host instead"},
    {SWEEP, 0, "seeds", "COUNT", VALUE_ANY, KEPT_AS(seeds),
     "seeds for each combination, from --seed or the seed of the scenario on; default 1"},
    {SWEEP, 'o', "output", "FILE", VALUE_FILE, KEPT_AS(sweep.output),
     "write to FILE, or continue what it contains; default is standard output"},
    {SWEEP, 0, "figures", "NAME,...", VALUE_ANY, KEPT_AS(sweep.figures),
     "only these figures, in this order; also project.NAME.FIGURE and resource.NAME.FIGURE,\n"
     "or project.FIGURE and resource.FIGURE for all of them; in a grid project. and\n"
     "population.; lost, least_loss and beyond_bound compare hosts with vcemu bound"},
    {SWEEP, 0, "statistics", "NAME,...", VALUE_STATISTICS, KEPT_AS(sweep.statistics),
     "columns of each figure: mean, se, sd, min, max, median, qPERCENT; default is mean,se"},
    {SWEEP, 0, "histogram", "FIGURE=FROM:TO:STEP", VALUE_ANY, DOES(HISTOGRAM),
     "the share of the runs in each step, below and above; may be repeated"},
    {SWEEP, 0, "json", NULL, VALUE_NONE, DOES(JSON), "write one JSON object per line"},
    {SWEEP, 0, "csv", NULL, VALUE_NONE, DOES(CSV), "write CSV; this is the default"},
    {SWEEP, 0, "each-seed", NULL, VALUE_NONE, DOES(EACH_SEED), "one row per seed instead of one per combination"},
    {BOUND, 0, "csv", NULL, VALUE_NONE, DOES(CSV), "write CSV"},
    {BOUND, 0, "picture", "FILE", VALUE_FILE, KEPT_AS(picture), "draw the curves as SVG"},
    {GRID, 0, "csv", NULL, VALUE_NONE, DOES(CSV), "write the course over time as CSV: one row per sample and project"},
    {GRID, 0, "every", "SECONDS", VALUE_ANY, KEPT_AS(every),
     "time between two samples; default is a hundredth of the whole"},
    {GRID, 0, "report", "FILE", VALUE_FILE, KEPT_AS(report), "write a page for a browser, in one file"},
    {GRID, 0, "trace", "FILE", VALUE_FILE, KEPT_AS(trace), "write every event of servers and hosts, as CSV"},
    {GRID, 0, "trace-host", "NUMBER", VALUE_ANY, KEPT_AS(trace_host),
     "only events of this host, counted from 0, and of its copies"},
    {SWEEP | GRID, 'j', "workers", "COUNT", VALUE_ANY, KEPT_AS(workers),
     "emulations in parallel; default is the number of processors"},
    {RUN | SWEEP | GRID, 0, "days", "COUNT", VALUE_ANY, DOES(DAYS), "days to emulate, overriding the file"},
    {RUN | GRID, 0, "seed", "NUMBER", VALUE_ANY, DOES(SEED), "seed of all random draws, overriding the file"},
    {SWEEP, 0, "seed", "NUMBER", VALUE_ANY, DOES(SEED), "the first seed, overriding the file"},
    {GRID, 0, "seeds", "COUNT", VALUE_ANY, KEPT_AS(seeds),
     "emulate the grid with COUNT seeds, from that one on; default 1"},
    {RUN | SWEEP, 0, "policy", "FILE", VALUE_FILE, KEPT_AS(wish.policy),
     "a policy in C, a shared library; see doc/vcemu.md"},
    {RUN | SWEEP, 0, "policy-argument", "TEXT", VALUE_ANY, KEPT_AS(wish.policy_argument), "text for the policy"},
    {RUN, 0, "trace", "FILE", VALUE_FILE, KEPT_AS(trace), "write every event, as CSV"},
    {RUN | GRID, 0, "bound", NULL, VALUE_NONE, DOES(BOUND),
     "compare with what any policy loses at least, as vcemu bound finds it"},
    {RUN, 0, "timeline", "FILE", VALUE_FILE, KEPT_AS(timeline),
     "draw the emulation as a page for a browser, in one file"},
    {SWEEP, 0, "shard", "K/N", VALUE_ANY, KEPT_AS(shard),
     "only part K of N; the files of all parts, joined in order, are the whole table"},
    {SWEEP, 0, "resume", NULL, VALUE_NONE, DOES(RESUME), "refuse to start anew if FILE is not there"},
    {SWEEP, 0, "force", NULL, VALUE_NONE, DOES(FORCE), "overwrite FILE, whatever it contains"},
    {ALL_BUT_SWEEP, 0, "json", NULL, VALUE_NONE, DOES(JSON), "write JSON"},
    {ALL, 0, "profile", "NAME", VALUE_PROFILE, KEPT_AS(wish.profile),
     "replace the profile in the file; parameters that the file sets still apply"},
    {ALL, 0, "policy", "NAME", VALUE_POLICY, KEPT_AS(wish.policy),
     "a policy of the study, such as CS2_WF1_WS1_JC2: sets these four choices"},
    {ALL, 0, "set", "KEY=VALUE", VALUE_SETTING, DOES(SET),
     "set a parameter or a key such as project.NAME.share, overriding the file; may be repeated"},
    {ALL_BUT_SWEEP, 0, "unicode", NULL, VALUE_NONE, DOES(UNICODE),
     "draw with block characters even if the output is not a UTF-8 terminal"},
    {ALL | 1u << COMMAND_COMPLETION, 'h', "help", NULL, VALUE_NONE, DOES(HELP), "explain the command"},
};
const size_t option_row_count = sizeof option_rows / sizeof *option_rows;

bool option_is_of(const struct option_row *row, enum command command) {
    return (row->commands >> command & 1) != 0;
}
