/*
 * Files and folders, all below the client's own folder, which is the current one.
 *
 *     state.xml, lock        the state, and who works on it
 *     orders/                what the user has asked a running client to do
 *     projects/N_HOST/       files of project N; NAME.part is still being downloaded
 *     slots/N/               where a task runs
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_FOLDER_H
#define GRID_CLIENT_FOLDER_H

#include "client.h"

/* Whether a name can only be a file's: no path, nothing hidden, printable. */
bool name_is_plain(const char *name);

bool folder_make(const char *path);
/* Removes a folder and its contents, if it exists. Links are removed, not followed. */
void folder_remove(const char *path);
bool file_is_there(const char *path, double *bytes);
bool file_copy(const char *from, const char *to, bool executable);
/* Writes all of it to the disk before the name refers to it: after a crash the file is the old one or the new one. */
bool file_write_safely(const char *path, const char *bytes, size_t length, struct fault *fault);
/* Makes sure that a file, and that it is in its folder, outlasts a power failure. */
bool file_keep(const char *path, const char *folder);
/* The beginning of a file, up to `most` bytes, or its end; empty if there is none. */
void file_read(const char *path, size_t most, bool the_end, struct text *text);

/* PROJECT/NAME, slots/N, slots/N/NAME. */
void path_of_file(const struct project *project, const struct file *file, const char *ending, struct text *path);
void path_of_slot(int slot, const char *name, struct text *path);

/* Removes files without a record. Call it after a save, so that the state file never refers to a removed file. */
void folders_sweep(struct client *client);

#endif
