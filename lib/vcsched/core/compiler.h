/*
 * Hints that make the library faster or smaller, for compilers that understand them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_COMPILER_H
#define VCS_CORE_COMPILER_H

#if defined(__GNUC__)
/* Memory at this address will soon be read. */
#define VCS_FETCH_AHEAD(address) __builtin_prefetch(address)
/* Memory at this address will soon be written. */
#define VCS_FETCH_TO_WRITE(address) __builtin_prefetch(address, 1)
#define VCS_NOT_INLINE __attribute__((noinline))
/* Called seldom, mostly to refuse: the compiler makes the function small rather than fast. */
#define VCS_COLD __attribute__((cold))
/* All calls in the function are inlined, for a loop over records that is worth it. */
#define VCS_FLATTEN __attribute__((flatten))
#else
#define VCS_FETCH_AHEAD(address) ((void)(address))
#define VCS_FETCH_TO_WRITE(address) ((void)(address))
#define VCS_NOT_INLINE
#define VCS_COLD
#define VCS_FLATTEN
#endif

/* Forced, because compilers judge the length of a function before they insert constant arguments. */
#if defined(__GNUC__) && defined(__OPTIMIZE__)
#define VCS_INLINE static inline __attribute__((always_inline))
#else
#define VCS_INLINE static inline
#endif

#endif
