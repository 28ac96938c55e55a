/* SPDX-License-Identifier: MIT */
#include "vcemu/sweep/plan/sweep_scenario.h"

#include <stdlib.h>
#include <string.h>

#include "vcemu/sweep/figures/grid_emulation.h"
#include "vcemu/scenario/state/state_interpret.h"
#include "vcemu/scenario/text/ini_edit.h"
#include "vcemu/scenario/policy/policy_run.h"
#include "vcemu/scenario/scenario.h"

/* Long enough for the emulator to check its input. */
#define DURATION_OF_CHECK 1e-3

/* Ends an emulation that is no longer wanted; no error code of the library. */
#define STOPPED (-1000)

/* ---- the values of a point ---- */

static bool no_memory(struct fault *fault) {
    return vcs_scn_fault_set(fault, "there is not enough memory for the sweep");
}

static bool set_axis(struct sweep_scenario *scenario, size_t number, uint64_t point, struct fault *fault) {
    const struct sweep_grid *grid = &scenario->plan->grid;
    const struct sweep_axis *axis = &grid->axes[number];
    char buffer[SWEEP_NUMBER_SIZE];
    char *value = scenario->values[number] + strlen(axis->key) + 1;
    const char *text = vcs_swp_grid_value(grid, point, number, buffer);
    memcpy(value, text, strlen(text) + 1);
    if (axis->path.kind != STATE_CLIENT) {
        return axis->path.kind == SWEEP_KIND_FILE ||
               vcs_scn_state_path_set(&axis->path, &scenario->file.document,
                                      &(struct ini_entry){.key = axis->path.entry, .value = value}) ||
               no_memory(fault);
    }
    if (strcmp(axis->path.entry, "profile") == 0) {
        scenario->wish.profile = value;
        scenario->wish.profile_option = "--vary";
    } else if (strcmp(axis->path.entry, "policy") == 0) {
        scenario->wish.policy = value;
    } else if (strcmp(axis->path.entry, "policy_argument") == 0) {
        scenario->wish.policy_argument = value;
    }
    return true; /* the setting of a parameter is the text itself */
}

/* Begins with a copy of the state file of the point. */
static bool copy_base(struct sweep_scenario *scenario, uint64_t point, struct fault *fault) {
    const size_t base = vcs_swp_grid_file(&scenario->plan->grid, point);
    if (scenario->base == base) {
        return true;
    }
    vcs_scn_state_file_free(&scenario->file);
    scenario->file = (struct state_file){.grammar = scenario->bases[base].grammar};
    scenario->base = SIZE_MAX;
    if (!vcs_scn_ini_copy(&scenario->file.document, &scenario->bases[base].document)) {
        return no_memory(fault);
    }
    scenario->base = base;
    return true;
}

/* Loads the policy of the point, unless it is there. */
static bool load_policy(struct sweep_scenario *scenario, struct fault *fault) {
    if (scenario->wish.own_policy != NULL) {
        scenario->library.policy = scenario->wish.own_policy;
        return true;
    }
    const char *path = scenario->wish.policy == NULL ? POLICY_NONE : scenario->wish.policy;
    if (scenario->library_path != NULL && strcmp(scenario->library_path, path) == 0) {
        return true;
    }
    vcs_scn_policy_library_close(&scenario->library);
    free(scenario->library_path);
    scenario->library_path = malloc(strlen(path) + 1);
    if (scenario->library_path == NULL) {
        return no_memory(fault);
    }
    strcpy(scenario->library_path, path);
    if (!vcs_scn_policy_library_open(&scenario->library, path, fault)) {
        scenario->library_path[0] = '\0'; /* the name of none */
        return false;
    }
    return true;
}

static bool check(const struct state_file *file, struct fault *fault) {
    return vcs_scn_grid_scenario_is(file) ? vcs_scn_grid_scenario_check(file, fault) : vcs_scn_check(file, fault);
}

/* Puts the values of the point in place. */
static bool move_to(struct sweep_scenario *scenario, uint64_t point, struct fault *fault) {
    const struct sweep_grid *grid = &scenario->plan->grid;
    if (scenario->point == point) {
        return true;
    }
    scenario->point = UINT64_MAX;
    if (!copy_base(scenario, point, fault)) {
        return false;
    }
    for (size_t i = 0; i < grid->axis_count; i++) {
        if (!set_axis(scenario, i, point, fault)) {
            return false;
        }
    }
    if (!load_policy(scenario, fault) || !vcs_scn_policy_check_wish(&scenario->wish, fault) ||
        !vcs_scn_state_file_interpret(&scenario->file, &scenario->wish, fault) || !check(&scenario->file, fault)) {
        return vcs_swp_grid_fault_at(grid, point, fault);
    }
    scenario->point = point;
    return true;
}

/* ---- emulation of a host ---- */

/* Room for the outcomes of this many projects and resources. */
static bool allocate(struct sweep_scenario *scenario, uint32_t projects, uint32_t resources) {
    struct sweep_outcomes *outcomes = &scenario->outcomes;
    if (projects > scenario->project_room) {
        vcs_project_outcome *grown = realloc(outcomes->projects, projects * sizeof *grown);
        outcomes->projects = grown == NULL ? outcomes->projects : grown;
        scenario->project_room = grown == NULL ? scenario->project_room : projects;
    }
    if (resources > scenario->resource_room) {
        vcs_resource_outcome *grown = realloc(outcomes->resources, resources * sizeof *grown);
        outcomes->resources = grown == NULL ? outcomes->resources : grown;
        scenario->resource_room = grown == NULL ? scenario->resource_room : resources;
    }
    return projects <= scenario->project_room && resources <= scenario->resource_room;
}

static int go_on(void *worker, const vcs_event *event) {
    (void)event;
    return vcs_swp_worker_goes_on(worker) ? VCS_OK : STOPPED;
}

/* Emulates a host. */
static bool emulate(struct sweep_scenario *scenario, const vcs_scenario *records, const struct worker *worker,
                    struct fault *fault) {
    const struct state_file *file = &scenario->file;
    const vcs_policy *policy = scenario->library.policy;
    struct policy_run run;
    vcs_hooks hooks;
    struct sweep_outcomes *outcomes = &scenario->outcomes;
    const bool of_parts = scenario->plan->figures.of_parts || scenario->plan->figures.compared;
    const uint32_t projects = of_parts ? records->snapshot.projects.count : 0;
    const uint32_t resources = of_parts ? records->snapshot.resources.count : 0;
    vcs_error error = {.struct_size = sizeof error};
    if (!allocate(scenario, projects, resources)) {
        return no_memory(fault);
    }
    if (!vcs_scn_policy_run_begin(&run, policy, scenario->wish.policy_argument, records, &file->emulated_parameters,
                                  worker == NULL ? NULL : go_on, (void *)worker, &hooks, fault)) {
        return vcs_swp_grid_fault_at(&scenario->plan->grid, scenario->point, fault);
    }
    outcomes->host = (vcs_outcome){.struct_size = sizeof outcomes->host};
    error.code = vcs_emulate(records, &file->emulated_parameters, &hooks, &outcomes->host,
                             &(vcs_array){{outcomes->projects}, sizeof *outcomes->projects, projects},
                             &(vcs_array){{outcomes->resources}, sizeof *outcomes->resources, resources}, &error);
    vcs_scn_policy_run_end(&run);
    if (error.code == VCS_OK) {
        return true;
    }
    vcs_scn_refuse_policy(file, policy != NULL, &error, fault);
    return vcs_swp_grid_fault_at(&scenario->plan->grid, scenario->point, fault);
}

/* ---- comparison with the bound ---- */

/* Finds the bounds of the point, once for all its seeds. */
static bool find_bounds(struct sweep_scenario *scenario, const vcs_scenario *records, struct fault *fault) {
    const uint32_t count = records->snapshot.projects.count;
    vcs_error error = {.struct_size = sizeof error};
    if (scenario->bounds_point == scenario->point) {
        return true;
    }
    vcs_project_bound *grown = realloc(scenario->bounds, (count == 0 ? 1 : count) * sizeof *grown);
    if (grown == NULL) {
        return no_memory(fault);
    }
    scenario->bounds = grown;
    memset(grown, 0, count * sizeof *grown);
    error.code = vcs_bound(records, &(vcs_array){{grown}, sizeof *grown, count}, &error);
    if (error.code != VCS_OK) {
        vcs_scn_refuse(&scenario->file, &error, fault);
        return vcs_swp_grid_fault_at(&scenario->plan->grid, scenario->point, fault);
    }
    scenario->bounds_point = scenario->point;
    return true;
}

/* Compares what was lost with what would have been at least. */
static bool compare(struct sweep_scenario *scenario, const vcs_scenario *records, struct fault *fault) {
    struct sweep_outcomes *outcomes = &scenario->outcomes;
    const uint32_t projects = records->snapshot.projects.count, resources = records->snapshot.resources.count;
    vcs_error error = {.struct_size = sizeof error};
    if (!find_bounds(scenario, records, fault)) {
        return false;
    }
    error.code =
        vcs_bound_beyond(&(vcs_array){{scenario->bounds}, sizeof *scenario->bounds, projects}, VCS_BOUND_OPTIMAL,
                         &(vcs_array){{outcomes->projects}, sizeof *outcomes->projects, projects},
                         &(vcs_array){{outcomes->resources}, sizeof *outcomes->resources, resources}, &outcomes->lost,
                         &outcomes->least, &error);
    return error.code == VCS_OK || vcs_scn_refuse(&scenario->file, &error, fault);
}

/* ---- emulation of either kind ---- */

bool vcs_swp_scenario_check(struct sweep_scenario *scenario, uint64_t point, struct fault *fault) {
    vcs_emulation emulation;
    if (!move_to(scenario, point, fault)) {
        return false;
    }
    if (vcs_scn_grid_scenario_is(&scenario->file)) {
        return true; /* the check of the grid was all */
    }
    const vcs_scenario records = vcs_scn_scenario_of(&scenario->file, &emulation);
    if (emulation.duration > DURATION_OF_CHECK && emulation.duration <= VCS_MAX_EMULATION) {
        emulation.duration = DURATION_OF_CHECK;
    }
    return emulate(scenario, &records, NULL, fault);
}

static void compute_figures(const struct sweep_scenario *scenario, double *values) {
    const struct sweep_figures *figures = &scenario->plan->figures;
    for (size_t i = 0; i < figures->count; i++) {
        values[i] = vcs_swp_figure_of(&figures->list[i], &scenario->outcomes);
    }
}

static bool emulate_host(struct sweep_scenario *scenario, uint64_t seed, const struct worker *worker, double *values,
                         struct fault *fault) {
    vcs_emulation emulation;
    const vcs_scenario records = vcs_scn_scenario_of(&scenario->file, &emulation);
    emulation.seed = seed;
    if (!emulate(scenario, &records, worker, fault) ||
        (scenario->plan->figures.compared && !compare(scenario, &records, fault))) {
        return false;
    }
    compute_figures(scenario, values);
    return true;
}

static bool emulate_grid(struct sweep_scenario *scenario, uint64_t seed, const struct worker *worker, double *values,
                         struct fault *fault) {
    struct grid_emulation run = {.seed = seed};
    const struct grid_emulated emulated = {.file = &scenario->file,
                                           .grid = vcs_scn_grid_scenario_of(&scenario->file),
                                           .runs = &run,
                                           .run_count = 1,
                                           .bounds = scenario->plan->figures.compared};
    const bool done = vcs_swp_grid_emulate(&run, &emulated, worker, NULL, fault);
    if (done) {
        scenario->outcomes.grid = &emulated;
        compute_figures(scenario, values);
        scenario->outcomes.grid = NULL;
    }
    vcs_swp_grid_emulation_free(&run);
    return done || vcs_swp_grid_fault_at(&scenario->plan->grid, scenario->point, fault);
}

bool vcs_swp_scenario_emulate(struct sweep_scenario *scenario, uint64_t point, uint64_t seed,
                              const struct worker *worker, double *values, struct fault *fault) {
    if (!move_to(scenario, point, fault)) {
        return false;
    }
    return (vcs_scn_grid_scenario_is(&scenario->file) ? emulate_grid : emulate_host)(scenario, seed, worker, values,
                                                                                     fault);
}

/* ---- from the state files ---- */

static bool check_sections(const struct sweep_scenario *scenario, const struct sweep_axis *axis, struct fault *fault) {
    for (size_t i = 0; axis->path.kind != SWEEP_KIND_FILE && i < scenario->plan->sweep->file_count; i++) {
        if (!vcs_scn_state_path_leads(&axis->path, &scenario->bases[i].document, axis->origin, axis->key, fault)) {
            return false;
        }
    }
    return true;
}

/* Allocates the text of the axis, which is a setting too if the axis is a parameter. */
static bool add_axis(struct sweep_scenario *scenario, size_t number, struct fault *fault) {
    const struct sweep_axis *axis = &scenario->plan->grid.axes[number];
    const size_t length = strlen(axis->key);
    char *text = calloc(length + 1 + axis->value_size, 1);
    scenario->values[number] = text;
    if (text == NULL) {
        return no_memory(fault);
    }
    memcpy(text, axis->key, length);
    text[length] = '=';
    if (axis->path.kind != STATE_CLIENT) {
        return check_sections(scenario, axis, fault);
    }
    if (!vcs_swp_axis_is_option(axis)) {
        scenario->settings[scenario->wish.setting_count++] = text;
        scenario->wish.later_count++;
        scenario->wish.later_option = "--vary";
    }
    return true;
}

bool vcs_swp_scenario_make(struct sweep_scenario *scenario, const struct sweep_plan *plan,
                           const struct state_file *bases, const struct policy_wish *wish, struct fault *fault) {
    const size_t axes = plan->grid.axis_count;
    const size_t settings = wish->setting_count + axes;
    *scenario = (struct sweep_scenario){
        .plan = plan,
        .bases = bases,
        .base = SIZE_MAX,
        .wish = *wish,
        .settings = calloc(settings == 0 ? 1 : settings, sizeof *scenario->settings),
        .values = calloc(axes == 0 ? 1 : axes, sizeof *scenario->values),
        .point = UINT64_MAX,
        .bounds_point = UINT64_MAX,
    };
    if (scenario->settings == NULL || scenario->values == NULL) {
        return no_memory(fault);
    }
    for (size_t i = 0; i < wish->setting_count; i++) {
        scenario->settings[i] = wish->settings[i];
    }
    scenario->wish.settings = scenario->settings;
    for (size_t i = 0; i < axes; i++) {
        if (!add_axis(scenario, i, fault)) {
            return false;
        }
    }
    return true;
}

void vcs_swp_scenario_free(struct sweep_scenario *scenario) {
    for (size_t i = 0; scenario->values != NULL && i < scenario->plan->grid.axis_count; i++) {
        free(scenario->values[i]);
    }
    free(scenario->values);
    free(scenario->settings);
    free(scenario->outcomes.projects);
    free(scenario->outcomes.resources);
    free(scenario->bounds);
    free(scenario->library_path);
    vcs_scn_policy_library_close(&scenario->library);
    vcs_scn_state_file_free(&scenario->file);
}
