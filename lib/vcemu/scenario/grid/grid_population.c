/* [population NAME]: a class of hosts, and the projects and processors that they see. SPDX-License-Identifier: MIT */
#include "vcemu/scenario/grid/grid_sections.h"

#include <stdlib.h>
#include <string.h>

#include "vcemu/scenario/text/bytes.h"
#include "vcemu/scenario/text/parse_number.h"
#include "vcemu/scenario/state/state_sections.h"

#define DRAFT(field) offsetof(struct grid_population_draft, field)

static const struct state_key population_keys[] = {
    {"count", FORM_WHOLE, .offset = DRAFT(count)},
    {"table", FORM_NAME, .offset = DRAFT(table)},
    {"columns", FORM_NAME, .offset = DRAFT(columns)},
    {"skipped_lines", FORM_WHOLE, .offset = DRAFT(skipped_lines)},
    {"cpus", FORM_WHOLE, .offset = DRAFT(cpu.instances), .field = "instances"},
    {"flops", FORM_NUMBER, .offset = DRAFT(cpu.flops)},
    {"speed_sd", FORM_NUMBER, .offset = DRAFT(model.speed_sd)},
    {"gpus", FORM_NAME, .offset = DRAFT(gpus)},
    {"ram", FORM_NUMBER, .offset = DRAFT(host.ram)},
    {"available", FORM_NUMBER, .offset = DRAFT(emulation.available), .range = RANGE_FRACTION},
    {"available_mean", FORM_NUMBER, .offset = DRAFT(emulation.available_mean), .range = RANGE_NOT_NEGATIVE},
    {"available_step", FORM_NUMBER, .offset = DRAFT(emulation.available_step), .range = RANGE_NOT_NEGATIVE},
    {"spells", FORM_WORD, .offset = DRAFT(emulation.spells), .words = STATE_SPELLS},
    {"spell_shape", FORM_NUMBER, .offset = DRAFT(emulation.spell_shape)},
    {"trace", FORM_NAME, .offset = DRAFT(trace)},
    {"connection_interval", FORM_NUMBER, .offset = DRAFT(emulation.connection_interval), .range = RANGE_NOT_NEGATIVE},
    {"profile", FORM_NAME, .offset = DRAFT(profile)},
    {"min_buffer", FORM_NUMBER, .offset = DRAFT(min_buffer)},
    {"additional_buffer", FORM_NUMBER, .offset = DRAFT(additional_buffer)},
    {"projects", FORM_NAME, .offset = DRAFT(projects)},
    {"arrivals", FORM_NUMBER, .offset = DRAFT(model.arrivals)},
    {"lifetime", FORM_NUMBER, .offset = DRAFT(model.lifetime)},
    {"replaced", FORM_SWITCH, .offset = DRAFT(model.flags), .bit = VCS_HOSTS_REPLACED},
    {"rate", FORM_NUMBER, .offset = DRAFT(model.rate)},
    {"client_error", FORM_NUMBER, .offset = DRAFT(model.client_error)},
    {"no_reply", FORM_NUMBER, .offset = DRAFT(model.no_reply)},
    {"wrong", FORM_NUMBER, .offset = DRAFT(model.wrong)},
    {"saboteurs", FORM_NUMBER, .offset = DRAFT(model.saboteurs)},
    {"sabotage", FORM_NUMBER, .offset = DRAFT(model.sabotage)},
    {"collude", FORM_SWITCH, .offset = DRAFT(model.flags), .bit = VCS_HOSTS_COLLUDE},
};

static struct grid_population *population_of(const struct state_reader *reader) {
    return &((struct grid_scenario *)reader->state->more)->populations[reader->section->record];
}

/* ---- the section ---- */

static bool check_keys(const struct state_reader *reader) {
    static const struct key_need needs[] = {{"sabotage", "saboteurs"},
                                            {"collude", "saboteurs"},
                                            {"replaced", "lifetime"},
                                            {"columns", "table"},
                                            {"skipped_lines", "table"}};
    if (!vcs_scn_reader_needs(reader, needs, sizeof needs / sizeof *needs)) {
        return false;
    }
    if (vcs_scn_reader_has(reader, "available") && vcs_scn_reader_has(reader, "trace")) {
        return vcs_scn_reader_refuse(reader, "available", "conflicts with another key that says when the host is on");
    }
    return (!vcs_scn_reader_has(reader, "spells") || vcs_scn_reader_require(reader, "spell_shape")) &&
           (vcs_scn_reader_has(reader, "table") || vcs_scn_reader_require(reader, "count"));
}

/* A host that is off at times must say how long it stays on. */
static bool check_availability(const struct state_reader *reader, const struct grid_population *population) {
    const vcs_emulation *emulation = &population->draft.emulation;
    const bool is_always_on = emulation->available >= 1 && !population->table.has_off;
    return is_always_on || emulation->available_mean > 0 || vcs_scn_reader_require(reader, "available_mean");
}

static bool read_table(const struct state_reader *reader, struct grid_population *population) {
    const struct grid_population_draft *draft = &population->draft;
    const struct place named = vcs_scn_ini_place(&reader->state->document, reader->section, "table");
    const struct grid_table_form form = {
        .columns = draft->columns, .skipped_lines = draft->skipped_lines, .cpus = draft->cpu.instances};
    char *path = vcs_scn_reader_path(reader, draft->table);
    const bool done = path == NULL ? vcs_scn_reader_refuse(reader, "table", "there is not enough memory")
                                   : vcs_scn_grid_table_read(&population->table, path, &form, &named, reader->fault);
    free(path);
    if (done && population->table.has_flops && vcs_scn_reader_has(reader, "flops")) {
        return vcs_scn_reader_refuse(reader, "flops", "conflicts with a column of the table");
    }
    if (done && population->table.has_cpus && vcs_scn_reader_has(reader, "cpus")) {
        return vcs_scn_reader_refuse(reader, "cpus", "conflicts with a column of the table");
    }
    return done;
}

static bool refuse_none(const struct state_reader *reader, const char *key) {
    return vcs_scn_reader_require(reader, key) && vcs_scn_reader_refuse(reader, key, "must be above 0");
}

static bool check_processors(const struct state_reader *reader, struct grid_population *population) {
    struct grid_population_draft *draft = &population->draft;
    if (draft->cpu.instances == 0 && population->table.has_cpus) {
        draft->cpu.instances = 1; /* each row says it */
    }
    if (draft->cpu.flops <= 0 && population->table.has_flops) {
        draft->cpu.flops = population->table.rows[0].flops;
    }
    return (draft->cpu.instances > 0 || refuse_none(reader, "cpus")) &&
           (draft->cpu.flops > 0 || refuse_none(reader, "flops"));
}

static bool count_hosts(const struct state_reader *reader, struct grid_population *population) {
    struct grid_population_draft *draft = &population->draft;
    const double hosts = vcs_scn_reader_has(reader, "count") ? draft->count : population->table.hosts;
    if (hosts < 1) {
        return vcs_scn_reader_refuse(reader, "count", "there must be at least 1 host");
    }
    if (hosts > VCS_MAX_HOSTS) {
        return vcs_scn_reader_refuse(reader, vcs_scn_reader_has(reader, "count") ? "count" : "table",
                                     "there are more than 100 million hosts");
    }
    draft->model.count = (uint64_t)(hosts + 0.5);
    return true;
}

static bool read_trace(const struct state_reader *reader, struct grid_population *population) {
    const struct state_list_rule rule = {.greatest = VCS_MAX_SECONDS, .ascending = true};
    return population->draft.trace == NULL ||
           vcs_scn_reader_list_file(reader, "trace", population->draft.trace, &rule, &population->switches);
}

static bool read_population(const struct state_reader *reader) {
    const struct state_file *state = reader->state;
    struct grid_population *population = population_of(reader);
    population->draft = (struct grid_population_draft){
        .cpu = state->resources[0],
        .host = state->host,
        .emulation = state->emulation,
        .model = {.id = reader->section->record, .sabotage = 1},
    };
    if (state->counts[STATE_HOST] == 0) {
        population->draft.cpu.usable = 1;
    }
    return vcs_scn_reader_keys(reader, &population->draft) && check_keys(reader) &&
           (population->draft.table == NULL || read_table(reader, population)) &&
           check_availability(reader, population) && check_processors(reader, population) &&
           count_hosts(reader, population) && read_trace(reader, population);
}

const struct state_section vcs_scn_grid_population_section = {
    .kind = "population",
    .named = true,
    .keys = population_keys,
    .key_count = sizeof population_keys / sizeof *population_keys,
    .read = read_population,
};

/* ---- the projects of the hosts ---- */

/* "NAME" or "NAME SHARE". The name of a project may end with a number itself. */
static bool split_share(const struct state_reader *reader, char *item, double *share) {
    char *blank = strrchr(item, ' ');
    double number;
    if (vcs_scn_ini_find(&reader->state->document, "project", item) != NULL || blank == NULL ||
        vcs_scn_number_read(blank + 1, &number) != NUMBER_OK) {
        return true;
    }
    if (number < 0) {
        return vcs_scn_reader_refuse(reader, "projects", "the share \"%s\" is negative", blank + 1);
    }
    *share = number;
    while (blank > item && blank[-1] == ' ') {
        blank--;
    }
    *blank = '\0';
    return true;
}

static bool attach(const struct state_reader *reader, struct grid_population *population, uint32_t project,
                   double share) {
    for (uint32_t i = 0; i < population->project_count; i++) {
        if (population->attached[i] == project) {
            return vcs_scn_reader_refuse(reader, "projects", "names a project twice");
        }
    }
    const uint32_t index = population->project_count++;
    population->projects[index] = reader->state->projects[project];
    population->projects[index].share = share;
    population->servers[index] = reader->state->servers[project];
    population->attached[index] = project;
    return true;
}

static bool attach_named(const struct state_reader *reader, struct grid_population *population) {
    char item[INI_LINE_MAX + 1];
    for (const char *text = population->draft.projects; *text != '\0';) {
        uint32_t project;
        double share = -1;
        vcs_scn_bytes_item(&text, item, sizeof item);
        if (item[0] == '\0') {
            return vcs_scn_reader_refuse(reader, "projects", "a name is missing; separate names with commas");
        }
        if (!split_share(reader, item, &share) ||
            !vcs_scn_reader_find(reader, "projects", STATE_PROJECT, item, &project) ||
            !attach(reader, population, project, share < 0 ? reader->state->projects[project].share : share)) {
            return false;
        }
    }
    return true;
}

static bool attach_all(const struct state_reader *reader, struct grid_population *population) {
    if (population->draft.projects != NULL) {
        return attach_named(reader, population);
    }
    for (uint32_t i = 0; i < reader->state->counts[STATE_PROJECT]; i++) {
        attach(reader, population, i, reader->state->projects[i].share);
    }
    return true;
}

/* Index of a project of the file among the projects of the hosts; VCS_NONE if they are not attached to it. */
static uint32_t place_of(const struct grid_population *population, uint32_t project) {
    for (uint32_t i = 0; i < population->project_count; i++) {
        if (population->attached[i] == project) {
            return i;
        }
    }
    return VCS_NONE;
}

/* ---- the processors of the hosts ---- */

/* Index of each resource of the file among the resources of the hosts; VCS_NONE = absent. */
static bool choose_gpus(const struct state_reader *reader, struct grid_population *population, uint32_t *place) {
    const uint32_t all = vcs_scn_state_file_resource_count(reader->state);
    char item[INI_LINE_MAX + 1];
    const char *text = population->draft.gpus;
    for (uint32_t i = 0; i < all; i++) {
        place[i] = i == 0 || text == NULL ? i : VCS_NONE;
    }
    if (text == NULL || strcmp(text, "none") == 0) {
        return true;
    }
    for (uint32_t next = 1; *text != '\0';) {
        uint32_t resource;
        vcs_scn_bytes_item(&text, item, sizeof item);
        if (item[0] == '\0') {
            return vcs_scn_reader_refuse(reader, "gpus", "a name is missing; separate names with commas");
        }
        if (!vcs_scn_reader_find_gpu(reader, "gpus", item, &resource)) {
            return false;
        }
        if (place[resource] != VCS_NONE) {
            return vcs_scn_reader_refuse(reader, "gpus", "names a GPU type twice");
        }
        place[resource] = next++;
    }
    return true;
}

static uint32_t copy_resources(const struct state_reader *reader, struct grid_population *population,
                               const uint32_t *place) {
    const uint32_t all = vcs_scn_state_file_resource_count(reader->state);
    uint32_t count = 1;
    population->resources[0] = population->draft.cpu;
    for (uint32_t i = 1; i < all; i++) {
        if (place[i] != VCS_NONE) {
            population->resources[place[i]] = reader->state->resources[i];
            count++;
        }
    }
    return count;
}

/* ---- applications ---- */

/* The fields that the library reads of a model of jobs in a grid; the server of its project has the rest. */
static vcs_job_model model_of(const vcs_job_model *of_file, uint32_t gpu, double delay_bound) {
    vcs_job_model model = *of_file;
    model.gpu = gpu;
    model.latency_bound = delay_bound;
    model.est_flops = model.mean_flops = model.sd_flops = 0;
    model.distribution = VCS_SIZES_CONSTANT;
    model.first_size = model.size_count = 0;
    return model;
}

static uint32_t copy_apps(const struct state_reader *reader, struct grid_population *population,
                          const uint32_t *place) {
    const struct state_file *state = reader->state;
    const struct grid_scenario *grid = state->more;
    uint32_t count = 0;
    for (uint32_t i = 0; i < state->counts[STATE_APP]; i++) {
        const uint32_t project = place_of(population, state->apps[i].project), gpu = place[grid->models[i].gpu];
        if (project != VCS_NONE && gpu != VCS_NONE) {
            population->apps[count] = state->apps[i];
            population->apps[count].project = project;
            population->models[count++] =
                model_of(&grid->models[i], gpu, grid->projects[state->apps[i].project].delay_bound);
        }
    }
    return count;
}

/* Adds an application for a CPU to each project without any in the file. */
static uint32_t add_apps(const struct state_reader *reader, struct grid_population *population, uint32_t count) {
    const struct state_file *state = reader->state;
    const struct grid_scenario *grid = state->more;
    for (uint32_t i = 0; i < population->project_count; i++) {
        bool listed = false;
        for (uint32_t a = 0; a < state->counts[STATE_APP]; a++) {
            listed = listed || state->apps[a].project == population->attached[i];
        }
        if (!listed) {
            const vcs_job_model simple = {.cpus = 1, .weight = 1};
            population->apps[count] = (vcs_app){.id = (uint64_t)state->counts[STATE_APP] + i, .project = i};
            population->models[count++] = model_of(&simple, 0, grid->projects[population->attached[i]].delay_bound);
        }
    }
    return count;
}

static uint32_t copy_project_resources(const struct state_reader *reader, struct grid_population *population,
                                       const uint32_t *place) {
    const struct state_file *state = reader->state;
    uint32_t count = 0;
    for (uint32_t i = 0; i < state->counts[STATE_PROJECT_RESOURCE]; i++) {
        vcs_project_resource project_resource = state->project_resources[i];
        const uint32_t project = place_of(population, project_resource.project),
                       resource = place[project_resource.resource];
        if (project != VCS_NONE && resource != VCS_NONE) {
            project_resource.project = project;
            project_resource.resource = resource;
            population->project_resources[count++] = project_resource;
        }
    }
    return count;
}

/* The place of an application of the file, if a population has it; else VCS_NONE. */
static uint32_t place_of_app(const struct grid_population *population, uint32_t apps, uint32_t app) {
    for (uint32_t i = 0; i < apps; i++) {
        if (population->apps[i].id == app) {
            return i;
        }
    }
    return VCS_NONE;
}

static uint32_t copy_app_resources(const struct state_reader *reader, struct grid_population *population,
                                   const uint32_t *place, uint32_t apps) {
    const struct state_file *state = reader->state;
    uint32_t count = 0;
    for (uint32_t i = 0; i < state->app_resource_count; i++) {
        vcs_app_resource app_resource = state->app_resources[i];
        const uint32_t app = place_of_app(population, apps, app_resource.app), resource = place[app_resource.resource];
        if (app != VCS_NONE && resource != VCS_NONE) {
            app_resource.app = app;
            app_resource.resource = resource;
            population->app_resources[count++] = app_resource;
        }
    }
    return count;
}

/* ---- the policy ---- */

/* [emulation] sets the policy of all hosts, also of those with their own profile. */
static void keep_rules_of_emulation(const struct state_file *state, vcs_parameters *parameters) {
    const struct ini_section *section = vcs_scn_ini_find(&state->document, "emulation", "");
    for (size_t i = 0; section != NULL && i < section->entry_count; i++) {
        const char *parameter =
            vcs_scn_state_emulation_parameter(state->document.entries[section->first_entry + i].key);
        const uint32_t row = parameter == NULL ? VCS_NONE : vcs_parameter_find(parameter);
        double value;
        if (row != VCS_NONE && vcs_parameter_get(&state->emulated_parameters, row, &value) == VCS_OK) {
            vcs_parameter_set(parameters, row, value);
        }
    }
}

static bool set_buffer(const struct state_reader *reader, vcs_parameters *parameters, const char *key, double seconds) {
    if (!vcs_scn_reader_has(reader, key) || vcs_scn_policy_is_wished(reader->wish, key)) {
        return true;
    }
    return vcs_parameter_set(parameters, vcs_parameter_find(key), seconds) == VCS_OK ||
           vcs_scn_reader_refuse(reader, key, "is out of range");
}

static bool choose_policy(const struct state_reader *reader, struct grid_population *population) {
    const struct grid_population_draft *draft = &population->draft;
    const struct ini_document *document = &reader->state->document;
    struct policy_wish wish = *reader->wish;
    population->parameters = reader->state->emulated_parameters;
    if (draft->profile != NULL && vcs_scn_policy_find_profile(draft->profile) == VCS_NONE) {
        return vcs_scn_reader_refuse(reader, "profile", "\"%s\" is not a profile",
                                     vcs_scn_fault_quote(draft->profile).text);
    }
    if (draft->profile != NULL && wish.profile == NULL) {
        wish.profile = draft->profile;
        if (!vcs_scn_policy_read(&population->parameters, &wish, document, vcs_scn_ini_find(document, "client", ""),
                                 NULL, reader->fault)) {
            return false;
        }
        keep_rules_of_emulation(reader->state, &population->parameters);
    }
    population->draft.emulation.study_rules = population->parameters.profile == VCS_PROFILE_STUDY2007;
    return set_buffer(reader, &population->parameters, "min_buffer", draft->min_buffer) &&
           set_buffer(reader, &population->parameters, "additional_buffer", draft->additional_buffer);
}

/* ---- the class of hosts ---- */

static void *make(uint64_t count, size_t size) {
    return calloc(count == 0 ? 1 : (size_t)count, size);
}

static bool allocate(struct grid_population *population, const struct state_file *state) {
    const uint32_t *counts = state->counts;
    const uint64_t apps = (uint64_t)counts[STATE_APP] + counts[STATE_PROJECT];
    population->resources = make(vcs_scn_state_file_resource_count(state), sizeof *population->resources);
    population->projects = make(counts[STATE_PROJECT], sizeof *population->projects);
    population->attached = make(counts[STATE_PROJECT], sizeof *population->attached);
    population->servers = make(counts[STATE_PROJECT], sizeof *population->servers);
    population->project_resources = make(counts[STATE_PROJECT_RESOURCE], sizeof *population->project_resources);
    population->apps = make(apps, sizeof *population->apps);
    population->app_resources = make(state->app_resource_count, sizeof *population->app_resources);
    population->models = make(apps, sizeof *population->models);
    return population->resources != NULL && population->projects != NULL && population->attached != NULL &&
           population->servers != NULL && population->project_resources != NULL && population->apps != NULL &&
           population->app_resources != NULL && population->models != NULL;
}

static void put_together(struct grid_population *p, const struct state_list *switches, uint32_t resources,
                         uint32_t apps, uint32_t project_resources, uint32_t app_resources) {
    vcs_snapshot snapshot = {.struct_size = sizeof snapshot};
    snapshot.host = vcs_scn_records(&p->draft.host, sizeof p->draft.host, 1);
    snapshot.resources = vcs_scn_records(p->resources, sizeof *p->resources, resources);
    snapshot.projects = vcs_scn_records(p->projects, sizeof *p->projects, p->project_count);
    snapshot.project_resources = vcs_scn_records(p->project_resources, sizeof *p->project_resources, project_resources);
    snapshot.apps = vcs_scn_records(p->apps, sizeof *p->apps, apps);
    snapshot.app_resources = vcs_scn_records(p->app_resources, sizeof *p->app_resources, app_resources);
    snapshot.tasks = vcs_scn_records(NULL, sizeof(vcs_task), 0);
    snapshot.candidates = vcs_scn_records(NULL, sizeof(vcs_task), 0);
    p->scenario = (vcs_scenario){.struct_size = sizeof p->scenario, .snapshot = snapshot};
    p->scenario.emulation = vcs_scn_records(&p->draft.emulation, sizeof p->draft.emulation, 1);
    p->scenario.models = vcs_scn_records(p->models, sizeof *p->models, apps);
    p->scenario.servers = vcs_scn_records(p->servers, sizeof *p->servers, p->project_count);
    p->scenario.sizes = vcs_scn_records(NULL, sizeof(double), 0);
    p->scenario.switches = vcs_scn_records(switches->values, sizeof *switches->values, switches->count);
}

static bool complete_population(const struct state_reader *reader, struct grid_population *population) {
    const struct state_file *state = reader->state;
    uint32_t *place = make(vcs_scn_state_file_resource_count(state), sizeof *place);
    const bool room = allocate(population, state) && place != NULL;
    const bool done = room && choose_gpus(reader, population, place) && attach_all(reader, population) &&
                      choose_policy(reader, population);
    if (done) {
        const bool own_switches = population->switches.count > 0 || vcs_scn_reader_has(reader, "available");
        const uint32_t resources = copy_resources(reader, population, place);
        const uint32_t apps = add_apps(reader, population, copy_apps(reader, population, place));
        put_together(population, own_switches ? &population->switches : &state->switches, resources, apps,
                     copy_project_resources(reader, population, place),
                     copy_app_resources(reader, population, place, apps));
    }
    free(place);
    return done || (!room && vcs_scn_reader_refuse(reader, NULL, "there is not enough memory"));
}

bool vcs_scn_grid_populations_complete(const struct state_reader *reader) {
    struct grid_scenario *grid = reader->state->more;
    struct state_reader own = *reader;
    for (uint32_t i = 0; i < grid->population_count; i++) {
        struct grid_population *p = &grid->populations[i];
        own.section = reader->state->sections[GRID_POPULATION][i];
        if (!complete_population(&own, p)) {
            return false;
        }
        vcs_host_class *hosts = &grid->classes[i];
        *hosts = (vcs_host_class){.struct_size = sizeof *hosts, .scenario = &p->scenario, .parameters = &p->parameters};
        hosts->projects = vcs_scn_records(p->attached, sizeof *p->attached, p->project_count);
        hosts->model = vcs_scn_records(&p->draft.model, sizeof p->draft.model, 1);
        hosts->rows = vcs_scn_records(p->table.rows, sizeof *p->table.rows, p->table.count);
    }
    return true;
}

void vcs_scn_grid_population_free(struct grid_population *population) {
    vcs_scn_grid_table_free(&population->table);
    vcs_scn_state_list_free(&population->switches);
    free(population->resources);
    free(population->projects);
    free(population->attached);
    free(population->servers);
    free(population->project_resources);
    free(population->apps);
    free(population->app_resources);
    free(population->models);
}

struct grid_population_draft vcs_scn_grid_population_in_use(const struct grid_population *population) {
    struct grid_population_draft draft = population->draft;
    draft.count = (uint32_t)draft.model.count;
    draft.profile = vcs_profile_name(population->parameters.profile);
    draft.min_buffer = population->parameters.min_buffer;
    draft.additional_buffer = population->parameters.additional_buffer;
    return draft;
}
