/* And gmtime_r(). SPDX-License-Identifier: MIT */
#ifndef VCS_WINDOWS_TIME_H
#define VCS_WINDOWS_TIME_H

#include_next <time.h>

struct tm *posix_utc(const time_t *seconds, struct tm *parts);
#define gmtime_r posix_utc

#endif
