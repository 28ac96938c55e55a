/* What the terminal shows. SPDX-License-Identifier: MIT */
#ifndef VCS_WINDOWS_LANGINFO_H
#define VCS_WINDOWS_LANGINFO_H

#define CODESET 14

const char *nl_langinfo(int item);

#endif
