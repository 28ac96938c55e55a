/* SPDX-License-Identifier: MIT */
#include "plan_text.h"

#include <math.h>

#include "table.h"
#include "wording.h"

#define FIXED_COLUMNS 6u
#define SHORTFALL_COLUMNS 3u

/* How many columns tell what the projects lack: one for each resource, as far as there is room. */
static uint32_t shortfall_columns(const struct plan *plan) {
    uint32_t resources = state_file_resource_count(plan->file);
    return resources < SHORTFALL_COLUMNS ? resources : SHORTFALL_COLUMNS;
}

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

/* Of more resources than have a column of their own, the sum. */
static double own_shortfall(const struct plan *plan, uint32_t project, uint32_t resource, bool and_others) {
    double sum = 0;
    for (uint32_t i = resource; i == resource || (and_others && i < state_file_resource_count(plan->file)); i++) {
        sum += plan_pair(plan, project, i)->shortfall;
    }
    return sum;
}

static void add_own_shortfalls(struct table *table, const struct plan *plan, uint32_t project) {
    uint32_t columns = shortfall_columns(plan);
    for (uint32_t i = 0; i < columns; i++) {
        double shortfall = own_shortfall(plan, project, i, i + 1 == columns);
        if (is_suspended(&plan->file->projects[project])) {
            table_add(table, STYLE_FAINT, "%s", i == 0 ? "suspended" : "");
        } else {
            table_add(table, STYLE_PLAIN, "%s", shortfall > 0 ? word_duration(shortfall).text : "-");
        }
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
    add_own_shortfalls(table, plan, index);
}

/* The heading of each column of own shortfalls: "CPU LACK"; the last of them may stand for several resources. */
static struct wording heading(const struct plan *plan, uint32_t column) {
    struct wording wording;
    bool several = column + 1 == shortfall_columns(plan) && column + 1 < state_file_resource_count(plan->file);
    snprintf(wording.text, sizeof wording.text, "%.12s LACK",
             several ? "OTHER" : fault_quote(state_file_resource_name(plan->file, column)).text);
    return wording;
}

bool plan_print_projects(const struct plan *plan, const struct screen *screen) {
    struct table_column columns[FIXED_COLUMNS + SHORTFALL_COLUMNS] = {
        {"PROJECT", false, 10}, {"SHARE", true, 0}, {"REC", true, 0},
        {"PRIORITY", true, 0},  {"TASKS", true, 0}, {"MISSES", true, 0},
    };
    struct wording headings[SHORTFALL_COLUMNS];
    for (uint32_t i = 0; i < shortfall_columns(plan); i++) {
        headings[i] = heading(plan, i);
        columns[FIXED_COLUMNS + i] = (struct table_column){headings[i].text, true, 0};
    }
    struct table table = table_start(columns, FIXED_COLUMNS + shortfall_columns(plan));
    double sum = sum_of_shares(plan->file);
    for (uint32_t i = 0; i < plan->file->counts[STATE_PROJECT]; i++) {
        add_project(&table, plan, i, sum);
    }
    bool printed = table_print(&table, screen);
    table_free(&table);
    return printed;
}
