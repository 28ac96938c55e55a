/*
 * Connections to workers: lines in, lines out.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef DISPATCHER_SERVER_H
#define DISPATCHER_SERVER_H

#include <stdint.h>

typedef struct server_settings {
    const char *listen; /* HOST:PORT */
    const char *folder;
    const char *keys; /* a file with the keys of all workers, one a line; NULL = any key will do */
    uint32_t most_clients, most_connections;
    double status_every; /* s */
} server_settings;

/* Serves from the time of the journal's last event until the batch is complete. Returns how the program ends. */
int serve(const server_settings *settings, double start);

#endif
