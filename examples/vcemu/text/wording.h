/*
 * Times, amounts and uses in the words of people.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_WORDING_H
#define VCEMU_WORDING_H

#include <vcsched/fetch.h>

#include "vcemu/scenario/state/state_file.h"

struct wording {
    char text[512];
};

/* "2d 03h", "3h 20m", "45m 10s", "12s": the two largest units, the rest cut off; "-" before a negative one. */
struct wording word_duration(double seconds);

/* "2026-03-02 08:00:00 UTC"; the number of seconds if it has no date. */
struct wording word_time(double seconds);

/* What a task uses: "1 CPU", "1 RTX + 0.2 CPU". */
struct wording word_use(const struct state_file *file, const vcs_task *task);

/* The same in short: "1 CPU", "1 RTX". */
struct wording word_main_use(const struct state_file *file, const vcs_task *task);

/* Instances of a GPU type: "device 0", "devices 0,2". */
struct wording word_devices(uint64_t devices);

/* The processors of a host: "2 CPU, 1 RTX"; of more than three kinds only the first ones. */
struct wording word_host(const struct state_file *file);

/* The name of a reason as words: "better project"; "not decided" for VCS_REASON_NONE. */
struct wording word_reason(uint32_t reason);

/* What a project is asked for: "18h 09m" of instance time; "18h 09m, 2 instances" if 2 want a task each. */
struct wording word_request(const vcs_fetch_decision *request);

/* The line over every answer: profile, present, host. */
struct wording word_headline(const struct state_file *file);

#endif
