/*
 * A server for a batch that has to end soon: it hands out one job at a time, and guesses who has died.
 *
 * The same program as examples/python/dispatcher.py: it has the same options, speaks with the same workers
 * (dispatch_worker.py), and goes on with the other's journal. Which job a client gets, when to stop waiting for it,
 * whether its answer counts and who is no longer trusted are the library's decisions (rules 10 and 11).
 * doc/server.md explains it.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE

#include "journal.h"
#include "server.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static server_settings settings = {
    .listen = "127.0.0.1:7070", .most_clients = 10000, .most_connections = 500, .status_every = 2};

static const char help[] =
    "usage: dispatcher [options] folder\n"
    "\n"
    "A server for a batch that has to end soon: it hands out one job at a time, and guesses who has died.\n"
    "\n"
    "  folder                  for the journal, the answers and the status; made if missing\n"
    "  --listen HOST:PORT      port 0: any (127.0.0.1:7070)\n"
    "  --portions N            how many the application has (100)\n"
    "  --size N                least number of values in a portion (5)\n"
    "  --method M              of verification: none, direct, inverse or vote (inverse)\n"
    "  --factor R              copies of each portion, for vote (2)\n"
    "  --order O               of jobs: drain-then-dead, drain-then-oldest or overdue-first (overdue-first)\n"
    "  --wait K                K_wait: another client gets a job after K expected times (2)\n"
    "  --dead K                K_wait_dead: a client is dead after K expected times of silence (twice --wait)\n"
    "  --first-speed X         complexity per second to expect before the first answer (1)\n"
    "  --jobs-per-client N     at a time (2)\n"
    "  --keys FILE             the keys of the workers, one a line; others are refused\n"
    "  --most-clients N        ever, by key (10000)\n"
    "  --most-connections N    at a time (500)\n"
    "  --status-every S        seconds (2)\n"
    "\n"
    "examples:\n"
    "  dispatcher batch --listen 127.0.0.1:7070 --portions 500\n"
    "      hands out 500 portions to whoever runs `dispatch_worker.py 127.0.0.1:7070`; answers are in batch/answers;\n"
    "      once more, after a kill or a crash: goes on where it was\n"
    "  dispatcher batch --method vote --factor 2.5\n"
    "      every portion is computed twice or three times, and a vote decides\n"
    "\n"
    "exit status: 0 the batch is complete; 1 stopped before that, start it again to go on; 2 wrong usage; 3 the "
    "journal\n"
    "is in use, damaged or of other settings; 4 the system refused something: an address, a file, the disk is full\n";

static const char *const methods[] = {"none", "direct", "inverse", "vote"}; /* VCS_VERIFY_* */
static const char *const orders[] = {"drain-then-dead", "drain-then-oldest", "overdue-first"};

static uint32_t one_of(const char *name, const char *word, const char *const *words, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(word, words[i]) == 0) {
            return i;
        }
    }
    stop(USAGE, "--%s %s: unknown", name, word);
    return 0;
}

/* A number of six digits, so that the journal has exactly the one that counts. */
static double figure(const char *name, const char *word, double least, double most) {
    char *end;
    char digits[64];
    snprintf(digits, sizeof digits, "%g", strtod(word, &end));
    const double value = strtod(digits, NULL);
    if (end == word || *end != '\0' || !(value >= least && value <= most)) {
        stop(USAGE, "--%s %s: must be %g to %g", name, word, least, most);
    }
    return value;
}

static uint32_t whole(const char *name, const char *word, uint32_t most) {
    char *end;
    const unsigned long value = strtoul(word, &end, 10);
    if (word[0] < '0' || word[0] > '9' || *end != '\0' || value < 1 || value > most) {
        stop(USAGE, "--%s %s: must be 1 to %u", name, word, most);
    }
    return (uint32_t)value;
}

enum {
    LISTEN,
    PORTIONS,
    SIZE,
    METHOD,
    FACTOR,
    ORDER,
    WAIT,
    DEAD,
    SPEED,
    JOBS,
    KEYS,
    CLIENTS,
    CONNECTIONS,
    STATUS,
    HELP
};

static const struct option options[] = {
    {"listen", required_argument, NULL, LISTEN},
    {"portions", required_argument, NULL, PORTIONS},
    {"size", required_argument, NULL, SIZE},
    {"method", required_argument, NULL, METHOD},
    {"factor", required_argument, NULL, FACTOR},
    {"order", required_argument, NULL, ORDER},
    {"wait", required_argument, NULL, WAIT},
    {"dead", required_argument, NULL, DEAD},
    {"first-speed", required_argument, NULL, SPEED},
    {"jobs-per-client", required_argument, NULL, JOBS},
    {"keys", required_argument, NULL, KEYS},
    {"most-clients", required_argument, NULL, CLIENTS},
    {"most-connections", required_argument, NULL, CONNECTIONS},
    {"status-every", required_argument, NULL, STATUS},
    {"help", no_argument, NULL, HELP},
    {0},
};

static void read_option(int option) {
    if (option == '?') { /* getopt_long() has said why */
        exit(USAGE);
    }
    const char *name = options[option].name, *word = optarg;
    switch (option) {
    case LISTEN:
        settings.listen = word;
        break;
    case PORTIONS:
        portions = whole(name, word, 1000000000);
        break;
    case SIZE:
        portion_size = whole(name, word, 1000);
        break;
    case METHOD:
        d.method = one_of(name, word, methods, 4);
        break;
    case FACTOR:
        d.factor = figure(name, word, 1, VCS_MAX_COPIES);
        break;
    case ORDER:
        d.rules.order = one_of(name, word, orders, 3);
        break;
    case WAIT:
        d.rules.wait_factor = figure(name, word, -INFINITY, INFINITY);
        break;
    case DEAD:
        d.rules.dead_factor = figure(name, word, -INFINITY, INFINITY);
        break;
    case SPEED:
        d.rules.first_speed = figure(name, word, -INFINITY, INFINITY);
        break;
    case JOBS:
        d.rules.max_per_client = whole(name, word, 1000);
        break;
    case KEYS:
        settings.keys = word;
        break;
    case CLIENTS:
        settings.most_clients = whole(name, word, 1000000);
        break;
    case CONNECTIONS:
        settings.most_connections = whole(name, word, 100000);
        break;
    case STATUS:
        settings.status_every = figure(name, word, 0.01, 3600);
        break;
    case HELP:
        fputs(help, stdout);
        exit(COMPLETE);
    default:
        stop(USAGE, "see dispatcher --help");
    }
}

static void read_command_line(int count, char **words) {
    must(vcs_dispatch_rules_init(&d.rules, sizeof d.rules));
    d.rules.dead_factor = 0;
    d.rules.max_per_client = 2;
    d.method = VCS_VERIFY_INVERSE;
    d.factor = 2;
    int option;
    while ((option = getopt_long(count, words, "", options, NULL)) != -1) {
        read_option(option);
    }
    d.rules.dead_factor = d.rules.dead_factor == 0 ? 2 * d.rules.wait_factor : d.rules.dead_factor;
    const char *colon = strrchr(settings.listen, ':');
    if (optind != count - 1 || colon == NULL || strspn(colon + 1, "0123456789") != strlen(colon + 1)) {
        stop(USAGE, "a folder is needed, and HOST:PORT to listen at; see dispatcher --help");
    }
    settings.folder = words[optind];
    const vcs_client nobody = {.id = 1};
    const vcs_dispatch_job nothing = {.client = VCS_NONE, .copy_of = VCS_NONE};
    double seconds;
    if (vcs_expected_reply(&nobody, &nothing, &d.pool, &d.rules, &seconds, &error) != VCS_OK) {
        stop(USAGE, "%s", error.message); /* such as K_wait_dead <= K_wait */
    }
}

int main(int count, char **words) {
    char heading[512];
    read_command_line(count, words);
    if (mkdir(settings.folder, 0777) != 0 && errno != EEXIST) {
        stop(SYSTEM, "%s: %s", settings.folder, strerror(errno));
    }
    char *journal = path_of(settings.folder, "journal"), *answers = path_of(settings.folder, "answers");
    journal_path = journal;
    build(16, 64);
    open_answers(answers);
    snprintf(heading, sizeof heading,
             "dispatcher 1 method=%s factor=%g order=%s wait=%g dead=%g first_speed=%g jobs_per_client=%u portions=%u "
             "size=%u",
             methods[d.method], d.factor, orders[d.rules.order], d.rules.wait_factor, d.rules.dead_factor,
             d.rules.first_speed, d.rules.max_per_client, portions, portion_size);
    const int status = serve(&settings, open_journal(heading));
    free(journal);
    free(answers);
    return status;
}
