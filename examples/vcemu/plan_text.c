/* SPDX-License-Identifier: MIT */
#include "plan_text.h"

#include <math.h>

#include "wording.h"

static void print_count(FILE *out, uint32_t count, const char *what, const char **separator) {
    if (count > 0) {
        fprintf(out, "%s%u %s", *separator, (unsigned)count, what);
        *separator = ", ";
    }
}

static void print_summary(const struct plan *plan, const struct screen *screen) {
    uint32_t counts[VCS_VERDICT_APART + 1] = {0};
    uint32_t tasks = plan->file->counts[STATE_TASK];
    for (uint32_t i = 0; i < tasks; i++) {
        counts[plan->tasks[i].verdict]++;
    }
    const char *separator = ": ";
    fprintf(screen->out, "%u task%s", (unsigned)tasks, tasks == 1 ? "" : "s");
    print_count(screen->out, counts[VCS_VERDICT_MEETS], "in time", &separator);
    print_count(screen->out, counts[VCS_VERDICT_MISSES], "LATE", &separator);
    print_count(screen->out, counts[VCS_VERDICT_STUCK], "stuck", &separator);
    print_count(screen->out, counts[VCS_VERDICT_APART], "suspended", &separator);
    print_count(screen->out, counts[VCS_VERDICT_UNKNOWN], "unknown", &separator);
    fputc('\n', screen->out);
}

/* Late by the rule, though before its deadline. */
static bool some_are_late_with_slack(const struct plan *plan) {
    for (uint32_t i = 0; i < plan->file->counts[STATE_TASK]; i++) {
        if (plan->tasks[i].verdict == VCS_VERDICT_MISSES && plan_slack(plan, i) >= 0) {
            return true;
        }
    }
    return false;
}

static void print_notes(const struct plan *plan, const struct screen *screen) {
    char text[256];
    if (plan_is_cut(plan)) {
        snprintf(text, sizeof text,
                 "The simulation stopped at its horizon or step budget, %.40s from now: what is later "
                 "is unknown.\n",
                 word_duration(plan->wrr.reached).text);
        screen_print(screen, STYLE_WARNING, text);
    }
    if (plan->edf.misses > 0) {
        snprintf(text, sizeof text, "%u of the %u LATE tasks would be late even if these went first.\n",
                 (unsigned)plan->edf.misses, (unsigned)plan->wrr.misses);
        screen_print(screen, STYLE_WARNING, text);
    }
    if (some_are_late_with_slack(plan)) {
        fputs(plan->file->parameters.discipline == VCS_DISCIPLINE_FLUID
                  ? "LATE allows for the scheduling period, the minimum buffer and miss_fraction.\n"
                  : "LATE is finishing closer to the deadline than its cushion allows.\n",
              screen->out);
    }
}

/* What changes on the host now. */
static void print_changes(const struct plan *plan, const struct screen *screen) {
    fprintf(screen->out, "From now on %u run; %u of them did not before, and %u that did stop.",
            (unsigned)plan->schedule.running, (unsigned)plan->schedule.started, (unsigned)plan->schedule.stopped);
    if (plan->schedule.look_again < VCS_MAX_SECONDS) {
        fprintf(screen->out, " The first slice ends in %s.", word_duration(plan->schedule.look_again).text);
    }
    fputc('\n', screen->out);
}

bool plan_print_text(const struct plan *plan, const struct screen *screen, bool all_tasks) {
    screen_print(screen, STYLE_HEADING, word_headline(plan->file).text);
    fputc('\n', screen->out);
    print_summary(plan, screen);
    fputc('\n', screen->out);
    if (!plan_print_resources(plan, screen)) {
        return false;
    }
    if (plan->file->counts[STATE_PROJECT] > 0) {
        fputc('\n', screen->out);
        if (!plan_print_projects(plan, screen)) {
            return false;
        }
        fputc('\n', screen->out);
        if (!plan_print_requests(plan, screen)) {
            return false;
        }
    }
    if (plan->file->counts[STATE_TASK] > 0) {
        fputc('\n', screen->out);
        if (!plan_print_tasks(plan, screen, all_tasks)) {
            return false;
        }
        print_changes(plan, screen);
    }
    print_notes(plan, screen);
    return true;
}
