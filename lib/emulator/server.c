/* What the servers do: answer or not, and send jobs (rules 9.1, 9.2, 13.4, 13.6). SPDX-License-Identifier: MIT */
#include "emulator/emulator.h"

#include <string.h>
#include <vcsched/edf.h>

/* ---- Whether it answers ---- */

/* The server goes down and comes up, whether it is called or not. */
static void pass_spells(vcs_emulator *e, uint32_t project) {
    vcs_true_project *truth = &e->true_projects[project];
    while (truth->spell_end <= e->clock.now) {
        truth->down = !truth->down;
        double mean = truth->down ? e->servers[project].down_mean : e->servers[project].up_mean;
        truth->spell_end += vcs_stream_exponential(&truth->spells, mean);
    }
}

int vcs_server_has_moved(const vcs_emulator *e, uint32_t project) {
    const double moves_at = e->servers[project].moves_at;
    return moves_at > 0.0 && e->clock.now >= e->emulation.start + moves_at && !e->true_projects[project].knows_move;
}

int vcs_server_answers(vcs_emulator *e, uint32_t project) {
    vcs_true_project *truth = &e->true_projects[project];
    pass_spells(e, project);
    double network = vcs_stream_uniform(&truth->network_failures);
    double scheduler = vcs_stream_uniform(&truth->scheduler_failures);
    return !truth->down && network >= e->servers[project].network_failure &&
           scheduler >= e->servers[project].scheduler_failure && !vcs_server_has_moved(e, project);
}

int vcs_master_answers(vcs_emulator *e, uint32_t project) {
    vcs_true_project *truth = &e->true_projects[project];
    pass_spells(e, project);
    double network = vcs_stream_uniform(&truth->master_failures);
    double file = vcs_stream_uniform(&truth->master_failures);
    return !truth->down && network >= e->servers[project].network_failure &&
           file >= e->servers[project].master_failure;
}

/* ---- Jobs ---- */

static double draw_size(vcs_emulator *e, uint32_t app) {
    const vcs_job_model *model = &e->models[app];
    vcs_stream *sizes = &e->true_apps[app].sizes;
    double size = model->mean_flops;
    switch (model->distribution) {
    case VCS_SIZES_NORMAL:
        size = vcs_stream_normal(sizes, model->mean_flops, model->sd_flops);
        break;
    case VCS_SIZES_EXPONENTIAL:
        size = vcs_stream_exponential(sizes, model->mean_flops);
        break;
    case VCS_SIZES_LIST:
        size = e->sizes[model->first_size + sizes->draws % model->size_count];
        sizes->draws++;
        break;
    default:
        break;
    }
    return size > 0.0 ? size : 0.0;
}

static int is_sent(const vcs_emulator *e, uint32_t app, uint32_t project, uint32_t resource) {
    return e->apps[app].project == project && e->models[app].gpu == resource && e->models[app].weight > 0.0;
}

/* Which application the next job for a resource is of, by weight; VCS_NONE if the project has none for it. */
static uint32_t choose_app(vcs_emulator *e, uint32_t project, uint32_t resource) {
    double weights = 0.0;
    uint32_t last = VCS_NONE, count = 0;
    for (uint32_t i = 0; i < e->view.apps.count; i++) {
        if (is_sent(e, i, project, resource)) {
            weights += e->models[i].weight;
            last = i;
            count++;
        }
    }
    if (count <= 1) {
        return last;
    }
    double drawn = vcs_stream_uniform(&e->true_projects[project].applications) * weights;
    for (uint32_t i = 0; i < last; i++) {
        if (is_sent(e, i, project, resource)) {
            drawn -= e->models[i].weight;
            if (drawn < 0.0) {
                return i;
            }
        }
    }
    return last;
}

/* Makes the next job of an application, as candidate number `index`. */
static int make_job(vcs_emulator *e, uint32_t app, uint32_t index) {
    int code = vcs_make_candidates(e, (uint64_t)index + 1);
    if (code != VCS_OK) {
        return code;
    }
    const vcs_job_model *model = &e->models[app];
    const double size = draw_size(e, app);
    e->candidates[index] = (vcs_task){
        .id = e->next_task + index,
        .project = e->apps[app].project,
        .app = app,
        .gpu = model->gpu,
        .cpus = model->cpus,
        .gpus = model->gpus,
        .deadline = e->clock.now + model->latency_bound,
        .received = e->clock.now,
        .ram = model->ram,
    };
    e->true_candidates[index] = (vcs_true_task){
        .est_flops = model->est_flops,
        .total = size / e->true_apps[app].speed,
        .speed = e->true_apps[app].speed,
        .checkpoint_interval = model->checkpoint_interval,
        .app = app,
        .place = VCS_NONE,
    };
    if (e->true_candidates[index].total > VCS_MAX_SECONDS) {
        e->true_candidates[index].total = VCS_MAX_SECONDS;
    }
    return VCS_OK;
}

/* ---- How many of them ---- */

static double instances_of(const vcs_job_model *model) {
    return model->gpu != 0 ? model->gpus : model->cpus;
}

/* What a job counts against the instance-seconds that are asked for. */
static double seconds_of(const vcs_emulator *e, uint32_t app) {
    const vcs_job_model *model = &e->models[app];
    const double dcf = vcs_correction_of(e, e->apps[app].project, app);
    double seconds = model->est_flops / e->true_apps[app].speed * (dcf > 0.0 ? dcf : 1.0);
    if (e->emulation.study_rules) {
        return seconds; /* rule 13.4 */
    }
    return seconds * instances_of(model) / e->resources[model->gpu].usable;
}

static int may_send_more(const vcs_emulator *e, uint32_t project, uint32_t jobs) {
    const vcs_true_project *truth = &e->true_projects[project];
    const uint32_t most = e->servers[project].max_in_progress;
    return jobs < e->emulation.max_reply &&
           (most == 0 || (uint64_t)truth->tasks + truth->unreported + jobs < most);
}

/* Makes as many jobs as the request asks for: until the seconds are filled and each idle instance has one. */
static int make_jobs(vcs_emulator *e, uint32_t project, uint32_t resource, const vcs_pair_decision *request,
                     uint32_t *count) {
    double seconds = request->seconds;
    double instances = e->emulation.study_rules ? 0.0 : request->instances;
    int code = VCS_OK;
    *count = 0;
    while (code == VCS_OK && (seconds > 0.0 || instances > 0.0) && may_send_more(e, project, *count)) {
        uint32_t app = choose_app(e, project, resource);
        if (app == VCS_NONE) {
            break;
        }
        code = make_job(e, app, (*count)++);
        seconds -= seconds_of(e, app);
        instances -= instances_of(&e->models[app]);
    }
    return code;
}

/* ---- Which of them ---- */

/* What the server knows of a job: the estimate; for its simulation, the study's program knows the truth (rule 13.6). */
static int show_candidate(vcs_emulator *e, vcs_task *candidate, const vcs_true_task *truth) {
    if (!e->emulation.study_rules || e->parameters.work_send != VCS_WORK_SEND_WS2) {
        return vcs_estimate_task(e, candidate, truth);
    }
    candidate->remaining = truth->total;
    candidate->deadline += e->parameters.min_buffer; /* so that its own limit is the report deadline */
    return VCS_OK;
}

/* The busy time that the client reports (rule 4.4). */
static int find_busy(vcs_emulator *e, uint32_t resource, double *busy) {
    int code = vcs_prepare(e);
    if (code == VCS_OK) {
        code = vcs_edf(e->state, VCS_EDF_MISSED, NULL);
    }
    if (code == VCS_OK) {
        code = vcs_edf_resources(e->state, e->busy, sizeof *e->busy, e->view.resources.count);
    }
    *busy = code == VCS_OK ? e->busy[resource].busy : 0.0;
    return code;
}

/* The host as the server sees it: with the jobs that it might send, and to the study's program always on. */
static vcs_view view_of_server(vcs_emulator *e, uint32_t count) {
    vcs_view view = e->view;
    view.candidates.base = e->candidates;
    view.candidates.count = count;
    for (uint32_t r = 0; r < e->view.resources.count; r++) {
        e->server_resources[r] = e->resources[r];
        if (e->emulation.study_rules) {
            e->server_resources[r].usable = 1.0;
        }
    }
    view.resources.base = e->server_resources;
    return view;
}

/* What a server looks at before it sends. */
typedef struct offer {
    vcs_view view;
    double busy;
    uint32_t resource;
} offer;

/*
 * Rule 9.1: behind what keeps the client busy, the job must be done within its latency bound. The study's program looks
 * at nothing but the size.
 */
static int is_timely(const vcs_emulator *e, const offer *offer, uint32_t candidate) {
    const vcs_task *task = &e->candidates[candidate];
    const vcs_true_task *truth = &e->true_candidates[candidate];
    double run_time = task->remaining / e->resources[offer->resource].usable + offer->busy;
    if (e->emulation.study_rules) {
        run_time = truth->est_flops / truth->speed;
    }
    return run_time <= e->models[task->app].latency_bound;
}

static int is_admitted(vcs_emulator *e, const offer *offer, uint32_t candidate, uint32_t *admitted) {
    vcs_admission admission = {.struct_size = sizeof admission};
    int code;
    if (e->hooks.send != NULL) {
        const vcs_situation situation = vcs_situation_of(e, &offer->view);
        code = vcs_hook_failed(e, e->hooks.send(e->hooks.context, &situation, candidate, &admission), "send");
        *admitted = admission.admitted;
        return code;
    }
    const int by_deadlines = e->parameters.work_send == VCS_WORK_SEND_WS2;
    if (!(by_deadlines && e->emulation.study_rules) && !is_timely(e, offer, candidate)) {
        *admitted = 0;
        return VCS_OK;
    }
    if (!by_deadlines) {
        *admitted = 1;
        return VCS_OK;
    }
    code = vcs_admit(e->state, candidate, &admission);
    *admitted = admission.admitted;
    return code;
}

/* Prepares what the tests of the candidates need. */
static int open_offer(vcs_emulator *e, offer *offer, uint32_t count) {
    int code = VCS_OK;
    const int by_deadlines = e->parameters.work_send == VCS_WORK_SEND_WS2;
    offer->busy = 0.0;
    if (e->hooks.send == NULL && !e->emulation.study_rules) {
        code = find_busy(e, offer->resource, &offer->busy);
    }
    for (uint32_t i = 0; code == VCS_OK && i < count; i++) {
        code = show_candidate(e, &e->candidates[i], &e->true_candidates[i]);
    }
    if (code == VCS_OK && (by_deadlines || e->hooks.send != NULL)) {
        offer->view = view_of_server(e, count);
        code = vcs_prepare_view(e, &offer->view);
    }
    if (code == VCS_OK && e->hooks.send != NULL) {
        code = vcs_wrr(e->state, NULL);
    }
    return code;
}

/* The job joins the tasks of the host. */
static int deliver(vcs_emulator *e, uint32_t candidate) {
    vcs_task *task = &e->candidates[candidate];
    const vcs_true_task *truth = &e->true_candidates[candidate];
    task->deadline = e->clock.now + e->models[task->app].latency_bound;
    e->true_projects[task->project].outcome.received++;
    e->next_task = task->id + 1;
    int code = vcs_tell(e, VCS_EVENT_RECEIVED, task->project, task, VCS_NONE, truth->total * truth->speed);
    return code == VCS_OK ? vcs_add_task(e, candidate) : code;
}

int vcs_send_jobs(vcs_emulator *e, uint32_t project, uint32_t resource, const vcs_pair_decision *request,
                  uint32_t *sent) {
    offer offer = {.resource = resource};
    uint32_t count, admitted = 1;
    *sent = 0;
    int code = make_jobs(e, project, resource, request, &count);
    if (code == VCS_OK && count > 0) {
        code = open_offer(e, &offer, count);
    }
    while (code == VCS_OK && *sent < count) {
        code = is_admitted(e, &offer, *sent, &admitted);
        if (code != VCS_OK || !admitted) {
            break;
        }
        ++*sent;
    }
    e->outcome.refused += !admitted;
    /* Those behind the first that is refused have not been looked at: they are the next ones again. */
    for (uint32_t i = *sent + 1; i < count; i++) {
        e->true_apps[e->candidates[i].app].sizes.draws--;
    }
    e->state = NULL;
    for (uint32_t i = 0; code == VCS_OK && i < *sent; i++) {
        code = deliver(e, i);
    }
    return code;
}
