/* SPDX-License-Identifier: MIT */
#include "support/float_mode.h"

#include <fenv.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

const char *float_mode_name(float_mode mode) {
    static const char *const names[FLOAT_MODES] = {
        [FLOAT_ORDINARY] = "ordinary",       [FLOAT_FLUSH] = "flush", [FLOAT_FLUSH_RESULT] = "flush_result",
        [FLOAT_FLUSH_INPUT] = "flush_input", [FLOAT_UP] = "up",       [FLOAT_DOWN] = "down",
        [FLOAT_TO_ZERO] = "to_zero",
    };
    return names[mode];
}

/* Whether denormal results, or denormal operands, become 0. Returns false if this machine cannot. */
static bool flush(bool results, bool operands) {
#if defined(__SSE2__)
    const unsigned both = 0x8000u | 0x40u;
    _mm_setcsr((_mm_getcsr() & ~both) | (results ? 0x8000u : 0) | (operands ? 0x40u : 0));
    return true;
#elif defined(__aarch64__)
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    control &= ~(UINT64_C(1) << 24);
    control |= results && operands ? UINT64_C(1) << 24 : 0;
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
    return results == operands;
#else
    return !results && !operands;
#endif
}

bool float_mode_enter(float_mode mode) {
    int direction = FE_TONEAREST;
    bool exists = true;
    switch (mode) {
#if defined(FE_UPWARD) && defined(FE_DOWNWARD) && defined(FE_TOWARDZERO)
    case FLOAT_UP:
        direction = FE_UPWARD;
        break;
    case FLOAT_DOWN:
        direction = FE_DOWNWARD;
        break;
    case FLOAT_TO_ZERO:
        direction = FE_TOWARDZERO;
        break;
#else
    case FLOAT_UP:
    case FLOAT_DOWN:
    case FLOAT_TO_ZERO:
        exists = false;
        break;
#endif
    default:
        break;
    }
    exists &= fesetround(direction) == 0;
    return flush(mode == FLOAT_FLUSH || mode == FLOAT_FLUSH_RESULT, mode == FLOAT_FLUSH || mode == FLOAT_FLUSH_INPUT) &&
           exists;
}
