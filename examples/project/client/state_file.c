/*
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "log.h"
#include "state_file.h"
#include "xml.h"

#define FILE_NAME "state.xml"

/* ------------------------------------------------------------------------------------------------------------------ */
/* Writing */

static void put_number(struct text *text, const char *name, double number) {
    xml_put(text, name, "%.17g", number);
}

static void put_whole(struct text *text, const char *name, uint64_t number) {
    xml_put(text, name, "%llu", (unsigned long long)number);
}

static void put_string(struct text *text, const char *name, const char *string) {
    if (string[0] != '\0') {
        xml_put(text, name, "%s", string);
    }
}

static void put_transfers(struct text *text, const char *name, const vcs_transfer_backoff *backoff) {
    text_printf(text, "<%s>\n", name);
    put_number(text, "until", backoff->until);
    put_number(text, "seen", backoff->seen);
    put_number(text, "failing_since", backoff->failing_since);
    put_number(text, "failed_at", backoff->failed_at);
    put_whole(text, "failures", backoff->failures);
    text_printf(text, "</%s>\n", name);
}

static void put_file(struct text *text, const struct file *file) {
    text_printf(text, "<file>\n");
    xml_put(text, "name", "%s", file->name);
    put_whole(text, "state", file->state);
    xml_put(text, "error", "%d", file->error);
    put_whole(text, "is_output", file->is_output);
    put_whole(text, "executable", file->executable);
    put_number(text, "bytes", file->bytes);
    put_number(text, "most_bytes", file->most_bytes);
    put_string(text, "md5", file->md5);
    put_string(text, "signature", file->signature);
    for (uint32_t i = 0; i < file->url_count; i++) {
        xml_put(text, "url", "%s", file->urls[i]);
    }
    if (file->ticket[0] != '\0') { /* byte by byte: it is XML itself, and signed */
        text_printf(text, "<ticket>%s</ticket>\n", file->ticket);
    }
    put_transfers(text, "backoff", &file->backoff);
    text_printf(text, "</file>\n");
}

static void put_references(struct text *text, const struct file_reference *reference) {
    for (; reference != NULL; reference = reference->next) {
        text_printf(text, "<file_reference>\n");
        xml_put(text, "file", "%s", reference->file->name);
        xml_put(text, "open_name", "%s", reference->open_name);
        put_whole(text, "is_main_program", reference->is_main_program);
        put_whole(text, "is_copied", reference->is_copied);
        text_printf(text, "</file_reference>\n");
    }
}

static void put_version(struct text *text, const struct version *version) {
    text_printf(text, "<version>\n");
    xml_put(text, "app", "%s", version->app->name);
    xml_put(text, "number", "%d", version->number);
    put_string(text, "platform", version->platform);
    put_string(text, "plan_class", version->plan_class);
    put_string(text, "command_line", version->command_line);
    put_number(text, "cpus", version->cpus);
    put_number(text, "flops", version->flops);
    put_references(text, version->files);
    text_printf(text, "</version>\n");
}

static void put_unit(struct text *text, const struct unit *unit) {
    text_printf(text, "<unit>\n");
    xml_put(text, "name", "%s", unit->name);
    xml_put(text, "app", "%s", unit->app->name);
    put_string(text, "command_line", unit->command_line);
    put_number(text, "est_flops", unit->est_flops);
    put_number(text, "most_flops", unit->most_flops);
    put_number(text, "ram", unit->ram);
    put_references(text, unit->files);
    text_printf(text, "</unit>\n");
}

static void put_progress(struct text *text, const char *name, const struct progress *progress) {
    text_printf(text, "<%s>\n", name);
    put_number(text, "elapsed", progress->elapsed);
    put_number(text, "cpu_time", progress->cpu_time);
    put_number(text, "fraction", progress->fraction);
    text_printf(text, "</%s>\n", name);
}

static void put_task(struct text *text, const struct task *task) {
    text_printf(text, "<task>\n");
    put_whole(text, "id", task->id);
    xml_put(text, "name", "%s", task->name);
    xml_put(text, "unit", "%s", task->unit->name);
    xml_put(text, "version_number", "%d", task->version->number);
    put_string(text, "platform", task->version->platform);
    put_string(text, "plan_class", task->version->plan_class);
    put_whole(text, "state", task->state);
    put_number(text, "deadline", task->deadline);
    put_number(text, "received", task->received);
    put_number(text, "completed", task->completed);
    put_number(text, "booked", task->booked);
    put_whole(text, "is_suspended", task->is_suspended);
    put_whole(text, "is_started", task->is_started);
    put_whole(text, "was_late", task->was_late);
    put_whole(text, "fills_in", task->fills_in);
    put_number(text, "running_since", task->running_since);
    put_progress(text, "progress", &task->progress);
    put_progress(text, "saved", &task->saved);
    xml_put(text, "slot", "%d", task->slot);
    xml_put(text, "result_state", "%d", task->result_state);
    xml_put(text, "exit_status", "%d", task->exit_status);
    put_whole(text, "premature_ends", task->premature_ends);
    put_whole(text, "reason", task->reason);
    put_whole(text, "runs", task->process == PROCESS_RUNNING); /* only to be shown */
    put_string(text, "messages", task->messages);
    put_references(text, task->outputs);
    text_printf(text, "</task>\n");
}

static void put_project(struct text *text, const struct project *project) {
    text_printf(text, "<project>\n");
    put_whole(text, "id", project->id);
    xml_put(text, "url", "%s", project->url);
    xml_put(text, "key", "%s", project->key);
    xml_put(text, "name", "%s", project->name);
    xml_put(text, "folder", "%s", project->folder);
    put_string(text, "scheduler_url", project->scheduler_url);
    put_string(text, "code_sign_key", project->code_sign_key);
    put_whole(text, "host_id", project->host_id);
    put_whole(text, "requests", project->requests);
    put_number(text, "share", project->share);
    put_whole(text, "share_is_mine", project->share_is_mine);
    put_whole(text, "is_suspended", project->is_suspended);
    put_whole(text, "is_detached", project->is_detached);
    put_whole(text, "has_no_cpu_apps", project->has_no_cpu_apps);
    put_whole(text, "is_at_server_limit", project->is_at_server_limit);
    put_whole(text, "wants_full_list", project->wants_full_list);
    put_whole(text, "is_wanted", project->is_wanted);
    put_number(text, "master_read", project->master_read);
    put_number(text, "next_call", project->next_call);
    put_whole(text, "failed_tasks", project->failed_tasks);
    put_whole(text, "fetch_reason", project->fetch_reason);
    put_number(text, "min_rpc_time", project->timer.min_rpc_time);
    put_number(text, "timer_seen", project->timer.seen);
    put_whole(text, "rpc_failures", project->timer.failures);
    put_number(text, "backoff_interval", project->backoff.interval);
    put_number(text, "backoff_until", project->backoff.until);
    put_number(text, "backoff_seen", project->backoff.seen);
    put_number(text, "rec", project->rec.value);
    put_number(text, "rec_time", project->rec.time);
    put_number(text, "work_received", project->known.received);
    put_number(text, "job_seconds", project->known.job_seconds);
    put_number(text, "job_bound", project->known.job_bound);
    put_number(text, "sizes", project->known.tasks);
    put_number(text, "size_ratios", project->known.ratios);
    put_number(text, "size_squares", project->known.squares);
    for (const struct data_server *server = project->servers; server != NULL; server = server->next) {
        text_printf(text, "<data_server>\n");
        xml_put(text, "name", "%s", server->name);
        put_transfers(text, "downloads", &server->downloads);
        put_transfers(text, "uploads", &server->uploads);
        text_printf(text, "</data_server>\n");
    }
    for (const struct app *app = project->apps; app != NULL; app = app->next) {
        text_printf(text, "<app>\n");
        put_whole(text, "id", app->id);
        xml_put(text, "name", "%s", app->name);
        put_number(text, "dcf", app->correction.dcf);
        put_whole(text, "tasks", app->correction.tasks);
        text_printf(text, "</app>\n");
    }
    for (const struct file *file = project->files; file != NULL; file = file->next) {
        put_file(text, file);
    }
    for (const struct version *version = project->versions; version != NULL; version = version->next) {
        put_version(text, version);
    }
    for (const struct unit *unit = project->units; unit != NULL; unit = unit->next) {
        put_unit(text, unit);
    }
    for (const struct task *task = project->tasks; task != NULL; task = task->next) {
        put_task(text, task);
    }
    text_printf(text, "</project>\n");
}

size_t state_file_share(const struct project *project) {
    struct text text = {0};
    put_project(&text, project);
    const size_t share = text.length;
    text_free(&text);
    return share;
}

bool state_file_write(struct client *client, struct fault *fault) {
    struct text text = {0};
    text_printf(&text, "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<grid_client>\n<format>1</format>\n");
    put_whole(&text, "next_id", client->next_id);
    put_string(&text, "host_key", client->host_key);
    put_number(&text, "flops", client->flops);
    put_number(&text, "last_seen", client->last_seen);
    put_number(&text, "on", client->on.fraction);
    put_number(&text, "since", client->since);
    put_number(&text, "on_total", client->spells.on_total);
    put_number(&text, "off_total", client->spells.off_total);
    put_whole(&text, "on_count", client->spells.on_count);
    put_whole(&text, "off_count", client->spells.off_count);
    if (client->preferences[0] != '\0') {
        text_printf(&text, "<preferences>%s</preferences>\n", client->preferences);
    }
    put_number(&text, "preferences_time", client->preferences_time);
    for (const struct project *project = client->projects; project != NULL; project = project->next) {
        put_project(&text, project);
    }
    text_printf(&text, "</grid_client>\n");
    const bool written = file_write_safely(FILE_NAME, text.bytes, text.length, fault);
    client->is_changed = client->is_changed && !written;
    text_free(&text);
    fault_point("state-saved");
    return written;
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* Reading: only the client writes the file, so it is enough that nonsense does no harm. */

static double get_number(const struct xml_node *node, const char *name) {
    return xml_number(node, name, -VCS_MAX_TIME, VCS_MAX_TIME, 0);
}

static double get_amount(const struct xml_node *node, const char *name) {
    return xml_number(node, name, 0, 1e30, 0);
}

static uint32_t get_count(const struct xml_node *node, const char *name) {
    return (uint32_t)xml_number(node, name, 0, 1e9, 0);
}

static uint64_t get_id(const struct xml_node *node, const char *name) {
    return strtoull(xml_string(node, name), NULL, 10);
}

static void get_transfers(const struct xml_node *parent, const char *name, vcs_transfer_backoff *backoff) {
    const struct xml_node *node = xml_child(parent, name);
    if (node != NULL) {
        backoff->until = get_number(node, "until");
        backoff->seen = get_number(node, "seen");
        backoff->failing_since = get_number(node, "failing_since");
        backoff->failed_at = get_number(node, "failed_at");
        backoff->failures = get_count(node, "failures");
    }
}

static void get_inner(const struct xml_node *parent, const char *name, const char *source, char **place) {
    struct text inner = {0};
    const struct xml_node *node = xml_child(parent, name);
    if (node != NULL && xml_inner(node, source, &inner)) {
        replace(place, inner.bytes);
    }
    text_free(&inner);
}

static void get_file(const struct xml_node *node, const char *source, struct project *project) {
    struct file *file = file_add(project, xml_string(node, "name"));
    file->state = get_count(node, "state") <= FILE_FAILED ? get_count(node, "state") : FILE_FAILED;
    file->error = (int)get_number(node, "error");
    file->is_output = xml_flag(node, "is_output");
    file->executable = xml_flag(node, "executable");
    file->bytes = get_amount(node, "bytes");
    file->most_bytes = get_amount(node, "most_bytes");
    strncpy(file->md5, xml_string(node, "md5"), sizeof file->md5 - 1);
    replace(&file->signature, xml_string(node, "signature"));
    for (const struct xml_node *url = xml_child(node, "url"); url != NULL; url = xml_next(url, "url")) {
        if (file->url_count < MOST_URLS && url->text.bytes != NULL) {
            file->urls[file->url_count++] = copy_of(url->text.bytes);
        }
    }
    get_inner(node, "ticket", source, &file->ticket);
    get_transfers(node, "backoff", &file->backoff);
}

static bool get_references(const struct xml_node *parent, const struct project *project, struct file_reference **list) {
    const struct xml_node *node = xml_child(parent, "file_reference");
    for (; node != NULL; node = xml_next(node, "file_reference")) {
        struct file *file = file_find(project, xml_string(node, "file"));
        if (file == NULL) {
            return false;
        }
        struct file_reference *reference = reference_add(list, file, xml_string(node, "open_name"));
        reference->is_main_program = xml_flag(node, "is_main_program");
        reference->is_copied = xml_flag(node, "is_copied");
    }
    return true;
}

static bool get_version(const struct xml_node *node, struct project *project) {
    struct app *app = app_find(project, xml_string(node, "app"));
    if (app == NULL) {
        return false;
    }
    struct version *version = version_add(project, app);
    version->number = (int)get_number(node, "number");
    replace(&version->platform, xml_string(node, "platform"));
    replace(&version->plan_class, xml_string(node, "plan_class"));
    replace(&version->command_line, xml_string(node, "command_line"));
    version->cpus = get_amount(node, "cpus");
    version->flops = get_amount(node, "flops");
    return get_references(node, project, &version->files);
}

static bool get_unit(const struct xml_node *node, struct project *project) {
    struct app *app = app_find(project, xml_string(node, "app"));
    if (app == NULL) {
        return false;
    }
    struct unit *unit = unit_add(project, app, xml_string(node, "name"));
    replace(&unit->command_line, xml_string(node, "command_line"));
    unit->est_flops = get_amount(node, "est_flops");
    unit->most_flops = get_amount(node, "most_flops");
    unit->ram = get_amount(node, "ram");
    return get_references(node, project, &unit->files);
}

static void get_progress(const struct xml_node *parent, const char *name, struct progress *progress) {
    const struct xml_node *node = xml_child(parent, name);
    if (node != NULL) {
        progress->elapsed = xml_number(node, "elapsed", 0, 1e12, 0);
        progress->cpu_time = xml_number(node, "cpu_time", 0, 1e12, 0);
        progress->fraction = xml_number(node, "fraction", 0, 1, 0);
    }
}

static bool get_task(const struct xml_node *node, struct client *client, struct project *project) {
    struct unit *unit = unit_find(project, xml_string(node, "unit"));
    struct version *version = unit == NULL ? NULL
                                           : version_find(project, unit->app, (int)get_number(node, "version_number"),
                                                          xml_string(node, "platform"), xml_string(node, "plan_class"));
    if (version == NULL) {
        return false;
    }
    struct task *task = task_add(client, project, unit, xml_string(node, "name"));
    task->id = get_id(node, "id");
    task->version = version;
    task->state = get_count(node, "state") <= TASK_REPORTABLE ? get_count(node, "state") : TASK_REPORTABLE;
    task->deadline = get_number(node, "deadline");
    task->received = get_number(node, "received");
    task->completed = get_number(node, "completed");
    task->booked = get_amount(node, "booked");
    task->is_suspended = xml_flag(node, "is_suspended");
    task->is_started = xml_flag(node, "is_started");
    task->was_late = xml_flag(node, "was_late");
    task->fills_in = xml_flag(node, "fills_in");
    task->running_since = get_number(node, "running_since");
    get_progress(node, "saved", &task->saved);
    get_progress(node, "progress", &task->progress);
    task->process = xml_flag(node, "runs") ? PROCESS_RUNNING : PROCESS_NONE;
    task->slot = (int)xml_number(node, "slot", 0, 1e6, -1);
    task->result_state = (int)get_number(node, "result_state");
    task->exit_status = (int)get_number(node, "exit_status");
    task->premature_ends = get_count(node, "premature_ends");
    task->reason = get_count(node, "reason");
    replace(&task->messages, xml_string(node, "messages"));
    return get_references(node, project, &task->outputs);
}

static bool get_project(const struct xml_node *node, const char *source, struct client *client) {
    if (!url_is_plain(xml_string(node, "url"))) {
        return false;
    }
    struct project *project = project_add(client, xml_string(node, "url"), xml_string(node, "key"));
    project->id = get_id(node, "id");
    replace(&project->name, xml_string(node, "name"));
    replace(&project->folder, xml_string(node, "folder"));
    replace(&project->scheduler_url, xml_string(node, "scheduler_url"));
    replace(&project->code_sign_key, xml_string(node, "code_sign_key"));
    project->host_id = get_id(node, "host_id");
    project->requests = get_id(node, "requests");
    project->share = get_amount(node, "share");
    project->share_is_mine = xml_flag(node, "share_is_mine");
    project->is_suspended = xml_flag(node, "is_suspended");
    project->is_detached = xml_flag(node, "is_detached");
    project->has_no_cpu_apps = xml_flag(node, "has_no_cpu_apps");
    project->is_at_server_limit = xml_flag(node, "is_at_server_limit");
    project->wants_full_list = xml_flag(node, "wants_full_list");
    project->is_wanted = xml_flag(node, "is_wanted");
    project->master_read = get_number(node, "master_read");
    project->next_call = get_number(node, "next_call");
    project->failed_tasks = get_count(node, "failed_tasks");
    project->fetch_reason = get_count(node, "fetch_reason");
    project->timer.min_rpc_time = get_number(node, "min_rpc_time");
    project->timer.seen = get_number(node, "timer_seen");
    project->timer.failures = get_count(node, "rpc_failures");
    project->backoff.interval = xml_number(node, "backoff_interval", 0, 1e12, 0);
    project->backoff.until = get_number(node, "backoff_until");
    project->backoff.seen = get_number(node, "backoff_seen");
    project->rec.value = get_amount(node, "rec");
    project->rec.time = get_number(node, "rec_time");
    project->known.received = xml_number(node, "work_received", -1e30, 1e30, 0);
    project->known.job_seconds = xml_number(node, "job_seconds", 0, VCS_MAX_SECONDS, 0);
    project->known.job_bound = xml_number(node, "job_bound", 0, VCS_MAX_SECONDS, 0);
    project->known.tasks = get_amount(node, "sizes");
    project->known.ratios = get_amount(node, "size_ratios");
    project->known.squares = get_amount(node, "size_squares");
    bool read = true;
    for (const struct xml_node *record = node->child; record != NULL && read; record = record->next) {
        if (strcmp(record->name, "app") == 0) {
            struct app *app = app_add(client, project, xml_string(record, "name"));
            app->id = get_id(record, "id");
            app->correction.dcf = xml_number(record, "dcf", 0, 1e6, 0);
            app->correction.tasks = get_id(record, "tasks");
        } else if (strcmp(record->name, "data_server") == 0) {
            struct data_server *server = data_server_of(project, xml_string(record, "name"));
            get_transfers(record, "downloads", &server->downloads);
            get_transfers(record, "uploads", &server->uploads);
        } else if (strcmp(record->name, "file") == 0) {
            get_file(record, source, project);
        } else if (strcmp(record->name, "version") == 0) {
            read = get_version(record, project);
        } else if (strcmp(record->name, "unit") == 0) {
            read = get_unit(record, project);
        } else if (strcmp(record->name, "task") == 0) {
            read = get_task(record, client, project);
        }
    }
    return read;
}

/* The disk decides: a file may have gone, or have arrived just before the client was killed. */
static void compare_with_disk(struct project *project) {
    struct text path = {0};
    for (struct file *file = project->files; file != NULL; file = file->next) {
        double bytes;
        path_of_file(project, file, "", &path);
        const bool is_there = file_is_there(path.bytes, &bytes);
        if (file->state == FILE_PRESENT && !(is_there && bytes == file->bytes)) {
            file->state = FILE_WANTED;
        } else if (file->state == FILE_TO_UPLOAD && !is_there) {
            file->state = FILE_FAILED;
            file->error = ERROR_NOT_FOUND;
        }
    }
    text_free(&path);
}

/* No process outlives the client. A task goes on from its checkpoint, if its files are still there. */
static void put_back(struct project *project) {
    for (struct task *task = project->tasks; task != NULL; task = task->next) {
        task->process = PROCESS_NONE;
        if (task->state == TASK_COMPUTING) {
            task->state = TASK_DOWNLOADING;
            task->progress = task->saved;
        }
    }
}

bool state_file_read(struct client *client, bool to_show, struct fault *fault) {
    struct text source = {0};
    double bytes;
    client->host_key = copy_of("");
    client->preferences = copy_of("");
    if (!file_is_there(FILE_NAME, &bytes)) {
        return true;
    }
    file_read(FILE_NAME, SIZE_MAX, false, &source);
    struct xml_node *root = xml_parse_own(source.bytes, source.length, "the state file " FILE_NAME, fault);
    bool read = root != NULL;
    if (read && strcmp(xml_string(root, "format"), "1") != 0) {
        read = fault_set(fault, "the state file " FILE_NAME " is of another version of this program");
    }
    if (read) {
        replace(&client->host_key, xml_string(root, "host_key"));
        client->flops = get_amount(root, "flops");
        client->last_seen = get_number(root, "last_seen");
        client->on.fraction = xml_number(root, "on", 0, 1, 0);
        client->since = get_number(root, "since");
        client->spells = (vcs_spells){
            .on_total = xml_number(root, "on_total", 0, 1e15, 0),
            .off_total = xml_number(root, "off_total", 0, 1e15, 0),
            .on_count = (uint32_t)xml_number(root, "on_count", 0, UINT32_MAX, 0),
            .off_count = (uint32_t)xml_number(root, "off_count", 0, UINT32_MAX, 0),
        };
        get_inner(root, "preferences", source.bytes, &client->preferences);
        client->preferences_time = get_number(root, "preferences_time");
    }
    const struct xml_node *node = read ? xml_child(root, "project") : NULL;
    for (; node != NULL && read; node = xml_next(node, "project")) {
        if (!get_project(node, source.bytes, client)) {
            read = fault_set(fault, "the state file " FILE_NAME " refers to what it does not contain");
        }
    }
    if (read) {
        client->next_id = get_id(root, "next_id");
        for (struct project *project = client->projects; project != NULL && !to_show; project = project->next) {
            compare_with_disk(project);
            put_back(project);
        }
    }
    xml_free(root);
    text_free(&source);
    return read;
}
