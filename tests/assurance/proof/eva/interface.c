/*
 * The functions that tell about structs, fields, parameters, reasons and codes, for any number; and those that set and
 * read parameters, on any bytes.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcsched/core/number.c lib/vcsched/interface/*/*.c
#include <vcsched/vcsched.h>

#include "any.h"

int code;

/* One by one, because the analyser does not remember which table has how many rows. */
#define MOST_ROWS 120

static void tell_of_structs(void) {
    vcs_field_info field = {.struct_size = sizeof field};
    /*@ loop unroll 120; */
    for (uint32_t type = 0; type < MOST_ROWS; type++) {
        code = vcs_field_at(type, ANY_U32(), &field);
    }
}

static void tell_of_parameters(void) {
    const char *text;
    vcs_parameter_info parameter = {.struct_size = sizeof parameter};
    /*@ loop unroll 120; */
    for (uint32_t index = 0; index < MOST_ROWS; index++) {
        code = vcs_parameter_at(index, &parameter);
        text = vcs_parameter_choice(index, ANY_U32());
    }
    text = vcs_profile_name(ANY_U32());
}

#define LONGEST_NAME 40

static void find_parameter(void) {
    ANY_ARRAY(char, name, LONGEST_NAME + 1);
    name[LONGEST_NAME] = '\0';
    uint32_t index = vcs_parameter_find(name);
}

static void use_parameters(void) {
    vcs_parameters begun;
    MAY_PASS(vcs_parameters_init(&begun, sizeof begun, ANY_U32()));
    ANY(vcs_parameters, given);
    given.struct_size = sizeof given;
    MAY_PASS(vcs_parameters_check(&given, NOBODY));
    double value;
    /*@ loop unroll 120; */
    for (uint32_t index = 0; index < MOST_ROWS; index++) {
        code = vcs_parameter_get(&given, index, &value);
        code = vcs_parameter_set(&given, index, ANY_FINITE());
    }
    MAY_PASS(vcs_parameter_set(&given, 0, ANY_FINITE()));
}

static void tell(void) {
    const char *text;
    uint32_t number = vcs_abi_version();
    text = vcs_version();
    text = vcs_strerror(Frama_C_int_interval(INT32_MIN, INT32_MAX));
    text = vcs_error_name(Frama_C_int_interval(INT32_MIN, INT32_MAX));
    number = vcs_struct_size(ANY_U32());
    text = vcs_struct_name(ANY_U32());
    number = vcs_field_count(ANY_U32());
    tell_of_structs();
    number = vcs_parameter_count();
    tell_of_parameters();
    number = vcs_reason_count();
    vcs_reason_info reason = {.struct_size = sizeof reason};
    code = vcs_reason_at(ANY_U32(), &reason);
    text = vcs_reason_name(ANY_U32());
    text = vcs_reason_sentence(ANY_U32());
}

int main(void) {
    switch (Frama_C_interval(0, 2)) {
    case 0:
        tell();
        break;
    case 1:
        find_parameter();
        break;
    default:
        use_parameters();
    }
    return 0;
}
