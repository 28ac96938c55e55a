/*
 * The memory of an emulation; all of it is released together at the end.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_MEMORY_H
#define VCS_EMU_HOST_MEMORY_H

#include "vcemu/host/emulator.h"

/* Allocates `bytes` bytes, zeroed. NULL if there is not enough memory; the emulation has failed then. */
void *vcs_emu_allocate(vcs_emu_emulator *e, uint64_t bytes);

/* Makes the array with its address at `array` hold `count` elements; new ones are 0. Returns whether it does. */
bool vcs_emu_reserve(vcs_emu_emulator *e, void *array, uint64_t count, size_t size);

/* The bytes of such an array; 0 for NULL. */
size_t vcs_emu_capacity(const void *array);

/* Releases allocated bytes before the end. */
void vcs_emu_free(vcs_emu_emulator *e, void *bytes);

void vcs_emu_release_all(vcs_emu_emulator *e);

#endif
