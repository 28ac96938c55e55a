/*
 * SPDX-License-Identifier: MIT
 */
#include "colour.h"

#include <string.h>

#include "mandelbrot.h"

/* Round a circle: from night over the sea to ice, and over gold and embers back into the night. */
static const uint8_t stops[][3] = {
    {10, 10, 36},   {18, 58, 128}, {52, 142, 186}, {226, 242, 238},
    {248, 196, 84}, {206, 92, 36}, {88, 22, 44},   {28, 8, 40},
};
#define STOP_COUNT (sizeof stops / sizeof stops[0])

static const uint8_t inside[3] = {4, 4, 12};

/* 3 t^2 - 2 t^3 with t in 1/65536: no edge where one pair of stops gives way to the next. */
static uint64_t smooth(uint64_t t) {
    return t * t / 65536 * (3 * 65536 - 2 * t) / 65536;
}

void colour_of(const tile *t, uint64_t count, uint8_t colour[3]) {
    if (count == 0) {
        memcpy(colour, inside, 3);
        return;
    }
    uint64_t turn = (uint64_t)mandelbrot_log2(count) * (uint64_t)t->turns / 256 + (uint64_t)t->phase;
    uint64_t place = turn % 65536 * STOP_COUNT;
    const uint8_t *from = stops[place / 65536];
    const uint8_t *to = stops[(place / 65536 + 1) % STOP_COUNT];
    uint64_t part = smooth(place % 65536);
    for (int i = 0; i < 3; i++) {
        colour[i] = (uint8_t)((from[i] * (65536 - part) + to[i] * part + 32768) / 65536);
    }
}

uint32_t colour_root(uint32_t number) {
    uint32_t root = 0;
    for (uint32_t bit = 1u << 15; bit != 0; bit >>= 1) {
        uint32_t tried = root | bit;
        if ((uint64_t)tried * tried <= number) {
            root = tried;
        }
    }
    return root;
}
