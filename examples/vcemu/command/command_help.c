/* The help texts. SPDX-License-Identifier: MIT */
#include "command/command_line.h"

static const char help_text[] =
    "vcemu shows what the scheduling policy of volunteer computing decides for a host.\n"
    "\n"
    "usage: vcemu COMMAND STATE [OPTION]...\n"
    "\n"
    "  plan    which tasks run, when they finish, which project is asked for work, and why\n"
    "  admit   which candidates can join the tasks without harm\n"
    "  run     emulate the host and its servers, and judge the policy\n"
    "  bound   which part of the processor time used is lost at least, whatever the policy\n"
    "  sweep   emulate them for many values and seeds, and write a table\n"
    "  grid    emulate many hosts and the servers of their projects; show how fast and how correctly work is done\n"
    "\n"
    "STATE is a state file; - is standard input.\n"
    "\n"
    "  vcemu help COMMAND     about a command and its options; so does vcemu COMMAND --help\n"
    "  vcemu --version        version of the library\n"
    "\n"
    "Exit status: 0 done, 1 the input is wrong, 2 the command line is wrong, 130 interrupted.\n"
    "\n"
    "examples:\n"
    "  vcemu plan host.ini\n"
    "  vcemu plan host.ini --profile study2007\n"
    "  vcemu admit host.ini --json\n"
    "  vcemu run scenario.ini\n"
    "  vcemu sweep scenario.ini --vary min_buffer=0:86400:3600 --seeds 20 -o buffer.csv\n"
    "  vcemu grid grid.ini --report grid.html\n";

static const char plan_help[] =
    "usage: vcemu plan STATE [OPTION]...\n"
    "\n"
    "Decides which tasks the host runs now and which project it asks for how much work, under the policy of its\n"
    "client. Predicts when each task will finish and which tasks will miss their deadlines.\n";

static const char admit_help[] =
    "usage: vcemu admit STATE [OPTION]...\n"
    "\n"
    "Says for each [candidate] of the state, in the order of the file, whether it can join the tasks of the host. It\n"
    "must meet its own deadline and harm no other task. Once admitted, it counts as a task for the next candidates.\n";

static const char run_help[] =
    "usage: vcemu run STATE [OPTION]...\n"
    "\n"
    "Emulates the host from this state on, with the jobs that its [app] sections describe, for as long as\n"
    "[emulation] says. Reports how much processing was wasted or idle, and how well the shares were kept. If no\n"
    "[app] section of a project describes jobs, it sends jobs like the tasks the host has from it.\n"
    "On a terminal, a bar shows how much of that time has passed.\n";

static const char bound_help[] =
    "usage: vcemu bound STATE [OPTION]...\n"
    "\n"
    "Says for each project which part of the processor time used is lost at least, whatever the policy, since nobody\n"
    "knows when the host will be off; and how little can be lost at each share violation. Jobs are those that vcemu\n"
    "run would send. Five policies are told: sizes of jobs may be known when they come, or not until they end\n"
    "(blind); jobs are given up when they cannot be done in time (hopeless), or where this is best (optimal); and\n"
    "if only the sizes are done that lose least (any size).\n";

static const char sweep_help[] =
    "usage: vcemu sweep STATE... [--vary KEY=VALUES]... [OPTION]...\n"
    "\n"
    "Emulates the states with every combination of the given values and several seeds each: as vcemu grid does if "
    "they\n"
    "have [server] and [population] sections, else as vcemu run does. Writes a table: one row per combination, with\n"
    "means and standard errors. Run it again to continue where it stopped.\n";

static const char grid_help[] =
    "usage: vcemu grid SCENARIO [OPTION]...\n"
    "\n"
    "Emulates the hosts that the [population] sections of the scenario describe, and the [server] of each project.\n"
    "Shows how many units get done, how long they take, how many copies that needs, where the processing goes and how\n"
    "many wrong results are accepted. With several seeds, shows means and their standard errors.\n";

static const char json_help[] = "  --json                  write JSON\n";

static const char policy_options_help[] =
    "  --profile NAME          replace the profile in the file; parameters that the file sets still apply\n"
    "  --policy NAME           a policy of the study, such as CS2_WF1_WS1_JC2: sets these four choices\n"
    "  --set PARAMETER=VALUE   set a parameter, overriding the file; may be repeated\n";

static const char unicode_help[] =
    "  --unicode               draw with block characters even if the output is not a UTF-8 terminal\n";

static const char plan_options_help[] = "  --all                   show all tasks, not just the first 40\n"
                                        "  --explain NAME          explain the decision on this project or task\n"
                                        "  --compare POLICY        show what another policy would do beside it, and\n"
                                        "                          mark the differences; POLICY is\n"
                                        "                          PROFILE[,PARAMETER=VALUE]...\n";

static const char plan_examples[] = "\n"
                                    "examples:\n"
                                    "  vcemu plan host.ini\n"
                                    "  vcemu plan host.ini --explain Einstein@Home\n"
                                    "  vcemu plan host.ini --all --set min_buffer=43200\n"
                                    "  vcemu plan host.ini --compare current,give_up=by_chance,keep_running=yes\n"
                                    "  vcemu plan - --json < host.ini\n";

static const char admit_examples[] = "\n"
                                     "examples:\n"
                                     "  vcemu admit host.ini\n"
                                     "  vcemu admit host.ini --set min_buffer=0 --json\n";

static const char run_options_help[] =
    "  --days COUNT            days to emulate, overriding the file\n"
    "  --seed NUMBER           seed of all random draws, overriding the file\n"
    "  --policy FILE           a policy in C, a shared library; see doc/vcemu.md\n"
    "  --policy-argument TEXT  text for the policy\n"
    "  --trace FILE            write every event, as CSV\n"
    "  --bound                 compare with what any policy loses at least, as vcemu bound finds it\n"
    "  --timeline FILE         draw the emulation as a page for a browser, in one file\n";

static const char bound_options_help[] = "  --csv                   write CSV\n"
                                         "  --picture FILE          draw the curves as SVG\n";

static const char bound_examples[] = "\n"
                                     "examples:\n"
                                     "  vcemu bound scenario.ini\n"
                                     "  vcemu bound scenario.ini --json\n"
                                     "  vcemu bound scenario.ini --csv --picture curve.svg > losses.csv\n";

static const char run_examples[] = "\n"
                                   "examples:\n"
                                   "  vcemu run host.ini --days 30\n"
                                   "  vcemu run scenario.ini --profile study2007 --json\n"
                                   "  vcemu run scenario.ini --trace events.csv\n"
                                   "  vcemu run scenario.ini --timeline month.html\n";

static const char sweep_options_help[] =
    "  --vary KEY=VALUES       use each of these values; several --vary: all combinations, the last varying fastest\n"
    "  --with KEY=VALUES       as many values as in the option before; both move together\n"
    "  --points FILE           a CSV or TSV table: a KEY heads each column, each row is a point\n"
    "  --hosts FILE            such a table of hosts; its column \"count\" says how many of each. A row then covers\n"
    "                          all hosts\n"
    "  --each-host             one row per host instead\n"
    "  --seeds COUNT           seeds for each combination, from --seed or the seed of the scenario on; default 1\n"
    "  -o, --output FILE       write to FILE, or continue what it contains; default is standard output\n"
    "  --figures NAME,...      only these figures, in this order; also project.NAME.FIGURE and resource.NAME.FIGURE,\n"
    "                          or project.FIGURE and resource.FIGURE for all of them; in a grid project. and\n"
    "                          population.; lost, least_loss and beyond_bound compare a host with vcemu bound\n"
    "  --statistics NAME,...   columns of each figure: mean, se, sd, min, max, median, qPERCENT; default is mean,se\n"
    "  --histogram FIGURE=FROM:TO:STEP\n"
    "                          the share of the runs in each step, below and above; may be repeated\n"
    "  --json                  one JSON object per line instead of CSV; --csv is the default\n"
    "  --each-seed             one row per seed instead of one per combination\n"
    "  -j, --workers COUNT     emulations in parallel; default is the number of processors\n"
    "  --days COUNT            days to emulate, overriding the file\n"
    "  --seed NUMBER           the first seed, overriding the file\n"
    "  --policy FILE           a policy in C, a shared library; see doc/vcemu.md\n"
    "  --policy-argument TEXT  text for the policy\n"
    "  --shard K/N             only part K of N; the files of all parts, joined in order, are the whole table\n"
    "  --resume                refuse to start anew if FILE is not there\n"
    "  --force                 overwrite FILE, whatever it contains\n";

static const char grid_options_help[] =
    "  --csv                   write the course over time as CSV: one row per sample and project\n"
    "  --every SECONDS         time between two samples; default is a hundredth of the whole\n"
    "  --report FILE           write a page for a browser, in one file\n"
    "  --trace FILE            write every event of servers and hosts, as CSV\n"
    "  --trace-host NUMBER     only events of this host, counted from 0, and of its copies\n"
    "  --days COUNT            days to emulate, overriding the file\n"
    "  --seed NUMBER           seed of all random draws, overriding the file\n"
    "  --seeds COUNT           emulate the grid with COUNT seeds, from that one on; default 1\n"
    "  -j, --workers COUNT     emulations in parallel; default is the number of processors\n";

static const char grid_examples[] = "\n"
                                    "examples:\n"
                                    "  vcemu grid grid.ini\n"
                                    "  vcemu grid grid.ini --seeds 10 --report grid.html\n"
                                    "  vcemu grid grid.ini --days 7 --csv > week.csv\n"
                                    "  vcemu grid grid.ini --json --set min_buffer=0\n";

static const char sweep_examples[] =
    "\n"
    "KEY is the name of a parameter, \"profile\", \"policy\" or \"policy_argument\", or the key of a section: KIND.KEY "
    "for\n"
    "all sections of this kind, KIND.NAME.KEY for the section [KIND NAME]. VALUES are words, numbers, ranges\n"
    "FROM:TO:STEP, and ranges FROM:TO:xFACTOR in which each value is FACTOR times the one before, separated by "
    "commas.\n"
    "\n"
    "examples:\n"
    "  vcemu sweep base.ini --vary min_buffer=0:86400:3600 --seeds 20 -o buffer.csv\n"
    "  vcemu sweep base.ini --vary profile=study2007,current --vary host.cpus=1:64:x2 --seeds 20 -o cpus.csv\n"
    "  vcemu sweep base.ini --vary app.P/A.latency_bound=1e4:1e6:x10 --vary project.share=50,100 --figures waste\n"
    "  vcemu sweep base.ini --vary host.cpus=4,8 --with app.P/A.weight=1,2 --figures project.flops_used\n"
    "  vcemu sweep base.ini --hosts hosts.csv --vary profile=study2007,current --statistics mean,q5,q95\n"
    "  vcemu sweep small.ini large.ini --vary min_buffer=0,3600 --json -o both.jsonl\n"
    "  vcemu sweep base.ini --vary host.available=0.1:1:0.1 --seeds 1000 --shard 2/4 -o part2.csv\n"
    "  vcemu sweep grid.ini --vary server.P.min_quorum=1,2,3 --vary population.saboteurs=0:0.3:0.05 --seeds 10 \\\n"
    "    --figures project.P.wrong_fraction,project.P.throughput -o quorum.csv\n";

/* The help of each command: what it does, its own options, examples. */
static const char *const command_help[COMMANDS][3] = {
    [COMMAND_PLAN] = {plan_help, plan_options_help, plan_examples},
    [COMMAND_ADMIT] = {admit_help, "", admit_examples},
    [COMMAND_RUN] = {run_help, run_options_help, run_examples},
    [COMMAND_BOUND] = {bound_help, bound_options_help, bound_examples},
    [COMMAND_SWEEP] = {sweep_help, sweep_options_help, sweep_examples},
    [COMMAND_GRID] = {grid_help, grid_options_help, grid_examples},
};

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
    if (command_help[about][0] == NULL) {
        fputs(help_text, out);
        return;
    }
    fprintf(out, "%s\n%s", command_help[about][0], command_help[about][1]);
    if (about == COMMAND_SWEEP) {
        fputs(policy_options_help, out);
    } else {
        fprintf(out, "%s%s%s", json_help, policy_options_help, unicode_help);
    }
    fputs(command_help[about][2], out);
    fputs("\nparameters:\n", out);
    print_parameters(out);
}
