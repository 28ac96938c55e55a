/* SPDX-License-Identifier: MIT */
#include "host.h"

#include <stdlib.h>
#include <string.h>

#include <vcsched/parameters.h>

/* ---- Making ---- */

typedef struct stream {
    uint64_t state;
} stream;

static uint32_t below(stream *s, uint32_t count) {
    uint64_t z = s->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ z >> 31) >> 32) % count;
}

/* What a decision on running tasks looks at beyond what the simulations do. */
static void draw_running(random_state *host, uint64_t seed) {
    stream s = {seed};
    vcs_parameters *p = &host->parameters;
    p->scheduling = below(&s, 4) == 0 ? VCS_SCHEDULING_ROUND_ROBIN : VCS_SCHEDULING_DEADLINE;
    p->late_by = below(&s, 2);
    p->ranking = below(&s, 3);
    p->save_first = below(&s, 2);
    p->hysteresis = below(&s, 2);
    p->switch_cost = below(&s, 2) ? 0 : 60;
    p->look_interval = below(&s, 3) * 30;
    host->host.ram = below(&s, 3) == 0 ? 0.5e9 * (1 + below(&s, 8)) : 0;
    for (uint32_t i = 0; i < host->snapshot.tasks.count; i++) {
        const double began[] = {0, 60, p->period / 2, p->period, p->period + 60, 2 * p->period, 1e5, -60};
        const double unsaved[] = {0, 0, 60, p->period / 2, p->period};
        vcs_task *task = &host->tasks[i];
        task->flags |= below(&s, 3) == 0 ? VCS_TASK_STARTED : 0;
        task->flags |= below(&s, 3) == 0 ? VCS_TASK_WAS_LATE : 0;
        task->running_since = host->now - began[below(&s, 8)];
        task->since_checkpoint = unsaved[below(&s, 5)];
        task->ram = 0.25e9 * below(&s, 6);
    }
}

#define FLUID 0x1u
#define ENRICHED 0x2u
#define LIMITED 0x4u
#define RUNNING 0x8u

void fuzz_host_begin(fuzz_input *in, random_state *host) {
    const uint32_t options = fuzz_byte(in);
    const uint64_t seed = fuzz_integer(in, 4);
    random_state_fill(host, (options & FLUID) != 0 ? RANDOM_FLUID : RANDOM_ANY, seed);
    if ((options & LIMITED) != 0) {
        random_state_limit(host, seed % 2 == 0 || (options & FLUID) != 0, seed);
    }
    if ((options & LIMITED) != 0 && (options & FLUID) != 0) {
        host->snapshot.apps.count = 0; /* the fluid discipline refuses limits of applications */
        for (uint32_t i = 0; i < RANDOM_MOST_TASKS; i++) {
            host->tasks[i].app = VCS_NONE;
        }
        for (uint32_t i = 0; i < RANDOM_MOST_CANDIDATES; i++) {
            host->candidates[i].app = VCS_NONE;
        }
    }
    if ((options & ENRICHED) != 0) {
        random_state_enrich(host, seed);
    }
    if ((options & RUNNING) != 0) {
        draw_running(host, seed);
    }
}

/* ---- Changing ---- */

static void drop_records(fuzz_input *in, random_state *host) {
    vcs_array *arrays[] = {&host->snapshot.tasks, &host->snapshot.candidates,    &host->snapshot.project_resources,
                           &host->snapshot.apps,  &host->snapshot.projects,      &host->snapshot.resources,
                           &host->snapshot.host,  &host->snapshot.app_resources, &host->snapshot.hours};
    vcs_array *array = arrays[fuzz_below(in, sizeof arrays / sizeof *arrays)];
    array->count = fuzz_below(in, array->count + 1);
}

void fuzz_host_edit(fuzz_input *in, random_state *host, uint32_t most) {
    for (uint32_t edits = 0; edits < most && fuzz_more(in); edits++) {
        const uint32_t kind = fuzz_byte(in);
        const fuzz_records records[] = {
            {VCS_TYPE_TASK, host->tasks, sizeof *host->tasks, host->snapshot.tasks.count},
            {VCS_TYPE_PROJECT, host->projects, sizeof *host->projects, host->snapshot.projects.count},
            {VCS_TYPE_PROJECT_RESOURCE, host->project_resources, sizeof *host->project_resources,
             host->snapshot.project_resources.count},
            {VCS_TYPE_RESOURCE, host->resources, sizeof *host->resources, host->snapshot.resources.count},
            {VCS_TYPE_PARAMETERS, &host->parameters, sizeof host->parameters, 1},
            {VCS_TYPE_APP, host->apps, sizeof *host->apps, host->snapshot.apps.count},
            {VCS_TYPE_TASK, host->candidates, sizeof *host->candidates, host->snapshot.candidates.count},
            {VCS_TYPE_APP_RESOURCE, host->app_resources, sizeof *host->app_resources,
             host->snapshot.app_resources.count},
            {VCS_TYPE_HOST, &host->host, sizeof host->host, host->snapshot.host.count},
            {VCS_TYPE_HOUR, host->hours, sizeof *host->hours, host->snapshot.hours.count},
        };
        if (kind < 8) {
            drop_records(in, host);
        } else if (kind < 16) {
            host->now = fuzz_number(in);
        } else {
            fuzz_edit(in, records, sizeof records / sizeof *records);
        }
    }
    /* The oracles count steps, but no effort; the hosts are small. */
    host->parameters.simulation_effort = 0;
    host->parameters.placement_effort = 0;
}

/* ---- Preparing ---- */

/* The oracles know nothing of shorter structs. */
static void complete_parameters(vcs_parameters *parameters) {
    vcs_parameters whole;
    assert_int_equal(vcs_parameters_init(&whole, sizeof whole, parameters->profile), VCS_OK);
    for (uint32_t i = 0; i < vcs_parameter_count(); i++) {
        double value = 0;
        assert_int_equal(vcs_parameter_get(parameters, i, &value), VCS_OK);
        assert_int_equal(vcs_parameter_set(&whole, i, value), VCS_OK);
    }
    *parameters = whole;
}

vcs_state *fuzz_host_prepare(random_state *host) {
    size_t size = 0;
    vcs_state *state = NULL;
    vcs_error error = {.struct_size = sizeof error};
    int code = vcs_state_size(&host->snapshot, &size);
    if (code != VCS_OK) {
        assert_int_equal(size, 0);
        assert_true(vcs_state_prepare(&host->snapshot, &host->parameters, host->now, &size, sizeof size, &state,
                                      NULL) != VCS_OK);
        assert_null(state);
        return NULL;
    }
    void *work = fuzz_allocate(size);
    fuzz_mark(work, size);
    code = vcs_state_prepare(&host->snapshot, &host->parameters, host->now, work, size, &state, &error);
    if (code == VCS_OK) {
        assert_ptr_equal(state, work);
        if (host->parameters.struct_size != sizeof host->parameters) {
            complete_parameters(&host->parameters);
        }
        return state;
    }
    fuzz_refused(code, &error);
    assert_null(state);
    if (code != VCS_ERR_DUPLICATE) {
        fuzz_unmarked("work memory", work, size);
    }
    free(work);
    return NULL;
}

bool fuzz_oracles_know(const random_state *host) {
    const vcs_parameters *p = &host->parameters;
    return p->give_up == VCS_GIVE_UP_NEVER && p->work_send != VCS_WORK_SEND_BY_CHANCE &&
           p->work_fetch != VCS_WORK_FETCH_OWED;
}

bool fuzz_host_is_small(const random_state *host) {
    uint32_t instances = 0;
    for (uint32_t i = 0; i < host->snapshot.resources.count; i++) {
        instances += host->resources[i].instances;
    }
    return host->snapshot.tasks.count <= 60 && instances <= 200;
}
