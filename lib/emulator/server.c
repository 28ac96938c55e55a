/* What the servers do: answer or not, and offer jobs, of which vcs_send() chooses. SPDX-License-Identifier: MIT */
#include "emulator/emulator.h"

#include <string.h>

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
    return !truth->down && network >= e->servers[project].network_failure && file >= e->servers[project].master_failure;
}

/* ---- Jobs ---- */

/* Each job counts as one draw, whatever is drawn for it. */
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
        size = e->sizes[model->first_size + sizes->draws++ % model->size_count];
        break;
    default:
        sizes->draws++;
        break;
    }
    return size > 0.0 ? size : 0.0;
}

static int is_sent(const vcs_emulator *e, uint32_t app, uint32_t project, uint32_t resource) {
    return e->apps[app].project == project && e->models[app].gpu == resource && e->models[app].weight > 0.0;
}

static vcs_true_project_resource *pair_of(const vcs_emulator *e, uint32_t project, uint32_t resource) {
    return &e->true_project_resources[(size_t)project * e->snapshot.resources.count + resource];
}

/* Which application the next job for a resource is of, by weight. The project has one for it. */
static uint32_t choose_app(vcs_emulator *e, uint32_t project, uint32_t resource) {
    double weights = 0.0;
    uint32_t last = VCS_NONE;
    for (uint32_t i = 0; i < e->snapshot.apps.count; i++) {
        if (is_sent(e, i, project, resource)) {
            weights += e->models[i].weight;
            last = i;
        }
    }
    double drawn = vcs_stream_uniform(&pair_of(e, project, resource)->applications) * weights;
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

/* Seconds as libvcsched takes them: what is longer never ends either. */
static double bounded(double seconds) {
    return seconds < VCS_MAX_SECONDS ? seconds : VCS_MAX_SECONDS;
}

/* Makes the next job of an application, as candidate number `index`. */
static void make_job(vcs_emulator *e, uint32_t app, uint32_t index) {
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
        .total = bounded(size / e->true_apps[app].speed),
        .speed = e->true_apps[app].speed,
        .checkpoint_interval = model->checkpoint_interval,
        .app = app,
        .place = VCS_NONE,
    };
}

/* A job that nobody has looked at is the next one again. */
static void take_back(vcs_emulator *e, uint32_t index) {
    const vcs_task *job = &e->candidates[index];
    e->true_apps[job->app].sizes.draws--;
    pair_of(e, job->project, job->gpu)->applications.draws--;
}

/* ---- What is on offer ---- */

static double greater(double a, double b) {
    return a > b ? a : b;
}

/* How many of `size` go into `room`. */
static double times(double room, double size) {
    return !(room > 0.0) ? 0.0 : size > 0.0 ? room / size : VCS_INFINITY;
}

/* What the server takes a job to fill of the instance-seconds that are asked for (rules 9.1, 13.4). */
static double seconds_of(const vcs_emulator *e, uint32_t app) {
    const vcs_job_model *model = &e->models[app];
    const double dcf = vcs_correction_of(e, e->apps[app].project, app);
    const double seconds = model->est_flops / e->true_apps[app].speed * (dcf > 0.0 ? dcf : 1.0);
    if (e->emulation.study_rules) {
        return bounded(seconds);
    }
    return seconds * (model->gpu != 0 ? model->gpus : model->cpus) / e->resources[model->gpu].usable;
}

/* As many jobs as the request can take, if all are the smallest that the project has. */
static uint32_t most_wanted(const vcs_emulator *e, uint32_t project, uint32_t resource) {
    const vcs_send_request *request = &e->requests[resource];
    double most = 0.0;
    for (uint32_t i = 0; i < e->snapshot.apps.count; i++) {
        if (is_sent(e, i, project, resource)) {
            const vcs_job_model *model = &e->models[i];
            most = greater(most, times(request->seconds, seconds_of(e, i)));
            most = greater(most, times(request->instances, resource != 0 ? model->gpus : model->cpus));
        }
    }
    if (!(most > 0.0)) {
        return 0;
    }
    return most < e->emulation.max_reply ? (uint32_t)most + 1 : e->emulation.max_reply;
}

/* Puts so many jobs on offer, those for GPUs first. */
static int make_jobs(vcs_emulator *e, uint32_t project, uint32_t *count) {
    int code = VCS_OK;
    *count = 0;
    for (uint32_t r = e->snapshot.resources.count; code == VCS_OK && r-- > 0;) {
        const uint32_t wanted = most_wanted(e, project, r);
        code = vcs_make_candidates(e, (uint64_t)*count + wanted);
        for (uint32_t i = 0; code == VCS_OK && i < wanted; i++) {
            make_job(e, choose_app(e, project, r), (*count)++);
        }
    }
    return code;
}

/* ---- What the server knows ---- */

/*
 * The estimate. The study's server knows the truth where it tests deadlines, and else nothing but the size (rule 13.6).
 */
static int show_job(vcs_emulator *e, uint32_t index) {
    vcs_task *task = &e->candidates[index];
    const vcs_true_task *truth = &e->true_candidates[index];
    if (!e->emulation.study_rules) {
        return vcs_estimate_task(e, task, truth);
    }
    const int by_deadlines = e->parameters.work_send == VCS_WORK_SEND_WS2;
    task->remaining = by_deadlines ? truth->total : bounded(truth->est_flops / truth->speed);
    return VCS_OK;
}

/* With a function of the caller's, deadlines are for that to look at. */
static int describe_jobs(vcs_emulator *e, uint32_t count) {
    int code = vcs_make_room(&e->hooks, &e->send_job_room, count, sizeof *e->send_jobs);
    if (code == VCS_OK) {
        code = vcs_make_room(&e->hooks, &e->send_decision_room, count, sizeof *e->send_decisions);
    }
    e->send_jobs = e->send_job_room.base;
    e->send_decisions = e->send_decision_room.base;
    for (uint32_t i = 0; code == VCS_OK && i < count; i++) {
        const uint32_t app = e->candidates[i].app;
        e->send_jobs[i] = (vcs_send_job){
            .latency_bound = e->hooks.send != NULL ? VCS_INFINITY : e->models[app].latency_bound,
            .seconds = e->emulation.study_rules ? seconds_of(e, app) : 0.0,
        };
        code = show_job(e, i);
    }
    return code;
}

/* What the client asks for, and how long it is busy with tasks in danger (rule 4.4); the study's does not tell. */
static int take_request(vcs_emulator *e, uint32_t project) {
    const uint32_t resources = e->snapshot.resources.count;
    const vcs_fetch_decision *asked = &e->fetch_decisions[(size_t)project * resources];
    const int tells_more = !e->emulation.study_rules;
    const int is_busy_asked = tells_more && e->hooks.send == NULL;
    int code = is_busy_asked ? vcs_prepare(e) : VCS_OK;
    if (code == VCS_OK && is_busy_asked) {
        code = vcs_edf(e->state, VCS_EDF_MISSED, NULL);
    }
    if (code == VCS_OK && is_busy_asked) {
        code = vcs_edf_resources(e->state, e->busy, sizeof *e->busy, resources);
    }
    for (uint32_t r = 0; r < resources; r++) {
        e->requests[r] = (vcs_send_request){
            .seconds = asked[r].seconds,
            .instances = tells_more ? asked[r].instances : 0.0,
            .busy = is_busy_asked ? e->busy[r].busy : 0.0,
        };
    }
    return code;
}

static vcs_send_limits limits_of(const vcs_emulator *e, uint32_t project) {
    const vcs_true_project *truth = &e->true_projects[project];
    const uint32_t most = e->servers[project].max_in_progress;
    vcs_send_limits limits;
    vcs_send_limits_init(&limits, sizeof limits);
    limits.flags = e->emulation.study_rules ? VCS_SEND_STUDY_RULES : 0;
    limits.max_jobs = e->emulation.max_reply;
    limits.max_in_progress = most != 0 ? most : UINT32_MAX;
    limits.in_progress = truth->tasks + truth->unreported;
    return limits;
}

/* The host as the server sees it: with the jobs on offer, and to the study's server always on. */
static vcs_snapshot view_of_server(vcs_emulator *e, uint32_t count) {
    vcs_snapshot snapshot = e->snapshot;
    snapshot.candidates.base = e->candidates;
    snapshot.candidates.count = count;
    for (uint32_t r = 0; r < e->snapshot.resources.count; r++) {
        e->server_resources[r] = e->resources[r];
        if (e->emulation.study_rules) {
            e->server_resources[r].usable = 1.0;
        }
    }
    snapshot.resources.base = e->server_resources;
    return snapshot;
}

/* ---- The reply ---- */

/* A function of the caller's has the last word on deadlines: the library then does not test them. */
static int prepare_to_send(vcs_emulator *e, const vcs_snapshot *snapshot) {
    if (e->hooks.send == NULL) {
        return vcs_prepare_snapshot(e, snapshot, &e->parameters);
    }
    vcs_parameters policy = e->parameters;
    policy.work_send = VCS_WORK_SEND_WS1;
    return vcs_prepare_snapshot(e, snapshot, &policy);
}

/* Rules 9.1 and 9.2. */
static int decide(vcs_emulator *e, uint32_t project, const vcs_snapshot *snapshot) {
    const uint32_t jobs = snapshot->candidates.count;
    const vcs_send_limits limits = limits_of(e, project);
    vcs_send_summary summary = {.struct_size = sizeof summary};
    int code = prepare_to_send(e, snapshot);
    if (code == VCS_OK) {
        code = vcs_send(e->state, e->requests, sizeof *e->requests, e->snapshot.resources.count, e->send_jobs,
                        sizeof *e->send_jobs, jobs, &limits, e->send_decisions, sizeof *e->send_decisions, jobs,
                        &summary, e->error);
    }
    e->outcome.refused += summary.late;
    return code;
}

/* Of the jobs that would be sent, the caller's function takes off what it will. */
static int ask_caller(vcs_emulator *e, const vcs_snapshot *snapshot) {
    int code = vcs_prepare_snapshot(e, snapshot, &e->parameters);
    if (code == VCS_OK) {
        code = vcs_wrr(e->state, NULL);
    }
    for (uint32_t i = 0; code == VCS_OK && i < snapshot->candidates.count; i++) {
        const vcs_situation situation = vcs_situation_of(e, snapshot);
        vcs_admission admission = {.struct_size = sizeof admission};
        if (!e->send_decisions[i].sent) {
            continue;
        }
        code = vcs_hook_failed(e, e->hooks.send(e->hooks.context, &situation, i, &admission), "send");
        e->send_decisions[i].sent = admission.admitted != 0;
        e->outcome.refused += admission.admitted == 0;
    }
    return code;
}

/* The job joins the tasks of the host. */
static int deliver(vcs_emulator *e, uint32_t candidate) {
    vcs_task *task = &e->candidates[candidate];
    const vcs_true_task *truth = &e->true_candidates[candidate];
    e->true_projects[task->project].outcome.received++;
    e->resource_replies[task->gpu].tasks++;
    e->next_task = task->id + 1;
    int code = vcs_tell(e, VCS_EVENT_RECEIVED, task->project, task, VCS_NONE, truth->total * truth->speed);
    return code == VCS_OK ? vcs_add_task(e, candidate) : code;
}

/* Whether the job was passed over because no more were wanted, or the host may have no more. */
static int was_not_looked_at(uint32_t reason) {
    return reason == VCS_REASON_ENOUGH_SENT || reason == VCS_REASON_REPLY_FULL || reason == VCS_REASON_HOST_LIMIT ||
           reason == VCS_REASON_REPLY_ENDED;
}

int vcs_send_jobs(vcs_emulator *e, uint32_t project) {
    uint32_t count = 0;
    int code = take_request(e, project);
    if (code == VCS_OK) {
        code = make_jobs(e, project, &count);
    }
    if (code != VCS_OK || count == 0) {
        return code;
    }
    const vcs_snapshot snapshot = view_of_server(e, count);
    code = describe_jobs(e, count);
    if (code == VCS_OK) {
        code = decide(e, project, &snapshot);
    }
    if (code == VCS_OK && e->hooks.send != NULL) {
        code = ask_caller(e, &snapshot);
    }
    e->state = NULL;
    for (uint32_t i = 0; code == VCS_OK && i < count; i++) {
        if (e->send_decisions[i].sent) {
            code = deliver(e, i);
        } else if (was_not_looked_at(e->send_decisions[i].reason)) {
            take_back(e, i);
        }
    }
    return code;
}
