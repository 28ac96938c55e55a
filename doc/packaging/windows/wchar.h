/* And the width of characters. SPDX-License-Identifier: MIT */
#ifndef VCS_WINDOWS_WCHAR_H
#define VCS_WINDOWS_WCHAR_H

#include_next <wchar.h>

int wcwidth(wchar_t character);

#endif
