/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/text/parse_number.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum number_problem vcs_scn_number_read(const char *text, double *value) {
    if (text[0] == '\0') {
        return NUMBER_EMPTY;
    }
    char *end;
    errno = 0;
    double number = strtod(text, &end);
    if (end == text || *end != '\0') {
        return NUMBER_MALFORMED;
    }
    if (!isfinite(number)) {
        return errno == ERANGE ? NUMBER_TOO_LARGE : NUMBER_NOT_FINITE;
    }
    *value = number;
    return NUMBER_OK;
}

const char *vcs_scn_number_problem_text(enum number_problem problem) {
    switch (problem) {
    case NUMBER_EMPTY:
        return "has no value";
    case NUMBER_MALFORMED:
        return "is not a number";
    case NUMBER_NOT_FINITE:
        return "is not a finite number";
    case NUMBER_TOO_LARGE:
        return "is too large";
    case NUMBER_OK:
        break;
    }
    return "is a number";
}

void vcs_scn_number_write(double value, char *out) {
    /* A normal number keeps up to 15 digits, so fewer need not be tried: %g drops trailing zeros. */
    int least = fabs(value) < DBL_MIN ? 1 : 15;
    for (int digits = least; digits <= 17; digits++) {
        snprintf(out, NUMBER_TEXT_SIZE, "%.*g", digits, value);
        if (strtod(out, NULL) == value) {
            return;
        }
    }
}

bool vcs_scn_number_is_whole(double value) {
    return value == floor(value);
}
