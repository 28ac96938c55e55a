/* SPDX-License-Identifier: MIT */
#include "text/wording.h"

#include <math.h>
#include <stdio.h>

#define MINUTE 60.0
#define HOUR 3600.0
#define DAY 86400.0

static struct wording words(const char *sign, double large, const char *large_unit, double small,
                            const char *small_unit) {
    struct wording wording;
    snprintf(wording.text, sizeof wording.text, "%s%.0f%s %02.0f%s", sign, large, large_unit, small, small_unit);
    return wording;
}

struct wording word_duration(double seconds) {
    struct wording wording = {"0s"};
    const char *sign = seconds < 0 ? "-" : "";
    double amount = fabs(seconds);
    if (amount >= 1) { /* first, since it may reach the next unit */
        const double unit = amount >= DAY ? HOUR : amount >= HOUR ? MINUTE : 1;
        amount = round(amount / unit) * unit;
    }
    if (amount >= DAY) {
        return words(sign, floor(amount / DAY), "d", fmod(amount, DAY) / HOUR, "h");
    }
    if (amount >= HOUR) {
        return words(sign, floor(amount / HOUR), "h", fmod(amount, HOUR) / MINUTE, "m");
    }
    if (amount >= MINUTE) {
        return words(sign, floor(amount / MINUTE), "m", fmod(amount, MINUTE), "s");
    }
    if (amount >= 1) {
        snprintf(wording.text, sizeof wording.text, "%s%.0fs", sign, amount);
    } else if (amount > 0) {
        snprintf(wording.text, sizeof wording.text, "%s<1s", sign);
    }
    return wording;
}
