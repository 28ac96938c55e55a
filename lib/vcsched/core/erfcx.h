/*
 * The complementary error function, scaled so that it neither overflows nor vanishes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_ERFCX_H
#define VCS_CORE_ERFCX_H

/* e^(x^2) * erfc(x) for finite x >= 0, within 8 ulp. At the tail of a normal distribution it varies slowly. */
double vcs_erfcx(double x);

#endif
