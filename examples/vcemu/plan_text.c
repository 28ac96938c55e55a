/* SPDX-License-Identifier: MIT */
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "wording.h"

#define TASKS_SHOWN 40u

/* ---- resources ---- */

#define LEAST_BAR_CELLS 10
#define MOST_BAR_CELLS 50
#define BAR_FRAME 8 /* the brackets, the mark of the minimum buffer, and " 100%" */
#define BAR_SIZE 512

/* The parts of a bar. */
struct bar_signs {
    const char *begin, *all_busy, *some_busy, *idle, *mark, *end;
};

static const struct bar_signs ascii_signs = {"[", "#", "=", ".", "|", "]"};
static const struct bar_signs block_signs = {"", "\xe2\x96\x88", "\xe2\x96\x92", "\xe2\x96\x91", "\xe2\x94\x82", ""};

static const struct bar_signs *signs_of(const struct screen *screen) {
    return screen->unicode ? &block_signs : &ascii_signs;
}

static double buffer_end(const struct plan *plan) {
    return plan->file->parameters.min_buffer + plan->file->parameters.additional_buffer;
}

/* How much of the instances' time before the buffer's end is filled with work: 0 ... 1. */
static double filled_part(const struct plan *plan, uint32_t resource) {
    double whole = buffer_end(plan) * plan->file->resources[resource].instances;
    return fmax(0, 1 - plan->resources[resource].shortfall / whole);
}

/* From now to the buffer's end: for how long all instances are busy, how much other work there is, and what is idle. */
static void draw_bar(const struct plan *plan, uint32_t resource, const struct bar_signs *signs, size_t cells,
                     char *bar) {
    double end = buffer_end(plan);
    double filled = filled_part(plan, resource);
    size_t mark = (size_t)((double)cells * plan->file->parameters.min_buffer / end + 0.5);
    size_t all_busy = (size_t)((double)cells * fmin(1, plan->resources[resource].saturated / end));
    size_t some_busy = (size_t)((double)cells * filled + 0.5);
    strcpy(bar, signs->begin);
    for (size_t i = 0; i <= cells; i++) {
        strcat(bar, i == mark ? signs->mark : "");
        if (i < cells) {
            strcat(bar, i < all_busy ? signs->all_busy : i < some_busy ? signs->some_busy : signs->idle);
        }
    }
    size_t used = strlen(bar);
    snprintf(bar + used, BAR_SIZE - used, "%s %3.0f%%", signs->end, 100 * filled);
}

static enum style bar_style(const struct plan *plan, uint32_t resource) {
    if (plan->resources[resource].saturated >= plan->file->parameters.min_buffer) {
        return STYLE_GOOD;
    }
    return plan->resources[resource].idle_now > 0 ? STYLE_BAD : STYLE_WARNING;
}

static void add_bar(struct table *table, const struct plan *plan, uint32_t resource, const struct bar_signs *signs,
                    size_t cells) {
    char bar[BAR_SIZE];
    if ((plan->file->resources[resource].flags & VCS_RESOURCE_SUSPENDED) != 0) {
        table_add(table, STYLE_FAINT, "suspended");
    } else if (buffer_end(plan) > 0) {
        draw_bar(plan, resource, signs, cells, bar);
        table_add(table, bar_style(plan, resource), "%s", bar);
    } else {
        table_add(table, STYLE_FAINT, "-");
    }
}

static void add_resource(struct table *table, const struct plan *plan, uint32_t index) {
    const vcs_resource_forecast *forecast = &plan->resources[index];
    table_add(table, STYLE_PLAIN, "%s", state_file_resource_name(plan->file, index));
    table_add(table, STYLE_PLAIN, "%u", (unsigned)plan->file->resources[index].instances);
    table_add(table, STYLE_PLAIN, "%.4g", forecast->idle_now);
    table_add(table, STYLE_PLAIN, "%s", word_duration(forecast->saturated).text);
    table_add(table, STYLE_PLAIN, "%s", word_duration(forecast->shortfall).text);
    table_add(table, STYLE_PLAIN, "%s", word_duration(plan->busy[index].busy).text);
}

static const struct table_column resource_columns[] = {
    {"RESOURCE", false, 9}, {"COUNT", true, 0}, {"IDLE NOW", true, 0},      {"SATURATED", true, 0},
    {"SHORTFALL", true, 0}, {"BUSY", true, 0},  {"WORK AT HAND", false, 0},
};
#define RESOURCE_COLUMNS (sizeof resource_columns / sizeof *resource_columns)

/* How many cells a bar has: what the other columns leave of the screen. */
static size_t bar_cells(const struct plan *plan, const struct screen *screen) {
    struct table table = table_start(resource_columns, RESOURCE_COLUMNS);
    for (uint32_t i = 0; i < state_file_resource_count(plan->file); i++) {
        add_resource(&table, plan, i);
        table_add(&table, STYLE_PLAIN, "%s", "");
    }
    size_t taken = table_width_before_last(&table) + BAR_FRAME;
    table_free(&table);
    if (taken + LEAST_BAR_CELLS > screen->columns) {
        return LEAST_BAR_CELLS;
    }
    size_t left = screen->columns - taken;
    return left < MOST_BAR_CELLS ? left : MOST_BAR_CELLS;
}

static void print_legend(const struct plan *plan, const struct screen *screen) {
    const struct bar_signs *signs = signs_of(screen);
    char text[BAR_SIZE];
    snprintf(text, sizeof text, "%s all busy  %s some busy  %s idle;  %s min buffer %.40s, end of buffer %.40s\n",
             signs->all_busy, signs->some_busy, signs->idle, signs->mark,
             word_duration(plan->file->parameters.min_buffer).text, word_duration(buffer_end(plan)).text);
    screen_print(screen, STYLE_FAINT, text);
}

static bool print_resources(const struct plan *plan, const struct screen *screen) {
    struct table table = table_start(resource_columns, RESOURCE_COLUMNS);
    size_t cells = bar_cells(plan, screen);
    for (uint32_t i = 0; i < state_file_resource_count(plan->file); i++) {
        add_resource(&table, plan, i);
        add_bar(&table, plan, i, signs_of(screen), cells);
    }
    bool printed = table_print(&table, screen);
    table_free(&table);
    if (buffer_end(plan) > 0) {
        print_legend(plan, screen);
    }
    return printed;
}

/* ---- projects ---- */

static bool is_suspended(const vcs_project *project) {
    return (project->flags & VCS_PROJECT_SUSPENDED) != 0;
}

static double sum_of_shares(const struct state_file *file) {
    double sum = 0;
    for (uint32_t i = 0; i < file->counts[STATE_PROJECT]; i++) {
        sum += is_suspended(&file->projects[i]) ? 0 : file->projects[i].share;
    }
    return sum;
}

static void add_share(struct table *table, const vcs_project *project, double sum) {
    if (is_suspended(project)) {
        table_add(table, STYLE_FAINT, "-");
    } else {
        table_add(table, STYLE_PLAIN, "%.1f%%", sum > 0 ? 100 * project->share / sum : 0);
    }
}

static void add_own_shortfall(struct table *table, const struct plan *plan, uint32_t project) {
    char text[1024] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < state_file_resource_count(plan->file) && used < sizeof text; i++) {
        double shortfall = plan_pair(plan, project, i)->shortfall;
        if (shortfall > 0) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %s", used == 0 ? "" : ", ",
                                     fault_quote(state_file_resource_name(plan->file, i)).text,
                                     word_duration(shortfall).text);
        }
    }
    if (is_suspended(&plan->file->projects[project])) {
        table_add(table, STYLE_FAINT, "suspended");
    } else {
        table_add(table, STYLE_PLAIN, "%s", used == 0 ? "-" : text);
    }
}

/* A small negative number is rounded to 0.000, not to -0.000. */
static void add_priority(struct table *table, double priority) {
    if (isfinite(priority)) {
        table_add(table, STYLE_PLAIN, "%.3f", priority > -0.0005 && priority < 0 ? 0.0 : priority);
    } else {
        table_add(table, STYLE_FAINT, "-");
    }
}

static void add_project(struct table *table, const struct plan *plan, uint32_t index, double sum) {
    const vcs_project *project = &plan->file->projects[index];
    uint32_t tasks = 0;
    uint32_t misses = 0;
    for (uint32_t i = 0; i < state_file_resource_count(plan->file); i++) {
        tasks += plan_pair(plan, index, i)->tasks;
        misses += plan_pair(plan, index, i)->misses;
    }
    table_add(table, STYLE_PLAIN, "%s", state_file_name(plan->file, STATE_PROJECT, index));
    add_share(table, project, sum);
    table_add(table, STYLE_PLAIN, "%.5g", project->rec);
    add_priority(table, plan->priorities[index]);
    table_add(table, STYLE_PLAIN, "%u", (unsigned)tasks);
    table_add(table, misses > 0 ? STYLE_BAD : STYLE_PLAIN, "%u", (unsigned)misses);
    add_own_shortfall(table, plan, index);
}

static bool print_projects(const struct plan *plan, const struct screen *screen) {
    static const struct table_column columns[] = {
        {"PROJECT", false, 10},       {"SHARE", true, 0}, {"REC", true, 0},
        {"PRIORITY", true, 0},        {"TASKS", true, 0}, {"MISSES", true, 0},
        {"OWN SHORTFALL", false, 13},
    };
    struct table table = table_start(columns, sizeof columns / sizeof *columns);
    double sum = sum_of_shares(plan->file);
    for (uint32_t i = 0; i < plan->file->counts[STATE_PROJECT]; i++) {
        add_project(&table, plan, i, sum);
    }
    bool printed = table_print(&table, screen);
    table_free(&table);
    return printed;
}

/* ---- tasks ---- */

/* When a task finishes, to sort by. */
struct finish {
    double time;
    uint32_t task;
};

static int compare_finishes(const void *one, const void *other) {
    const struct finish *a = one;
    const struct finish *b = other;
    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    return a->task < b->task ? -1 : a->task > b->task;
}

/* The tasks in order of finish, those that do not finish last; free() is due. NULL if there is not enough memory. */
static struct finish *sort_tasks(const struct plan *plan) {
    uint32_t count = plan->file->counts[STATE_TASK];
    struct finish *finishes = malloc((count == 0 ? 1 : count) * sizeof *finishes);
    if (finishes == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        finishes[i] = (struct finish){plan->tasks[i].finish, i};
    }
    qsort(finishes, count, sizeof *finishes, compare_finishes);
    return finishes;
}

static double time_to_deadline(const struct plan *plan, uint32_t task) {
    return plan->file->tasks[task].deadline - plan->file->now;
}

static double slack(const struct plan *plan, uint32_t task) {
    return time_to_deadline(plan, task) - plan->tasks[task].finish;
}

static void add_duration(struct table *table, enum style style, double seconds, const char *if_not_finite) {
    if (isfinite(seconds)) {
        table_add(table, style, "%s", word_duration(seconds).text);
    } else {
        table_add(table, style, "%s", if_not_finite);
    }
}

/* When it finishes, or why there is no such time. */
static void add_finish(struct table *table, const vcs_task_forecast *forecast) {
    switch (forecast->verdict) {
    case VCS_VERDICT_STUCK:
        table_add(table, STYLE_BAD, "stuck");
        break;
    case VCS_VERDICT_APART:
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

static void add_task(struct table *table, const struct plan *plan, uint32_t index) {
    const vcs_task *task = &plan->file->tasks[index];
    bool late = plan->tasks[index].verdict == VCS_VERDICT_MISSES;
    table_add(table, STYLE_PLAIN, "%s", state_file_name(plan->file, STATE_TASK, index));
    table_add(table, STYLE_PLAIN, "%s", state_file_name(plan->file, STATE_PROJECT, task->project));
    table_add(table, STYLE_PLAIN, "%s", word_use(plan->file, task).text);
    add_finish(table, &plan->tasks[index]);
    add_duration(table, STYLE_PLAIN, time_to_deadline(plan, index), "never");
    add_duration(table, late ? STYLE_BAD : STYLE_PLAIN, slack(plan, index), "-");
    table_add(table, STYLE_BAD, "%s", late ? "LATE" : "");
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
    if (late > 0) {
        fprintf(screen->out, ", %u of them LATE", (unsigned)late);
    }
    fputs("; --all shows them\n", screen->out);
}

static bool print_tasks(const struct plan *plan, const struct screen *screen, bool all_tasks) {
    static const struct table_column columns[] = {
        {"TASK", false, 18},   {"PROJECT", false, 10}, {"USES", false, 12}, {"FINISH", true, 0},
        {"DEADLINE", true, 0}, {"SLACK", true, 0},     {"", false, 0},
    };
    uint32_t count = plan->file->counts[STATE_TASK];
    uint32_t shown = all_tasks || count < TASKS_SHOWN ? count : TASKS_SHOWN;
    struct finish *finishes = sort_tasks(plan);
    if (finishes == NULL) {
        return false;
    }
    struct table table = table_start(columns, sizeof columns / sizeof *columns);
    for (uint32_t i = 0; i < shown; i++) {
        add_task(&table, plan, finishes[i].task);
    }
    bool printed = table_print(&table, screen);
    table_free(&table);
    print_rest(plan, screen, finishes, shown);
    free(finishes);
    return printed;
}

/* ---- the whole ---- */

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
        if (plan->tasks[i].verdict == VCS_VERDICT_MISSES && slack(plan, i) >= 0) {
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

bool plan_print_text(const struct plan *plan, const struct screen *screen, bool all_tasks) {
    screen_print(screen, STYLE_HEADING, word_headline(plan->file).text);
    fputc('\n', screen->out);
    print_summary(plan, screen);
    fputc('\n', screen->out);
    if (!print_resources(plan, screen)) {
        return false;
    }
    if (plan->file->counts[STATE_PROJECT] > 0) {
        fputc('\n', screen->out);
        if (!print_projects(plan, screen)) {
            return false;
        }
    }
    if (plan->file->counts[STATE_TASK] > 0) {
        fputc('\n', screen->out);
        if (!print_tasks(plan, screen, all_tasks)) {
            return false;
        }
    }
    print_notes(plan, screen);
    return true;
}
