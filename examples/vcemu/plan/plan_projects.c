/* SPDX-License-Identifier: MIT */
#include "plan/plan_tables.h"

#include <math.h>
#include <string.h>

#include "text/table.h"
#include "text/wording.h"
#include "vcemu/scenario/text/utf8.h"

#define FIXED_COLUMNS 6u
#define MOST_SHORTFALLS 3u
#define LEAST_SHORTFALLS 2u
#define NAME_COLUMNS 8u /* of a resource, in a heading */

static bool is_suspended(const vcs_project *project) {
    return (project->flags & VCS_PROJECT_SUSPENDED) != 0;
}

static void add_share(struct table *table, const vcs_project *project, double sum) {
    if (is_suspended(project)) {
        table_add(table, STYLE_FAINT, "-");
    } else {
        table_add(table, STYLE_PLAIN, "%.1f%%", sum > 0 ? 100 * project->share / sum : 0);
    }
}

/* The shortfall of one resource; with `and_others`, the sum over it and all later resources. */
static double own_shortfall(const struct plan *plan, uint32_t project, uint32_t resource, bool and_others) {
    double sum = 0;
    for (uint32_t i = resource; i == resource || (and_others && i < vcs_scn_state_file_resource_count(plan->file));
         i++) {
        sum += plan_project_resource(plan, project, i)->shortfall;
    }
    return sum;
}

static void add_own_shortfalls(struct table *table, const struct plan *plan, uint32_t project, uint32_t shortfalls) {
    for (uint32_t i = 0; i < shortfalls; i++) {
        double shortfall = own_shortfall(plan, project, i, i + 1 == shortfalls);
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

/* Without an exponent, and with a fraction only for small numbers. */
static void add_work(struct table *table, double rec) {
    table_add(table, STYLE_PLAIN, rec < 9.5 ? "%.2g" : rec < 1e9 ? "%.0f" : "%.3g", rec);
}

static void add_project(struct table *table, const struct plan *plan, uint32_t index, uint32_t shortfalls) {
    const vcs_project *project = &plan->file->projects[index];
    uint32_t tasks = 0;
    uint32_t misses = 0;
    for (uint32_t i = 0; i < vcs_scn_state_file_resource_count(plan->file); i++) {
        tasks += plan_project_resource(plan, index, i)->tasks;
        misses += plan_project_resource(plan, index, i)->misses;
    }
    table_add(table, STYLE_PLAIN, "%s", vcs_scn_state_file_name(plan->file, STATE_PROJECT, index));
    add_share(table, project, plan->share_sum);
    add_work(table, project->rec);
    add_priority(table, plan->priorities[index]);
    table_add(table, STYLE_PLAIN, "%u", (unsigned)tasks);
    table_add(table, misses > 0 ? STYLE_BAD : STYLE_PLAIN, "%u", (unsigned)misses);
    add_own_shortfalls(table, plan, index, shortfalls);
}

/* The heading of a column of shortfalls: "CPU LACK". The last column may cover several resources. */
static struct wording heading(const struct plan *plan, const struct screen *screen, uint32_t column,
                              uint32_t shortfalls) {
    struct wording wording;
    char name[64] = "OTHER";
    if (column + 1 < shortfalls || shortfalls == vcs_scn_state_file_resource_count(plan->file)) {
        vcs_scn_utf8_shorten(vcs_scn_state_file_resource_name(plan->file, column), NAME_COLUMNS,
                             screen_ellipsis(screen), name, sizeof name);
    }
    snprintf(wording.text, sizeof wording.text, "%s LACK", name);
    return wording;
}

struct projects_table {
    struct table_column columns[FIXED_COLUMNS + MOST_SHORTFALLS];
    struct wording headings[MOST_SHORTFALLS];
    struct table table;
};

/* `shortfalls` columns say what each project lacks. */
static void fill(struct projects_table *projects, const struct plan *plan, const struct screen *screen,
                 uint32_t shortfalls) {
    static const struct table_column fixed[FIXED_COLUMNS] = {
        {"PROJECT", false, 10}, {"SHARE", true, 0}, {"REC", true, 0},
        {"PRIORITY", true, 0},  {"TASKS", true, 0}, {"MISSES", true, 0},
    };
    memcpy(projects->columns, fixed, sizeof fixed);
    for (uint32_t i = 0; i < shortfalls; i++) {
        projects->headings[i] = heading(plan, screen, i, shortfalls);
        projects->columns[FIXED_COLUMNS + i] = (struct table_column){projects->headings[i].text, true, 0};
    }
    projects->table = table_start(projects->columns, FIXED_COLUMNS + shortfalls);
    for (uint32_t i = 0; i < plan->file->counts[STATE_PROJECT]; i++) {
        add_project(&projects->table, plan, i, shortfalls);
    }
}

bool plan_print_projects(const struct plan *plan, const struct screen *screen) {
    struct projects_table projects;
    uint32_t resources = vcs_scn_state_file_resource_count(plan->file);
    uint32_t shortfalls = resources < MOST_SHORTFALLS ? resources : MOST_SHORTFALLS;
    fill(&projects, plan, screen, shortfalls);
    while (shortfalls > LEAST_SHORTFALLS && !table_fits(&projects.table, screen)) {
        table_free(&projects.table);
        fill(&projects, plan, screen, --shortfalls);
    }
    bool printed = table_print(&projects.table, screen);
    table_free(&projects.table);
    return printed;
}
