/* SPDX-License-Identifier: MIT */
#include "vcsched/fetch/report.h"

#include "vcsched/fetch/need.h"
#include "vcsched/fetch/rank.h"
#include "vcsched/core/invariant.h"

/* ---- Why ---- */

/* Whether the need of a resource is reason to ask for it in the call in question. */
static int matters(const vcs_survey *survey, const vcs_survey_resource *resource) {
    return (survey->called == NULL ? resource->in_need : resource->wanted) != 0;
}

/* Why a resource that nobody is called for needs nothing yet. */
static uint32_t reason_to_wait(const vcs_survey_resource *resource) {
    return vcs_is_full(resource) ? VCS_REASON_FULL : resource->little ? VCS_REASON_LITTLE_MISSING : VCS_REASON_ENOUGH;
}

/* The best project for the resource, of those that are asked for the same. */
static const vcs_survey_project_resource *best_beside(const vcs_survey_project_resource *of) {
    return of->for_left ? of->resource->best_for_left : of->resource->best;
}

static uint32_t reason_of(const vcs_survey *survey, const vcs_survey_project_resource *of) {
    const vcs_survey_resource *resource = of->resource;
    if (of->asked) {
        return of->request.reason;
    }
    if (of->obstacle != VCS_REASON_NONE || !resource->decided) {
        return of->obstacle;
    }
    if (!matters(survey, resource) && !of->for_left) {
        return reason_to_wait(resource);
    }
    if (!(of->request.seconds > 0.0)) {
        return of->request.reason;
    }
    if (of->has_enough && survey->called == NULL) {
        return VCS_REASON_ENOUGH;
    }
    /* The best one for a resource gives way to the project that is called. If the caller named that, nobody chose. */
    return best_beside(of) == of && survey->called != NULL ? VCS_REASON_NONE : VCS_REASON_BETTER_PROJECT;
}

/* The project that goes before it: the best for the resource or, if it is the best itself, the asked one. */
static uint32_t better_than(const vcs_survey_project_resource *of, const vcs_survey_project *asked) {
    const vcs_survey_project_resource *best = best_beside(of);
    /* A project that could be asked for something was noted: it is the best, or another is. */
    VCS_INVARIANT(best != NULL);
    /* Where nobody is called anyway, a resource in need that has a best project makes some project be asked. */
    VCS_INVARIANT(best != of || asked != NULL);
    return best == of ? asked->index : best->project->index;
}

static double wait_of(const vcs_survey_project_resource *of, uint32_t reason) {
    return reason == VCS_REASON_DEFERRED ? of->project->wait : reason == VCS_REASON_BACKED_OFF ? of->backoff : 0.0;
}

/* Gives a wait that follows from the server's limit of jobs the name of that limit. */
static uint32_t name_of(const vcs_survey_project_resource *of, uint32_t reason) {
    const int waits = reason == VCS_REASON_DEFERRED || reason == VCS_REASON_BACKED_OFF;
    const int is_limited = (of->record->flags & VCS_PROJECT_RESOURCE_SERVER_LIMIT) != 0;
    return waits && is_limited ? VCS_REASON_SERVER_LIMIT : reason;
}

/* The other wait, if it is both deferred and backed off. */
static uint32_t also_waits_for(const vcs_survey *survey, const vcs_survey_project_resource *of, uint32_t reason) {
    if (reason == VCS_REASON_DEFERRED && of->backoff > 0.0) {
        return VCS_REASON_BACKED_OFF;
    }
    const int is_deferred = of->project->wait > 0.0 && of->project != survey->called;
    return reason == VCS_REASON_BACKED_OFF && is_deferred ? VCS_REASON_DEFERRED : VCS_REASON_NONE;
}

/* By what is owed: what is due before the next connection cannot be reported in time (rule 15.7). */
static double shortest_bound(const vcs_parameters *parameters) {
    return parameters->work_fetch == VCS_WORK_FETCH_OWED ? parameters->connect_every : 0.0;
}

static void report(const vcs_survey *survey, const vcs_survey_project_resource *of, const vcs_survey_project *asked) {
    const int is_open = of->obstacle == VCS_REASON_NONE && of->resource->decided;
    const uint32_t reason = reason_of(survey, of), also = also_waits_for(survey, of, reason);
    *of->decision = (vcs_fetch_decision){
        .seconds = of->asked ? of->request.seconds : 0.0,
        .instances = of->asked ? of->request.instances : 0.0,
        .priority = of->asked || is_open ? of->key.priority : -VCS_INFINITY,
        .wait = wait_of(of, reason),
        .also = also,
        .also_wait = wait_of(of, also),
        .reason = name_of(of, reason),
        .latency_bound = of->asked ? shortest_bound(survey->parameters) : 0.0,
        .better = reason == VCS_REASON_BETTER_PROJECT ? better_than(of, asked) : VCS_NONE,
    };
}

void vcs_report_decisions(const vcs_survey *survey, const vcs_survey_project *asked) {
    const size_t count = (size_t)survey->project_count * survey->resource_count;
    for (size_t i = 0; i < count; i++) {
        report(survey, &survey->project_resources[i], asked);
    }
}

/* ---- Why nobody is asked ---- */

/*
 * Why a resource in need gets nothing: the reason of the best project that may be asked, or the obstacle to all. If it
 * is not in need, why what is left idle gets nothing.
 */
static uint32_t reason_for_nothing(const vcs_survey *survey, uint32_t resource) {
    const vcs_survey_project_resource *best = NULL;
    uint32_t common = VCS_REASON_NONE, count = 0;
    for (uint32_t p = 0; p < survey->project_count; p++) {
        const vcs_survey_project_resource *of = &survey->projects[p].project_resources[resource];
        if (of->for_left || of->resource->in_need) {
            best = of->obstacle == VCS_REASON_NONE && vcs_goes_before(of, best) ? of : best;
            const uint32_t obstacle = name_of(of, of->obstacle);
            common = count == 0 || common == obstacle ? obstacle : VCS_REASON_NO_PROJECT;
            count++;
        }
    }
    if (best != NULL) {
        return best->decision->reason;
    }
    return common == VCS_REASON_NONE ? VCS_REASON_NO_PROJECT : common;
}

/* Whether some project could fill what is left idle of a resource; in a call that is made anyway, the called one. */
static int is_for_left(const vcs_survey *survey, uint32_t resource) {
    for (uint32_t p = 0; p < survey->project_count && survey->called == NULL; p++) {
        if (survey->projects[p].project_resources[resource].for_left) {
            return 1;
        }
    }
    return survey->called != NULL && survey->called->project_resources[resource].for_left;
}

uint32_t vcs_reason_to_ask_nobody(const vcs_survey *survey) {
    uint32_t reason = VCS_REASON_FULL;
    for (uint32_t r = survey->resource_count; r-- > 0;) {
        const vcs_survey_resource *resource = &survey->resources[r];
        if (matters(survey, resource) || is_for_left(survey, r)) {
            return survey->called != NULL ? survey->called->project_resources[r].decision->reason
                                          : reason_for_nothing(survey, r);
        }
        const int is_usable = resource->decided && !resource->prepared->suspended;
        reason = is_usable && reason != VCS_REASON_ENOUGH && !vcs_is_full(resource) ? reason_to_wait(resource) : reason;
    }
    return reason;
}
