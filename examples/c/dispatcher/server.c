/*
 * Connections to workers: lines in, lines out. What a worker is told is in the journal first.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE

#include "server.h"
#include "journal.h"
#include "status.h"
#include "words.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST_LINE = 65536 };

/* A worker, and what was not yet read from it or written to it. */
typedef struct connection {
    int peer;
    double heard;
    char key[LONGEST_KEY + 1]; /* empty until it has said hello */
    uint64_t *known;           /* its jobs that it knows of, by id */
    uint32_t known_count;
    text input, output;
    bool ends; /* when all is written */
} connection;

/* What it listens to, and who is there. */
static struct {
    int listener;
    connection **connections; /* the oldest first */
    uint32_t count;
    double start;     /* what to add to the system's clock */
    char *known_keys; /* NULL = all */
} server;

static const server_settings *settings;

static volatile sig_atomic_t is_stopped;

static void on_signal(int number) {
    (void)number;
    is_stopped = 1;
}

static double clock_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds for which the dispatcher has run, in all. The clock stands while it is down: nobody is late then. */
static double present(void) {
    char decimals[64]; /* as it stands in the journal */
    snprintf(decimals, sizeof decimals, "%.6f", server.start + clock_seconds());
    return strtod(decimals, NULL);
}

static void mark_talking(const char *key, bool talks) {
    const uint32_t client = key[0] != '\0' ? find_client(key) : VCS_NONE;
    if (client != VCS_NONE) {
        d.clients[client].flags &= ~VCS_CLIENT_TALKING;
        d.clients[client].flags |= talks ? VCS_CLIENT_TALKING : 0;
    }
}

static void close_connection(uint32_t place) {
    connection *c = server.connections[place];
    bool is_replaced = false; /* by a later connection with its key */
    for (uint32_t i = place + 1; i < server.count; i++) {
        is_replaced = is_replaced || strcmp(server.connections[i]->key, c->key) == 0;
    }
    if (!is_replaced) {
        mark_talking(c->key, false);
    }
    close(c->peer);
    free(c->known);
    free(c->input.at);
    free(c->output.at);
    free(c);
    memmove(server.connections + place, server.connections + place + 1,
            (--server.count - place) * sizeof *server.connections);
}

/* The oldest that has not said hello makes room for another one. */
static bool make_room(void) {
    for (uint32_t i = 0; server.count >= settings->most_connections && i < server.count; i++) {
        if (server.connections[i]->key[0] == '\0') {
            close_connection(i);
        }
    }
    return server.count < settings->most_connections;
}

static void admit(void) {
    const int peer = accept4(server.listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (peer < 0) {
        return; /* it has gone, or there are too many open files */
    }
    connection *c = make_room() ? calloc(1, sizeof *c) : NULL;
    if (c == NULL) {
        close(peer);
        return;
    }
    c->peer = peer;
    c->heard = present();
    APPEND(server.connections, server.count, c);
}

static void reply(connection *c, const char *words) {
    print(&c->output, "%s\n", words);
}

/* A bad message costs its sender the connection, and nobody anything else. */
static void refuse(connection *c, const char *why) {
    print(&c->output, "refused %s\n", why);
    c->ends = true;
}

static bool is_known_key(const char *key) {
    const size_t length = strlen(key);
    const char *at = server.known_keys;
    while (at != NULL && (at = strstr(at, key)) != NULL) {
        const bool begins = at == server.known_keys || at[-1] == '\n';
        if (begins && (at[length] == '\n' || at[length] == '\0')) {
            return true;
        }
        at += length;
    }
    return server.known_keys == NULL;
}

/* A key is a client's name and its password. Its latest connection counts. */
static void welcome(connection *c, const char *key) {
    if (!is_known_key(key)) {
        refuse(c, "unknown");
        return;
    }
    for (uint32_t i = 0; i < server.count; i++) {
        server.connections[i]->ends = server.connections[i]->ends || strcmp(server.connections[i]->key, key) == 0;
    }
    strcpy(c->key, key);
    mark_talking(key, true);
    reply(c, "welcome");
}

static bool knows(const connection *c, uint64_t id) {
    uint32_t i = 0;
    while (i < c->known_count && c->known[i] != id) {
        i++;
    }
    return i < c->known_count;
}

static void forget(connection *c, uint64_t id) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->known_count; i++) {
        if (c->known[i] != id) {
            c->known[kept++] = c->known[i];
        }
    }
    c->known_count = kept;
}

/* Of the jobs that a client has and does not know of, the first: it was started again, or the connection broke. */
static uint32_t forgotten_job(connection *c, uint32_t client) {
    uint32_t found = VCS_NONE, kept = 0;
    for (uint32_t i = 0; i < c->known_count; i++) { /* without those that are over */
        const uint32_t job = find_job(c->known[i]);
        if (job != VCS_NONE && is_held(d.jobs[job].state) && d.jobs[job].client == client) {
            c->known[kept++] = c->known[i];
        }
    }
    c->known_count = kept;
    for (uint32_t i = 0; i < d.job_count; i++) {
        if (is_held(d.jobs[i].state) && d.jobs[i].client == client && !knows(c, d.jobs[i].id) &&
            (found == VCS_NONE || d.jobs[i].id < d.jobs[found].id)) {
            found = i;
        }
    }
    return found;
}

static void reply_job(connection *c, uint32_t job) {
    print(&c->output, "job %llu ", (unsigned long long)d.jobs[job].id);
    print_task(&c->output, d.tasks[job].portion, d.tasks[job].asked);
    print(&c->output, "\n");
    APPEND(c->known, c->known_count, d.jobs[job].id);
}

/* What a client gets that asks for work. */
static void reply_next(connection *c, double now) {
    uint32_t client = find_client(c->key);
    if (is_complete()) {
        reply(c, "done");
        return;
    }
    if (client == VCS_NONE && d.client_count >= settings->most_clients) {
        refuse(c, "full");
        return;
    }
    client = client == VCS_NONE ? join(c->key, now) : client;
    mark_talking(c->key, true);
    live(client, now);
    if ((d.clients[client].flags & VCS_BLACKLISTED) != 0) {
        refuse(c, "blacklisted");
        return;
    }
    const uint32_t forgotten = forgotten_job(c, client);
    if (forgotten != VCS_NONE) {
        reply_job(c, forgotten);
        return;
    }
    const vcs_dispatch_decision decision = choose(client, now);
    if (decision.job != VCS_NONE) {
        reply_job(c, send_job(client, decision.job, now));
        return;
    }
    print(&c->output, "wait %.3f %s\n", fmin(fmax(decision.next_check, 0.05), 1.0), vcs_reason_name(decision.reason));
}

/* `answer 5 1.0 77 78`, from behind "answer ". */
static void reply_answer(connection *c, const char *at, double now) {
    uint64_t given[MOST_VALUES + 1], id;
    uint32_t count;
    double seconds;
    if (!read_number(&at, 15, &id) || !skip(&at, " ") || !read_seconds(&at, 9, &seconds) ||
        !read_values(&at, given, &count)) {
        refuse(c, "malformed");
        return;
    }
    const uint32_t client = find_client(c->key);
    forget(c, id);
    if (client == VCS_NONE) {
        reply(c, "late");
        return;
    }
    if ((d.clients[client].flags & VCS_BLACKLISTED) != 0) {
        refuse(c, "blacklisted");
        return;
    }
    const uint32_t place = find_missed(client, id), job = find_job(id);
    if (place < d.members[client].missed_count) {
        miss(client, place, seconds, now);
    }
    if (job == VCS_NONE || !is_held(d.jobs[job].state) || d.jobs[job].client != client) {
        reply(c, "late"); /* or never its job */
    } else if (d.tasks[job].portion->values.count != count) {
        refuse(c, "malformed");
    } else {
        take(client, job, seconds, (values){given, count}, now);
        reply(c, "thanks");
    }
}

/* One message, one line in return. */
static void handle(connection *c, const char *line, double now) {
    const char *at = line;
    c->heard = now;
    if (skip(&at, "hello ")) {
        if (c->key[0] == '\0' && is_key(at)) {
            welcome(c, at);
        } else {
            refuse(c, "malformed");
        }
    } else if (c->key[0] == '\0') {
        refuse(c, "malformed");
    } else if (strcmp(line, "next") == 0) {
        reply_next(c, now);
    } else if (strcmp(line, "alive") == 0) {
        const uint32_t client = find_client(c->key);
        if (client != VCS_NONE) {
            live(client, now);
        }
        reply(c, "thanks");
    } else if (skip(&at, "answer ")) {
        reply_answer(c, at, now);
    } else {
        refuse(c, "malformed");
    }
}

static void read_from(connection *c) {
    char part[4096];
    const ssize_t length = recv(c->peer, part, sizeof part, 0);
    if (length <= 0) {
        c->ends = length == 0 || (errno != EAGAIN && errno != EINTR);
        return;
    }
    append(&c->input, part, (size_t)length);
    size_t begin = 0;
    for (char *end; !c->ends && (end = memchr(c->input.at + begin, '\n', c->input.length - begin)) != NULL;
         begin = (size_t)(end + 1 - c->input.at)) {
        *end = '\0';
        if (memchr(c->input.at + begin, '\0', (size_t)(end - c->input.at) - begin) != NULL) {
            refuse(c, "malformed");
        } else {
            handle(c, c->input.at + begin, present());
        }
    }
    c->input.length -= begin;
    memmove(c->input.at, c->input.at + begin, c->input.length);
    c->ends = c->ends || c->input.length > LONGEST_LINE;
}

/* Writes what can be written, and closes what is over. */
static void write_to_all(double now) {
    for (uint32_t i = server.count; i-- > 0;) {
        connection *c = server.connections[i];
        if (c->output.length > 0) {
            const ssize_t sent = send(c->peer, c->output.at, c->output.length, MSG_NOSIGNAL);
            c->ends = c->ends || (sent < 0 && errno != EAGAIN && errno != EINTR);
            c->output.length -= sent > 0 ? (size_t)sent : 0;
            memmove(c->output.at, c->output.at + (sent > 0 ? sent : 0), c->output.length);
        }
        const bool is_silent = now - c->heard > (c->key[0] != '\0' ? 60 : 5);
        if (c->ends || is_silent || c->output.length > 2 * LONGEST_LINE) { /* or it asks and does not read */
            close_connection(i);
        }
    }
}

static void listen_at(const char *address) {
    char host[256];
    const char *colon = strrchr(address, ':');
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *found = NULL;
    snprintf(host, sizeof host, "%.*s", (int)(colon - address), address);
    const int code = getaddrinfo(host[0] != '\0' ? host : NULL, colon + 1, &hints, &found);
    if (code != 0) {
        stop(SYSTEM, "%s: %s", address, gai_strerror(code));
    }
    const int yes = 1;
    server.listener = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (server.listener < 0 || setsockopt(server.listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(server.listener, found->ai_addr, found->ai_addrlen) != 0 || listen(server.listener, 128) != 0) {
        stop(SYSTEM, "%s: %s", address, strerror(errno));
    }
    struct sockaddr_storage name;
    socklen_t size = sizeof name;
    char port[16];
    getsockname(server.listener, (struct sockaddr *)&name, &size);
    getnameinfo((struct sockaddr *)&name, size, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
    printf("listening on %s:%s\n", host, port);
    fflush(stdout);
    freeaddrinfo(found);
}

/* Waits for messages, and reads them. */
static void listen_once(void) {
    struct pollfd *wanted = calloc((size_t)server.count + 1, sizeof *wanted);
    if (wanted == NULL) {
        stop(SYSTEM, "out of memory");
    }
    const uint32_t count = server.count;
    for (uint32_t i = 0; i < count; i++) {
        wanted[i] = (struct pollfd){.fd = server.connections[i]->peer, .events = POLLIN};
    }
    wanted[count] = (struct pollfd){.fd = server.listener, .events = POLLIN};
    if (poll(wanted, count + 1, 200) > 0) {
        for (uint32_t i = 0; i < count; i++) {
            if (wanted[i].revents != 0 && !server.connections[i]->ends) {
                read_from(server.connections[i]);
            }
        }
        if (wanted[count].revents != 0) {
            admit();
        }
    }
    free(wanted);
}

static void renew_status(const char *path, const char *part) {
    vcs_pool_client *rows = survey(present());
    commit();
    text t = status_of(present(), rows);
    write_whole(path, part, &t);
    free(rows);
    free(t.at);
}

static void read_keys(void) {
    const int file = open(settings->keys, O_RDONLY | O_CLOEXEC);
    text t = {0};
    char part[4096];
    ssize_t length = -1;
    append(&t, "", 0);
    while (file >= 0 && (length = read(file, part, sizeof part)) > 0) {
        append(&t, part, (size_t)length);
    }
    if (length < 0) {
        stop(SYSTEM, "%s: %s", settings->keys, strerror(errno));
    }
    close(file);
    server.known_keys = t.at;
}

static void catch_signals(void) {
    const struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
}

int serve(const server_settings *of, double start) {
    settings = of;
    server.start = start - clock_seconds();
    if (settings->keys != NULL) {
        read_keys();
    }
    catch_signals();
    listen_at(settings->listen);
    char *path = path_of(settings->folder, "status.json"), *part = path_of(settings->folder, "status.json.part");
    double status_due = 0, ends = INFINITY;
    commit();
    while (!is_stopped && (ends == (double)INFINITY || (server.count > 0 && present() < ends))) {
        if (present() >= status_due) {
            renew_status(path, part);
            status_due = present() + settings->status_every;
        }
        listen_once();
        commit();
        write_to_all(present());
        if (ends == (double)INFINITY && is_complete()) {
            ends = present() + 5; /* for workers to hear of it */
        }
    }
    renew_status(path, part);
    free(path);
    free(part);
    while (server.count > 0) {
        close_connection(server.count - 1);
    }
    return is_complete() ? COMPLETE : STOPPED;
}
