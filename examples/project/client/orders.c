/*
 * SPDX-License-Identifier: MIT
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "folder.h"
#include "known_work.h"
#include "log.h"
#include "orders.h"
#include "random.h"
#include "state_file.h"
#include "task.h"

#define MOST_WORDS 4

/* The user may leave out the last slash of an address. */
static struct project *find_project(const struct client *client, const char *url) {
    struct text with_slash = {0};
    text_printf(&with_slash, "%s/", url);
    struct project *project = project_find(client, url);
    project = project == NULL ? project_find(client, with_slash.bytes) : project;
    text_free(&with_slash);
    return project;
}

static struct task *find_task(const struct client *client, const char *name, struct project **owner) {
    for (struct project *project = client->projects; project != NULL; project = project->next) {
        struct task *task = task_find(project, name);
        if (task != NULL) {
            *owner = project;
            return task;
        }
    }
    return NULL;
}

static bool attach(struct client *client, const char *url, const char *key, const char *share, struct fault *fault) {
    struct text with_slash = {0};
    if (!url_is_plain(url)) {
        return fault_set(fault, "%s is not the address of a project", url);
    }
    if (find_project(client, url) != NULL) {
        return fault_set(fault, "it is attached to %s already", url);
    }
    text_printf(&with_slash, "%s%s", url, url[strlen(url) - 1] == '/' ? "" : "/");
    struct project *project = project_add(client, with_slash.bytes, key);
    text_free(&with_slash);
    if (share != NULL) {
        project->share = strtod(share, NULL);
        project->share_is_mine = true;
    }
    known_work_begin(client, project);
    say(project->name, "is attached");
    return true;
}

/* Its tasks are ended, its files no longer moved; the records go when nothing uses them any longer. */
static void detach(struct client *client, struct transfers *transfers, struct project *project) {
    project->is_detached = true;
    for (struct file *file = project->files; file != NULL; file = file->next) {
        if (transfers != NULL) {
            file_forget_transfer(file, transfers);
        }
    }
    for (struct task *task = project->tasks; task != NULL; task = task->next) {
        task_abort(client, project, task, EXIT_ABORTED_BY_USER);
    }
    say(project->name, "is detached");
}

bool order_obey(struct client *client, struct transfers *transfers, const char *order, struct fault *fault) {
    char *line = copy_of(order), *words[MOST_WORDS] = {NULL}, *rest = line, *word;
    int count = 0;
    while (count < MOST_WORDS && (word = strtok_r(rest, " \n", &rest)) != NULL) {
        words[count++] = word;
    }
    const char *what = count > 1 ? words[1] : "", *command = count > 0 ? words[0] : "";
    struct project *project = find_project(client, what), *owner = NULL;
    struct task *task = find_task(client, what, &owner);
    const bool suspends = strcmp(command, "suspend") == 0;
    bool obeyed = true;
    if (strcmp(command, "attach") == 0 && count > 2) {
        obeyed = attach(client, what, words[2], words[3], fault);
    } else if (strcmp(command, "detach") == 0 && project != NULL) {
        detach(client, transfers, project);
    } else if (strcmp(command, "update") == 0 && project != NULL) {
        project->is_wanted = true;
        if (project->scheduler_url[0] == '\0') {
            project->timer = (vcs_project_timer){0};
        }
    } else if (strcmp(command, "abort") == 0 && task != NULL) {
        task_abort(client, owner, task, EXIT_ABORTED_BY_USER);
    } else if ((suspends || strcmp(command, "resume") == 0) && project != NULL) {
        project->is_suspended = suspends;
    } else if ((suspends || strcmp(command, "resume") == 0) && task != NULL) {
        task->is_suspended = suspends;
    } else {
        obeyed = fault_set(fault, "%s: there is no such project or task", what);
    }
    client->is_changed = client->looks_again = true;
    free(line);
    return obeyed;
}

void orders_obey(struct client *client, struct transfers *transfers) {
    DIR *folder = opendir("orders");
    struct text path = {0}, order = {0};
    struct fault fault;
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.') { /* perhaps still being written */
            continue;
        }
        path.length = order.length = 0;
        text_printf(&path, "orders/%s", entry->d_name);
        file_read(path.bytes, 4096, false, &order);
        if (!order_obey(client, transfers, order.bytes == NULL ? "" : order.bytes, &fault)) {
            say(NULL, "an order cannot be carried out: %s", fault.message);
        }
        if (state_file_write(client, &fault)) { /* before that it would be lost with us */
            unlink(path.bytes);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    text_free(&path);
    text_free(&order);
}

bool order_leave(const char *order, pid_t pid, struct fault *fault) {
    char key[33];
    struct text hidden = {0}, name = {0};
    draw_key(key);
    text_printf(&hidden, "orders/.%s", key);
    text_printf(&name, "orders/%s", key);
    FILE *file = folder_make("orders") ? fopen(hidden.bytes, "wxe") : NULL;
    bool left = file != NULL && fputs(order, file) >= 0;
    left =
        file != NULL && fclose(file) == 0 && left && rename(hidden.bytes, name.bytes) == 0 && kill(pid, SIGUSR1) == 0;
    if (!left) {
        fault_set(fault, "the running client cannot be told: %s", strerror(errno));
    }
    text_free(&hidden);
    text_free(&name);
    return left;
}
