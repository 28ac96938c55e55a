/* The least losses as text and as JSON. SPDX-License-Identifier: MIT */
#include "bound/bound.h"

#include <stdlib.h>

#include "text/json.h"
#include "text/table.h"
#include "vcemu/scenario/scenario.h"

static vcs_array projects_of(struct bound_answer *answer) {
    return (vcs_array){{answer->bounds}, sizeof *answer->bounds, answer->count};
}

static bool find_curves(struct bound_answer *answer, const vcs_array *bounds, struct fault *fault) {
    for (uint32_t kind = 0; kind < VCS_BOUND_KINDS; kind++) {
        answer->points[kind] = calloc(answer->count == 0 ? 1 : answer->count, sizeof **answer->points);
        if (answer->points[kind] == NULL) {
            return vcs_scn_fault_memory(fault, answer->file->document.file);
        }
        const vcs_array points = {{answer->points[kind]}, sizeof **answer->points, answer->count};
        vcs_bound_curve(bounds, kind, &points, &answer->corners[kind], NULL); /* of what vcs_bound() has answered */
    }
    return true;
}

bool bound_find(struct bound_answer *answer, const struct state_file *file, struct fault *fault) {
    vcs_emulation emulation;
    vcs_error error = {.struct_size = sizeof error};
    *answer = (struct bound_answer){.file = file, .count = file->counts[STATE_PROJECT]};
    answer->bounds = calloc(answer->count == 0 ? 1 : answer->count, sizeof *answer->bounds);
    if (answer->bounds == NULL) {
        return vcs_scn_fault_memory(fault, file->document.file);
    }
    if (!vcs_scn_check(file, fault)) {
        return false;
    }
    const vcs_scenario scenario = vcs_scn_scenario_of(file, &emulation);
    const vcs_array bounds = projects_of(answer);
    error.code = vcs_bound(&scenario, &bounds, &error);
    return error.code == VCS_OK ? find_curves(answer, &bounds, fault) : vcs_scn_refuse(file, &error, fault);
}

void bound_free(struct bound_answer *answer) {
    for (uint32_t kind = 0; kind < VCS_BOUND_KINDS; kind++) {
        free(answer->points[kind]);
    }
    free(answer->bounds);
    *answer = (struct bound_answer){.file = NULL};
}

double bound_loss(const vcs_project_bound *bound, uint32_t kind) {
    const double losses[VCS_BOUND_KINDS] = {
        [VCS_BOUND_OPTIMAL] = bound->optimal,
        [VCS_BOUND_HOPELESS] = bound->hopeless,
        [VCS_BOUND_ANY_SIZE] = bound->any_size,
        [VCS_BOUND_BLIND_OPTIMAL] = bound->blind_optimal,
        [VCS_BOUND_BLIND_HOPELESS] = bound->blind_hopeless,
    };
    return losses[kind];
}

static const struct reason {
    uint32_t flag;
    const char *name, *sentence;
} reasons[] = {
    {VCS_BOUND_NO_JOBS, "no_jobs", "it sends no jobs that take time"},
    {VCS_BOUND_INFEASIBLE, "infeasible", "none of its jobs can be done in time"},
    {VCS_BOUND_SPELLS, "spells", "the host is on and off by a trace, in steps, or not in exponential spells"},
    {VCS_BOUND_RESOURCES, "resources", "its jobs use several resources"},
    {VCS_BOUND_MANY_SPELLS, "many_spells", "the host goes on and off too often while a job runs"},
};

/* Why there is no bound; NULL if there is one. */
static const struct reason *reason_of(const vcs_project_bound *bound) {
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if ((bound->flags & reasons[i].flag) != 0) {
            return &reasons[i];
        }
    }
    return NULL;
}

const char *bound_reason(const vcs_project_bound *bound) {
    const struct reason *reason = reason_of(bound);
    return reason == NULL ? NULL : reason->name;
}

bool bound_is_known(const vcs_project_bound *bound) {
    return (bound->flags & ~VCS_BOUND_INFEASIBLE) == 0;
}

/* ---- for people ---- */

static bool print_projects(const struct bound_answer *answer, const struct screen *screen) {
    static const struct table_column columns[] = {
        {"project", false, 8}, {"share", true, 0},          {"optimal", true, 0},  {"hopeless", true, 0},
        {"any size", true, 0}, {"blind: optimal", true, 0}, {"hopeless", true, 0},
    };
    struct table table = table_start(columns, sizeof columns / sizeof *columns);
    for (uint32_t i = 0; i < answer->count; i++) {
        const vcs_project_bound *bound = &answer->bounds[i];
        table_add(&table, STYLE_PLAIN, "%s", vcs_scn_state_file_name(answer->file, STATE_PROJECT, i));
        table_add(&table, STYLE_PLAIN, "%.1f%%", 100 * bound->share);
        for (uint32_t kind = 0; kind < VCS_BOUND_KINDS; kind++) {
            if (bound_is_known(bound)) {
                table_add(&table, STYLE_PLAIN, "%.4f", bound_loss(bound, kind));
            } else {
                table_add(&table, STYLE_FAINT, "-");
            }
        }
    }
    const bool printed = table_print(&table, screen);
    table_free(&table);
    return printed;
}

static bool print_curve(const struct bound_answer *answer, const struct screen *screen, uint32_t kind) {
    static const struct table_column columns[] = {
        {"share violation", true, 0}, {"least loss", true, 0}, {"no longer worked for", false, 8}};
    struct table table = table_start(columns, sizeof columns / sizeof *columns);
    for (uint32_t i = 0; i < answer->corners[kind]; i++) {
        const vcs_bound_point *point = &answer->points[kind][i];
        table_add(&table, STYLE_PLAIN, "%.4f", point->share_violation);
        table_add(&table, STYLE_PLAIN, "%.4f", point->loss);
        table_add(&table, STYLE_PLAIN, "%s",
                  point->project == VCS_NONE ? ""
                                             : vcs_scn_state_file_name(answer->file, STATE_PROJECT, point->project));
    }
    const bool printed = table_print(&table, screen);
    table_free(&table);
    return printed;
}

bool bound_print_text(const struct bound_answer *answer, const struct screen *screen) {
    double error = 0;
    screen_print(screen, STYLE_HEADING, "Lost of the processor time used, at least");
    fputs("\n\n", screen->out);
    if (!print_projects(answer, screen)) {
        return false;
    }
    for (uint32_t i = 0; i < answer->count; i++) {
        const struct reason *reason = reason_of(&answer->bounds[i]);
        error = answer->bounds[i].error > error ? answer->bounds[i].error : error;
        if (reason != NULL) {
            fprintf(screen->out, "%s: %s.\n", vcs_scn_state_file_name(answer->file, STATE_PROJECT, i),
                    reason->sentence);
        }
    }
    if (answer->corners[VCS_BOUND_OPTIMAL] == 0) {
        fputs("There is no curve: not all projects have a bound on the same resource.\n", screen->out);
        return true;
    }
    fprintf(screen->out, "\nThe losses are exact within about %.1g.\n\n", error);
    screen_print(screen, STYLE_HEADING, "The curve of `optimal`");
    fputs("\n\n", screen->out);
    return print_curve(answer, screen, VCS_BOUND_OPTIMAL);
}

/* ---- JSON ---- */

static void write_project(struct json *json, const struct bound_answer *answer, uint32_t index) {
    const vcs_project_bound *bound = &answer->bounds[index];
    json_begin_object(json, NULL);
    json_string(json, "name", vcs_scn_state_file_name(answer->file, STATE_PROJECT, index));
    json_number(json, "share", bound->share);
    json_string(json, "reason", bound_reason(bound));
    for (uint32_t kind = 0; kind < VCS_BOUND_KINDS; kind++) {
        if (bound_is_known(bound)) {
            json_number(json, vcs_bound_name(kind), bound_loss(bound, kind));
        } else {
            json_null(json, vcs_bound_name(kind));
        }
    }
    json_number(json, "error", bound->error);
    json_end_object(json);
}

static void write_curve(struct json *json, const struct bound_answer *answer, uint32_t kind) {
    json_begin_array(json, vcs_bound_name(kind));
    for (uint32_t i = 0; i < answer->corners[kind]; i++) {
        const vcs_bound_point *point = &answer->points[kind][i];
        json_begin_object(json, NULL);
        json_number(json, "share_violation", point->share_violation);
        json_number(json, "loss", point->loss);
        json_string(json, "project",
                    point->project == VCS_NONE ? NULL
                                               : vcs_scn_state_file_name(answer->file, STATE_PROJECT, point->project));
        json_end_object(json);
    }
    json_end_array(json);
}

void bound_print_json(const struct bound_answer *answer, FILE *out) {
    struct json json = json_start(out);
    json_begin_object(&json, NULL);
    json_begin_array(&json, "projects");
    for (uint32_t i = 0; i < answer->count; i++) {
        write_project(&json, answer, i);
    }
    json_end_array(&json);
    json_begin_object(&json, "curves");
    for (uint32_t kind = 0; kind < VCS_BOUND_KINDS; kind++) {
        write_curve(&json, answer, kind);
    }
    json_end_object(&json);
    json_end_object(&json);
    json_finish(&json);
}
