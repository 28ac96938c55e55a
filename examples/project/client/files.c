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

#include "files.h"
#include "folder.h"
#include "log.h"
#include "random.h"
#include "signature.h"
#include "xml.h"

/* At once, in one direction, of one project. */
#define MOST_TRANSFERS 4
/* What a server says of an upload is short. */
#define LARGEST_ANSWER 65536.0

/* What a callback has to know; the transfer frees it. */
struct job {
    struct client *client;
    struct project *project;
    struct file *file;
    struct transfers *transfers;
    double offset; /* of an upload: what the server has */
};

static struct job *job_of(struct client *client, struct project *project, struct file *file,
                          struct transfers *transfers) {
    struct job *job = zeroed(sizeof *job);
    *job = (struct job){.client = client, .project = project, .file = file, .transfers = transfers};
    return job;
}

/* Of all transfers in this direction with the server of one of the file's URLs. */
static vcs_transfer_backoff *backoff_of(struct project *project, const struct file *file, uint32_t url) {
    struct data_server *server = data_server_of(project, file->urls[url % file->url_count]);
    return file->is_output ? &server->uploads : &server->downloads;
}

static void fail_for_good(struct job *job, int error, const char *why) {
    job->file->state = FILE_FAILED;
    job->file->error = error;
    job->client->is_changed = true;
    say(job->project->name, "%s of %s is given up (%d): %s", job->file->is_output ? "upload" : "download",
        job->file->name, error, why);
}

/* Something that may be better next time. */
static void fail_for_now(struct job *job, const char *why) {
    struct client *client = job->client;
    struct file *file = job->file;
    vcs_transfer_backoff *together = backoff_of(job->project, file, file->url);
    vcs_backoff_range range;
    double wait = 0, alone = 0;
    if (vcs_backoff_range_init(&range, sizeof range, &client->policy, VCS_BACKOFF_OF_TRANSFER, NULL) == VCS_OK) {
        vcs_transfer_backoff_failed(together, &range, client->now, draw());
        vcs_transfer_backoff_failed(&file->backoff, &range, client->now, draw());
        vcs_transfer_backoff_wait(together, client->now, &wait);
        vcs_transfer_backoff_wait(&file->backoff, client->now, &alone);
    }
    file->url++;
    client->is_changed = true;
    if (file->backoff.failures > 0 && client->now - file->backoff.failing_since >= client->policy.transfer_give_up) {
        fail_for_good(job, ERROR_HTTP, why);
        return;
    }
    say(job->project->name, "%s of %s has failed: %s; failures in a row: %u, next try in %.0f s",
        file->is_output ? "upload" : "download", file->name, why, together->failures, fmax(wait, alone));
}

static void succeed(struct job *job, enum file_state state) {
    *backoff_of(job->project, job->file, job->file->url) = (vcs_transfer_backoff){0};
    job->file->backoff = (vcs_transfer_backoff){0};
    job->file->state = state;
    job->client->is_changed = true;
    say(job->project->name, "%s %s, %.0f bytes", state == FILE_UPLOADED ? "has uploaded" : "has downloaded",
        job->file->name, job->file->bytes);
}

static const char *url_of(const struct file *file) {
    return file->urls[file->url % file->url_count];
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* Down */

/* Looks whether what has arrived is what was announced, and if so puts it in its place. */
static void accept(struct job *job, const char *part) {
    struct file *file = job->file;
    struct text path = {0};
    char digits[MD5_DIGITS + 1];
    double bytes = 0;
    path_of_file(job->project, file, "", &path);
    if (!file_is_there(part, &bytes) || (file->bytes > 0 && bytes < file->bytes)) {
        fail_for_now(job, "it has not arrived completely");
    } else if (!md5_of_file(part, digits) || (file->md5[0] != '\0' && strcmp(digits, file->md5) != 0)) {
        unlink(part);
        fail_for_good(job, ERROR_CHECKSUM, "its checksum is wrong");
    } else if (file->executable && !signature_is_right(digits, file->signature, job->project->code_sign_key)) {
        unlink(part);
        fail_for_good(job, ERROR_SIGNATURE, "it is a program, and is not signed by its project");
    } else if (chmod(part, file->executable ? 0755 : 0644) != 0 || rename(part, path.bytes) != 0 ||
               !file_keep(path.bytes, job->project->folder)) {
        fail_for_now(job, strerror(errno));
    } else {
        file->bytes = bytes;
        succeed(job, FILE_PRESENT);
    }
    fault_point("file-accepted");
    text_free(&path);
}

static void download_ended(void *context, const struct transfer_end *end) {
    struct job *job = context;
    struct text part = {0};
    job->file->transfer = NULL;
    path_of_file(job->project, job->file, ".part", &part);
    if (end->arrived) {
        accept(job, part.bytes);
    } else {
        if (end->cannot_go_on || (end->http_status != 0 && end->http_status / 100 != 2)) {
            unlink(part.bytes); /* next time from the beginning */
        }
        if (end->http_status / 100 == 4 && end->http_status != 416 && job->file->url + 1 >= job->file->url_count) {
            fail_for_good(job, ERROR_HTTP, end->reason);
        } else {
            fail_for_now(job, end->reason);
        }
    }
    text_free(&part);
}

static void begin_download(struct job *job) {
    struct file *file = job->file;
    struct text part = {0};
    double offset = 0;
    path_of_file(job->project, file, ".part", &part);
    if (!folder_make("projects") || !folder_make(job->project->folder)) {
        fail_for_now(job, strerror(errno));
        free(job);
    } else if (file_is_there(part.bytes, &offset) && offset > 0 && offset >= file->bytes) {
        accept(job, part.bytes); /* all of it is here: we were killed before we could look at it */
        free(job);
    } else {
        FILE *into = fopen(part.bytes, "abe");
        if (into == NULL) {
            fail_for_now(job, strerror(errno));
            free(job);
        } else {
            const struct transfer_order order = {
                .url = url_of(file),
                .into = into,
                .offset = offset,
                .most_bytes = file->bytes > 0 ? fmax(file->bytes - offset, 1) : 0,
                .ended = download_ended,
                .context = job,
            };
            file->transfer = transfer_begin(job->transfers, &order);
        }
    }
    text_free(&part);
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* Up: first how much the server has, then the rest */

/* The three lines that name a client in requests to data servers. */
static void put_version(struct text *text) {
    text_printf(text, "<core_client_major_version>7</core_client_major_version>\n"
                      "<core_client_minor_version>20</core_client_minor_version>\n"
                      "<core_client_release>5</core_client_release>\n");
}

/* The status in a server's answer: 0 done, 1 try again, -1 never; and its message. */
static int status_of(const struct transfer_end *end, double *size, struct text *message) {
    struct fault fault;
    struct xml_node *root =
        end->arrived ? xml_parse(end->body->bytes, end->body->length, "the server's answer", &fault) : NULL;
    int status = 1;
    if (root != NULL) {
        status = (int)xml_number(root, "status", -1, 1, 1);
        *size = xml_number(root, "file_size", 0, 1e15, 0);
        text_printf(message, "%s", xml_string(root, "message"));
    }
    if (message->length == 0) {
        text_printf(message, "%s",
                    !end->arrived  ? end->reason
                    : root == NULL ? fault.message
                                   : "the server refuses it");
    }
    xml_free(root);
    return status;
}

static void upload_ended(void *context, const struct transfer_end *end) {
    struct job *job = context;
    struct text message = {0};
    double size;
    job->file->transfer = NULL;
    switch (status_of(end, &size, &message)) {
    case 0:
        fault_point("upload-done");
        succeed(job, FILE_UPLOADED);
        break;
    case -1:
        fail_for_good(job, ERROR_HTTP, message.bytes);
        break;
    default:
        fail_for_now(job, message.bytes);
    }
    text_free(&message);
}

static void send_rest(const struct job *sized) {
    struct job *job = job_of(sized->client, sized->project, sized->file, sized->transfers);
    struct file *file = job->file;
    const double offset = sized->offset;
    struct text path = {0}, *post = zeroed(sizeof *post);
    path_of_file(job->project, file, "", &path);
    FILE *source = fopen(path.bytes, "rbe");
    text_free(&path);
    if (source == NULL || fseek(source, (long)offset, SEEK_SET) != 0) {
        fail_for_good(job, ERROR_NOT_FOUND, strerror(errno));
        if (source != NULL) {
            fclose(source);
        }
        free(post);
        free(job);
        return;
    }
    text_printf(post, "<data_server_request>\n");
    put_version(post);
    text_printf(post, "<file_upload>\n<file_info>%s</file_info>\n", file->ticket);
    xml_put(post, "nbytes", "%.0f", file->bytes);
    xml_put(post, "md5_cksum", "%s", file->md5);
    xml_put(post, "offset", "%.0f", offset);
    text_printf(post, "<data>\n");
    const struct transfer_order order = {
        .url = url_of(file),
        .post = post,
        .post_file = source,
        .post_bytes = file->bytes - offset,
        .most_bytes = LARGEST_ANSWER,
        .ended = upload_ended,
        .context = job,
    };
    file->transfer = transfer_begin(job->transfers, &order);
}

static void size_ended(void *context, const struct transfer_end *end) {
    struct job *job = context;
    struct text message = {0};
    double size = 0;
    job->file->transfer = NULL;
    const int status = status_of(end, &size, &message);
    if (status == 0) {
        /* Sent even if the server has all of it: only the answer to that says that it was taken. */
        job->offset = size <= job->file->bytes ? size : 0;
        send_rest(job);
    } else if (status == -1) {
        fail_for_good(job, ERROR_HTTP, message.bytes);
    } else {
        fail_for_now(job, message.bytes);
    }
    text_free(&message);
}

static void begin_upload(struct job *job) {
    struct text *post = zeroed(sizeof *post);
    text_printf(post, "<data_server_request>\n");
    put_version(post);
    xml_put(post, "get_file_size", "%s", job->file->name);
    text_printf(post, "</data_server_request>\n");
    const struct transfer_order order = {
        .url = url_of(job->file),
        .post = post,
        .most_bytes = LARGEST_ANSWER,
        .ended = size_ended,
        .context = job,
    };
    job->file->transfer = transfer_begin(job->transfers, &order);
}

/* ------------------------------------------------------------------------------------------------------------------ */

static bool has_to_go(const struct file *file) {
    return (file->state == FILE_WANTED || file->state == FILE_TO_UPLOAD) && file->transfer == NULL;
}

/* A file that several servers have goes to the one that may be tried first, the next in order if they are alike. */
static double wait_of(struct client *client, struct project *project, struct file *file) {
    double alone = 0, least = file->url_count > 0 ? INFINITY : 0;
    for (uint32_t i = 0, next = file->url; i < file->url_count; i++) {
        double together = 0;
        vcs_transfer_backoff_wait(backoff_of(project, file, next + i), client->now, &together);
        if (together < least) {
            least = together;
            file->url = next + i;
        }
    }
    vcs_transfer_backoff_wait(&file->backoff, client->now, &alone);
    return fmax(least, alone);
}

static uint32_t count_transfers(const struct project *project, bool up) {
    uint32_t count = 0;
    for (const struct file *file = project->files; file != NULL; file = file->next) {
        count += file->transfer != NULL && file->is_output == up;
    }
    return count;
}

void files_transfer(struct client *client, struct transfers *transfers) {
    for (struct project *project = client->projects; project != NULL; project = project->next) {
        for (struct file *file = project->files; file != NULL; file = file->next) {
            if (!has_to_go(file) || wait_of(client, project, file) > 0 ||
                count_transfers(project, file->is_output) >= MOST_TRANSFERS) {
                continue;
            }
            struct job *job = job_of(client, project, file, transfers);
            if (file->url_count == 0) {
                fail_for_good(job, ERROR_HTTP, "the project has not said where it is");
                free(job);
            } else if (file->is_output) {
                begin_upload(job);
            } else {
                begin_download(job);
            }
        }
    }
}

void file_forget_transfer(struct file *file, struct transfers *transfers) {
    if (file->transfer != NULL) {
        transfer_cancel(transfers, file->transfer);
        file->transfer = NULL;
    }
}

double files_wait(struct client *client) {
    double wait = INFINITY;
    for (struct project *project = client->projects; project != NULL; project = project->next) {
        for (struct file *file = project->files; file != NULL; file = file->next) {
            if (has_to_go(file) && count_transfers(project, file->is_output) < MOST_TRANSFERS) {
                wait = fmin(wait, wait_of(client, project, file));
            }
        }
    }
    return wait;
}
