/* SPDX-License-Identifier: MIT */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void begin_array(vcs_array *array, const void *base, uint32_t element_size) {
    array->base = base;
    array->element_size = element_size;
}

void host_begin(test_host *h, uint32_t profile, uint32_t cpus) {
    memset(h, 0, sizeof *h);
    assert_int_equal(vcs_parameters_init(&h->parameters, sizeof h->parameters, profile), VCS_OK);
    h->parameters.least_buffer = 0; /* buffers count as a test sets them */
    h->snapshot.struct_size = sizeof h->snapshot;
    begin_array(&h->snapshot.host, &h->host, sizeof h->host);
    begin_array(&h->snapshot.resources, h->resources, sizeof *h->resources);
    begin_array(&h->snapshot.projects, h->projects, sizeof *h->projects);
    begin_array(&h->snapshot.project_resources, h->project_resources, sizeof *h->project_resources);
    begin_array(&h->snapshot.apps, h->apps, sizeof *h->apps);
    begin_array(&h->snapshot.app_resources, h->app_resources, sizeof *h->app_resources);
    begin_array(&h->snapshot.tasks, h->tasks, sizeof *h->tasks);
    begin_array(&h->snapshot.candidates, h->candidates, sizeof *h->candidates);
    begin_array(&h->snapshot.hours, h->hours, sizeof *h->hours);
    h->snapshot.host.count = 1;
    host_add_resource(h, cpus, 1); /* the first one is the CPU */
}

void host_begin_with_two_of_everything(test_host *h, uint32_t profile) {
    host_begin(h, profile, 2);
    h->snapshot.hours.count = VCS_HOURS_OF_DAY;
    host_add_resource(h, 2, 10);
    for (uint32_t i = 0; i < 2; i++) {
        host_add_project(h, 1);
        host_add_project_resource(h, i, 1);
        host_add_app(h, i, 0);
        host_add_app_resource(h, i, 1);
        host_add_task(h, i, 10, 1e6)->app = i;
        host_add_candidate(h, i, 10, 1e6)->app = i;
    }
}

/* Takes the next place of an array. */
static uint32_t take(vcs_array *array) {
    assert_true(array->count < HOST_MOST);
    return array->count++;
}

uint32_t host_add_resource(test_host *h, uint32_t instances, double times) {
    uint32_t index = take(&h->snapshot.resources);
    h->resources[index] = (vcs_resource){.id = index + 1, .flops = times * 1e9, .usable = 1, .instances = instances};
    return index;
}

uint32_t host_add_project(test_host *h, double share) {
    uint32_t index = take(&h->snapshot.projects);
    h->projects[index] = (vcs_project){.id = index + 1, .share = share};
    return index;
}

vcs_project_resource *host_add_project_resource(test_host *h, uint32_t project, uint32_t resource) {
    uint32_t index = take(&h->snapshot.project_resources);
    h->project_resources[index] = (vcs_project_resource){.id = index + 1, .project = project, .resource = resource};
    return &h->project_resources[index];
}

uint32_t host_add_app(test_host *h, uint32_t project, uint32_t max_concurrent) {
    uint32_t index = take(&h->snapshot.apps);
    h->apps[index] = (vcs_app){.id = index + 1, .project = project, .max_concurrent = max_concurrent};
    return index;
}

vcs_app_resource *host_add_app_resource(test_host *h, uint32_t app, uint32_t resource) {
    uint32_t index = take(&h->snapshot.app_resources);
    h->app_resources[index] = (vcs_app_resource){.id = index + 1, .app = app, .resource = resource};
    return &h->app_resources[index];
}

static vcs_task task_of_one_cpu(uint32_t index, uint32_t project, double remaining, double deadline) {
    return (vcs_task){
        .id = index + 1,
        .project = project,
        .app = VCS_NONE,
        .cpus = 1,
        .remaining = remaining,
        .deadline = deadline,
        .received = index,
    };
}

vcs_task *host_add_task(test_host *h, uint32_t project, double remaining, double deadline) {
    uint32_t index = take(&h->snapshot.tasks);
    h->tasks[index] = task_of_one_cpu(index, project, remaining, deadline);
    return &h->tasks[index];
}

vcs_task *host_add_candidate(test_host *h, uint32_t project, double remaining, double deadline) {
    uint32_t index = take(&h->snapshot.candidates);
    h->candidates[index] = task_of_one_cpu(index, project, remaining, deadline);
    return &h->candidates[index];
}

/* Fresh memory of the size that the snapshot needs. */
static size_t allocate_work(test_host *h) {
    size_t size = 0;
    assert_int_equal(vcs_state_size(&h->snapshot, &size), VCS_OK);
    free(h->work);
    h->work = malloc(size);
    assert_non_null(h->work);
    h->state = NULL;
    return size;
}

vcs_state *host_prepare(test_host *h) {
    vcs_error error = {.struct_size = sizeof error};
    size_t size = allocate_work(h);
    int code = vcs_state_prepare(&h->snapshot, &h->parameters, h->now, h->work, size, &h->state, &error);
    if (code != VCS_OK) {
        print_error("%s\n", error.message);
    }
    assert_int_equal(code, VCS_OK);
    return h->state;
}

void host_refuse(test_host *h, int code) {
    size_t size = allocate_work(h);
    assert_int_equal(vcs_state_prepare(&h->snapshot, &h->parameters, h->now, h->work, size, &h->state, NULL), code);
    assert_null(h->state);
}

void host_end(test_host *h) {
    free(h->work);
    h->work = NULL;
    h->state = NULL;
}

int is_near(double a, double b) {
    return a == b || (isfinite(a) && isfinite(b) && fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b)));
}
