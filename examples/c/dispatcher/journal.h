/*
 * The journal, the answers, and other files.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef DISPATCHER_JOURNAL_H
#define DISPATCHER_JOURNAL_H

#include "records.h"

char *path_of(const char *folder, const char *name);

/* A reader finds the old file or the new one, never a part. */
void write_whole(const char *path, const char *part, const text *t);

/* Reads the journal, or begins it. Returns the time of its last event. */
double open_journal(const char *heading);

/* What the application was told: it is told each portion once. */
void open_answers(const char *path);

/* First the journal, then the application; the workers are told after that. */
void commit(void);

#endif
