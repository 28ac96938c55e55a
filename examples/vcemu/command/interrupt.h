/*
 * Interruption of long work by SIGINT, which is Ctrl-C, or SIGTERM.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_COMMAND_INTERRUPT_H
#define VCEMU_COMMAND_INTERRUPT_H

#include <stdbool.h>

/* From now on the first signal is only noted; the next ends the program immediately. Ignored signals stay ignored. */
void interrupt_catch(void);

/* From now on signals do what they did before, and none has come. */
void interrupt_release(void);

/* Has one come? */
bool interrupt_has_come(void);

#endif
