/*
 * libvcsched: the scheduling policy of volunteer computing, as functions.
 *
 * This header includes all others. Each of them stands alone, so a program can include only what it uses.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_VCSCHED_H
#define VCSCHED_VCSCHED_H

/*
 * CONVENTIONS
 *
 * These hold for every function unless its own comment says otherwise.
 *
 * What the library is. It makes decisions and nothing else: it reads its arguments and writes its answer to memory that
 * the caller provides. It allocates nothing, reads no clock or file, draws no random numbers, starts no threads and has
 * no variables of its own. The time and every random draw are arguments. Of the C library it uses only memcpy, memmove,
 * memset and memcmp.
 *
 * Units. Durations are in seconds; times are seconds since an epoch of the caller's choice, the same one in all
 * arguments. Speeds are in FLOPS, memory in bytes, recent work (REC) in credits per day. Device seconds (what a task
 * computes) and wall seconds (what the clock shows) differ by the fraction of time in which the host computes; a
 * comment says "device seconds" where it means them. Durations and times are doubles, and so are numbers of instances,
 * which may be fractions.
 *
 * Errors. A function that can fail returns int: VCS_OK, which is 0, or a negative VCS_ERR_*. On an error nothing has
 * been written, neither through an output pointer nor into a state, except the vcs_error that some functions take to
 * say which field of which record they refused. Functions that cannot fail return their answer.
 *
 * Order of arguments. First the object that the function acts on, then its inputs, then parameters or rules, then `now`
 * and the random draw `u`, then outputs, and last the vcs_error. No function takes more than eight.
 *
 * Arrays. An array of records is one argument, a const vcs_array *, whether the library reads the elements or writes
 * them; "vcs_task[]" in a comment names the type of an element. `base` points to the elements, aligned to 8 bytes, and
 * `element_size` is sizeof of that type in the caller. "out:" marks an array that is written, through the pointer in
 * the vcs_array, and "in/out:" one that is updated; the vcs_array itself never changes. An array of plain numbers is a
 * pointer to the first; a comment says how many there are.
 *
 * Truth. Booleans are uint32_t, 1 for yes and 0 for no, in arguments, fields and answers.
 *
 * NULL. A pointer must not be NULL unless its comment allows it; otherwise NULL is VCS_ERR_NULL. The vcs_array of an
 * array without elements must be there, too, but its base may be NULL. Returned strings are static: never NULL, and
 * never to be freed.
 *
 * Undefined behaviour. The library checks everything it can see. It cannot see whether a pointer is dangling, whether
 * an array is as long as its count says, or whether two threads use one state; the caller must take care of those.
 *
 * Aliasing. An output must not overlap an input or another output. Inputs may overlap each other.
 *
 * Ownership. All memory is the caller's. Inputs are read only during the call, and no pointer is kept. Whatever must
 * live longer is copied into memory that the caller provided for it, so there is nothing to release.
 *
 * Threads. There is no shared data: any function may run in any number of threads at the same time, on different
 * memory. Many threads may read the same records and parameters. One vcs_state belongs to one thread at a time.
 *
 * Struct sizes. A single struct begins with struct_size, which its owner sets to sizeof of the struct; the function
 * then touches no byte beyond it. If you copy a struct that a callback received, set struct_size of the copy: the
 * library's own may be longer. Array elements have no such field: vcs_array.element_size is their size. Sizes are
 * multiples of 8, up to 4096.
 *
 * Frozen records. These are passed without a struct_size or an element size, because callers keep them for years or in
 * arrays of their own, or receive them in a callback: vcs_array, vcs_average, vcs_change, vcs_client, vcs_correction,
 * vcs_debt, vcs_dispatch_job, vcs_event, vcs_fetch_decision, vcs_pace, vcs_project_timer, vcs_quota,
 * vcs_resource_backoff, vcs_result, vcs_rpc_session, vcs_spells, vcs_sweep_axis, vcs_task_decision,
 * vcs_transfer_backoff, vcs_trust, vcs_unit, vcs_usable. Their size never changes: new fields only take the place of
 * reserved bytes.
 *
 * Growth. All other structs grow only at the end, and 0 in a new field means what the library did before. So a program
 * and a library of different versions work together: a shorter struct is completed with defaults. In a longer one the
 * extra bytes must be 0; otherwise the library would ignore something that matters, and returns VCS_ERR_ABI_NEWER
 * instead. The same holds for reserved bytes. The extra bytes of a longer output are set to 0. Unknown flags and
 * choices are VCS_ERR_FLAGS. A function never changes its signature, and a constant never changes its value or its
 * meaning, except VCS_VERSION_* and the counts: VCS_TYPE_COUNT, VCS_PROFILE_COUNT, VCS_EVENT_KINDS, VCS_IDLE_REASONS
 * and VCS_BOUND_KINDS say how many there are, and grow.
 *
 * Copying. Records, parameters and results hold no pointers, no padding, and nothing that depends on the platform
 * except byte order: copy and compare them with memcpy and memcmp. To keep them for years, save fields by name (see
 * vcs_field_at()), not the memory. A vcs_snapshot holds pointers to the caller's arrays. A vcs_state may be copied as a
 * whole to memory aligned to 8 bytes and used there, by the same build of the library.
 *
 * Ids and ties. Every record has a 64-bit id of the caller's. Of two records that are otherwise equal, the lower id
 * goes first, and sums are taken in the order of ids. So the order of records in an array changes no decision.
 * References from one record to another are indices into the arrays of the same vcs_snapshot.
 *
 * Infinity. Amounts are finite. +infinity means "never": the deadline of a task without one, the finish of a task that
 * will not finish. NaN is always VCS_ERR_NOT_FINITE.
 *
 * Ordinary states. A deadline in the past, a clock that was set back, a share of 0 everywhere, no tasks at all: these
 * happen, and they have answers. They are not errors.
 *
 * Determinism. The same input gives the same output, byte for byte, on every platform with IEEE 754 doubles, whatever
 * the compiler and its optimisation level. The library is compiled without contraction of floating-point expressions
 * and refuses to be compiled with -ffast-math. Callers must leave the rounding mode at "to nearest": in another one all
 * calls are as safe, but last digits differ. Threads may flush denormal numbers to 0, if they pass none: decisions stay
 * the same, but what is simulated for more than a thousand half-lives of REC ahead, 28 years as a rule, may come in
 * another order. vcs_self_test() tells what does not hold.
 *
 * Languages. There are no inline functions, no macros with arguments, no exported variables, no structs passed by value
 * and no callbacks, so a foreign function interface reaches everything. All text is ASCII.
 */

#include <vcsched/abi.h>
#include <vcsched/accounts.h>
#include <vcsched/chance.h>
#include <vcsched/dispatch.h>
#include <vcsched/fetch.h>
#include <vcsched/host.h>
#include <vcsched/parameters.h>
#include <vcsched/reason.h>
#include <vcsched/schedule.h>
#include <vcsched/send.h>
#include <vcsched/simulation.h>
#include <vcsched/timers.h>
#include <vcsched/unit.h>
#include <vcsched/verify.h>

#endif
