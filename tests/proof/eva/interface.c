/*
 * The functions that tell about structs, fields, parameters, reasons and codes, for any number.
 *
 * SPDX-License-Identifier: MIT
 */
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

int main(void) {
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
    return 0;
}
