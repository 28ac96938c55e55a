/*
 * Which of two random counts is greater.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CHANCE_RACE_H
#define VCS_CHANCE_RACE_H

/*
 * P[N >= M] for independent Poisson counts N and M with means n and m, 0 ... 1e30. Off by less than 1e-14, as measured
 * for means up to 1e4. In the tails the answer may be 0 where it is below 1e-250. At most 80 steps, whatever the means.
 */
double vcs_chance_of_at_least(double n, double m);

#endif
