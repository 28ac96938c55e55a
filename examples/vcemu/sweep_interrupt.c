/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "sweep_interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t has_come;

static void note(int signal) {
    (void)signal;
    has_come = 1;
}

static void catch_signal(int signal) {
    struct sigaction now;
    struct sigaction noted = {.sa_handler = note, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
    sigemptyset(&noted.sa_mask);
    if (sigaction(signal, NULL, &now) == 0 && now.sa_handler != SIG_IGN) {
        sigaction(signal, &noted, NULL);
    }
}

void sweep_interrupt_catch(void) {
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
}

bool sweep_interrupted(void) {
    return has_come != 0;
}
