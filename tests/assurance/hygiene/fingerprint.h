/*
 * A fingerprint: a hash over answers of the library, by value and not by the bytes of memory, whose order differs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef FINGERPRINT_H
#define FINGERPRINT_H

#include "vcsched/core/number.h" /* switches contraction off, so that the questions are the same too */

#include <stddef.h>
#include <stdint.h>
#include <vcsched/abi.h>
#include <vcsched/host.h>

#include "support/array.h"

typedef struct fingerprint {
    uint64_t hash;
    uint64_t values;
} fingerprint;

/* Of no answer yet. */
extern const fingerprint nothing_yet;

void add_integer(fingerprint *print, uint64_t value);
void add_number(fingerprint *print, double value);

/* Every field of a struct VCS_TYPE_*, by the library's own table; not its reserved bytes. */
void add_record(fingerprint *print, uint32_t type, const void *record);

/* The same of `count` records in a row. */
void add_records(fingerprint *print, uint32_t type, const void *records, uint32_t count);

/* Why something was refused: its code, the record and the field at fault, the sentence. */
void add_error(fingerprint *print, const vcs_error *error);

void report(const char *what, fingerprint print);

/* Ends the program where something failed that cannot fail. */
void require(int condition, const char *what);

/* 0 ... 1, in an order that looks random: multiples of the golden ratio, less their whole parts. */
double spread(int i);

/*
 * Changes a field of one of `count` records of a type: to a number that is likely there, to one near what it was, or,
 * seldom, to one out of its range. What comes out depends on `number` alone.
 */
void change_records(uint32_t type, void *records, size_t size, uint32_t count, int number);

/* Each prints the fingerprints of some of the decisions. */
void report_kernels(void);
void report_hosts(void);
void report_server(void);
void report_emulations(void);
void report_odd_hosts(void);
void report_grids(void);

#endif
