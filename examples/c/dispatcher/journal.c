/*
 * The journal, the answers, and other files.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE

#include "journal.h"
#include "words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* ---- Files ---- */

static int journal_file = -1, answers_file = -1;

static void write_all(int file, const char *data, size_t length, const char *name) {
    while (length > 0) {
        const ssize_t written = write(file, data, length);
        if (written < 0 && errno != EINTR) {
            stop(SYSTEM, "%s: %s", name, strerror(errno));
        }
        data += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
}

/* The whole lines of a file, without one that was cut off by a kill: nobody was told of that. */
static text whole_lines(int file, const char *name) {
    text t = {0};
    char part[65536];
    ssize_t length;
    append(&t, "", 0);
    while ((length = read(file, part, sizeof part)) > 0) {
        append(&t, part, (size_t)length);
    }
    while (t.length > 0 && t.at[t.length - 1] != '\n') {
        t.length--;
    }
    t.at[t.length] = '\0';
    if (length < 0 || ftruncate(file, (off_t)t.length) != 0) {
        stop(SYSTEM, "%s: %s", name, strerror(errno));
    }
    return t;
}

char *path_of(const char *folder, const char *name) {
    text t = {0};
    append(&t, folder, strlen(folder));
    print(&t, "/%s", name);
    return t.at;
}

static int open_file(const char *path) {
    const int file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) {
        stop(SYSTEM, "%s: %s", path, strerror(errno));
    }
    return file;
}

/* A reader finds the old file or the new one, never a part. */
void write_whole(const char *path, const char *part, const text *t) {
    const int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) {
        stop(SYSTEM, "%s: %s", part, strerror(errno));
    }
    write_all(file, t->at, t->length, part);
    if (close(file) != 0 || rename(part, path) != 0) {
        stop(SYSTEM, "%s: %s", path, strerror(errno));
    }
}

/* First the journal, then the application; the workers are told after that. */
void commit(void) {
    if (d.events.length > 0) {
        write_all(journal_file, d.events.at, d.events.length, journal_path);
        if (fdatasync(journal_file) != 0) {
            stop(SYSTEM, "%s: %s", journal_path, strerror(errno));
        }
    }
    write_all(answers_file, d.output.at, d.output.length, "answers");
    d.events.length = d.output.length = 0;
}

/* ---- The journal ---- */

static bool read_client(const char **at, uint32_t *client) {
    uint64_t number;
    const bool is_there = read_number(at, 9, &number) && number < d.client_count;
    *client = (uint32_t)number;
    return is_there;
}

/* `1.0 sent 0 5`, from behind "sent ". */
static bool replay_sent(const char *at, double now) {
    uint32_t client, job;
    uint64_t id;
    if (!read_client(&at, &client) || !skip(&at, " ") || !read_number(&at, 15, &id) || *at != '\0') {
        return false;
    }
    job = find_job(id);
    if (job == VCS_NONE) {
        return false;
    }
    send_job(client, job, now);
    return true;
}

static bool replay_answer(const char *at, double now) {
    uint64_t given[MOST_VALUES + 1], id;
    uint32_t client, count;
    double seconds;
    if (!read_client(&at, &client) || !skip(&at, " ") || !read_number(&at, 15, &id) || !skip(&at, " ") ||
        !read_seconds(&at, 9, &seconds) || !read_values(&at, given, &count)) {
        return false;
    }
    const uint32_t job = find_job(id);
    if (job == VCS_NONE || !is_held(d.jobs[job].state) || d.jobs[job].client != client ||
        d.tasks[job].portion->values.count != count) {
        return false;
    }
    take(client, job, seconds, (values){given, count}, now);
    return true;
}

static bool replay_late(const char *at, double now) {
    uint64_t id;
    uint32_t client;
    double seconds;
    if (!read_client(&at, &client) || !skip(&at, " ") || !read_number(&at, 15, &id) || !skip(&at, " ") ||
        !read_seconds(&at, 9, &seconds) || *at != '\0') {
        return false;
    }
    const uint32_t place = find_missed(client, id);
    if (place == d.members[client].missed_count) {
        return false;
    }
    miss(client, place, seconds, now);
    return true;
}

static bool replay_client(const char *at, double now, void (*event)(uint32_t, double)) {
    uint32_t client;
    if (!read_client(&at, &client) || *at != '\0') {
        return false;
    }
    event(client, now);
    return true;
}

static bool replay_portion(const char *at, double now) {
    uint64_t copies;
    if (!read_number(&at, 4, &copies) || *at != '\0' || copies == 0 || copies > VCS_MAX_COPIES || d.drawn == portions) {
        return false;
    }
    draw((uint32_t)copies, now);
    return true;
}

/* Does again what a line of the journal says. */
static bool replay_line(const char *line, double *now) {
    const char *at = line;
    if (!read_seconds(&at, 12, now) || !skip(&at, " ")) {
        return false;
    }
    if (skip(&at, "client ")) {
        return is_key(at) && find_client(at) == VCS_NONE && (join(at, *now), true);
    }
    return skip(&at, "portion ")  ? replay_portion(at, *now)
           : skip(&at, "sent ")   ? replay_sent(at, *now)
           : skip(&at, "answer ") ? replay_answer(at, *now)
           : skip(&at, "late ")   ? replay_late(at, *now)
           : skip(&at, "alive ")  ? replay_client(at, *now, hear)
           : skip(&at, "dead ")   ? replay_client(at, *now, bury)
                                  : false;
}

/* Reads the journal, or begins it. Returns the time of its last event. */
double open_journal(const char *heading) {
    journal_file = open_file(journal_path);
    if (flock(journal_file, LOCK_EX | LOCK_NB) != 0) {
        stop(JOURNAL, "%s: another dispatcher is using it", journal_path);
    }
    text t = whole_lines(journal_file, journal_path);
    double now = 0;
    if (t.length == 0) {
        print(&d.events, "%s\n", heading);
        commit();
    }
    replayed_line = 1;
    for (char *line = t.at, *end; (end = strchr(line, '\n')) != NULL; line = end + 1, replayed_line++) {
        *end = '\0';
        if (replayed_line == 1 && strcmp(line, heading) != 0) {
            stop(JOURNAL, "%s: begun with other settings\n  then: %s\n  now:  %s", journal_path, line, heading);
        }
        if (replayed_line > 1 && !replay_line(line, &now)) {
            stop_at_line(line);
        }
    }
    replayed_line = 0;
    d.events.length = 0;
    free(t.at);
    return now;
}

/* What the application was told: it is told each portion once. */
void open_answers(const char *path) {
    answers_file = open_file(path);
    const text t = whole_lines(answers_file, path);
    for (size_t i = 0; i < t.length; i++) {
        d.output_from += t.at[i] == '\n';
    }
    free(t.at);
}
