/*
 * The processes of tasks: started, stopped, continued, ended; and what comes of them.
 *
 * Each process leads a group of its own, so that what it starts ends with it; it ends with the client, however that
 * ends. It does not see the client's files, and yields to other programs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_TASK_H
#define GRID_CLIENT_TASK_H

#include "client.h"

/* Makes a task run: starts its process, or continues it. A task that cannot be started fails. */
void task_run(struct client *client, struct project *project, struct task *task);

/* Stops a task that runs: in memory, or by ending its process, which later goes on from its checkpoint. */
void task_stop(struct client *client, struct task *task);

/* Ends a task for good, whatever it is doing: EXIT_ABORTED_* and its like. */
void task_abort(struct client *client, struct project *project, struct task *task, int status);

/* Counts `seconds` of work for every running task. */
void tasks_account(struct client *client, double seconds);

/* Notes ended processes, the progress of the others, and tasks that now have their input files. */
void tasks_look(struct client *client);

/* Ends all processes and waits for them, for a few seconds with patience. */
void tasks_end_all(struct client *client);

#endif
