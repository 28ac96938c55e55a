/*
 * Whole lives of work units, and single transitions, against what the rules say of them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef UNIT_LIFE_H
#define UNIT_LIFE_H

#include "support/unit_model.h"

#include <stdbool.h>

/*
 * From `now` on a server does its work, until nothing is left to do and nothing will happen; then the unit must have
 * come to its end (rule 8.7). Hosts are slow, wrong or silent, in a way of their own for each `manner`; 0: few are.
 */
void unit_lives_to_its_end(unit_model *m, uint32_t manner, double now);

/* `after` must be what the oracle makes of `before` by one transition. */
void check_against_oracle(const unit_model *before, const unit_model *after, double now);

/*
 * Withdraws a result, or sends a copy in progress again. It must come out as the oracle does it, and right; what was
 * not sent is refused and not withdrawn. Returns 1 if it was not refused.
 */
int withdraw_as_the_oracle_does(unit_model *m, uint32_t i, double now);
void resend_as_the_oracle_does(unit_model *m, uint32_t i, double estimate, double now);

/*
 * What never changes once it is there, unless a host was caught, and what never exceeds its limit (rule 8.7), from one
 * moment to the next. `caught` says of each result whether its host was caught before the unit was assimilated.
 */
void check_unit_step(const unit_model *m, const unit_model *before, const bool *caught);

/* Both units, and their results, are the same, byte for byte; `m` may have more results. */
void assert_same_unit(const unit_model *m, const unit_model *expected);

#endif
