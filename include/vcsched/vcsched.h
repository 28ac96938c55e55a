/*
 * libvcsched: the scheduling policy of volunteer computing, as functions.
 *
 * This header includes all others. Each of them stands alone, so a program may include just what it uses.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_VCSCHED_H
#define VCSCHED_VCSCHED_H

/*
 * CONVENTIONS
 *
 * They hold for every function unless its own comment says otherwise.
 *
 * What the library is. Decisions and nothing else: it reads what it is given, and writes what it decided where it is
 * told to. It allocates no memory, reads no clock or file, draws no random number, starts no thread and keeps no
 * variable of its own. The time and every random draw are arguments. Of the C library it uses memcpy, memmove, memset
 * and memcmp.
 *
 * Units. Durations are seconds, times are seconds since an epoch of the caller's choice, the same one in all arguments.
 * Speeds are FLOPS, memory is bytes, work done of late is credits per day. Device seconds (what a task computes) and
 * wall seconds (what the clock shows) differ by the fraction of time in which the host computes; a comment says "device
 * seconds" where it means them. Fields that hold a duration or a time are doubles; so are numbers of instances, which
 * may be fractions.
 *
 * Errors. A function that can fail returns int: VCS_OK, which is 0, or a negative VCS_ERR_*. On an error nothing was
 * written, neither through an output pointer nor into a state, except the vcs_error that some functions take to say
 * which field of which record they refused. Functions that cannot fail return their answer.
 *
 * NULL. A pointer must not be NULL unless its comment allows it; it is VCS_ERR_NULL if it is. An array of no elements
 * may have a NULL base. Text that is returned is never NULL, has no owner and lives as long as the library is loaded.
 *
 * Undefined behaviour. The library checks all it can see. It cannot see whether a pointer is dangling, whether an array
 * is as long as its count says, or whether two threads use one state; those are for the caller to see to.
 *
 * Aliasing. An output must not overlap an input or another output. Inputs may overlap each other.
 *
 * Ownership. All memory is the caller's. Inputs are read during the call alone: no pointer is kept. What must live
 * longer is copied into memory that the caller gave for it, so there is nothing to release and no function that does.
 *
 * Threads. There is no shared data: any function may run in any number of threads at once, on different memory. Many
 * threads may read the same records and parameters. One vcs_state belongs to one thread at a time.
 *
 * Struct sizes. A single struct begins with struct_size, which its owner sets to sizeof of the struct; the function
 * then touches no byte beyond it. Elements of arrays have no such field; the size of an element is an argument or
 * stands in vcs_array. Sizes are multiples of 8 and at most 4096.
 *
 * Growth. Structs grow at the end alone, and 0 in a new field means what the library did before. So a program and a
 * library of different age work together: a shorter struct is completed with defaults; the bytes by which it is longer
 * must be 0, or the library would overlook what they mean, and says so with VCS_ERR_ABI_NEWER. The same holds for
 * reserved bytes. The bytes by which an output is longer are set to 0. Unknown flags and choices are VCS_ERR_FLAGS. A
 * function never changes its arguments, and a number never changes its meaning.
 *
 * Copying. Records, parameters and results hold no pointer, no padding and nothing that depends on the platform but its
 * byte order: copy and compare them with memcpy and memcmp. To keep them for years, save fields by name (see
 * vcs_field_at()), not the memory. A vcs_snapshot holds pointers to the caller's arrays. A vcs_state may be copied as a
 * whole to memory aligned to 8 bytes and used there, by the same build of the library.
 *
 * Ids and ties. Every record has a 64-bit id of the caller's. Between records that are otherwise equal the lower id
 * goes first, and sums run in the order of ids. So the order of records in an array changes no decision. References
 * from one record to another are indices into the arrays of the same vcs_snapshot.
 *
 * Infinity. Amounts are finite. +infinity means "never": a deadline that a task does not have, the finish of a task
 * that will not. NaN is always VCS_ERR_NOT_FINITE.
 *
 * Ordinary states. A deadline in the past, a clock that went back, a share of 0 everywhere, no task at all: they
 * happen, and have answers. They are not errors.
 *
 * Determinism. The same input gives the same output, byte for byte, on every platform with IEEE 754 doubles, whatever
 * the compiler and its level of optimisation. The library is compiled without contraction of floating-point expressions
 * and refuses to be compiled with -ffast-math. Callers must leave the rounding mode at "to nearest".
 *
 * Languages. There is no inline function, no macro with arguments, no exported variable, no struct by value and no
 * callback, so that a foreign function interface reaches everything. All text is ASCII.
 */

#include <vcsched/abi.h>
#include <vcsched/admit.h>
#include <vcsched/average.h>
#include <vcsched/backoff.h>
#include <vcsched/credibility.h>
#include <vcsched/debt.h>
#include <vcsched/dispatch.h>
#include <vcsched/edf.h>
#include <vcsched/estimate.h>
#include <vcsched/fetch.h>
#include <vcsched/job.h>
#include <vcsched/parameters.h>
#include <vcsched/pool.h>
#include <vcsched/priority.h>
#include <vcsched/quota.h>
#include <vcsched/reason.h>
#include <vcsched/record.h>
#include <vcsched/reply.h>
#include <vcsched/rpc.h>
#include <vcsched/schedule.h>
#include <vcsched/send.h>
#include <vcsched/state.h>
#include <vcsched/transition.h>
#include <vcsched/trust.h>
#include <vcsched/unit.h>
#include <vcsched/validate.h>
#include <vcsched/verify.h>
#include <vcsched/vote.h>
#include <vcsched/wrr.h>

#endif
