/* Shared libraries, as POSIX loads them. SPDX-License-Identifier: MIT */
#ifndef VCS_WINDOWS_DLFCN_H
#define VCS_WINDOWS_DLFCN_H

#define RTLD_NOW 0
#define RTLD_LOCAL 0

void *dlopen(const char *path, int flags);
void *dlsym(void *library, const char *name);
int dlclose(void *library);
const char *dlerror(void);

#endif
