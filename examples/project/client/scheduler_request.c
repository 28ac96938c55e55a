/*
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <string.h>

#include "host.h"
#include "preferences.h"
#include "scheduler_request.h"
#include "xml.h"

static void put_identity(struct text *text, const struct project *project) {
    struct text platform = {0};
    host_platform(&platform);
    xml_put(text, "authenticator", "%s", project->key);
    xml_put(text, "hostid", "%llu", (unsigned long long)project->host_id);
    xml_put(text, "rpc_seqno", "%llu", (unsigned long long)project->requests);
    xml_put(text, "core_client_major_version", "7");
    xml_put(text, "core_client_minor_version", "20");
    xml_put(text, "core_client_release", "5");
    /* Projects refuse clients by version. Who we are they may know. */
    xml_put(text, "client_brand", "gridclient");
    xml_put(text, "platform_name", "%s", platform.bytes);
    if (project->code_sign_key[0] != '\0') {
        xml_put(text, "code_sign_key", "\n%s\n", project->code_sign_key);
    }
    text_free(&platform);
}

static double share_fraction(const struct client *client, const struct project *of) {
    double sum = 0;
    for (const struct project *project = client->projects; project != NULL; project = project->next) {
        sum += project->share;
    }
    return sum > 0 ? of->share / sum : 1;
}

/* The protocol has one factor per project: the most careful factor of its applications. */
static double correction(const struct project *project) {
    double greatest = 0;
    for (const struct app *app = project->apps; app != NULL; app = app->next) {
        greatest = fmax(greatest, app->correction.dcf);
    }
    return greatest > 0 ? greatest : 1;
}

static void put_ask(struct text *text, const struct client *client, const struct project *project,
                    const struct ask *ask) {
    const double fraction = share_fraction(client, project);
    xml_put(text, "resource_share_fraction", "%f", fraction);
    xml_put(text, "rrs_fraction", "%f", fraction);
    xml_put(text, "prrs_fraction", "%f", fraction);
    xml_put(text, "duration_correction_factor", "%f", correction(project));
    xml_put(text, "allow_multiple_clients", "0");
    xml_put(text, "work_req_seconds", "%f", ask->seconds);
    xml_put(text, "cpu_req_secs", "%f", ask->seconds);
    xml_put(text, "cpu_req_instances", "%f", ask->instances);
    xml_put(text, "estimated_delay", "%f", fmin(ask->busy, 1e9));
    /* Ours alone: deployed servers ignore them, and fill the seconds with any jobs. */
    if (ask->jobs > 0) {
        xml_put(text, "cpu_req_jobs", "%u", ask->jobs);
    }
    if (ask->latency_bound > 0) {
        xml_put(text, "cpu_req_latency_bound", "%f", ask->latency_bound);
    }
}

static void put_time_stats(struct text *text, const struct client *client) {
    text_printf(text, "<time_stats>\n");
    xml_put(text, "on_frac", "%f", client->on.fraction > 0 ? client->on.fraction : 1);
    xml_put(text, "connected_frac", "%f", -1.0); /* not measured */
    xml_put(text, "cpu_and_network_available_frac", "%f", 1.0);
    xml_put(text, "active_frac", "%f", 1.0);
    text_printf(text, "</time_stats>\n");
}

static void put_output(struct text *text, const struct file *file) {
    text_printf(text, "<file_info>\n");
    xml_put(text, "name", "%s", file->name);
    xml_put(text, "nbytes", "%f", file->bytes);
    xml_put(text, "max_nbytes", "%f", file->most_bytes);
    if (file->md5[0] != '\0') {
        xml_put(text, "md5_cksum", "%s", file->md5);
    }
    if (file->state == FILE_FAILED) {
        xml_put(text, "error_code", "%d", file->error);
    }
    for (uint32_t i = 0; i < file->url_count; i++) {
        xml_put(text, "url", "%s", file->urls[i]);
    }
    text_printf(text, "</file_info>\n");
}

static void put_result(struct text *text, const struct task *task) {
    text_printf(text, "<result>\n");
    xml_put(text, "name", "%s", task->name);
    xml_put(text, "final_cpu_time", "%f", task->progress.cpu_time);
    xml_put(text, "final_elapsed_time", "%f", task->progress.elapsed);
    xml_put(text, "exit_status", "%d", task->exit_status);
    xml_put(text, "state", "%d", task->result_state);
    xml_put(text, "platform", "%s", task->version->platform);
    xml_put(text, "version_num", "%d", task->version->number);
    xml_put(text, "plan_class", "%s", task->version->plan_class);
    xml_put(text, "app_version_num", "%d", task->version->number);
    xml_put(text, "completed_time", "%f", task->completed);
    if (task->messages[0] != '\0') {
        xml_put(text, "stderr_out", "%s", task->messages);
    }
    for (const struct file_reference *output = task->outputs; output != NULL; output = output->next) {
        put_output(text, output->file);
    }
    text_printf(text, "</result>\n");
}

static bool is_held(const struct task *task) {
    return task->state != TASK_REPORTABLE;
}

/* What we have of this project, so that it can send again what was lost on its way. */
static void put_held(struct text *text, const struct project *project) {
    text_printf(text, "<other_results>\n");
    for (const struct task *task = project->tasks; task != NULL; task = task->next) {
        if (is_held(task)) {
            text_printf(text, "<other_result>\n");
            xml_put(text, "name", "%s", task->name);
            text_printf(text, "</other_result>\n");
        }
    }
    text_printf(text, "</other_results>\n");
}

/* What keeps the computer busy, whoever sent it: of other projects only if this one wants to know. */
static void put_in_progress(struct text *text, const struct client *client, const struct project *of) {
    text_printf(text, "<in_progress_results>\n");
    for (const struct project *project = client->projects; project != NULL; project = project->next) {
        for (const struct task *task = project->tasks; task != NULL; task = task->next) {
            if ((project != of && !of->wants_full_list) || task->state > TASK_COMPUTING) {
                continue;
            }
            text_printf(text, "<ip_result>\n");
            xml_put(text, "name", "%s", task->name);
            xml_put(text, "report_deadline", "%f", task->deadline);
            xml_put(text, "time_remaining", "%f", task_remaining(client, task));
            xml_put(text, "avg_ncpus", "%f", task->version->cpus);
            text_printf(text, "</ip_result>\n");
        }
    }
    text_printf(text, "</in_progress_results>\n");
}

void scheduler_request_write(const struct client *client, const struct project *project, const struct ask *ask,
                             struct text *text) {
    text_printf(text, "<scheduler_request>\n");
    put_identity(text, project);
    put_ask(text, client, project, ask);
    preferences_put(text, client);
    put_time_stats(text, client);
    host_put_info(text, client->cpus, client->flops, client->host_key);
    for (const struct task *task = project->tasks; task != NULL; task = task->next) {
        if (task->state == TASK_REPORTABLE) {
            put_result(text, task);
        }
    }
    put_held(text, project);
    put_in_progress(text, client, project);
    text_printf(text, "</scheduler_request>\n");
}
