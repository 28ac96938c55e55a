/*
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "folder.h"
#include "known_work.h"
#include "log.h"
#include "preferences.h"
#include "scheduler_reply.h"
#include "signature.h"
#include "state_file.h"
#include "task.h"
#include "xml.h"

#define LONGEST_DELAY (28 * DAY)
/* No host has so many; a reply with more is not meant well. */
#define MOST_TASKS 10000u
/* What a project may take of the state file, in bytes; if it has more, no work is taken before tasks have ended. */
#define MOST_KEPT ((size_t)16 << 20)

struct accepting {
    struct client *client;
    struct project *project;
    const char *source;
    struct reply_summary *summary;
};

/* All children of this name, one after another. */
#define FOR_EACH(node, parent, name)                                                                                   \
    for (const struct xml_node *node = xml_child(parent, name); node != NULL; node = xml_next(node, name))

/* ------------------------------------------------------------------------------------------------------------------ */
/* The project */

/*
 * The first key is believed, for the user has chosen the project. A later one must be signed with the key before it, or
 * whoever gets hold of the server could send programs of his own.
 */
static void accept_key(struct project *project, const struct xml_node *root) {
    const char *key = xml_string(root, "code_sign_key");
    char digits[MD5_DIGITS + 1];
    if (key[0] == '\0' || strcmp(key, project->code_sign_key) == 0) {
        return;
    }
    md5_of_text(key, strlen(key), digits);
    if (project->code_sign_key[0] != '\0' &&
        !signature_is_right(digits, xml_string(root, "code_sign_key_signature"), project->code_sign_key)) {
        say(project->name, "sends another key for its programs, not signed with the one before: it is refused");
        return;
    }
    replace(&project->code_sign_key, key);
}

/* How deployed servers, and the one beside us, tell people that the host has as many jobs as it may have. */
static bool tells_limit(const char *message) {
    static const char *const words[] = {"reached a limit on tasks in progress", "daily quota",
                                        "at its limit of jobs in progress"};
    for (; *message != '\0'; message++) {
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            if (strncasecmp(message, words[i], strlen(words[i])) == 0) {
                return true;
            }
        }
    }
    return false;
}

static void accept_project(struct accepting *t, const struct xml_node *root) {
    struct project *project = t->project;
    struct text inner = {0};
    project->is_at_server_limit = false;
    FOR_EACH(message, root, "message") {
        const char *said = message->text.bytes == NULL ? "" : message->text.bytes;
        say(project->name, "says: %s", said);
        project->is_at_server_limit = project->is_at_server_limit || tells_limit(said);
    }
    if (xml_string(root, "project_name")[0] != '\0') {
        replace(&project->name, xml_string(root, "project_name"));
    }
    project->host_id = (uint64_t)xml_number(root, "hostid", 1, 1e15, (double)project->host_id);
    project->has_no_cpu_apps = xml_flag(root, "no_cpu_apps");
    project->wants_full_list = xml_flag(root, "send_full_workload");
    const double next = xml_number(root, "next_rpc_delay", 0, LONGEST_DELAY, 0);
    project->next_call = next > 0 ? t->client->now + next : 0;
    accept_key(project, root);
    const struct xml_node *own = xml_child(root, "project_preferences");
    if (own != NULL && !project->share_is_mine) {
        project->share = xml_number(own, "resource_share", 0, 1e9, project->share);
    }
    const struct xml_node *global = xml_child(root, "global_preferences");
    if (global != NULL && xml_inner(global, t->source, &inner)) {
        t->summary->has_preferences = preferences_accept(t->client, inner.bytes);
    }
    text_free(&inner);
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* What can be written to the state file and read again */

/* Names by which records refer to each other: the state file has no other characters. */
static bool is_printable(const char *string) {
    while (*string >= ' ' && *string <= '~') {
        string++;
    }
    return *string == '\0';
}

/* Copied byte by byte from the reply, in whatever encoding it has. */
static bool can_be_kept(const struct text *ticket) {
    struct text text = {0};
    struct fault fault;
    text_printf(&text, "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><ticket>%s</ticket>", ticket->bytes);
    struct xml_node *root = xml_parse(text.bytes, text.length, "the ticket", &fault);
    const bool is_kept = root != NULL && strlen(ticket->bytes) == ticket->length;
    xml_free(root);
    text_free(&text);
    return is_kept;
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* Files and what refers to them */

static void accept_urls(struct file *file, const struct xml_node *node) {
    static const char *const names[] = {"url", "download_url", "upload_url"};
    for (uint32_t i = 0; i < file->url_count; i++) {
        free(file->urls[i]);
    }
    file->url_count = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        FOR_EACH(url, node, names[i]) {
            if (file->url_count < MOST_URLS && url->text.bytes != NULL && url_is_plain(url->text.bytes)) {
                file->urls[file->url_count++] = copy_of(url->text.bytes);
            }
        }
    }
}

static void accept_file(struct accepting *t, const struct xml_node *node) {
    const char *name = xml_string(node, "name");
    struct text ticket = {0};
    if (!name_is_plain(name)) {
        say(t->project->name, "names a file \"%s\": that is not the name of a file", name);
        return;
    }
    const bool has_ticket = xml_inner(node, t->source, &ticket);
    if (has_ticket && !can_be_kept(&ticket)) {
        say(t->project->name, "describes file %s in characters that cannot be kept", name);
        text_free(&ticket);
        return;
    }
    struct file *file = file_find(t->project, name);
    const bool is_new = file == NULL;
    file = is_new ? file_add(t->project, name) : file;
    if (is_new) {
        file->is_output = xml_flag(node, "generated_locally") || xml_flag(node, "upload_when_present");
        file->state = file->is_output ? FILE_EXPECTED : FILE_WANTED;
        file->bytes = file->is_output ? 0 : xml_number(node, "nbytes", 0, 1e15, 0);
        file->most_bytes = xml_number(node, "max_nbytes", 0, 1e15, 0);
        strncpy(file->md5, file->is_output ? "" : xml_string(node, "md5_cksum"), sizeof file->md5 - 1);
        replace(&file->signature, xml_string(node, "file_signature"));
        if (file->is_output && has_ticket) {
            replace(&file->ticket, ticket.bytes);
        }
    }
    if (file->transfer == NULL) {
        accept_urls(file, node);
    }
    text_free(&ticket);
}

/* False if it refers to a file that nobody has described, or by a name that is none. */
static bool accept_references(const struct project *project, const struct xml_node *parent,
                              struct file_reference **list) {
    FOR_EACH(node, parent, "file_ref") {
        struct file *file = file_find(project, xml_string(node, "file_name"));
        const char *open_name = xml_string(node, "open_name");
        open_name = open_name[0] == '\0' && file != NULL ? file->name : open_name;
        if (file == NULL || !name_is_plain(open_name)) {
            return false;
        }
        struct file_reference *reference = reference_add(list, file, open_name);
        reference->is_main_program = xml_flag(node, "main_program");
        reference->is_copied = xml_flag(node, "copy_file");
    }
    return true;
}

static struct app *accept_app(struct accepting *t, const char *name) {
    struct app *app = app_find(t->project, name);
    return app == NULL && name_is_plain(name) ? app_add(t->client, t->project, name) : app;
}

static void accept_version(struct accepting *t, const struct xml_node *node) {
    struct project *project = t->project;
    struct app *app = accept_app(t, xml_string(node, "app_name"));
    const int number = (int)xml_number(node, "version_num", 0, 1e9, 0);
    const char *platform = xml_string(node, "platform"), *plan_class = xml_string(node, "plan_class");
    if (app == NULL || !is_printable(platform) || !is_printable(plan_class)) {
        return;
    }
    struct version *version = version_find(project, app, number, platform, plan_class);
    if (version == NULL) {
        version = version_add(project, app);
        version->number = number;
        replace(&version->platform, platform);
        replace(&version->plan_class, plan_class);
        replace(&version->command_line, xml_string(node, "cmdline"));
        if (!accept_references(project, node, &version->files)) {
            say(project->name, "version %d of %s refers to a file that it does not describe", number, app->name);
        }
        /* Whatever belongs to a program must be signed. */
        for (struct file_reference *reference = version->files; reference != NULL; reference = reference->next) {
            reference->file->executable = true;
        }
    }
    version->cpus = xml_number(node, "avg_ncpus", 0, 1e4, 1);
    version->flops = xml_number(node, "flops", 1e3, 1e18, t->client->flops);
}

static void accept_unit(struct accepting *t, const struct xml_node *node) {
    struct app *app = accept_app(t, xml_string(node, "app_name"));
    const char *name = xml_string(node, "name");
    if (app == NULL || name[0] == '\0' || !is_printable(name) || unit_find(t->project, name) != NULL) {
        return;
    }
    struct unit *unit = unit_add(t->project, app, name);
    replace(&unit->command_line, xml_string(node, "command_line"));
    unit->est_flops = xml_number(node, "rsc_fpops_est", 0, 1e30, 0);
    unit->most_flops = xml_number(node, "rsc_fpops_bound", 0, 1e30, 0);
    unit->ram = xml_number(node, "rsc_memory_bound", 0, 1e15, 0);
    if (!accept_references(t->project, node, &unit->files)) {
        say(t->project->name, "unit %s refers to a file that it does not describe", name);
    }
}

/* The version that a result names; if it names none that we know, the newest of its application. */
static struct version *version_of(const struct project *project, const struct app *app, const struct xml_node *node) {
    struct version *version = version_find(project, app, (int)xml_number(node, "version_num", 0, 1e9, 0),
                                           xml_string(node, "platform"), xml_string(node, "plan_class"));
    for (struct version *other = version == NULL ? project->versions : NULL; other != NULL; other = other->next) {
        version = other->app == app && (version == NULL || other->number > version->number) ? other : version;
    }
    return version;
}

static void accept_result(struct accepting *t, const struct xml_node *node) {
    struct project *project = t->project;
    const char *name = xml_string(node, "name");
    struct unit *unit = unit_find(project, xml_string(node, "wu_name"));
    struct version *version = unit == NULL ? NULL : version_of(project, unit->app, node);
    const double deadline = xml_number(node, "report_deadline", 0, 1e12, 0);
    if (task_find(project, name) != NULL) {
        return; /* it was sent again, and has not been lost */
    }
    if (name[0] == '\0' || !is_printable(name) || version == NULL || deadline == 0 || t->summary->tasks >= MOST_TASKS) {
        say(project->name, "sends task \"%s\" without a name, a unit, an application or a deadline: it is ignored",
            name);
        return;
    }
    struct task *task = task_add(t->client, project, unit, name);
    task->version = version;
    task->deadline = deadline;
    task->received = t->client->now;
    t->summary->tasks++;
    known_work_arrived(t->client, project, task);
    if (!accept_references(project, node, &task->outputs)) {
        task_fail(t->client, project, task, RESULT_COMPUTE_ERROR, ERROR_NOT_FOUND,
                  "it refers to a file that its project has not described");
    }
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* What becomes of the tasks that we have */

static struct task *named(const struct project *project, const struct xml_node *node) {
    return task_find(project, xml_string(node, "name"));
}

/* Ours alone: what the server would not send because it would be late here. */
static void accept_refusal(struct accepting *t, const struct xml_node *root) {
    const struct xml_node *refused = xml_child(root, "refused_job");
    const double est_flops = refused == NULL ? 0 : xml_number(refused, "rsc_fpops_est", 0, 1e30, 0);
    if (est_flops > 0 && t->client->flops > 0) {
        known_work_refused(t->client, t->project, est_flops, xml_number(refused, "delay_bound", 0, 1e12, 0));
    }
}

static void accept_tasks(struct accepting *t, const struct xml_node *root) {
    FOR_EACH(node, root, "result_ack") {
        struct task *task = named(t->project, node);
        if (task != NULL && task->state == TASK_REPORTABLE) {
            task->gone = true;
            say(t->project->name, "has accepted the report of task %s", task->name);
        }
    }
    FOR_EACH(node, root, "result_abort") {
        struct task *task = named(t->project, node);
        if (task != NULL && !task->gone) {
            task_abort(t->client, t->project, task, EXIT_ABORTED_BY_PROJECT);
        }
    }
    FOR_EACH(node, root, "result_abort_if_not_started") {
        struct task *task = named(t->project, node);
        if (task != NULL && !task->gone && !task->is_started) {
            task_abort(t->client, t->project, task, EXIT_ABORTED_BY_PROJECT);
        }
    }
}

/* What refers to something comes after it. */
static void accept_work(struct accepting *t, const struct xml_node *root) {
    FOR_EACH(node, root, "app") {
        accept_app(t, xml_string(node, "name"));
    }
    FOR_EACH(node, root, "file_info") {
        accept_file(t, node);
    }
    FOR_EACH(node, root, "app_version") {
        accept_version(t, node);
    }
    FOR_EACH(node, root, "workunit") {
        accept_unit(t, node);
    }
    FOR_EACH(node, root, "result") {
        accept_result(t, node);
    }
}

bool scheduler_reply_accept(struct client *client, struct project *project, const struct text *reply,
                            struct reply_summary *summary, struct fault *fault) {
    struct xml_node *root = xml_parse(reply->bytes, reply->length, "the reply", fault);
    *summary = (struct reply_summary){0};
    if (root == NULL || strcmp(root->name, "scheduler_reply") != 0) {
        const bool was_read = root != NULL;
        xml_free(root);
        return was_read ? fault_set(fault, "the reply is not that of a scheduler") : false;
    }
    struct accepting accepting = {.client = client, .project = project, .source = reply->bytes, .summary = summary};
    accept_project(&accepting, root);
    accept_tasks(&accepting, root);
    accept_refusal(&accepting, root);
    if (state_file_share(project) <= MOST_KEPT) {
        accept_work(&accepting, root);
    } else {
        say(project->name, "has sent more than is kept for one project: the rest is ignored");
    }
    summary->request_delay = xml_number(root, "request_delay", 0, LONGEST_DELAY, 0);
    xml_free(root);
    records_tidy(client);
    return true;
}
