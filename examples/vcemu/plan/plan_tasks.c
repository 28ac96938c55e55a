/* SPDX-License-Identifier: MIT */
#include "plan/plan_tables.h"

#include <math.h>
#include <stdlib.h>

#include "plan/plan_words.h"
#include "text/table.h"

#define TASKS_SHOWN 40u

/* Sort key of a task: running tasks come first, then earlier finishes. */
struct finish {
    bool waits;
    double time;
    uint32_t task;
};

static int compare_finishes(const void *one, const void *other) {
    const struct finish *a = one;
    const struct finish *b = other;
    if (a->waits != b->waits) {
        return a->waits ? 1 : -1;
    }
    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    return a->task < b->task ? -1 : a->task > b->task;
}

/* The tasks in the order shown, for the caller to free. NULL if memory is short. */
static struct finish *sort_tasks(const struct plan *plan) {
    uint32_t count = plan->file->counts[STATE_TASK];
    struct finish *finishes = malloc((count == 0 ? 1 : count) * sizeof *finishes);
    if (finishes == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        finishes[i] = (struct finish){plan->decisions[i].run == 0, plan->tasks[i].finish, i};
    }
    qsort(finishes, count, sizeof *finishes, compare_finishes);
    return finishes;
}

static void add_duration(struct table *table, enum style style, double seconds, const char *if_not_finite) {
    if (isfinite(seconds)) {
        table_add(table, style, "%s", word_duration(seconds).text);
    } else {
        table_add(table, style, "%s", if_not_finite);
    }
}

void plan_add_finish(struct table *table, const struct plan *plan, uint32_t task) {
    const vcs_task_forecast *forecast = &plan->tasks[task];
    if (plan_gives_up(plan, task)) {
        table_add(table, STYLE_WARNING, "given up");
        return;
    }
    switch (forecast->verdict) {
    case VCS_VERDICT_STUCK:
        table_add(table, STYLE_BAD, "stuck");
        break;
    case VCS_VERDICT_SUSPENDED:
        table_add(table, STYLE_FAINT, "suspended");
        break;
    case VCS_VERDICT_UNKNOWN:
        table_add(table, STYLE_WARNING, "unknown");
        break;
    default:
        add_duration(table, STYLE_PLAIN, forecast->finish, "never");
        break;
    }
}

void plan_add_decision(struct table *table, const struct plan *plan, uint32_t index) {
    const vcs_task *task = &plan->file->tasks[index];
    const vcs_task_decision *decision = &plan->decisions[index];
    if (decision->reason >= VCS_REASON_TASK_SUSPENDED && decision->reason <= VCS_REASON_RESOURCE_SUSPENDED) {
        table_add(table, STYLE_FAINT, "suspended");
    } else if (decision->run && plan_has_choice(plan, task->gpu)) {
        table_add(table, STYLE_GOOD, "runs: %s, %s", word_reason(decision->reason).text,
                  word_devices(decision->devices).text);
    } else if (decision->run) {
        table_add(table, STYLE_GOOD, "runs: %s", word_reason(decision->reason).text);
    } else {
        table_add(table, STYLE_PLAIN, "%s", word_reason(decision->reason).text);
    }
}

static void add_task(struct table *table, const struct plan *plan, uint32_t index, bool is_short) {
    const vcs_task *task = &plan->file->tasks[index];
    bool late = plan->tasks[index].verdict == VCS_VERDICT_MISSES;
    table_add(table, STYLE_PLAIN, "%s", vcs_scn_state_file_name(plan->file, STATE_TASK, index));
    table_add(table, STYLE_PLAIN, "%s", vcs_scn_state_file_name(plan->file, STATE_PROJECT, task->project));
    table_add(table, STYLE_PLAIN, "%s", (is_short ? word_main_use(plan->file, task) : word_use(plan->file, task)).text);
    plan_add_finish(table, plan, index);
    add_duration(table, late ? STYLE_BAD : STYLE_PLAIN, plan_time_to_deadline(plan, index), "never");
    table_add(table, STYLE_BAD, "%s", late ? "LATE" : "");
    plan_add_decision(table, plan, index);
}

static uint32_t count_late(const struct plan *plan, const struct finish *finishes, uint32_t from) {
    uint32_t late = 0;
    for (uint32_t i = from; i < plan->file->counts[STATE_TASK]; i++) {
        late += plan->tasks[finishes[i].task].verdict == VCS_VERDICT_MISSES;
    }
    return late;
}

static void print_rest(const struct plan *plan, const struct screen *screen, const struct finish *finishes,
                       uint32_t shown) {
    uint32_t count = plan->file->counts[STATE_TASK];
    uint32_t late = count_late(plan, finishes, shown);
    if (shown == count) {
        return;
    }
    fprintf(screen->out, "%s and %u more", screen->unicode ? "\xe2\x80\xa6" : "...", (unsigned)(count - shown));
    if (late > 0 && late == count - shown) {
        fputs(late == 1 ? ", LATE" : ", all LATE", screen->out);
    } else if (late > 0) {
        fprintf(screen->out, ", %u of them LATE", (unsigned)late);
    }
    fputs("; --all shows them\n", screen->out);
}

/* `is_short` abbreviates what tasks use, for a narrow screen. */
static struct table make_table(const struct plan *plan, const struct finish *finishes, uint32_t shown, bool is_short) {
    static const struct table_column columns[] = {
        {"TASK", false, 14},   {"PROJECT", false, 9}, {"USES", false, 10}, {"FINISH", true, 0},
        {"DEADLINE", true, 0}, {"", false, 0},        {"NOW", false, 0},
    };
    struct table table = table_start(columns, sizeof columns / sizeof *columns);
    table.names = 1u << 0;
    for (uint32_t i = 0; i < shown; i++) {
        add_task(&table, plan, finishes[i].task, is_short);
    }
    return table;
}

bool plan_print_tasks(const struct plan *plan, const struct screen *screen, bool all_tasks) {
    uint32_t count = plan->file->counts[STATE_TASK];
    uint32_t shown = all_tasks || count < TASKS_SHOWN ? count : TASKS_SHOWN;
    struct finish *finishes = sort_tasks(plan);
    if (finishes == NULL) {
        return false;
    }
    struct table table = make_table(plan, finishes, shown, false);
    if (!table_fits(&table, screen)) {
        table_free(&table);
        table = make_table(plan, finishes, shown, true);
    }
    bool printed = table_print(&table, screen);
    table_free(&table);
    print_rest(plan, screen, finishes, shown);
    free(finishes);
    return printed;
}
