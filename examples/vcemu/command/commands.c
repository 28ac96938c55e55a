/* SPDX-License-Identifier: MIT */
#include "command/options.h"

#include <string.h>

static const char plan_about[] =
    "Decides which tasks the host runs now and which project it asks for how much work, under the policy of its\n"
    "client. Predicts when each task will finish and which tasks will miss their deadlines.\n";

static const char plan_examples[] = "vcemu plan host.ini\n"
                                    "vcemu plan host.ini --explain Einstein@Home\n"
                                    "vcemu plan host.ini --all --set min_buffer=43200\n"
                                    "vcemu plan host.ini --compare current,give_up=by_chance,keep_running=yes\n"
                                    "vcemu plan - --json < host.ini\n";

static const char admit_about[] =
    "Says for each [candidate] of the state, in the order of the file, whether it can join the tasks of the host.\n"
    "It must meet its own deadline and harm no other task. Once admitted, it counts as a task for the next\n"
    "candidates.\n";

static const char admit_examples[] = "vcemu admit host.ini\n"
                                     "vcemu admit host.ini --set min_buffer=0 --json\n";

static const char run_about[] =
    "Emulates the host from this state on, with the jobs that its [app] sections describe, for as long as\n"
    "[emulation] says. Reports how much processing was wasted or idle, and how well the shares were kept. If no\n"
    "[app] section of a project describes jobs, it sends jobs like the tasks the host has from it.\n"
    "On a terminal, a bar shows how much of that time has passed.\n";

static const char run_examples[] = "vcemu run host.ini --days 30\n"
                                   "vcemu run scenario.ini --profile study2007 --json\n"
                                   "vcemu run scenario.ini --trace events.csv\n"
                                   "vcemu run scenario.ini --timeline month.html\n";

static const char bound_about[] =
    "Says for each project which part of the processor time used is lost at least, whatever the policy, since\n"
    "nobody knows when the host will be off; and how little can be lost at each share violation. Jobs are those\n"
    "that vcemu run would send. Five policies are told: sizes of jobs may be known when they come, or not until\n"
    "they end (blind); jobs are given up when they cannot be done in time (hopeless), or where this is best\n"
    "(optimal); and if only the sizes are done that lose least (any size).\n";

static const char bound_examples[] = "vcemu bound scenario.ini\n"
                                     "vcemu bound scenario.ini --json\n"
                                     "vcemu bound scenario.ini --csv --picture curve.svg > losses.csv\n";

static const char sweep_about[] =
    "Emulates the states with every combination of the given values and several seeds each: as vcemu grid does if\n"
    "they have [server] and [population] sections, else as vcemu run does. Writes a table: one row per\n"
    "combination, with means and standard errors. Run it again to continue where it stopped.\n";

static const char sweep_notes[] =
    "KEY is the name of a parameter, \"profile\", \"policy\" or \"policy_argument\", or the key of a section:\n"
    "KIND.KEY for all sections of this kind, KIND.NAME.KEY for the section [KIND NAME]. VALUES are words,\n"
    "numbers, ranges FROM:TO:STEP, and ranges FROM:TO:xFACTOR in which each value is FACTOR times the one\n"
    "before, separated by commas.\n";

static const char sweep_examples[] =
    "vcemu sweep base.ini --vary min_buffer=0:86400:3600 --seeds 20 -o buffer.csv\n"
    "vcemu sweep base.ini --vary profile=study2007,current --vary host.cpus=1:64:x2 --seeds 20 -o cpus.csv\n"
    "vcemu sweep base.ini --vary app.P/A.latency_bound=1e4:1e6:x10 --vary project.share=50,100 --figures waste\n"
    "vcemu sweep base.ini --vary host.cpus=4,8 --with app.P/A.weight=1,2 --figures project.flops_used\n"
    "vcemu sweep base.ini --hosts hosts.csv --vary profile=study2007,current --statistics mean,q5,q95\n"
    "vcemu sweep small.ini large.ini --vary min_buffer=0,3600 --json -o both.jsonl\n"
    "vcemu sweep base.ini --vary host.available=0.1:1:0.1 --seeds 1000 --shard 2/4 -o part2.csv\n"
    "vcemu sweep grid.ini --vary server.P.min_quorum=1,2,3 --vary population.saboteurs=0:0.3:0.05 --seeds 10 \\\n"
    "  --figures project.P.wrong_fraction,project.P.throughput -o quorum.csv\n";

static const char grid_about[] =
    "Emulates the hosts that the [population] sections of the scenario describe, and the [server] of each\n"
    "project. Shows how many units get done, how long they take, how many copies that needs, where the processing\n"
    "goes and how many wrong results are accepted. With several seeds, shows means and their standard errors.\n";

static const char grid_examples[] = "vcemu grid grid.ini\n"
                                    "vcemu grid grid.ini --seeds 10 --report grid.html\n"
                                    "vcemu grid grid.ini --days 7 --csv > week.csv\n"
                                    "vcemu grid grid.ini --json --set min_buffer=0\n";

static const char completion_about[] =
    "Writes what makes a shell complete commands, options and their values: profiles, policies, parameters and files.\n"
    "SHELL is bash, zsh or fish. Where vcemu is installed, they find it by themselves.\n";

static const char completion_examples[] = "vcemu completion bash > ~/.local/share/bash-completion/completions/vcemu\n"
                                          "vcemu completion zsh > ~/.zfunc/_vcemu\n"
                                          "vcemu completion fish > ~/.config/fish/completions/vcemu.fish\n";

const struct command_row command_rows[COMMANDS] = {
    [COMMAND_PLAN] = {"plan", "STATE", "a state file",
                      "which tasks run, when they finish, which project is asked for work, and why", plan_about, "",
                      plan_examples},
    [COMMAND_ADMIT] = {"admit", "STATE", "a state file", "which candidates can join the tasks without harm",
                       admit_about, "", admit_examples},
    [COMMAND_RUN] = {"run", "STATE", "a state file", "emulate the host and its servers, and judge the policy",
                     run_about, "", run_examples},
    [COMMAND_BOUND] = {"bound", "STATE", "a state file",
                       "which part of the processor time used is lost at least, whatever the policy", bound_about, "",
                       bound_examples},
    [COMMAND_SWEEP] = {"sweep", "STATE... [--vary KEY=VALUES]...", "a state file",
                       "emulate hosts for many values and seeds, and write a table", sweep_about, sweep_notes,
                       sweep_examples},
    [COMMAND_GRID] =
        {"grid", "SCENARIO", "a state file",
         "emulate many hosts and the servers of their projects; show how fast and how correctly work is done",
         grid_about, "", grid_examples},
    [COMMAND_COMPLETION] = {"completion", "SHELL", "a shell",
                            "write what lets bash, zsh or fish complete command lines", completion_about, "",
                            completion_examples},
};

enum command command_find(const char *name) {
    for (uint32_t command = 0; command < COMMANDS; command++) {
        if (command_rows[command].name != NULL && strcmp(command_rows[command].name, name) == 0) {
            return (enum command)command;
        }
    }
    return COMMANDS;
}
