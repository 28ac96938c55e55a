/* How wide the terminal is. SPDX-License-Identifier: MIT */
#ifndef VCS_WINDOWS_SYS_IOCTL_H
#define VCS_WINDOWS_SYS_IOCTL_H

#define TIOCGWINSZ 0x5413

struct winsize {
    unsigned short ws_row, ws_col;
};

int ioctl(int descriptor, int request, struct winsize *size);

#endif
