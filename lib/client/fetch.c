/* SPDX-License-Identifier: MIT */
#include "client/fetch.h"

#include "client/argument.h"
#include "core/check.h"

#include <string.h>
#include <vcsched/fetch.h>

/* ---- Memory ---- */

static inline void lay_out(vcs_fetch_work *work, const vcs_counts *counts, vcs_arena *arena) {
    work->projects = vcs_arena_take(arena, counts->projects, sizeof *work->projects);
    work->pairs = vcs_arena_take(arena, counts->projects * counts->resources, sizeof *work->pairs);
    work->resources = vcs_arena_take(arena, counts->resources, sizeof *work->resources);
}

uint64_t vcs_fetch_scratch(const vcs_counts *counts) {
    vcs_fetch_work work;
    vcs_arena measure = {NULL, 0};
    lay_out(&work, counts, &measure);
    return vcs_arena_size(&measure);
}

static void begin(vcs_fetch_work *work, vcs_state *state, uint32_t called) {
    const vcs_counts counts = {.resources = state->resource_count, .projects = state->project_count};
    const vcs_parameters *parameters = &state->parameters;
    vcs_arena scratch = vcs_scratch(state);
    lay_out(work, &counts, &scratch);
    memset(vcs_piece(state, state->scratch), 0, (size_t)scratch.used);
    work->state = state;
    work->project_count = state->project_count;
    work->resource_count = state->resource_count;
    work->buffer = parameters->min_buffer + parameters->additional_buffer;
    work->called = called;
    work->is_wf1 = parameters->work_fetch == VCS_WORK_FETCH_WF1;
    work->is_study = work->is_wf1 || parameters->work_fetch == VCS_WORK_FETCH_WF2;
}

/* ---- Which resources lack work ---- */

/*
 * Neither the study nor the fluid discipline knows tasks of GPUs. So the first does not ask for them, and work that the
 * second could not plan with is not asked for either.
 */
static int is_decided(const vcs_fetch_work *work, uint32_t resource) {
    return resource == 0 || !(work->is_study || work->state->parameters.discipline == VCS_DISCIPLINE_FLUID);
}

static void find_needs(const vcs_fetch_work *work) {
    const vcs_parameters *parameters = &work->state->parameters;
    for (uint32_t r = 0; r < work->resource_count; r++) {
        const vcs_resource_forecast *forecast = &vcs_resource_forecasts(work->state)[r];
        vcs_fetch_resource *resource = &work->resources[r];
        const int is_low = parameters->work_fetch != VCS_WORK_FETCH_CURRENT || forecast->idle_now > 0.0 ||
                           forecast->saturated < parameters->min_buffer;
        resource->best = VCS_NONE;
        resource->decided = (uint32_t)is_decided(work, r);
        resource->wanted = resource->decided && !vcs_resources(work->state)[r].suspended &&
                           (forecast->shortfall > 0.0 || forecast->idle_now > 0.0);
        resource->in_need = resource->wanted && is_low;
        if (work->is_study) { /* what each project lacks of its own decides */
            resource->wanted = resource->in_need = resource->decided;
        }
    }
}

/* ---- Whom to ask ---- */

static int ranks_before(const vcs_fetch_work *work, uint32_t a, uint32_t b, uint32_t resource) {
    return b == VCS_NONE ||
           vcs_ranks_before(&vcs_fetch_pair_of(work, a, resource)->key, &vcs_fetch_pair_of(work, b, resource)->key);
}

/* The best project of those that could be asked for something. */
static void find_best(const vcs_fetch_work *work) {
    for (uint32_t r = 0; r < work->resource_count; r++) {
        vcs_fetch_resource *resource = &work->resources[r];
        for (uint32_t p = 0; resource->wanted && p < work->project_count; p++) {
            if (vcs_fetch_obstacle(work, p, r) == VCS_REASON_NONE &&
                vcs_fetch_pair_of(work, p, r)->request.seconds > 0.0 && ranks_before(work, p, resource->best, r)) {
                resource->best = p;
            }
        }
    }
}

static void ask(const vcs_fetch_work *work, uint32_t project, uint32_t resource, uint32_t reason) {
    vcs_fetch_pair *pair = vcs_fetch_pair_of(work, project, resource);
    pair->asked = 1;
    if (pair->request.reason == VCS_REASON_ASKED) {
        pair->request.reason = reason;
    }
    work->resources[resource].best = project;
}

/* A project that is asked for one resource may be asked for others even if it is backed off for them (rule 3.3). */
static void ask_along(const vcs_fetch_work *work, uint32_t project) {
    for (uint32_t r = 0; r < work->resource_count; r++) {
        const vcs_fetch_pair *pair = vcs_fetch_pair_of(work, project, r);
        const uint32_t best = work->resources[r].best;
        const uint32_t obstacle = pair->obstacle == VCS_REASON_BACKED_OFF ? VCS_REASON_NONE : pair->obstacle;
        if (!pair->asked && work->resources[r].wanted && obstacle == VCS_REASON_NONE && pair->request.seconds > 0.0 &&
            (best == project || ranks_before(work, project, best, r))) {
            ask(work, project, r, VCS_REASON_ASKED_ALONG);
        }
    }
}

/* From the last GPU type to the CPU, the first resource in need for which there is a project to ask decides which. */
static uint32_t choose(const vcs_fetch_work *work) {
    for (uint32_t r = work->resource_count; r-- > 0;) {
        const uint32_t best = work->resources[r].best;
        if (work->resources[r].in_need && best != VCS_NONE) {
            ask(work, best, r, VCS_REASON_ASKED);
            ask_along(work, best);
            return best;
        }
    }
    return VCS_NONE;
}

/* A project is called anyway: it is asked for what it is the best for; in the study, for what it lacks (rule 6.2). */
static uint32_t ask_called(const vcs_fetch_work *work) {
    const uint32_t called = work->called;
    uint32_t asked = VCS_NONE;
    for (uint32_t r = work->resource_count; r-- > 0;) {
        const vcs_fetch_pair *pair = vcs_fetch_pair_of(work, called, r);
        const int lacks = work->is_study && work->resources[r].decided && pair->request.seconds > 0.0 &&
                          vcs_fetch_obstacle(work, called, r) == VCS_REASON_NONE;
        if (work->resources[r].best == called || lacks) {
            ask(work, called, r, VCS_REASON_ASKED);
            asked = called;
        }
    }
    if (asked != VCS_NONE) {
        ask_along(work, called);
    }
    return asked;
}

/* ---- Why ---- */

static int is_full(const vcs_fetch_work *work, uint32_t resource) {
    const vcs_resource_forecast *forecast = &vcs_resource_forecasts(work->state)[resource];
    return forecast->idle_now == 0.0 && (forecast->shortfall == 0.0 || forecast->saturated >= work->buffer);
}

/* Whether what a resource lacks is reason to ask for it in the present call. */
static int matters(const vcs_fetch_work *work, uint32_t resource) {
    const vcs_fetch_resource *known = &work->resources[resource];
    return (work->called == VCS_NONE ? known->in_need : known->wanted) != 0;
}

static uint32_t reason_of(const vcs_fetch_work *work, uint32_t project, uint32_t r) {
    const vcs_fetch_pair *pair = vcs_fetch_pair_of(work, project, r);
    const uint32_t obstacle = vcs_fetch_obstacle(work, project, r);
    if (pair->asked) {
        return pair->request.reason;
    }
    if (obstacle != VCS_REASON_NONE || !work->resources[r].decided) {
        return obstacle;
    }
    if (!matters(work, r)) {
        return is_full(work, r) ? VCS_REASON_FULL : VCS_REASON_ENOUGH;
    }
    if (pair->request.seconds == 0.0) {
        return pair->request.reason;
    }
    /* The best one for a resource gives way to the one that is called; if that one was given, nobody chose. */
    return work->resources[r].best == project && work->called != VCS_NONE ? VCS_REASON_NONE : VCS_REASON_BETTER_PROJECT;
}

static double wait_of(const vcs_fetch_work *work, uint32_t project, uint32_t resource, uint32_t reason) {
    if (reason == VCS_REASON_DEFERRED) {
        return work->projects[project].wait;
    }
    return reason == VCS_REASON_BACKED_OFF ? vcs_fetch_pair_of(work, project, resource)->wait : 0.0;
}

static void report(const vcs_fetch_work *work, uint32_t project, uint32_t r, uint32_t asked,
                   vcs_pair_decision *decision) {
    const vcs_fetch_pair *pair = vcs_fetch_pair_of(work, project, r);
    const int is_open = vcs_fetch_obstacle(work, project, r) == VCS_REASON_NONE && work->resources[r].decided;
    memset(decision, 0, sizeof *decision);
    decision->reason = reason_of(work, project, r);
    decision->better = VCS_NONE;
    decision->priority = is_open || pair->asked ? pair->key.priority : -VCS_INFINITY;
    decision->wait = wait_of(work, project, r, decision->reason);
    if (pair->asked) {
        decision->seconds = pair->request.seconds;
        decision->instances = pair->request.instances;
    }
    if (decision->reason == VCS_REASON_BETTER_PROJECT) {
        decision->better = work->resources[r].best == project ? asked : work->resources[r].best;
    }
}

static void report_all(const vcs_fetch_work *work, uint32_t asked) {
    vcs_pair_decision *decisions = vcs_pair_decisions(work->state);
    for (uint32_t p = 0; p < work->project_count; p++) {
        for (uint32_t r = 0; r < work->resource_count; r++) {
            report(work, p, r, asked, &decisions[(size_t)p * work->resource_count + r]);
        }
    }
}

/* ---- Why nobody is asked ---- */

/* Why a resource in need gets nothing: the reason of the best that nothing forbids to ask, or what they all have. */
static uint32_t reason_for_nothing(const vcs_fetch_work *work, uint32_t resource) {
    uint32_t best = VCS_NONE, common = VCS_REASON_NONE;
    for (uint32_t p = 0; p < work->project_count; p++) {
        const uint32_t obstacle = vcs_fetch_obstacle(work, p, resource);
        if (obstacle == VCS_REASON_NONE && ranks_before(work, p, best, resource)) {
            best = p;
        }
        common = p == 0 || common == obstacle ? obstacle : VCS_REASON_NO_PROJECT;
    }
    if (best != VCS_NONE) {
        return reason_of(work, best, resource);
    }
    return common == VCS_REASON_NONE ? VCS_REASON_NO_PROJECT : common;
}

static uint32_t reason_for_none(const vcs_fetch_work *work) {
    uint32_t reason = VCS_REASON_FULL;
    for (uint32_t r = work->resource_count; r-- > 0;) {
        if (matters(work, r)) {
            return work->called != VCS_NONE ? reason_of(work, work->called, r) : reason_for_nothing(work, r);
        }
        const int is_usable = work->resources[r].decided && !vcs_resources(work->state)[r].suspended;
        reason = is_usable && !is_full(work, r) ? VCS_REASON_ENOUGH : reason;
    }
    return reason;
}

/* ---- When to look again ---- */

static double sooner(double least, double wait) {
    return wait > 0.0 && wait < least ? wait : least;
}

/* Until less is left than is to be kept; if that is so already, until an instance is idle. */
static double until_below(const vcs_resource_forecast *forecast, double kept) {
    return forecast->saturated > kept ? forecast->saturated - kept : forecast->saturated;
}

static int is_waiting_backup(const vcs_fetch_work *work, uint32_t project, uint32_t resource) {
    return !(vcs_projects(work->state)[project].share > 0.0) &&
           vcs_fetch_obstacle(work, project, resource) == VCS_REASON_NONE;
}

/* When the decision on one resource can become another. */
static double next_look(const vcs_fetch_work *work, uint32_t r) {
    const vcs_parameters *parameters = &work->state->parameters;
    const vcs_resource_forecast *forecast = &vcs_resource_forecasts(work->state)[r];
    const double kept = parameters->work_fetch == VCS_WORK_FETCH_CURRENT ? parameters->min_buffer : work->buffer;
    double least = work->is_study                   ? vcs_fetch_study_look(work)
                   : !work->resources[r].in_need ? sooner(VCS_INFINITY, until_below(forecast, kept))
                                                    : VCS_INFINITY;
    for (uint32_t p = 0; p < work->project_count; p++) {
        if (work->resources[r].in_need && vcs_fetch_pair_of(work, p, r)->request.seconds > 0.0) {
            least = sooner(least, wait_of(work, p, r, vcs_fetch_obstacle(work, p, r)));
        }
        if (!work->is_study && is_waiting_backup(work, p, r)) {
            least = sooner(least, until_below(forecast, parameters->backup_lead));
        }
    }
    return least;
}

static double look_again(const vcs_fetch_work *work, uint32_t asked) {
    const double interval = work->state->parameters.look_interval;
    double least = VCS_INFINITY;
    if (asked != VCS_NONE) {
        return interval > 0.0 ? interval : VCS_INFINITY; /* the reply changes everything */
    }
    for (uint32_t r = 0; r < work->resource_count; r++) {
        if (work->resources[r].decided && !vcs_resources(work->state)[r].suspended) {
            least = sooner(least, next_look(work, r));
        }
    }
    return least > interval ? least : interval;
}

/* ---- The interface ---- */

static void decide(vcs_state *state, const vcs_fetch_question *question, vcs_fetch_summary *found) {
    vcs_fetch_work work;
    begin(&work, state, question->purpose == VCS_FETCH_PIGGYBACK ? question->project : VCS_NONE);
    find_needs(&work);
    vcs_fetch_survey(&work);
    if (work.is_study) {
        vcs_fetch_study(&work);
    } else {
        vcs_fetch_rank(&work);
        vcs_fetch_fill_requests(&work);
    }
    find_best(&work);
    const uint32_t asked = work.called == VCS_NONE ? choose(&work) : ask_called(&work);
    report_all(&work, asked);
    memset(found, 0, sizeof *found);
    found->project = asked;
    found->reason = asked != VCS_NONE ? VCS_REASON_ASKED : reason_for_none(&work);
    found->look_again = look_again(&work, asked);
}

static int take_question(vcs_fetch_question *known, const vcs_fetch_question *callers, uint32_t projects) {
    if (callers == NULL) {
        memset(known, 0, sizeof *known);
        return VCS_OK;
    }
    int code = vcs_take_fetch_question(known, callers, NULL);
    if (code == VCS_OK && known->purpose == VCS_FETCH_PIGGYBACK && known->project >= projects) {
        code = VCS_ERR_INDEX;
    }
    return code;
}

int vcs_fetch(vcs_state *state, const vcs_fetch_question *question, vcs_fetch_summary *summary) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    vcs_fetch_question known;
    int code = take_question(&known, question, state->project_count);
    if (code == VCS_OK && summary != NULL) {
        code = vcs_check_size(summary->struct_size, sizeof *summary);
    }
    if (code != VCS_OK) {
        return code;
    }
    if ((state->has & VCS_HAS_WRR) == 0) {
        return VCS_ERR_SEQUENCE;
    }
    vcs_fetch_summary found;
    decide(state, &known, &found);
    state->has |= VCS_HAS_FETCH;
    if (summary != NULL) {
        found.struct_size = summary->struct_size;
        vcs_hand_out(summary, summary->struct_size, &found, sizeof found);
    }
    return VCS_OK;
}

int vcs_fetch_pairs(const vcs_state *state, vcs_pair_decision *out, uint32_t element_size, uint32_t count) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    return vcs_read_results(state, VCS_HAS_FETCH, vcs_pair_decisions(state), sizeof(vcs_pair_decision),
                            state->project_count * state->resource_count, out, element_size, count);
}
