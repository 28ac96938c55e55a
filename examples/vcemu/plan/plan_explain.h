/*
 * The parts of an explanation: a heading, and lines of a label and what it says.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_PLAN_PLAN_EXPLAIN_H
#define VCEMU_PLAN_PLAN_EXPLAIN_H

#include "plan/plan.h"

/* Tasks and projects named one by one; beyond that, only how many there are. */
#define EXPLAIN_NAMES 5u

#if defined(__GNUC__)
#define EXPLAIN_FORMAT __attribute__((format(printf, 3, 4)))
#else
#define EXPLAIN_FORMAT
#endif

void explain_heading(const struct screen *screen, const char *kind, const char *name);
void explain_tell(const struct screen *screen, const char *label, const char *format, ...) EXPLAIN_FORMAT;

/* What would save a late task, or that nothing would. */
void explain_saving(const struct plan *plan, uint32_t task, const struct screen *screen);

/* What the host lacks of a resource. */
void explain_lack(const struct plan *plan, uint32_t resource, const struct screen *screen);

/* Why a resource is busy or idle: what runs on it, what waits for it, and who is asked for more. */
void explain_resource(const struct plan *plan, uint32_t resource, const struct screen *screen);

#endif
