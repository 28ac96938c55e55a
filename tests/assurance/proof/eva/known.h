/*
 * What the analyser does not know of C; the script includes it before every file.
 *
 * SPDX-License-Identifier: MIT
 */
#define __builtin_inff() (1.0f / 0.0f)

/* Of a struct of 64-bit fields. */
#define _Alignof(type) 8

/* The library asks one thing of it only: whether a field is a double. A half is above 0 in no other type. */
#define _Generic(value, ...) ((__typeof__(value))0.5 > 0)

/* What an invariant rules out is not looked at: no path leads on from there. */
/*@ assigns \nothing;
    ensures \false; */
void nowhere(void);
#define VCS_INVARIANT(condition) ((condition) ? (void)0 : nowhere())

/* A comparison tells the analyser nothing about what is not a number. */
/*@ assigns \nothing;
    ensures !\is_NaN(*place); */
void holds_number(const double *place);
#define VCS_IS_NUMBER(place) (holds_number(&(place)), 1)
