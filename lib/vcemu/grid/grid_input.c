/*
 * What the caller describes, checked and copied: the terms, the projects, and the classes of hosts.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/grid/grid_input.h"
#include "vcemu/grid/grid_server.h"
#include "vcemu/grid/host_class.h"
#include "vcemu/host/memory.h"
#include "vcsched/interface/check/check.h"
#include "vcemu/interface/grid_fields.h"

/* Sizes in the first release: pointers are of the machine's size. */
#define POINTERS(count) ((count) * (uint32_t)sizeof(void *))
#define FIRST_GRID 56u
#define FIRST_CLASS (8u + POINTERS(4u) + 48u)
#define FIRST_HOOKS (8u + POINTERS(8u))
#define FIRST_RESULTS (8u + POINTERS(6u) + 24u)
_Static_assert(FIRST_GRID <= sizeof(vcs_grid) && FIRST_CLASS <= sizeof(vcs_host_class) &&
                   FIRST_HOOKS <= sizeof(vcs_grid_hooks) && FIRST_RESULTS <= sizeof(vcs_grid_results),
               "structs only grow");

/* Only the first failure is described. */
static void fail(vcs_grid_world *w, int code, uint64_t index, const char *what, const char *why) {
    if (!vcs_grid_has_failed(w)) {
        vcs_emu_fail(&w->ground, code, index, what, why);
    }
}

static void refuse(vcs_grid_world *w, int code, const vcs_layout *layout, uint64_t index, uint32_t offset,
                   const char *why) {
    if (!vcs_grid_has_failed(w)) {
        vcs_emu_note(&w->ground, vcs_fail(w->ground.error, code, layout, index, offset, why));
    }
}

/* Checks an array, which must have exactly `count` elements. */
static void check_array(vcs_grid_world *w, const vcs_array *array, const vcs_layout *layout, uint32_t count,
                        const char *name) {
    if (array->count != count) {
        fail(w, VCS_ERR_COUNT, 0, name, "has the wrong number of elements");
        return;
    }
    const int code = vcs_check_array(array, layout, NULL);
    if (code != VCS_OK) {
        fail(w, code, 0, name, "is not a valid array");
    }
}

/* ---- Projects ---- */

/* Some checks belong to one kind of dispatch. */
static void check_project(vcs_grid_world *w, const vcs_grid_project *p, uint32_t index) {
    const bool by_reply = p->dispatch == VCS_GRID_BY_REPLY;
    if (p->min_quorum > p->target_nresults || p->target_nresults > p->max_total) {
        refuse(w, VCS_ERR_RANGE, &vcs_grid_project_layout, index, VCS_FIELD(vcs_grid_project, target_nresults),
               "must be from min_quorum to max_total");
    }
    if (p->max_total > VCS_GRID_MOST_COPIES) {
        refuse(w, VCS_ERR_RANGE, &vcs_grid_project_layout, index, VCS_FIELD(vcs_grid_project, max_total),
               "must be at most 4,096");
    }
    if (p->distribution == VCS_SIZES_LIST) {
        refuse(w, VCS_ERR_FLAGS, &vcs_grid_project_layout, index, VCS_FIELD(vcs_grid_project, distribution),
               "cannot be a list: a grid has no list of sizes");
    }
    const bool needs_reply = p->verification == VCS_GRID_CHECK_INVERSE || p->verification == VCS_GRID_CHECK_CREDIBILITY;
    if (needs_reply && !by_reply) {
        refuse(w, VCS_ERR_UNSUPPORTED, &vcs_grid_project_layout, index, VCS_FIELD(vcs_grid_project, verification),
               "of this kind needs dispatch by reply");
    }
    if (p->verification == VCS_GRID_CHECK_ADAPTIVE && by_reply) {
        refuse(w, VCS_ERR_UNSUPPORTED, &vcs_grid_project_layout, index, VCS_FIELD(vcs_grid_project, verification),
               "of this kind needs dispatch by deadline");
    }
    if (p->min_quorum > 1 && by_reply) {
        refuse(w, VCS_ERR_UNSUPPORTED, &vcs_grid_project_layout, index, VCS_FIELD(vcs_grid_project, min_quorum),
               "needs dispatch by deadline; by reply, verification by recomputation makes copies");
    }
    if (p->min_quorum > 1 && p->verification == VCS_GRID_CHECK_RECOMPUTATION) {
        refuse(w, VCS_ERR_UNSUPPORTED, &vcs_grid_project_layout, index, VCS_FIELD(vcs_grid_project, min_quorum),
               "must be 1 with verification by recomputation, which draws how many copies must agree");
    }
    if (p->dead_factor <= p->wait_factor) {
        refuse(w, VCS_ERR_RANGE, &vcs_grid_project_layout, index, VCS_FIELD(vcs_grid_project, dead_factor),
               "must be greater than wait_factor");
    }
}

static void read_projects(vcs_grid_world *w, const vcs_array *array) {
    check_array(w, array, &vcs_grid_project_layout, array->count, "projects");
    w->server_count = array->count;
    w->servers = vcs_emu_allocate(&w->ground, (uint64_t)array->count * sizeof *w->servers);
    for (uint32_t i = 0; i < array->count && !vcs_grid_has_failed(w); i++) {
        vcs_grid_project *project = &w->servers[i].project;
        vcs_emu_note(&w->ground, vcs_copy_record(project, array, i, &vcs_grid_project_layout, w->ground.error));
        check_project(w, project, i);
    }
}

/* ---- Classes ---- */

static void read_rows(vcs_grid_world *w, vcs_grid_class *c, const vcs_array *array) {
    double sum = 0.0;
    check_array(w, array, &vcs_host_row_layout, array->count, "rows");
    c->row_count = array->count;
    c->rows = vcs_emu_allocate(&w->ground, (uint64_t)array->count * sizeof *c->rows);
    c->weights = vcs_emu_allocate(&w->ground, (uint64_t)array->count * sizeof *c->weights);
    for (uint32_t i = 0; i < array->count && !vcs_grid_has_failed(w); i++) {
        vcs_emu_note(&w->ground, vcs_copy_record(&c->rows[i], array, i, &vcs_host_row_layout, w->ground.error));
        sum += c->rows[i].weight;
        c->weights[i] = sum;
    }
    if (array->count > 0 && !(sum > 0.0)) {
        fail(w, VCS_ERR_RANGE, 0, "rows", "have no weight");
    }
}

static bool is_among(const uint32_t *numbers, uint32_t count, uint32_t number) {
    for (uint32_t i = 0; i < count; i++) {
        if (numbers[i] == number) {
            return true;
        }
    }
    return false;
}

static void read_attachments(vcs_grid_world *w, vcs_grid_class *c, const vcs_array *array) {
    const uint32_t count = c->sample.records.project_count;
    if (array->count != count || (count > 0 && (array->base == NULL || array->element_size != sizeof(uint32_t)))) {
        fail(w, VCS_ERR_COUNT, 0, "projects", "of a class must be a uint32_t for each project of its scenario");
        return;
    }
    c->projects = vcs_emu_allocate(&w->ground, (uint64_t)count * sizeof *c->projects);
    for (uint32_t i = 0; i < count && !vcs_grid_has_failed(w); i++) {
        memcpy(&c->projects[i], (const unsigned char *)array->base + (size_t)i * sizeof(uint32_t), sizeof(uint32_t));
        if (c->projects[i] >= w->server_count || is_among(c->projects, i, c->projects[i])) {
            fail(w, VCS_ERR_INDEX, i, "projects", "of a class must be projects of the grid, each one once");
        }
    }
}

/* The units of the grid's projects replace the jobs of the scenario. */
static void read_units(vcs_grid_world *w, vcs_grid_class *c) {
    const vcs_emu_records *records = &c->sample.records;
    for (uint32_t i = 0; i < records->app_count && !vcs_grid_has_failed(w); i++) {
        const vcs_grid_project *project = &w->servers[c->projects[records->apps[i].project]].project;
        vcs_job_model *model = &c->sample.setup.models[i];
        model->latency_bound = project->delay_bound;
        model->est_flops = project->est_flops;
        model->mean_flops = project->mean_flops;
        model->sd_flops = project->sd_flops;
        model->distribution = VCS_SIZES_CONSTANT;
    }
}

/* Reads the scenario and the functions of a class, as vcs_emulate() does. */
static void read_host(vcs_grid_world *w, uint32_t index, vcs_scenario *scenario, const vcs_host_class *callers) {
    vcs_grid_class *c = &w->classes[index];
    int code = vcs_emu_read_scenario(scenario, callers->scenario);
    if (code == VCS_OK && callers->hooks != NULL) {
        code = vcs_emu_read_hooks(&c->hooks, callers->hooks);
    }
    if (code == VCS_OK && (scenario->flags != 0 || c->hooks.flags != 0)) {
        code = VCS_ERR_FLAGS;
    }
    if (code != VCS_OK) {
        fail(w, code, index, "classes", "have a scenario or hooks of a size or form that this library does not know");
    } else if (scenario->snapshot.tasks.count > 0) {
        fail(w, VCS_ERR_UNSUPPORTED, 0, "tasks", "of a class of hosts must be empty at the start");
    }
    c->hooks.observe = NULL;
    c->sample.emulator.memory = w->ground.memory;
}

/* The spells that the sample begins with are a guess: each host of its class learns its own. */
static void forget_spells(vcs_grid_class *c) {
    if (c->sample.accounts.has_spells) {
        c->sample.records.host.on_spell = c->sample.records.host.off_spell = 0.0;
    }
}

static void read_class(vcs_grid_world *w, uint32_t index, const vcs_host_class *callers) {
    vcs_grid_class *c = &w->classes[index];
    vcs_scenario scenario;
    check_array(w, &callers->model, &vcs_host_model_layout, 1, "model");
    if (callers->scenario == NULL || callers->parameters == NULL) {
        fail(w, VCS_ERR_NULL, index, "classes", "have no scenario or no parameters");
    }
    if (vcs_grid_has_failed(w)) {
        return;
    }
    vcs_emu_note(&w->ground, vcs_copy_record(&c->model, &callers->model, 0, &vcs_host_model_layout, w->ground.error));
    if (!vcs_grid_has_failed(w)) {
        read_host(w, index, &scenario, callers);
    }
    if (vcs_grid_has_failed(w)) {
        return;
    }
    c->sample.emulator.error = w->ground.error;
    vcs_emu_join(&c->sample, &w->ground, &w->workspace);
    c->sample.setup.hooks = c->hooks;
    vcs_emu_open(&c->sample, &scenario, callers->parameters);
    vcs_emu_note(&w->ground, c->sample.emulator.code);
    c->parameters = c->sample.setup.parameters;
    if (!vcs_grid_has_failed(w)) {
        forget_spells(c);
        read_attachments(w, c, &callers->projects);
        read_units(w, c);
        read_rows(w, c, &callers->rows);
        c->resources = vcs_emu_allocate(&w->ground, (uint64_t)c->sample.records.resource_count * sizeof *c->resources);
    }
}

static int read_element(vcs_host_class *known, const vcs_array *array, uint32_t index) {
    const vcs_host_class *element = vcs_element(array, index);
    int code = vcs_check_size(FIRST_CLASS, element->struct_size);
    if (code == VCS_OK && element->struct_size > array->element_size) {
        code = VCS_ERR_ABI_SIZE;
    }
    code = code == VCS_OK ? vcs_copy_struct(known, sizeof *known, element, element->struct_size) : code;
    return code == VCS_OK && (known->flags != 0 || known->reserved0 != NULL) ? VCS_ERR_FLAGS : code;
}

void vcs_grid_name_class(const vcs_grid_world *w, uint32_t index, vcs_error *error) {
    vcs_error before, after;
    vcs_number_text number;
    if (!vcs_grid_has_failed(w) || w->ground.code == VCS_ERR_MEMORY || error == NULL) {
        return;
    }
    vcs_copy_struct(&before, sizeof before, error, error->struct_size);
    after = before;
    memset(after.message, 0, sizeof after.message);
    const char *const texts[] = {"class", vcs_number_after_space(&number, index), ": ", before.message};
    vcs_join_texts(after.message, sizeof after.message, texts, sizeof texts / sizeof *texts);
    vcs_hand_out(error, error->struct_size, &after, sizeof after);
}

static void read_classes(vcs_grid_world *w, const vcs_array *array) {
    uint64_t hosts = 0;
    int code = VCS_OK;
    if (array->count > 0) { /* classes hold pointers, so no table describes them: each states its own size */
        code = array->base == NULL ? VCS_ERR_NULL : vcs_check_size(FIRST_CLASS, array->element_size);
        code = code == VCS_OK && !vcs_is_aligned(array->base) ? VCS_ERR_ABI_SIZE : code;
    }
    if (code != VCS_OK) {
        fail(w, code, 0, "classes", "is not a valid array of classes");
        return;
    }
    w->class_count = array->count;
    w->classes = vcs_emu_allocate(&w->ground, (uint64_t)array->count * sizeof *w->classes);
    for (uint32_t i = 0; i < array->count && !vcs_grid_has_failed(w); i++) {
        vcs_error *error = w->ground.error;
        vcs_host_class callers = {0};
        code = read_element(&callers, array, i);
        if (code != VCS_OK) {
            fail(w, code, i, "classes", "have a size, fields or flags that this version of the library does not know");
        } else {
            read_class(w, i, &callers);
        }
        vcs_grid_name_class(w, i, error);
        const uint64_t count = w->classes[i].model.count;
        hosts += count <= VCS_MAX_HOSTS ? count : VCS_MAX_HOSTS + 1; /* too many, but no sum wraps around */
    }
    if (hosts > VCS_MAX_HOSTS) {
        fail(w, VCS_ERR_OVERFLOW, 0, "classes", "have more than 100 million hosts");
    }
}

/* ---- The whole ---- */

static int read_hooks(vcs_grid_world *w, const vcs_grid_hooks *hooks) {
    int code = hooks == NULL ? VCS_OK : vcs_check_size(FIRST_HOOKS, hooks->struct_size);
    if (code == VCS_OK && hooks != NULL) {
        code = vcs_copy_struct(&w->hooks, sizeof w->hooks, hooks, hooks->struct_size);
    }
    const bool has_half = (w->hooks.allocate == NULL) != (w->hooks.release == NULL);
    if (code == VCS_OK && (w->hooks.flags != 0 || has_half)) {
        code = VCS_ERR_FLAGS;
    }
    w->ground.memory = (vcs_emu_memory){w->hooks.context, w->hooks.allocate, w->hooks.release};
    return code;
}

static int check_results(const vcs_grid_results *callers, uint32_t project_count) {
    vcs_grid_results known = {0};
    const vcs_grid_results *results = &known;
    int code = vcs_check_size(FIRST_RESULTS, callers->struct_size);
    if (code == VCS_OK) {
        code = vcs_copy_struct(&known, sizeof known, callers, callers->struct_size);
    }
    if (code == VCS_OK && (results->flags != 0 || results->reserved0 != NULL)) {
        code = VCS_ERR_FLAGS;
    }
    if (code == VCS_OK && results->outcome != NULL) {
        code = vcs_check_size(VCS_FIRST_grid_outcome, results->outcome->struct_size);
    }
    if (code == VCS_OK && results->project_count > 0) {
        const vcs_array projects = {{results->projects}, results->project_size, results->project_count};
        code = vcs_check_output(&projects, VCS_FIRST_grid_project_outcome, project_count);
    }
    if (code == VCS_OK) {
        const vcs_array hosts = {{results->hosts}, results->host_size, results->host_count};
        code = vcs_check_output(&hosts, VCS_FIRST_grid_host_outcome, hosts.count);
    }
    if (code == VCS_OK) {
        const vcs_array samples = {{results->samples}, results->sample_size, results->sample_count};
        code = vcs_check_output(&samples, VCS_FIRST_grid_sample, samples.count);
    }
    return code;
}

static void read_terms(vcs_grid_world *w, const vcs_array *array) {
    check_array(w, array, &vcs_grid_terms_layout, 1, "terms");
    if (!vcs_grid_has_failed(w)) {
        vcs_emu_note(&w->ground, vcs_copy_record(&w->terms, array, 0, &vcs_grid_terms_layout, w->ground.error));
        w->end = w->terms.start + w->terms.duration;
        w->next_sample = w->terms.sample > 0.0 ? w->terms.start + w->terms.sample : VCS_INFINITY;
    }
}

void vcs_grid_read(vcs_grid_world *w, const vcs_grid *grid, const vcs_grid_hooks *hooks) {
    vcs_grid known = {0};
    int code = vcs_check_size(FIRST_GRID, grid->struct_size);
    if (code == VCS_OK) {
        code = vcs_copy_struct(&known, sizeof known, grid, grid->struct_size);
    }
    if (code == VCS_OK && known.flags != 0) {
        code = VCS_ERR_FLAGS;
    }
    code = code != VCS_OK ? code : read_hooks(w, hooks);
    code = code != VCS_OK ? code : check_results(w->results, known.projects.count);
    if (code != VCS_OK) {
        fail(w, code, 0, "", "the grid, the hooks or the results do not have a size or form that this library knows");
        return;
    }
    read_terms(w, &known.terms);
    if (!vcs_grid_has_failed(w)) {
        read_projects(w, &known.projects);
    }
    if (!vcs_grid_has_failed(w)) {
        read_classes(w, &known.classes);
    }
}
