/*
 * Loaded before a program, it changes how the main thread computes: OTHER_ARITHMETIC is "upward", which rounds upward,
 * or "flush", which flushes denormal numbers to 0.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/float_mode.h"

#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void change_arithmetic(void) {
    const char *wanted = getenv("OTHER_ARITHMETIC");
    if (wanted == NULL || !float_mode_enter(strcmp(wanted, "upward") == 0 ? FLOAT_UP : FLOAT_FLUSH)) {
        abort();
    }
}
