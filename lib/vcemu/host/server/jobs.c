/* The jobs that a server has on offer. SPDX-License-Identifier: MIT */
#include "vcemu/host/server/jobs.h"
#include "vcemu/host/clock.h"
#include "vcemu/host/emulator_workspace.h"
#include "vcemu/host/memory.h"
#include "vcemu/host/records.h"
#include "vcemu/host/server/grid_servers.h"
#include "vcemu/host/setup.h"
#include "vcemu/host/tasks/estimates.h"
#include "vcemu/host/tasks/true_task.h"
#include "vcsched/interface/check/check.h"

void vcs_emu_jobs_open(vcs_emu_emulator *e, const vcs_array *initial) {
    vcs_emu_jobs *jobs = e->jobs;
    const uint64_t seed = e->setup->emulation.seed;
    for (uint32_t i = 0; i < e->records->app_count; i++) {
        const vcs_job_model *model = &e->setup->models[i];
        jobs->sizes[i] = vcs_emu_stream_open(seed, VCS_EMU_DRAW_JOB_SIZE, i);
        jobs->fractions[i] = vcs_emu_stream_open(seed, VCS_EMU_DRAW_FRACTION, i);
        jobs->speeds[i] = vcs_emu_speed(e->records, model->cpus, model->gpu, model->gpus);
    }
    for (uint32_t i = 0; i < e->records->project_count * e->records->resource_count; i++) {
        jobs->applications[i] = vcs_emu_stream_open(seed, VCS_EMU_DRAW_APPLICATION, i);
    }
    for (uint32_t i = 0; i < initial->count; i++) {
        const vcs_task *task = vcs_element(initial, i);
        jobs->next_id = task->id >= jobs->next_id && task->id < UINT64_MAX ? task->id + 1 : jobs->next_id;
    }
}

bool vcs_emu_has_jobs(const vcs_emu_emulator *e, uint32_t app, uint32_t project, uint32_t resource) {
    const vcs_job_model *model = &e->setup->models[app];
    return e->records->apps[app].project == project && model->gpu == resource && model->weight > 0.0;
}

/* ---- One job ---- */

/* Each job counts as one draw, whatever its distribution. */
static double draw_size(const vcs_emu_setup *setup, vcs_emu_stream *sizes, const vcs_job_model *model) {
    double size = model->mean_flops;
    switch (model->distribution) {
    case VCS_SIZES_NORMAL:
        size = vcs_emu_draw_normal(sizes, model->mean_flops, model->sd_flops);
        break;
    case VCS_SIZES_EXPONENTIAL:
        size = vcs_emu_draw_exponential(sizes, model->mean_flops);
        break;
    case VCS_SIZES_LOG_NORMAL:
        size = vcs_emu_draw_spread(sizes, model->mean_flops, model->sd_flops);
        break;
    case VCS_SIZES_LIST:
        size = setup->sizes[model->first_size + sizes->draws++ % model->size_count];
        break;
    default:
        sizes->draws++;
        break;
    }
    return size > 0.0 ? size : 0.0;
}

/* The application of the next job for a resource, drawn by weight. The project has at least one for it. */
static uint32_t choose_app(vcs_emu_emulator *e, uint32_t project, uint32_t resource) {
    const vcs_job_model *models = e->setup->models;
    double weights = 0.0;
    uint32_t last = VCS_NONE;
    for (uint32_t i = 0; i < e->records->app_count; i++) {
        if (vcs_emu_has_jobs(e, i, project, resource)) {
            weights += models[i].weight;
            last = i;
        }
    }
    VCS_INVARIANT(last < e->records->app_count); /* otherwise no job would be wanted */
    double drawn = vcs_emu_draw_uniform(&e->jobs->applications[vcs_emu_first_of(e, project) + resource]) * weights;
    for (uint32_t i = 0; i < last; i++) {
        if (vcs_emu_has_jobs(e, i, project, resource)) {
            drawn -= models[i].weight;
            if (drawn < 0.0) {
                return i;
            }
        }
    }
    return last;
}

/* Offers one more job, if there is one. libvcsched accepts VCS_MAX_SECONDS at most: a longer job never ends either. */
static bool add_job(vcs_emu_emulator *e, uint32_t app) {
    const vcs_emu_jobs *jobs = e->jobs;
    vcs_emu_workspace *space = e->workspace;
    const vcs_job_model *model = &e->setup->models[app];
    double size = 0.0, est_flops = model->est_flops;
    vcs_emu_origin origin = {0, VCS_EMU_FATE_DONE};
    if (e->grid_servers == NULL) {
        size = draw_size(e->setup, &jobs->sizes[app], model);
    } else if (!e->grid_servers->next(e, e->records->apps[app].project, &size, &est_flops, &origin)) {
        return false;
    }
    VCS_INVARIANT(space->candidates != NULL && space->truths != NULL && space->offered < space->offer_capacity);
    const uint32_t index = space->offered++; /* there is room for all wanted jobs */
    space->candidates[index] = (vcs_task){
        .id = jobs->next_id + index,
        .project = e->records->apps[app].project,
        .app = app,
        .gpu = model->gpu,
        .cpus = model->cpus,
        .gpus = model->gpus,
        .deadline = e->clock->now + model->latency_bound,
        .received = e->clock->now,
        .ram = model->ram,
    };
    space->truths[index] = (vcs_emu_true_task){
        .est_flops = est_flops,
        .total = vcs_min(size / jobs->speeds[app], VCS_MAX_SECONDS),
        .speed = jobs->speeds[app],
        .checkpoint_interval = model->checkpoint_interval,
        .fraction_power = vcs_exp2(vcs_emu_draw_normal(&jobs->fractions[app], 0.0, model->fraction_blur)),
        .fraction_step = model->fraction_step,
        .app = app,
        .origin = origin,
    };
    return true;
}

void vcs_emu_return_job(vcs_emu_emulator *e, uint32_t index) {
    const vcs_task *job = &e->workspace->candidates[index];
    e->jobs->fractions[job->app].draws--;
    if (e->grid_servers == NULL) {
        e->jobs->sizes[job->app].draws--;
    } else {
        e->grid_servers->undo_next(e, job->project);
    }
    e->jobs->applications[vcs_emu_first_of(e, job->project) + job->gpu].draws--;
}

/* ---- How many ---- */

double vcs_emu_job_fills(const vcs_emu_emulator *e, uint32_t app) {
    const vcs_job_model *model = &e->setup->models[app];
    const double dcf = vcs_emu_correction(e, e->records->apps[app].project, app);
    const double seconds = model->est_flops / e->jobs->speeds[app] * (dcf > 0.0 ? dcf : 1.0);
    const double instances = model->gpu != 0 ? model->gpus : model->cpus;
    /* The study: its wall time, whatever the usable fraction. */
    return vcs_emu_is_study(e) ? vcs_min(seconds, VCS_MAX_SECONDS)
                               : seconds * instances / e->records->resources[model->gpu].usable;
}

/* How many jobs of `size` fill `amount`. */
static double times(double amount, double size) {
    return !(amount > 0.0) ? 0.0 : size > 0.0 ? amount / size : VCS_INFINITY;
}

/* The most jobs that the request can take, if all are the project's smallest. */
static uint32_t most_wanted(const vcs_emu_emulator *e, uint32_t project, uint32_t resource,
                            const vcs_send_request *request) {
    const uint32_t max_reply = e->setup->emulation.max_reply;
    double most = 0.0;
    for (uint32_t i = 0; i < e->records->app_count; i++) {
        if (vcs_emu_has_jobs(e, i, project, resource)) {
            const vcs_job_model *model = &e->setup->models[i];
            most = vcs_max(most, times(request->seconds, vcs_emu_job_fills(e, i)));
            most = vcs_max(most, times(request->instances, resource != 0 ? model->gpus : model->cpus));
        }
    }
    VCS_INVARIANT(VCS_IS_NUMBER(most)); /* finite amounts are divided by sizes above 0 */
    if (!(most > 0.0)) {
        return 0;
    }
    return most < max_reply ? (uint32_t)most + 1 : max_reply;
}

static bool reserve(vcs_emu_emulator *e, uint64_t count) {
    vcs_emu_emulator *ground = e->ground;
    vcs_emu_workspace *space = e->workspace;
    if (count <= space->offer_capacity) {
        return true;
    }
    const bool reserved = vcs_emu_reserve(ground, &space->candidates, count, sizeof *space->candidates);
    const uint64_t room = vcs_emu_capacity(space->candidates) / sizeof *space->candidates;
    space->offer_capacity = reserved && vcs_emu_reserve(ground, &space->truths, room, sizeof *space->truths) &&
                                    vcs_emu_reserve(ground, &space->descriptions, room, sizeof *space->descriptions) &&
                                    vcs_emu_reserve(ground, &space->decisions, room, sizeof *space->decisions)
                                ? room
                                : 0;
    vcs_emu_note(e, ground->code);
    return space->offer_capacity > 0;
}

void vcs_emu_offer(vcs_emu_emulator *e, uint32_t project, const vcs_send_request *requests) {
    vcs_emu_workspace *space = e->workspace;
    space->offered = 0;
    for (uint32_t r = e->records->resource_count; r-- > 0;) {
        const uint32_t wanted = most_wanted(e, project, r, &requests[r]);
        if (!reserve(e, (uint64_t)space->offered + wanted)) {
            return;
        }
        for (uint32_t i = 0; i < wanted && add_job(e, choose_app(e, project, r)); i++) {
        }
    }
}
