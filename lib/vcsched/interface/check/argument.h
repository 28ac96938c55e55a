/*
 * Checks of the arguments of a kernel: bare numbers, single structs, arrays of records.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CHECK_ARGUMENT_H
#define VCS_CHECK_ARGUMENT_H

#include "vcsched/core/number.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/check/copy_input.h"

#include <vcsched/abi.h>

/* The error for a number that is not between two finite bounds. */
static inline int vcs_error_of_number(double value) {
    return vcs_is_finite(value) ? VCS_ERR_RANGE : VCS_ERR_NOT_FINITE;
}

/* A number in least ... greatest, both of them finite. VCS_OK or the error. */
static inline int vcs_check_number(double value, double least, double greatest) {
    return value >= least && value <= greatest ? VCS_OK : vcs_error_of_number(value);
}

/* A moment, such as the present. VCS_OK or the error. */
static inline int vcs_check_time(double time) {
    return vcs_check_number(time, -VCS_MAX_TIME, VCS_MAX_TIME);
}

/* A random draw, 0 <= u < 1. VCS_OK or the error. */
static inline int vcs_check_draw(double u) {
    return u >= 0.0 && u < 1.0 ? VCS_OK : vcs_error_of_number(u);
}

/* The error of the first of two checks that failed, or VCS_OK. */
static inline int vcs_first_error(int first, int second) {
    return first != VCS_OK ? first : second;
}

/* The present. VCS_OK or the error. */
int vcs_check_now(double now, vcs_error *error);

/* Refuses a NULL pointer to an answer or to work memory, with the sentence `refusal`. VCS_OK or the error. */
static inline int vcs_check_place(const void *place, const char *refusal, vcs_error *error) {
    return place == NULL ? vcs_refuse(error, VCS_ERR_NULL, refusal) : VCS_OK;
}

/* Checks a caller's record that never grows: not NULL, and every field. VCS_OK or the error. */
int vcs_check_record(const void *record, const vcs_layout *layout, vcs_error *error);

/* Refuses an array that is NULL, or, with `refusal`, one without exactly `needed` elements. VCS_OK or the error. */
int vcs_check_count(const vcs_array *array, const vcs_layout *layout, uint32_t needed, const char *refusal,
                    vcs_error *error);

/* The same for an array that the library fills: its element size is checked, too. VCS_OK or the error. */
int vcs_check_rows(const vcs_array *rows, const vcs_layout *layout, uint32_t needed, const char *refusal,
                   vcs_error *error);

/* Checks an array of records, and every field of every one. VCS_OK or the error. O(count). */
int vcs_check_records(const vcs_array *array, const vcs_layout *layout, vcs_error *error);

/* Whether the records have just this size, and lie in memory as they should. */
static inline int vcs_is_array_of(const vcs_array *array, size_t size) {
    return array != NULL && array->element_size == size && array->base != NULL && vcs_is_aligned(array->base) &&
           (uint64_t)array->count * size <= SIZE_MAX;
}

/*
 * The same, inline, for records that are checked often: vcs_check_debts(&array, error). Nearly always they have the
 * library's size and are right.
 */
#define VCS_CHECK_RECORDS(structure)                                                                                   \
    static inline int vcs_check_##structure##s(const vcs_array *array, vcs_error *error) {                             \
        if (!vcs_is_array_of(array, sizeof(vcs_##structure))) {                                                        \
            return vcs_check_records(array, &vcs_##structure##_layout, error);                                         \
        }                                                                                                              \
        const vcs_##structure *records = array->base;                                                                  \
        uint32_t passing = 0;                                                                                          \
        while (passing < array->count && vcs_##structure##_passes(&records[passing])) {                                \
            passing++;                                                                                                 \
        }                                                                                                              \
        return passing == array->count ? VCS_OK : vcs_check_records(array, &vcs_##structure##_layout, error);          \
    }

#endif
