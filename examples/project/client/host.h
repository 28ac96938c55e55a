/*
 * The computer: what it is called, what it has, how fast it is.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_HOST_H
#define GRID_CLIENT_HOST_H

#include <stdint.h>

#include "text.h"

/* Its platform, as programs are named for it, such as "x86_64-pc-linux-gnu". */
void host_platform(struct text *text);

uint32_t host_cpus(void);
double host_ram(void);

/* Floating-point operations a second of one CPU, measured for a quarter of a second. */
double host_measure_flops(void);

/* The elements <host_info> and <disk_usage> of a scheduler request. */
void host_put_info(struct text *text, uint32_t cpus, double flops, const char *key);

#endif
