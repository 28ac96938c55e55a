/*
 * Every function of lib/vcsched/core/number.h, on any number.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcsched/core/number.c
#include "vcsched/core/number.h"

#include "any.h"

int code;
double number;
int64_t whole;
uint64_t key;

static void on(double x) {
    number = vcs_exp2(x);
    number = vcs_exp2m1(x);
    number = vcs_exp2_both(x).value;
    number = vcs_log2(x);
    number = vcs_sqrt(x);
    key = vcs_order_key(x);
    whole = vcs_micros(x);
    code = vcs_is_finite(x);
}

int main(void) {
    on(ANY_FINITE());
    on(VCS_INFINITY);
    on(-VCS_INFINITY);
    whole = vcs_units(Frama_C_double_interval(0.0, 0x1p42));
    number = vcs_seconds(Frama_C_long_interval(INT64_MIN, INT64_MAX));
    number = vcs_instances(Frama_C_long_interval(INT64_MIN, INT64_MAX));
    vcs_wide sum = {ANY_U64(), ANY_U64()};
    vcs_wide_add(&sum, ANY_U64(), ANY_U64());
    number = vcs_wide_value(sum);
    number = vcs_wide_instance_seconds(sum);
    return 0;
}
