/*
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "signature.h"
#include "slot.h"

static bool slot_is_taken(const struct client *client, int slot) {
    for (const struct project *project = client->projects; project != NULL; project = project->next) {
        for (const struct task *task = project->tasks; task != NULL; task = task->next) {
            if (task->slot == slot) {
                return true;
            }
        }
    }
    return false;
}

static bool put(const struct project *project, const struct file_reference *reference, int slot, struct fault *fault) {
    struct text from = {0}, to = {0}, link = {0};
    path_of_file(project, reference->file, "", &from);
    path_of_slot(slot, reference->open_name, &to);
    text_printf(&link, "../../%s", from.bytes);
    const bool is_put = access(to.bytes, F_OK) == 0 ||
                        (reference->is_copied ? file_copy(from.bytes, to.bytes, reference->file->executable)
                                              : symlink(link.bytes, to.bytes) == 0);
    if (!is_put) {
        fault_set(fault, "cannot put %s into its slot: %s", reference->open_name, strerror(errno));
    }
    text_free(&from);
    text_free(&to);
    text_free(&link);
    return is_put;
}

bool slot_prepare(const struct client *client, const struct project *project, struct task *task, struct fault *fault) {
    struct text path = {0};
    bool prepared = true;
    int slot = 0;
    /*
     * A slot that its last task has left stays there until the state that says so was saved. If it were used before,
     * and we were killed, that task would find the files of this one.
     */
    while (task->slot < 0 && prepared) {
        path_of_slot(slot, "", &path);
        if (!slot_is_taken(client, slot) && mkdir(path.bytes, 0755) == 0) {
            task->slot = slot;
        } else if (errno == EEXIST || slot_is_taken(client, slot)) {
            slot++;
        } else {
            prepared = fault_set(fault, "cannot make its slot %s: %s", path.bytes, strerror(errno));
        }
    }
    const struct file_reference *lists[] = {task->version->files, task->unit->files};
    for (int i = 0; i < 2; i++) {
        for (const struct file_reference *reference = lists[i]; reference != NULL && prepared;
             reference = reference->next) {
            prepared = put(project, reference, task->slot, fault);
        }
    }
    text_free(&path);
    return prepared;
}

bool slot_is_finished(const struct task *task, int *exit_status) {
    struct text path = {0}, text = {0};
    path_of_slot(task->slot, "boinc_finish_called", &path);
    const bool is_finished = task->slot >= 0 && access(path.bytes, F_OK) == 0;
    if (is_finished) {
        file_read(path.bytes, 32, false, &text);
        *exit_status = text.bytes == NULL ? 0 : atoi(text.bytes);
    }
    text_free(&path);
    text_free(&text);
    return is_finished;
}

bool slot_look(struct task *task) {
    struct text path = {0}, text = {0};
    struct stat status;
    path_of_slot(task->slot, "fraction_done", &path);
    file_read(path.bytes, 64, false, &text);
    if (text.bytes != NULL) {
        const double fraction = strtod(text.bytes, NULL);
        if (fraction >= 0 && fraction <= 1) { /* which NaN is not */
            task->progress.fraction = fraction;
        }
    }
    path_of_slot(task->slot, "checkpoint", &path);
    const bool is_new = stat(path.bytes, &status) == 0 && (status.st_mtim.tv_sec != task->checkpoint.tv_sec ||
                                                           status.st_mtim.tv_nsec != task->checkpoint.tv_nsec);
    if (is_new) {
        task->checkpoint = status.st_mtim;
        task->saved = task->progress;
    }
    text_free(&path);
    text_free(&text);
    return is_new;
}

static int collect(const struct project *project, const struct file_reference *output, int slot, struct fault *fault) {
    struct file *file = output->file;
    struct text from = {0}, to = {0};
    int error = 0;
    path_of_slot(slot, output->open_name, &from);
    path_of_file(project, file, "", &to);
    if (rename(from.bytes, to.bytes) != 0 && errno != ENOENT) {
        error = ERROR_NOT_FOUND;
    }
    /* If we were killed after moving it, it is where it should be. */
    if (error != 0 || !file_is_there(to.bytes, &file->bytes) || !md5_of_file(to.bytes, file->md5) ||
        !file_keep(to.bytes, project->folder)) {
        error = ERROR_NOT_FOUND;
        fault_set(fault, "it has not written its output %s", output->open_name);
    } else if (file->most_bytes > 0 && file->bytes > file->most_bytes) {
        error = ERROR_TOO_LARGE;
        fault_set(fault, "its output %s has %.0f bytes, %.0f more than it may", output->open_name, file->bytes,
                  file->bytes - file->most_bytes);
    }
    file->state = error == 0 ? FILE_TO_UPLOAD : FILE_FAILED;
    file->error = error;
    text_free(&from);
    text_free(&to);
    return error;
}

int slot_collect(const struct project *project, struct task *task, struct fault *fault) {
    int error = 0;
    for (const struct file_reference *output = task->outputs; output != NULL && error == 0; output = output->next) {
        error = collect(project, output, task->slot, fault);
    }
    return error;
}
