/* What the tool says of itself. SPDX-License-Identifier: MIT */
#include "command_line.h"

static const char help_text[] =
    "vcemu shows what the scheduling policy of volunteer computing decides for a host.\n"
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
    "Exit status: 0 done, 1 the input is wrong, 2 the command line is wrong, 130 interrupted.\n"
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
    "Tells for each [candidate] of the state, in the order of the file, whether it can join the tasks of the host:\n"
    "it has to meet its own deadline and must harm no other. One that is admitted joins the tasks for those that\n"
    "follow.\n";

static const char run_help[] =
    "usage: vcemu run STATE [OPTION]...\n"
    "\n"
    "Emulates the host from its state on, with jobs as its [app] sections describe them, for as long as [emulation]\n"
    "says; tells what part of the processing was wasted or idle, and how far the shares were kept. Projects of which\n"
    "no [app] says what its jobs are send jobs like the tasks that the host has of them.\n";

static const char sweep_help[] =
    "usage: vcemu sweep STATE [--vary KEY=VALUES]... [OPTION]...\n"
    "\n"
    "Emulates the state, as vcemu run does, with all combinations of the values that are given, several seeds each,\n"
    "and writes CSV: a row for each, with means and standard errors. Run again, it goes on where it stopped.\n";

static const char json_help[] = "  --json                  write JSON\n";

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

static const char run_options_help[] = "  --days COUNT            how long to emulate, whatever the file says\n"
                                       "  --trace FILE            write all that happens, as CSV\n"
                                       "  --timeline FILE         draw it: a page for a browser, in one file\n";

static const char run_examples[] = "\n"
                                   "examples:\n"
                                   "  vcemu run host.ini --days 30\n"
                                   "  vcemu run scenario.ini --profile study2007 --json\n"
                                   "  vcemu run scenario.ini --trace events.csv\n"
                                   "  vcemu run scenario.ini --timeline month.html\n";

static const char sweep_options_help[] =
    "  --vary KEY=VALUES       take each of these values; with several --vary all combinations, the last one fastest\n"
    "  --seeds COUNT           emulate each combination with so many seeds, from that of the scenario on; default 1\n"
    "  -o, --output FILE       write to FILE, or go on with what it has; default is the standard output\n"
    "  --figures NAME,...      these figures alone, in this order\n"
    "  --each-seed             a row for each seed, not for each combination\n"
    "  -j, --workers COUNT     emulate so many at once; default is the number of processors\n"
    "  --days COUNT            how long to emulate, whatever the file says\n"
    "  --shard K/N             only part K of N; the files of all parts one after the other are that of the whole\n"
    "  --force                 overwrite FILE, whatever it is\n";

static const char sweep_examples[] =
    "\n"
    "KEY is the name of a parameter or \"profile\", or the key of a section: KIND.KEY of all sections of this kind,\n"
    "KIND.NAME.KEY of the section [KIND NAME]. VALUES are words, numbers, ranges FROM:TO:STEP, and ranges\n"
    "FROM:TO:xFACTOR in which each value is FACTOR times the one before; commas between.\n"
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
    [COMMAND_SWEEP] = {sweep_help, sweep_options_help, sweep_examples},
};

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
    policy_print_parameters(out);
}
