/*
 * What the fuzz targets share: an input of bytes from which a target draws its choices, records that are changed field
 * by field, and what to do when a promise is broken.
 *
 * A target is one file, fuzz_NAME.c, with LLVMFuzzerTestOneInput(): libFuzzer's entry, and that of standalone.c, which
 * makes a plain program of it. What fails ends the program with abort(), so that every fuzzer notices; the assertions
 * are those of the unit tests.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <vcsched/abi.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* What is left of an input. Behind its end all bytes are 0. */
typedef struct fuzz_input {
    const uint8_t *bytes;
    size_t left;
} fuzz_input;

bool fuzz_more(const fuzz_input *in);
uint32_t fuzz_byte(fuzz_input *in);
/* `size` bytes as a number, the lowest first. */
uint64_t fuzz_integer(fuzz_input *in, uint32_t size);
/* 0 ... count - 1, from one byte, or two if there are more than 256. */
uint32_t fuzz_below(fuzz_input *in, uint32_t count);
/* 0 <= u < 1, from two bytes. */
double fuzz_fraction(fuzz_input *in);
/* A number at the edge of something, or any bits at all. */
double fuzz_number(fuzz_input *in);

/* Records of one type, which an input may change. */
typedef struct fuzz_records {
    uint32_t type; /* VCS_TYPE_*, from which the fields are known */
    void *base;
    size_t size;
    uint32_t count;
} fuzz_records;

/*
 * Changes one field of one record, as the input says: to a number at the edge, to what another record has, by a bit, by
 * the least step, or to any bits. Nothing happens if the records chosen are none.
 */
void fuzz_edit(fuzz_input *in, const fuzz_records *records, uint32_t kinds);

/* Ends the program, and says where they differ, unless both are the same, byte for byte. */
void fuzz_same(const char *what, const void *expected, const void *found, size_t size);

/* Fills outputs with a pattern; and ends the program unless they still have it. */
void fuzz_mark(void *output, size_t size);
void fuzz_unmarked(const char *what, const void *output, size_t size);

/* Ends the program unless this is what every refusal says: a code, and the same in the error. */
void fuzz_refused(int code, const vcs_error *error);

/* malloc() of exactly this size, so that a sanitizer sees every step beyond it. */
void *fuzz_allocate(size_t size);

#endif
