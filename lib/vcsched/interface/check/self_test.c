/*
 * Whether this build computes as every other one does: known answers that come out differently otherwise. The layout of
 * structs needs no test here, because the fields do not compile with another one.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/core/number.h"
#include "vcsched/interface/check/check.h"

#include <string.h>

enum { LITERALS, ROUNDING, PRODUCTS, SPECIALS, SUMS, QUOTIENTS, FUNCTIONS, DENORMALS };

typedef struct fault_row {
    char what[16];
    char why[80];
} fault_row;

static const fault_row faults[] = {
    [LITERALS] = {"literals", "are not doubles: compile without -fsingle-precision-constant"},
    [ROUNDING] = {"rounding", "is not to nearest in this thread"},
    [PRODUCTS] = {"products", "are not rounded before they are added to: compile with -ffp-contract=off"},
    [SPECIALS] = {"specials", "(NaN, infinity, -0) are mistaken: compile without -ffast-math and its parts"},
    [SUMS] = {"sums", "are regrouped, or kept in more digits than a double has"},
    [QUOTIENTS] = {"quotients", "are computed as products: compile without -freciprocal-math"},
    [FUNCTIONS] = {"functions", "(exp2, log2, square root) give other answers than elsewhere"},
    [DENORMALS] = {"denormals", "are flushed to 0 in this thread"},
};

/* A number that the compiler does not know, or it would work out the answers itself, and rightly. */
static double unknown(double x) {
    volatile double hidden = x;
    return hidden;
}

typedef struct answer {
    uint32_t fault; /* the fault that another answer shows */
    double found, known;
} answer;

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

int vcs_self_test(vcs_error *error) {
    const int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    const double one = unknown(1.0), three = unknown(3.0), zero = unknown(0.0);
    const double infinity = unknown(VCS_INFINITY), nan = infinity - infinity;
    const answer answers[] = {
        {LITERALS, unknown(0.1) * 0x1p55, (double)INT64_C(3602879701896397)},
        /* The first two lie half-way between two doubles. */
        {ROUNDING, unknown(one + 0x1p-53), 1.0},
        {ROUNDING, unknown(-one - 0x1p-53), -1.0},
        {ROUNDING, unknown(one + 0x1.8p-53), 0x1.0000000000001p0},
        /* -0x1p-60 where the product is not rounded */
        {PRODUCTS, unknown(unknown(1 + 0x1p-30) * unknown(1 - 0x1p-30) - one), 0.0},
        {SPECIALS, nan != nan, 1.0},
        {SPECIALS, nan < one, 0.0},
        {SPECIALS, infinity > unknown(0x1.fffffffffffffp1023), 1.0},
        {SPECIALS, infinity == VCS_INFINITY, 1.0},
        {SPECIALS, unknown(-zero + 0.0), 0.0},
        /* 0x1p-60 where regrouped, or kept in 64 digits; 1e308 with the exponents of the x87 */
        {SUMS, unknown((one + 0x1p-60) - one), 0.0},
        {SUMS, unknown(unknown(1e308) * 10.0 * 0.1), VCS_INFINITY},
        /* With 1 / 3 as a factor all end in another digit. */
        {QUOTIENTS, unknown(unknown(5.0) / 3.0), 0x1.aaaaaaaaaaaabp0},
        {QUOTIENTS, unknown(unknown(5.0) / three), 0x1.aaaaaaaaaaaabp0},
        {QUOTIENTS, unknown(unknown(10.0) / three), 0x1.aaaaaaaaaaaabp1},
        {QUOTIENTS, unknown(unknown(7.0) / three), 0x1.2aaaaaaaaaaabp1},
        /* number.c may have been compiled in another way than this file. */
        {FUNCTIONS, vcs_exp2(unknown(0.3)), 0x1.3b2c47bff8329p0},
        {FUNCTIONS, vcs_exp2m1(unknown(0.3)), 0x1.d9623dffc1946p-3},
        {FUNCTIONS, vcs_log2(three), 0x1.95c01a39fbd68p0},
        {FUNCTIONS, vcs_sqrt(unknown(2.0)), 0x1.6a09e667f3bcdp0},
        /* As a result and as an operand: processors have a switch for each. */
        {DENORMALS, unknown(unknown(0x1p-1022) * 0.5), 0x1p-1023},
        {DENORMALS, unknown(unknown(0x1p-1074) * 0x1p1000), 0x1p-74},
    };
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        if (bits_of(answers[i].found) != bits_of(answers[i].known)) {
            const fault_row *fault = &faults[answers[i].fault];
            return vcs_fail_at(error, VCS_ERR_ARITHMETIC, 0, fault->what, fault->why);
        }
    }
    return VCS_OK;
}
