/*
 * The figures of merit of a grid: running counts, samples over time, and the outcome.
 *
 * Rule 14.3; worked by hand in tests/vcemu/grid/test_grid_figures.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/grid/figures.h"
#include "vcemu/grid/servers.h"
#include "vcemu/host/memory.h"
#include "vcsched/interface/check/check.h"

/* ---- Copies on hosts ---- */

static void sum_up(vcs_grid_counts *counts, double now) {
    counts->in_progress_sum += (double)counts->in_progress * (now - counts->in_progress_until);
    counts->in_progress_until = now;
}

void vcs_grid_copy_sent(vcs_grid_server *s, double now) {
    sum_up(&s->counts, now);
    s->counts.in_progress++;
    s->outcome.copies++;
}

void vcs_grid_copy_over(vcs_grid_server *s, double now, double sent) {
    sum_up(&s->counts, now);
    s->counts.in_progress--;
    s->counts.over++;
    s->counts.time_sum += now - sent;
}

/* ---- Units ---- */

void vcs_grid_unit_done(vcs_grid_server *s, double now, bool is_done) {
    const uint64_t units = s->project.units, nearly_all = units - units / 20; /* a twentieth of the batch is left */
    s->counts.done += is_done ? 1 : (uint64_t)-1;
    if (is_done) {
        s->counts.last_done = now;
        s->counts.nearly_done = s->counts.done == nearly_all ? now : s->counts.nearly_done;
    }
}

void vcs_grid_unit_end(vcs_grid_server *s, bool is_done, bool is_failed, bool is_wrong, double took) {
    if (is_done) {
        s->outcome.done++;
        s->outcome.wrong_accepted += is_wrong;
        s->counts.turnaround_sum += took;
        const double bin = took > 1.0 ? 64.0 * vcs_log2(took) : 0.0;
        s->counts.bins[(uint32_t)bin]++; /* no emulation is longer than 2^37 s; the last bin ends at 2^40 */
    } else if (is_failed) {
        s->outcome.failed++;
    } else {
        s->outcome.open++;
    }
}

/* Counts a copy that was sent, and its operations, by its final state. */
static void count_copy(vcs_grid_server *s, const vcs_grid_unit *unit, uint32_t index) {
    vcs_grid_project_outcome *outcome = &s->outcome;
    const vcs_result *result = &unit->results[index];
    const vcs_grid_copy *copy = &unit->copies[index];
    if (copy->host == VCS_NONE) {
        return; /* never sent */
    }
    if (result->server_state == VCS_RESULT_IN_PROGRESS) {
        outcome->in_progress++;
        return;
    }
    switch (result->outcome) {
    case VCS_OUTCOME_SUCCESS:
        if (result->validate_state == VCS_VALIDATE_VALID) {
            outcome->valid++;
            *(result->id == unit->record.canonical ? &outcome->flops_useful : &outcome->flops_redundant) += copy->flops;
        } else if (result->validate_state == VCS_VALIDATE_INVALID) {
            outcome->invalid++;
            outcome->flops_invalid += copy->flops;
        } else {
            outcome->not_judged++;
            outcome->flops_redundant += copy->flops; /* a success too late to be judged is only recorded */
        }
        break;
    case VCS_OUTCOME_CLIENT_ERROR:
        outcome->errors++;
        outcome->flops_failed += copy->flops;
        break;
    case VCS_OUTCOME_CLIENT_DETACHED:
        outcome->detached++;
        outcome->flops_invalid += copy->flops;
        break;
    default:
        *(copy->aborted != 0 ? &outcome->aborted : &outcome->no_reply) += 1;
        *(copy->aborted != 0 ? &outcome->flops_failed : &outcome->flops_late) += copy->flops;
        break;
    }
}

void vcs_grid_unit_count(vcs_grid_server *s, const vcs_grid_unit *unit) {
    for (uint32_t i = 0; i < unit->count; i++) {
        count_copy(s, unit, i);
    }
    const bool is_open = !unit->is_counted && !unit->is_failed;
    s->outcome.waiting += is_open && unit->record.need_validate != 0 && unit->record.compare_time == VCS_INFINITY;
    vcs_grid_unit_end(s, unit->is_counted, unit->is_failed, unit->is_wrong, unit->done - unit->created);
}

/* ---- Over time ---- */

/* All units of a batch exist from the start, though most records are created only when a host asks. */
static uint64_t not_asked_for(const vcs_grid_server *s) {
    return s->project.units > 0 && !(s->project.unit_rate > 0.0) ? s->project.units - s->created : 0;
}

void vcs_grid_sample_until(vcs_grid_world *w, double until) {
    const double start = w->terms.start, step = w->terms.sample;
    while (w->next_sample <= until && !vcs_grid_has_failed(w)) {
        const uint32_t count = w->sample_count++;
        if (!vcs_emu_reserve(&w->ground, &w->samples, (uint64_t)w->sample_count * w->server_count,
                             sizeof *w->samples)) {
            return;
        }
        vcs_grid_servers_advance(w, w->next_sample);
        for (uint32_t i = 0; i < w->server_count; i++) {
            const size_t place = (size_t)count * w->server_count + i;
            VCS_INVARIANT(place < vcs_emu_capacity(w->samples) / sizeof *w->samples); /* as reserved */
            const vcs_grid_server *s = &w->servers[i];
            w->samples[place] = (vcs_grid_sample){
                .time = w->next_sample - start,
                .units = s->outcome.units + not_asked_for(s),
                .done = s->counts.done,
                .failed = s->counts.failed,
                .wrong_accepted = s->counts.wrong_accepted,
                .copies = s->outcome.copies,
                .over = s->counts.over,
                .unsent = s->counts.unsent,
                .duplicates = s->outcome.duplicates,
                .window = (double)s->counts.window,
                .credit = s->outcome.credit,
            };
        }
        const double next = start + step * ((double)w->sample_count + 1.0);
        w->next_sample = next <= w->end ? next : VCS_INFINITY;
    }
}

/* ---- The outcome ---- */

/* The time below which this part of all turnarounds lies: the middle of its bin. */
static double quantile(const vcs_grid_counts *counts, uint64_t count, double part) {
    const double wanted = part * (double)count;
    double sum = 0.0;
    uint32_t bin = 0;
    for (uint32_t i = 0; i < VCS_GRID_BINS; i++) {
        bin = sum < wanted ? i : bin;
        sum += (double)counts->bins[i];
    }
    return count > 0 ? vcs_exp2(((double)bin + 0.5) / 64.0) : 0.0;
}

void vcs_grid_server_close(vcs_grid_server *s) {
    vcs_grid_project_outcome *outcome = &s->outcome;
    vcs_grid_counts *counts = &s->counts;
    const vcs_grid_world *w = s->world;
    s->kind->close(s);
    sum_up(counts, w->end);
    outcome->units += not_asked_for(s);
    outcome->open += not_asked_for(s);
    outcome->id = s->project.id;
    outcome->turnaround_mean = outcome->done > 0 ? counts->turnaround_sum / (double)outcome->done : 0.0;
    outcome->turnaround_p50 = quantile(counts, outcome->done, 0.5);
    outcome->turnaround_p95 = quantile(counts, outcome->done, 0.95);
    outcome->turnaround_p99 = quantile(counts, outcome->done, 0.99);
    outcome->mean_in_progress = counts->in_progress_sum / w->terms.duration;
    outcome->time_in_progress = counts->over > 0 ? counts->time_sum / (double)counts->over : 0.0;
    if (s->project.units > 0 && counts->done == s->project.units) {
        outcome->makespan = counts->last_done - w->terms.start;
        outcome->tail = counts->last_done - counts->nearly_done;
    }
}

void vcs_grid_hand_out(const vcs_grid_world *w, const vcs_grid_results *results) {
    if (results->outcome != NULL) {
        vcs_grid_outcome outcome = w->outcome;
        outcome.struct_size = results->outcome->struct_size;
        vcs_hand_out(results->outcome, outcome.struct_size, &outcome, sizeof outcome);
    }
    for (uint32_t i = 0; i < results->project_count; i++) {
        vcs_hand_out((unsigned char *)results->projects + (size_t)i * results->project_size, results->project_size,
                     &w->servers[i].outcome, sizeof w->servers[i].outcome);
    }
    for (uint32_t i = 0; i < w->server_count && results->turnarounds != NULL; i++) {
        memcpy(results->turnarounds + (size_t)i * VCS_GRID_BINS, w->servers[i].counts.bins,
               VCS_GRID_BINS * sizeof *results->turnarounds);
    }
    for (uint32_t i = 0; i < results->host_count && i < w->host_count; i++) {
        VCS_INVARIANT(w->rows != NULL); /* each host has left, and has had its row since */
        vcs_hand_out((unsigned char *)results->hosts + (size_t)i * results->host_size, results->host_size, &w->rows[i],
                     sizeof w->rows[i]);
    }
    for (uint32_t p = 0; p < w->server_count; p++) {
        for (uint32_t i = 0; i < results->sample_count && i < w->sample_count; i++) {
            VCS_INVARIANT(w->samples != NULL); /* there are samples */
            vcs_hand_out((unsigned char *)results->samples +
                             ((size_t)p * results->sample_count + i) * results->sample_size,
                         results->sample_size, &w->samples[(size_t)i * w->server_count + p], sizeof *w->samples);
        }
    }
}
