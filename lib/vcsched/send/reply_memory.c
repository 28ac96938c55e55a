/*
 * The memory of a reply, apart from the choice of jobs: a program that only measures its memory does not link it.
 *
 * Rule 9.1; the plain reference is tests/oracle/oracle_send.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/send/reply_memory.h"

#include "vcsched/host/scratch.h"

void vcs_reply_lay_out(send_reply *reply, const vcs_counts *counts, vcs_arena *arena) {
    reply->needs = vcs_arena_allocate(arena, counts->resources, sizeof *reply->needs);
    reply->app_jobs = vcs_arena_allocate(arena, counts->apps, sizeof *reply->app_jobs);
    reply->order = vcs_arena_allocate(arena, counts->candidates, sizeof *reply->order);
    reply->first_copy = vcs_arena_allocate(arena, counts->candidates, sizeof *reply->first_copy);
    reply->is_sent = vcs_arena_allocate(arena, counts->candidates, sizeof *reply->is_sent);
}

uint64_t vcs_send_scratch(const vcs_counts *counts) {
    send_reply reply;
    vcs_arena measure = {NULL, 0};
    vcs_reply_lay_out(&reply, counts, &measure);
    return vcs_arena_size(&measure);
}
