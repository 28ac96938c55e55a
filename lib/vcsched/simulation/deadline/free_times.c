/* SPDX-License-Identifier: MIT */
#include "vcsched/simulation/deadline/free_times.h"

#include <stdbool.h>
#include <string.h>

void vcs_free_times_clear(vcs_free_times *times, uint32_t cpus) {
    times->cpus = times->in_line = cpus;
    times->first = 0;
    times->last = 0;
    memset(times->line, 0, cpus * sizeof *times->line);
    vcs_heap_clear(times->heap, cpus);
}

/* A row is the length of the line, the line, and the heap. The line may wrap round the end of its array. */
void vcs_free_times_keep(const vcs_free_times *times, int64_t *row) {
    const uint32_t before_end = times->cpus - times->first;
    const uint32_t part = times->in_line < before_end ? times->in_line : before_end;
    *row++ = times->in_line;
    memcpy(row, times->line + times->first, part * sizeof *row);
    memcpy(row + part, times->line, (times->in_line - part) * sizeof *row);
    memcpy(row + times->in_line, times->heap, (times->cpus - times->in_line) * sizeof *row);
}

void vcs_free_times_restore(vcs_free_times *times, const int64_t *row) {
    times->first = 0;
    times->in_line = (uint32_t)*row++;
    times->last = row[times->in_line - 1];
    memcpy(times->line, row, times->in_line * sizeof *row);
    vcs_heap_clear(times->heap, times->cpus);
    memcpy(times->heap, row + times->in_line, (times->cpus - times->in_line) * sizeof *row);
}

void vcs_free_times_overtake(vcs_free_times *times, int64_t until) {
    VCS_INVARIANT(times->in_line > 0 && times->in_line <= times->cpus); /* the last time is after all overtakers */
    const uint32_t overtakers = times->cpus - times->in_line;
    const bool is_first = vcs_heap_least(times->heap) < times->line[times->first];
    if (until < times->last) { /* it overtakes */
        if (is_first) {
            vcs_heap_replace_least(times->heap, overtakers, until);
            return;
        }
        vcs_heap_add(times->heap, overtakers, until);
        times->first = vcs_free_times_place(times, 1);
        VCS_INVARIANT(times->in_line > 1); /* the last time of the line is later than the first, so it is another */
        times->in_line--;
        return;
    }
    VCS_INVARIANT(overtakers > 0);                /* one of them is free first: nothing else leads here */
    vcs_heap_pop_least(times->heap, overtakers);  /* it joins the line */
    times->line[vcs_free_times_place(times, times->in_line)] = times->last = until;
    times->in_line++;
}
