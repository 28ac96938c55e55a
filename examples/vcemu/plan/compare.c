/* SPDX-License-Identifier: MIT */
#include "plan/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan_tables.h"
#include "plan/plan_words.h"
#include "text/json.h"
#include "text/paragraph.h"
#include "text/table.h"
#include "vcemu/scenario/state/state_interpret.h"
#include "vcemu/scenario/state/state_settings.h"
#include "vcemu/scenario/text/bytes.h"

#define OPTION "--compare"

/* ---- The other policy ---- */

/* Reads the state again with the profile and the settings of `text`, which is taken apart. */
static bool interpret(struct state_file *file, const struct policy_wish *wish, char *text, const char **settings,
                      struct fault *fault) {
    struct policy_wish other = *wish;
    memcpy(settings, wish->settings, wish->setting_count * sizeof *settings);
    other.settings = settings;
    other.later_option = OPTION;
    while (text != NULL) {
        char *const part = vcs_scn_bytes_word(&text);
        if (strchr(part, '=') != NULL) {
            settings[other.setting_count++] = part;
            other.later_count++;
        } else {
            other.profile = part;
            other.profile_option = OPTION;
        }
    }
    return vcs_scn_policy_check_wish(&other, fault) &&
           vcs_scn_state_settings_apply(&file->document, file->grammar, &other, fault) &&
           vcs_scn_state_file_interpret(file, &other, fault);
}

static bool read_other(struct state_file *file, const struct policy_wish *wish, const char *policy,
                       struct fault *fault) {
    const size_t length = strlen(policy) + 1;
    char *text = malloc(length);
    const char **settings = calloc(wish->setting_count + length, sizeof *settings); /* no more than characters */
    bool read = false;
    if (text == NULL || settings == NULL) {
        vcs_scn_fault_memory(fault, file->document.file);
    } else {
        memcpy(text, policy, length);
        read = interpret(file, wish, text, settings, fault);
    }
    free(settings);
    free(text);
    return read;
}

/* The file may be at fault only under the other policy. */
static bool refuse_other(const char *policy, struct fault *fault) {
    const struct fault why = *fault;
    return strncmp(why.message, OPTION, strlen(OPTION)) != 0 &&
           vcs_scn_fault_set(fault, OPTION " %s: %s", vcs_scn_fault_quote(policy).text, why.message);
}

bool comparison_make(struct comparison *comparison, struct state_file *file, const struct policy_wish *wish,
                     const char *policy, struct fault *fault) {
    *comparison = (struct comparison){.names = {"", ""}};
    snprintf(comparison->names[0], sizeof comparison->names[0], "%s", vcs_profile_name(file->parameters.profile));
    snprintf(comparison->names[1], sizeof comparison->names[1], "%s", policy);
    return plan_make(&comparison->plans[0], file, fault) &&
           ((read_other(file, wish, policy, fault) && plan_make(&comparison->plans[1], file, fault)) ||
            refuse_other(policy, fault));
}

void comparison_free(struct comparison *comparison) {
    plan_free(&comparison->plans[0]);
    plan_free(&comparison->plans[1]);
}

/* ---- Differences ---- */

/* Whether the policies do something else with a task now, or for another reason. */
static bool task_differs(const struct comparison *c, uint32_t task) {
    const vcs_task_decision *a = &c->plans[0].decisions[task], *b = &c->plans[1].decisions[task];
    return a->run != b->run || a->reason != b->reason || a->devices != b->devices;
}

static bool request_differs(const struct comparison *c, uint32_t project, uint32_t resource) {
    const vcs_fetch_decision *a = plan_request(&c->plans[0], project, resource);
    const vcs_fetch_decision *b = plan_request(&c->plans[1], project, resource);
    return a->seconds != b->seconds || a->instances != b->instances || a->reason != b->reason;
}

/* ---- For people ---- */

/* The name of the other policy, unless it is too long for a column. */
static const char *heading_of(const struct comparison *c) {
    return strlen(c->names[1]) <= 16 ? c->names[1] : "compared";
}

static void add_task(struct table *table, const struct comparison *c, uint32_t task) {
    table_add(table, STYLE_WARNING, "%s", task_differs(c, task) ? "*" : "");
    table_add(table, STYLE_PLAIN, "%s", vcs_scn_state_file_name(c->plans[0].file, STATE_TASK, task));
    for (int i = 0; i < 2; i++) {
        plan_add_finish(table, &c->plans[i], task);
        plan_add_decision(table, &c->plans[i], task);
    }
}

static bool print_tasks(const struct comparison *c, const struct screen *screen, bool all_tasks) {
    const struct table_column columns[] = {
        {"", false, 0},     {"TASK", false, 14},       {c->names[0], true, 12},
        {"NOW", false, 10}, {heading_of(c), true, 12}, {"NOW", false, 10},
    };
    struct table table = table_start(columns, sizeof columns / sizeof *columns);
    table.names = 1u << 1;
    const uint32_t count = c->plans[0].file->counts[STATE_TASK];
    uint32_t differing = 0;
    for (uint32_t i = 0; i < count; i++) {
        differing += task_differs(c, i);
        if (all_tasks || task_differs(c, i)) {
            add_task(&table, c, i);
        }
    }
    char text[128];
    snprintf(text, sizeof text, "%u of %u tasks are treated differently%s", (unsigned)differing, (unsigned)count,
             all_tasks || differing == count ? "." : "; --all shows the others, too.");
    paragraph_print(screen, STYLE_PLAIN, 0, text);
    const bool printed = (differing == 0 && !all_tasks) || count == 0 || table_print(&table, screen);
    table_free(&table);
    return printed;
}

static void add_request(struct table *table, const vcs_fetch_decision *request) {
    table_add(table, request->seconds > 0 ? STYLE_GOOD : STYLE_PLAIN, "%s",
              request->seconds > 0 ? word_request(request).text : "-");
    table_add(table, STYLE_PLAIN, "%s", word_reason(request->reason).text);
}

static bool print_requests(const struct comparison *c, const struct screen *screen) {
    const struct table_column columns[] = {
        {"", false, 0},     {"PROJECT", false, 10},    {"RESOURCE", false, 8}, {c->names[0], true, 12},
        {"WHY", false, 10}, {heading_of(c), true, 12}, {"WHY", false, 10},
    };
    const struct state_file *file = c->plans[0].file;
    struct table table = table_start(columns, sizeof columns / sizeof *columns);
    for (uint32_t p = 0; p < file->counts[STATE_PROJECT]; p++) {
        for (uint32_t r = 0; r < vcs_scn_state_file_resource_count(file); r++) {
            table_add(&table, STYLE_WARNING, "%s", request_differs(c, p, r) ? "*" : "");
            table_add(&table, STYLE_PLAIN, "%s", vcs_scn_state_file_name(file, STATE_PROJECT, p));
            table_add(&table, STYLE_PLAIN, "%s", vcs_scn_state_file_resource_name(file, r));
            add_request(&table, plan_request(&c->plans[0], p, r));
            add_request(&table, plan_request(&c->plans[1], p, r));
        }
    }
    const bool printed = file->counts[STATE_PROJECT] == 0 || table_print(&table, screen);
    table_free(&table);
    return printed;
}

static const char *asked(const struct plan *plan) {
    return plan->fetch.project == VCS_NONE ? "nobody"
                                           : vcs_scn_state_file_name(plan->file, STATE_PROJECT, plan->fetch.project);
}

static void print_calls(const struct comparison *c, const struct screen *screen) {
    for (int i = 0; i < 2; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s asks %s for work now: %s", c->names[i],
                 vcs_scn_fault_quote(asked(&c->plans[i])).text, vcs_reason_sentence(c->plans[i].fetch.reason));
        paragraph_print(screen, STYLE_PLAIN, 0, text);
    }
}

bool comparison_print_text(const struct comparison *c, const struct screen *screen, bool all_tasks) {
    fprintf(screen->out, "%s beside %s; * marks a difference\n\n", c->names[0], c->names[1]);
    if (!print_tasks(c, screen, all_tasks)) {
        return false;
    }
    fputc('\n', screen->out);
    const bool printed = print_requests(c, screen);
    print_calls(c, screen);
    return printed;
}

/* ---- As JSON ---- */

static void write_task(struct json *json, const struct comparison *c, uint32_t task) {
    json_begin_object(json, NULL);
    json_string(json, "name", vcs_scn_state_file_name(c->plans[0].file, STATE_TASK, task));
    json_bool(json, "differs", task_differs(c, task));
    json_begin_array(json, "decisions");
    for (int i = 0; i < 2; i++) {
        const vcs_task_decision *decision = &c->plans[i].decisions[task];
        json_begin_object(json, NULL);
        json_bool(json, "run", decision->run != 0);
        json_string(json, "reason", vcs_reason_name(decision->reason));
        json_number(json, "finish", c->plans[i].tasks[task].finish);
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
}

static void write_request(struct json *json, const struct comparison *c, uint32_t project, uint32_t resource) {
    json_begin_object(json, NULL);
    json_string(json, "project", vcs_scn_state_file_name(c->plans[0].file, STATE_PROJECT, project));
    json_string(json, "resource", vcs_scn_state_file_resource_name(c->plans[0].file, resource));
    json_bool(json, "differs", request_differs(c, project, resource));
    json_begin_array(json, "decisions");
    for (int i = 0; i < 2; i++) {
        const vcs_fetch_decision *request = plan_request(&c->plans[i], project, resource);
        json_begin_object(json, NULL);
        json_number(json, "seconds", request->seconds);
        json_number(json, "instances", request->instances);
        json_string(json, "reason", vcs_reason_name(request->reason));
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
}

void comparison_print_json(const struct comparison *c, FILE *out) {
    const struct state_file *file = c->plans[0].file;
    struct json json = json_start(out);
    json_begin_object(&json, NULL);
    json_begin_array(&json, "policies");
    for (int i = 0; i < 2; i++) {
        json_begin_object(&json, NULL);
        json_string(&json, "name", c->names[i]);
        if (c->plans[i].fetch.project == VCS_NONE) {
            json_null(&json, "asks");
        } else {
            json_string(&json, "asks", asked(&c->plans[i]));
        }
        json_string(&json, "reason", vcs_reason_name(c->plans[i].fetch.reason));
        json_end_object(&json);
    }
    json_end_array(&json);
    json_begin_array(&json, "tasks");
    for (uint32_t i = 0; i < file->counts[STATE_TASK]; i++) {
        write_task(&json, c, i);
    }
    json_end_array(&json);
    json_begin_array(&json, "requests");
    for (uint32_t p = 0; p < file->counts[STATE_PROJECT]; p++) {
        for (uint32_t r = 0; r < vcs_scn_state_file_resource_count(file); r++) {
            write_request(&json, c, p, r);
        }
    }
    json_end_array(&json);
    json_end_object(&json);
    json_finish(&json);
}
