/*
 * Versions, errors, arrays and struct sizes: what every other header of libvcsched relies on.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_ABI_H
#define VCSCHED_ABI_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) && !defined(_WIN32)
#define VCS_API __attribute__((visibility("default")))
#else
#define VCS_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The version of this header; vcs_version() returns the version of the library at run time. The text also names a
 * candidate: 1.0.0-rc1 comes before 1.0.0.
 */
#define VCS_VERSION_MAJOR 1
#define VCS_VERSION_MINOR 0
#define VCS_VERSION_PATCH 0
#define VCS_VERSION "1.0.0-rc1"

/* The number in the soname. It changes only when programs must be rebuilt. */
#define VCS_ABI_VERSION 0

/* No record: the value of an index that refers to nothing, such as the application of a task that has none. */
#define VCS_NONE UINT32_MAX

/* How far a time may lie before or after the epoch where a comment says so, in seconds (about 31 million years). */
#define VCS_MAX_TIME 1e15

/*
 * What a function returns: VCS_OK, or one of the negative codes below. On an error nothing has been written, except to
 * the vcs_error that the caller may pass to learn what was wrong.
 */
#define VCS_OK 0
#define VCS_ERR_NULL (-1)        /* a pointer that must not be NULL is NULL */
#define VCS_ERR_ABI_SIZE (-2)    /* a size that no version of the struct has: 0, above 4096, or not a multiple of 8; or
                                    an array that is not aligned */
#define VCS_ERR_ABI_OLDER (-3)   /* a struct or record smaller than its first version: a mandatory field is missing */
#define VCS_ERR_ABI_NEWER (-4)   /* a reserved or unknown byte is not 0: the caller is newer */
#define VCS_ERR_FLAGS (-5)       /* a flag or a choice that this library does not know */
#define VCS_ERR_NOT_FINITE (-6)  /* NaN, or an infinity where infinity has no meaning */
#define VCS_ERR_RANGE (-7)       /* a number outside its range: a negative amount, a fraction above 1, 0 CPUs */
#define VCS_ERR_INDEX (-8)       /* a reference to a record that does not exist */
#define VCS_ERR_DUPLICATE (-9)   /* two records for the same thing */
#define VCS_ERR_COUNT (-10)      /* an array has too few or too many elements */
#define VCS_ERR_OVERFLOW (-11)   /* counts whose product does not fit in memory */
#define VCS_ERR_WORKSPACE (-12)  /* the work memory is too small or not aligned to 8 bytes */
#define VCS_ERR_UNSUPPORTED (-13) /* the chosen rule does not cover this state; the message says why */
#define VCS_ERR_SEQUENCE (-14)   /* called before the call that it depends on */
#define VCS_ERR_ARITHMETIC (-15) /* what vcs_self_test() finds: this build or thread does not compute as others do */
#define VCS_ERR_QUOTA (-16)      /* more jobs than the quota leaves today */

/*
 * Numbers for the structs of the interface: vcs_struct_size(), vcs_field_at() and vcs_error refer to structs by them.
 * Values are never reused.
 */
#define VCS_TYPE_NONE 0u
#define VCS_TYPE_ERROR 1u
#define VCS_TYPE_PARAMETERS 2u
#define VCS_TYPE_SNAPSHOT 3u
#define VCS_TYPE_HOST 4u
#define VCS_TYPE_RESOURCE 5u
#define VCS_TYPE_PROJECT 6u
#define VCS_TYPE_PROJECT_RESOURCE 7u
#define VCS_TYPE_APP 8u
#define VCS_TYPE_TASK 9u
#define VCS_TYPE_WRR_SUMMARY 10u
#define VCS_TYPE_TASK_FORECAST 11u
#define VCS_TYPE_RESOURCE_FORECAST 12u
#define VCS_TYPE_PROJECT_RESOURCE_FORECAST 13u
#define VCS_TYPE_EDF_SUMMARY 14u
#define VCS_TYPE_EDF_TASK 15u
#define VCS_TYPE_EDF_RESOURCE 16u
#define VCS_TYPE_ADMISSION 17u
#define VCS_TYPE_AVERAGE 18u
#define VCS_TYPE_DEBT 19u
#define VCS_TYPE_CORRECTION 20u
#define VCS_TYPE_PROGRESS 21u
#define VCS_TYPE_RESOURCE_BACKOFF 22u
#define VCS_TYPE_TRANSFER_BACKOFF 23u
#define VCS_TYPE_PROJECT_TIMER 24u
#define VCS_TYPE_PARAMETER_INFO 25u
#define VCS_TYPE_FIELD_INFO 26u
#define VCS_TYPE_REASON_INFO 27u
#define VCS_TYPE_RANK_ENTRY 28u
#define VCS_TYPE_BACKOFF_RANGE 29u
#define VCS_TYPE_RANKING 30u
#define VCS_TYPE_DEBT_INTERVAL 31u
#define VCS_TYPE_USABLE 32u
#define VCS_TYPE_SCHEDULE_SUMMARY 33u
#define VCS_TYPE_TASK_DECISION 34u
#define VCS_TYPE_RESOURCE_DECISION 35u
#define VCS_TYPE_FETCH_QUESTION 36u
#define VCS_TYPE_FETCH_SUMMARY 37u
#define VCS_TYPE_FETCH_DECISION 38u
#define VCS_TYPE_REPLY 39u
#define VCS_TYPE_RESOURCE_REPLY 40u
#define VCS_TYPE_CANDIDATE 41u /* a vcs_task in vcs_snapshot.candidates: the struct VCS_TYPE_TASK, called "candidate" */
#define VCS_TYPE_RPC_PROJECT 42u
#define VCS_TYPE_RPC_SESSION 43u
#define VCS_TYPE_RPC_SITUATION 44u
#define VCS_TYPE_RPC_ACTION 45u
#define VCS_TYPE_RPC_OUTCOME 46u
#define VCS_TYPE_APP_RESOURCE 47u
#define VCS_TYPE_UNIT 50u
#define VCS_TYPE_RESULT 51u
#define VCS_TYPE_CHANGE 52u
#define VCS_TYPE_UNIT_EVENT 53u
#define VCS_TYPE_LESSON 54u
#define VCS_TYPE_SPELLS 60u
#define VCS_TYPE_GIVE_UP_TERMS 61u
#define VCS_TYPE_ADMIT_TERMS 62u
#define VCS_TYPE_HOUR 63u
#define VCS_TYPE_CHECK 70u
#define VCS_TYPE_VERDICT 71u
#define VCS_TYPE_BALLOT 72u
#define VCS_TYPE_BALLOT_VERDICT 73u
#define VCS_TYPE_VOTE_TERMS 74u
#define VCS_TYPE_VOTE_SUMMARY 75u
#define VCS_TYPE_TRUST 76u
#define VCS_TYPE_QUOTA 77u
#define VCS_TYPE_CLIENT 78u
#define VCS_TYPE_DISPATCH_JOB 79u
#define VCS_TYPE_PACE 80u
#define VCS_TYPE_DISPATCH_RULES 81u
#define VCS_TYPE_DISPATCH_DECISION 82u
#define VCS_TYPE_REPLY_TIMES 83u
#define VCS_TYPE_POOL_CLIENT 84u
#define VCS_TYPE_POOL_SUMMARY 85u
#define VCS_TYPE_SEND_REQUEST 90u
#define VCS_TYPE_SEND_JOB 91u
#define VCS_TYPE_SEND_LIMITS 92u
#define VCS_TYPE_SEND_DECISION 93u
#define VCS_TYPE_SEND_SUMMARY 94u
#define VCS_TYPE_NEXT_REQUEST 95u
#define VCS_TYPE_COUNT 96u /* one more than the largest; there are gaps. The emulator's begin at 1000 */

/*
 * Where and why an input was refused. Optional everywhere: pass NULL if the code is enough.
 *
 * The caller sets struct_size to sizeof(vcs_error); the library writes only inside that size, and only on an error.
 * If struct_size is left at 0, every call is refused with VCS_ERR_ABI_SIZE, without a message.
 */
typedef struct vcs_error {
    uint32_t struct_size; /* bytes; set by the caller */
    int32_t code;         /* the value that the function returned */
    uint32_t type;        /* VCS_TYPE_* of the struct or record at fault; VCS_TYPE_NONE if it is none of these */
    uint32_t offset;      /* byte offset of the field inside it */
    uint64_t index;       /* which element of its array; 0 for a single struct */
    char field[32];       /* name of the field; empty if the whole record is at fault */
    char message[192];    /* one sentence for a person, such as "task 17: remaining is negative" */
} vcs_error;

/*
 * An array of records: where it begins, the size of one element, how many there are. The element size lets programs and
 * libraries of different versions work together; a program passes sizeof of the record type: {{tasks}, sizeof *tasks,
 * count} in C and in C++. 16 bytes.
 */
typedef struct vcs_array {
    union {
        const void *base;      /* the first element, aligned to 8 bytes; may be NULL if count is 0 */
        void *out;             /* the same pointer, where the library writes the elements */
        uint64_t base_as_bits; /* not read; gives the struct the same layout whatever the size of a pointer */
    };
    uint32_t element_size; /* bytes from one element to the next: a multiple of 8, up to 4096; ignored if count is 0 */
    uint32_t count;        /* elements */
} vcs_array;

/*
 * One field of one struct, as the library was compiled. A binding compares these with the layout it was compiled for
 * when it is loaded.
 */
typedef struct vcs_field_info {
    uint32_t struct_size; /* bytes; set by the caller */
    uint32_t type;        /* VCS_TYPE_* of the struct */
    uint32_t offset;      /* bytes from the start of the struct */
    uint32_t size;        /* bytes of the field, all elements together */
    char kind[8];         /* "f64", "u64", "i64", "u32", "i32", or "bytes" for an array */
    char name[40];        /* as in the header */
    char unit[24];        /* "s", "FLOPS", "instances", ...; empty for a plain number */
    double minimum;       /* smallest accepted value; -infinity if there is no bound */
    double maximum;       /* largest accepted value; +infinity if there is no bound */
} vcs_field_info;

/* The library's version as text, "0.1.0". Never NULL. Thread-safe. O(1). */
VCS_API const char *vcs_version(void);

/* VCS_ABI_VERSION of the library at run time. Thread-safe. O(1). */
VCS_API uint32_t vcs_abi_version(void);

/*
 * Whether this build, in this thread, computes as every other one does: one look at known answers, for the start of a
 * program. If not, decisions may differ from other machines.
 *
 * error   its message says what is wrong, and its field names it: literals, rounding, products, specials (NaN,
 *         infinity, -0), sums, quotients, functions or, if only these are wrong, denormals, which the thread flushes to
 *         0. With denormals alone decisions stay the same, unless a number that is passed is denormal or a simulation
 *         looks decades ahead, by which time recent work has decayed to a denormal number. May be NULL
 *
 * Returns VCS_OK, VCS_ERR_ABI_SIZE, VCS_ERR_ABI_OLDER or VCS_ERR_ARITHMETIC. Thread-safe; it judges the thread that
 * calls it. O(1): less than a microsecond.
 */
VCS_API int vcs_self_test(vcs_error *error);

/* What an error code means, as an English phrase; unknown codes have one, too. Never NULL. Thread-safe. O(1). */
VCS_API const char *vcs_strerror(int code);

/* Name of the constant of an error code, such as "VCS_ERR_RANGE"; "unknown" for any other number. Thread-safe. O(1). */
VCS_API const char *vcs_error_name(int code);

/* Size in bytes of the struct VCS_TYPE_*, as the library knows it; 0 for an unknown type. Thread-safe. O(1). */
VCS_API uint32_t vcs_struct_size(uint32_t type);

/* Name of the struct VCS_TYPE_* without its prefix, such as "task"; "" for an unknown type. Thread-safe. O(1). */
VCS_API const char *vcs_struct_name(uint32_t type);

/* How many fields the struct VCS_TYPE_* has, reserved ones included; 0 for an unknown type. Thread-safe. O(fields). */
VCS_API uint32_t vcs_field_count(uint32_t type);

/*
 * Describes field number `index` (0 ... vcs_field_count(type) - 1, in order of offset) of the struct VCS_TYPE_*.
 *
 * Returns VCS_OK, VCS_ERR_NULL, VCS_ERR_ABI_SIZE, VCS_ERR_ABI_OLDER or VCS_ERR_INDEX. Thread-safe. O(fields).
 */
VCS_API int vcs_field_at(uint32_t type, uint32_t index, vcs_field_info *info);

#ifdef __cplusplus
}
#endif

#endif
