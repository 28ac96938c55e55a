/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vcemu/emulator.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* ---- Drawing from the input ---- */

bool fuzz_more(const fuzz_input *in) {
    return in->left > 0;
}

uint32_t fuzz_byte(fuzz_input *in) {
    if (in->left == 0) {
        return 0;
    }
    in->left--;
    return *in->bytes++;
}

uint64_t fuzz_integer(fuzz_input *in, uint32_t size) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < size && i < sizeof value; i++) {
        value |= (uint64_t)fuzz_byte(in) << (8 * i);
    }
    return value;
}

uint32_t fuzz_below(fuzz_input *in, uint32_t count) {
    const uint32_t value = count > 256 ? (uint32_t)fuzz_integer(in, 2) : fuzz_byte(in);
    return count == 0 ? 0 : value % count;
}

double fuzz_fraction(fuzz_input *in) {
    return (double)fuzz_integer(in, 2) * 0x1p-16;
}

/* Limits of the rules and of the headers, and what doubles have at their ends. */
static const double edges[] = {
    0,
    -0.0,
    1,
    -1,
    0.5,
    2,
    1e-9,
    1e-6,
    0x1p-20,
    0.1,
    1.0 / 3,
    60,
    100,
    3600,
    36000,
    86400,
    1e5,
    1e6,
    1e9,
    1e10,
    1e12,
    1e12 + 0.0001220703125,
    1e15,
    1e20,
    1e29,
    1e30,
    1.0000000000000002e30,
    1e300,
    -60,
    -1e9,
    -1e12,
    -1e15,
    1e-30,
    1e-300,
    1.5,
    63,
    64,
    65,
    65536,
    65537,
    0x1p52,
    0x1p53,
    0x1p60,
    0x1p63,
    0x1p64,
    1e-3,
    0.01,
    1000,
};

double fuzz_number(fuzz_input *in) {
    static const double strange[] = {(double)INFINITY, -(double)INFINITY, (double)NAN, DBL_MAX,
                                     -DBL_MAX,         DBL_MIN,           0x1p-1074,   -0x1p-1074};
    const uint32_t choice = fuzz_byte(in);
    if (choice < COUNT_OF(edges)) {
        return edges[choice];
    }
    if (choice < 192) {
        return edges[choice % COUNT_OF(edges)] * fuzz_fraction(in);
    }
    if (choice < 192 + 4 * COUNT_OF(strange)) {
        return strange[choice % COUNT_OF(strange)];
    }
    const uint64_t bits = fuzz_integer(in, 8);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* ---- Changing a field ---- */

static uint64_t draw_integer(fuzz_input *in, uint32_t size) {
    static const uint64_t integers[] = {
        0,  1,   2,     3,     4,     5,          7,          8,          16,         63,         64,
        65, 255, 65535, 65536, 65537, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, UINT64_MAX, UINT64_C(1) << 63};
    const uint32_t choice = fuzz_byte(in);
    return choice < COUNT_OF(integers) ? integers[choice] : choice < 128 ? choice : fuzz_integer(in, size);
}

static void set_field(fuzz_input *in, unsigned char *field, uint32_t size, bool is_number) {
    const double number = is_number ? fuzz_number(in) : 0;
    const uint64_t integer = is_number ? 0 : draw_integer(in, size);
    if (is_number) {
        memcpy(field, &number, sizeof number);
        return;
    }
    for (uint32_t i = 0; i < size; i += (uint32_t)sizeof integer) {
        memcpy(field + i, &integer, size - i < sizeof integer ? size - i : sizeof integer);
    }
}

/* One representable number up or down, or by one. */
static void step_field(fuzz_input *in, unsigned char *field, uint32_t size) {
    uint64_t bits = 0;
    const uint32_t used = size < sizeof bits ? size : (uint32_t)sizeof bits;
    memcpy(&bits, field, used);
    bits += fuzz_byte(in) % 2 == 0 ? 1 : UINT64_MAX;
    memcpy(field, &bits, used);
}

/* With FUZZ_VERBOSE in the environment: what an input changes, so that a finding can be read. */
static void tell(const vcs_field_info *info, uint32_t index, const unsigned char *field) {
    double number = 0;
    uint64_t integer = 0;
    if (getenv("FUZZ_VERBOSE") == NULL) {
        return;
    }
    memcpy(&number, field, info->size < sizeof number ? 0 : sizeof number);
    memcpy(&integer, field, info->size < sizeof integer ? info->size : sizeof integer);
    if (strcmp(info->kind, "f64") == 0) {
        fprintf(stderr, "%s %" PRIu32 " %s = %.17g\n", vcs_emulator_struct_name(info->type), index, info->name, number);
    } else {
        fprintf(stderr, "%s %" PRIu32 " %s = %#" PRIx64 "\n", vcs_emulator_struct_name(info->type), index, info->name,
                integer);
    }
}

/* A caller that claims a larger struct than it has is beyond what a library can see. */
static void keep_size_true(const vcs_field_info *info, const fuzz_records *records, unsigned char *field) {
    const uint32_t most = (uint32_t)records->size;
    uint32_t claimed;
    if (strcmp(info->name, "struct_size") == 0) {
        memcpy(&claimed, field, sizeof claimed);
        memcpy(field, claimed > most ? &most : &claimed, sizeof claimed);
    }
}

void fuzz_edit(fuzz_input *in, const fuzz_records *records, uint32_t kinds) {
    const fuzz_records *chosen = &records[fuzz_below(in, kinds)];
    vcs_field_info info = {.struct_size = sizeof info};
    const uint32_t index = fuzz_below(in, chosen->count), column = fuzz_byte(in), way = fuzz_byte(in);
    const uint32_t fields = vcs_emulator_field_count(chosen->type);
    if (chosen->count == 0 || fields == 0) {
        return;
    }
    assert_int_equal(vcs_emulator_field_at(chosen->type, column % fields, &info), VCS_OK);
    assert_true(info.offset + info.size <= chosen->size);
    unsigned char *field = (unsigned char *)chosen->base + index * chosen->size + info.offset;
    switch (way % 4) {
    case 0: {
        const uint32_t other = fuzz_below(in, chosen->count);
        memmove(field, (unsigned char *)chosen->base + other * chosen->size + info.offset, info.size);
        break;
    }
    case 1:
        field[way / 4 % info.size] ^= (unsigned char)(1u << fuzz_byte(in) % 8);
        break;
    case 2:
        step_field(in, field, info.size);
        break;
    default:
        set_field(in, field, info.size, strcmp(info.kind, "f64") == 0);
    }
    keep_size_true(&info, chosen, field);
    tell(&info, index, field);
}

/* ---- Promises ---- */

void foreign_fail(const char *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    abort();
}

void foreign_skip(void) {
    abort();
}

void foreign_compare(int equal, uintmax_t left, uintmax_t right, const char *file, int line) {
    if ((left == right) != equal) {
        foreign_fail(file, line, "%" PRIuMAX " %s %" PRIuMAX, left, equal ? "!=" : "==", right);
    }
}

void fuzz_same(const char *what, const void *expected, const void *found, size_t size) {
    const unsigned char *a = expected, *b = found;
    for (size_t i = 0; i < size; i++) {
        if (a[i] != b[i]) {
            fprintf(stderr, "%s: byte %zu of %zu is %#x, expected %#x\n", what, i, size, b[i], a[i]);
            abort();
        }
    }
}

#define MARK 0xa5

void fuzz_mark(void *output, size_t size) {
    memset(output, MARK, size);
}

void fuzz_unmarked(const char *what, const void *output, size_t size) {
    const unsigned char *bytes = output;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != MARK) {
            fprintf(stderr, "%s: byte %zu of %zu was written by a call that failed\n", what, i, size);
            abort();
        }
    }
}

void fuzz_refused(int code, const vcs_error *error) {
    assert_true(code < 0);
    assert_string_not_equal(vcs_error_name(code), "unknown");
    assert_int_equal(error->code, code);
    assert_true(memchr(error->message, '\0', sizeof error->message) != NULL);
    assert_true(memchr(error->field, '\0', sizeof error->field) != NULL);
    assert_true(error->message[0] != '\0');
}

void *fuzz_allocate(size_t size) {
    void *memory = malloc(size == 0 ? 1 : size);
    if (memory == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}
