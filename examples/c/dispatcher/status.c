/*
 * The liveness pass, and the status for a web server (rules 10.4 and 10.5).
 *
 * SPDX-License-Identifier: MIT
 */
#include "status.h"

#include <stdlib.h>

/* The liveness pass. Returns a row for each client. */
vcs_pool_client *survey(double now) {
    const vcs_array clients = {.base = d.clients, .element_size = sizeof *d.clients, .count = d.client_count};
    const vcs_array jobs = {.base = d.jobs, .element_size = sizeof *d.jobs, .count = d.job_count};
    vcs_pool_client *rows = calloc(d.client_count + 1, sizeof *rows);
    if (rows == NULL) {
        stop(SYSTEM, "out of memory");
    }
    const vcs_array of_rows = {.out = rows, .element_size = sizeof *rows, .count = d.client_count};
    must(vcs_pool_survey(&clients, &jobs, &d.pool, &d.rules, now, &of_rows, &error));
    for (uint32_t i = 0; i < d.client_count; i++) {
        if (rows[i].has_died != 0) {
            bury(i, now);
        }
    }
    return rows;
}

static vcs_pool_summary sum_up(vcs_pool_client *rows) {
    const vcs_array clients = {.base = d.clients, .element_size = sizeof *d.clients, .count = d.client_count};
    const vcs_array jobs = {.base = d.jobs, .element_size = sizeof *d.jobs, .count = d.job_count};
    const vcs_array of_rows = {.out = rows, .element_size = sizeof *rows, .count = d.client_count};
    uint32_t *order = calloc((size_t)d.client_count + d.job_count + 1, sizeof *order);
    vcs_pool_summary pool = {.struct_size = sizeof pool};
    must(vcs_pool_sum(&clients, &jobs, &of_rows, order, order == NULL ? NULL : order + d.client_count, &pool, &error));
    free(order);
    return pool;
}

static void print_client(text *t, uint32_t i, const vcs_pool_client *row) {
    static const char *const states[] = {"active", "dead", "blacklisted", "silent"}; /* VCS_LIVENESS_* */
    print(t,
          "  {\"client\": %u, \"state\": \"%s\", \"silent\": %.1f, \"jobs\": %u, \"replies\": %llu, \"speed\": %.3f, "
          "\"connected\": %s, \"why\": \"%s\"}%s\n",
          i + 1, states[row->liveness], row->silent, row->jobs, (unsigned long long)d.clients[i].pace.replies,
          row->speed, (d.clients[i].flags & VCS_CLIENT_TALKING) != 0 ? "true" : "false",
          d.trust[i].reason != 0 ? vcs_reason_sentence(d.trust[i].reason) : "", i + 1 < d.client_count ? "," : "");
}

text status_of(double now, vcs_pool_client *rows) {
    const vcs_pool_summary pool = sum_up(rows);
    text t = {0};
    print(&t, "{\"time\": %.3f, \"wait_factor\": %g,\n", now, d.rules.wait_factor);
    print(&t, " \"portions_drawn\": %u, \"portions_delivered\": %u, \"complete\": %s,\n", d.drawn, d.delivered,
          is_complete() ? "true" : "false");
    print(&t, " \"active\": %u, \"connected\": %u, \"dead\": %u, \"silent\": %u, \"blacklisted\": %u,\n", pool.active,
          pool.talking, pool.dead, pool.silent, pool.blacklisted);
    print(&t, " \"power\": %.3f, \"window\": %u, \"window_bytes\": %.0f, \"window_span\": %.3f,\n", pool.power,
          pool.window, pool.window_bytes, pool.window_span);
    print(&t, " \"duplicates\": %u, \"most_open\": %u, \"mean_wait\": %.3f,\n", pool.duplicates, d.most_open,
          d.delivered > 0 ? d.waited / d.delivered : 0.0);
    print(&t, " \"sent\": %llu, \"copies\": %llu, \"answers\": %llu,", (unsigned long long)d.sent,
          (unsigned long long)d.copies, (unsigned long long)d.answers);
    print(&t, " \"late\": %llu, \"checks\": %llu, \"lost\": %llu,\n \"clients\": [\n", (unsigned long long)d.late,
          (unsigned long long)d.checks, (unsigned long long)d.lost);
    for (uint32_t i = 0; i < d.client_count; i++) {
        print_client(&t, i, &rows[i]);
    }
    print(&t, " ]}\n");
    return t;
}
