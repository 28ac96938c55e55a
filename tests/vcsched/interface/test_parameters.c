/*
 * Parameters: profiles, the table of all parameters, and the checks.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <vcsched/chance.h>
#include <vcsched/parameters.h>

#include "vcsched/interface/check/check.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* What a struct of any age has: size, flags, profile and one choice. */
#define LEAST_SIZE 16u

static vcs_parameters profile(uint32_t number) {
    vcs_parameters parameters;
    assert_int_equal(vcs_parameters_init(&parameters, sizeof parameters, number), VCS_OK);
    return parameters;
}

static vcs_parameter_info row(uint32_t index) {
    vcs_parameter_info info = {.struct_size = sizeof info};
    assert_int_equal(vcs_parameter_at(index, &info), VCS_OK);
    return info;
}

static vcs_field_info field(uint32_t index) {
    vcs_field_info info = {.struct_size = sizeof info};
    assert_int_equal(vcs_field_at(VCS_TYPE_PARAMETERS, index, &info), VCS_OK);
    return info;
}

/* ---- Profiles ---- */

static void profiles_have_names(void **unused) {
    (void)unused;
    assert_string_equal(vcs_profile_name(VCS_PROFILE_RPC2003), "rpc2003");
    assert_string_equal(vcs_profile_name(VCS_PROFILE_STUDY2007), "study2007");
    assert_string_equal(vcs_profile_name(VCS_PROFILE_CURRENT), "current");
    assert_string_equal(vcs_profile_name(VCS_PROFILE_STEADY), "steady");
    assert_string_equal(vcs_profile_name(VCS_PROFILE_COUNT), "");
    assert_string_equal(vcs_profile_name(UINT32_MAX), "");
}

static void profiles_are_valid(void **unused) {
    (void)unused;
    for (uint32_t number = 0; number < VCS_PROFILE_COUNT; number++) {
        vcs_parameters parameters = profile(number);
        assert_int_equal(parameters.struct_size, sizeof parameters);
        assert_int_equal(parameters.flags, 0);
        assert_int_equal(parameters.profile, number);
        assert_int_equal(vcs_parameters_check(&parameters, NULL), VCS_OK);
    }
}

/* What makes the profiles what they are. */
static void choices_of_the_profiles(void **unused) {
    (void)unused;
    vcs_parameters rpc = profile(VCS_PROFILE_RPC2003);
    assert_int_equal(rpc.discipline, VCS_DISCIPLINE_FLUID);
    assert_int_equal(rpc.estimate, VCS_ESTIMATE_STATIC);
    assert_int_equal(rpc.backoff_rule, VCS_BACKOFF_EXPONENT);
    assert_int_equal(rpc.use_dcf, 0);
    assert_true(fabs(rpc.average_rate * 7 * 86400 - 1) < 1e-15);

    vcs_parameters study = profile(VCS_PROFILE_STUDY2007);
    assert_int_equal(study.discipline, VCS_DISCIPLINE_FLUID);
    assert_int_equal(study.estimate, VCS_ESTIMATE_STUDY);
    assert_int_equal(study.backoff_rule, VCS_BACKOFF_UNIFORM);
    assert_int_equal(study.use_dcf, 1);
    assert_int_equal(study.cushion_min_buffer, 0);
    assert_true(study.miss_fraction == 0.9);
    assert_true(study.period == 3600);
    assert_true(study.min_buffer == 8640 && study.additional_buffer == 21600);

    vcs_parameters current = profile(VCS_PROFILE_CURRENT);
    assert_int_equal(current.discipline, VCS_DISCIPLINE_SLICED);
    assert_int_equal(current.accounting, VCS_ACCOUNTING_GLOBAL);
    assert_int_equal(current.estimate, VCS_ESTIMATE_BLEND);
    assert_int_equal(current.backoff_rule, VCS_BACKOFF_DOUBLING);
    assert_int_equal(current.cushion_min_buffer, 1);
    assert_true(current.deadline_cushion == 180);
    assert_true(current.rec_half_life == 864000);
    assert_true(current.backoff_min == 60 && current.backoff_max == 14400);
    assert_true(current.resource_backoff_min == 600 && current.resource_backoff_max == 86400);
    assert_true(current.transfer_give_up == 90 * 86400.0);
    for (uint32_t number = 0; number < VCS_PROFILE_COUNT; number++) {
        vcs_parameters any = profile(number);
        assert_int_equal(any.deadline_origin, VCS_ORIGIN_NOW);
        assert_int_equal(any.step_budget, 0);
        assert_true(any.horizon == 0);
        assert_true(any.bump == 3600);
    }
}

/* The better policy is the deployed one with its rules switched on, and nothing else. */
static void steady_is_current_with_the_better_rules(void **unused) {
    (void)unused;
    vcs_parameters expected = profile(VCS_PROFILE_CURRENT), steady = profile(VCS_PROFILE_STEADY);
    expected.profile = VCS_PROFILE_STEADY;
    expected.use_dcf = VCS_DCF_MEAN;
    expected.report_risk = 0.01;
    expected.give_up = VCS_GIVE_UP_BY_SIZE;
    expected.give_up_below = 0.9;
    expected.keep_running = 1;
    expected.work_send = VCS_WORK_SEND_BY_CHANCE;
    expected.work_fetch = VCS_WORK_FETCH_OWED;
    assert_memory_equal(&steady, &expected, sizeof steady);
}

static void init_refuses(void **unused) {
    (void)unused;
    vcs_parameters parameters, before;
    memset(&parameters, 0xa5, sizeof parameters);
    before = parameters;
    assert_int_equal(vcs_parameters_init(NULL, sizeof parameters, 0), VCS_ERR_NULL);
    assert_int_equal(vcs_parameters_init(&parameters, 0, 0), VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_parameters_init(&parameters, sizeof parameters - 4, 0), VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_parameters_init(&parameters, 4104, 0), VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_parameters_init(&parameters, LEAST_SIZE - 8, 0), VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_parameters_init(&parameters, sizeof parameters, VCS_PROFILE_COUNT), VCS_ERR_FLAGS);
    assert_memory_equal(&parameters, &before, sizeof parameters);
}

/* A newer program has a longer struct: what the library does not know is 0, and then it is valid. */
static void init_of_a_newer_struct(void **unused) {
    (void)unused;
    struct {
        vcs_parameters known;
        uint64_t newer[3];
    } longer;
    memset(&longer, 0xa5, sizeof longer);
    assert_int_equal(vcs_parameters_init(&longer.known, sizeof longer, VCS_PROFILE_CURRENT), VCS_OK);
    assert_int_equal(longer.known.struct_size, sizeof longer);
    for (size_t i = 0; i < COUNT_OF(longer.newer); i++) {
        assert_true(longer.newer[i] == 0);
    }
    assert_int_equal(vcs_parameters_check(&longer.known, NULL), VCS_OK);
    assert_int_equal(vcs_parameter_set(&longer.known, vcs_parameter_find("period"), 60), VCS_OK);
    longer.newer[2] = 1;
    assert_int_equal(vcs_parameters_check(&longer.known, NULL), VCS_ERR_ABI_NEWER);
}

/* ---- An older program has a shorter struct, in memory that ends with it ---- */

static vcs_parameters *shorter(uint32_t size, uint32_t number) {
    volatile size_t unknown_to_the_compiler = size; /* which would warn of the fields that are not there */
    vcs_parameters *parameters = malloc(unknown_to_the_compiler);
    assert_non_null(parameters);
    assert_int_equal(vcs_parameters_init(parameters, size, number), VCS_OK);
    assert_int_equal(parameters->struct_size, size);
    assert_int_equal(parameters->profile, number);
    return parameters;
}

/* The part that is there counts as it is, the rest as the profile has it. */
static void takes_the_rest_from_the_profile(uint32_t size, uint32_t number) {
    vcs_parameters *parameters = shorter(size, number), expected = profile(number), taken;
    expected.struct_size = size;
    expected.discipline = parameters->discipline = !parameters->discipline;
    if (size > offsetof(vcs_parameters, period)) {
        expected.period = parameters->period = 1234;
    }
    assert_int_equal(vcs_parameters_check(parameters, NULL), VCS_OK);
    assert_int_equal(vcs_parameters_copy(&taken, parameters, NULL), VCS_OK);
    assert_memory_equal(&taken, &expected, sizeof expected);
    for (uint32_t i = 0; i < vcs_parameter_count(); i++) {
        double value = -1, wanted = -2;
        assert_int_equal(vcs_parameter_get(parameters, i, &value), VCS_OK);
        expected.struct_size = sizeof expected;
        assert_int_equal(vcs_parameter_get(&expected, i, &wanted), VCS_OK);
        assert_true(value == wanted);
    }
    free(parameters);
}

static void sets_only_what_is_there(uint32_t size, uint32_t number) {
    vcs_parameters *parameters = shorter(size, number);
    for (uint32_t i = 0; i < vcs_parameter_count(); i++) {
        vcs_parameter_info info = row(i);
        double value = -1;
        int is_there = info.offset < size;
        assert_int_equal(vcs_parameter_set(parameters, i, info.maximum), is_there ? VCS_OK : VCS_ERR_ABI_OLDER);
        assert_int_equal(vcs_parameter_get(parameters, i, &value), VCS_OK);
        assert_true(value == (is_there ? info.maximum : info.value[number]));
    }
    free(parameters);
}

static void an_older_struct_has_the_rest_from_its_profile(void **unused) {
    (void)unused;
    for (uint32_t number = 0; number < VCS_PROFILE_COUNT; number++) {
        for (uint32_t size = LEAST_SIZE; size <= sizeof(vcs_parameters); size += 8) {
            takes_the_rest_from_the_profile(size, number);
            sets_only_what_is_there(size, number);
        }
    }
}

static void an_older_struct_of_an_unknown_profile(void **unused) {
    (void)unused;
    vcs_parameters *parameters = shorter(LEAST_SIZE, VCS_PROFILE_CURRENT);
    vcs_error error = {.struct_size = sizeof error};
    double value = 12.5;
    parameters->profile = VCS_PROFILE_COUNT;
    assert_int_equal(vcs_parameters_check(parameters, &error), VCS_ERR_FLAGS);
    assert_string_equal(error.field, "profile");
    assert_int_equal(vcs_parameter_get(parameters, vcs_parameter_find("period"), &value), VCS_ERR_FLAGS);
    assert_true(value == 12.5);
    assert_int_equal(vcs_parameter_get(parameters, vcs_parameter_find("discipline"), &value), VCS_OK);
    assert_true(value == VCS_DISCIPLINE_SLICED);
    parameters->profile = UINT32_MAX; /* no table reaches as far */
    assert_int_equal(vcs_parameters_check(parameters, &error), VCS_ERR_FLAGS);
    free(parameters);
}

/* ---- The table ---- */

/* A row for every field but the size, the flags and the profile; same order, same names. */
static void table_is_the_struct(void **unused) {
    (void)unused;
    const uint32_t before = 3;
    assert_int_equal(before + vcs_parameter_count(), vcs_field_count(VCS_TYPE_PARAMETERS));
    for (uint32_t i = 0; i < vcs_parameter_count(); i++) {
        vcs_parameter_info info = row(i);
        vcs_field_info there = field(before + i);
        assert_int_equal(info.struct_size, sizeof info);
        assert_string_equal(info.name, there.name);
        assert_string_equal(info.unit, there.unit);
        assert_int_equal(info.offset, there.offset);
        assert_true(info.minimum == there.minimum && info.maximum == there.maximum);
        assert_string_equal(there.kind, info.kind == VCS_PARAMETER_AMOUNT ? "f64" : "u32");
        assert_true(strlen(info.about) > 5 && strlen(info.about) < sizeof info.about);
        assert_int_equal(vcs_parameter_find(info.name), i);
    }
    assert_int_equal(row(vcs_parameter_find("discipline")).offset, offsetof(vcs_parameters, discipline));
    assert_int_equal(row(vcs_parameter_find("step_budget")).offset, offsetof(vcs_parameters, step_budget));
    assert_int_equal(row(vcs_parameter_find("transfer_give_up")).offset, offsetof(vcs_parameters, transfer_give_up));
}

static void table_has_the_values_of_the_profiles(void **unused) {
    (void)unused;
    for (uint32_t number = 0; number < VCS_PROFILE_COUNT; number++) {
        vcs_parameters parameters = profile(number);
        for (uint32_t i = 0; i < vcs_parameter_count(); i++) {
            vcs_parameter_info info = row(i);
            double value = -1;
            assert_int_equal(vcs_parameter_get(&parameters, i, &value), VCS_OK);
            assert_true(value == info.value[number]);
            assert_true(info.minimum <= value && value <= info.maximum);
        }
    }
    assert_true(row(0).value[VCS_PROFILE_COUNT] == 0);
}

/* Choices have as many names as values, each its own; what is no choice has none. */
static void choices_have_names(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < vcs_parameter_count(); i++) {
        vcs_parameter_info info = row(i);
        if (info.kind != VCS_PARAMETER_CHOICE) {
            assert_int_equal(info.choices, 0);
            assert_string_equal(vcs_parameter_choice(i, 0), "");
            continue;
        }
        uint32_t first = (uint32_t)info.minimum, last = (uint32_t)info.maximum;
        assert_int_equal(info.choices, last - first + 1);
        for (uint32_t value = first; value <= last; value++) {
            assert_string_not_equal(vcs_parameter_choice(i, value), "");
            for (uint32_t other = first; other < value; other++) {
                assert_string_not_equal(vcs_parameter_choice(i, value), vcs_parameter_choice(i, other));
            }
        }
        assert_string_equal(vcs_parameter_choice(i, last + 1), "");
        assert_string_equal(vcs_parameter_choice(i, UINT32_MAX), "");
    }
    assert_string_equal(vcs_parameter_choice(vcs_parameter_find("discipline"), VCS_DISCIPLINE_SLICED), "sliced");
    assert_string_equal(vcs_parameter_choice(vcs_parameter_find("backoff_rule"), VCS_BACKOFF_UNIFORM), "uniform");
    assert_string_equal(vcs_parameter_choice(vcs_parameter_find("backoff_rule"), 0), "");
    assert_string_equal(vcs_parameter_choice(vcs_parameter_count(), 0), "");
}

static void names_that_do_not_exist(void **unused) {
    (void)unused;
    assert_int_equal(vcs_parameter_find(NULL), VCS_NONE);
    assert_int_equal(vcs_parameter_find(""), VCS_NONE);
    assert_int_equal(vcs_parameter_find("perio"), VCS_NONE);
    assert_int_equal(vcs_parameter_find("periods"), VCS_NONE);
    assert_int_equal(vcs_parameter_find("Period"), VCS_NONE);
    assert_int_equal(vcs_parameter_find("struct_size"), VCS_NONE);
}

static void rows_that_do_not_exist(void **unused) {
    (void)unused;
    vcs_parameter_info info = {.struct_size = sizeof info, .kind = 77}, before = info;
    assert_int_equal(vcs_parameter_at(vcs_parameter_count(), &info), VCS_ERR_INDEX);
    assert_memory_equal(&info, &before, sizeof info);
    assert_int_equal(vcs_parameter_at(0, NULL), VCS_ERR_NULL);
}

/* ---- Reading and changing one ---- */

static void set_and_get(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < vcs_parameter_count(); i++) {
        vcs_parameter_info info = row(i);
        const double values[] = {info.minimum, info.maximum, info.value[VCS_PROFILE_STUDY2007]};
        vcs_parameters parameters = profile(VCS_PROFILE_CURRENT);
        for (size_t k = 0; k < COUNT_OF(values); k++) {
            double value = -1;
            assert_int_equal(vcs_parameter_set(&parameters, i, values[k]), VCS_OK);
            assert_int_equal(vcs_parameter_get(&parameters, i, &value), VCS_OK);
            assert_true(value == values[k]);
        }
        /* and no other was touched */
        assert_int_equal(vcs_parameter_set(&parameters, i, info.value[VCS_PROFILE_CURRENT]), VCS_OK);
        vcs_parameters fresh = profile(VCS_PROFILE_CURRENT);
        assert_memory_equal(&parameters, &fresh, sizeof fresh);
    }
}

static void set_refuses(void **unused) {
    (void)unused;
    const vcs_parameters before = profile(VCS_PROFILE_CURRENT);
    vcs_parameters parameters = before;
    for (uint32_t i = 0; i < vcs_parameter_count(); i++) {
        vcs_parameter_info info = row(i);
        assert_int_equal(vcs_parameter_set(&parameters, i, nextafter(info.minimum, -INFINITY)), VCS_ERR_RANGE);
        assert_int_equal(vcs_parameter_set(&parameters, i, nextafter(info.maximum, INFINITY)), VCS_ERR_RANGE);
        assert_int_equal(vcs_parameter_set(&parameters, i, -1), VCS_ERR_RANGE);
        assert_int_equal(vcs_parameter_set(&parameters, i, NAN), VCS_ERR_NOT_FINITE);
        assert_int_equal(vcs_parameter_set(&parameters, i, INFINITY), VCS_ERR_NOT_FINITE);
        assert_int_equal(vcs_parameter_set(&parameters, i, -INFINITY), VCS_ERR_NOT_FINITE);
        if (info.kind != VCS_PARAMETER_AMOUNT) {
            assert_int_equal(vcs_parameter_set(&parameters, i, info.minimum + 0.5), VCS_ERR_RANGE);
        }
    }
    assert_int_equal(vcs_parameter_set(&parameters, vcs_parameter_count(), 1), VCS_ERR_INDEX);
    assert_int_equal(vcs_parameter_set(&parameters, VCS_NONE, 1), VCS_ERR_INDEX);
    assert_int_equal(vcs_parameter_set(NULL, 0, 1), VCS_ERR_NULL);
    assert_memory_equal(&parameters, &before, sizeof before);
}

static void get_refuses(void **unused) {
    (void)unused;
    vcs_parameters parameters = profile(VCS_PROFILE_CURRENT);
    double value = 12.5;
    assert_int_equal(vcs_parameter_get(NULL, 0, &value), VCS_ERR_NULL);
    assert_int_equal(vcs_parameter_get(&parameters, 0, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_parameter_get(&parameters, vcs_parameter_count(), &value), VCS_ERR_INDEX);
    parameters.struct_size = LEAST_SIZE - 8;
    assert_int_equal(vcs_parameter_get(&parameters, 0, &value), VCS_ERR_ABI_OLDER);
    assert_int_equal(vcs_parameter_set(&parameters, 0, 0), VCS_ERR_ABI_OLDER);
    parameters.struct_size = 0;
    assert_int_equal(vcs_parameter_get(&parameters, 0, &value), VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_parameter_set(&parameters, 0, 0), VCS_ERR_ABI_SIZE);
    assert_true(value == 12.5);
}

/* ---- Checking a whole set ---- */

/* Refused for this field, and nothing else is said. */
static void refused_for(const vcs_parameters *parameters, int code, const vcs_field_info *culprit) {
    vcs_error error = {.struct_size = sizeof error};
    assert_int_equal(vcs_parameters_check(parameters, NULL), code);
    assert_int_equal(vcs_parameters_check(parameters, &error), code);
    assert_int_equal(error.code, code);
    assert_int_equal(error.type, VCS_TYPE_PARAMETERS);
    assert_int_equal(error.index, 0);
    assert_int_equal(error.offset, culprit->offset);
    assert_string_equal(error.field, culprit->name);
    assert_int_equal(strncmp(error.message, "parameters: ", 12), 0);
}

static void check_amount(const vcs_field_info *there, double value, int code) {
    vcs_parameters parameters = profile(VCS_PROFILE_CURRENT);
    memcpy((unsigned char *)&parameters + there->offset, &value, sizeof value);
    refused_for(&parameters, code, there);
}

static void check_word(const vcs_field_info *there, uint32_t value, int code) {
    vcs_parameters parameters = profile(VCS_PROFILE_CURRENT);
    memcpy((unsigned char *)&parameters + there->offset, &value, sizeof value);
    refused_for(&parameters, code, there);
}

static void amounts_outside_their_range(void **unused) {
    (void)unused;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < vcs_field_count(VCS_TYPE_PARAMETERS); i++) {
        vcs_field_info there = field(i);
        if (strcmp(there.kind, "f64") == 0) {
            check_amount(&there, NAN, VCS_ERR_NOT_FINITE);
            check_amount(&there, INFINITY, VCS_ERR_NOT_FINITE);
            check_amount(&there, -INFINITY, VCS_ERR_NOT_FINITE);
            check_amount(&there, -1, VCS_ERR_RANGE);
            check_amount(&there, nextafter(there.minimum, -INFINITY), VCS_ERR_RANGE);
            check_amount(&there, nextafter(there.maximum, INFINITY), VCS_ERR_RANGE);
            seen++;
        }
    }
    assert_int_equal(seen, 29);
}

static void choices_and_counts_outside_their_range(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < vcs_parameter_count(); i++) {
        vcs_parameter_info info = row(i);
        vcs_field_info there = field(3 + i);
        int code = info.kind == VCS_PARAMETER_CHOICE ? VCS_ERR_FLAGS : VCS_ERR_RANGE;
        if (info.kind != VCS_PARAMETER_AMOUNT && info.maximum < UINT32_MAX) {
            check_word(&there, (uint32_t)info.maximum + 1, code);
            check_word(&there, UINT32_MAX, code);
        }
        if (info.kind != VCS_PARAMETER_AMOUNT && info.minimum > 0) {
            check_word(&there, (uint32_t)info.minimum - 1, code);
        }
    }
    vcs_field_info flags = field(1), number = field(2);
    assert_string_equal(flags.name, "flags");
    check_word(&flags, 1, VCS_ERR_FLAGS);
    check_word(&flags, 0x80000000, VCS_ERR_FLAGS);
    assert_string_equal(number.name, "profile");
    check_word(&number, VCS_PROFILE_COUNT, VCS_ERR_FLAGS);
}

/* The least must not be above the greatest; they may be equal. */
static void least_and_greatest(void **unused) {
    (void)unused;
    static const struct {
        uint32_t least, greatest;
    } project_resources[] = {
        {offsetof(vcs_parameters, backoff_min), offsetof(vcs_parameters, backoff_max)},
        {offsetof(vcs_parameters, resource_backoff_min), offsetof(vcs_parameters, resource_backoff_max)},
        {offsetof(vcs_parameters, transfer_backoff_min), offsetof(vcs_parameters, transfer_backoff_max)},
    };
    for (size_t i = 0; i < COUNT_OF(project_resources); i++) {
        vcs_parameters parameters = profile(VCS_PROFILE_CURRENT);
        const double low = 100, high = 101;
        vcs_error error = {.struct_size = sizeof error};
        memcpy((unsigned char *)&parameters + project_resources[i].least, &high, sizeof high);
        memcpy((unsigned char *)&parameters + project_resources[i].greatest, &low, sizeof low);
        assert_int_equal(vcs_parameters_check(&parameters, &error), VCS_ERR_RANGE);
        assert_int_equal(error.offset, project_resources[i].greatest);
        memcpy((unsigned char *)&parameters + project_resources[i].greatest, &high, sizeof high);
        assert_int_equal(vcs_parameters_check(&parameters, NULL), VCS_OK);
    }
}

static void check_takes_no_null(void **unused) {
    (void)unused;
    vcs_error error = {.struct_size = sizeof error};
    assert_int_equal(vcs_parameters_check(NULL, NULL), VCS_ERR_NULL);
    assert_int_equal(vcs_parameters_check(NULL, &error), VCS_ERR_NULL);
    assert_int_equal(error.code, VCS_ERR_NULL);
    assert_string_equal(error.message, "parameters: are NULL");
    assert_int_equal(error.type, VCS_TYPE_PARAMETERS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiles_have_names),
        cmocka_unit_test(profiles_are_valid),
        cmocka_unit_test(choices_of_the_profiles),
        cmocka_unit_test(steady_is_current_with_the_better_rules),
        cmocka_unit_test(init_refuses),
        cmocka_unit_test(init_of_a_newer_struct),
        cmocka_unit_test(an_older_struct_has_the_rest_from_its_profile),
        cmocka_unit_test(an_older_struct_of_an_unknown_profile),
        cmocka_unit_test(table_is_the_struct),
        cmocka_unit_test(table_has_the_values_of_the_profiles),
        cmocka_unit_test(choices_have_names),
        cmocka_unit_test(names_that_do_not_exist),
        cmocka_unit_test(rows_that_do_not_exist),
        cmocka_unit_test(set_and_get),
        cmocka_unit_test(set_refuses),
        cmocka_unit_test(get_refuses),
        cmocka_unit_test(amounts_outside_their_range),
        cmocka_unit_test(choices_and_counts_outside_their_range),
        cmocka_unit_test(least_and_greatest),
        cmocka_unit_test(check_takes_no_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
