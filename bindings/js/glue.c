/*
 * What JavaScript cannot do: pointers to functions, and WebAssembly's own layout of the structs, which the compiler
 * checks here against the offsets that JavaScript goes by.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stddef.h>
#include <vcemu/bound.h>
#include <vcemu/grid.h>
#include <vcemu/scenario.h>
#include <vcsched/vcsched.h>

void js_set_hooks(vcs_hooks *hooks, void *context, uint32_t wanted);
void js_set_grid_hooks(vcs_grid_hooks *hooks, void *context, uint32_t wanted);

#include "glue.inc"
