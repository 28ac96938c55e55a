/* [app] and [app_resource]: applications, and the jobs of emulated ones. SPDX-License-Identifier: MIT */
#include "vcemu/scenario/state/state_sections.h"

#include "vcemu/scenario/state/state_jobs.h"
#include "vcemu/scenario/state/state_reader.h"

#include <stdlib.h>

/* The most operations that a job may need. */
#define MOST_OPERATIONS 1e30

/* ---- [app PROJECT/NAME] ---- */

struct app_draft {
    vcs_app app;
    uint64_t excluded; /* instances of `gpu` */
    const char *gpu; /* of emulated jobs, like the model */
    vcs_job_model model;
    const char *sizes; /* a list */
};

#define APP(field) offsetof(struct app_draft, field)

static const struct state_key app_keys[] = {
    {"max_concurrent", FORM_WHOLE, .offset = APP(app.max_concurrent)},
    {"excluded", FORM_INSTANCES, .offset = APP(excluded)},
    {"dcf", FORM_NUMBER, .offset = APP(app.dcf)},
    {"latency_bound", FORM_NUMBER, .offset = APP(model.latency_bound), .range = RANGE_NOT_NEGATIVE},
    {"est_flops", FORM_NUMBER, .offset = APP(model.est_flops), .range = RANGE_NOT_NEGATIVE},
    {"mean_flops", FORM_NUMBER, .offset = APP(model.mean_flops), .range = RANGE_NOT_NEGATIVE},
    {"sd_flops", FORM_NUMBER, .offset = APP(model.sd_flops), .range = RANGE_NOT_NEGATIVE},
    {"cpus", FORM_NUMBER, .offset = APP(model.cpus), .range = RANGE_NOT_NEGATIVE},
    {"gpu", FORM_NAME, .offset = APP(gpu)},
    {"gpus", FORM_NUMBER, .offset = APP(model.gpus), .range = RANGE_NOT_NEGATIVE},
    {"weight", FORM_NUMBER, .offset = APP(model.weight), .range = RANGE_NOT_NEGATIVE},
    {"ram", FORM_NUMBER, .offset = APP(model.ram), .range = RANGE_NOT_NEGATIVE},
    {"checkpoint_interval", FORM_NUMBER, .offset = APP(model.checkpoint_interval), .range = RANGE_NOT_NEGATIVE},
    {"fraction_done_exact", FORM_SWITCH, .offset = APP(model.flags), .bit = VCS_JOB_MODEL_EXACT},
    {"distribution", FORM_WORD, .offset = APP(model.distribution),
     .words = " normal exponential constant list log_normal "},
    {"fraction_blur", FORM_NUMBER, .offset = APP(model.fraction_blur), .range = RANGE_NOT_NEGATIVE},
    {"fraction_step", FORM_NUMBER, .offset = APP(model.fraction_step), .range = RANGE_FRACTION},
    {"sizes", FORM_NAME, .offset = APP(sizes)},
};

/* Keys of one distribution of sizes, and a deviation without a mean. */
static bool check_sizes(const struct state_reader *reader, const vcs_job_model *model) {
    const bool is_list = model->distribution == VCS_SIZES_LIST;
    if (vcs_scn_reader_has(reader, "sd_flops") && model->distribution != VCS_SIZES_NORMAL &&
        model->distribution != VCS_SIZES_LOG_NORMAL) {
        return vcs_scn_reader_refuse(reader, "sd_flops",
                                     "only makes sense with distribution = normal or distribution = log_normal");
    }
    if (vcs_scn_reader_has(reader, "sd_flops") && !vcs_scn_reader_has(reader, "mean_flops") &&
        !vcs_scn_reader_has(reader, "est_flops")) {
        return vcs_scn_reader_refuse(reader, "sd_flops", "only makes sense together with mean_flops or est_flops");
    }
    if (vcs_scn_reader_has(reader, "sizes") && !is_list) {
        return vcs_scn_reader_refuse(reader, "sizes", "only makes sense with distribution = list");
    }
    return !is_list || vcs_scn_reader_require(reader, "sizes");
}

/* Jobs with a deadline but no length would end at once, and be replaced for ever. */
static bool check_length(const struct state_reader *reader) {
    const bool has_length = vcs_scn_reader_has(reader, "est_flops") || vcs_scn_reader_has(reader, "mean_flops") ||
                            vcs_scn_reader_has(reader, "sizes");
    return has_length || !vcs_scn_reader_has(reader, "latency_bound") || vcs_scn_reader_require(reader, "est_flops");
}

/* The same of jobs whose length is stated, and is 0. */
static bool check_model(const struct state_reader *reader, const vcs_job_model *model) {
    double longest = model->size_count > 0 ? 0 : model->mean_flops + model->sd_flops;
    for (uint32_t i = 0; i < model->size_count; i++) {
        const double size = reader->state->sizes.values[model->first_size + i];
        longest = size > longest ? size : longest;
    }
    const char *key = model->size_count > 0                      ? "sizes"
                      : vcs_scn_reader_has(reader, "mean_flops") ? "mean_flops"
                                                                 : "est_flops";
    return longest > 0 || !vcs_scn_reader_has(reader, key) ||
           vcs_scn_reader_refuse(reader, key, "is 0: such jobs would end at once, and be replaced for ever");
}

static bool read_sizes(const struct state_reader *reader, const char *text, vcs_job_model *model) {
    const struct state_list_rule rule = {.greatest = MOST_OPERATIONS};
    struct state_list *sizes = &reader->state->sizes;
    double sum = 0;
    model->first_size = sizes->count;
    if (text == NULL) {
        return true;
    }
    const struct place place = vcs_scn_ini_place(&reader->state->document, reader->section, "sizes");
    if (!vcs_scn_state_list_read(sizes, text, &rule, &place, reader->fault)) {
        return false;
    }
    model->size_count = sizes->count - model->first_size;
    for (uint32_t i = model->first_size; i < sizes->count; i++) {
        sum += sizes->values[i] / model->size_count;
    }
    if (!vcs_scn_reader_has(reader, "est_flops")) {
        model->est_flops = sum;
    }
    return true;
}

/* Defaults: jobs as long as estimated, on one CPU or one GPU. */
static void complete_model(const struct state_reader *reader, vcs_job_model *model, uint32_t gpu) {
    model->gpu = gpu;
    if (!vcs_scn_reader_has(reader, "mean_flops")) {
        model->mean_flops = model->est_flops;
    }
    if (!vcs_scn_reader_has(reader, "cpus")) {
        model->cpus = gpu == 0 ? 1 : 0;
    }
    if (!vcs_scn_reader_has(reader, "gpus")) {
        model->gpus = gpu == 0 ? 0 : 1;
    }
}

static bool read_app(const struct state_reader *reader) {
    struct app_draft draft = {.app = {.id = reader->section->record}, .model = {.weight = 1}};
    const char *name;
    uint32_t gpu = 0;
    if (!vcs_scn_reader_keys(reader, &draft) || !vcs_scn_reader_split_name(reader, &draft.app.project, &name)) {
        return false;
    }
    if (draft.gpu != NULL && !vcs_scn_reader_find_gpu(reader, "gpu", draft.gpu, &gpu)) {
        return false;
    }
    if (!check_length(reader) || !check_sizes(reader, &draft.model) || !read_sizes(reader, draft.sizes, &draft.model)) {
        return false;
    }
    if (draft.excluded != 0) {
        reader->state->app_resources[reader->state->app_resource_count++] = (vcs_app_resource){
            .id = draft.app.id, .app = reader->section->record, .resource = gpu, .excluded = draft.excluded};
    }
    reader->state->apps[reader->section->record] = draft.app;
    complete_model(reader, &draft.model, gpu);
    if (!check_model(reader, &draft.model)) {
        return false;
    }
    reader->state->models[reader->section->record] = draft.model;
    return true;
}

const struct state_section vcs_scn_state_app_section = {
    .kind = "app",
    .named = true,
    .keys = app_keys,
    .key_count = sizeof app_keys / sizeof *app_keys,
    .read = read_app,
};

/* ---- [app_resource PROJECT/NAME/RESOURCE] ---- */

static const struct state_key app_resource_keys[] = {
    {"excluded", FORM_INSTANCES, .offset = offsetof(vcs_app_resource, excluded)},
    {"max_instances", FORM_NUMBER, .offset = offsetof(vcs_app_resource, max_instances)},
    {"max_per_device", FORM_WHOLE, .offset = offsetof(vcs_app_resource, max_per_device)},
    {"use", FORM_NUMBER, .offset = offsetof(vcs_app_resource, use)},
};

static bool read_app_resource(const struct state_reader *reader) {
    vcs_app_resource draft = {.id = reader->section->record};
    const char *resource;
    if (!vcs_scn_reader_keys(reader, &draft) || !vcs_scn_reader_split_app_name(reader, &draft.app, &resource) ||
        !vcs_scn_reader_find_resource(reader, resource, &draft.resource)) {
        return false;
    }
    reader->state->app_resources[reader->section->record] = draft;
    return true;
}

const struct state_section vcs_scn_state_app_resource_section = {
    .kind = "app_resource",
    .named = true,
    .keys = app_resource_keys,
    .key_count = sizeof app_resource_keys / sizeof *app_resource_keys,
    .read = read_app_resource,
};

/* ---- What the tasks of an application use ---- */

/*
 * What an [app] says of it, in instances of its processor; 0 = nothing. One instance counts without being said, unless
 * that tells for which processors a project has applications at all.
 */
static double use_said(const struct state_file *state, uint32_t app) {
    static const char *const keys[] = {"cpus", "gpu", "gpus"};
    const vcs_job_model *model = &state->models[app];
    const bool is_listed = (state->projects[state->apps[app].project].flags & VCS_PROJECT_APPS_LISTED) != 0;
    const double use = model->gpu == 0 ? model->cpus : model->gpus;
    bool says = vcs_scn_state_says_jobs(state, app);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        says |= vcs_scn_ini_entry(&state->document, state->sections[STATE_APP][app], keys[i]) != NULL;
    }
    return says && use <= VCS_MAX_INSTANCES && (is_listed || use != 1.0) ? use : 0.0;
}

bool vcs_scn_state_uses_complete(struct state_file *state, struct fault *fault) {
    bool *is_said = calloc((size_t)state->counts[STATE_APP] + 1, sizeof *is_said);
    if (is_said == NULL) {
        return vcs_scn_fault_memory(fault, state->document.file);
    }
    for (uint32_t i = 0; i < state->app_resource_count; i++) {
        vcs_app_resource *of = &state->app_resources[i];
        if (of->resource == state->models[of->app].gpu) {
            of->use = of->use > 0.0 ? of->use : use_said(state, of->app);
            is_said[of->app] = true;
        }
    }
    for (uint32_t i = 0; i < state->counts[STATE_APP]; i++) {
        const double use = is_said[i] ? 0.0 : use_said(state, i);
        if (use > 0.0) {
            state->app_resources[state->app_resource_count++] =
                (vcs_app_resource){.id = i, .app = i, .resource = state->models[i].gpu, .use = use};
        }
    }
    free(is_said);
    return true;
}
