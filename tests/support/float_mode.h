/*
 * Modes of the processor's arithmetic that a thread can be in without the library's doing: other directions of
 * rounding, and denormal numbers flushed to 0, which shared objects compiled with -Ofast switch on when they are
 * loaded.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef FLOAT_MODE_H
#define FLOAT_MODE_H

#include <stdbool.h>

typedef enum float_mode {
    FLOAT_ORDINARY,     /* to nearest, denormals kept */
    FLOAT_FLUSH,        /* denormal results become 0, and so do denormal operands (x86: FTZ and DAZ; ARM: FZ) */
    FLOAT_FLUSH_RESULT, /* x86: FTZ alone */
    FLOAT_FLUSH_INPUT,  /* x86: DAZ alone */
    FLOAT_UP,
    FLOAT_DOWN,
    FLOAT_TO_ZERO,
    FLOAT_MODES
} float_mode;

const char *float_mode_name(float_mode mode);

/* Enters a mode from the ordinary one or any other. Returns false, in the ordinary one, if there is no way here. */
bool float_mode_enter(float_mode mode);

#endif
