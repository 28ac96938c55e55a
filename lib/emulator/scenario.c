/* What is emulated: checked as a whole, then copied. SPDX-License-Identifier: MIT */
#include "emulator/emulator.h"
#include "emulator/field_table.h"

#include <string.h>

#define DAY 86400.0

int vcs_emulation_init(vcs_emulation *emulation, uint32_t size, uint32_t profile) {
    if (emulation == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_check_size(size, sizeof *emulation);
    if (code != VCS_OK || profile >= VCS_PROFILE_COUNT) {
        return code != VCS_OK ? code : VCS_ERR_FLAGS;
    }
    const vcs_emulation filled = {
        .struct_size = size,
        .seed = 1,
        .duration = 100 * DAY,
        .available = 1.0,
        .study_rules = profile == VCS_PROFILE_STUDY2007,
        .max_reply = 1000,
    };
    vcs_hand_out(emulation, size, &filled, sizeof filled);
    return VCS_OK;
}

/* ---- Checks ---- */

static int check_array(const vcs_array *array, uint32_t size, uint32_t type, const char *name, vcs_error *error) {
    if (array->count == 0) {
        return VCS_OK;
    }
    int code = array->base == NULL ? VCS_ERR_NULL : vcs_check_size(array->element_size, size);
    if (code == VCS_OK && !vcs_is_aligned(array->base)) {
        code = VCS_ERR_ABI_SIZE;
    }
    if (code == VCS_OK && (uint64_t)array->count * array->element_size > SIZE_MAX) {
        code = VCS_ERR_OVERFLOW;
    }
    return code == VCS_OK ? VCS_OK : vcs_emulator_fail(error, code, type, 0, "", name);
}

static const void *element(const vcs_array *array, uint32_t index) {
    return (const unsigned char *)array->base + (size_t)index * array->element_size;
}

/* Takes over one record of this library, checked field by field. */
static int take_record(void *known, const vcs_array *array, uint32_t index, uint32_t type, vcs_error *error) {
    if (vcs_take_struct(known, vcs_emulator_struct_size(type), element(array, index), array->element_size) != VCS_OK) {
        return vcs_emulator_fail(error, VCS_ERR_ABI_NEWER, type, index, "",
                                 "has bytes set that this version of the library does not know");
    }
    return vcs_emulator_check_fields(type, known, index, error);
}

static int check_emulation(const vcs_emulation *emulation, vcs_error *error) {
    if (emulation->available < 1.0 && emulation->available_mean < 1e-3) {
        return vcs_emulator_fail(error, VCS_ERR_RANGE, VCS_TYPE_EMULATION, 0, "available_mean",
                                 "is too small for a host that is switched off now and then");
    }
    return VCS_OK;
}

static int check_model(const vcs_scenario *scenario, const vcs_job_model *model, uint32_t index, vcs_error *error) {
    if (model->gpu >= scenario->snapshot.resources.count) {
        return vcs_emulator_fail(error, VCS_ERR_INDEX, VCS_TYPE_JOB_MODEL, index, "gpu", "is no resource");
    }
    if ((model->gpu == 0) != (model->gpus == 0.0)) {
        return vcs_emulator_fail(error, VCS_ERR_RANGE, VCS_TYPE_JOB_MODEL, index, "gpus",
                                 model->gpu == 0 ? "is not 0, but no GPU type is named"
                                                 : "is 0, but a GPU type is named");
    }
    if (model->distribution == VCS_SIZES_LIST &&
        (model->size_count == 0 || (uint64_t)model->first_size + model->size_count > scenario->sizes.count)) {
        return vcs_emulator_fail(error, VCS_ERR_INDEX, VCS_TYPE_JOB_MODEL, index, "size_count",
                                 "names sizes that are not in the list");
    }
    return VCS_OK;
}

static int check_server(const vcs_server_model *server, uint32_t index, vcs_error *error) {
    if (server->up_mean > 0.0 && (server->up_mean < 1e-3 || server->down_mean < 1e-3)) {
        return vcs_emulator_fail(error, VCS_ERR_RANGE, VCS_TYPE_SERVER_MODEL, index,
                                 server->up_mean < 1e-3 ? "up_mean" : "down_mean", "is too small");
    }
    return VCS_OK;
}

static int check_numbers(const vcs_scenario *scenario, vcs_error *error) {
    double last = 0.0;
    for (uint32_t i = 0; i < scenario->sizes.count; i++) {
        double size = *(const double *)element(&scenario->sizes, i);
        if (!(size >= 0.0 && size <= 1e30)) {
            return vcs_emulator_fail(error, size == size ? VCS_ERR_RANGE : VCS_ERR_NOT_FINITE, VCS_TYPE_NONE, i,
                                     "sizes", "must be from 0 to 1e30");
        }
    }
    for (uint32_t i = 0; i < scenario->switches.count; i++) {
        double at = *(const double *)element(&scenario->switches, i);
        if (!(at >= last && at <= VCS_MAX_SECONDS)) {
            return vcs_emulator_fail(error, at == at ? VCS_ERR_RANGE : VCS_ERR_NOT_FINITE, VCS_TYPE_NONE, i, "switches",
                                     "must be in ascending order, from 0 to 1e12");
        }
        last = at;
    }
    return VCS_OK;
}

static int check_counts(const vcs_scenario *scenario, vcs_error *error) {
    const char *field = NULL;
    if (scenario->emulation.count != 1) {
        field = "emulation";
    } else if (scenario->models.count != scenario->snapshot.apps.count) {
        field = "models";
    } else if (scenario->servers.count != 0 && scenario->servers.count != scenario->snapshot.projects.count) {
        field = "servers";
    } else if (scenario->snapshot.candidates.count != 0) {
        field = "candidates";
    }
    return field == NULL ? VCS_OK
                         : vcs_emulator_fail(error, VCS_ERR_COUNT, VCS_TYPE_NONE, 0, field,
                                             "has not as many elements as the scenario needs");
}

static int check_scenario(const vcs_scenario *scenario, vcs_error *error) {
    int code = check_counts(scenario, error);
    if (code == VCS_OK) {
        code = check_array(&scenario->emulation, sizeof(vcs_emulation), VCS_TYPE_EMULATION, "is no array", error);
    }
    if (code == VCS_OK) {
        code = check_array(&scenario->models, sizeof(vcs_job_model), VCS_TYPE_JOB_MODEL, "is no array", error);
    }
    if (code == VCS_OK) {
        code = check_array(&scenario->servers, sizeof(vcs_server_model), VCS_TYPE_SERVER_MODEL, "is no array", error);
    }
    if (code == VCS_OK) {
        code = check_array(&scenario->sizes, sizeof(double), VCS_TYPE_NONE, "sizes is no array of numbers", error);
    }
    if (code == VCS_OK) {
        code =
            check_array(&scenario->switches, sizeof(double), VCS_TYPE_NONE, "switches is no array of numbers", error);
    }
    return code == VCS_OK ? check_numbers(scenario, error) : code;
}

/* ---- Memory of what does not grow ---- */

/* Hands out pieces of one block of memory; without memory it only measures. */
typedef struct carver {
    unsigned char *base;
    uint64_t used;
} carver;

static void *carve(carver *block, uint64_t count, size_t size) {
    void *piece = block->base == NULL ? NULL : block->base + block->used;
    block->used += (count * size + 15) / 16 * 16;
    return piece;
}

typedef struct fixed_parts {
    vcs_job_model *models;
    vcs_server_model *servers;
    double *sizes, *switches;
} fixed_parts;

static void lay_out(vcs_emulator *e, fixed_parts *parts, const vcs_scenario *scenario, carver *block) {
    const uint64_t projects = scenario->snapshot.projects.count;
    const uint64_t resources = scenario->snapshot.resources.count;
    const uint64_t apps = scenario->snapshot.apps.count;
    e->resources = carve(block, resources, sizeof *e->resources);
    e->projects = carve(block, projects, sizeof *e->projects);
    e->project_resources = carve(block, projects * resources, sizeof *e->project_resources);
    e->apps = carve(block, apps, sizeof *e->apps);
    e->true_projects = carve(block, projects, sizeof *e->true_projects);
    e->true_project_resources = carve(block, projects * resources, sizeof *e->true_project_resources);
    e->true_apps = carve(block, apps, sizeof *e->true_apps);
    e->debts = carve(block, projects, sizeof *e->debts);
    e->debt_order = carve(block, projects, sizeof *e->debt_order);
    e->usable = carve(block, resources, sizeof *e->usable);
    e->scheduled = carve(block, resources, sizeof *e->scheduled);
    e->ran = carve(block, resources, sizeof *e->ran);
    e->tracks = carve(block, resources, sizeof *e->tracks);
    e->fetch_decisions = carve(block, projects * resources, sizeof *e->fetch_decisions);
    e->resource_replies = carve(block, resources, sizeof *e->resource_replies);
    e->backoffs = carve(block, resources, sizeof *e->backoffs);
    e->forecasts = carve(block, resources, sizeof *e->forecasts);
    e->busy = carve(block, resources, sizeof *e->busy);
    e->requests = carve(block, resources, sizeof *e->requests);
    e->server_resources = carve(block, resources, sizeof *e->server_resources);
    parts->models = carve(block, apps, sizeof *parts->models);
    parts->servers = carve(block, projects, sizeof *parts->servers);
    parts->sizes = carve(block, scenario->sizes.count, sizeof *parts->sizes);
    parts->switches = carve(block, scenario->switches.count, sizeof *parts->switches);
}

static int allocate(vcs_emulator *e, fixed_parts *parts, const vcs_scenario *scenario) {
    carver block = {NULL, 0};
    lay_out(e, parts, scenario, &block);
    int code = vcs_make_room(&e->hooks, &e->fixed_room, block.used, 1);
    if (code == VCS_OK) {
        block = (carver){e->fixed_room.base, 0};
        lay_out(e, parts, scenario, &block);
    }
    return code;
}

/* ---- Copies ---- */

/* The records of libvcsched have been checked by then: bytes beyond those known are 0. */
static void copy_records(void *to, const vcs_array *array, size_t size) {
    for (uint32_t i = 0; i < array->count; i++) {
        memcpy((unsigned char *)to + i * size, element(array, i), size);
    }
}

static void copy_pairs(vcs_emulator *e, const vcs_array *project_resources) {
    const uint32_t resources = e->snapshot.resources.count;
    for (uint32_t p = 0; p < e->snapshot.projects.count; p++) {
        for (uint32_t r = 0; r < resources; r++) {
            vcs_project_resource *pair = &e->project_resources[(size_t)p * resources + r];
            pair->project = p;
            pair->resource = r;
        }
    }
    for (uint32_t i = 0; i < project_resources->count; i++) {
        const vcs_project_resource *from = element(project_resources, i);
        e->project_resources[(size_t)from->project * resources + from->resource] = *from;
    }
}

static vcs_array array_of(const void *base, size_t size, uint32_t count) {
    vcs_array array;
    memset(&array, 0, sizeof array);
    array.base = base;
    array.element_size = (uint32_t)size;
    array.count = count;
    return array;
}

static void copy_view(vcs_emulator *e, const vcs_snapshot *snapshot) {
    e->snapshot.struct_size = sizeof e->snapshot;
    memcpy(&e->host, snapshot->host.base, sizeof e->host);
    e->snapshot.host = array_of(&e->host, sizeof e->host, 1);
    e->snapshot.resources = array_of(e->resources, sizeof *e->resources, snapshot->resources.count);
    e->snapshot.projects = array_of(e->projects, sizeof *e->projects, snapshot->projects.count);
    e->snapshot.project_resources = array_of(e->project_resources, sizeof *e->project_resources,
                                             snapshot->projects.count * snapshot->resources.count);
    e->snapshot.apps = array_of(e->apps, sizeof *e->apps, snapshot->apps.count);
    e->snapshot.tasks = array_of(NULL, sizeof *e->tasks, 0);
    e->snapshot.candidates = array_of(NULL, sizeof *e->candidates, 0);
    copy_records(e->resources, &snapshot->resources, sizeof *e->resources);
    copy_records(e->projects, &snapshot->projects, sizeof *e->projects);
    copy_records(e->apps, &snapshot->apps, sizeof *e->apps);
    copy_pairs(e, &snapshot->project_resources);
}

static int copy_models(vcs_emulator *e, const fixed_parts *parts, const vcs_scenario *scenario) {
    int code = VCS_OK;
    for (uint32_t i = 0; code == VCS_OK && i < scenario->models.count; i++) {
        code = take_record(&parts->models[i], &scenario->models, i, VCS_TYPE_JOB_MODEL, e->error);
        if (code == VCS_OK) {
            code = check_model(scenario, &parts->models[i], i, e->error);
        }
    }
    for (uint32_t i = 0; code == VCS_OK && i < scenario->servers.count; i++) {
        code = take_record(&parts->servers[i], &scenario->servers, i, VCS_TYPE_SERVER_MODEL, e->error);
        if (code == VCS_OK) {
            code = check_server(&parts->servers[i], i, e->error);
        }
    }
    for (uint32_t i = 0; i < scenario->sizes.count; i++) {
        parts->sizes[i] = *(const double *)element(&scenario->sizes, i);
    }
    for (uint32_t i = 0; i < scenario->switches.count; i++) {
        parts->switches[i] = *(const double *)element(&scenario->switches, i);
    }
    e->models = parts->models;
    e->servers = parts->servers;
    e->sizes = parts->sizes;
    e->switches = parts->switches;
    e->switch_count = scenario->switches.count;
    return code;
}

/* ---- The beginning ---- */

/* Operations per device second on all that a task uses; one that uses nothing passes at the speed of a CPU. */
double vcs_speed_of(const vcs_emulator *e, double cpus, uint32_t gpu, double gpus) {
    double speed = cpus * e->resources[0].flops + (gpu != 0 ? gpus * e->resources[gpu].flops : 0.0);
    return speed > 0.0 ? speed : e->resources[0].flops;
}

static void begin_project(vcs_emulator *e, uint32_t index) {
    vcs_project *project = &e->projects[index];
    vcs_true_project *truth = &e->true_projects[index];
    const uint64_t seed = e->emulation.seed;
    const double start = e->emulation.start;
    truth->outcome.id = project->id;
    truth->rpc.id = project->id;
    truth->rpc.scheduler_urls = 1;
    truth->rpc.timer.min_rpc_time = project->min_rpc_time;
    truth->rpc.timer.seen = start;
    truth->rpc.timer.failures = project->rpc_failures;
    truth->rec.value = project->rec;
    truth->rec.time = start;
    truth->cpu_time.value = project->exp_avg_cpu;
    truth->cpu_time.time = start;
    if (e->emulation.study_rules && project->dcf == 0.0) {
        project->dcf = 1.0; /* what the study's program starts with */
    }
    truth->correction.dcf = project->dcf;
    e->debts[index].id = project->id;
    e->debts[index].share = project->share;
    e->debts[index].short_term = project->short_term_debt;
    e->debts[index].long_term = project->long_term_debt;
    truth->spells = vcs_stream_open(seed, VCS_DRAW_SERVER, index);
    truth->scheduler_failures = vcs_stream_open(seed, VCS_DRAW_SCHEDULER_FAILURE, index);
    truth->network_failures = vcs_stream_open(seed, VCS_DRAW_NETWORK_FAILURE, index);
    truth->master_failures = vcs_stream_open(seed, VCS_DRAW_MASTER_FAILURE, index);
    truth->backoffs = vcs_stream_open(seed, VCS_DRAW_BACKOFF, index);
    truth->spell_end = VCS_INFINITY;
    if (e->servers[index].up_mean > 0.0) {
        truth->spell_end = start + vcs_stream_exponential(&truth->spells, e->servers[index].up_mean);
    }
    for (uint32_t r = 0; r < e->snapshot.resources.count; r++) {
        size_t at = (size_t)index * e->snapshot.resources.count + r;
        e->true_project_resources[at].rec.value = e->project_resources[at].rec;
        e->true_project_resources[at].rec.time = start;
        e->true_project_resources[at].backoff.interval = e->project_resources[at].backoff_interval;
        e->true_project_resources[at].backoff.until = e->project_resources[at].backoff_until;
        e->true_project_resources[at].backoff.seen = start;
        e->true_project_resources[at].backoffs = vcs_stream_open(seed, VCS_DRAW_PAIR_BACKOFF, at);
        e->true_project_resources[at].applications = vcs_stream_open(seed, VCS_DRAW_APPLICATION, at);
    }
}

static void begin_app(vcs_emulator *e, uint32_t index) {
    vcs_true_app *truth = &e->true_apps[index];
    const vcs_job_model *model = &e->models[index];
    truth->sizes = vcs_stream_open(e->emulation.seed, VCS_DRAW_JOB_SIZE, index);
    truth->correction.dcf = e->apps[index].dcf;
    truth->speed = vcs_speed_of(e, model->cpus, model->gpu, model->gpus);
}

/* The tasks that the host has from the start; none of them runs yet. */
static int begin_tasks(vcs_emulator *e, const vcs_array *tasks) {
    int code = VCS_OK;
    if (tasks->count > 0) {
        code = vcs_make_candidates(e, tasks->count);
    }
    if (code != VCS_OK) {
        return code;
    }
    copy_records(e->candidates, tasks, sizeof *e->candidates);
    for (uint32_t i = 0; i < tasks->count && code == VCS_OK; i++) {
        vcs_task *task = &e->candidates[i];
        vcs_true_task *truth = &e->true_candidates[i];
        memset(truth, 0, sizeof *truth);
        truth->app = VCS_NONE;
        truth->speed = vcs_speed_of(e, task->cpus, task->gpu, task->gpus);
        truth->total = task->remaining;
        truth->est_flops = task->remaining * truth->speed;
        task->flags &= ~VCS_TASK_RUNNING;
        task->since_checkpoint = 0.0; /* it starts from its checkpoint */
        e->next_task = task->id >= e->next_task && task->id < UINT64_MAX ? task->id + 1 : e->next_task;
        code = vcs_add_task(e, i);
    }
    return code;
}

/* Which accounts are looked at; a function of the caller's may look at any. */
static uint32_t accounts_kept(const vcs_emulator *e) {
    const vcs_parameters *parameters = &e->parameters;
    if (e->hooks.schedule != NULL || e->hooks.fetch != NULL) {
        return VCS_KEEP_REC | VCS_KEEP_CPU_TIME | VCS_KEEP_DEBTS;
    }
    uint32_t kept = 0;
    if (parameters->ranking == VCS_RANK_PRIORITY || parameters->discipline == VCS_DISCIPLINE_SLICED) {
        kept |= VCS_KEEP_REC;
    }
    if (parameters->ranking == VCS_RANK_RESOURCE_DEBT) {
        kept |= VCS_KEEP_CPU_TIME;
    }
    if (parameters->ranking == VCS_RANK_DEBT || parameters->work_fetch == VCS_WORK_FETCH_WF1 ||
        parameters->work_fetch == VCS_WORK_FETCH_WF2) {
        kept |= VCS_KEEP_DEBTS;
    }
    return kept;
}

static void begin(vcs_emulator *e) {
    vcs_clock_start(e);
    for (uint32_t i = 0; i < e->snapshot.projects.count; i++) {
        begin_project(e, i);
    }
    for (uint32_t i = 0; i < e->snapshot.apps.count; i++) {
        begin_app(e, i);
    }
    for (uint32_t i = 0; i < e->snapshot.resources.count; i++) {
        e->usable[i].fraction = e->parameters.learn_usable ? 1.0 : e->resources[i].usable;
        e->resources[i].usable = e->usable[i].fraction;
    }
    e->keeps = accounts_kept(e);
    e->settled = e->clock.now;
    e->accounted_now = e->clock.now;
    e->schedule_at = e->clock.now;
    e->fetch_at = e->clock.now;
    e->report_at = VCS_INFINITY;
    e->connected = -VCS_INFINITY;
    e->next_finish = VCS_INFINITY;
}

/* ---- The interface ---- */

/* libvcsched checks its own records: a state is prepared from them, and dropped. */
static int check_view(vcs_emulator *e, const vcs_snapshot *snapshot, const vcs_parameters *parameters) {
    size_t bytes;
    vcs_state *state;
    int code = vcs_state_size(snapshot, &bytes);
    if (code != VCS_OK) {
        return vcs_emulator_fail(e->error, code, VCS_TYPE_NONE, 0, "snapshot", vcs_strerror(code));
    }
    code = vcs_make_room(&e->hooks, &e->work, bytes, 1);
    return code != VCS_OK ? code
                          : vcs_state_prepare(snapshot, parameters, e->emulation.start, e->work.base, e->work.size,
                                              &state, e->error);
}

/* What cannot be simulated by the chosen discipline would be found out only when the first job arrives. */
static int check_discipline(const vcs_emulator *e) {
    if (e->parameters.discipline != VCS_DISCIPLINE_FLUID) {
        return VCS_OK;
    }
    for (uint32_t i = 0; i < e->snapshot.apps.count; i++) {
        if (e->models[i].gpu != 0 || e->models[i].cpus != 1.0) {
            return vcs_emulator_fail(e->error, VCS_ERR_UNSUPPORTED, VCS_TYPE_JOB_MODEL, i, "cpus",
                                     "must be 1, and no GPU, in the fluid discipline");
        }
    }
    return VCS_OK;
}

static int take_scenario(vcs_emulator *e, const vcs_scenario *scenario, const vcs_parameters *parameters) {
    fixed_parts parts;
    int code = check_scenario(scenario, e->error);
    if (code == VCS_OK) {
        code = take_record(&e->emulation, &scenario->emulation, 0, VCS_TYPE_EMULATION, e->error);
    }
    if (code == VCS_OK) {
        code = check_emulation(&e->emulation, e->error);
    }
    if (code == VCS_OK) {
        code = check_view(e, &scenario->snapshot, parameters);
    }
    if (code == VCS_OK) {
        code = allocate(e, &parts, scenario);
    }
    if (code == VCS_OK) {
        copy_view(e, &scenario->snapshot);
        code = copy_models(e, &parts, scenario);
    }
    return code;
}

/* Parameters of any age: what they do not hold is taken from their profile. */
static void take_parameters(vcs_parameters *known, const vcs_parameters *callers) {
    vcs_parameters_init(known, sizeof *known, callers->profile);
    for (uint32_t i = 0; i < vcs_parameter_count(); i++) {
        double value;
        if (vcs_parameter_get(callers, i, &value) == VCS_OK) {
            vcs_parameter_set(known, i, value);
        }
    }
}

int vcs_emulator_open(vcs_emulator *e, const vcs_scenario *scenario, const vcs_parameters *parameters,
                      const vcs_hooks *hooks, vcs_error *error) {
    memset(e, 0, sizeof *e);
    e->error = error;
    if (hooks != NULL) {
        e->hooks = *hooks;
    }
    int code = take_scenario(e, scenario, parameters);
    if (code == VCS_OK) {
        take_parameters(&e->parameters, parameters);
        code = check_discipline(e);
    }
    if (code == VCS_OK) {
        begin(e);
        code = begin_tasks(e, &scenario->snapshot.tasks);
    }
    if (code != VCS_OK) {
        vcs_emulator_close(e);
    }
    return code;
}

void vcs_emulator_close(vcs_emulator *e) {
    for (uint32_t i = 0; e->tracks != NULL && i < e->snapshot.resources.count; i++) {
        vcs_release_room(&e->hooks, &e->tracks[i]);
    }
    vcs_room *rooms[] = {
        &e->task_room,          &e->candidate_room,  &e->true_task_room, &e->true_candidate_room,
        &e->task_decision_room, &e->send_job_room,   &e->running_room,   &e->send_decision_room,
        &e->fixed_room,         &e->unreported_room, &e->work,           &e->chosen_room,
        &e->switching_room,
    };
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        vcs_release_room(&e->hooks, rooms[i]);
    }
}
