/*
 * Which clients of a pool are alive, and what the pool can do.
 *
 * Rules 10.4 and 10.5; worked by hand in tests/vcsched/dispatch/test_pool.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/core/index_sort.h"
#include "vcsched/core/number.h"
#include "vcsched/dispatch/expected.h"
#include "vcsched/dispatch/job.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/fields/dispatch_fields.h"

#include <string.h>

/* The caller's arguments, and what follows from them for all clients. */
typedef struct survey {
    const vcs_array *clients, *jobs, *rows;
    const vcs_pace *pool;
    double now;
    vcs_dispatch_rules rules;
    double average_bytes, average_complexity; /* of a job, from the pool's replies; both 0 = unknown */
} survey;

static const vcs_client *client_at(const survey *survey, uint32_t number) {
    return vcs_element(survey->clients, number);
}

static bool id_goes_before(const void *survey, uint32_t a, uint32_t b) {
    return client_at(survey, a)->id < client_at(survey, b)->id;
}

static const vcs_dispatch_job *job_at(const survey *survey, uint32_t number) {
    return vcs_element(survey->jobs, number);
}

/* The job that a record is a copy of, or the record itself. */
static const vcs_dispatch_job *original_of(const survey *survey, uint32_t number) {
    const vcs_dispatch_job *job = job_at(survey, number);
    return job->copy_of == VCS_NONE ? job : job_at(survey, job->copy_of);
}

static bool job_goes_before(const void *survey, uint32_t a, uint32_t b) {
    const uint64_t first = original_of(survey, a)->id, second = original_of(survey, b)->id;
    return first != second ? first < second : job_at(survey, a)->id < job_at(survey, b)->id;
}

static vcs_pool_client row_at(const survey *survey, uint32_t number) {
    vcs_pool_client row;
    vcs_copy_struct(&row, sizeof row, vcs_element(survey->rows, number), survey->rows->element_size);
    return row;
}

/* The inverse of seconds per unit, at most 1e30. */
static double per_second(double seconds) {
    return seconds > 1e-30 ? 1.0 / seconds : 1e30;
}

/*
 * How many replies the sums of a pace stand for: 1 + k + k^2 + ..., with one term for each reply, where k is the part
 * of the past that each reply kept. From the highest bit of `replies` down, the terms are doubled, or doubled and one
 * more is added. Nothing cancels out.
 */
static double replies_remembered(uint64_t replies, double keep) {
    double terms = 0.0, power = 1.0;
    for (uint64_t bit = UINT64_C(1) << 63; bit > 0; bit >>= 1) {
        terms += terms * power;
        power *= power;
        if ((replies & bit) != 0) {
            terms = terms * keep + 1.0;
            power *= keep;
        }
    }
    return terms;
}

/* When a client without a job has been silent for too long; infinity if nothing is known of jobs. */
static double silent_at(const survey *survey, const vcs_client *client) {
    if (survey->average_bytes == 0.0 && survey->average_complexity == 0.0) {
        return VCS_INFINITY;
    }
    const double expected = vcs_expected_seconds(&client->pace, survey->pool, &survey->rules, survey->average_bytes,
                                                 survey->average_complexity);
    return client->last_heard + survey->rules.dead_factor * expected;
}

/* Rows without jobs. Until judge_rows(), `dead_in` is the time at which the client is dead, not the time until then. */
static void begin_rows(const survey *survey) {
    for (uint32_t i = 0; i < survey->clients->count; i++) {
        const vcs_client *client = client_at(survey, i);
        const uint32_t flags = client->flags;
        vcs_pool_client row;
        memset(&row, 0, sizeof row);
        row.liveness = (flags & VCS_BLACKLISTED) != 0   ? VCS_LIVENESS_BLACKLISTED
                       : (flags & VCS_CLIENT_DEAD) != 0 ? VCS_LIVENESS_DEAD
                                                        : VCS_LIVENESS_ACTIVE;
        row.silent = vcs_max(survey->now - client->last_heard, 0.0);
        row.dead_in = -VCS_INFINITY;
        row.rate = per_second(vcs_seconds_per_byte(&client->pace, survey->pool, &survey->rules));
        row.speed = per_second(vcs_seconds_per_complexity(&client->pace, survey->pool, &survey->rules));
        vcs_hand_out_element(survey->rows, i, &row, sizeof row);
    }
}

static void count_jobs(const survey *survey) {
    for (uint32_t i = 0; i < survey->jobs->count; i++) {
        const vcs_dispatch_job *job = job_at(survey, i);
        if (!vcs_job_is_held(job->state)) {
            continue;
        }
        vcs_pool_client row = row_at(survey, job->client);
        double last_heard = client_at(survey, job->client)->last_heard;
        double dead_at = vcs_max(last_heard, job->sent) + survey->rules.dead_factor * job->expected;
        row.dead_in = vcs_max(dead_at, row.dead_in);
        row.jobs++;
        vcs_hand_out_element(survey->rows, job->client, &row, sizeof row);
    }
}

/* Applies rule 10.4 to each client. */
static void judge_rows(const survey *survey) {
    for (uint32_t i = 0; i < survey->clients->count; i++) {
        vcs_pool_client row = row_at(survey, i);
        row.dead_in = (row.jobs > 0 ? row.dead_in : silent_at(survey, client_at(survey, i))) - survey->now;
        if (row.liveness == VCS_LIVENESS_ACTIVE && row.dead_in < 0.0) {
            row.liveness = row.jobs > 0 ? VCS_LIVENESS_DEAD : VCS_LIVENESS_SILENT;
            row.has_died = row.jobs > 0;
        }
        row.dead_in = vcs_max(row.dead_in, 0.0);
        vcs_hand_out_element(survey->rows, i, &row, sizeof row);
    }
}

static const char one_per_client[] = "array does not have one element for each client";

int vcs_pool_survey(const vcs_array *clients, const vcs_array *jobs, const vcs_pace *pool,
                    const vcs_dispatch_rules *rules, double now, const vcs_array *rows, vcs_error *error) {
    survey survey = {.clients = clients, .jobs = jobs, .rows = rows, .pool = pool, .now = now};
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_clients_and_jobs_check(clients, jobs, error) : code;
    code = code == VCS_OK ? vcs_check_record(pool, &vcs_pace_layout, error) : code;
    code = code == VCS_OK ? vcs_dispatch_rules_copy(&survey.rules, rules, error) : code;
    code = code == VCS_OK ? vcs_check_now(now, error) : code;
    code = code == VCS_OK ? vcs_check_rows(rows, &vcs_pool_client_layout, clients->count, one_per_client, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    if (pool->replies > 0) {
        const double replies = replies_remembered(pool->replies, 1.0 - survey.rules.forget);
        survey.average_bytes = pool->bytes / replies;
        survey.average_complexity = pool->complexity / replies;
    }
    begin_rows(&survey);
    count_jobs(&survey);
    judge_rows(&survey);
    return VCS_OK;
}

/* ---- Sums (rule 10.5) ---- */

/* Adds in order of id, so that the order of the records does not change the sums. */
static vcs_pool_summary add_up(const survey *survey, const uint32_t *by_id) {
    vcs_pool_summary summary;
    memset(&summary, 0, sizeof summary);
    for (uint32_t i = 0; i < survey->clients->count; i++) {
        const vcs_pool_client row = row_at(survey, by_id[i]);
        summary.active += row.liveness == VCS_LIVENESS_ACTIVE;
        summary.dead += row.liveness == VCS_LIVENESS_DEAD;
        summary.silent += row.liveness == VCS_LIVENESS_SILENT;
        summary.blacklisted += row.liveness == VCS_LIVENESS_BLACKLISTED;
        summary.talking += (client_at(survey, by_id[i])->flags & VCS_CLIENT_TALKING) != 0;
        summary.jobs += row.jobs;
        summary.power += row.liveness == VCS_LIVENESS_ACTIVE ? row.speed : 0.0;
    }
    return summary;
}

/* Finds the window. Adds in order of id, as above. */
static void find_window(const survey *survey, uint32_t *order, vcs_pool_summary *summary) {
    uint32_t held = 0, others = survey->jobs->count;
    for (uint32_t i = 0; i < survey->jobs->count; i++) {
        order[vcs_job_is_held(job_at(survey, i)->state) ? held++ : --others] = i;
    }
    vcs_sort_given_indices(order, held, job_goes_before, survey);
    double oldest = VCS_INFINITY, newest = -VCS_INFINITY;
    for (uint32_t i = 0; i < held; i++) {
        const vcs_dispatch_job *job = original_of(survey, order[i]);
        if (i == 0 || job != original_of(survey, order[i - 1])) {
            summary->window++;
            summary->window_bytes += job->size;
            oldest = vcs_min(oldest, job->queued);
            newest = vcs_max(newest, job->queued);
        }
    }
    summary->duplicates = held - summary->window;
    summary->window_span = held > 0 ? newest - oldest : 0.0;
}

int vcs_pool_sum(const vcs_array *clients, const vcs_array *jobs, const vcs_array *rows, uint32_t *order,
                 uint32_t *job_order, vcs_pool_summary *summary, vcs_error *error) {
    const survey survey = {.clients = clients, .jobs = jobs, .rows = rows};
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_clients_and_jobs_check(clients, jobs, error) : code;
    code =
        code == VCS_OK ? vcs_check_count(rows, &vcs_pool_client_layout, clients->count, one_per_client, error) : code;
    code = code == VCS_OK ? vcs_check_records(rows, &vcs_pool_client_layout, error) : code;
    code = code == VCS_OK && clients->count > 0 ? vcs_check_place(order, "order is NULL", error) : code;
    code = code == VCS_OK && jobs->count > 0 ? vcs_check_place(job_order, "job_order is NULL", error) : code;
    code = code == VCS_OK ? vcs_check_struct(summary, &vcs_pool_summary_layout, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    vcs_sort_indices(order, clients->count, id_goes_before, &survey);
    vcs_pool_summary answer = add_up(&survey, order);
    find_window(&survey, job_order, &answer);
    answer.struct_size = summary->struct_size;
    vcs_hand_out(summary, summary->struct_size, &answer, sizeof answer);
    return VCS_OK;
}
