/*
 * SPDX-License-Identifier: MIT
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "log.h"

#define LONGEST_NAME 200 /* with .part still shorter than what file systems allow */

bool name_is_plain(const char *name) {
    const size_t length = strlen(name);
    for (const char *c = name; *c != '\0'; c++) {
        if (!isgraph((unsigned char)*c) || *c == '/' || *c == '\\') {
            return false;
        }
    }
    return length > 0 && length <= LONGEST_NAME && name[0] != '.';
}

bool folder_make(const char *path) {
    return mkdir(path, 0755) == 0 || errno == EEXIST;
}

static bool is_dots(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* A program may have made folders in its slot, deep ones too: no path is built, and nobody needs more than `depth`. */
static void empty(int folder, int depth) {
    DIR *stream = fdopendir(folder);
    if (stream == NULL) {
        close(folder);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        if (is_dots(entry->d_name) || unlinkat(folder, entry->d_name, 0) == 0 || depth == 0) {
            continue;
        }
        const int inner = openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner >= 0) {
            empty(inner, depth - 1);
            unlinkat(folder, entry->d_name, AT_REMOVEDIR);
        }
    }
    closedir(stream);
}

void folder_remove(const char *path) {
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0) {
        empty(folder, 64);
        rmdir(path);
    }
}

bool file_is_there(const char *path, double *bytes) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        return false;
    }
    *bytes = (double)status.st_size;
    return true;
}

bool file_copy(const char *from, const char *to, bool executable) {
    char bytes[1 << 16];
    const int in = open(from, O_RDONLY | O_CLOEXEC);
    const int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, executable ? 0755 : 0644);
    bool copied = out >= 0;
    for (ssize_t count; copied && (count = read(in, bytes, sizeof bytes)) != 0;) {
        copied = count > 0 && write(out, bytes, (size_t)count) == count;
    }
    if (in >= 0) {
        close(in);
    }
    return out >= 0 ? (close(out) == 0) && copied : copied;
}

static bool sync_path(const char *path, int flags) {
    const int descriptor = open(path, flags | O_CLOEXEC);
    const bool synced = descriptor >= 0 && fsync(descriptor) == 0;
    if (descriptor >= 0) {
        close(descriptor);
    }
    return synced;
}

bool file_keep(const char *path, const char *folder) {
    return sync_path(path, O_RDONLY) && sync_path(folder, O_RDONLY | O_DIRECTORY);
}

bool file_write_safely(const char *path, const char *bytes, size_t length, struct fault *fault) {
    struct text temporary = {0};
    text_printf(&temporary, "%s.new", path);
    const int descriptor = open(temporary.bytes, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool written = descriptor >= 0;
    for (size_t done = 0; written && done < length;) {
        const ssize_t count = write(descriptor, bytes + done, length - done);
        written = count > 0;
        done += written ? (size_t)count : 0;
    }
    written = written && fsync(descriptor) == 0;
    if (descriptor >= 0) {
        written = close(descriptor) == 0 && written;
    }
    fault_point("state-written");
    written = written && rename(temporary.bytes, path) == 0 && sync_path(".", O_RDONLY | O_DIRECTORY);
    if (!written) {
        fault_set(fault, "cannot write %s: %s", path, strerror(errno));
    }
    text_free(&temporary);
    return written;
}

void file_read(const char *path, size_t most, bool the_end, struct text *text) {
    char bytes[1 << 12];
    FILE *file = fopen(path, "rbe");
    if (file == NULL) {
        return;
    }
    if (the_end && fseek(file, -(long)most, SEEK_END) != 0) {
        rewind(file); /* it is shorter than that */
    }
    for (size_t count; most > 0 && (count = fread(bytes, 1, most < sizeof bytes ? most : sizeof bytes, file)) > 0;) {
        text_add(text, bytes, count);
        most -= count;
    }
    fclose(file);
}

void path_of_file(const struct project *project, const struct file *file, const char *ending, struct text *path) {
    path->length = 0;
    text_printf(path, "%s/%s%s", project->folder, file->name, ending);
}

void path_of_slot(int slot, const char *name, struct text *path) {
    path->length = 0;
    text_printf(path, "slots/%d%s%s", slot, name[0] != '\0' ? "/" : "", name);
}

/* The name of a file that a record refers to, or of its part. */
static bool is_known_file(const struct project *project, const char *name) {
    for (const struct file *file = project->files; file != NULL; file = file->next) {
        const size_t length = strlen(file->name);
        if (strncmp(name, file->name, length) == 0 &&
            (name[length] == '\0' || (file->state == FILE_WANTED && strcmp(name + length, ".part") == 0))) {
            return true;
        }
    }
    return false;
}

static void sweep_project(struct project *project) {
    DIR *folder = opendir(project->folder);
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        if (!is_dots(entry->d_name) && !is_known_file(project, entry->d_name)) {
            unlinkat(dirfd(folder), entry->d_name, 0);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    project->has_rubbish = false;
}

static bool has_owner(const struct client *client, const char *slot) {
    for (const struct project *project = client->projects; project != NULL; project = project->next) {
        for (const struct task *task = project->tasks; task != NULL; task = task->next) {
            char name[32];
            snprintf(name, sizeof name, "%d", task->slot);
            if (task->slot >= 0 && strcmp(slot, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool has_project(const struct client *client, const char *folder) {
    const struct project *project = client->projects;
    while (project != NULL && strcmp(project->folder + strlen("projects/"), folder) != 0) {
        project = project->next;
    }
    return project != NULL;
}

static void sweep(const struct client *client, const char *path,
                  bool (*is_needed)(const struct client *client, const char *name)) {
    struct text inner = {0};
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        if (!is_dots(entry->d_name) && !is_needed(client, entry->d_name)) {
            inner.length = 0;
            text_printf(&inner, "%s/%s", path, entry->d_name);
            folder_remove(inner.bytes);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    text_free(&inner);
}

void folders_sweep(struct client *client) {
    for (struct project *project = client->projects; project != NULL; project = project->next) {
        if (project->has_rubbish) {
            sweep_project(project);
        }
    }
    if (client->has_rubbish) {
        sweep(client, "slots", has_owner);
        sweep(client, "projects", has_project);
        client->has_rubbish = false;
    }
}
