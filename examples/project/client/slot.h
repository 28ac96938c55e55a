/*
 * A slot: the folder in which a task runs.
 *
 * What a program finds there are its input files under the names by which it opens them, as links or, where the project
 * wants that, as copies. There it writes its outputs, and four small files that tell us how it is getting on:
 *
 *     checkpoint             whatever it needs to go on from where it was; we only look when it was written
 *     fraction_done          a number, 0 ... 1
 *     boinc_finish_called    its exit status; a program that ends without this file is started again
 *     stderr.txt             its standard error output, which is reported
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_SLOT_H
#define GRID_CLIENT_SLOT_H

#include "client.h"

/* Gives a task a slot, if it has none, and puts its files there. */
bool slot_prepare(const struct client *client, const struct project *project, struct task *task, struct fault *fault);

/* Whether the program has said that it is done, and with which exit status. */
bool slot_is_finished(const struct task *task, int *exit_status);

/* Looks how far the task is; true if it has written a checkpoint since the last look. */
bool slot_look(struct task *task);

/*
 * Moves the outputs to the project's folder, ready to be uploaded; 0, or an ERROR_*, which the
 * fault describes. May be called again after it was interrupted.
 */
int slot_collect(const struct project *project, struct task *task, struct fault *fault);

#endif
