/* And locks. SPDX-License-Identifier: MIT */
#ifndef VCS_WINDOWS_FCNTL_H
#define VCS_WINDOWS_FCNTL_H

#include_next <fcntl.h>

#define O_CLOEXEC (_O_NOINHERIT | _O_BINARY)

#define F_SETLK 6
#define F_WRLCK 1

struct flock {
    short l_type, l_whence;
};

/* Of F_SETLK alone, and of the whole file. */
int fcntl(int descriptor, int command, const struct flock *region);

#endif
