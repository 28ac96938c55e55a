/*
 * Rule 4.4: earliest deadline first, as plain as it can be.
 *
 * SPDX-License-Identifier: MIT
 */
#include "oracle/oracle_edf.h"

#include <math.h>
#include <stdlib.h>

#include "oracle/oracle_place.h"

oracle_edf_outcome oracle_edf_new(const vcs_snapshot *snapshot) {
    oracle_edf_outcome outcome = {
        .summary = {.struct_size = sizeof(vcs_edf_summary)},
        .tasks = oracle_allocate(snapshot->tasks.count, sizeof(vcs_edf_task)),
        .resources = oracle_allocate(snapshot->resources.count, sizeof(vcs_edf_resource)),
    };
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        outcome.tasks[i].start = INFINITY;
        outcome.tasks[i].finish = INFINITY;
        outcome.tasks[i].verdict = VCS_VERDICT_SUSPENDED;
    }
    return outcome;
}

static void report_task(const oracle_queued *q, double now, oracle_edf_outcome *outcome) {
    vcs_edf_task *task = &outcome->tasks[q->index];
    if (q->placing != PLACING_DONE) {
        task->verdict = q->placing == PLACING_STUCK ? VCS_VERDICT_STUCK : VCS_VERDICT_UNKNOWN;
        return;
    }
    bool late = q->finish > oracle_limit(q->task, now, 0);
    task->start = oracle_seconds(q->start);
    task->finish = oracle_seconds(q->finish);
    task->verdict = late ? VCS_VERDICT_MISSES : VCS_VERDICT_MEETS;
    outcome->summary.misses += late;
    if (task->finish > outcome->summary.latest_finish) {
        outcome->summary.latest_finish = task->finish;
    }
}

oracle_edf_outcome oracle_edf(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                              const unsigned char *looked_at) {
    oracle_queued *queue = oracle_allocate(snapshot->tasks.count, sizeof *queue);
    uint32_t count = 0;
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        const vcs_task *task = oracle_task(snapshot, i);
        if (oracle_takes_part(snapshot, task) && (looked_at == NULL || looked_at[i])) {
            queue[count++] = (oracle_queued){.task = task, .index = i};
        }
    }
    oracle_plan plan = oracle_place(snapshot, parameters, queue, count);
    oracle_edf_outcome outcome = oracle_edf_new(snapshot);
    outcome.summary.flags = plan.stopped ? VCS_SIMULATION_STOPPED : 0;
    outcome.summary.tasks = plan.placed;
    for (uint32_t i = 0; i < count; i++) {
        report_task(&queue[i], now, &outcome);
    }
    for (uint32_t r = 0; r < snapshot->resources.count; r++) {
        bool suspended = (oracle_resource(snapshot, r)->flags & VCS_RESOURCE_SUSPENDED) != 0;
        outcome.resources[r].busy = suspended ? 0 : oracle_seconds(oracle_plan_busy(&plan, r));
    }
    oracle_plan_free(&plan);
    free(queue);
    return outcome;
}

void oracle_edf_free(oracle_edf_outcome *outcome) {
    free(outcome->tasks);
    free(outcome->resources);
}
