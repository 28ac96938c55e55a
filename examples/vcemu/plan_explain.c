/* SPDX-License-Identifier: MIT */
#include "plan_text.h"

#include <math.h>
#include <string.h>

/* Tasks named one by one; of more, the number is told. */
#define NAMES_SHOWN 5u

/* One line of the explanation: what, then its value. */
#define LINE "  %-22s "

static const char *project_name(const struct plan *plan, uint32_t project) {
    return state_file_name(plan->file, STATE_PROJECT, project);
}

static const char *task_name(const struct plan *plan, uint32_t task) {
    return state_file_name(plan->file, STATE_TASK, task);
}

static double sum_of_shares(const struct state_file *file) {
    double sum = 0;
    for (uint32_t i = 0; i < file->counts[STATE_PROJECT]; i++) {
        sum += (file->projects[i].flags & VCS_PROJECT_SUSPENDED) != 0 ? 0 : file->projects[i].share;
    }
    return sum;
}

/* ---- a project ---- */

/* How a project stands among all that have a priority. */
static void print_standing(const struct plan *plan, uint32_t index, FILE *out) {
    const vcs_project *project = &plan->file->projects[index];
    double sum = sum_of_shares(plan->file);
    uint32_t before = 0, ranked = 0;
    fprintf(out, LINE "%.6g of %.6g (%.1f%%)\n", "resource share", project->share, sum,
            sum > 0 ? 100 * project->share / sum : 0);
    fprintf(out, LINE "%.6g credits a day\n", "work of late (REC)", project->rec);
    for (uint32_t i = 0; i < plan->file->counts[STATE_PROJECT]; i++) {
        ranked += isfinite(plan->priorities[i]) != 0;
        before += i != index && plan->priorities[i] > plan->priorities[index];
    }
    if (isfinite(plan->priorities[index])) {
        fprintf(out, LINE "%.4f, greater than that of %u of the other %u with tasks to run\n", "scheduling priority",
                plan->priorities[index], (unsigned)(ranked - 1 - before), (unsigned)(ranked - 1));
    } else {
        fprintf(out, LINE "none, it has no task to run\n", "scheduling priority");
    }
}

static void print_call(const struct plan *plan, uint32_t index, FILE *out) {
    const vcs_project *project = &plan->file->projects[index];
    double wait = project->min_rpc_time - plan->file->now;
    if (wait > 0) {
        fprintf(out, LINE "not before %s from now\n", "call its scheduler", word_duration(wait).text);
    } else {
        fprintf(out, LINE "at once\n", "call its scheduler");
    }
    if (project->rpc_failures > 0) {
        fprintf(out, LINE "%u in a row\n", "calls that failed", (unsigned)project->rpc_failures);
    }
}

/* What the host lacks of a resource, and what the project does. */
static void print_lack(const struct plan *plan, uint32_t project, uint32_t resource, FILE *out) {
    const vcs_parameters *parameters = &plan->file->parameters;
    const vcs_resource_forecast *host = &plan->resources[resource];
    const vcs_pair_forecast *own = plan_pair(plan, project, resource);
    fprintf(out, LINE "%s", "host: all busy for", word_duration(host->saturated).text);
    fprintf(out, "; minimum buffer %s", word_duration(parameters->min_buffer).text);
    fprintf(out, ", whole buffer %s\n", word_duration(parameters->min_buffer + parameters->additional_buffer).text);
    fprintf(out, LINE "%s, and %.4g idle now\n", "host: work missing", word_duration(host->shortfall).text,
            host->idle_now);
    fprintf(out, LINE "%u, of them %u late\n", "project: tasks", (unsigned)own->tasks, (unsigned)own->misses);
    fprintf(out, LINE "%s more\n", "project: could use", word_duration(own->shortfall).text);
}

static void print_request(const struct plan *plan, uint32_t project, uint32_t resource, FILE *out) {
    const vcs_pair_decision *request = plan_request(plan, project, resource);
    fprintf(out, "\n%s\n", state_file_resource_name(plan->file, resource));
    print_lack(plan, project, resource, out);
    if (isfinite(request->priority)) {
        fprintf(out, LINE "%.4f\n", "priority for fetching", request->priority);
    }
    if (request->wait > 0) {
        fprintf(out, LINE "%s\n", "time left to wait", word_duration(request->wait).text);
    }
    if (request->better != VCS_NONE) {
        const vcs_pair_decision *better = plan_request(plan, request->better, resource);
        fprintf(out, LINE "%s, with priority %.4f\n", "who goes before it", project_name(plan, request->better),
                better->priority);
    }
    if (request->seconds > 0) {
        fprintf(out, LINE "%s\n", "asked for", word_request(request).text);
    }
    fprintf(out, LINE "%s\n", "decision", vcs_reason_sentence(request->reason));
}

static void explain_project(const struct plan *plan, uint32_t project, const struct screen *screen) {
    screen_print(screen, STYLE_HEADING, "Project ");
    screen_print(screen, STYLE_HEADING, project_name(plan, project));
    fputc('\n', screen->out);
    print_standing(plan, project, screen->out);
    print_call(plan, project, screen->out);
    for (uint32_t resource = 0; resource < state_file_resource_count(plan->file); resource++) {
        print_request(plan, project, resource, screen->out);
    }
}

/* ---- a task ---- */

/* What takes the place of a task that does not run: those on its processor that went before it. */
static void print_rivals(const struct plan *plan, uint32_t index, FILE *out) {
    const vcs_task *task = &plan->file->tasks[index];
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->file->counts[STATE_TASK]; i++) {
        if (i == index || !plan->decisions[i].run || plan->file->tasks[i].gpu != task->gpu) {
            continue;
        }
        if (count++ < NAMES_SHOWN) {
            fprintf(out, LINE "%s of %s (%s)\n", count == 1 ? "what runs there" : "", task_name(plan, i),
                    project_name(plan, plan->file->tasks[i].project), word_reason(plan->decisions[i].reason).text);
        }
    }
    if (count > NAMES_SHOWN) {
        fprintf(out, LINE "and %u more\n", "", (unsigned)(count - NAMES_SHOWN));
    }
}

/* Its place in the queue of its project on its processor. */
static void print_queue(const struct plan *plan, uint32_t index, FILE *out) {
    const vcs_task *task = &plan->file->tasks[index];
    uint32_t before = 0, all = 0;
    for (uint32_t i = 0; i < plan->file->counts[STATE_TASK]; i++) {
        const vcs_task *other = &plan->file->tasks[i];
        if (other->project == task->project && other->gpu == task->gpu &&
            plan->tasks[i].verdict != VCS_VERDICT_APART) {
            all++;
            before += other->received < task->received || (other->received == task->received && other->id < task->id);
        }
    }
    if (plan->tasks[index].verdict != VCS_VERDICT_APART) {
        fprintf(out, LINE "%u of %u, by arrival\n", "in its project's queue", (unsigned)(before + 1), (unsigned)all);
    }
}

static void print_forecast(const struct plan *plan, uint32_t index, FILE *out) {
    const vcs_task *task = &plan->file->tasks[index];
    double finish = plan->tasks[index].finish;
    fprintf(out, LINE "%s at full speed\n", "left", word_duration(task->remaining).text);
    if (isfinite(task->deadline)) {
        fprintf(out, LINE "in %s\n", "deadline", word_duration(task->deadline - plan->file->now).text);
    } else {
        fprintf(out, LINE "none\n", "deadline");
    }
    if (isfinite(finish)) {
        fprintf(out, LINE "in %s%s\n", "would finish by turns", word_duration(finish).text,
                plan->tasks[index].verdict == VCS_VERDICT_MISSES ? ", which is too late" : "");
    }
}

static void explain_task(const struct plan *plan, uint32_t index, const struct screen *screen) {
    const vcs_task *task = &plan->file->tasks[index];
    const vcs_task_decision *decision = &plan->decisions[index];
    FILE *out = screen->out;
    screen_print(screen, STYLE_HEADING, "Task ");
    screen_print(screen, STYLE_HEADING, task_name(plan, index));
    fprintf(out, "\n" LINE "%s", "project", project_name(plan, task->project));
    if (isfinite(plan->priorities[task->project])) {
        fprintf(out, ", scheduling priority %.4f", plan->priorities[task->project]);
    }
    fprintf(out, "\n" LINE "%s\n", "uses", word_use(plan->file, task).text);
    print_queue(plan, index, out);
    print_forecast(plan, index, out);
    if (!decision->run) {
        print_rivals(plan, index, out);
    } else {
        fprintf(out, LINE "number %u of %u\n", "taken as", (unsigned)(decision->place + 1),
                (unsigned)plan->schedule.running);
    }
    fprintf(out, LINE "%s: %s\n", "decision", decision->run ? "it runs" : "it does not run",
            vcs_reason_sentence(decision->reason));
}

/* ---- which of them ---- */

/* VCS_NONE if there is none of this name. */
static uint32_t find(const struct plan *plan, enum state_kind kind, const char *name) {
    for (uint32_t i = 0; i < plan->file->counts[kind]; i++) {
        if (strcmp(state_file_name(plan->file, kind, i), name) == 0) {
            return i;
        }
    }
    return VCS_NONE;
}

bool plan_explain(const struct plan *plan, const char *name, const struct screen *screen, struct fault *fault) {
    uint32_t project = find(plan, STATE_PROJECT, name);
    uint32_t task = find(plan, STATE_TASK, name);
    if (project == VCS_NONE && task == VCS_NONE) {
        return fault_set(fault, "%s: there is no project and no task \"%s\"", plan->file->document.file,
                         fault_quote(name).text);
    }
    if (project != VCS_NONE) {
        explain_project(plan, project, screen);
    }
    if (task != VCS_NONE) {
        explain_task(plan, task, screen);
    }
    return true;
}
