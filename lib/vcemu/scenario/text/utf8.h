/*
 * UTF-8 text as a terminal shows it: how many columns it takes, and how to make it shorter.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_TEXT_UTF8_H
#define VCS_EMU_SCENARIO_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Decodes the character at `text`, which ends with a NUL. Returns its length in bytes and sets *code, or 0 at the
 * end and where the bytes are not UTF-8 (overlong forms and surrogates are not).
 */
size_t vcs_scn_utf8_decode(const char *text, uint32_t *code);

/* How many columns `text` takes: 2 for a wide character, 0 for a combining one. Bytes that are not UTF-8 take 1. */
size_t vcs_scn_utf8_columns(const char *text);

/*
 * Copies `text` to `out`, shortened in the middle to at most `columns` columns, with `ellipsis` in the gap. `size` is
 * the size of the buffer in bytes, with the NUL; no character is cut in two.
 */
void vcs_scn_utf8_shorten(const char *text, size_t columns, const char *ellipsis, char *out, size_t size);

/* The same for names that differ near their end, as those of tasks do: twice as much of it is kept. */
void vcs_scn_utf8_shorten_name(const char *text, size_t columns, const char *ellipsis, char *out, size_t size);

/*
 * Writes `text` between the quotes of a JSON string. In a page "<" becomes a number, since "</script>" and "<!--" mean
 * something to HTML even within a string.
 */
void vcs_scn_utf8_write_json(FILE *out, const char *text, bool in_page);

#endif
