/*
 * A policy in C for `vcemu run --policy FILE` and `vcemu sweep --policy FILE`, in a shared library of its own:
 *
 *     cc -shared -fPIC -I... -o mine.so mine.c $(pkg-config --cflags --libs vcsched)
 *
 * The library exports one symbol, `const struct vcemu_policy vcemu_policy`. For each emulation vcemu calls `begin`,
 * which sets the functions of vcs_hooks that it wants to replace, and afterwards `end`. What the policy remembers goes
 * into the `context` of the hooks, made by `begin` from the seed: emulations run side by side in threads, in any order,
 * and must come out the same all the same. So a policy has no variables of its own. examples/c/lottery_policy.c is one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_POLICY_H
#define VCEMU_POLICY_H

#include <stdint.h>

#include <vcemu/emulator.h>

#define VCEMU_POLICY_VERSION 1

/* What begins. It and all that it points to stay as they are until the end of the emulation. */
struct vcemu_run {
    uint32_t struct_size; /* bytes; later versions append */
    uint32_t flags;       /* 0 */
    uint64_t seed;        /* of this emulation */
    const char *argument; /* what --policy-argument says; "" without one */
    const vcs_scenario *scenario;
    const vcs_parameters *parameters;
};

struct vcemu_policy {
    uint32_t struct_size; /* these four: VCEMU_POLICY_SIZES */
    uint32_t version;
    uint32_t hooks_size;
    uint32_t situation_size;

    /* Sets those functions of `hooks`, and its `context`, that differ from the default; all are NULL before, and
       struct_size is set. `observe`, too, may be set. Returns VCS_OK, or a negative number, which ends vcemu. Must be
       thread-safe. */
    int (*begin)(const struct vcemu_run *run, vcs_hooks *hooks);

    /* Releases what `begin` made; called whenever `begin` returned VCS_OK. NULL = nothing to be done. */
    void (*end)(vcs_hooks *hooks);
};

/* What vcemu compares with its own: the sizes that the policy was compiled with. */
#define VCEMU_POLICY_SIZES                                                                                             \
    .struct_size = sizeof(struct vcemu_policy), .version = VCEMU_POLICY_VERSION, .hooks_size = sizeof(vcs_hooks),      \
    .situation_size = sizeof(vcs_situation)

/* The symbol. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
extern const struct vcemu_policy vcemu_policy;

#endif
