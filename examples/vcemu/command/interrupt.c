/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "command/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t has_come;

/* The signals, and what they did before. */
static struct caught {
    int signal;
    bool is_caught;
    struct sigaction before;
} all[] = {{.signal = SIGINT}, {.signal = SIGTERM}};

#define SIGNALS (sizeof all / sizeof *all)

static void note(int signal) {
    (void)signal;
    has_come = 1;
}

void interrupt_catch(void) {
    struct sigaction noted = {.sa_handler = note, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
    sigemptyset(&noted.sa_mask);
    for (size_t i = 0; i < SIGNALS; i++) {
        if (sigaction(all[i].signal, NULL, &all[i].before) == 0 && all[i].before.sa_handler != SIG_IGN) {
            all[i].is_caught = sigaction(all[i].signal, &noted, NULL) == 0;
        }
    }
}

void interrupt_release(void) {
    for (size_t i = 0; i < SIGNALS; i++) {
        if (all[i].is_caught) {
            sigaction(all[i].signal, &all[i].before, NULL);
            all[i].is_caught = false;
        }
    }
    has_come = 0;
}

bool interrupt_has_come(void) {
    return has_come != 0;
}
