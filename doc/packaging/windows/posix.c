/*
 * What the sources use of POSIX and the C library of Windows lacks. The headers beside this file go before those of the
 * compiler, so that the sources need not know of Windows.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <langinfo.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <windows.h>

#undef fclose
#undef fflush

/* ---- files ---- */

int fcntl(int descriptor, int command, const struct flock *region) {
    /* Of a byte far behind the end, since what is locked could not be read by others. */
    OVERLAPPED place = {.OffsetHigh = 0x40000000};
    (void)command;
    (void)region;
    if (LockFileEx((HANDLE)_get_osfhandle(descriptor), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
                   &place)) {
        return 0;
    }
    errno = GetLastError() == ERROR_LOCK_VIOLATION ? EACCES : EINVAL;
    return -1;
}

ssize_t getline(char **line, size_t *capacity, FILE *stream) {
    size_t length = 0;
    for (;;) {
        if (length + 2 > *capacity) {
            const size_t more = *capacity < 64 ? 128 : 2 * *capacity;
            char *longer = realloc(*line, more);
            if (longer == NULL) {
                return -1;
            }
            *line = longer;
            *capacity = more;
        }
        const int byte = getc(stream);
        if (byte == EOF) {
            break;
        }
        (*line)[length++] = (char)byte;
        if (byte == '\n') {
            break;
        }
    }
    (*line)[length] = '\0';
    return length == 0 ? -1 : (ssize_t)length;
}

/* The streams that are in memory: files that vanish when they are closed. */
static struct memory_stream {
    FILE *stream;
    char **bytes;
    size_t *length;
    struct memory_stream *next;
} * first_stream;
static SRWLOCK streams_lock = SRWLOCK_INIT;

FILE *open_memstream(char **bytes, size_t *length) {
    char folder[MAX_PATH], name[MAX_PATH];
    struct memory_stream *made = malloc(sizeof *made);
    FILE *stream = NULL;
    if (made != NULL && GetTempPathA(sizeof folder, folder) > 0 && GetTempFileNameA(folder, "vcs", 0, name) != 0) {
        stream = fopen(name, "w+bTD");
    }
    if (stream == NULL) {
        free(made);
        return NULL;
    }
    *bytes = NULL;
    *length = 0;
    AcquireSRWLockExclusive(&streams_lock);
    *made = (struct memory_stream){stream, bytes, length, first_stream};
    first_stream = made;
    ReleaseSRWLockExclusive(&streams_lock);
    return stream;
}

/* Where the list points to the stream; to NULL if it is an ordinary one. */
static struct memory_stream **find(FILE *stream) {
    struct memory_stream **found = &first_stream;
    while (*found != NULL && (*found)->stream != stream) {
        found = &(*found)->next;
    }
    return found;
}

int posix_flush(FILE *stream) {
    if (fflush(stream) != 0) {
        return EOF;
    }
    AcquireSRWLockExclusive(&streams_lock);
    struct memory_stream *found = *find(stream);
    ReleaseSRWLockExclusive(&streams_lock);
    if (found == NULL) {
        return 0;
    }
    const long length = ftell(stream);
    char *bytes = length < 0 ? NULL : realloc(*found->bytes, (size_t)length + 1);
    if (bytes == NULL) {
        return EOF;
    }
    *found->bytes = bytes;
    *found->length = (size_t)length;
    rewind(stream);
    const bool is_whole = fread(bytes, 1, (size_t)length, stream) == (size_t)length;
    bytes[length] = '\0';
    return fseek(stream, length, SEEK_SET) == 0 && is_whole ? 0 : EOF;
}

int posix_close(FILE *stream) {
    AcquireSRWLockExclusive(&streams_lock);
    struct memory_stream **place = find(stream);
    struct memory_stream *found = *place;
    if (found != NULL) {
        *place = found->next;
    }
    ReleaseSRWLockExclusive(&streams_lock);
    free(found);
    return fclose(stream);
}

/* ---- the system ---- */

long sysconf(int name) {
    (void)name;
    return (long)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
}

struct tm *posix_utc(const time_t *seconds, struct tm *parts) {
    return gmtime_s(parts, seconds) == 0 ? parts : NULL;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *before) {
    void (*handler)(int) = signal(number, action == NULL ? SIG_IGN : action->sa_handler);
    if (handler == SIG_ERR) {
        return -1;
    }
    if (before != NULL) {
        *before = (struct sigaction){.sa_handler = handler};
    }
    if (action == NULL) {
        signal(number, handler);
    }
    return 0;
}

int sigemptyset(int *mask) {
    *mask = 0;
    return 0;
}

void *dlopen(const char *path, int flags) {
    (void)flags;
    /* What has a drive or a backslash is no name of a file in this folder. */
    const bool is_windows_path = strncmp(path, "./", 2) == 0 && strpbrk(path, ":\\") != NULL;
    return (void *)LoadLibraryA(path + (is_windows_path ? 2 : 0));
}

void *dlsym(void *library, const char *name) {
    return (void *)(uintptr_t)GetProcAddress(library, name);
}

int dlclose(void *library) {
    return FreeLibrary(library) ? 0 : -1;
}

const char *dlerror(void) {
    static char message[64];
    snprintf(message, sizeof message, "error %lu of Windows", (unsigned long)GetLastError());
    return message;
}

int ioctl(int descriptor, int request, struct winsize *size) {
    CONSOLE_SCREEN_BUFFER_INFO information;
    (void)request;
    if (!GetConsoleScreenBufferInfo((HANDLE)_get_osfhandle(descriptor), &information)) {
        return -1;
    }
    size->ws_row = (unsigned short)(information.srWindow.Bottom - information.srWindow.Top + 1);
    size->ws_col = (unsigned short)(information.srWindow.Right - information.srWindow.Left + 1);
    return 0;
}

/* ---- text ---- */

const char *nl_langinfo(int item) {
    (void)item;
    return GetConsoleOutputCP() == CP_UTF8 ? "UTF-8" : "";
}

int wcwidth(wchar_t character) {
    static const struct {
        wchar_t first, last;
        int columns;
    } ranges[] = {
        {0x0300, 0x036f, 0}, {0x1100, 0x115f, 2}, {0x200b, 0x200f, 0}, {0x2e80, 0xa4cf, 2},
        {0xac00, 0xd7a3, 2}, {0xf900, 0xfaff, 2}, {0xfe30, 0xfe6f, 2}, {0xff00, 0xff60, 2},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (character >= ranges[i].first && character <= ranges[i].last) {
            return ranges[i].columns;
        }
    }
    return 1;
}

/* Files and pipes have the same bytes here as elsewhere. Reading text and writing it must agree, so all of them do. */
__attribute__((constructor)) static void write_bytes_as_they_are(void) {
    _fmode = _O_BINARY;
    for (int descriptor = 0; descriptor < 3; descriptor++) {
        _setmode(descriptor, _O_BINARY);
    }
}
