/* SPDX-License-Identifier: MIT */
#include "vcemu/sweep/figures/grid_figures.h"

#include <math.h>
#include <string.h>

#define DAY 86400.0

/* ---- where values come from ---- */

static const vcs_grid_project_outcome *project_of(const struct grid_emulated *emulated, uint32_t run, uint32_t index) {
    return &emulated->runs[run].projects[index];
}

static double count_of_project(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                               uint32_t index) {
    uint64_t count;
    memcpy(&count, (const unsigned char *)project_of(emulated, run, index) + figure->offset, sizeof count);
    return (double)count;
}

static double number_of_project(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                                uint32_t index) {
    double number;
    memcpy(&number, (const unsigned char *)project_of(emulated, run, index) + figure->offset, sizeof number);
    return number;
}

/* Undefined if no unit is done, */
static double number_of_done(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                             uint32_t index) {
    return project_of(emulated, run, index)->done > 0 ? number_of_project(figure, emulated, run, index) : NAN;
}

/* or unless all units of a batch have ended, */
static double number_of_batch(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                              uint32_t index) {
    return project_of(emulated, run, index)->makespan > 0 ? number_of_project(figure, emulated, run, index) : NAN;
}

/* or with the other way to give out work. */
static double number_by_reply(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                              uint32_t index) {
    return emulated->grid->projects[index].dispatch == VCS_GRID_BY_REPLY
               ? number_of_project(figure, emulated, run, index)
               : NAN;
}

static double count_by_reply(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                             uint32_t index) {
    return emulated->grid->projects[index].dispatch == VCS_GRID_BY_REPLY
               ? count_of_project(figure, emulated, run, index)
               : NAN;
}

static double ratio(double part, double whole) {
    return whole > 0 ? part / whole : NAN;
}

/* ---- figures of a project that are made of others ---- */

/* A batch that is done takes no longer than it took. */
static double throughput(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                         uint32_t index) {
    const vcs_grid_project_outcome *project = project_of(emulated, run, index);
    const double seconds = project->makespan > 0 ? project->makespan : emulated->grid->terms.duration;
    (void)figure;
    return ratio((double)project->done * DAY, seconds);
}

static double copies_per_unit(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                              uint32_t index) {
    const vcs_grid_project_outcome *project = project_of(emulated, run, index);
    (void)figure;
    return ratio((double)project->copies, (double)project->units);
}

static double wrong_fraction(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                             uint32_t index) {
    const vcs_grid_project_outcome *project = project_of(emulated, run, index);
    (void)figure;
    return ratio((double)project->wrong_accepted, (double)project->done);
}

static double operations(const vcs_grid_project_outcome *project) {
    return project->flops_useful + project->flops_redundant + project->flops_invalid + project->flops_late +
           project->flops_failed + project->flops_checks + project->flops_lost;
}

/* `offset` is that of some operations: the part of all that they are. */
static double part_of_operations(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                                 uint32_t index) {
    return ratio(number_of_project(figure, emulated, run, index), operations(project_of(emulated, run, index)));
}

static double calls_per_result(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                               uint32_t index) {
    const vcs_grid_project_outcome *project = project_of(emulated, run, index);
    const uint64_t reported = project->valid + project->invalid + project->not_judged + project->errors;
    (void)figure;
    return ratio((double)project->calls, (double)reported);
}

/* `offset` is that of the count. */
static double per_second(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                         uint32_t index) {
    return count_of_project(figure, emulated, run, index) / emulated->grid->terms.duration;
}

/* ---- of the hosts all together ---- */

static double count_of_grid(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                            uint32_t index) {
    uint64_t count;
    (void)index;
    memcpy(&count, (const unsigned char *)&emulated->runs[run].total + figure->offset, sizeof count);
    return (double)count;
}

static double number_of_grid(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                             uint32_t index) {
    double number;
    (void)index;
    memcpy(&number, (const unsigned char *)&emulated->runs[run].total + figure->offset, sizeof number);
    return number;
}

/* Of the time of their processors while they were on. */
static double idleness_of_grid(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                               uint32_t index) {
    const vcs_grid_outcome *total = &emulated->runs[run].total;
    (void)figure;
    (void)index;
    return ratio(total->idle, total->used + total->idle);
}

/* ---- of a population ---- */

static const struct grid_population_outcome *population_of(const struct grid_emulated *emulated, uint32_t run,
                                                           uint32_t index) {
    return &emulated->runs[run].populations[index];
}

static double count_of_population(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                                  uint32_t index) {
    uint64_t count;
    memcpy(&count, (const unsigned char *)population_of(emulated, run, index) + figure->offset, sizeof count);
    return (double)count;
}

/* The mean of a host. */
static double mean_of_population(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                                 uint32_t index) {
    const struct grid_population_outcome *population = population_of(emulated, run, index);
    double sum;
    memcpy(&sum, (const unsigned char *)population + figure->offset, sizeof sum);
    return ratio(sum, (double)population->hosts);
}

/* `offset` is that of the distribution. */
static const struct grid_fractions *fractions_of(const struct grid_figure *figure,
                                                 const struct grid_population_outcome *population) {
    return (const void *)((const unsigned char *)population + figure->offset);
}

static double mean_fraction(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                            uint32_t index) {
    const struct grid_fractions *fractions = fractions_of(figure, population_of(emulated, run, index));
    return ratio(fractions->sum, (double)fractions->count);
}

static double p5(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run, uint32_t index) {
    return vcs_swp_grid_fraction_quantile(fractions_of(figure, population_of(emulated, run, index)), 0.05);
}

static double p50(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                  uint32_t index) {
    return vcs_swp_grid_fraction_quantile(fractions_of(figure, population_of(emulated, run, index)), 0.5);
}

static double p95(const struct grid_figure *figure, const struct grid_emulated *emulated, uint32_t run,
                  uint32_t index) {
    return vcs_swp_grid_fraction_quantile(fractions_of(figure, population_of(emulated, run, index)), 0.95);
}

/* ---- all of them ---- */

#define PROJECT(field) offsetof(vcs_grid_project_outcome, field)
#define GRID(field) offsetof(vcs_grid_outcome, field)
#define POPULATION(field) offsetof(struct grid_population_outcome, field)

static const struct grid_figure project_figures[] = {
    {NULL, "throughput", throughput, 0},
    {"turnaround", "mean", number_of_done, PROJECT(turnaround_mean)},
    {"turnaround", "p50", number_of_done, PROJECT(turnaround_p50)},
    {"turnaround", "p95", number_of_done, PROJECT(turnaround_p95)},
    {"turnaround", "p99", number_of_done, PROJECT(turnaround_p99)},
    {NULL, "copies_per_unit", copies_per_unit, 0},
    {NULL, "wrong_accepted", count_of_project, PROJECT(wrong_accepted)},
    {NULL, "wrong_fraction", wrong_fraction, 0},
    {NULL, "window", number_by_reply, PROJECT(window)},
    {NULL, "window_bytes", number_by_reply, PROJECT(window_bytes)},
    {NULL, "window_span", number_by_reply, PROJECT(window_span)},
    {NULL, "duplicates", count_by_reply, PROJECT(duplicates)},
    {NULL, "makespan", number_of_batch, PROJECT(makespan)},
    {NULL, "tail", number_of_batch, PROJECT(tail)},
    {NULL, "units", count_of_project, PROJECT(units)},
    {NULL, "done", count_of_project, PROJECT(done)},
    {NULL, "failed", count_of_project, PROJECT(failed)},
    {NULL, "open", count_of_project, PROJECT(open)},
    {NULL, "copies", count_of_project, PROJECT(copies)},
    {NULL, "valid", count_of_project, PROJECT(valid)},
    {NULL, "invalid", count_of_project, PROJECT(invalid)},
    {NULL, "not_judged", count_of_project, PROJECT(not_judged)},
    {NULL, "errors", count_of_project, PROJECT(errors)},
    {NULL, "no_reply", count_of_project, PROJECT(no_reply)},
    {NULL, "aborted", count_of_project, PROJECT(aborted)},
    {NULL, "detached", count_of_project, PROJECT(detached)},
    {NULL, "in_progress", count_of_project, PROJECT(in_progress)},
    {NULL, "late", count_of_project, PROJECT(late)},
    {NULL, "unsendable", count_of_project, PROJECT(unsendable)},
    {NULL, "spot_checks", count_of_project, PROJECT(spot_checks)},
    {NULL, "caught", count_of_project, PROJECT(caught)},
    {"flops", "useful", number_of_project, PROJECT(flops_useful)},
    {"flops", "redundant", number_of_project, PROJECT(flops_redundant)},
    {"flops", "invalid", number_of_project, PROJECT(flops_invalid)},
    {"flops", "late", number_of_project, PROJECT(flops_late)},
    {"flops", "failed", number_of_project, PROJECT(flops_failed)},
    {"flops", "checks", number_of_project, PROJECT(flops_checks)},
    {"flops", "lost", number_of_project, PROJECT(flops_lost)},
    {"flops", "held", number_of_project, PROJECT(flops_held)},
    {"flops_fraction", "useful", part_of_operations, PROJECT(flops_useful)},
    {"flops_fraction", "redundant", part_of_operations, PROJECT(flops_redundant)},
    {"flops_fraction", "invalid", part_of_operations, PROJECT(flops_invalid)},
    {"flops_fraction", "late", part_of_operations, PROJECT(flops_late)},
    {"flops_fraction", "failed", part_of_operations, PROJECT(flops_failed)},
    {"flops_fraction", "checks", part_of_operations, PROJECT(flops_checks)},
    {"flops_fraction", "lost", part_of_operations, PROJECT(flops_lost)},
    {NULL, "power_available", number_of_project, PROJECT(power_available)},
    {NULL, "mean_in_progress", number_of_project, PROJECT(mean_in_progress)},
    {NULL, "time_in_progress", number_of_project, PROJECT(time_in_progress)},
    {NULL, "calls", count_of_project, PROJECT(calls)},
    {NULL, "calls_per_result", calls_per_result, 0},
    {NULL, "transitions", count_of_project, PROJECT(transitions)},
    {NULL, "transitions_per_second", per_second, PROJECT(transitions)},
    {NULL, "changes", count_of_project, PROJECT(changes)},
    {NULL, "changes_per_second", per_second, PROJECT(changes)},
    {NULL, "credit", number_of_project, PROJECT(credit)},
};

static const struct grid_figure grid_figures_of_all[] = {
    {NULL, "hosts", count_of_grid, GRID(hosts)},
    {NULL, "left", count_of_grid, GRID(left)},
    {NULL, "saboteurs", count_of_grid, GRID(saboteurs)},
    {NULL, "present", number_of_grid, GRID(present)},
    {NULL, "off", number_of_grid, GRID(off)},
    {NULL, "used", number_of_grid, GRID(used)},
    {NULL, "idle", number_of_grid, GRID(idle)},
    {NULL, "idleness", idleness_of_grid, 0},
    {NULL, "flops_used", number_of_grid, GRID(flops_used)},
    {NULL, "calls", count_of_grid, GRID(calls)},
    {NULL, "steps", count_of_grid, GRID(steps)},
};

#define FRACTIONS(name, which)                                                                                         \
    {name, "mean", mean_fraction, POPULATION(fractions[which])}, {name, "p5", p5, POPULATION(fractions[which])},       \
        {name, "p50", p50, POPULATION(fractions[which])}, {                                                            \
        name, "p95", p95, POPULATION(fractions[which])                                                                 \
    }

static const struct grid_figure population_figures[] = {
    {NULL, "hosts", count_of_population, POPULATION(hosts)},
    {NULL, "saboteurs", count_of_population, POPULATION(saboteurs)},
    {NULL, "cpus", mean_of_population, POPULATION(cpus)},
    {NULL, "flops", mean_of_population, POPULATION(flops)},
    {NULL, "on", mean_of_population, POPULATION(on)},
    {NULL, "reported", count_of_population, POPULATION(reported)},
    {NULL, "calls", count_of_population, POPULATION(calls)},
    {NULL, "too_slow", count_of_population, POPULATION(too_slow)},
    FRACTIONS("idleness", GRID_IDLENESS),
    FRACTIONS("waste", GRID_WASTE),
    FRACTIONS("share_violation", GRID_SHARE_VIOLATION),
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
    return figure->value == count_of_project || figure->value == number_of_project || figure->value == per_second ||
           figure->value == throughput || figure->value == count_of_grid || figure->value == number_of_grid ||
           figure->value == count_of_population;
}

const struct grid_figure *vcs_swp_grid_figure(enum grid_figure_of kind, const char *group, const char *name) {
    const struct grid_figure *figure = kinds[kind].figures;
    while (strcmp(figure->name, name) != 0 || (figure->group == NULL) != (group == NULL) ||
           (group != NULL && strcmp(figure->group, group) != 0)) {
        figure++;
    }
    return figure;
}

struct sweep_mean vcs_swp_grid_figure_mean(const struct grid_figure *figure, const struct grid_emulated *emulated,
                                           uint32_t index) {
    struct sweep_mean mean = {.count = 0};
    for (uint32_t run = 0; run < emulated->run_count; run++) {
        const double value = figure->value(figure, emulated, run, index);
        if (!isnan(value)) {
            vcs_swp_mean_add(&mean, value, 1);
        }
    }
    return mean;
}
