/* SPDX-License-Identifier: MIT */
#include "plan/plan_tables.h"

#include <math.h>
#include <string.h>

#include "text/table.h"
#include "text/wording.h"

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

/* The minimum buffer as work fetch counts it. */
static double min_buffer(const struct plan *plan) {
    return fmax(plan->file->parameters.min_buffer, plan->file->parameters.least_buffer);
}

static double buffer_end(const struct plan *plan) {
    return min_buffer(plan) + plan->file->parameters.additional_buffer;
}

/* The part of the instance time until the end of the buffer that has work, 0 ... 1. */
static double filled_part(const struct plan *plan, uint32_t resource) {
    double whole = buffer_end(plan) * plan->file->resources[resource].instances;
    return fmax(0, 1 - plan->resources[resource].shortfall / whole);
}

/* From now to the end of the buffer: how long all instances are busy, other work, and idle time. */
static void draw_bar(const struct plan *plan, uint32_t resource, const struct bar_signs *signs, size_t cells,
                     char *bar) {
    double end = buffer_end(plan);
    double filled = filled_part(plan, resource);
    size_t mark = (size_t)((double)cells * min_buffer(plan) / end + 0.5);
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
    if (plan->resources[resource].saturated >= min_buffer(plan)) {
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
    table_add(table, STYLE_PLAIN, "%s", vcs_scn_state_file_resource_name(plan->file, index));
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

/* Cells of a bar: as many as the other columns leave free. */
static size_t bar_cells(const struct plan *plan, const struct screen *screen) {
    struct table table = table_start(resource_columns, RESOURCE_COLUMNS);
    for (uint32_t i = 0; i < vcs_scn_state_file_resource_count(plan->file); i++) {
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
             signs->all_busy, signs->some_busy, signs->idle, signs->mark, word_duration(min_buffer(plan)).text,
             word_duration(buffer_end(plan)).text);
    screen_print(screen, STYLE_FAINT, text);
}

bool plan_print_resources(const struct plan *plan, const struct screen *screen) {
    struct table table = table_start(resource_columns, RESOURCE_COLUMNS);
    size_t cells = bar_cells(plan, screen);
    for (uint32_t i = 0; i < vcs_scn_state_file_resource_count(plan->file); i++) {
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
