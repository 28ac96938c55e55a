/*
 * A host from an input: one of the random states of the unit tests, then changed field by field, so that it may be
 * anything from ordinary to forbidden.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef FUZZ_HOST_H
#define FUZZ_HOST_H

#include <vcsched/host.h>

#include "fuzz.h"
#include "support/random_state.h"

/* Makes the host; the rest of the input stays. It must not be moved. */
void fuzz_host_begin(fuzz_input *in, random_state *host);

/* Changes it until the input ends, or up to this many times. */
void fuzz_host_edit(fuzz_input *in, random_state *host, uint32_t most);

/*
 * Prepares it in memory of exactly the size that it needs, and checks what is promised of a refusal. Returns NULL if it
 * is refused; else free() is due, and host->parameters are whole: what a shorter struct lacks is that of its profile.
 */
vcs_state *fuzz_host_prepare(random_state *host);

/*
 * Whether the oracles know all rules that the parameters name. They do not know giving up, admission by chance and
 * fetching by what is owed, which have tests of their own. The targets call these rules without comparing answers.
 */
bool fuzz_oracles_know(const random_state *host);

/* What wrr and the choice of tasks cost grows with these; a target passes over hosts that take the oracle too long. */
bool fuzz_host_is_small(const random_state *host);

#endif
