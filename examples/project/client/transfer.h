/*
 * Transfers by HTTP, any number at a time, without ever waiting for one: curl's multi interface in the client's only
 * thread.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_TRANSFER_H
#define GRID_CLIENT_TRANSFER_H

#include <stdbool.h>
#include <stdio.h>

#include "text.h"

struct transfers;
struct transfer;

/* How a transfer ended. */
struct transfer_end {
    bool arrived;       /* the server answered with success (2xx), and all of it came */
    bool cannot_go_on;  /* the server does not send the rest of a file, only all of it */
    long http_status;   /* 0 if there was no answer */
    const char *reason; /* why it did not arrive, for a person */
    struct text *body;  /* what came, unless it went to a file */
};

typedef void transfer_ended(void *context, const struct transfer_end *end);

/* A transfer to make. Zero it, then set the fields needed. */
struct transfer_order {
    const char *url;
    struct text *post; /* sent, and freed at the end; NULL for GET */
    FILE *post_file;   /* sent after it, from where it stands; closed at the end */
    double post_bytes; /* how much of it */
    FILE *into;        /* takes what comes, after `offset` bytes that it has already; closed at the end */
    double offset;
    double most_bytes; /* more than this is refused; 0 = as much as a reply may have */
    transfer_ended *ended;
    void *context; /* for `ended`; freed at the end */
};

struct transfers *transfers_new(void);
void transfers_free(struct transfers *transfers);

/* Begins one; nothing is sent before transfers_wait(). */
struct transfer *transfer_begin(struct transfers *transfers, const struct transfer_order *order);

/* Ends one without calling anything back. */
void transfer_cancel(struct transfers *transfers, struct transfer *transfer);

/*
 * Moves all transfers on and waits up to `seconds`, or until something happens, also on `descriptor`. Calls back for
 * each transfer that ended.
 */
void transfers_wait(struct transfers *transfers, double seconds, int descriptor);

#endif
