/* SPDX-License-Identifier: MIT */
#include "vcemu/sweep/figures/grid_figures.h"

#include <math.h>
#include <string.h>

#define DAY 86400.0

/* ---- all figures ---- */

#define PROJECT(field) FIGURE_OF_PROJECT, offsetof(vcs_grid_project_outcome, field)
#define GRID(field) FIGURE_OF_GRID, offsetof(vcs_grid_outcome, field)
#define POPULATION(field) FIGURE_OF_POPULATION, offsetof(struct grid_population_outcome, field)

static const struct grid_figure project_figures[] = {
    {NULL, "throughput", GRID_THROUGHPUT, PROJECT(done)},
    {"turnaround", "mean", GRID_NUMBER_OF_DONE, PROJECT(turnaround_mean)},
    {"turnaround", "p50", GRID_NUMBER_OF_DONE, PROJECT(turnaround_p50)},
    {"turnaround", "p95", GRID_NUMBER_OF_DONE, PROJECT(turnaround_p95)},
    {"turnaround", "p99", GRID_NUMBER_OF_DONE, PROJECT(turnaround_p99)},
    {NULL, "copies_per_unit", GRID_COPIES_PER_UNIT, PROJECT(copies)},
    {NULL, "wrong_accepted", GRID_COUNT, PROJECT(wrong_accepted)},
    {NULL, "wrong_fraction", GRID_WRONG_FRACTION, PROJECT(wrong_accepted)},
    {NULL, "window", GRID_NUMBER_BY_REPLY, PROJECT(window)},
    {NULL, "window_bytes", GRID_NUMBER_BY_REPLY, PROJECT(window_bytes)},
    {NULL, "window_span", GRID_NUMBER_BY_REPLY, PROJECT(window_span)},
    {NULL, "duplicates", GRID_COUNT_BY_REPLY, PROJECT(duplicates)},
    {NULL, "makespan", GRID_NUMBER_OF_BATCH, PROJECT(makespan)},
    {NULL, "tail", GRID_NUMBER_OF_BATCH, PROJECT(tail)},
    {NULL, "units", GRID_COUNT, PROJECT(units)},
    {NULL, "done", GRID_COUNT, PROJECT(done)},
    {NULL, "failed", GRID_COUNT, PROJECT(failed)},
    {NULL, "open", GRID_COUNT, PROJECT(open)},
    {NULL, "copies", GRID_COUNT, PROJECT(copies)},
    {NULL, "valid", GRID_COUNT, PROJECT(valid)},
    {NULL, "invalid", GRID_COUNT, PROJECT(invalid)},
    {NULL, "not_judged", GRID_COUNT, PROJECT(not_judged)},
    {NULL, "errors", GRID_COUNT, PROJECT(errors)},
    {NULL, "no_reply", GRID_COUNT, PROJECT(no_reply)},
    {NULL, "aborted", GRID_COUNT, PROJECT(aborted)},
    {NULL, "detached", GRID_COUNT, PROJECT(detached)},
    {NULL, "in_progress", GRID_COUNT, PROJECT(in_progress)},
    {NULL, "late", GRID_COUNT, PROJECT(late)},
    {NULL, "unsendable", GRID_COUNT, PROJECT(unsendable)},
    {NULL, "spot_checks", GRID_COUNT, PROJECT(spot_checks)},
    {NULL, "caught", GRID_COUNT, PROJECT(caught)},
    {"flops", "useful", GRID_NUMBER, PROJECT(flops_useful)},
    {"flops", "redundant", GRID_NUMBER, PROJECT(flops_redundant)},
    {"flops", "invalid", GRID_NUMBER, PROJECT(flops_invalid)},
    {"flops", "late", GRID_NUMBER, PROJECT(flops_late)},
    {"flops", "failed", GRID_NUMBER, PROJECT(flops_failed)},
    {"flops", "checks", GRID_NUMBER, PROJECT(flops_checks)},
    {"flops", "lost", GRID_NUMBER, PROJECT(flops_lost)},
    {"flops", "held", GRID_NUMBER, PROJECT(flops_held)},
    {"flops_fraction", "useful", GRID_PART_OF_OPERATIONS, PROJECT(flops_useful)},
    {"flops_fraction", "redundant", GRID_PART_OF_OPERATIONS, PROJECT(flops_redundant)},
    {"flops_fraction", "invalid", GRID_PART_OF_OPERATIONS, PROJECT(flops_invalid)},
    {"flops_fraction", "late", GRID_PART_OF_OPERATIONS, PROJECT(flops_late)},
    {"flops_fraction", "failed", GRID_PART_OF_OPERATIONS, PROJECT(flops_failed)},
    {"flops_fraction", "checks", GRID_PART_OF_OPERATIONS, PROJECT(flops_checks)},
    {"flops_fraction", "lost", GRID_PART_OF_OPERATIONS, PROJECT(flops_lost)},
    {NULL, "power_available", GRID_NUMBER, PROJECT(power_available)},
    {NULL, "mean_in_progress", GRID_NUMBER, PROJECT(mean_in_progress)},
    {NULL, "time_in_progress", GRID_NUMBER, PROJECT(time_in_progress)},
    {NULL, "calls", GRID_COUNT, PROJECT(calls)},
    {NULL, "calls_per_result", GRID_CALLS_PER_RESULT, PROJECT(calls)},
    {NULL, "transitions", GRID_COUNT, PROJECT(transitions)},
    {NULL, "transitions_per_second", GRID_PER_SECOND, PROJECT(transitions)},
    {NULL, "changes", GRID_COUNT, PROJECT(changes)},
    {NULL, "changes_per_second", GRID_PER_SECOND, PROJECT(changes)},
    {NULL, "credit", GRID_NUMBER, PROJECT(credit)},
};

static const struct grid_figure grid_figures_of_all[] = {
    {NULL, "hosts", GRID_COUNT, GRID(hosts)},
    {NULL, "left", GRID_COUNT, GRID(left)},
    {NULL, "saboteurs", GRID_COUNT, GRID(saboteurs)},
    {NULL, "present", GRID_NUMBER, GRID(present)},
    {NULL, "off", GRID_NUMBER, GRID(off)},
    {NULL, "used", GRID_NUMBER, GRID(used)},
    {NULL, "idle", GRID_NUMBER, GRID(idle)},
    {NULL, "idleness", GRID_IDLENESS_OF_ALL, GRID(idle)},
    {NULL, "flops_used", GRID_NUMBER, GRID(flops_used)},
    {NULL, "calls", GRID_COUNT, GRID(calls)},
    {NULL, "steps", GRID_COUNT, GRID(steps)},
    {NULL, "lost", GRID_LOST, FIGURE_OF_GRID, 0},
    {NULL, "least_loss", GRID_LEAST_LOSS, FIGURE_OF_GRID, 0},
    {NULL, "beyond_bound", GRID_BEYOND_BOUND, FIGURE_OF_GRID, 0},
};

#define FRACTIONS(name, which)                                                                                         \
    {name, "mean", GRID_MEAN_FRACTION, POPULATION(fractions[which])},                                                  \
        {name, "p5", GRID_P5, POPULATION(fractions[which])}, {name, "p50", GRID_P50, POPULATION(fractions[which])}, {  \
        name, "p95", GRID_P95, POPULATION(fractions[which])                                                            \
    }

static const struct grid_figure population_figures[] = {
    {NULL, "hosts", GRID_COUNT, POPULATION(hosts)},
    {NULL, "saboteurs", GRID_COUNT, POPULATION(saboteurs)},
    {NULL, "cpus", GRID_MEAN_OF_HOSTS, POPULATION(cpus)},
    {NULL, "flops", GRID_MEAN_OF_HOSTS, POPULATION(flops)},
    {NULL, "on", GRID_MEAN_OF_HOSTS, POPULATION(on)},
    {NULL, "reported", GRID_COUNT, POPULATION(reported)},
    {NULL, "calls", GRID_COUNT, POPULATION(calls)},
    {NULL, "too_slow", GRID_COUNT, POPULATION(too_slow)},
    FRACTIONS("idleness", GRID_IDLENESS),
    FRACTIONS("waste", GRID_WASTE),
    FRACTIONS("share_violation", GRID_SHARE_VIOLATION),
    {NULL, "lost", GRID_LOST, FIGURE_OF_POPULATION, 0},
    {NULL, "least_loss", GRID_LEAST_LOSS, FIGURE_OF_POPULATION, 0},
    {NULL, "beyond_bound", GRID_BEYOND_BOUND, FIGURE_OF_POPULATION, 0},
};

static const struct {
    const struct grid_figure *figures;
    size_t count;
} kinds[FIGURE_KINDS] = {
    [FIGURE_OF_PROJECT] = {project_figures, sizeof project_figures / sizeof *project_figures},
    [FIGURE_OF_GRID] = {grid_figures_of_all, sizeof grid_figures_of_all / sizeof *grid_figures_of_all},
    [FIGURE_OF_POPULATION] = {population_figures, sizeof population_figures / sizeof *population_figures},
};

const struct grid_figure *vcs_swp_grid_figures(enum grid_figure_of kind, size_t *count) {
    *count = kinds[kind].count;
    return kinds[kind].figures;
}

bool vcs_swp_grid_figure_is_certain(const struct grid_figure *figure) {
    return figure->rule <= GRID_THROUGHPUT;
}

bool vcs_swp_grid_figure_is_compared(const struct grid_figure *figure) {
    return figure->rule >= GRID_LOST && figure->rule <= GRID_BEYOND_BOUND;
}

const struct grid_figure *vcs_swp_grid_figure(enum grid_figure_of kind, const char *group, const char *name) {
    const struct grid_figure *figure = kinds[kind].figures;
    while (strcmp(figure->name, name) != 0 || (figure->group == NULL) != (group == NULL) ||
           (group != NULL && strcmp(figure->group, group) != 0)) {
        figure++;
    }
    return figure;
}

/* ---- their values ---- */

static uint64_t count_at(const void *record, size_t offset) {
    uint64_t count;
    memcpy(&count, (const unsigned char *)record + offset, sizeof count);
    return count;
}

static double number_at(const void *record, size_t offset) {
    double number;
    memcpy(&number, (const unsigned char *)record + offset, sizeof number);
    return number;
}

static double ratio(double part, double whole) {
    return whole > 0 ? part / whole : NAN;
}

static double operations(const vcs_grid_project_outcome *project) {
    return project->flops_useful + project->flops_redundant + project->flops_invalid + project->flops_late +
           project->flops_failed + project->flops_checks + project->flops_lost;
}

/* Results that were reported, whatever became of them. */
static double reported(const vcs_grid_project_outcome *project) {
    return (double)(project->valid + project->invalid + project->not_judged + project->errors);
}

double vcs_swp_grid_figure_value(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                                 uint32_t index) {
    const struct grid_emulation *emulation = &emulated->runs[run];
    const vcs_grid_project_outcome *project = &emulation->projects[figure->of == FIGURE_OF_PROJECT ? index : 0];
    const struct grid_population_outcome *population =
        &emulation->populations[figure->of == FIGURE_OF_POPULATION ? index : 0];
    const void *record = figure->of == FIGURE_OF_PROJECT      ? project
                         : figure->of == FIGURE_OF_POPULATION ? (const void *)population
                                                              : &emulation->total;
    const bool by_reply =
        figure->of == FIGURE_OF_PROJECT && emulated->grid->projects[index].dispatch == VCS_GRID_BY_REPLY;
    const struct grid_fractions *fractions = (const void *)((const unsigned char *)record + figure->offset);
    const struct grid_comparison *compared =
        figure->of == FIGURE_OF_POPULATION ? &population->compared : &emulation->compared;
    const double duration = emulated->grid->terms.duration;
    switch (figure->rule) {
    case GRID_COUNT:
        return (double)count_at(record, figure->offset);
    case GRID_NUMBER:
        return number_at(record, figure->offset);
    case GRID_PER_SECOND:
        return (double)count_at(record, figure->offset) / duration;
    case GRID_THROUGHPUT:
        return ratio((double)project->done * DAY, project->makespan > 0 ? project->makespan : duration);
    case GRID_NUMBER_OF_DONE:
        return project->done > 0 ? number_at(record, figure->offset) : NAN;
    case GRID_NUMBER_OF_BATCH:
        return project->makespan > 0 ? number_at(record, figure->offset) : NAN;
    case GRID_NUMBER_BY_REPLY:
        return by_reply ? number_at(record, figure->offset) : NAN;
    case GRID_COUNT_BY_REPLY:
        return by_reply ? (double)count_at(record, figure->offset) : NAN;
    case GRID_COPIES_PER_UNIT:
        return ratio((double)project->copies, (double)project->units);
    case GRID_WRONG_FRACTION:
        return ratio((double)project->wrong_accepted, (double)project->done);
    case GRID_PART_OF_OPERATIONS:
        return ratio(number_at(record, figure->offset), operations(project));
    case GRID_CALLS_PER_RESULT:
        return ratio((double)project->calls, reported(project));
    case GRID_IDLENESS_OF_ALL:
        return ratio(emulation->total.idle, emulation->total.used + emulation->total.idle);
    case GRID_MEAN_OF_HOSTS:
        return ratio(number_at(record, figure->offset), (double)population->hosts);
    case GRID_LOST:
        return ratio(compared->lost, compared->used);
    case GRID_LEAST_LOSS:
        return ratio(compared->least, compared->used);
    case GRID_BEYOND_BOUND:
        return ratio(compared->lost - compared->least, compared->used);
    case GRID_MEAN_FRACTION:
        return ratio(fractions->sum, (double)fractions->count);
    case GRID_P5:
        return vcs_swp_grid_fraction_quantile(fractions, 0.05);
    case GRID_P50:
        return vcs_swp_grid_fraction_quantile(fractions, 0.5);
    case GRID_P95:
        return vcs_swp_grid_fraction_quantile(fractions, 0.95);
    }
    return NAN;
}

struct sweep_mean vcs_swp_grid_figure_mean(const struct grid_figure *figure, const struct grid_emulated *emulated,
                                           uint32_t index) {
    struct sweep_mean mean = {.count = 0};
    for (uint32_t run = 0; run < emulated->run_count; run++) {
        const double value = vcs_swp_grid_figure_value(figure, emulated, run, index);
        if (!isnan(value)) {
            vcs_swp_mean_add(&mean, value, 1);
        }
    }
    return mean;
}
