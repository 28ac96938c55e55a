/*
 * SPDX-License-Identifier: MIT
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "random.h"

static uint64_t bits(void) {
    uint64_t drawn;
    if (getentropy(&drawn, sizeof drawn) != 0) {
        fputs("gridclient: the system has no random numbers\n", stderr);
        exit(1);
    }
    return drawn;
}

double draw(void) {
    return (double)(bits() >> 11) / 9007199254740992.0; /* 2^53 */
}

void draw_key(char digits[33]) {
    snprintf(digits, 33, "%016llx%016llx", (unsigned long long)bits(), (unsigned long long)bits());
}
