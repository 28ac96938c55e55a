/* SPDX-License-Identifier: MIT */
#include <vcsched/abi.h>

/* Each code once: its constant and what it means. */
#define CODES(C)                                                                                                       \
    C(VCS_OK, "success")                                                                                               \
    C(VCS_ERR_NULL, "a pointer that must not be NULL is NULL")                                                         \
    C(VCS_ERR_ABI_SIZE, "a struct or element size, or an alignment, that matches no known version")                    \
    C(VCS_ERR_ABI_OLDER, "a struct or record is smaller than its first version")                                       \
    C(VCS_ERR_ABI_NEWER, "a byte is set that this version of the library does not know")                               \
    C(VCS_ERR_FLAGS, "a flag or choice that this version of the library does not know")                                \
    C(VCS_ERR_NOT_FINITE, "a number is NaN or infinite")                                                               \
    C(VCS_ERR_RANGE, "a number is outside its range")                                                                  \
    C(VCS_ERR_INDEX, "an index refers to a record that does not exist")                                                \
    C(VCS_ERR_DUPLICATE, "two records for the same thing")                                                             \
    C(VCS_ERR_COUNT, "an array has too few or too many elements")                                                      \
    C(VCS_ERR_OVERFLOW, "the records do not fit in memory")                                                            \
    C(VCS_ERR_WORKSPACE, "the work memory is too small or not aligned to 8 bytes")                                     \
    C(VCS_ERR_UNSUPPORTED, "the chosen rule does not cover this state")                                                \
    C(VCS_ERR_SEQUENCE, "an earlier call that this one depends on is missing")                                         \
    C(VCS_ERR_ARITHMETIC, "this build or thread does not compute as others do")                                        \
    C(VCS_ERR_QUOTA, "more jobs than the quota leaves today")

typedef struct code_row {
    int code;
    char name[24];
    char meaning[80];
} code_row;
#define CODE_ROW(code, meaning) {code, #code, meaning},
/* C lets a text fill an array so that its closing 0 is left out. */
#define TEXTS_END(number, text)                                                                                        \
    _Static_assert(sizeof #number <= sizeof((code_row *)0)->name, #number);                                            \
    _Static_assert(sizeof(text) <= sizeof((code_row *)0)->meaning, text);
CODES(TEXTS_END)
static const code_row code_rows[] = {CODES(CODE_ROW)};

static const code_row *row_of(int code) {
    for (size_t i = 0; i < sizeof code_rows / sizeof *code_rows; i++) {
        if (code_rows[i].code == code) {
            return &code_rows[i];
        }
    }
    return NULL;
}

const char *vcs_strerror(int code) {
    const code_row *row = row_of(code);
    return row == NULL ? "unknown error" : row->meaning;
}

const char *vcs_error_name(int code) {
    const code_row *row = row_of(code);
    return row == NULL ? "unknown" : row->name;
}
