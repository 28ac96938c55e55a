/*
 * Lengths of time as people write them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_TEXT_WORDING_H
#define VCEMU_TEXT_WORDING_H

struct wording {
    char text[512];
};

/* "2d 03h", "3h 20m", "45m 10s", "12s": the two largest units, rounded; "-" before a negative length. */
struct wording word_duration(double seconds);

#endif
