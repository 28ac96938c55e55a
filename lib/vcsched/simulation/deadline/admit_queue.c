/*
 * The memory of the queue of admission: who measures a host's memory needs its size, but not admission itself.
 *
 * Rule 4.5; the plain reference is tests/oracle/oracle_admit.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/simulation/deadline/admit_queue.h"

#include "vcsched/host/scratch.h"

/* Keeps the bytes of free times per member constant, whatever the number of CPUs. */
static uint32_t choose_interval(const vcs_counts *counts) {
    uint32_t interval = VCS_FEW_INSTANCES / 8;
    while (interval < counts->instances / 8) {
        interval *= 2;
    }
    return interval;
}

void vcs_admit_lay_out(queue *q, const vcs_counts *counts, vcs_arena *arena) {
    const uint64_t most = counts->tasks + counts->candidates;
    q->interval = choose_interval(counts);
    const uint64_t times = (most / q->interval + 1) * vcs_free_times_row(counts->instances);
    q->tally = vcs_arena_allocate(arena, 1, sizeof *q->tally);
    q->members = vcs_arena_allocate(arena, most, sizeof *q->members);
    q->free_times = vcs_arena_allocate(arena, times, sizeof *q->free_times);
    q->tried_free_times = vcs_arena_allocate(arena, times, sizeof *q->tried_free_times);
    q->joined = vcs_arena_allocate(arena, counts->candidates, sizeof *q->joined);
    vcs_plan_lay_out(&q->plan, counts, arena);
    vcs_lines_lay_out(&q->lines, counts, arena);
    q->placed = vcs_arena_allocate(arena, most, sizeof *q->placed);
}

void vcs_admit_lay_out_chances(chance_queue *q, const vcs_counts *counts, vcs_arena *arena) {
    vcs_chances_lay_out(&q->chances, counts, arena);
    q->joined = vcs_arena_allocate(arena, counts->candidates, sizeof *q->joined);
}

uint64_t vcs_admit_queue(const vcs_counts *counts) {
    queue q;
    chance_queue by_chance;
    vcs_arena measure = {NULL, 0}, measure_chances = {NULL, 0};
    if (counts->candidates != 0) {
        vcs_admit_lay_out(&q, counts, &measure);
        vcs_admit_lay_out_chances(&by_chance, counts, &measure_chances);
    }
    const uint64_t size = vcs_arena_size(&measure), size_by_chance = vcs_arena_size(&measure_chances);
    return size > size_by_chance ? size : size_by_chance;
}
