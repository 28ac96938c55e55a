/*
 * What becomes of an answer: verification, votes and the blacklist (rule 11).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef DISPATCHER_JUDGE_H
#define DISPATCHER_JUDGE_H

#include "records.h"

/* An answer, and the outcome of its check by the client `checker`. */
void judge(portion *p, uint32_t number, double now, uint32_t outcome, uint32_t checker);

/* Answers of clients that have just come on the blacklist, and on which nothing is decided yet, are lost. */
void withdraw(double now);

#endif
