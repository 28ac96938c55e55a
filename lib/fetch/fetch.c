/* SPDX-License-Identifier: MIT */
#include "fetch/fetch.h"
#include "fetch/scratch.h"

#include "interface/argument.h"
#include "interface/check.h"

#include <string.h>
#include <vcsched/fetch.h>

/* ---- Memory ---- */

static inline void lay_out(vcs_fetch_work *work, const vcs_counts *counts, vcs_arena *arena) {
    work->projects = vcs_arena_take(arena, counts->projects, sizeof *work->projects);
    work->project_resources =
        vcs_arena_take(arena, counts->projects * counts->resources, sizeof *work->project_resources);
    work->resources = vcs_arena_take(arena, counts->resources, sizeof *work->resources);
}

uint64_t vcs_fetch_scratch(const vcs_counts *counts) {
    vcs_fetch_work work;
    vcs_arena measure = {NULL, 0};
    lay_out(&work, counts, &measure);
    return vcs_arena_size(&measure);
}

static void begin(vcs_fetch_work *work, vcs_state *state, const vcs_fetch_question *question) {
    const vcs_counts counts = {.resources = state->resource_count, .projects = state->project_count};
    const vcs_parameters *parameters = &state->parameters;
    vcs_arena scratch = vcs_scratch(state);
    lay_out(work, &counts, &scratch);
    memset(scratch.base, 0, (size_t)scratch.used);
    work->state = state;
    work->parameters = parameters;
    work->project_count = state->project_count;
    work->resource_count = state->resource_count;
    work->cpus = vcs_resources(state)[0].instances;
    work->has_limits = 0;
    work->buffer = parameters->min_buffer + parameters->additional_buffer;
    work->called = question->purpose == VCS_FETCH_PIGGYBACK ? &work->projects[question->project] : NULL;
    work->is_wf1 = parameters->work_fetch == VCS_WORK_FETCH_WF1;
    work->is_study = work->is_wf1 || parameters->work_fetch == VCS_WORK_FETCH_WF2;
}

/* ---- Which resources lack work ---- */

/*
 * Neither the study nor the fluid discipline knows tasks of GPUs. So the first does not ask for them, and work that the
 * second could not plan with is not asked for either.
 */
static int is_decided(const vcs_fetch_work *work, uint32_t resource) {
    return resource == 0 || !(work->is_study || work->parameters->discipline == VCS_DISCIPLINE_FLUID);
}

/* Short of work, or idle. */
static int lacks_work(const vcs_fetch_resource *resource) {
    return !resource->prepared->suspended &&
           (resource->forecast->shortfall > 0.0 || resource->forecast->idle_now > 0.0);
}

/* Current rules: so short that a project is called for it. */
static int is_low(const vcs_fetch_work *work, const vcs_fetch_resource *resource) {
    return work->parameters->work_fetch != VCS_WORK_FETCH_CURRENT || resource->forecast->idle_now > 0.0 ||
           resource->forecast->saturated < work->parameters->min_buffer;
}

/* In the study, what each project lacks of its own decides. */
static void find_needs(const vcs_fetch_work *work) {
    for (uint32_t r = 0; r < work->resource_count; r++) {
        vcs_fetch_resource *resource = &work->resources[r];
        resource->prepared = &vcs_resources(work->state)[r];
        resource->forecast = &vcs_resource_forecasts(work->state)[r];
        resource->decided = (uint32_t)is_decided(work, r);
        resource->wanted = resource->decided && (work->is_study || lacks_work(resource));
        resource->in_need = resource->wanted && (work->is_study || is_low(work, resource));
    }
}

/* ---- Whom to ask ---- */

static void ask(vcs_fetch_pair *pair, uint32_t reason) {
    pair->asked = 1;
    if (pair->request.reason == VCS_REASON_ASKED) {
        pair->request.reason = reason;
    }
    pair->resource->best = pair;
}

/* A project that is asked for one resource may be asked for others even if it is backed off for them (rule 3.3). */
static void ask_along(const vcs_fetch_work *work, const vcs_fetch_project *project) {
    for (uint32_t r = 0; r < work->resource_count; r++) {
        vcs_fetch_pair *pair = &project->project_resources[r];
        const vcs_fetch_pair *best = pair->resource->best;
        const int is_open = pair->obstacle == VCS_REASON_NONE || pair->obstacle == VCS_REASON_BACKED_OFF;
        if (!pair->asked && pair->resource->wanted && is_open && pair->request.seconds > 0.0 &&
            (best == pair || vcs_fetch_ranks_before(pair, best))) {
            ask(pair, VCS_REASON_ASKED_ALONG);
        }
    }
}

/* From the last GPU type to the CPU, the first resource in need for which there is a project to ask decides which. */
static const vcs_fetch_project *choose(const vcs_fetch_work *work) {
    for (uint32_t r = work->resource_count; r-- > 0;) {
        const vcs_fetch_pair *best = work->resources[r].best;
        if (work->resources[r].in_need && best != NULL) {
            ask(&best->project->project_resources[r], VCS_REASON_ASKED);
            ask_along(work, best->project);
            return best->project;
        }
    }
    return NULL;
}

/* A project is called anyway: it is asked for what it is the best for; in the study, for what it lacks (rule 6.2). */
static const vcs_fetch_project *ask_called(const vcs_fetch_work *work) {
    const vcs_fetch_project *asked = NULL;
    for (uint32_t r = work->resource_count; r-- > 0;) {
        vcs_fetch_pair *pair = &work->called->project_resources[r];
        const int lacks = work->is_study && pair->resource->decided && pair->request.seconds > 0.0 &&
                          pair->obstacle == VCS_REASON_NONE;
        if (pair->resource->best == pair || lacks) {
            ask(pair, VCS_REASON_ASKED);
            asked = work->called;
        }
    }
    if (asked != NULL) {
        ask_along(work, asked);
    }
    return asked;
}

/* ---- Why ---- */

static int is_full(const vcs_fetch_work *work, const vcs_fetch_resource *resource) {
    const vcs_resource_forecast *forecast = resource->forecast;
    return forecast->idle_now == 0.0 && (forecast->shortfall == 0.0 || forecast->saturated >= work->buffer);
}

/* Whether what a resource lacks is reason to ask for it in the present call. */
static int matters(const vcs_fetch_work *work, const vcs_fetch_resource *resource) {
    return (work->called == NULL ? resource->in_need : resource->wanted) != 0;
}

static uint32_t reason_of(const vcs_fetch_work *work, const vcs_fetch_pair *pair) {
    const vcs_fetch_resource *resource = pair->resource;
    if (pair->asked) {
        return pair->request.reason;
    }
    if (pair->obstacle != VCS_REASON_NONE || !resource->decided) {
        return pair->obstacle;
    }
    if (!matters(work, resource)) {
        return is_full(work, resource) ? VCS_REASON_FULL : VCS_REASON_ENOUGH;
    }
    if (pair->request.seconds == 0.0) {
        return pair->request.reason;
    }
    /* The best one for a resource gives way to the one that is called; if that one was given, nobody chose. */
    return resource->best == pair && work->called != NULL ? VCS_REASON_NONE : VCS_REASON_BETTER_PROJECT;
}

/* Of a pair that gives way to a better one; to the one that is asked, if it is the best itself. */
static uint32_t better_than(const vcs_fetch_pair *pair, const vcs_fetch_project *asked) {
    const vcs_fetch_pair *best = pair->resource->best;
    return best == pair ? asked->index : best->project->index;
}

static void report(const vcs_fetch_work *work, const vcs_fetch_pair *pair, const vcs_fetch_project *asked) {
    const int is_open = pair->obstacle == VCS_REASON_NONE && pair->resource->decided;
    const uint32_t reason = reason_of(work, pair);
    *pair->decision = (vcs_fetch_decision){
        .seconds = pair->asked ? pair->request.seconds : 0.0,
        .instances = pair->asked ? pair->request.instances : 0.0,
        .priority = pair->asked || is_open ? pair->key.priority : -VCS_INFINITY,
        .wait = pair->asked ? 0.0 : pair->wait,
        .reason = reason,
        .better = reason == VCS_REASON_BETTER_PROJECT ? better_than(pair, asked) : VCS_NONE,
    };
}

static void report_all(const vcs_fetch_work *work, const vcs_fetch_project *asked) {
    const size_t count = (size_t)work->project_count * work->resource_count;
    for (size_t i = 0; i < count; i++) {
        report(work, &work->project_resources[i], asked);
    }
}

/* ---- Why nobody is asked ---- */

/* Why a resource in need gets nothing: the reason of the best that nothing forbids to ask, or what they all have. */
static uint32_t reason_for_nothing(const vcs_fetch_work *work, uint32_t resource) {
    const vcs_fetch_pair *best = NULL;
    uint32_t common = VCS_REASON_NONE;
    for (uint32_t p = 0; p < work->project_count; p++) {
        const vcs_fetch_pair *pair = &work->projects[p].project_resources[resource];
        if (pair->obstacle == VCS_REASON_NONE && vcs_fetch_ranks_before(pair, best)) {
            best = pair;
        }
        common = p == 0 || common == pair->obstacle ? pair->obstacle : VCS_REASON_NO_PROJECT;
    }
    if (best != NULL) {
        return best->decision->reason;
    }
    return common == VCS_REASON_NONE ? VCS_REASON_NO_PROJECT : common;
}

/* After all has been reported. */
static uint32_t reason_for_none(const vcs_fetch_work *work) {
    uint32_t reason = VCS_REASON_FULL;
    for (uint32_t r = work->resource_count; r-- > 0;) {
        const vcs_fetch_resource *resource = &work->resources[r];
        if (matters(work, resource)) {
            return work->called != NULL ? work->called->project_resources[r].decision->reason
                                        : reason_for_nothing(work, r);
        }
        const int is_usable = resource->decided && !resource->prepared->suspended;
        reason = is_usable && !is_full(work, resource) ? VCS_REASON_ENOUGH : reason;
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

/* Until there is reason to call a project; +infinity if there is already. */
static double until_in_need(const vcs_fetch_work *work, const vcs_fetch_resource *resource) {
    const vcs_parameters *parameters = work->parameters;
    const double kept = parameters->work_fetch == VCS_WORK_FETCH_CURRENT ? parameters->min_buffer : work->buffer;
    return resource->in_need ? VCS_INFINITY : sooner(VCS_INFINITY, until_below(resource->forecast, kept));
}

/* When the decision on one resource can become another. */
static double next_look(const vcs_fetch_work *work, uint32_t r) {
    const vcs_fetch_resource *resource = &work->resources[r];
    double least = work->is_study ? vcs_fetch_study_look(work) : until_in_need(work, resource);
    for (uint32_t p = 0; p < work->project_count; p++) {
        const vcs_fetch_pair *pair = &work->projects[p].project_resources[r];
        if (resource->in_need && pair->request.seconds > 0.0) {
            least = sooner(least, pair->wait);
        }
        if (!work->is_study && pair->obstacle == VCS_REASON_NONE && vcs_fetch_is_backup(pair)) {
            least = sooner(least, until_below(resource->forecast, work->parameters->backup_lead));
        }
    }
    return least;
}

static double next_check(const vcs_fetch_work *work, const vcs_fetch_project *asked) {
    const double interval = work->parameters->look_interval;
    double least = VCS_INFINITY;
    if (asked != NULL) {
        return interval > 0.0 ? interval : VCS_INFINITY; /* the reply changes everything */
    }
    for (uint32_t r = 0; r < work->resource_count; r++) {
        if (work->resources[r].decided && !work->resources[r].prepared->suspended) {
            least = sooner(least, next_look(work, r));
        }
    }
    return least > interval ? least : interval;
}

/* ---- The interface ---- */

static void decide(vcs_state *state, const vcs_fetch_question *question, vcs_fetch_summary *found) {
    vcs_fetch_work work;
    begin(&work, state, question);
    find_needs(&work);
    vcs_fetch_survey(&work);
    if (work.is_study) {
        vcs_fetch_study(&work);
    } else {
        vcs_fetch_rank(&work);
        vcs_fetch_fill_requests(&work);
    }
    const vcs_fetch_project *asked = work.called == NULL ? choose(&work) : ask_called(&work);
    report_all(&work, asked);
    *found = (vcs_fetch_summary){
        .project = asked != NULL ? asked->index : VCS_NONE,
        .reason = asked != NULL ? VCS_REASON_ASKED : reason_for_none(&work),
        .next_check = next_check(&work, asked),
    };
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

int vcs_fetch_decisions(const vcs_state *state, vcs_fetch_decision *decisions, uint32_t decision_size,
                        uint32_t decision_count) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    return vcs_read_results(state, VCS_HAS_FETCH, vcs_fetch_choices(state), sizeof(vcs_fetch_decision),
                            state->project_count * state->resource_count, decisions, decision_size, decision_count);
}
