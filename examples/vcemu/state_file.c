/* SPDX-License-Identifier: MIT */
#include "state_file.h"

#include <stdlib.h>
#include <string.h>

#include "state_jobs.h"
#include "state_reader.h"
#include "state_task.h"

#define DEFAULT_SHARE 100.0

/* The most operations that a job of an emulated application may need. */
#define MOST_OPERATIONS 1e30

/* ---- which sections there are ---- */

static bool find_kind(const struct state_reader *reader, struct ini_section *section) {
    for (uint32_t kind = 0; kind < STATE_KINDS; kind++) {
        if (!ini_section_is(section, state_grammar[kind].kind)) {
            continue;
        }
        if (state_grammar[kind].named != (ini_section_name(section)[0] != '\0')) {
            return reader_refuse(reader, NULL, "a section of this kind has %s name",
                                 state_grammar[kind].named ? "a" : "no");
        }
        section->kind = kind;
        section->record = reader->state->counts[kind]++;
        return true;
    }
    return reader_refuse(reader, NULL, "there is no section of this kind");
}

static bool check_host_is_there(const struct state_reader *reader) {
    const struct ini_document *document = &reader->state->document;
    struct place place = {.file = document->file, .line = document->line_count == 0 ? 1 : document->line_count};
    if (document->section_count == 0) {
        return fault_at(reader->fault, &place, "the file is empty; at least a [host] section is needed");
    }
    return reader->state->counts[STATE_HOST] != 0 || fault_at(reader->fault, &place, "the [host] section is missing");
}

static bool find_kinds(struct state_reader *reader) {
    struct ini_document *document = &reader->state->document;
    if (document->section_count >= UINT32_MAX) {
        return fault_set(reader->fault, "%s: there are too many sections", document->file);
    }
    for (size_t i = 0; i < document->section_count; i++) {
        reader->section = &document->sections[i];
        if (!find_kind(reader, &document->sections[i])) {
            return false;
        }
    }
    return check_host_is_there(reader);
}

/* Memory for `count` records, all zero; not NULL even for none. */
static void *make_records(uint32_t count, size_t size) {
    return calloc(count == 0 ? 1 : count, size);
}

static bool make_room(const struct state_reader *reader) {
    struct state_file *state = reader->state;
    bool all = true;
    for (uint32_t kind = 0; kind < STATE_KINDS; kind++) {
        state->sections[kind] = make_records(state->counts[kind], sizeof *state->sections[kind]);
        all = all && state->sections[kind] != NULL;
    }
    state->resources = make_records(state_file_resource_count(state), sizeof *state->resources);
    state->projects = make_records(state->counts[STATE_PROJECT], sizeof *state->projects);
    state->project_resources = make_records(state->counts[STATE_PAIR], sizeof *state->project_resources);
    state->apps = make_records(state->counts[STATE_APP], sizeof *state->apps);
    state->models = make_records(state->counts[STATE_APP], sizeof *state->models);
    state->servers = make_records(state->counts[STATE_PROJECT], sizeof *state->servers);
    state->tasks = make_records(state->counts[STATE_TASK], sizeof *state->tasks);
    state->wholes = make_records(state->counts[STATE_TASK], sizeof *state->wholes);
    state->candidates = make_records(state->counts[STATE_CANDIDATE], sizeof *state->candidates);
    all = all && state->resources != NULL && state->projects != NULL && state->project_resources != NULL &&
          state->apps != NULL && state->models != NULL && state->servers != NULL && state->tasks != NULL &&
          state->wholes != NULL && state->candidates != NULL;
    return all || fault_set(reader->fault, "%s: there is not enough memory", state->document.file);
}

/* ---- names ---- */

/*
 * Splits the name of a section, "PROJECT/REST", after the longest part that is the name of a project. Sets *rest to
 * what follows the slash.
 */
static bool split_name(const struct state_reader *reader, uint32_t *project, const char **rest) {
    const char *name = ini_section_name(reader->section);
    char part[INI_LINE_MAX + 1];
    for (size_t length = strlen(name); length-- > 0;) {
        if (name[length] != '/') {
            continue;
        }
        memcpy(part, name, length);
        part[length] = '\0';
        const struct ini_section *found = ini_find(&reader->state->document, "project", part);
        if (found != NULL) {
            *project = found->record;
            *rest = name + length + 1;
            return true;
        }
    }
    return reader_refuse(reader, NULL, "its name must begin with the name of a project and a /");
}

/* ---- one section ---- */

/* When an emulated host is on, if the file gives the times at which it is switched. */
static bool read_switches(const struct state_reader *reader, const struct state_host_draft *draft) {
    const struct state_list_rule rule = {.greatest = VCS_MAX_SECONDS, .ascending = true};
    const char *key = draft->trace != NULL ? "trace" : "switches";
    if (draft->trace == NULL && draft->switches == NULL) {
        return true;
    }
    const bool both = draft->trace != NULL && draft->switches != NULL;
    if (both || reader_has(reader, "available")) {
        return reader_refuse(reader, both ? "switches" : "available",
                             "conflicts with another key that says when the host is on");
    }
    return draft->trace != NULL ? state_list_read_file(reader, key, draft->trace, &rule, &reader->state->switches)
                                : state_list_read(reader, key, draft->switches, &rule, &reader->state->switches);
}

/* A file that says how much is usable says it of an emulated client too; else that client knows when it is on. */
static void note_usable(const struct state_reader *reader, vcs_emulation *emulation) {
    emulation->flags |= reader_has(reader, "usable") ? VCS_EMULATION_USABLE_GIVEN : 0;
}

static bool read_host(const struct state_reader *reader) {
    struct state_file *state = reader->state;
    union state_draft draft = {.host = {.cpu = {.usable = 1}, .emulation = state->emulation}};
    if (!reader_keys(reader, &draft) || !reader_require(reader, "cpus") || !reader_require(reader, "flops") ||
        !read_switches(reader, &draft.host)) {
        return false;
    }
    note_usable(reader, &draft.host.emulation);
    state->now = draft.host.now;
    state->host = draft.host.host;
    state->emulation = draft.host.emulation;
    state->emulation.start = draft.host.now;
    state->resources[0] = draft.host.cpu;
    return true;
}

static bool read_gpu(const struct state_reader *reader) {
    uint32_t index = reader->section->record + 1;
    if (strcmp(ini_section_name(reader->section), CPU_NAME) == 0) {
        return reader_refuse(reader, NULL, "the name CPU stands for the CPUs of the host");
    }
    union state_draft draft = {.gpu = {.id = index, .usable = 1, .instances = 1}};
    if (!reader_keys(reader, &draft) || !reader_require(reader, "flops")) {
        return false;
    }
    note_usable(reader, &reader->state->emulation);
    reader->state->resources[index] = draft.gpu;
    return true;
}

/* Up and down times of its server alternate; one without the other makes no sense. */
static bool check_spells(const struct state_reader *reader) {
    return reader_has(reader, "up_mean") == reader_has(reader, "down_mean") ||
           reader_require(reader, reader_has(reader, "up_mean") ? "down_mean" : "up_mean");
}

static bool read_project(const struct state_reader *reader) {
    union state_draft draft = {.project = {.project = {.id = reader->section->record, .share = DEFAULT_SHARE}}};
    if (!reader_keys(reader, &draft) || !check_spells(reader)) {
        return false;
    }
    reader->state->projects[reader->section->record] = draft.project.project;
    reader->state->servers[reader->section->record] = draft.project.server;
    return true;
}

static bool read_pair(const struct state_reader *reader) {
    union state_draft draft = {.pair = {.id = reader->section->record}};
    const char *resource;
    if (!reader_keys(reader, &draft) || !split_name(reader, &draft.pair.project, &resource)) {
        return false;
    }
    if (strcmp(resource, CPU_NAME) != 0 && !reader_find_gpu(reader, NULL, resource, &draft.pair.resource)) {
        return false;
    }
    reader->state->project_resources[reader->section->record] = draft.pair;
    return true;
}

/* Keys that belong to one distribution of sizes, and a deviation without a mean. */
static bool check_sizes(const struct state_reader *reader, const vcs_job_model *model) {
    const bool is_list = model->distribution == VCS_SIZES_LIST;
    if (reader_has(reader, "sd_flops") && model->distribution != VCS_SIZES_NORMAL) {
        return reader_refuse(reader, "sd_flops", "only makes sense with distribution = normal");
    }
    if (reader_has(reader, "sd_flops") && !reader_has(reader, "mean_flops") && !reader_has(reader, "est_flops")) {
        return reader_refuse(reader, "sd_flops", "only makes sense together with mean_flops or est_flops");
    }
    if (reader_has(reader, "sizes") && !is_list) {
        return reader_refuse(reader, "sizes", "only makes sense with distribution = list");
    }
    return !is_list || reader_require(reader, "sizes");
}

static bool read_sizes(const struct state_reader *reader, const char *text, vcs_job_model *model) {
    const struct state_list_rule rule = {.greatest = MOST_OPERATIONS};
    struct state_list *sizes = &reader->state->sizes;
    double sum = 0;
    model->first_size = sizes->count;
    if (text == NULL) {
        return true;
    }
    if (!state_list_read(reader, "sizes", text, &rule, sizes)) {
        return false;
    }
    model->size_count = sizes->count - model->first_size;
    for (uint32_t i = model->first_size; i < sizes->count; i++) {
        sum += sizes->values[i] / model->size_count;
    }
    if (!reader_has(reader, "est_flops")) {
        model->est_flops = sum;
    }
    return true;
}

/* Defaults for the jobs of an application: they are as long as estimated, and use one CPU or one GPU. */
static void complete_model(const struct state_reader *reader, vcs_job_model *model, uint32_t gpu) {
    model->gpu = gpu;
    if (!reader_has(reader, "mean_flops")) {
        model->mean_flops = model->est_flops;
    }
    if (!reader_has(reader, "cpus")) {
        model->cpus = gpu == 0 ? 1 : 0;
    }
    if (!reader_has(reader, "gpus")) {
        model->gpus = gpu == 0 ? 0 : 1;
    }
}

static bool read_app(const struct state_reader *reader) {
    union state_draft draft = {.app = {.app = {.id = reader->section->record}, .model = {.weight = 1}}};
    const char *name;
    uint32_t gpu = 0;
    if (!reader_keys(reader, &draft) || !split_name(reader, &draft.app.app.project, &name)) {
        return false;
    }
    if (draft.app.gpu != NULL && !reader_find_gpu(reader, "gpu", draft.app.gpu, &gpu)) {
        return false;
    }
    if (!check_sizes(reader, &draft.app.model) || !read_sizes(reader, draft.app.sizes, &draft.app.model)) {
        return false;
    }
    draft.app.app.gpu = gpu;
    reader->state->apps[reader->section->record] = draft.app.app;
    complete_model(reader, &draft.app.model, gpu);
    reader->state->models[reader->section->record] = draft.app.model;
    return true;
}

/* A key of the section that sets the policy; it applies only to the emulation, unless the command line overrides it. */
static void set_emulated(const struct state_reader *reader, const char *key, const char *parameter, uint32_t choice) {
    if (reader_has(reader, key) && !policy_is_wished(reader->wish, parameter)) {
        vcs_parameter_set(&reader->state->emulated_parameters, vcs_parameter_find(parameter), choice);
    }
}

static bool read_emulation(const struct state_reader *reader) {
    union state_draft draft = {.emulation = {.duration = reader->state->emulation.duration,
                                             .seed = (uint32_t)reader->state->emulation.seed}};
    if (!reader_keys(reader, &draft)) {
        return false;
    }
    reader->state->emulation.duration = draft.emulation.duration;
    reader->state->emulation.seed = draft.emulation.seed;
    set_emulated(reader, "cpu_scheduling", "scheduling", draft.emulation.scheduling);
    set_emulated(reader, "work_fetch", "work_fetch", draft.emulation.work_fetch);
    set_emulated(reader, "work_send", "work_send", draft.emulation.work_send);
    set_emulated(reader, "completion", "use_dcf", draft.emulation.completion);
    set_emulated(reader, "deadline_origin", "deadline_origin", draft.emulation.deadline_origin);
    return true;
}

/* ---- all sections ---- */

static bool read_section(const struct state_reader *reader) {
    switch ((enum state_kind)reader->section->kind) {
    case STATE_HOST:
        return read_host(reader);
    case STATE_EMULATION:
        return read_emulation(reader);
    case STATE_GPU:
        return read_gpu(reader);
    case STATE_PROJECT:
        return read_project(reader);
    case STATE_PAIR:
        return read_pair(reader);
    case STATE_APP:
        return read_app(reader);
    case STATE_TASK:
        return state_task_read(reader);
    case STATE_CANDIDATE:
        return state_candidate_read(reader);
    case STATE_CLIENT: /* has been read with the policy */
    case STATE_KINDS:
        break;
    }
    return true;
}

static bool read_sections(struct state_reader *reader, bool tasks) {
    struct state_file *state = reader->state;
    for (size_t i = 0; i < state->document.section_count; i++) {
        const struct ini_section *section = &state->document.sections[i];
        if ((section->kind >= STATE_TASK) == tasks) {
            reader->section = section;
            state->sections[section->kind][section->record] = section;
            if (!read_section(reader)) {
                return false;
            }
        }
    }
    return true;
}

/* Releases the records; the document stays. */
static void forget_records(struct state_file *state) {
    for (uint32_t kind = 0; kind < STATE_KINDS; kind++) {
        free(state->sections[kind]);
    }
    free(state->resources);
    free(state->projects);
    free(state->project_resources);
    free(state->apps);
    free(state->models);
    free(state->servers);
    free(state->alike);
    free(state->wholes);
    state_list_free(&state->sizes);
    state_list_free(&state->switches);
    free(state->tasks);
    free(state->candidates);
    *state = (struct state_file){.document = state->document};
}

bool state_file_interpret(struct state_file *state, const struct policy_wish *wish, struct fault *fault) {
    struct state_reader reader = {.state = state, .fault = fault, .wish = wish};
    forget_records(state);
    vcs_emulation_init(&state->emulation, sizeof state->emulation, VCS_PROFILE_CURRENT);
    if (!find_kinds(&reader) || !make_room(&reader) ||
        !policy_read(&state->parameters, wish, &state->document, ini_find(&state->document, "client", ""), fault)) {
        return false;
    }
    state->emulated_parameters = state->parameters;
    if (!read_sections(&reader, false) || !read_sections(&reader, true) || !state_jobs_complete(state, fault)) {
        return false;
    }
    if (wish->days > 0) {
        state->emulation.duration = wish->days * 86400;
    }
    return true;
}

bool state_file_read(struct state_file *state, const char *path, const struct policy_wish *wish, struct fault *fault) {
    *state = (struct state_file){.now = 0};
    return ini_read(&state->document, path, fault) && state_file_interpret(state, wish, fault);
}

void state_file_free(struct state_file *state) {
    forget_records(state);
    ini_free(&state->document);
}

/* ---- what others ask ---- */

static vcs_array records(const void *base, size_t size, uint32_t count) {
    vcs_array array = {.base = base, .element_size = (uint32_t)size, .count = count};
    return array;
}

vcs_snapshot state_file_snapshot(const struct state_file *state) {
    vcs_snapshot snapshot = {.struct_size = sizeof snapshot};
    snapshot.host = records(&state->host, sizeof state->host, 1);
    snapshot.resources = records(state->resources, sizeof *state->resources, state_file_resource_count(state));
    snapshot.projects = records(state->projects, sizeof *state->projects, state->counts[STATE_PROJECT]);
    snapshot.project_resources =
        records(state->project_resources, sizeof *state->project_resources, state->counts[STATE_PAIR]);
    snapshot.apps = records(state->apps, sizeof *state->apps, state->counts[STATE_APP]);
    snapshot.tasks = records(state->tasks, sizeof *state->tasks, state->counts[STATE_TASK]);
    snapshot.candidates = records(state->candidates, sizeof *state->candidates, state->counts[STATE_CANDIDATE]);
    return snapshot;
}

uint32_t state_file_resource_count(const struct state_file *state) {
    return state->counts[STATE_GPU] + 1;
}

const char *state_file_resource_name(const struct state_file *state, uint32_t resource) {
    return resource == 0 ? CPU_NAME : state_file_name(state, STATE_GPU, resource - 1);
}

const char *state_file_name(const struct state_file *state, enum state_kind kind, uint32_t index) {
    return ini_section_name(state->sections[kind][index]);
}

/* The key whose value the library knows under this name; NULL if it comes from none. */
static const char *key_of_field(enum state_kind kind, const char *field) {
    const struct state_section_grammar *grammar = &state_grammar[kind];
    for (size_t i = 0; i < grammar->key_count; i++) {
        const struct state_key *key = &grammar->keys[i];
        if (strcmp(key->field == NULL ? key->name : key->field, field) == 0) {
            return key->name;
        }
    }
    return NULL;
}

bool state_file_refuse(const struct state_file *state, enum state_kind kind, const vcs_error *error,
                       struct fault *fault) {
    const struct ini_section *section = state->sections[kind][error->index];
    struct place place = ini_place(&state->document, section, key_of_field(kind, error->field));
    return fault_at(fault, &place, "%s", fault_reason(error));
}
