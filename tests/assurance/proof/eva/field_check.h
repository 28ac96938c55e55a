/*
 * lib/vcsched/interface/check/field_check.c for the analyser, whose own memcpy() and memset() take an address one past
 * the end for wrong even if there is nothing to copy or to set there.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_PROOF_FIELD_CHECK_H
#define VCS_PROOF_FIELD_CHECK_H

#include <string.h>

static void copy_bytes(void *to, const void *from, size_t size) {
    if (size > 0) {
        memcpy(to, from, size);
    }
}

static void set_bytes(void *bytes, int value, size_t size) {
    if (size > 0) {
        memset(bytes, value, size);
    }
}

#define memcpy copy_bytes
#define memset set_bytes
#include "vcsched/interface/check/field_check.c"
#undef memcpy
#undef memset

#endif
