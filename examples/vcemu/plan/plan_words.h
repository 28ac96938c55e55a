/*
 * Hosts, tasks, requests and reasons in words, for the answers of plan and admit.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_PLAN_PLAN_WORDS_H
#define VCEMU_PLAN_PLAN_WORDS_H

#include <vcsched/fetch.h>

#include "text/wording.h"
#include "vcemu/scenario/state/state_file.h"

/* "2026-03-02 08:00:00 UTC"; the number of seconds if the calendar has no such date. */
struct wording word_time(double seconds);

/* What a task uses: "1 CPU", "1 RTX + 0.2 CPU". */
struct wording word_use(const struct state_file *file, const vcs_task *task);

/* The same in short: "1 CPU", "1 RTX". */
struct wording word_main_use(const struct state_file *file, const vcs_task *task);

/* Instances of a GPU type: "device 0", "devices 0,2". */
struct wording word_devices(uint64_t devices);

/* The processors of a host: "2 CPU, 1 RTX"; the first three kinds if there are more. */
struct wording word_host(const struct state_file *file);

/* The name of a reason as words: "better project"; "not decided" for VCS_REASON_NONE. */
struct wording word_reason(uint32_t reason);

/* A request for work: "18h 09m" of instance time; "18h 09m, 2 instances" if 2 want a task each. */
struct wording word_request(const vcs_fetch_decision *request);

/* The first line of every answer: profile, present time, host. */
struct wording word_headline(const struct state_file *file);

/* A sentence after a blank on when to decide again, `wait` seconds from now; empty if time changes nothing. */
struct wording word_next_decision(double wait);

#endif
