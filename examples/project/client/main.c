/*
 * gridclient: a client of volunteer computing that leaves every decision to libvcsched. It speaks the protocol of the
 * deployed clients, so it can be attached to their projects as well as to examples/project/server.
 *
 *     command_line, orders    what the user wants
 *     run                     the loop
 *     policy, policy_view     the records shown to the library, and what it decides
 *     known_work              what is remembered of the work that each project sends
 *     calls, scheduler_*      the scheduler RPC
 *     files, transfer         downloads and uploads
 *     task, slot              the processes
 *     client.h, records, state_file   the records
 *
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "client.h"
#include "command_line.h"
#include "folder.h"
#include "orders.h"
#include "run.h"
#include "state_file.h"
#include "status.h"

enum exit_status { EXIT_DONE = 0, EXIT_FAULT = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

/*
 * Takes the lock of the folder, which lasts as long as this process. 0 if we have it, the process that has it, or -1
 * for a fault.
 */
static pid_t lock_folder(struct fault *fault) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const int descriptor = open("lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    while (descriptor >= 0) {
        if (fcntl(descriptor, F_SETLK, &lock) == 0) {
            return 0;
        }
        struct flock other = lock;
        if ((errno != EAGAIN && errno != EACCES) || fcntl(descriptor, F_GETLK, &other) != 0) {
            break;
        }
        if (other.l_type != F_UNLCK) { /* else it has just ended */
            return other.l_pid;
        }
    }
    fault_set(fault, "cannot lock the folder: %s", strerror(errno));
    return -1;
}

static bool enter(const char *folder, bool is_made, struct fault *fault) {
    if ((is_made && !folder_make(folder)) || chdir(folder) != 0) {
        return fault_set(fault, "%s: %s", folder, strerror(errno));
    }
    return !is_made || (folder_make("slots") && folder_make("projects") && folder_make("orders")) ||
           fault_set(fault, "%s: %s", folder, strerror(errno));
}

static bool obey(struct client *client, const char *order, struct fault *fault) {
    client->now = (double)time(NULL);
    if (!order_obey(client, NULL, order, fault)) {
        return false;
    }
    records_tidy(client);
    if (!state_file_write(client, fault)) {
        return false;
    }
    folders_sweep(client);
    return true;
}

static enum exit_status work(struct client *client, const struct command_line *line, struct fault *fault) {
    if (!enter(line->folder, line->command != COMMAND_STATUS, fault)) {
        return EXIT_FAULT;
    }
    const pid_t owner = lock_folder(fault);
    if (owner < 0) {
        return EXIT_FAULT;
    }
    if (owner > 0 && line->command == COMMAND_RUN) {
        fault_set(fault, "%s: another client runs there, process %ld", line->folder, (long)owner);
        return EXIT_FAULT;
    }
    if (owner > 0 && line->command == COMMAND_ORDER) {
        return order_leave(line->order, owner, fault) ? EXIT_DONE : EXIT_FAULT;
    }
    if (!state_file_read(client, line->command == COMMAND_STATUS, fault)) {
        return EXIT_FAULT;
    }
    if (line->command == COMMAND_STATUS) {
        status_print(client, owner > 0, (double)time(NULL));
        return EXIT_DONE;
    }
    if (line->command == COMMAND_ORDER) {
        return obey(client, line->order, fault) ? EXIT_DONE : EXIT_FAULT;
    }
    switch (client_run(client, line, fault)) {
    case RUN_DONE:
        return EXIT_DONE;
    case RUN_INTERRUPTED:
        return EXIT_INTERRUPTED;
    default:
        return EXIT_FAULT;
    }
}

int main(int count, char **arguments) {
    struct command_line line;
    struct client client = {0};
    struct fault fault = {.message = ""};
    vcs_error error = {.struct_size = sizeof error};
    if (!command_line_read(&line, count, arguments, &fault)) {
        fprintf(stderr, "gridclient: %s\nTry gridclient --help.\n", fault.message);
        return EXIT_USAGE;
    }
    if (line.command == COMMAND_HELP) {
        command_line_print_help();
        return EXIT_DONE;
    }
    if (line.command == COMMAND_VERSION) {
        printf("gridclient of libvcsched %s\n", vcs_version());
        return EXIT_DONE;
    }
    if (vcs_self_test(&error) != VCS_OK) {
        fprintf(stderr, "gridclient: %s\n", error.message);
        return EXIT_FAULT;
    }
    const int status = (int)work(&client, &line, &fault);
    if (status == EXIT_FAULT) {
        fprintf(stderr, "gridclient: %s\n", fault.message);
    }
    client_free(&client);
    free(line.order);
    return status;
}
