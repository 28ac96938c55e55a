/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/grid/grid_scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vcemu/scenario/state/state_sections.h"

/* ---- the records of a grid ---- */

static bool begin(const struct state_reader *reader) {
    struct state_file *state = reader->state;
    const uint32_t projects = state->counts[STATE_PROJECT], populations = state->counts[GRID_POPULATION];
    struct grid_scenario *grid = calloc(1, sizeof *grid);
    state->more = grid;
    if (grid != NULL) {
        grid->project_count = projects;
        grid->population_count = populations;
        grid->projects = calloc((size_t)projects + 1, sizeof *grid->projects);
        grid->servers = calloc((size_t)projects + 1, sizeof *grid->servers);
        grid->models = calloc((size_t)state->counts[STATE_APP] + 1, sizeof *grid->models);
        grid->populations = calloc((size_t)populations + 1, sizeof *grid->populations);
        grid->classes = calloc((size_t)populations + 1, sizeof *grid->classes);
    }
    return (grid != NULL && grid->projects != NULL && grid->servers != NULL && grid->models != NULL &&
            grid->populations != NULL && grid->classes != NULL) ||
           vcs_scn_fault_memory(reader->fault, state->document.file);
}

static void forget(void *more) {
    struct grid_scenario *grid = more;
    for (uint32_t i = 0; grid != NULL && i < grid->population_count && grid->populations != NULL; i++) {
        vcs_scn_grid_population_free(&grid->populations[i]);
    }
    if (grid != NULL) {
        free(grid->projects);
        free(grid->servers);
        free(grid->models);
        free(grid->populations);
        free(grid->classes);
    }
    free(grid);
}

/* ---- required and refused sections ---- */

/* Refuses the first section of a kind. */
static bool refuse_first(const struct state_reader *reader, uint32_t kind, const char *what) {
    struct state_reader own = *reader;
    own.section = reader->state->sections[kind][0];
    return vcs_scn_reader_refuse(&own, NULL, "%s", what);
}

/* The server of a project describes its jobs. */
static bool check_apps(const struct state_reader *reader) {
    static const char *const of_servers[] = {"latency_bound", "est_flops",    "mean_flops",
                                             "sd_flops",      "distribution", "sizes"};
    struct state_reader own = *reader;
    for (uint32_t i = 0; i < reader->state->counts[STATE_APP]; i++) {
        own.section = reader->state->sections[STATE_APP][i];
        for (size_t k = 0; k < sizeof of_servers / sizeof *of_servers; k++) {
            if (vcs_scn_reader_has(&own, of_servers[k])) {
                return vcs_scn_reader_refuse(&own, of_servers[k],
                                             "in a grid, the [server] of the project says what its units are");
            }
        }
    }
    return true;
}

static bool check_servers(const struct state_reader *reader) {
    const struct grid_scenario *grid = reader->state->more;
    struct state_reader own = *reader;
    for (uint32_t i = 0; i < grid->project_count; i++) {
        own.section = reader->state->sections[STATE_PROJECT][i];
        if (grid->servers[i] == NULL) {
            return vcs_scn_reader_refuse(&own, NULL, "there is no section [server %s]",
                                         vcs_scn_fault_quote(vcs_scn_ini_section_name(own.section)).text);
        }
    }
    return true;
}

/* More hosts than this are meant only if a count says so. */
#define MANY_HOSTS 1e5
/* Memory for the emulation of one host; measured in doc/figures.md. */
#define GIGABYTES_OF_A_HOST 16.8e-6

/* Warns before all hosts of a table are emulated: there may be more than memory holds. */
static void note_many_hosts(const struct state_reader *reader) {
    const struct state_file *state = reader->state;
    const struct grid_scenario *grid = state->more;
    const struct ini_section *section = NULL;
    double hosts = 0;
    for (uint32_t i = 0; i < grid->population_count; i++) {
        const struct ini_section *own = state->sections[GRID_POPULATION][i];
        if (vcs_scn_ini_entry(&state->document, own, "count") == NULL) {
            section = section == NULL ? own : section;
            hosts += (double)grid->populations[i].draft.model.count;
        }
    }
    if (hosts > MANY_HOSTS) {
        const struct place place = vcs_scn_ini_place(&state->document, section, "table");
        const double gigabytes = hosts * GIGABYTES_OF_A_HOST;
        const char *before = state->note.message;
        vcs_scn_fault_at(&reader->state->note, &place,
                         "%.0f hosts, all of them emulated, take some %.*f GB of memory; count = 1000 would "
                         "emulate 1000 of them, in proportion%s%s",
                         hosts, gigabytes < 10 ? 1 : 0, gigabytes, before[0] == '\0' ? "" : "; ", before);
    }
}

static bool end(const struct state_reader *reader) {
    const struct state_file *state = reader->state;
    struct grid_scenario *grid = state->more;
    if (grid->project_count == 0) {
        return vcs_scn_fault_set(reader->fault, "%s: a grid needs a [project NAME] and its [server NAME]",
                                 state->document.file);
    }
    if (grid->population_count == 0) {
        return vcs_scn_fault_set(reader->fault, "%s: a grid needs hosts: a [population NAME]", state->document.file);
    }
    if (state->counts[STATE_TASK] > 0) {
        return refuse_first(reader, STATE_TASK, "the hosts of a grid have no tasks when it begins");
    }
    vcs_grid_terms_init(&grid->terms, sizeof grid->terms);
    grid->terms.start = state->emulation.start;
    grid->terms.duration = state->emulation.duration;
    grid->terms.seed = state->emulation.seed;
    note_many_hosts(reader);
    return check_apps(reader) && check_servers(reader) && vcs_scn_grid_populations_complete(reader);
}

static const struct state_section *const sections[] = {
    STATE_SECTIONS, [GRID_SERVER] = &vcs_scn_grid_server_section, [GRID_POPULATION] = &vcs_scn_grid_population_section};

const struct state_grammar vcs_scn_grid_grammar = {
    .sections = sections,
    .count = sizeof sections / sizeof *sections,
    .host_optional = true,
    .begin = begin,
    .end = end,
    .forget = forget,
};

/* ---- as the library reads it ---- */

bool vcs_scn_grid_scenario_is(const struct state_file *file) {
    return file->grammar == &vcs_scn_grid_grammar;
}

const struct grid_scenario *vcs_scn_grid_scenario_of(const struct state_file *file) {
    return file->more;
}

vcs_grid vcs_scn_grid_scenario_grid(const struct grid_scenario *grid, uint64_t seed, double sample,
                                    vcs_grid_terms *terms) {
    vcs_grid all = {.struct_size = sizeof all};
    *terms = grid->terms;
    terms->seed = seed;
    terms->sample = sample;
    all.terms = vcs_scn_records(terms, sizeof *terms, 1);
    all.projects = vcs_scn_records(grid->projects, sizeof *grid->projects, grid->project_count);
    all.classes = vcs_scn_records(grid->classes, sizeof *grid->classes, grid->population_count);
    return all;
}

uint64_t vcs_scn_grid_scenario_most_hosts(const struct grid_scenario *grid) {
    double most = 0;
    for (uint32_t i = 0; i < grid->population_count; i++) {
        const vcs_host_model *model = &grid->populations[i].draft.model;
        const double count = (double)model->count;
        most += count;
        if ((model->flags & VCS_HOSTS_REPLACED) != 0) {
            /* later arrivals are a Poisson number, which never comes near this bound */
            const double later = count * grid->terms.duration / model->lifetime;
            most += later + 8 * sqrt(later) + 16;
        }
    }
    return (uint64_t)most;
}

/* ---- refusals of the library ---- */

static bool refuse_at(const struct state_file *file, uint32_t kind, uint32_t index, const vcs_error *error,
                      struct fault *fault) {
    vcs_error own = *error;
    own.index = index;
    return vcs_scn_state_file_refuse(file, kind, &own, fault);
}

bool vcs_scn_grid_scenario_refuse(const struct state_file *file, const vcs_error *error, struct fault *fault) {
    if (error->type == VCS_TYPE_GRID_PROJECT && error->index < file->counts[STATE_PROJECT]) {
        const struct ini_section *server = vcs_scn_grid_scenario_of(file)->servers[error->index];
        return refuse_at(file, GRID_SERVER, server->record, error, fault);
    }
    return vcs_scn_fault_library(fault, file->document.file, error);
}

/* Explains why the library refused a population that it was given alone. */
static bool refuse_population(const struct state_file *file, uint32_t index, const vcs_error *error,
                              struct fault *fault) {
    const struct grid_population *population = &vcs_scn_grid_scenario_of(file)->populations[index];
    switch (error->type) {
    case VCS_TYPE_GRID_PROJECT:
    case VCS_TYPE_GRID_TERMS:
        return vcs_scn_grid_scenario_refuse(file, error, fault);
    case VCS_TYPE_PROJECT:
    case VCS_TYPE_SERVER_MODEL:
        if (error->index < population->project_count) {
            return refuse_at(file, STATE_PROJECT, population->attached[error->index], error, fault);
        }
        break;
    case VCS_TYPE_APP:
    case VCS_TYPE_JOB_MODEL:
        if (error->index < population->scenario.snapshot.apps.count &&
            population->apps[error->index].id < file->counts[STATE_APP]) {
            return refuse_at(file, STATE_APP, (uint32_t)population->apps[error->index].id, error, fault);
        }
        break;
    default:
        break;
    }
    return refuse_at(file, GRID_POPULATION, index, error, fault);
}

/* Gives each population to the library alone and without hosts, to learn which one is at fault. */
bool vcs_scn_grid_scenario_check(const struct state_file *file, struct fault *fault) {
    const struct grid_scenario *grid = vcs_scn_grid_scenario_of(file);
    const vcs_grid_results results = {.struct_size = sizeof results};
    for (uint32_t i = 0; i < grid->population_count; i++) {
        vcs_grid_terms terms;
        vcs_host_model nobody = grid->populations[i].draft.model;
        vcs_host_class alone = grid->classes[i];
        vcs_grid all = vcs_scn_grid_scenario_grid(grid, 1, 0, &terms);
        vcs_error error = {.struct_size = sizeof error};
        nobody.count = 0;
        alone.model = vcs_scn_records(&nobody, sizeof nobody, 1);
        all.classes = vcs_scn_records(&alone, sizeof alone, 1);
        error.code = vcs_emulate_grid(&all, NULL, &results, &error);
        if (error.code != VCS_OK) {
            return refuse_population(file, i, &error, fault);
        }
    }
    return true;
}
