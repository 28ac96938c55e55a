/*
 * A scheduler's reply: read as a whole first, so that a hostile reply or a part of one changes nothing; then taken
 * in. Names of files are checked, for they become names on our disk, and so are URLs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_SCHEDULER_REPLY_H
#define GRID_CLIENT_SCHEDULER_REPLY_H

#include "client.h"

/* What the timers of the project have to know. */
struct reply_summary {
    uint32_t tasks;       /* that are new */
    double request_delay; /* how long the server wants no call, s */
    bool has_preferences; /* it brought newer ones */
};

bool scheduler_reply_accept(struct client *client, struct project *project, const struct text *reply,
                            struct reply_summary *summary, struct fault *fault);

#endif
