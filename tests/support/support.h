/*
 * What the unit tests share: a small host, built record by record, and prepared in memory of exactly the size that the
 * library asked for, so that a sanitizer sees every step beyond it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <vcsched/vcsched.h>

#define HOST_MOST 64

/* A host under construction. The records may be changed at will between the calls. It must not be moved. */
typedef struct test_host {
    vcs_host host;
    vcs_resource resources[HOST_MOST];
    vcs_project projects[HOST_MOST];
    vcs_project_resource project_resources[HOST_MOST];
    vcs_app apps[HOST_MOST];
    vcs_app_resource app_resources[HOST_MOST];
    vcs_task tasks[HOST_MOST];
    vcs_task candidates[HOST_MOST];
    vcs_hour hours[VCS_HOURS_OF_WEEK];
    vcs_snapshot snapshot;
    vcs_parameters parameters;
    double now;
    void *work;       /* memory of the state; NULL until host_prepare() */
    vcs_state *state; /* NULL until host_prepare() */
} test_host;

/* A host of CPUs alone, 1 GFLOPS each, wholly usable; no project, no task; the present is 0. */
void host_begin(test_host *h, uint32_t profile, uint32_t cpus);

/*
 * 2 CPUs and a GPU type of 2 instances; two projects, and of each a pair with the GPU type, an application, a task and
 * a candidate; and 24 hours of which nothing was seen.
 */
void host_begin_with_two_of_everything(test_host *h, uint32_t profile);

/* Another resource: a GPU type, `times` as fast as a CPU. Returns its index. */
uint32_t host_add_resource(test_host *h, uint32_t instances, double times);

/* Ids count up from 1 in each array, unless the test sets others. Returns the index. */
uint32_t host_add_project(test_host *h, double share);

vcs_project_resource *host_add_project_resource(test_host *h, uint32_t project, uint32_t resource);
uint32_t host_add_app(test_host *h, uint32_t project, uint32_t max_concurrent);
vcs_app_resource *host_add_app_resource(test_host *h, uint32_t app, uint32_t resource);

/* A task of one CPU. Each is received a second after the one before. */
vcs_task *host_add_task(test_host *h, uint32_t project, double remaining, double deadline);
vcs_task *host_add_candidate(test_host *h, uint32_t project, double remaining, double deadline);

/* Prepares it, which must succeed; an earlier state is given back. */
vcs_state *host_prepare(test_host *h);

/* Prepares it, which must be refused with this code. */
void host_refuse(test_host *h, int code);

/* Gives the memory back. */
void host_end(test_host *h);

/* Equal up to rounding: one part in 10^12. Nothing but infinity is near to infinity. */
int is_near(double a, double b);

#endif
