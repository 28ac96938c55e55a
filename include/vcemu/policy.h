/*
 * A policy in C for `vcemu run --policy FILE` and `vcemu sweep --policy FILE`, in a shared library of its own:
 *
 *     cc -shared -fPIC -o mine.so mine.c $(pkg-config --cflags --libs vcemu)
 *
 * The library exports one symbol, `const vcs_policy vcemu_policy`. For each emulation `begin` sets the functions of
 * vcs_hooks that it wants to replace, and `end` is called afterwards. Emulations run side by side in threads, in any
 * order, and must come out the same: what a policy remembers belongs into the `context` of the hooks, which `begin`
 * makes from the seed, and not into variables of the library. examples/c/lottery_policy.c is a whole policy.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_POLICY_H
#define VCEMU_POLICY_H

#include <vcemu/emulator.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of vcs_policy. */
#define VCS_POLICY_VERSION 1u

/* The emulation that begins. The struct and everything it points to stay as they are until the emulation ends.
   Since 1.0. */
typedef struct vcs_policy_run {
    uint32_t struct_size;             /* bytes; set by the library */
    uint32_t flags;                   /* 0 */
    uint64_t seed;                    /* of this emulation */
    const char *argument;             /* the text of --policy-argument; "" without one */
    const vcs_scenario *scenario;     /* the host and its servers */
    const vcs_parameters *parameters; /* the policy of its client */
} vcs_policy_run;

/* A policy. VCS_POLICY_SIZES sets the first four fields. Since 1.0. */
typedef struct vcs_policy {
    uint32_t struct_size;    /* bytes */
    uint32_t version;        /* VCS_POLICY_VERSION */
    uint32_t hooks_size;     /* sizeof(vcs_hooks) */
    uint32_t situation_size; /* sizeof(vcs_situation) */

    /* Sets functions of `hooks`, and its context. All are NULL before, and struct_size is set; `observe` may be set
       too. Returns VCS_OK, or a negative number, which ends the run or the sweep. Must be thread-safe. */
    int (*begin)(const vcs_policy_run *run, vcs_hooks *hooks);

    /* Releases what `begin` made. Called whenever `begin` returned VCS_OK. NULL = there is nothing to release. Must be
       thread-safe. */
    void (*end)(vcs_hooks *hooks);
} vcs_policy;

/* The sizes that a policy was compiled with. A policy with other sizes than the library's is refused. */
#define VCS_POLICY_SIZES                                                                                               \
    .struct_size = sizeof(vcs_policy), .version = VCS_POLICY_VERSION, .hooks_size = sizeof(vcs_hooks),                 \
    .situation_size = sizeof(vcs_situation)

/* The symbol that the shared library of a policy exports. libvcemu itself does not define it. */
VCS_API extern const vcs_policy vcemu_policy;

#ifdef __cplusplus
}
#endif

#endif
