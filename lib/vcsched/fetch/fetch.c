/*
 * Work fetch: which project to ask for work, and for how much.
 *
 * Rules 6.1 to 6.10; the plain reference is tests/oracle/oracle_fetch.c.
 *
 *   fetch.c     the decision
 *   survey.c    what each project has queued, what limits it, and what prevents asking it
 *   need.c      what each resource lacks, and when that is reason to call
 *   rank.c      which project goes before which
 *   request.c   how much to ask for
 *   study.c     the last two as the published study has them
 *   owed.c      likewise, by what each project is owed
 *   report.c    the reasons
 *   next_check.c   when to decide again
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/fetch.h>

#include "vcsched/fetch/need.h"
#include "vcsched/fetch/next_check.h"
#include "vcsched/fetch/owed.h"
#include "vcsched/fetch/rank.h"
#include "vcsched/fetch/report.h"
#include "vcsched/fetch/request.h"
#include "vcsched/host/scratch.h"
#include "vcsched/fetch/study.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/fetch_fields.h"
#include "vcsched/timers/buffer.h"

#include <string.h>

VCS_COPY_INPUT(fetch_question)

/* ---- Memory ---- */

static inline void lay_out(vcs_survey *survey, const vcs_counts *counts, vcs_arena *arena) {
    survey->projects = vcs_arena_allocate(arena, counts->projects, sizeof *survey->projects);
    survey->project_resources =
        vcs_arena_allocate(arena, counts->projects * counts->resources, sizeof *survey->project_resources);
    survey->resources = vcs_arena_allocate(arena, counts->resources, sizeof *survey->resources);
    survey->limits = vcs_arena_allocate(arena, counts->projects * counts->resources, sizeof *survey->limits);
    survey->used_by_apps = vcs_arena_allocate(arena, counts->apps, sizeof *survey->used_by_apps);
    survey->owed = vcs_arena_allocate(arena, counts->projects * counts->resources, sizeof *survey->owed);
    const vcs_counts at_hand = {.resources = counts->resources, .tasks = counts->tasks};
    vcs_chances_lay_out(&survey->chances, &at_hand, arena);
}

uint64_t vcs_fetch_scratch(const vcs_counts *counts) {
    vcs_survey survey;
    vcs_arena measure = {NULL, 0};
    lay_out(&survey, counts, &measure);
    return vcs_arena_size(&measure);
}

static void begin(vcs_survey *survey, vcs_state *state, const vcs_fetch_question *question) {
    const vcs_counts counts = {.resources = state->resource_count,
                               .projects = state->project_count,
                               .apps = state->app_count,
                               .tasks = state->task_count};
    const vcs_parameters *parameters = &state->parameters;
    vcs_arena scratch = vcs_scratch(state);
    lay_out(survey, &counts, &scratch);
    survey->state = state;
    survey->parameters = parameters;
    survey->project_count = state->project_count;
    survey->resource_count = state->resource_count;
    survey->cpus = vcs_resources(state)[0].instances;
    survey->has_limits = 0;
    survey->is_stopped = (state->has & VCS_HAS_UNKNOWN) != 0;
    survey->buffer = vcs_whole_buffer(parameters);
    survey->called = question->purpose == VCS_FETCH_PIGGYBACK ? &survey->projects[question->project] : NULL;
    survey->is_wf1 = parameters->work_fetch == VCS_WORK_FETCH_WF1;
    survey->is_study = survey->is_wf1 || parameters->work_fetch == VCS_WORK_FETCH_WF2;
    survey->is_owed = parameters->work_fetch == VCS_WORK_FETCH_OWED;
    survey->knows_choice =
        !survey->is_study && (state->has & (VCS_HAS_SCHEDULE | VCS_HAS_SHORT_MEMORY)) == VCS_HAS_SCHEDULE;
}

/* ---- Whom to ask ---- */

static void ask(vcs_survey_project_resource *of, uint32_t reason) {
    of->asked = 1;
    if (of->request.reason == VCS_REASON_ASKED) {
        of->request.reason = reason;
    }
    if (!of->for_left || of->resource->best == NULL) {
        of->resource->best = of;
    }
}

/* Whether a project goes first among those that could be asked for a resource. */
static int is_first(const vcs_survey_project_resource *of) {
    const vcs_survey_project_resource *best = of->for_left ? of->resource->best_for_left : of->resource->best;
    return best == of || vcs_goes_before(of, best);
}

/* A project that is asked for one resource may be asked for others even if it is backed off for them (rule 3.3). */
static void ask_along(vcs_survey *survey, const vcs_survey_project *project) {
    for (uint32_t r = 0; r < survey->resource_count; r++) {
        vcs_survey_project_resource *of = &project->project_resources[r];
        const int is_open = of->obstacle == VCS_REASON_NONE || of->obstacle == VCS_REASON_BACKED_OFF;
        const int is_wanted = of->resource->wanted || of->for_left;
        if (!of->asked && is_wanted && is_open && of->request.seconds > 0.0 && is_first(of)) {
            ask(of, VCS_REASON_ASKED_ALONG);
        }
    }
}

/* From the last GPU type to the CPU, the first resource in need for which there is a project to ask decides which. */
static const vcs_survey_project *choose(vcs_survey *survey) {
    for (uint32_t r = survey->resource_count; r-- > 0;) {
        const vcs_survey_resource *resource = &survey->resources[r];
        const vcs_survey_project_resource *best =
            resource->in_need && resource->best != NULL ? resource->best : resource->best_for_left;
        if (best != NULL) {
            ask(&best->project->project_resources[r], VCS_REASON_ASKED);
            ask_along(survey, best->project);
            return best->project;
        }
    }
    return NULL;
}

/* A project is called anyway: it is asked for what it is the best for, or by the study for what it lacks (rule 6.4). */
static const vcs_survey_project *ask_called(vcs_survey *survey) {
    const vcs_survey_project *asked = NULL;
    for (uint32_t r = survey->resource_count; r-- > 0;) {
        vcs_survey_project_resource *of = &survey->called->project_resources[r];
        const int by_itself = survey->is_study || survey->is_owed;
        const int lacks =
            by_itself && of->resource->decided && of->request.seconds > 0.0 && of->obstacle == VCS_REASON_NONE;
        if (of->resource->best == of || of->resource->best_for_left == of || lacks) {
            ask(of, VCS_REASON_ASKED);
            asked = survey->called;
        }
    }
    if (asked != NULL) {
        ask_along(survey, asked);
    }
    return asked;
}

/* Whether the forecasts tell that nobody is to be asked: no resource is in need or left idle, no task waits to fit. */
static int is_plain(const vcs_survey *survey) {
    uint32_t may_ask = survey->called != NULL;
    for (uint32_t r = 0; r < survey->resource_count; r++) {
        may_ask |= survey->resources[r].in_need | (uint32_t)(survey->resources[r].left > 0);
        may_ask |= survey->resources[r].wanted & (uint32_t)(survey->resources[r].free_units > 0);
    }
    const size_t count = (size_t)survey->project_count * survey->resource_count;
    for (size_t i = 0; i < count; i++) {
        may_ask |= survey->project_resources[i].forecast->waits_for_fit;
    }
    return !may_ask;
}

/* ---- The interface ---- */

/*
 * Mostly nobody is to be asked, and the forecasts tell. With the reasons for that, which take a look at each task and
 * project, the emulation of job_mix_of_20.ini takes 28 % more instructions.
 */
static void decide(vcs_state *state, const vcs_fetch_question *question, vcs_fetch_summary *answer) {
    vcs_survey survey;
    begin(&survey, state, question);
    const int is_brief = (question->flags & VCS_FETCH_BRIEF) != 0;
    *answer = (vcs_fetch_summary){.project = VCS_NONE, .reason = VCS_REASON_NONE};
    if (is_brief && survey.is_study && !survey.is_wf1 && survey.called == NULL && vcs_is_full_by_wf2(state)) {
        answer->next_check = vcs_wait_by_wf2(state);
        return;
    }
    vcs_fill_survey(&survey);
    vcs_find_needs(&survey);
    if (survey.is_owed) {
        vcs_find_free(&survey);
    }
    if (is_brief && is_plain(&survey)) {
        answer->next_check = vcs_next_fetch_check(&survey, NULL);
        return;
    }
    vcs_survey_tasks(&survey);
    if (survey.is_study) {
        vcs_decide_by_study(&survey);
    } else {
        if (survey.is_owed) {
            vcs_survey_owed(&survey);
        }
        vcs_rank_survey(&survey);
        vcs_fill_requests(&survey);
    }
    const vcs_survey_project *asked = survey.called == NULL ? choose(&survey) : ask_called(&survey);
    if (asked != NULL || !is_brief) {
        vcs_report_decisions(&survey, asked);
        state->has |= VCS_HAS_FETCH;
        answer->reason = asked != NULL ? VCS_REASON_ASKED : vcs_reason_to_ask_nobody(&survey);
    }
    answer->project = asked != NULL ? asked->index : VCS_NONE;
    answer->next_check = vcs_next_fetch_check(&survey, asked);
}

static int copy_question(vcs_fetch_question *known, const vcs_fetch_question *callers, uint32_t projects) {
    if (callers == NULL) {
        memset(known, 0, sizeof *known);
        return VCS_OK;
    }
    int code = vcs_copy_fetch_question(known, callers, NULL);
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
    int code = copy_question(&known, question, state->project_count);
    if (code == VCS_OK && summary != NULL) {
        code = vcs_check_size(VCS_FIRST_fetch_summary, summary->struct_size);
    }
    if (code != VCS_OK) {
        return code;
    }
    if ((state->has & VCS_HAS_WRR) == 0) {
        return VCS_ERR_SEQUENCE;
    }
    vcs_fetch_summary answer;
    state->has &= ~VCS_HAS_FETCH;
    decide(state, &known, &answer);
    if (summary != NULL) {
        answer.struct_size = summary->struct_size;
        vcs_hand_out(summary, summary->struct_size, &answer, sizeof answer);
    }
    return VCS_OK;
}
