/*
 * The fingerprint of what is decided over a whole host: both simulations, earliest deadline first, which tasks run,
 * what is fetched, what is sent, what is admitted; and the same a while later, on the renewed state.
 *
 * SPDX-License-Identifier: MIT
 */
#include "assurance/hygiene/fingerprint.h"
#include "support/array.h"
#include "support/random_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vcsched/vcsched.h>

#define HOSTS 1500
#define MOST_PAIRS (RANDOM_MOST_PROJECTS * RANDOM_MOST_RESOURCES)

/* One print for each decision. */
typedef struct host_prints {
    fingerprint wrr, edf, schedule, fetch, send, admit;
} host_prints;

/* Whether a decision was made. The code, which says why not, is part of the print. */
static int is_answered(fingerprint *print, int code) {
    add_integer(print, (uint64_t)code);
    return code == VCS_OK;
}

static void add_wrr(fingerprint *print, vcs_state *state, const vcs_snapshot *snapshot) {
    vcs_wrr_summary summary = {.struct_size = sizeof summary};
    vcs_task_forecast tasks[RANDOM_MOST_TASKS];
    vcs_resource_forecast resources[RANDOM_MOST_RESOURCES];
    vcs_project_resource_forecast project_resources[MOST_PAIRS];
    const uint32_t pair_count = snapshot->projects.count * snapshot->resources.count;
    if (!is_answered(print, vcs_wrr(state, &summary))) {
        return;
    }
    require(vcs_wrr_tasks(state, ARRAY(tasks, snapshot->tasks.count)) == VCS_OK &&
                vcs_wrr_resources(state, ARRAY(resources, snapshot->resources.count)) == VCS_OK &&
                vcs_wrr_project_resources(state, ARRAY(project_resources, pair_count)) == VCS_OK,
            "the round-robin was refused");
    add_record(print, VCS_TYPE_WRR_SUMMARY, &summary);
    add_records(print, VCS_TYPE_TASK_FORECAST, tasks, snapshot->tasks.count);
    add_records(print, VCS_TYPE_RESOURCE_FORECAST, resources, snapshot->resources.count);
    add_records(print, VCS_TYPE_PROJECT_RESOURCE_FORECAST, project_resources, pair_count);
}

static void add_edf(fingerprint *print, vcs_state *state, const vcs_snapshot *snapshot, uint32_t which) {
    vcs_edf_summary summary = {.struct_size = sizeof summary};
    vcs_edf_task tasks[RANDOM_MOST_TASKS];
    vcs_edf_resource resources[RANDOM_MOST_RESOURCES];
    if (!is_answered(print, vcs_edf(state, which, &summary))) {
        return;
    }
    require(vcs_edf_tasks(state, ARRAY(tasks, snapshot->tasks.count)) == VCS_OK &&
                vcs_edf_resources(state, ARRAY(resources, snapshot->resources.count)) == VCS_OK,
            "earliest deadline first was refused");
    add_record(print, VCS_TYPE_EDF_SUMMARY, &summary);
    add_records(print, VCS_TYPE_EDF_TASK, tasks, snapshot->tasks.count);
    add_records(print, VCS_TYPE_EDF_RESOURCE, resources, snapshot->resources.count);
}

static void add_schedule(fingerprint *print, vcs_state *state, const vcs_snapshot *snapshot) {
    vcs_schedule_summary summary = {.struct_size = sizeof summary};
    vcs_task_decision tasks[RANDOM_MOST_TASKS];
    vcs_resource_decision resources[RANDOM_MOST_RESOURCES];
    uint32_t running[RANDOM_MOST_TASKS];
    if (!is_answered(print, vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &summary))) {
        return;
    }
    require(vcs_schedule_tasks(state, ARRAY(tasks, snapshot->tasks.count)) == VCS_OK &&
                vcs_schedule_resources(state, ARRAY(resources, snapshot->resources.count)) == VCS_OK,
            "the choice of tasks was refused");
    add_record(print, VCS_TYPE_SCHEDULE_SUMMARY, &summary);
    add_records(print, VCS_TYPE_TASK_DECISION, tasks, snapshot->tasks.count);
    add_records(print, VCS_TYPE_RESOURCE_DECISION, resources, snapshot->resources.count);
    require(vcs_schedule_running(state, running, ARRAY(tasks, summary.running)) == VCS_OK,
            "the tasks that run were refused");
    for (uint32_t i = 0; i < summary.running; i++) {
        add_integer(print, running[i]);
    }
}

/* Whom to ask, and what to ask the first project for while it is called. */
static void add_fetch(fingerprint *print, vcs_state *state, const vcs_snapshot *snapshot) {
    vcs_fetch_decision decisions[MOST_PAIRS];
    const uint32_t pair_count = snapshot->projects.count * snapshot->resources.count;
    for (uint32_t purpose = VCS_FETCH_CHOOSE; purpose <= (snapshot->projects.count > 0 ? VCS_FETCH_PIGGYBACK : 0);
         purpose++) {
        const vcs_fetch_question question = {.struct_size = sizeof question, .purpose = purpose};
        vcs_fetch_summary summary = {.struct_size = sizeof summary};
        if (!is_answered(print, vcs_fetch(state, &question, &summary))) {
            return;
        }
        require(vcs_fetch_decisions(state, ARRAY(decisions, pair_count)) == VCS_OK, "the fetch was refused");
        add_record(print, VCS_TYPE_FETCH_SUMMARY, &summary);
        add_records(print, VCS_TYPE_FETCH_DECISION, decisions, pair_count);
    }
}

/* The candidates as jobs of a server, some of them copies of others; a host that may take a few. */
static void add_send(fingerprint *print, vcs_state *state, const vcs_snapshot *snapshot, int number) {
    vcs_send_request requests[RANDOM_MOST_RESOURCES];
    vcs_send_job jobs[RANDOM_MOST_CANDIDATES];
    vcs_send_decision decisions[RANDOM_MOST_CANDIDATES];
    vcs_send_summary summary = {.struct_size = sizeof summary};
    vcs_send_limits limits;
    const uint32_t count = snapshot->candidates.count;
    memset(requests, 0, sizeof requests);
    memset(jobs, 0, sizeof jobs);
    require(vcs_send_limits_init(&limits, sizeof limits) == VCS_OK, "no limits");
    limits.max_jobs = 2 + (uint32_t)number % 7;
    limits.quota_left = 1 + (uint32_t)number % 5;
    for (uint32_t i = 0; i < snapshot->resources.count; i++) {
        requests[i].seconds = 1e5 * spread(number + (int)i);
        requests[i].instances = 4 * spread(3 * number + (int)i);
        requests[i].busy = number % 3 == 0 ? 5e4 * spread(number) : 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        jobs[i].unit = number % 2 == 0 ? 0 : 1 + i / 2;
        jobs[i].latency_bound = 1e6 * spread(5 * number + (int)i);
        jobs[i].seconds = i % 3 == 0 ? 1e4 : 0;
    }
    vcs_error error = {.struct_size = sizeof error};
    if (vcs_send(state, ARRAY(requests, snapshot->resources.count), ARRAY(jobs, count), &limits,
                 ARRAY(decisions, count), &summary, &error) != VCS_OK) {
        add_error(print, &error);
        return;
    }
    add_record(print, VCS_TYPE_SEND_SUMMARY, &summary);
    add_records(print, VCS_TYPE_SEND_DECISION, decisions, count);
}

static void add_admissions(fingerprint *print, vcs_state *state, const vcs_snapshot *snapshot) {
    for (uint32_t i = 0; i < snapshot->candidates.count; i++) {
        vcs_admission admission = {.struct_size = sizeof admission};
        if (is_answered(print, vcs_admit(state, i, &admission))) {
            add_record(print, VCS_TYPE_ADMISSION, &admission);
        }
    }
}

static void add_decisions(host_prints *prints, vcs_state *state, const vcs_snapshot *snapshot) {
    add_wrr(&prints->wrr, state, snapshot);
    add_edf(&prints->edf, state, snapshot, VCS_EDF_MISSED);
    add_edf(&prints->edf, state, snapshot, VCS_EDF_ALL);
    add_schedule(&prints->schedule, state, snapshot);
    add_fetch(&prints->fetch, state, snapshot);
}

/* Changes a field of a task, and one of something else. */
static void spoil(random_state *host, int number) {
    const vcs_snapshot *of = &host->snapshot;
    change_records(VCS_TYPE_TASK, host->tasks, sizeof *host->tasks, of->tasks.count, 7 * number);
    switch (number % 7) {
    case 0:
        change_records(VCS_TYPE_RESOURCE, host->resources, sizeof *host->resources, of->resources.count,
                       7 * number + 1);
        break;
    case 1:
        change_records(VCS_TYPE_PROJECT, host->projects, sizeof *host->projects, of->projects.count, 7 * number + 2);
        break;
    case 2:
        change_records(VCS_TYPE_PROJECT_RESOURCE, host->project_resources, sizeof *host->project_resources,
                       of->project_resources.count, 7 * number + 3);
        break;
    case 3:
        change_records(VCS_TYPE_APP, host->apps, sizeof *host->apps, of->apps.count, 7 * number + 4);
        break;
    case 4:
        change_records(VCS_TYPE_TASK, host->candidates, sizeof *host->candidates, of->candidates.count, 7 * number + 5);
        break;
    default:
        change_records(VCS_TYPE_PARAMETERS, &host->parameters, sizeof host->parameters, 1, 7 * number + 6);
    }
}

/* Decides now and, on the same state, which is brought up to date, an hour later. Admission and sending end a state. */
static void add_host(host_prints *prints, random_state *host, int number, int odd) {
    size_t size;
    vcs_state *state = NULL;
    vcs_error error = {.struct_size = sizeof error};
    if (!is_answered(&prints->wrr, vcs_state_size(&host->snapshot, &size))) {
        return;
    }
    void *work = malloc(size);
    require(work != NULL, "out of memory");
    if (vcs_state_prepare(&host->snapshot, &host->parameters, host->now, work, size, &state, &error) == VCS_OK) {
        add_decisions(prints, state, &host->snapshot);
        add_admissions(&prints->admit, state, &host->snapshot);
        if (odd) {
            spoil(host, number + HOSTS);
        }
        if (vcs_state_renew(state, size, &host->snapshot, &host->parameters, host->now + 3600, &error) == VCS_OK) {
            add_decisions(prints, state, &host->snapshot);
            add_send(&prints->send, state, &host->snapshot, number);
        } else {
            add_error(&prints->wrr, &error);
        }
    } else {
        add_error(&prints->wrr, &error);
    }
    free(work);
}

static void report_of(const char *discipline, const char *decision, fingerprint print) {
    char what[40];
    snprintf(what, sizeof what, "%s, %s", discipline, decision);
    report(what, print);
}

static void report_discipline(const char *discipline, random_kind kind, int rich, int odd) {
    host_prints prints = {nothing_yet, nothing_yet, nothing_yet, nothing_yet, nothing_yet, nothing_yet};
    for (int number = 0; number < HOSTS; number++) {
        random_state host;
        const uint64_t seed = (uint64_t)number;
        random_state_fill(&host, kind, seed);
        if (rich && number % 2 == 0) {
            random_state_enrich(&host, seed);
        } else if (rich) {
            random_state_limit(&host, number % 4 == 1, seed);
        }
        if (odd) {
            spoil(&host, number);
        }
        add_host(&prints, &host, number, odd);
    }
    report_of(discipline, "wrr", prints.wrr);
    report_of(discipline, "edf", prints.edf);
    report_of(discipline, "schedule", prints.schedule);
    report_of(discipline, "fetch", prints.fetch);
    report_of(discipline, "send", prints.send);
    report_of(discipline, "admit", prints.admit);
}

void report_hosts(void) {
    report_discipline("fluid", RANDOM_FLUID, 0, 0);
    report_discipline("sliced", RANDOM_ANY, 0, 0);
    report_discipline("limited", RANDOM_ANY, 1, 0);
    report_discipline("odd", RANDOM_ANY, 1, 1);
}
