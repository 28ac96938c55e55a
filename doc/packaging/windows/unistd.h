/* And the number of processors. SPDX-License-Identifier: MIT */
#ifndef VCS_WINDOWS_UNISTD_H
#define VCS_WINDOWS_UNISTD_H

#include_next <unistd.h>

#define _SC_NPROCESSORS_ONLN 84

long sysconf(int name);

#endif
