/* And streams in memory. SPDX-License-Identifier: MIT */
#ifndef VCS_WINDOWS_STDIO_H
#define VCS_WINDOWS_STDIO_H

#include_next <stdio.h>
#include <sys/types.h>

ssize_t getline(char **line, size_t *capacity, FILE *stream);

/* The bytes are there after each fflush(), and end where the last one was written. */
FILE *open_memstream(char **bytes, size_t *length);

int posix_flush(FILE *stream);
int posix_close(FILE *stream);
#define fflush posix_flush
#define fclose posix_close

#endif
