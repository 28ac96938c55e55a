/* SPDX-License-Identifier: MIT */
#include "plan/plan_explain.h"

#include <string.h>

#include "plan/plan_tables.h"
#include "plan/plan_words.h"

/* Uses are sums of fractions of an instance; what they miss by rounding is not idle. */
#define LEAST_IDLE 1e-6

/* What tasks do on one resource. */
struct load {
    double used;      /* instances, by the tasks that run */
    uint32_t waiting; /* tasks for it that do not run */
    uint32_t reason;  /* why the first of them does not */
    bool same_reason; /* of all of them */
};

static double use_of(const vcs_task *task, uint32_t resource) {
    return resource == 0 ? task->cpus : task->gpu == resource ? task->gpus : 0;
}

static struct load load_of(const struct plan *plan, uint32_t resource) {
    struct load load = {.reason = VCS_REASON_NONE, .same_reason = true};
    for (uint32_t i = 0; i < plan->file->counts[STATE_TASK]; i++) {
        const vcs_task_decision *decision = &plan->decisions[i];
        if (decision->run) {
            load.used += use_of(&plan->file->tasks[i], resource);
        } else if (plan->file->tasks[i].gpu == resource) {
            load.reason = load.waiting++ == 0 ? decision->reason : load.reason;
            load.same_reason = load.same_reason && load.reason == decision->reason;
        }
    }
    return load;
}

static double idle_of(const struct plan *plan, uint32_t resource, const struct load *load) {
    const double idle = plan->file->resources[resource].instances - load->used;
    return idle < LEAST_IDLE ? 0 : idle;
}

/* The tasks that run on the resource, or those that wait for it. */
static void print_tasks(const struct plan *plan, uint32_t resource, bool run, const struct screen *screen) {
    const char *label = run ? "what runs" : "what does not run";
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->file->counts[STATE_TASK]; i++) {
        const vcs_task *task = &plan->file->tasks[i];
        const bool is_meant = run ? use_of(task, resource) > 0 : task->gpu == resource;
        if ((plan->decisions[i].run != 0) == run && is_meant && count++ < EXPLAIN_NAMES) {
            explain_tell(screen, count == 1 ? label : "", "%s of %s: %s (%s)",
                         vcs_scn_fault_quote(vcs_scn_state_file_name(plan->file, STATE_TASK, i)).text,
                         vcs_scn_fault_quote(vcs_scn_state_file_name(plan->file, STATE_PROJECT, task->project)).text,
                         word_use(plan->file, task).text, word_reason(plan->decisions[i].reason).text);
        }
    }
    if (count == 0) {
        explain_tell(screen, label, "nothing");
    } else if (count > EXPLAIN_NAMES) {
        explain_tell(screen, "", "and %u more", (unsigned)(count - EXPLAIN_NAMES));
    }
}

/* What becomes of asking a project: "asked for 14h 15m", or why it is not asked. */
static struct wording word_asking(const struct plan *plan, uint32_t project, uint32_t resource) {
    const vcs_fetch_decision *request = plan_request(plan, project, resource);
    struct wording wording = plan_word_why(plan, project, resource);
    if (request->seconds > 0) {
        snprintf(wording.text, sizeof wording.text, "asked for %.400s", word_request(request).text);
    }
    return wording;
}

/* One line for the projects of which the same is to be said. */
static void print_asking(const struct plan *plan, uint32_t first, uint32_t resource, const char *label,
                         const struct screen *screen) {
    const struct wording asking = word_asking(plan, first, resource);
    uint32_t others = 0;
    char more[32] = "";
    for (uint32_t i = 0; i < plan->file->counts[STATE_PROJECT]; i++) {
        const bool same = strcmp(word_asking(plan, i, resource).text, asking.text) == 0;
        if (same && i < first) {
            return;
        }
        others += same && i > first;
    }
    if (others > 0) {
        snprintf(more, sizeof more, " and %u more", (unsigned)others);
    }
    explain_tell(screen, label, "%s%s: %s",
                 vcs_scn_fault_quote(vcs_scn_state_file_name(plan->file, STATE_PROJECT, first)).text, more,
                 asking.text);
}

static void print_verdict(const struct plan *plan, uint32_t resource, const struct load *load,
                          const struct screen *screen) {
    const char *label = "in short";
    const uint32_t flags = plan->file->resources[resource].flags, instances = plan->file->resources[resource].instances;
    const double idle = idle_of(plan, resource, load);
    if ((flags & VCS_RESOURCE_SUSPENDED) != 0) {
        explain_tell(screen, label, "It is suspended: nothing runs on it, and no work is wanted for it.");
    } else if ((flags & VCS_RESOURCE_PAUSED) != 0) {
        explain_tell(screen, label, "It is paused: its tasks do not run for now.");
    } else if (idle == 0) {
        explain_tell(screen, label, "All of it is in use.");
    } else if (load->waiting == 0) {
        explain_tell(screen, label, "%.4g of %u idle, for no task is there that could use more.%s", idle,
                     (unsigned)instances, plan->file->counts[STATE_PROJECT] == 0 ? " There is no project to ask." : "");
    } else if (load->same_reason) {
        explain_tell(screen, label, "%.4g of %u idle. Why %s not run: %s", idle, (unsigned)instances,
                     load->waiting == 1 ? "its other task does" : "each of its other tasks does",
                     vcs_reason_sentence(load->reason));
    } else {
        explain_tell(screen, label, "%.4g of %u idle, and %u tasks for it do not run, for the reasons above.", idle,
                     (unsigned)instances, (unsigned)load->waiting);
    }
}

void explain_resource(const struct plan *plan, uint32_t resource, const struct screen *screen) {
    const struct load load = load_of(plan, resource);
    explain_heading(screen, "Resource ", vcs_scn_state_file_resource_name(plan->file, resource));
    explain_tell(screen, "in use from now on", "%.4g of %u", load.used,
                 (unsigned)plan->file->resources[resource].instances);
    print_tasks(plan, resource, true, screen);
    print_tasks(plan, resource, false, screen);
    if ((plan->file->resources[resource].flags & VCS_RESOURCE_SUSPENDED) == 0) {
        explain_lack(plan, resource, screen);
    }
    for (uint32_t i = 0; i < plan->file->counts[STATE_PROJECT]; i++) {
        print_asking(plan, i, resource, i == 0 ? "more work for it" : "", screen);
    }
    print_verdict(plan, resource, &load, screen);
}
