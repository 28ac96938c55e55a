/*
 * A fingerprint of what the library decides: hashes over its answers to many random questions.
 *
 * Programs made of it by different compilers, for different processors, must print the same. It needs no test
 * framework, so that it runs wherever the library does.
 *
 * SPDX-License-Identifier: MIT
 */
#include "assurance/hygiene/fingerprint.h"
#include "support/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vcemu/emulator.h>
#include <vcsched/abi.h>

/* ---- the hash: FNV-1a ---- */

const fingerprint nothing_yet = {UINT64_C(0xcbf29ce484222325), 0};

static void add_bytes(fingerprint *print, uint64_t value, uint32_t bytes) {
    for (uint32_t byte = 0; byte < bytes; byte++) {
        print->hash = (print->hash ^ ((value >> (8 * byte)) & 0xff)) * UINT64_C(0x100000001b3);
    }
    print->values++;
}

void add_integer(fingerprint *print, uint64_t value) {
    add_bytes(print, value, 8);
}

void add_number(fingerprint *print, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    add_integer(print, bits);
}

/* ---- records ---- */

#define MOST_FIELDS 1024
#define MOST_TYPES 1200

/* The fields of a struct that hold numbers; those of all structs that were asked for so far, one after another. */
typedef struct numbers {
    uint32_t offset, width, count;
} numbers;

static const numbers *numbers_of(uint32_t type, uint32_t *count) {
    static numbers known[MOST_FIELDS];
    static uint32_t used, first[MOST_TYPES], counts[MOST_TYPES];
    require(type < MOST_TYPES && vcs_emulator_field_count(type) > 0, "there is no such struct");
    if (counts[type] == 0) {
        first[type] = used;
        for (uint32_t i = 0; i < vcs_emulator_field_count(type); i++) {
            vcs_field_info field = {.struct_size = sizeof field};
            require(vcs_emulator_field_at(type, i, &field) == VCS_OK, "a field cannot be read");
            if (strcmp(field.kind, "bytes") != 0) {
                const uint32_t width = strchr(field.kind, '3') != NULL ? 4 : 8;
                require(used < MOST_FIELDS, "there are too many fields");
                known[used++] = (numbers){field.offset, width, field.size / width};
            }
        }
        counts[type] = used - first[type];
    }
    *count = counts[type];
    return &known[first[type]];
}

void add_record(fingerprint *print, uint32_t type, const void *record) {
    uint32_t count;
    const numbers *fields = numbers_of(type, &count);
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *start = (const unsigned char *)record + fields[i].offset;
        for (uint32_t k = 0; k < fields[i].count; k++) {
            uint64_t wide;
            uint32_t narrow;
            if (fields[i].width == 8) {
                memcpy(&wide, start + 8 * k, sizeof wide);
                add_bytes(print, wide, 8);
            } else {
                memcpy(&narrow, start + 4 * k, sizeof narrow);
                add_bytes(print, narrow, 4);
            }
        }
    }
}

void add_records(fingerprint *print, uint32_t type, const void *records, uint32_t count) {
    const size_t size = vcs_emulator_struct_size(type);
    for (uint32_t i = 0; i < count; i++) {
        add_record(print, type, (const unsigned char *)records + i * size);
    }
}

static void add_text(fingerprint *print, const char *text) {
    for (; *text != '\0'; text++) {
        add_bytes(print, (unsigned char)*text, 1);
    }
}

void add_error(fingerprint *print, const vcs_error *error) {
    add_integer(print, (uint64_t)error->code);
    add_integer(print, error->type);
    add_integer(print, error->index);
    add_text(print, error->field);
    add_text(print, error->message);
}

/* ---- what all parts share ---- */

/* The fingerprints as they should be, a line each; NULL = they are printed. */
static FILE *expected;
static int differing;

void report(const char *what, fingerprint print) {
    char line[100], known[100];
    snprintf(line, sizeof line, "%-12s %016llx over %llu values\n", what, (unsigned long long)print.hash,
             (unsigned long long)print.values);
    if (expected == NULL) {
        fputs(line, stdout);
    } else if (fgets(known, sizeof known, expected) == NULL || strcmp(line, known) != 0) {
        printf("found    %s", line);
        differing++;
    }
}

void require(int condition, const char *what) {
    if (!condition) {
        fprintf(stderr, "%s\n", what);
        exit(1);
    }
}

double spread(int i) {
    const double multiple = i * 0.6180339887498949;
    return multiple - (double)(int64_t)multiple;
}

/* fingerprint [FILE]: prints what there is, or compares it with what it printed once. */
int main(int count, char **arguments) {
    char rest[2];
    if (count > 1) {
        expected = fopen(arguments[1], "r");
        require(expected != NULL, "the file cannot be read");
    }
    report_kernels();
    report_hosts();
    report_server();
    report_emulations();
    report_odd_hosts();
    report_grids();
    require(expected == NULL || fgets(rest, sizeof rest, expected) == NULL, "the file has more lines");
    require(differing == 0, "decisions are not what they were; CONTRIBUTING.md says what to do");
    return 0;
}
