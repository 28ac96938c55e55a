/*
 * The values of the state file: from text to what a draft holds.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_STATE_VALUE_H
#define VCEMU_STATE_VALUE_H

#include <stdbool.h>

#include "fault.h"
#include "state_grammar.h"

/*
 * Reads `text`, the value of `key`, to `target`, of the type that the key's form says. On an error it returns false and
 * describes it with `place`.
 */
bool state_value_read(const struct state_key *key, const char *text, void *target, const struct place *place,
                      struct fault *fault);

#endif
