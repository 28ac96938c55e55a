/*
 * The layout of a struct: its sizes, and the place, kind, range and name of each field.
 *
 * The fields of a struct are rows X(struct, kind, offset, field, unit, least, greatest) in fields/. From them come the
 * static asserts on the layout, the checks of a caller's records, vcs_field_at() for bindings, and the names in error
 * messages. The public headers say what each field means. The kinds:
 *   f64            a finite double, or several; infinite too where `least` or `greatest` is
 *   u64 u32 i32    integers
 *   flags          a uint32_t in which only the bits of `greatest` may be set
 *   choice         a uint32_t that selects one of least ... greatest
 *   index          a uint32_t that refers to another record; checked where the arrays are known
 *   size           the struct_size of a struct
 *   zero           reserved: must be 0, whatever its length
 *   text           characters
 *   other          pointers and arrays of records; checked where they are used
 *
 * A struct is S(name, VCS_TYPE_*, size, first size, VCS_SINGLE or VCS_NUMBERED). The first size is the size in the
 * release that introduced the struct, and the least that any caller has. It never changes, while the size grows with
 * each field that is appended.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CHECK_LAYOUT_H
#define VCS_CHECK_LAYOUT_H

#include "vcsched/core/number.h"
#include "vcsched/interface/check/field_pass.h"

#include <float.h>
#include <stdint.h>
#include <vcsched/abi.h>
#include <vcsched/host.h>

/* ---- Ranges: least and greatest ---- */

#define VCS_ANY (-DBL_MAX), DBL_MAX
/* Infinities too. Not every compiler takes the negative of an infinity for a constant. */
#define VCS_EXTENDED (-1e300 * 1e300), VCS_INFINITY
#define VCS_AMOUNT 0.0, DBL_MAX
#define VCS_U32 0.0, 4294967295.0
#define VCS_I32 (-2147483648.0), 2147483647.0
#define VCS_U64 0.0, 18446744073709551615.0
#define VCS_NO_RANGE 0.0, 0.0
/* Times that a kernel keeps: far enough for any epoch, near enough that a second still counts. */
#define VCS_TIME -VCS_MAX_TIME, VCS_MAX_TIME
#define VCS_DURATION 0.0, VCS_MAX_SECONDS
/* The greatest random draw. */
#define VCS_BELOW_ONE 0x1.fffffffffffffp-1

/* ---- Layouts ---- */

enum {
    VCS_KIND_F64,
    VCS_KIND_U64,
    VCS_KIND_U32,
    VCS_KIND_I32,
    VCS_KIND_FLAGS,
    VCS_KIND_CHOICE,
    VCS_KIND_INDEX,
    VCS_KIND_SIZE,
    VCS_KIND_ZERO,
    VCS_KIND_TEXT,
    VCS_KIND_OTHER
};

typedef struct vcs_field_row {
    double least, greatest;
    uint16_t offset, size; /* bytes */
    uint32_t kind;         /* VCS_KIND_* */
} vcs_field_row;

/* Whether messages number the first record too, as they do for structs that only come in arrays. */
enum { VCS_SINGLE, VCS_NUMBERED };

/* Structs are passed to the checks by layout, not by number, so that a program links only the layouts it uses. */
typedef struct vcs_layout {
    uint32_t type;                       /* VCS_TYPE_* */
    uint32_t size, first_size;           /* bytes */
    uint32_t numbered;                   /* VCS_SINGLE or VCS_NUMBERED */
    uint32_t count;                      /* fields */
    const vcs_field_row *rows;           /* in order of offset */
    const char *field_names;             /* in the same order, each with its closing 0 */
    const char *name;                    /* without its prefix */
    int (*is_right)(const void *record); /* whether all fields are in their ranges */
} vcs_layout;

/* vcs_task_layout; vcs_task_passes(task); and VCS_FIRST_task, the first size. */
#define VCS_DECLARE_LAYOUT(structure, number, bytes, first, numbered)                                                  \
    extern const vcs_layout vcs_##structure##_layout;                                                                  \
    enum { VCS_FIRST_##structure = first };                                                                            \
    VCS_PASSES(structure)

#endif
