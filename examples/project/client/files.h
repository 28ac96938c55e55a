/*
 * Files on their way: inputs and programs down, outputs up.
 *
 * What arrives goes to NAME.part, is checked, and only then becomes NAME. A program must be signed by its project. A
 * download that was cut off is resumed where it ended, an upload where the server says that it ended. When transfers of
 * a project fail again and again, all of them in that direction wait (rule 3.4); so does each file by itself, until it
 * is given up.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_FILES_H
#define GRID_CLIENT_FILES_H

#include "client.h"
#include "transfer.h"

/* Begins all transfers that may begin now. */
void files_transfer(struct client *client, struct transfers *transfers);

/* How long until one may begin that has to wait, s; infinity if none waits. */
double files_wait(struct client *client);

/* Drops a transfer of a file, if one is under way. */
void file_forget_transfer(struct file *file, struct transfers *transfers);

#endif
