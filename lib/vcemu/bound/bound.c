/*
 * What each project of a host loses at least.
 *
 * Rule 15.9; the plain reference is tests/oracle/oracle_bound.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/bound/bound.h"
#include "vcemu/bound/job_kind.h"
#include "vcemu/host/memory.h"
#include "vcemu/host/setup.h"
#include "vcemu/interface/bound_fields.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/host_fields.h"

/* Up to so many sizes, the mesh has twice as many parts for each. */
#define FEW_SIZES 4u

/* What the bounds are found from. */
typedef struct survey {
    vcs_emu_emulator *e;
    vcs_emu_setup setup;
    vcs_snapshot snapshot;
    const vcs_resource *resources;
    const vcs_app *apps;
    vcs_emu_mesh *mesh;
    vcs_emu_sizes *sizes;
    double *list; /* as long as all sizes */
    double on, off;
} survey;

/* ---- One project ---- */

/* The losses of one project, in the order of VCS_BOUND_*. */
typedef struct losses {
    double of[VCS_BOUND_KINDS];
} losses;

static double speed_of(const survey *s, const vcs_job_model *model) {
    const double speed =
        model->cpus * s->resources[0].flops + (model->gpu != 0 ? model->gpus * s->resources[model->gpu].flops : 0.0);
    return speed > 0.0 ? speed : s->resources[0].flops;
}

static void read_sizes(survey *s, const vcs_job_model *model) {
    for (uint32_t i = 0; model->distribution == VCS_SIZES_LIST && i < model->size_count; i++) {
        s->list[i] = s->setup.sizes[model->first_size + i];
    }
    vcs_emu_sizes_read(s->sizes, model, s->list, speed_of(s, model));
}

/* A loss below this is a rounding error. */
#define LEAST_LOSS 1e-12

/* What is lost of what is used; all of it if nothing is done. */
static double loss(double work, double used) {
    const double lost = used > work ? (used - work) / used : 0.0;
    return lost > LEAST_LOSS ? lost : 0.0;
}

static losses losses_of(const vcs_emu_kind_worth *sum) {
    losses found;
    found.of[VCS_BOUND_OPTIMAL] = loss(sum->work, sum->optimal);
    found.of[VCS_BOUND_HOPELESS] = loss(sum->work, sum->hopeless);
    found.of[VCS_BOUND_ANY_SIZE] = loss(sum->best, 1.0);
    found.of[VCS_BOUND_BLIND_OPTIMAL] = loss(sum->work, sum->blind_optimal);
    found.of[VCS_BOUND_BLIND_HOPELESS] = loss(sum->work, sum->blind_hopeless);
    return found;
}

/* Adds the jobs of an application, whose sizes are read, by how many there are and by the instances that they use. */
static bool add_kind(survey *s, const vcs_job_model *model, uint32_t coarser, vcs_emu_kind_worth *sum) {
    const double instances = model->gpu != 0 ? model->gpus : model->cpus;
    const double weight = model->weight * (instances > 0.0 ? instances : 1.0);
    vcs_emu_kind_worth worth;
    const uint32_t count = s->sizes->point_count;
    const uint32_t parts = count > 0 && count <= FEW_SIZES ? 2 * VCS_EMU_FINE : VCS_EMU_FINE;
    if (!vcs_emu_job_kind(s->mesh, s->sizes, model->latency_bound, s->on, s->off, parts / coarser, &worth)) {
        return false;
    }
    sum->work += weight * worth.work;
    sum->hopeless += weight * worth.hopeless;
    sum->optimal += weight * worth.optimal;
    sum->best = vcs_max(sum->best, worth.best);
    sum->blind_hopeless += weight * worth.blind_hopeless;
    sum->blind_optimal += weight * worth.blind_optimal;
    return true;
}

static bool is_exponential(const vcs_emu_setup *setup) {
    const vcs_emulation *emulation = &setup->emulation;
    return setup->switch_count == 0 && (emulation->available == 1.0 || (emulation->spells == VCS_SPELLS_EXPONENTIAL &&
                                                                        emulation->available_step == 0.0));
}

/* Whether the project sends jobs of an application, and they take time. */
static bool sends(survey *s, uint32_t project, uint32_t app) {
    const vcs_job_model *model = &s->setup.models[app];
    if (s->apps[app].project != project || !(model->weight > 0.0)) {
        return false;
    }
    read_sizes(s, model);
    return s->sizes->most > 0.0;
}

/* Finds what the project uses, and why it has no bound. */
static uint32_t look_at_jobs(survey *s, uint32_t project, uint32_t *resource) {
    uint32_t flags = VCS_BOUND_NO_JOBS;
    *resource = 0;
    for (uint32_t i = 0; i < s->snapshot.apps.count; i++) {
        const vcs_job_model *model = &s->setup.models[i];
        if (sends(s, project, i)) {
            const bool is_first = (flags & VCS_BOUND_NO_JOBS) != 0;
            flags |= !is_first && *resource != model->gpu ? VCS_BOUND_RESOURCES : 0;
            flags &= ~VCS_BOUND_NO_JOBS;
            *resource = model->gpu;
        }
    }
    return flags | (flags == 0 && !is_exponential(&s->setup) ? VCS_BOUND_SPELLS : 0);
}

/* The losses on a mesh that is so much coarser than the finest. */
static uint32_t find_losses(survey *s, uint32_t project, uint32_t coarser, losses *found) {
    vcs_emu_kind_worth sum = {0};
    for (uint32_t i = 0; i < s->snapshot.apps.count; i++) {
        if (sends(s, project, i) && !add_kind(s, &s->setup.models[i], coarser, &sum)) {
            return VCS_BOUND_MANY_SPELLS;
        }
    }
    *found = losses_of(&sum);
    return sum.work > 0.0 ? 0 : VCS_BOUND_INFEASIBLE;
}

/* The error of a mesh falls with the square of its parts, so a third of the difference is taken off. */
static void extrapolate(losses *fine, const losses *coarse, double *error) {
    *error = 0.0;
    for (uint32_t i = 0; i < VCS_BOUND_KINDS; i++) {
        const double change = (fine->of[i] - coarse->of[i]) / 3.0;
        *error = vcs_max(*error, change < 0.0 ? -change : change);
        fine->of[i] = vcs_min(vcs_max(fine->of[i] + change, 0.0), 1.0);
    }
}

static void find_bound(survey *s, uint32_t project, vcs_project_bound *bound) {
    losses fine = {{0}}, coarse;
    bound->flags = look_at_jobs(s, project, &bound->resource);
    if (bound->flags == 0) {
        bound->flags = find_losses(s, project, 1, &fine);
    }
    if (bound->flags == 0) {
        find_losses(s, project, 2, &coarse);
        extrapolate(&fine, &coarse, &bound->error);
    }
    for (uint32_t i = 0; bound->flags == VCS_BOUND_INFEASIBLE && i < VCS_BOUND_KINDS; i++) {
        fine.of[i] = 1.0;
    }
    bound->optimal = fine.of[VCS_BOUND_OPTIMAL];
    bound->hopeless = fine.of[VCS_BOUND_HOPELESS];
    bound->any_size = fine.of[VCS_BOUND_ANY_SIZE];
    bound->blind_optimal = fine.of[VCS_BOUND_BLIND_OPTIMAL];
    bound->blind_hopeless = fine.of[VCS_BOUND_BLIND_HOPELESS];
}

/* ---- All projects ---- */

/* Copies the records of an array, wholly checked. */
static void *read_records(vcs_emu_emulator *e, const vcs_array *array, const vcs_layout *layout) {
    unsigned char *records = vcs_emu_allocate(e, (uint64_t)array->count * layout->size);
    if (e->code == VCS_OK) {
        vcs_emu_note(e, vcs_check_array(array, layout, e->error));
    }
    for (uint32_t i = 0; e->code == VCS_OK && i < array->count; i++) {
        vcs_emu_note(e, vcs_copy_record(records + (size_t)i * layout->size, array, i, layout, e->error));
    }
    return records;
}

static void check_references(survey *s) {
    vcs_emu_emulator *e = s->e;
    if (s->snapshot.resources.count == 0) {
        vcs_emu_fail(e, VCS_ERR_COUNT, 0, "resources", "has no CPU");
    }
    for (uint32_t i = 0; e->code == VCS_OK && i < s->snapshot.apps.count; i++) {
        if (s->apps[i].project >= s->snapshot.projects.count) {
            vcs_emu_note(e, vcs_fail(e->error, VCS_ERR_INDEX, &vcs_app_layout, i, VCS_FIELD(vcs_app, project),
                                     "is not a project of the host"));
        }
    }
}

/* Reads the scenario, and gets the memory. */
static void open(survey *s, const vcs_scenario *scenario) {
    vcs_emu_emulator *e = s->e;
    vcs_parameters parameters;
    vcs_parameters_init(&parameters, sizeof parameters, VCS_PROFILE_CURRENT);
    vcs_emu_setup_begin(e, &s->setup, scenario);
    if (e->code == VCS_OK) {
        vcs_emu_setup_open(e, &s->setup, scenario, &parameters);
    }
    s->snapshot = scenario->snapshot;
    if (e->code == VCS_OK) {
        s->resources = read_records(e, &s->snapshot.resources, &vcs_resource_layout);
        s->apps = read_records(e, &s->snapshot.apps, &vcs_app_layout);
        s->mesh = vcs_emu_allocate(e, sizeof *s->mesh);
        s->sizes = vcs_emu_allocate(e, sizeof *s->sizes);
        s->list = vcs_emu_allocate(e, (uint64_t)scenario->sizes.count * sizeof *s->list);
        check_references(s);
    }
    const vcs_emulation *emulation = &s->setup.emulation;
    s->on = emulation->available_mean;
    s->off = emulation->available < 1.0 ? s->on * (1.0 - emulation->available) / emulation->available : 0.0;
}

static void find_bounds(survey *s, const vcs_array *bounds) {
    vcs_emu_emulator *e = s->e;
    const uint32_t count = s->snapshot.projects.count;
    const vcs_project *projects = read_records(e, &s->snapshot.projects, &vcs_project_layout);
    vcs_project_bound *found = vcs_emu_allocate(e, (uint64_t)count * sizeof *found);
    double shares = 0.0;
    for (uint32_t i = 0; e->code == VCS_OK && i < count; i++) {
        shares += projects[i].share;
    }
    for (uint32_t i = 0; e->code == VCS_OK && i < count; i++) {
        found[i] = (vcs_project_bound){.id = projects[i].id, .share = shares > 0.0 ? projects[i].share / shares : 0.0};
        find_bound(s, i, &found[i]);
    }
    for (uint32_t i = 0; e->code == VCS_OK && i < count; i++) {
        vcs_hand_out_element(bounds, i, &found[i], sizeof *found);
    }
}

int vcs_emu_bound(const vcs_scenario *scenario, const vcs_array *bounds, const vcs_emu_memory *memory,
                  vcs_error *error) {
    vcs_emu_emulator e = {.error = error, .memory = *memory};
    survey s = {.e = &e};
    e.setup = &s.setup;
    open(&s, scenario);
    if (e.code == VCS_OK) {
        find_bounds(&s, bounds);
    }
    vcs_emu_release_all(&e);
    return e.code;
}

int vcs_bound(const vcs_scenario *scenario, const vcs_array *bounds, vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    if (scenario == NULL || bounds == NULL) {
        return vcs_fail_at(error, VCS_ERR_NULL, 0, "", "the scenario or the array of bounds is NULL");
    }
    vcs_scenario known;
    code = vcs_emu_read_scenario(&known, scenario);
    if (code == VCS_OK && known.flags != 0) {
        code = VCS_ERR_FLAGS;
    }
    if (code == VCS_OK) {
        code = vcs_check_output(bounds, VCS_FIRST_project_bound, known.snapshot.projects.count);
    }
    if (code != VCS_OK) {
        return vcs_fail_at(error, code, 0, "",
                           "the scenario or the array of bounds does not have a size or form that this library knows");
    }
    return vcs_emu_bound(&known, bounds, &(vcs_emu_memory){0}, error);
}
