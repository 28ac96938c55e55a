/*
 * Random draws without shared state: each depends only on the seed, its purpose, and its number.
 *
 * So a change of policy shifts no other draws, and every run can be repeated anywhere.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_RANDOM_H
#define VCS_EMU_HOST_RANDOM_H

#include <stdint.h>

/* The purposes of draws. */
enum {
    VCS_EMU_DRAW_AVAILABILITY,
    VCS_EMU_DRAW_JOB_SIZE,
    VCS_EMU_DRAW_APPLICATION,
    VCS_EMU_DRAW_PROJECT_BACKOFF,
    VCS_EMU_DRAW_RESOURCE_BACKOFF,
    VCS_EMU_DRAW_SERVER,
    VCS_EMU_DRAW_SCHEDULER_FAILURE,
    VCS_EMU_DRAW_NETWORK_FAILURE,
    VCS_EMU_DRAW_MASTER_FAILURE,
    VCS_EMU_DRAW_FRACTION
};

/* The draws for one purpose and one object, such as the job sizes of application 3. */
typedef struct vcs_emu_stream {
    uint64_t key;
    uint64_t draws; /* draws made */
} vcs_emu_stream;

/* The stream of draws for `purpose` and the object with this index. */
vcs_emu_stream vcs_emu_stream_open(uint64_t seed, uint32_t purpose, uint64_t index);

/* The next draw: uniform, 0 <= u < 1. */
double vcs_emu_draw_uniform(vcs_emu_stream *stream);

/* The next draw: exponential with this mean. */
double vcs_emu_draw_exponential(vcs_emu_stream *stream, double mean);

/* The next draw: Weibull with this mean and shape, 0.1 ... 10. */
double vcs_emu_draw_weibull(vcs_emu_stream *stream, double mean, double shape);

/* The next draw: log-normal with this mean; `sd` is the standard deviation of its logarithm. */
double vcs_emu_draw_log_normal(vcs_emu_stream *stream, double mean, double sd);

/* The next draw: log-normal with this mean and this standard deviation of the values themselves, both 0 or more; a
   deviation of more than a million means counts as a million. */
double vcs_emu_draw_spread(vcs_emu_stream *stream, double mean, double sd);

/* The next draw: normal. It counts as one draw, however many numbers it needs. */
double vcs_emu_draw_normal(vcs_emu_stream *stream, double mean, double sd);

#endif
