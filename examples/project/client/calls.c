/*
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "log.h"
#include "preferences.h"
#include "random.h"
#include "scheduler_reply.h"
#include "scheduler_request.h"

/* The timers of the project learn how the call ended. */
static void apply(struct calls *calls, struct project *project, const struct ask *ask,
                  const struct reply_summary *summary) {
    struct client *client = calls->client;
    const vcs_reply reply = {
        .struct_size = sizeof reply,
        .flags = summary == NULL ? VCS_REPLY_FAILED : 0,
        .now = client->now,
        .request_delay = summary == NULL ? 0 : summary->request_delay,
        .u = draw(),
    };
    const vcs_resource_reply cpu = {
        .seconds = ask->seconds, .tasks = summary == NULL ? 0 : summary->tasks, .u = draw()};
    vcs_reply_apply(&project->timer, &(vcs_array){{&project->backoff}, sizeof project->backoff, 1}, &reply,
                    &(vcs_array){{&cpu}, sizeof cpu, 1}, &client->policy, NULL);
    client->is_changed = client->looks_again = true;
}

static void note_failure(struct calls *calls, struct project *project, const char *what, const char *why) {
    struct client *client = calls->client;
    const struct ask nothing = {0};
    double wait;
    apply(calls, project, &nothing, NULL);
    vcs_project_timer_wait(&project->timer, client->now, &wait);
    say(project->name, "%s: %s; failures in a row: %u, next call in %.0f s", what, why, project->timer.failures, wait);
    if (project->timer.failures % client->policy.master_fetch_failures == 0 &&
        client->now - project->master_read >= client->policy.master_fetch_interval) {
        replace(&project->scheduler_url, ""); /* it may have moved */
    }
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* The master page */

/* <scheduler>URL</scheduler> in a page that is no XML, perhaps in a comment. */
static bool find_scheduler(const char *page, struct text *url) {
    static const char begin[] = "<scheduler>";
    const char *from = strstr(page, begin);
    const char *to = from == NULL ? NULL : strstr(from, "</scheduler>");
    if (to == NULL) {
        return false;
    }
    for (from += sizeof begin - 1; from < to; from++) {
        if (strchr(" \t\r\n", *from) == NULL) {
            text_add(url, from, 1);
        }
    }
    text_add(url, "", 0);
    return url_is_plain(url->bytes);
}

static void master_ended(void *context, const struct transfer_end *end) {
    struct calls *calls = *(struct calls **)context;
    struct project *project = calls->project;
    struct text url = {0};
    calls->project = NULL;
    project->is_called = false;
    if (!end->arrived) {
        note_failure(calls, project, "its page cannot be read", end->reason);
    } else if (!find_scheduler(end->body->bytes, &url)) {
        note_failure(calls, project, "its page cannot be used", "it names no scheduler");
    } else {
        replace(&project->scheduler_url, url.bytes);
        project->master_read = calls->client->now;
        project->timer = (vcs_project_timer){0};
        calls->client->is_changed = calls->client->looks_again = true;
        say(project->name, "has its scheduler at %s", url.bytes);
    }
    text_free(&url);
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* The scheduler */

static void accept_reply(struct calls *calls, struct project *project, const struct transfer_end *end) {
    struct reply_summary summary;
    struct fault fault;
    double wait;
    if (!end->arrived) {
        note_failure(calls, project, "its scheduler does not answer", end->reason);
        return;
    }
    if (!scheduler_reply_accept(calls->client, project, end->body, &summary, &fault)) {
        note_failure(calls, project, "its scheduler's answer cannot be used", fault.message);
        return;
    }
    project->has_sent_none = summary.tasks == 0 && calls->ask.seconds > 0;
    apply(calls, project, &calls->ask, &summary);
    vcs_project_timer_wait(&project->timer, calls->client->now, &wait);
    say(project->name, "has sent tasks: %u; not called again for %.0f s", summary.tasks, wait);
    if (summary.has_preferences) {
        preferences_apply(calls->client, calls->line, &fault); /* the command line was right before, and still is */
        say(project->name, "has newer preferences: buffer %.0f s and %.0f s more", calls->client->policy.min_buffer,
            calls->client->policy.additional_buffer);
    }
}

static void reply_ended(void *context, const struct transfer_end *end) {
    struct calls *calls = *(struct calls **)context;
    struct project *project = calls->project;
    calls->project = NULL;
    fault_point("reply-arrived");
    if (!project->is_detached) { /* by the user, since it was called */
        accept_reply(calls, project, end);
    }
    project->is_called = false; /* only now may it go */
}

/* ------------------------------------------------------------------------------------------------------------------ */

static void begin(struct calls *calls, struct project *project, struct transfer_order *order) {
    struct calls **context = zeroed(sizeof *context); /* the transfer frees it, but not what it points to */
    *context = calls;
    order->context = context;
    calls->project = project;
    project->is_called = true;
    calls->transfer = transfer_begin(calls->transfers, order);
}

static void begin_scheduler(struct calls *calls, const struct plan *plan) {
    struct project *project = plan->call;
    struct text *post = zeroed(sizeof *post);
    uint32_t reports = 0;
    for (const struct task *task = project->tasks; task != NULL; task = task->next) {
        reports += task->state == TASK_REPORTABLE;
    }
    project->requests++; /* saved before it is sent: the server takes a lower number for an old copy of ours */
    calls->client->is_changed = true;
    project->is_wanted = false;
    calls->ask = plan->ask;
    scheduler_request_write(calls->client, project, &plan->ask, post);
    say(project->name, "is called: asked for %.0f s of work and %g CPUs, reported tasks: %u", plan->ask.seconds,
        plan->ask.instances, reports);
    struct transfer_order order = {.url = project->scheduler_url, .post = post, .ended = reply_ended};
    begin(calls, project, &order);
}

static double master_wait(const struct calls *calls, struct project *project) {
    double wait = INFINITY;
    if (project->scheduler_url[0] == '\0' && !project->is_suspended && !project->is_detached) {
        vcs_project_timer_wait(&project->timer, calls->client->now, &wait);
    }
    return wait;
}

void calls_begin(struct calls *calls, const struct plan *plan) {
    if (calls->project != NULL) {
        return;
    }
    for (struct project *project = calls->client->projects; project != NULL; project = project->next) {
        if (master_wait(calls, project) == 0) {
            struct transfer_order order = {.url = project->url, .ended = master_ended};
            say(project->name, "its page is read, to learn where its scheduler is");
            begin(calls, project, &order);
            return;
        }
    }
    if (plan->call != NULL) {
        begin_scheduler(calls, plan);
    }
}

double calls_wait(const struct calls *calls) {
    double wait = INFINITY;
    for (struct project *project = calls->client->projects; project != NULL && calls->project == NULL;
         project = project->next) {
        wait = fmin(wait, master_wait(calls, project));
    }
    return wait;
}
