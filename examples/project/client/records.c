/*
 * The lists of client.h: finding, adding, dropping.
 *
 * SPDX-License-Identifier: MIT
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client.h"
#include "known_work.h"
#include "log.h"

/* All lists are alike: `next` comes first, and there is a name. */
#define FIND(list, condition)                                                                                          \
    for (; (list) != NULL && !(condition); (list) = (list)->next) {                                                    \
    }                                                                                                                  \
    return (list)
#define APPEND(first, record)                                                                                          \
    do {                                                                                                               \
        while (*(first) != NULL) {                                                                                     \
            (first) = &(*(first))->next;                                                                               \
        }                                                                                                              \
        *(first) = (record);                                                                                           \
    } while (0)

struct project *project_find(const struct client *client, const char *url) {
    struct project *project = client->projects;
    FIND(project, strcmp(project->url, url) == 0);
}

struct file *file_find(const struct project *project, const char *name) {
    struct file *file = project->files;
    FIND(file, strcmp(file->name, name) == 0);
}

struct app *app_find(const struct project *project, const char *name) {
    struct app *app = project->apps;
    FIND(app, strcmp(app->name, name) == 0);
}

struct version *version_find(const struct project *project, const struct app *app, int number, const char *platform,
                             const char *plan_class) {
    struct version *version = project->versions;
    FIND(version, version->app == app && version->number == number && strcmp(version->platform, platform) == 0 &&
                      strcmp(version->plan_class, plan_class) == 0);
}

struct unit *unit_find(const struct project *project, const char *name) {
    struct unit *unit = project->units;
    FIND(unit, strcmp(unit->name, name) == 0);
}

struct task *task_find(const struct project *project, const char *name) {
    struct task *task = project->tasks;
    FIND(task, strcmp(task->name, name) == 0);
}

/* A folder is named after its project's URL, with nothing in it that means something to a file system. */
static char *folder_of(uint64_t id, const char *url) {
    struct text folder = {0};
    text_printf(&folder, "projects/%llu_", (unsigned long long)id);
    for (const char *c = strstr(url, "://") + 3; *c != '\0'; c++) {
        if (isalnum((unsigned char)*c) || (*c == '.' && c[1] != '.') || *c == '-') {
            text_add(&folder, c, 1);
        } else if (c[1] != '\0') {
            text_add(&folder, "_", 1);
        }
    }
    return folder.bytes;
}

struct project *project_add(struct client *client, const char *url, const char *key) {
    struct project *project = zeroed(sizeof *project), **first = &client->projects;
    project->id = ++client->next_id;
    project->url = copy_of(url);
    project->key = copy_of(key);
    project->name = copy_of(url);
    project->folder = folder_of(project->id, url);
    project->scheduler_url = copy_of("");
    project->code_sign_key = copy_of("");
    project->share = 100;
    project->rec.time = client->now;
    project->has_rubbish = true;
    APPEND(first, project);
    return project;
}

struct file *file_add(struct project *project, const char *name) {
    struct file *file = zeroed(sizeof *file), **first = &project->files;
    file->name = copy_of(name);
    file->signature = copy_of("");
    file->ticket = copy_of("");
    APPEND(first, file);
    return file;
}

struct app *app_add(struct client *client, struct project *project, const char *name) {
    struct app *app = zeroed(sizeof *app), **first = &project->apps;
    app->id = ++client->next_id;
    app->name = copy_of(name);
    APPEND(first, app);
    return app;
}

struct data_server *data_server_of(struct project *project, const char *url) {
    const char *host = strstr(url, "://");
    const size_t length = host == NULL ? strlen(url) : (size_t)(host - url) + 3 + strcspn(host + 3, "/?#");
    struct data_server **first = &project->servers;
    for (struct data_server *server = *first; server != NULL; server = server->next) {
        if (strlen(server->name) == length && strncmp(server->name, url, length) == 0) {
            return server;
        }
    }
    struct data_server *server = zeroed(sizeof *server);
    server->name = copy_of(url);
    server->name[length] = '\0';
    APPEND(first, server);
    return server;
}

struct version *version_add(struct project *project, struct app *app) {
    struct version *version = zeroed(sizeof *version), **first = &project->versions;
    version->app = app;
    version->platform = copy_of("");
    version->plan_class = copy_of("");
    version->command_line = copy_of("");
    version->cpus = 1;
    APPEND(first, version);
    return version;
}

struct unit *unit_add(struct project *project, struct app *app, const char *name) {
    struct unit *unit = zeroed(sizeof *unit), **first = &project->units;
    unit->app = app;
    unit->name = copy_of(name);
    unit->command_line = copy_of("");
    APPEND(first, unit);
    return unit;
}

struct task *task_add(struct client *client, struct project *project, struct unit *unit, const char *name) {
    struct task *task = zeroed(sizeof *task), **first = &project->tasks;
    task->id = ++client->next_id;
    task->unit = unit;
    task->name = copy_of(name);
    task->messages = copy_of("");
    task->slot = -1;
    APPEND(first, task);
    return task;
}

struct file_reference *reference_add(struct file_reference **list, struct file *file, const char *open_name) {
    struct file_reference *reference = zeroed(sizeof *reference);
    reference->file = file;
    reference->open_name = copy_of(open_name);
    APPEND(list, reference);
    return reference;
}

static void references_free(struct file_reference *reference) {
    while (reference != NULL) {
        struct file_reference *next = reference->next;
        free(reference->open_name);
        free(reference);
        reference = next;
    }
}

static void file_free(struct file *file) {
    for (uint32_t i = 0; i < file->url_count; i++) {
        free(file->urls[i]);
    }
    free(file->name);
    free(file->signature);
    free(file->ticket);
    free(file);
}

static void version_free(struct version *version) {
    free(version->platform);
    free(version->plan_class);
    free(version->command_line);
    references_free(version->files);
    free(version);
}

static void unit_free(struct unit *unit) {
    free(unit->name);
    free(unit->command_line);
    references_free(unit->files);
    free(unit);
}

static void task_free(struct task *task) {
    free(task->name);
    free(task->messages);
    references_free(task->outputs);
    free(task);
}

static void app_free(struct app *app) {
    free(app->name);
    free(app);
}

/* Drops the records of a list that the condition, in words of `it`, holds for. */
#define DROP(type, list, condition, release)                                                                           \
    for (type **at = (list); *at != NULL;) {                                                                           \
        type *it = *at;                                                                                                \
        if (condition) {                                                                                               \
            *at = it->next;                                                                                            \
            release(it);                                                                                               \
        } else {                                                                                                       \
            at = &it->next;                                                                                            \
        }                                                                                                              \
    }

static bool refers_to(const struct file_reference *list, const struct file *file) {
    while (list != NULL && list->file != file) {
        list = list->next;
    }
    return list != NULL;
}

static bool file_is_needed(const struct project *project, const struct file *file) {
    bool needed = file->transfer != NULL; /* which will look at it when it ends */
    for (const struct task *task = project->tasks; task != NULL && !needed; task = task->next) {
        needed = refers_to(task->outputs, file);
    }
    for (const struct unit *unit = project->units; unit != NULL && !needed; unit = unit->next) {
        needed = refers_to(unit->files, file);
    }
    for (const struct version *version = project->versions; version != NULL && !needed; version = version->next) {
        needed = refers_to(version->files, file);
    }
    return needed;
}

static bool unit_is_needed(const struct project *project, const struct unit *unit) {
    const struct task *task = project->tasks;
    while (task != NULL && task->unit != unit) {
        task = task->next;
    }
    return task != NULL;
}

static bool has_failed(const struct file_reference *list) {
    while (list != NULL && list->file->state != FILE_FAILED) {
        list = list->next;
    }
    return list != NULL;
}

/*
 * A version stays when its tasks are done, because the next ones want it; unless there is a newer one, or it could not
 * be downloaded.
 */
static bool version_is_needed(const struct project *project, const struct version *version) {
    for (const struct task *task = project->tasks; task != NULL; task = task->next) {
        if (task->version == version) {
            return true;
        }
    }
    for (const struct version *other = project->versions; other != NULL; other = other->next) {
        if (other->app == version->app && other->number > version->number &&
            strcmp(other->platform, version->platform) == 0 && strcmp(other->plan_class, version->plan_class) == 0) {
            return false;
        }
    }
    return !has_failed(version->files);
}

static void data_server_free(struct data_server *server) {
    free(server->name);
    free(server);
}

static void project_tidy(struct project *project) {
    for (struct task *task = project->tasks; task != NULL; task = task->next) {
        task->gone |= project->is_detached && task->process == PROCESS_NONE;
    }
    DROP(struct task, &project->tasks, it->gone, task_free)
    DROP(struct unit, &project->units, !unit_is_needed(project, it), unit_free)
    DROP(struct version, &project->versions, !version_is_needed(project, it), version_free)
    DROP(struct file, &project->files, !file_is_needed(project, it), file_free)
    project->has_rubbish = true;
}

static void project_free(struct project *project) {
    DROP(struct task, &project->tasks, it != NULL, task_free)
    DROP(struct unit, &project->units, it != NULL, unit_free)
    DROP(struct version, &project->versions, it != NULL, version_free)
    DROP(struct file, &project->files, it != NULL, file_free)
    DROP(struct app, &project->apps, it != NULL, app_free)
    DROP(struct data_server, &project->servers, it != NULL, data_server_free)
    free(project->url);
    free(project->key);
    free(project->name);
    free(project->folder);
    free(project->scheduler_url);
    free(project->code_sign_key);
    free(project);
}

static bool may_go(const struct project *project) {
    const struct file *file = project->files;
    while (file != NULL && file->transfer == NULL) {
        file = file->next;
    }
    return project->is_detached && !project->is_called && project->tasks == NULL && file == NULL;
}

void records_tidy(struct client *client) {
    for (struct project *project = client->projects; project != NULL; project = project->next) {
        project_tidy(project);
    }
    DROP(struct project, &client->projects, may_go(it), project_free)
    client->has_rubbish = true;
    client->is_changed = true;
}

void client_free(struct client *client) {
    DROP(struct project, &client->projects, it != NULL, project_free)
    free(client->host_key);
    free(client->preferences);
}

void task_fail(struct client *client, struct project *project, struct task *task, int result_state, int exit_status,
               const char *why) {
    struct text messages = {0};
    text_printf(&messages, "%s%s\n", task->messages, why);
    replace(&task->messages, messages.bytes);
    text_free(&messages);
    task->state = TASK_REPORTABLE;
    task->result_state = result_state;
    task->exit_status = exit_status;
    task->completed = client->now;
    task->slot = -1;
    known_work_ended(project, task);
    client->has_rubbish = client->is_changed = client->looks_again = true;
    say(project->name, "task %s has failed (%d): %s", task->name, exit_status, why);
}

double task_remaining(const struct client *client, const struct task *task) {
    const vcs_progress progress = {
        .struct_size = sizeof progress,
        .est_flops = task->unit->est_flops,
        .flops = task->version->flops,
        .dcf = client->policy.use_dcf ? task->unit->app->correction.dcf : 0,
        .elapsed = task->progress.elapsed,
        .fraction_done = task->progress.fraction,
    };
    double seconds = 0;
    vcs_estimate_remaining(&progress, client->policy.estimate, &seconds, NULL);
    return seconds;
}

bool url_is_plain(const char *url) {
    const char *host = strncasecmp(url, "http://", 7) == 0    ? url + 7
                       : strncasecmp(url, "https://", 8) == 0 ? url + 8
                                                              : "";
    for (const char *c = url; *c != '\0'; c++) {
        if (!isgraph((unsigned char)*c) || *c == '"' || *c == '<' || *c == '>') {
            return false;
        }
    }
    return isalnum((unsigned char)*host) || *host == '[';
}
