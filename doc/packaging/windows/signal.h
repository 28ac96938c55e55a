/* And sigaction(): a signal is caught once, and the process goes on. SPDX-License-Identifier: MIT */
#ifndef VCS_WINDOWS_SIGNAL_H
#define VCS_WINDOWS_SIGNAL_H

#include_next <signal.h>

#define SA_RESTART 0
#define SA_RESETHAND 0

struct sigaction {
    void (*sa_handler)(int);
    int sa_flags, sa_mask;
};

int sigaction(int number, const struct sigaction *action, struct sigaction *before);
int sigemptyset(int *mask);

#endif
