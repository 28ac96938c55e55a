/*
 * Policies compared over a population of hosts: each host is emulated once under each policy.
 *
 *     policy_study [-j WORKERS] [-f FIRST] [-n HOSTS] [-p POPULATION] POLICY...
 *     policy_study [-p POPULATION] -w HOST
 *
 * Writes one line of CSV for each host and policy. tables.py makes tables of them: means and paired differences from
 * the first policy. doc/policies.md shows the results.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "measure.h"
#include "text/progress.h"
#include "workers.h"

#define MOST_POLICIES 64
#define MOST_NUMBER 1000000000 /* of a host */

struct comparison {
    const struct population *population;
    struct policy policies[MOST_POLICIES];
    size_t policy_count;
    uint64_t first; /* number of the first host */
    size_t host_count;
    struct progress progress;
    size_t job_count;
};

/* ---- One run ---- */

static int run(void *context, size_t job, void *result) {
    const struct comparison *c = context;
    const struct policy *policy = &c->policies[job % c->policy_count];
    struct measured *measured = result;
    static struct drawn_host h;
    vcs_error error;
    const uint64_t number = c->first + job / c->policy_count;
    c->population->draw(&h, number);
    const int code = measure(&h, policy, measured, &error);
    if (code != VCS_OK) {
        fprintf(stderr, "policy_study: host %llu under %s: %s\n", (unsigned long long)number, policy->name,
                error.message);
    }
    return code;
}

/* ---- As CSV ---- */

static void accept_result(void *context, size_t job, const void *result) {
    struct comparison *c = context;
    static struct drawn_host h;
    const uint64_t number = c->first + job / c->policy_count;
    c->population->draw(&h, number);
    printf("%s,%llu,%s,", c->population->name, (unsigned long long)number, c->policies[job % c->policy_count].name);
    measure_print_host(stdout, &h);
    measure_print(stdout, result);
    progress_step(&c->progress, job + 1, c->job_count);
}

static int run_all(struct comparison *c, size_t worker_count) {
    c->job_count = c->host_count * c->policy_count;
    const struct workers workers = {
        .count = worker_count,
        .job_count = c->job_count,
        .result_size = sizeof(struct measured),
        .context = c,
        .work = run,
        .accept = accept_result,
    };
    fputs("population,host,policy,", stdout);
    measure_print_header(stdout);
    progress_start(&c->progress, "emulating", PROGRESS_AT_ONCE);
    const int code = workers_run(&workers);
    progress_end(&c->progress);
    return code;
}

/* ---- The command line ---- */

static const char usage[] =
    "usage: policy_study [-j WORKERS] [-f FIRST] [-n HOSTS] [-p POPULATION] POLICY...\n"
    "       policy_study [-p POPULATION] -w HOST\n"
    "\n"
    "Emulates each host of a population under each policy, and writes what comes out as CSV.\n"
    "\n"
    "  -j WORKERS      parallel processes; default: the number of processors\n"
    "  -f FIRST        number of the first host; default: 1\n"
    "  -n HOSTS        how many hosts; default: 600\n"
    "  -p POPULATION   which hosts; default: plain\n"
    "  -w HOST         only writes the host of this number as a scenario for vcemu\n"
    "  POLICY          [NAME:] PROFILE[, PARAMETER=VALUE...]; the first is what the others are compared with\n"
    "\n"
    "populations:\n";

static void print_usage(FILE *out) {
    fputs(usage, out);
    for (const struct population *p = populations; p->name != NULL; p++) {
        fprintf(out, "  %-15s %s\n", p->name, p->about);
    }
}

static void write_host(const struct population *population, uint64_t number) {
    static struct drawn_host h;
    population->draw(&h, number);
    printf("; Host %llu of the population %s\n", (unsigned long long)number, population->name);
    drawn_host_write(&h, stdout);
}

int main(int count, char *arguments[]) {
    static struct comparison c = {.population = populations, .first = 1, .host_count = 600};
    size_t workers = workers_online(), first = 1, written = 0;
    int option;
    while ((option = getopt(count, arguments, "j:f:n:p:w:h")) != -1) {
        if (option == 'h') {
            print_usage(stdout);
            return EXIT_SUCCESS;
        }
        c.population = option == 'p' ? population_find(optarg) : c.population;
        if (c.population == NULL) {
            fprintf(stderr, "policy_study: there is no population '%s'\n", optarg);
            return 2;
        }
        if (option != 'p' && !(option == 'j' && workers_read_count(optarg, MOST_WORKERS, &workers)) &&
            !(option == 'f' && workers_read_count(optarg, MOST_NUMBER, &first)) &&
            !(option == 'w' && workers_read_count(optarg, MOST_NUMBER, &written)) &&
            !(option == 'n' && workers_read_count(optarg, 1000000, &c.host_count))) {
            print_usage(stderr);
            return 2;
        }
    }
    if (written != 0 && optind == count) {
        write_host(c.population, written);
        return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    c.first = first;
    c.policy_count = (size_t)(count - optind);
    if (written != 0 || c.policy_count == 0 || c.policy_count > MOST_POLICIES) {
        print_usage(stderr);
        return 2;
    }
    for (size_t i = 0; i < c.policy_count; i++) {
        const char *wrong = policy_read(&c.policies[i], arguments[optind + (int)i]);
        if (wrong != NULL) {
            fprintf(stderr, "policy_study: '%s': %s\n", arguments[optind + (int)i], wrong);
            return 2;
        }
    }
    if (run_all(&c, workers) != 0) {
        return EXIT_FAILURE;
    }
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
