/* SPDX-License-Identifier: MIT */
#include "plan/plan_tables.h"

#include <stdio.h>
#include <string.h>

#include "plan/plan_words.h"
#include "text/paragraph.h"
#include "text/table.h"

/* From so many projects on, equal rows become one. */
#define FOLDED_PROJECTS 4u

/* Resources of a project share a row if their decisions read the same. */
static bool say_the_same(const vcs_fetch_decision *a, const vcs_fetch_decision *b) {
    return a->reason == b->reason && a->better == b->better && a->wait == b->wait && a->also == b->also &&
           a->also_wait == b->also_wait && a->seconds == 0 && b->seconds == 0;
}

/* Whether no earlier resource of the project has the same row. */
static bool is_first(const struct plan *plan, uint32_t project, uint32_t resource) {
    for (uint32_t i = 0; i < resource; i++) {
        if (say_the_same(plan_request(plan, project, i), plan_request(plan, project, resource))) {
            return false;
        }
    }
    return true;
}

static void add_resources(struct table *table, const struct plan *plan, uint32_t project, uint32_t resource) {
    char text[512] = "";
    size_t used = 0;
    for (uint32_t i = resource; i < vcs_scn_state_file_resource_count(plan->file) && used < sizeof text; i++) {
        if (i == resource || say_the_same(plan_request(plan, project, i), plan_request(plan, project, resource))) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used == 0 ? "" : ", ",
                                     vcs_scn_fault_quote(vcs_scn_state_file_resource_name(plan->file, i)).text);
        }
    }
    table_add(table, STYLE_PLAIN, "%s", text);
}

static void add_amount(struct table *table, const vcs_fetch_decision *request) {
    if (request->seconds > 0) {
        table_add(table, STYLE_GOOD, "%s", word_request(request).text);
    } else {
        table_add(table, STYLE_PLAIN, "-");
    }
}

bool plan_gives_way(const struct plan *plan, uint32_t project, uint32_t resource) {
    const vcs_fetch_decision *request = plan_request(plan, project, resource);
    return request->better != VCS_NONE && plan_request(plan, request->better, resource)->priority < request->priority;
}

struct wording plan_word_why(const struct plan *plan, uint32_t project, uint32_t resource) {
    const vcs_fetch_decision *request = plan_request(plan, project, resource);
    struct wording wording;
    char reason[64];
    snprintf(reason, sizeof reason, "%.60s", word_reason(request->reason).text);
    if (request->better != VCS_NONE) {
        snprintf(wording.text, sizeof wording.text, "%s: %s",
                 plan_gives_way(plan, project, resource) ? "called now" : reason,
                 vcs_scn_fault_quote(vcs_scn_state_file_name(plan->file, STATE_PROJECT, request->better)).text);
    } else if (request->wait > 0) {
        const int used =
            snprintf(wording.text, sizeof wording.text, "%s, %.40s", reason, word_duration(request->wait).text);
        if (request->also == VCS_REASON_NONE) {
            snprintf(wording.text + used, sizeof wording.text - (size_t)used, " left");
        } else { /* shorter, so that both fit into a narrow table */
            snprintf(wording.text + used, sizeof wording.text - (size_t)used, " (%.30s, %.40s)",
                     word_reason(request->also).text, word_duration(request->also_wait).text);
        }
    } else {
        snprintf(wording.text, sizeof wording.text, "%s", reason);
    }
    return wording;
}

/* Whether two projects have the same row for a resource: the same reason, and for the same resources. */
static bool share_a_row(const struct plan *plan, uint32_t one, uint32_t other, uint32_t resource) {
    const vcs_fetch_decision *a = plan_request(plan, one, resource), *b = plan_request(plan, other, resource);
    if (!say_the_same(a, b)) {
        return false;
    }
    for (uint32_t i = 0; i < vcs_scn_state_file_resource_count(plan->file); i++) {
        if (say_the_same(a, plan_request(plan, one, i)) != say_the_same(b, plan_request(plan, other, i))) {
            return false;
        }
    }
    return true;
}

/* How many projects a row is for: 1 for its own, 0 if an earlier project's row says it. */
static uint32_t count_projects(const struct plan *plan, uint32_t project, uint32_t resource) {
    uint32_t before = 0, after = 0;
    for (uint32_t i = 0; i < plan->file->counts[STATE_PROJECT]; i++) {
        const bool same = i != project && share_a_row(plan, project, i, resource);
        before += same && i < project;
        after += same && i > project;
    }
    return before + after + 1 < FOLDED_PROJECTS ? 1 : before > 0 ? 0 : after + 1;
}

/* A row for a project, or for `count` projects that have the same. */
static void add_row(struct table *table, const struct plan *plan, uint32_t project, uint32_t resource, uint32_t count) {
    const vcs_fetch_decision *request = plan_request(plan, project, resource);
    if (count > 1) {
        table_add(table, STYLE_PLAIN, "%u projects", (unsigned)count);
    } else {
        table_add(table, STYLE_PLAIN, "%s", vcs_scn_state_file_name(plan->file, STATE_PROJECT, project));
    }
    add_resources(table, plan, project, resource);
    add_amount(table, request);
    table_add(table, request->seconds > 0 ? STYLE_GOOD : STYLE_PLAIN, "%s",
              plan_word_why(plan, project, resource).text);
}

/* Says to whom the reason for asking nobody applies: the host, every project, or the first in line. */
static const char *addressee_of(uint32_t reason) {
    switch (reason) {
    case VCS_REASON_FULL:
    case VCS_REASON_ENOUGH:
    case VCS_REASON_LITTLE_MISSING:
    case VCS_REASON_NO_PROJECT:
        return "";
    case VCS_REASON_PROJECT_SUSPENDED:
    case VCS_REASON_NO_NEW_WORK:
    case VCS_REASON_NOT_WANTED:
    case VCS_REASON_NO_APPS:
    case VCS_REASON_DEFERRED:
    case VCS_REASON_BACKED_OFF:
    case VCS_REASON_SERVER_LIMIT:
    case VCS_REASON_TASK_BY_USER:
    case VCS_REASON_TOO_MANY_TASKS:
    case VCS_REASON_UPLOADS:
        return "For every project: ";
    default:
        return "For the first in line: ";
    }
}

static void print_next_call(const struct plan *plan, const struct screen *screen) {
    const vcs_fetch_summary *fetch = &plan->fetch;
    char text[512];
    if (fetch->project != VCS_NONE) {
        snprintf(text, sizeof text, "%s is asked for work now.",
                 vcs_scn_fault_quote(vcs_scn_state_file_name(plan->file, STATE_PROJECT, fetch->project)).text);
    } else {
        snprintf(text, sizeof text, "No project is asked for work now. %s%s", addressee_of(fetch->reason),
                 vcs_reason_sentence(fetch->reason));
    }
    const size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "%.100s", word_next_decision(fetch->next_check).text);
    paragraph_print(screen, STYLE_PLAIN, 0, text);
}

static bool print_table(const struct plan *plan, const struct screen *screen, bool all_projects) {
    static const struct table_column columns[] = {
        {"PROJECT", false, 10},
        {"RESOURCE", false, 8},
        {"REQUEST", true, 0},
        {"WHY", false, 20},
    };
    struct table table = table_start(columns, sizeof columns / sizeof *columns);
    for (uint32_t project = 0; project < plan->file->counts[STATE_PROJECT]; project++) {
        for (uint32_t resource = 0; resource < vcs_scn_state_file_resource_count(plan->file); resource++) {
            const uint32_t count = !is_first(plan, project, resource) ? 0
                                   : all_projects                     ? 1
                                                                      : count_projects(plan, project, resource);
            if (count > 0) {
                add_row(&table, plan, project, resource, count);
            }
        }
    }
    bool printed = table_print(&table, screen);
    table_free(&table);
    return printed;
}

bool plan_print_requests(const struct plan *plan, const struct screen *screen, bool all_projects) {
    bool printed = plan->file->counts[STATE_PROJECT] == 0 || print_table(plan, screen, all_projects);
    print_next_call(plan, screen);
    return printed;
}
