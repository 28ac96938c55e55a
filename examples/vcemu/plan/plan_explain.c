/* SPDX-License-Identifier: MIT */
#include "plan/plan.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "plan/plan_explain.h"
#include "plan/plan_names.h"
#include "plan/plan_tables.h"
#include "plan/plan_words.h"
#include "text/paragraph.h"

/* Each line has a label, then its value. */
#define LABEL_COLUMNS 25

void explain_tell(const struct screen *screen, const char *label, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(screen->out, "  %-*s", LABEL_COLUMNS - 2, label);
    paragraph_print(screen, STYLE_PLAIN, LABEL_COLUMNS, text);
}

void explain_heading(const struct screen *screen, const char *kind, const char *name) {
    screen_print(screen, STYLE_HEADING, kind);
    screen_print(screen, STYLE_HEADING, name);
    fputc('\n', screen->out);
}

static struct quote project_name(const struct plan *plan, uint32_t project) {
    return vcs_scn_fault_quote(vcs_scn_state_file_name(plan->file, STATE_PROJECT, project));
}

static struct quote task_name(const struct plan *plan, uint32_t task) {
    return vcs_scn_fault_quote(vcs_scn_state_file_name(plan->file, STATE_TASK, task));
}

void explain_lack(const struct plan *plan, uint32_t resource, const struct screen *screen) {
    const vcs_parameters *parameters = &plan->file->parameters;
    const vcs_resource_forecast *host = &plan->resources[resource];
    const double least = fmax(parameters->min_buffer, parameters->least_buffer);
    explain_tell(screen, "host: all busy for", "%s; minimum buffer %s, whole buffer %s",
                 word_duration(host->saturated).text, word_duration(least).text,
                 word_duration(least + parameters->additional_buffer).text);
    explain_tell(screen, "host: work missing", "%s; idle now: %.4g of %u", word_duration(host->shortfall).text,
                 host->idle_now, (unsigned)plan->file->resources[resource].instances);
}

/* ---- how projects are ranked ---- */

static uint32_t count_ranked(const struct plan *plan) {
    uint32_t ranked = 0;
    for (uint32_t i = 0; i < plan->file->counts[STATE_PROJECT]; i++) {
        ranked += isfinite(plan->priorities[i]) != 0;
    }
    return ranked;
}

/* The figures by which the profile's rule takes turns. */
static void print_rank(const struct plan *plan, uint32_t index, const struct screen *screen) {
    const vcs_project *project = &plan->file->projects[index];
    switch (plan->file->parameters.ranking) {
    case VCS_RANK_RESOURCE_DEBT:
        explain_tell(screen, "ranked by its share and", "%s of recent CPU time",
                     word_duration(project->exp_avg_cpu).text);
        break;
    case VCS_RANK_DEBT:
        explain_tell(screen, "debt, short-term", "%s", word_duration(project->short_term_debt).text);
        explain_tell(screen, "debt, long-term", "%s", word_duration(project->long_term_debt).text);
        break;
    default:
        if (isfinite(plan->priorities[index])) {
            explain_tell(screen, "scheduling priority", "%.4f, number %u of the %u with tasks to run",
                         plan->priorities[index], (unsigned)(plan->ranks[index] + 1), (unsigned)count_ranked(plan));
        } else {
            explain_tell(screen, "scheduling priority", "none: it has no task to run");
        }
        break;
    }
}

/* ---- a project ---- */

static void print_share(const struct plan *plan, uint32_t index, const struct screen *screen) {
    const vcs_project *project = &plan->file->projects[index];
    if ((project->flags & VCS_PROJECT_SUSPENDED) != 0) {
        explain_tell(screen, "resource share", "%.6g, but it is suspended", project->share);
    } else if (!(project->share > 0)) {
        explain_tell(screen, "resource share", "0: a backup project, which comes after all projects with a share");
    } else {
        explain_tell(screen, "resource share", "%.6g of %.6g (%.1f%%)", project->share, plan->share_sum,
                     100 * project->share / plan->share_sum);
    }
}

static void print_call(const struct plan *plan, uint32_t index, const struct screen *screen) {
    const vcs_project *project = &plan->file->projects[index];
    double wait = project->min_rpc_time == 0 ? 0 : project->min_rpc_time - plan->file->now;
    if (wait > 0) {
        explain_tell(screen, "may be called", "in %s", word_duration(wait).text);
    } else {
        explain_tell(screen, "may be called", "at any time");
    }
    if (project->rpc_failures > 0) {
        explain_tell(screen, "calls that failed", "%u in a row", (unsigned)project->rpc_failures);
    }
}

/* What the host and the project lack of a resource. */
static void print_lack(const struct plan *plan, uint32_t project, uint32_t resource, const struct screen *screen) {
    const vcs_project_resource_forecast *own = plan_project_resource(plan, project, resource);
    explain_lack(plan, resource, screen);
    explain_tell(screen, "project: tasks", "%u, %u of them late", (unsigned)own->tasks, (unsigned)own->misses);
    explain_tell(screen, "project: could use", "%s more", word_duration(own->shortfall).text);
}

static void print_request(const struct plan *plan, uint32_t project, uint32_t resource, const struct screen *screen) {
    const vcs_fetch_decision *request = plan_request(plan, project, resource);
    fputc('\n', screen->out);
    explain_heading(screen, "", vcs_scn_state_file_resource_name(plan->file, resource));
    if ((plan->file->resources[resource].flags & VCS_RESOURCE_SUSPENDED) == 0) {
        print_lack(plan, project, resource, screen);
    }
    if (isfinite(request->priority)) {
        explain_tell(screen, "priority for fetching", "%.4f", request->priority);
    }
    if (request->wait > 0) {
        explain_tell(screen, "time left to wait", "%s", word_duration(request->wait).text);
    }
    if (request->also != VCS_REASON_NONE) {
        explain_tell(screen, "also waits", "%s, %s left", word_reason(request->also).text,
                     word_duration(request->also_wait).text);
    }
    if (plan_gives_way(plan, project, resource)) {
        explain_tell(screen, "called now", "%s, for another resource", project_name(plan, request->better).text);
    } else if (request->better != VCS_NONE) {
        explain_tell(screen, "preferred project", "%s, with priority %.4f", project_name(plan, request->better).text,
                     plan_request(plan, request->better, resource)->priority);
    }
    if (request->seconds > 0) {
        explain_tell(screen, "asked for", "%s", word_request(request).text);
    }
    explain_tell(screen, "decision", "%s", vcs_reason_sentence(request->reason));
}

static void explain_project(const struct plan *plan, uint32_t project, const struct screen *screen) {
    explain_heading(screen, "Project ", vcs_scn_state_file_name(plan->file, STATE_PROJECT, project));
    print_share(plan, project, screen);
    explain_tell(screen, "recent work (REC)", "%.6g credits a day", plan->file->projects[project].rec);
    print_rank(plan, project, screen);
    print_call(plan, project, screen);
    for (uint32_t resource = 0; resource < vcs_scn_state_file_resource_count(plan->file); resource++) {
        print_request(plan, project, resource, screen);
    }
}

/* ---- a task ---- */

static bool takes_part(const struct plan *plan, uint32_t task) {
    return plan->tasks[task].verdict != VCS_VERDICT_SUSPENDED;
}

/* Whether any task runs on a GPU type. */
static bool is_in_use(const struct plan *plan, uint32_t gpu) {
    for (uint32_t i = 0; i < plan->file->counts[STATE_TASK]; i++) {
        if (plan->decisions[i].run && plan->file->tasks[i].gpu == gpu) {
            return true;
        }
    }
    return false;
}

/* Whether a running task holds what a waiting task lacks, according to the reason. */
static bool stands_in_the_way(const struct plan *plan, uint32_t running, uint32_t waiting) {
    const vcs_task *other = &plan->file->tasks[running], *task = &plan->file->tasks[waiting];
    switch (plan->decisions[waiting].reason) {
    case VCS_REASON_MEMORY:
        return other->ram > 0;
    case VCS_REASON_PROJECT_LIMIT:
        return other->project == task->project;
    case VCS_REASON_APP_LIMIT:
        return other->app == task->app;
    case VCS_REASON_WAITS:
    case VCS_REASON_HELD:
    case VCS_REASON_SLICE_OVER:
    case VCS_REASON_GIVES_WAY:
    case VCS_REASON_EXCLUDED:
        return task->gpu != 0 && is_in_use(plan, task->gpu) ? other->gpu == task->gpu : other->cpus > 0;
    case VCS_REASON_OWN_DEVICES:
        return other->gpu == task->gpu && (plan->decisions[running].devices & task->devices) != 0;
    default:
        return false;
    }
}

/* The running tasks that keep a task waiting. */
static void print_rivals(const struct plan *plan, uint32_t index, const struct screen *screen) {
    const vcs_task *tasks = plan->file->tasks;
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->file->counts[STATE_TASK]; i++) {
        if (plan->decisions[i].run && stands_in_the_way(plan, i, index) && count++ < EXPLAIN_NAMES) {
            explain_tell(screen, count == 1 ? "what runs instead" : "", "%s of %s: %s (%s)", task_name(plan, i).text,
                         project_name(plan, tasks[i].project).text, word_use(plan->file, &tasks[i]).text,
                         word_reason(plan->decisions[i].reason).text);
        }
    }
    if (count > EXPLAIN_NAMES) {
        explain_tell(screen, "", "and %u more", (unsigned)(count - EXPLAIN_NAMES));
    }
}

/* Its position among its project's tasks for the same processor. */
static void print_queue(const struct plan *plan, uint32_t index, const struct screen *screen) {
    const vcs_task *task = &plan->file->tasks[index];
    uint32_t before = 0, all = 0;
    for (uint32_t i = 0; i < plan->file->counts[STATE_TASK]; i++) {
        const vcs_task *other = &plan->file->tasks[i];
        if (other->project == task->project && other->gpu == task->gpu && takes_part(plan, i)) {
            all++;
            before += other->received < task->received || (other->received == task->received && other->id < task->id);
        }
    }
    if (takes_part(plan, index)) {
        explain_tell(screen, "place in the queue", "%u of %u tasks of its project", (unsigned)(before + 1),
                     (unsigned)all);
    }
}

static void print_deadline(const struct plan *plan, uint32_t index, const struct screen *screen) {
    double left = plan_time_to_deadline(plan, index);
    if (!isfinite(left)) {
        explain_tell(screen, "deadline", "none");
    } else if (left < 0) {
        explain_tell(screen, "deadline", "passed %s ago", word_duration(-left).text);
    } else {
        explain_tell(screen, "deadline", "in %s", word_duration(left).text);
    }
}

static void print_forecast(const struct plan *plan, uint32_t index, const struct screen *screen) {
    const vcs_task_forecast *forecast = &plan->tasks[index];
    const char *label = "finish in its turn";
    explain_tell(screen, "left", "%s at full speed", word_duration(plan->file->tasks[index].remaining).text);
    print_deadline(plan, index, screen);
    if (forecast->verdict == VCS_VERDICT_STUCK) {
        explain_tell(screen, label, "never: it cannot start");
    } else if (forecast->verdict == VCS_VERDICT_UNKNOWN) {
        explain_tell(screen, label, "unknown: the simulation stopped earlier");
    } else if (forecast->verdict == VCS_VERDICT_MEETS) {
        explain_tell(screen, label, "in %s, in time", word_duration(forecast->finish).text);
    } else if (forecast->verdict == VCS_VERDICT_MISSES) {
        explain_tell(screen, label, "in %s, %s", word_duration(forecast->finish).text,
                     plan_slack(plan, index) < 0 ? "after its deadline" : "too close to its deadline");
    }
}

/* The task of several CPUs whose turn it is, if a task fills in until it has them. */
static void print_held(const struct plan *plan, uint32_t index, const struct screen *screen) {
    for (uint32_t i = 0; i < plan->file->counts[STATE_TASK]; i++) {
        if (plan->decisions[index].reason == VCS_REASON_FILLS_IN && plan->decisions[i].reason == VCS_REASON_HELD) {
            explain_tell(screen, "fills in for", "%s of %s: %s", task_name(plan, i).text,
                         project_name(plan, plan->file->tasks[i].project).text,
                         word_use(plan->file, &plan->file->tasks[i]).text);
        }
    }
}

static void print_decision(const struct plan *plan, uint32_t index, const struct screen *screen) {
    const vcs_task_decision *decision = &plan->decisions[index];
    if (decision->run) {
        explain_tell(screen, "chosen as", "number %u of the %u that run", (unsigned)(decision->place + 1),
                     (unsigned)plan->schedule.running);
        print_held(plan, index, screen);
        if (plan_has_choice(plan, plan->file->tasks[index].gpu)) {
            explain_tell(screen, "runs on", "%s", word_devices(decision->devices).text);
        }
    } else {
        print_rivals(plan, index, screen);
    }
    if (plan_gives_up(plan, index)) {
        explain_tell(screen, "decision", "%s", vcs_reason_sentence(decision->reason));
        return;
    }
    explain_tell(screen, "decision", "%s %s%s", decision->run ? "It runs." : "It does not run.",
                 vcs_reason_sentence(decision->reason),
                 plan_is_hopeless(plan, index) ? " It cannot be done in time even alone." : "");
}

static void explain_task(const struct plan *plan, uint32_t index, const struct screen *screen) {
    const vcs_task *task = &plan->file->tasks[index];
    explain_heading(screen, "Task ", vcs_scn_state_file_name(plan->file, STATE_TASK, index));
    explain_tell(screen, "project", "%s", project_name(plan, task->project).text);
    explain_tell(screen, "uses", "%s", word_use(plan->file, task).text);
    print_queue(plan, index, screen);
    print_forecast(plan, index, screen);
    if (plan->tasks[index].verdict == VCS_VERDICT_MISSES && !plan_gives_up(plan, index)) {
        explain_saving(plan, index, screen);
    }
    print_decision(plan, index, screen);
}

/* ---- by name ---- */

bool plan_explain(const struct plan *plan, const char *name, const struct screen *screen, struct fault *fault) {
    static void (*const explain[PLAN_KINDS])(const struct plan *, uint32_t, const struct screen *) = {
        [PLAN_PROJECT] = explain_project, [PLAN_TASK] = explain_task, [PLAN_RESOURCE] = explain_resource};
    struct plan_named named;
    bool first = true;
    if (!plan_find(plan, name, &named, fault)) {
        return false;
    }
    for (uint32_t kind = 0; kind < PLAN_KINDS; kind++) {
        if (named.index[kind] != VCS_NONE) {
            fputs(first ? "" : "\n", screen->out);
            first = false;
            explain[kind](plan, named.index[kind], screen);
        }
    }
    return true;
}
