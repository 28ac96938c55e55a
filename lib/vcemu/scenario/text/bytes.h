/*
 * Bytes of text: whole streams, items of lists, arrays that grow, hashes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_TEXT_BYTES_H
#define VCS_EMU_SCENARIO_TEXT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "vcemu/scenario/text/fault.h"

/* Who is told how much of a file has been read: `done` of `total` steps, of an unknown total (0) from a pipe. */
struct read_watcher {
    void (*step)(void *context, uint64_t done, uint64_t total);
    void *context;
};

void vcs_scn_watcher_step(const struct read_watcher *watcher, uint64_t done, uint64_t total);

/*
 * Reads a stream to its end, which is half the steps; `watcher` may be NULL. A NUL follows the `length` bytes. Returns
 * false and describes the fault by the name of the file. Either way, free(*text) is due.
 */
bool vcs_scn_bytes_read(FILE *stream, const char *name, char **text, size_t *length, const struct read_watcher *watcher,
                        struct fault *fault);

/* Copies `length` bytes without the blanks around them, cut to `size` bytes with a NUL. */
void vcs_scn_bytes_trim(const char *text, size_t length, char *item, size_t size);

/* Copies the next item of a list with commas in this way, and moves *text behind it. Returns whether there are more. */
bool vcs_scn_bytes_item(const char **text, char *item, size_t size);

/* Whether a text is the word of `length` bytes, in upper or lower case. */
bool vcs_scn_bytes_are_word(const char *text, const char *word, size_t length);

/* Takes the next word off a list, in place: up to a comma without a \ before it. Removes the \ of such escapes. *list
   is NULL behind the last word. */
char *vcs_scn_bytes_word(char **list);

/*
 * Room for one more element behind `count`: the array `base`, or a larger copy with a larger *capacity. NULL without
 * memory; `base` stays then.
 */
void *vcs_scn_bytes_grow(void *base, size_t *capacity, size_t count, size_t element_size);

/* FNV-1a, from BYTES_HASH on. */
#define BYTES_HASH UINT64_C(0xcbf29ce484222325)
uint64_t vcs_scn_bytes_hash(uint64_t hash, const void *bytes, size_t length);

#endif
