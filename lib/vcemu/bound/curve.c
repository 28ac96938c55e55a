/*
 * The least loss at a mix of projects, and for each share violation.
 *
 * Rule 15.9; worked by hand in tests/vcemu/bound/test_bound_curve.c.
 *
 * Of a mix m_j the loss is the sum of m_j * loss_j, and the share violation half the sum of |m_j - share_j|. So to lose
 * less, what is moved goes to the project that loses least, and comes from the project that loses most.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/interface/bound_fields.h"
#include "vcemu/interface/emulator_fields.h"
#include "vcsched/interface/check/check.h"

#include <stdbool.h>

#define NO_BOUND (~VCS_BOUND_INFEASIBLE)

static const char names[VCS_BOUND_KINDS][16] = {
    [VCS_BOUND_OPTIMAL] = "optimal",
    [VCS_BOUND_HOPELESS] = "hopeless",
    [VCS_BOUND_ANY_SIZE] = "any_size",
    [VCS_BOUND_BLIND_OPTIMAL] = "blind_optimal",
    [VCS_BOUND_BLIND_HOPELESS] = "blind_hopeless",
};

const char *vcs_bound_name(uint32_t kind) {
    return kind < VCS_BOUND_KINDS ? names[kind] : "";
}

/* The bound at this index, of any age; the array has been checked. */
static vcs_project_bound bound_at(const vcs_array *bounds, uint32_t index) {
    vcs_project_bound bound;
    vcs_copy_record(&bound, bounds, index, &vcs_project_bound_layout, NULL);
    return bound;
}

static double loss_of(const vcs_project_bound *bound, uint32_t kind) {
    switch (kind) {
    case VCS_BOUND_HOPELESS:
        return bound->hopeless;
    case VCS_BOUND_ANY_SIZE:
        return bound->any_size;
    case VCS_BOUND_BLIND_OPTIMAL:
        return bound->blind_optimal;
    case VCS_BOUND_BLIND_HOPELESS:
        return bound->blind_hopeless;
    default:
        return bound->optimal;
    }
}

/* Checks all records of an array. */
static int check_records(const vcs_array *array, const vcs_layout *layout, vcs_error *error) {
    union {
        vcs_project_bound bound;
        vcs_project_outcome project;
        vcs_resource_outcome resource;
    } copy;
    int code = vcs_check_array(array, layout, error);
    for (uint32_t i = 0; code == VCS_OK && i < array->count; i++) {
        code = vcs_copy_record(&copy, array, i, layout, error);
    }
    return code;
}

/* ---- The curve ---- */

/* Whether project a gives up what it has before project b: it loses more, or as much and comes first. */
static bool goes_before(const vcs_array *bounds, uint32_t kind, uint32_t a, uint32_t b) {
    const vcs_project_bound first = bound_at(bounds, a), second = bound_at(bounds, b);
    const double x = loss_of(&first, kind), y = loss_of(&second, kind);
    return x > y || (x == y && a < b);
}

/* The project that loses least, the last of several; VCS_NONE if the curve cannot be drawn. Finds the first corner. */
static uint32_t find_first(const vcs_array *bounds, uint32_t kind, vcs_bound_point *first) {
    uint32_t best = VCS_NONE, resource = VCS_NONE;
    double loss = 0.0, without = 0.0;
    for (uint32_t i = 0; i < bounds->count; i++) {
        const vcs_project_bound bound = bound_at(bounds, i);
        if ((bound.flags & VCS_BOUND_NO_JOBS) != 0) {
            without += bound.share;
            continue;
        }
        if ((bound.flags & NO_BOUND) != 0 || (resource != VCS_NONE && bound.resource != resource)) {
            return VCS_NONE;
        }
        resource = bound.resource;
        loss += bound.share * loss_of(&bound, kind);
        best = best == VCS_NONE || goes_before(bounds, kind, best, i) ? i : best;
    }
    if (best != VCS_NONE) {
        const vcs_project_bound bound = bound_at(bounds, best);
        *first = (vcs_bound_point){without, vcs_min(loss + without * loss_of(&bound, kind), 1.0), VCS_NONE, 0, {0}};
    }
    return best;
}

/* The next to give up what it has after `last`; VCS_NONE if none loses more than the best. */
static uint32_t find_next(const vcs_array *bounds, uint32_t kind, uint32_t last, uint32_t best) {
    const vcs_project_bound least = bound_at(bounds, best);
    uint32_t next = VCS_NONE;
    for (uint32_t i = 0; i < bounds->count; i++) {
        const vcs_project_bound bound = bound_at(bounds, i);
        const bool is_left = (bound.flags & VCS_BOUND_NO_JOBS) == 0 && bound.share > 0.0 &&
                             loss_of(&bound, kind) > loss_of(&least, kind) &&
                             (last == VCS_NONE || goes_before(bounds, kind, last, i));
        if (is_left && (next == VCS_NONE || goes_before(bounds, kind, i, next))) {
            next = i;
        }
    }
    return next;
}

static uint32_t draw_curve(const vcs_array *bounds, uint32_t kind, const vcs_array *points) {
    vcs_bound_point point = {0};
    const uint32_t best = find_first(bounds, kind, &point);
    uint32_t count = 0;
    if (best != VCS_NONE) {
        const vcs_project_bound least = bound_at(bounds, best);
        vcs_hand_out_element(points, count++, &point, sizeof point);
        for (uint32_t i; (i = find_next(bounds, kind, point.project, best)) != VCS_NONE;) {
            const vcs_project_bound bound = bound_at(bounds, i);
            point.share_violation = vcs_min(point.share_violation + bound.share, 1.0);
            point.loss = vcs_max(point.loss - bound.share * (loss_of(&bound, kind) - loss_of(&least, kind)), 0.0);
            point.project = i;
            vcs_hand_out_element(points, count++, &point, sizeof point);
        }
    }
    point = (vcs_bound_point){0};
    for (uint32_t i = count; i < points->count; i++) {
        vcs_hand_out_element(points, i, &point, sizeof point);
    }
    return count;
}

int vcs_bound_curve(const vcs_array *bounds, uint32_t kind, const vcs_array *points, uint32_t *corners,
                    vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    if (bounds == NULL || points == NULL || corners == NULL) {
        return vcs_fail_at(error, VCS_ERR_NULL, 0, "", "the bounds, the points or their number is NULL");
    }
    if (kind >= VCS_BOUND_KINDS) {
        return vcs_fail_at(error, VCS_ERR_FLAGS, 0, "kind", "is none of VCS_BOUND_*");
    }
    code = check_records(bounds, &vcs_project_bound_layout, error);
    if (code == VCS_OK) {
        code = vcs_check_output(points, VCS_FIRST_bound_point, bounds->count);
        code = code == VCS_OK ? code : vcs_fail_at(error, code, 0, "points", "is not a valid array of as many");
    }
    if (code == VCS_OK) {
        *corners = draw_curve(bounds, kind, points);
    }
    return code;
}

/* ---- An emulated host ---- */

/* The loss at the mix of projects; negative if it is not known. Finds the resource that the work was done on. */
static double loss_at_mix(const vcs_array *bounds, uint32_t kind, const vcs_array *projects, uint32_t *resource) {
    double used = 0.0, lost = 0.0;
    *resource = VCS_NONE;
    for (uint32_t i = 0; i < bounds->count; i++) {
        const vcs_project_bound bound = bound_at(bounds, i);
        vcs_project_outcome project;
        vcs_copy_record(&project, projects, i, &vcs_project_outcome_layout, NULL);
        if (!(project.flops_used > 0.0)) {
            continue;
        }
        if ((bound.flags & NO_BOUND) != 0 || (*resource != VCS_NONE && bound.resource != *resource)) {
            return -1.0;
        }
        *resource = bound.resource;
        used += project.flops_used;
        lost += project.flops_used * loss_of(&bound, kind);
    }
    return used > 0.0 ? lost / used : -1.0;
}

int vcs_bound_beyond(const vcs_array *bounds, uint32_t kind, const vcs_array *projects, const vcs_array *resources,
                     double *lost, double *least, vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    if (bounds == NULL || projects == NULL || resources == NULL || lost == NULL || least == NULL) {
        return vcs_fail_at(error, VCS_ERR_NULL, 0, "", "an array or an answer is NULL");
    }
    if (kind >= VCS_BOUND_KINDS) {
        return vcs_fail_at(error, VCS_ERR_FLAGS, 0, "kind", "is none of VCS_BOUND_*");
    }
    code = check_records(bounds, &vcs_project_bound_layout, error);
    code = code != VCS_OK ? code : check_records(projects, &vcs_project_outcome_layout, error);
    code = code != VCS_OK ? code : check_records(resources, &vcs_resource_outcome_layout, error);
    if (code == VCS_OK && projects->count != bounds->count) {
        code = vcs_fail_at(error, VCS_ERR_COUNT, 0, "projects", "must be as many as bounds");
    }
    if (code != VCS_OK) {
        return code;
    }
    uint32_t index;
    const double bound = loss_at_mix(bounds, kind, projects, &index);
    vcs_resource_outcome resource = {0};
    if (bound >= 0.0 && index >= resources->count) {
        return vcs_fail_at(error, VCS_ERR_INDEX, 0, "resources", "has not the resource that jobs use");
    }
    if (bound >= 0.0) {
        vcs_copy_record(&resource, resources, index, &vcs_resource_outcome_layout, NULL);
    }
    const bool is_known = bound >= 0.0 && resource.used > 0.0;
    *lost = is_known ? resource.wasted / resource.used : VCS_INFINITY - VCS_INFINITY;
    *least = is_known ? bound : *lost;
    return VCS_OK;
}
