/* SPDX-License-Identifier: MIT */
#include "plan/plan_tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan/plan_words.h"
#include "text/paragraph.h"

static void print_count(FILE *out, uint32_t count, const char *what, const char **separator) {
    if (count > 0) {
        fprintf(out, "%s%u %s", *separator, (unsigned)count, what);
        *separator = ", ";
    }
}

static void print_summary(const struct plan *plan, const struct screen *screen) {
    uint32_t counts[VCS_VERDICT_SUSPENDED + 1] = {0};
    uint32_t tasks = plan->file->counts[STATE_TASK], given_up = 0;
    for (uint32_t i = 0; i < tasks; i++) {
        counts[plan->tasks[i].verdict] += !plan_gives_up(plan, i);
        given_up += plan_gives_up(plan, i);
    }
    const char *separator = ": ";
    fprintf(screen->out, "%u task%s", (unsigned)tasks, tasks == 1 ? "" : "s");
    print_count(screen->out, counts[VCS_VERDICT_MEETS], "in time", &separator);
    print_count(screen->out, counts[VCS_VERDICT_MISSES], "LATE", &separator);
    print_count(screen->out, counts[VCS_VERDICT_STUCK], "stuck", &separator);
    print_count(screen->out, counts[VCS_VERDICT_SUSPENDED], "suspended", &separator);
    print_count(screen->out, given_up, "given up", &separator);
    print_count(screen->out, counts[VCS_VERDICT_UNKNOWN], "unknown", &separator);
    fputc('\n', screen->out);
}

/* Whether a task is late by the rule although it finishes before its deadline. */
static bool some_are_late_with_slack(const struct plan *plan) {
    for (uint32_t i = 0; i < plan->file->counts[STATE_TASK]; i++) {
        if (plan->tasks[i].verdict == VCS_VERDICT_MISSES && plan_slack(plan, i) >= 0) {
            return true;
        }
    }
    return false;
}

/* Each task to give up, with what is left of its work and of its time. */
static void print_given_up(const struct plan *plan, const struct screen *screen) {
    for (uint32_t i = 0; i < plan->file->counts[STATE_TASK]; i++) {
        const double left = plan_time_to_deadline(plan, i);
        char text[sizeof(struct quote) + 128];
        if (plan_gives_up(plan, i)) {
            snprintf(text, sizeof text, "Give up %s: %.40s of work, %s%.40s.",
                     vcs_scn_fault_quote(vcs_scn_state_file_name(plan->file, STATE_TASK, i)).text,
                     word_duration(plan->file->tasks[i].remaining).text, left > 0 ? "to the deadline " : "and late by ",
                     word_duration(left > 0 ? left : -left).text);
            paragraph_print(screen, STYLE_WARNING, 0, text);
        }
    }
}

/* How many late tasks would be late even if they went first. */
static void print_missing_anyway(const struct plan *plan, const struct screen *screen) {
    const uint32_t misses = plan->edf.misses, late = plan->wrr.misses;
    char text[128];
    if (late == 1) {
        snprintf(text, sizeof text, "The only late task would be late even if it went first.");
    } else if (misses == late) {
        snprintf(text, sizeof text, "All %u late tasks would be late even if they went first.", (unsigned)late);
    } else {
        snprintf(text, sizeof text, "%u of %u late tasks would be late even if all of these went first.",
                 (unsigned)misses, (unsigned)late);
    }
    paragraph_print(screen, STYLE_WARNING, 0, text);
}

/* Why a task may be late that finishes before its deadline (rules 4.3 and 13.2). */
static void print_meaning_of_late(const vcs_parameters *parameters, const struct screen *screen) {
    char text[128] = "LATE takes the scheduling period, the minimum buffer and miss_fraction into account.";
    if (parameters->discipline != VCS_DISCIPLINE_FLUID) {
        const double buffer = parameters->cushion_min_buffer ? parameters->min_buffer : 0;
        snprintf(text, sizeof text, "LATE means finishing less than %.40s before the deadline, or after it.",
                 word_duration(fmax(parameters->deadline_cushion, buffer)).text);
    }
    paragraph_print(screen, STYLE_PLAIN, 0, text);
}

/* Returns false if memory is short. */
static bool print_notes(const struct plan *plan, const struct screen *screen) {
    char text[256];
    if (plan_is_cut(plan)) {
        snprintf(text, sizeof text,
                 "The simulation stopped at its horizon or step budget, %.40s from now: anything later is unknown.",
                 word_duration(plan->wrr.simulated_until).text);
        paragraph_print(screen, STYLE_WARNING, 0, text);
    }
    if (plan->edf.misses > 0) {
        print_missing_anyway(plan, screen);
    }
    if (!plan_print_hopeless(plan, screen)) {
        return false;
    }
    print_given_up(plan, screen);
    if (some_are_late_with_slack(plan)) {
        print_meaning_of_late(&plan->file->parameters, screen);
    }
    return true;
}

/* What changes on the host now. */
static void print_changes(const struct plan *plan, const struct screen *screen) {
    const vcs_schedule_summary *schedule = &plan->schedule;
    char text[256];
    int used = snprintf(text, sizeof text, "%u task%s from now on", (unsigned)schedule->running,
                        schedule->running == 1 ? " runs" : "s run");
    const char *separator = ": ";
    if (schedule->started > 0) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%u start%s", separator,
                         (unsigned)schedule->started, schedule->started == 1 ? "s" : "");
        separator = ", ";
    }
    if (schedule->stopped > 0) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%u that ran stop%s", separator,
                         (unsigned)schedule->stopped, schedule->stopped == 1 ? "s" : "");
    }
    snprintf(text + used, sizeof text - (size_t)used, "%s",
             schedule->started == 0 && schedule->stopped == 0 ? ", as before." : ".");
    if (schedule->cpu_excess > 0) {
        const size_t before = strlen(text);
        snprintf(text + before, sizeof text - before, " They use %.4g CPU more than there %s.", schedule->cpu_excess,
                 plan->file->resources[0].instances == 1 ? "is" : "are");
    }
    const size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "%.100s", word_next_decision(schedule->next_check).text);
    paragraph_print(screen, STYLE_PLAIN, 0, text);
}

bool plan_print_text(const struct plan *plan, const struct screen *screen, bool all) {
    screen_print(screen, STYLE_HEADING, word_headline(plan->file).text);
    fputc('\n', screen->out);
    print_summary(plan, screen);
    if (plan->file->counts[STATE_TASK] > 0) {
        fputc('\n', screen->out);
        if (!plan_print_tasks(plan, screen, all)) {
            return false;
        }
        print_changes(plan, screen);
    }
    if (!print_notes(plan, screen)) {
        return false;
    }
    fputc('\n', screen->out);
    if (!plan_print_resources(plan, screen)) {
        return false;
    }
    if (plan->file->counts[STATE_PROJECT] > 0) {
        fputc('\n', screen->out);
        if (!plan_print_projects(plan, screen)) {
            return false;
        }
    }
    fputc('\n', screen->out);
    return plan_print_requests(plan, screen, all);
}
