/*
 * How what takes long is broken off: by SIGINT, which is Ctrl-C, or SIGTERM.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SWEEP_INTERRUPT_H
#define VCS_EMU_SWEEP_INTERRUPT_H

#include <stdbool.h>

/* From now on the first signal is only noted; the next ends the program immediately. Ignored signals stay ignored. */
void vcs_swp_interrupt_catch(void);

/* From now on signals do what they did before, and none has come. */
void vcs_swp_interrupt_release(void);

/* Has one come? */
bool vcs_swp_interrupt_has_come(void);

#endif
