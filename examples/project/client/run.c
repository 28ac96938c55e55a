/*
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"
#include "files.h"
#include "folder.h"
#include "host.h"
#include "log.h"
#include "orders.h"
#include "policy.h"
#include "preferences.h"
#include "random.h"
#include "run.h"
#include "state_file.h"
#include "task.h"

/* How often we look how far the tasks are, and save what they have worked, s. */
#define LOOK_SECONDS 1.0
#define SAVE_SECONDS 30.0
/* Longest sleep, s: then the clock is looked at, in case somebody has set it. */
#define LONGEST_SLEEP 600.0

/* ------------------------------------------------------------------------------------------------------------------ */
/* Signals wake the loop through a pipe */

static int wakes[2] = {-1, -1};
static volatile sig_atomic_t ends, has_orders;

static void on_signal(int number) {
    const int error = errno;
    ends |= number == SIGINT || number == SIGTERM || number == SIGHUP;
    has_orders |= number == SIGUSR1;
    if (write(wakes[1], "", 1) < 0) { /* it is full, so the loop will wake */
        errno = error;
    }
    errno = error;
}

static bool catch_signals(struct fault *fault) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGUSR1};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    if (pipe(wakes) != 0) {
        return fault_set(fault, "cannot make a pipe: %s", strerror(errno));
    }
    for (int i = 0; i < 2; i++) {
        fcntl(wakes[i], F_SETFD, FD_CLOEXEC);
        fcntl(wakes[i], F_SETFL, O_NONBLOCK);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        sigaction(numbers[i], &action, NULL);
    }
    signal(SIGPIPE, SIG_IGN);
    return true;
}

static void empty_pipe(void) {
    char bytes[64];
    while (read(wakes[0], bytes, sizeof bytes) > 0) {
    }
}

/* ------------------------------------------------------------------------------------------------------------------ */

static double seconds_of(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Looks at the clocks; what passed since the last look counts for the tasks that ran, and for us. */
static void look_at_clocks(struct client *client) {
    const double steady = seconds_of(CLOCK_MONOTONIC), passed = steady - client->steady;
    client->now = seconds_of(CLOCK_REALTIME);
    client->steady = steady;
    client->last_seen = client->now;
    tasks_account(client, passed);
    vcs_usable_update(&client->on, passed, passed);
}

static void start_clocks(struct client *client) {
    client->now = seconds_of(CLOCK_REALTIME);
    client->steady = seconds_of(CLOCK_MONOTONIC);
    if (client->last_seen > 0 && client->now > client->last_seen) { /* for so long we were off */
        const double off = fmin(client->now - client->last_seen, 1e12);
        vcs_usable_update(&client->on, off, 0);
        vcs_spells_add(&client->spells, 0, off);
        if (client->since > 0 && client->last_seen >= client->since) {
            vcs_spells_add(&client->spells, 1, fmin(client->last_seen - client->since, 1e12));
        }
    }
    client->since = client->now;
}

static bool prepare(struct client *client, const struct command_line *line, struct fault *fault) {
    char key[33];
    if (!catch_signals(fault) || !preferences_apply(client, line, fault)) {
        return false;
    }
    if (client->host_key[0] == '\0') {
        draw_key(key);
        replace(&client->host_key, key);
    }
    if (line->flops > 0) {
        client->flops = line->flops;
    } else if (client->flops == 0) {
        client->flops = host_measure_flops();
    }
    start_clocks(client);
    client->is_changed = client->looks_again = client->has_rubbish = true;
    folders_sweep(client); /* what was left over when we were killed */
    say(NULL, "runs with %u CPUs of %.3g operations a second; buffer %.0f s and %.0f s more", client->cpus,
        client->flops, client->policy.min_buffer, client->policy.additional_buffer);
    return true;
}

/* Nothing to compute, to move or to tell, and nobody had work the last time. */
static bool is_idle(const struct client *client) {
    for (const struct project *project = client->projects; project != NULL; project = project->next) {
        if (project->tasks != NULL || project->is_called || !(project->has_sent_none || project->is_suspended)) {
            return false;
        }
    }
    return true;
}

static bool something_runs(const struct client *client) {
    for (const struct project *project = client->projects; project != NULL; project = project->next) {
        for (const struct task *task = project->tasks; task != NULL; task = task->next) {
            if (task->process != PROCESS_NONE) {
                return true;
            }
        }
    }
    return false;
}

static bool something_goes(const struct client *client) {
    for (const struct project *project = client->projects; project != NULL; project = project->next) {
        if (project->is_detached) {
            return true;
        }
    }
    return false;
}

/* A file that only its transfer needed goes with it. */
static void end_transfers(struct client *client, struct transfers *transfers) {
    for (struct project *project = client->projects; project != NULL; project = project->next) {
        for (struct file *file = project->files; file != NULL; file = file->next) {
            file_forget_transfer(file, transfers);
        }
    }
    transfers_free(transfers);
    records_tidy(client);
}

/* After it, others may see what was decided: nothing was sent yet. */
static void save(struct client *client) {
    struct fault fault;
    if (!state_file_write(client, &fault)) {
        say(NULL, "%s", fault.message); /* a full disk, perhaps: tried again with the next change */
        return;
    }
    folders_sweep(client);
}

enum run_end client_run(struct client *client, const struct command_line *line, struct fault *fault) {
    if (!prepare(client, line, fault)) {
        return RUN_FAILED;
    }
    struct calls calls = {.client = client, .transfers = transfers_new(), .line = line};
    struct plan plan = {0};
    double look_at = 0, saved_at = 0; /* of the steady clock */
    has_orders = 1;                   /* some may have been left while nobody was here */
    while (!ends) {
        look_at_clocks(client);
        if (has_orders) {
            has_orders = 0;
            orders_obey(client, calls.transfers);
        }
        tasks_look(client);
        if (something_goes(client)) {
            records_tidy(client);
        }
        if (line->until_idle && is_idle(client)) {
            say(NULL, "has nothing left to do");
            break;
        }
        if (client->looks_again || client->steady >= look_at) {
            client->looks_again = false;
            policy_decide(client, &plan);
            look_at = client->steady + plan.next_look;
            client->is_changed = true;
        }
        calls_begin(&calls, &plan);
        plan.call = NULL;
        files_transfer(client, calls.transfers);
        if (client->is_changed || client->steady - saved_at > SAVE_SECONDS) {
            save(client);
            saved_at = client->steady;
        }
        double sleep = fmin(look_at - client->steady, fmin(files_wait(client), calls_wait(&calls)));
        sleep = fmin(sleep, something_runs(client) ? LOOK_SECONDS : LONGEST_SLEEP);
        transfers_wait(calls.transfers, client->looks_again ? 0 : sleep, wakes[0]);
        empty_pipe();
    }
    tasks_end_all(client);
    end_transfers(client, calls.transfers);
    save(client);
    say(NULL, "ends");
    return ends ? RUN_INTERRUPTED : RUN_DONE;
}
