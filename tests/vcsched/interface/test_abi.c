/*
 * Versions, errors, the table of fields, and the rules on sizes that let programs and libraries of different age work
 * together.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/support.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* ---- Versions ---- */

static void versions(void **unused) {
    (void)unused;
    char numbers[32];
    const char *version = vcs_version();
    const int length =
        snprintf(numbers, sizeof numbers, "%d.%d.%d", VCS_VERSION_MAJOR, VCS_VERSION_MINOR, VCS_VERSION_PATCH);
    assert_string_equal(version, VCS_VERSION);
    assert_memory_equal(version, numbers, (size_t)length);
    assert_true(version[length] == '\0' || strncmp(&version[length], "-rc", 3) == 0);
    assert_int_equal(vcs_abi_version(), VCS_ABI_VERSION);
}

/* ---- Codes ---- */

static void codes_have_names_and_meanings(void **unused) {
    (void)unused;
    static const struct {
        int code;
        char name[32];
    } codes[] = {
        {VCS_OK, "VCS_OK"},
        {VCS_ERR_NULL, "VCS_ERR_NULL"},
        {VCS_ERR_ABI_SIZE, "VCS_ERR_ABI_SIZE"},
        {VCS_ERR_ABI_OLDER, "VCS_ERR_ABI_OLDER"},
        {VCS_ERR_ABI_NEWER, "VCS_ERR_ABI_NEWER"},
        {VCS_ERR_FLAGS, "VCS_ERR_FLAGS"},
        {VCS_ERR_NOT_FINITE, "VCS_ERR_NOT_FINITE"},
        {VCS_ERR_RANGE, "VCS_ERR_RANGE"},
        {VCS_ERR_INDEX, "VCS_ERR_INDEX"},
        {VCS_ERR_DUPLICATE, "VCS_ERR_DUPLICATE"},
        {VCS_ERR_COUNT, "VCS_ERR_COUNT"},
        {VCS_ERR_OVERFLOW, "VCS_ERR_OVERFLOW"},
        {VCS_ERR_WORKSPACE, "VCS_ERR_WORKSPACE"},
        {VCS_ERR_UNSUPPORTED, "VCS_ERR_UNSUPPORTED"},
        {VCS_ERR_SEQUENCE, "VCS_ERR_SEQUENCE"},
        {VCS_ERR_ARITHMETIC, "VCS_ERR_ARITHMETIC"},
        {VCS_ERR_QUOTA, "VCS_ERR_QUOTA"},
    };
    for (size_t i = 0; i < COUNT_OF(codes); i++) {
        assert_int_equal(codes[i].code, -(int)i);
        assert_string_equal(vcs_error_name(codes[i].code), codes[i].name);
        assert_true(strlen(vcs_strerror(codes[i].code)) > 0);
        assert_null(strstr(vcs_strerror(codes[i].code), "VCS_")); /* it ends where it should, not in the next row */
        assert_string_not_equal(vcs_strerror(codes[i].code), "unknown error");
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(vcs_strerror(codes[i].code), vcs_strerror(codes[j].code));
        }
    }
}

static void codes_that_do_not_exist(void **unused) {
    (void)unused;
    static const int codes[] = {1, VCS_ERR_QUOTA - 1, INT_MIN, INT_MAX};
    for (size_t i = 0; i < COUNT_OF(codes); i++) {
        assert_string_equal(vcs_error_name(codes[i]), "unknown");
        assert_string_equal(vcs_strerror(codes[i]), "unknown error");
    }
}

/* ---- The table of fields ---- */

#define STRUCT(name, constant) {constant, sizeof(vcs_##name), #name}

static const struct {
    uint32_t type;
    uint32_t size;
    char name[32];
} structs[] = {
    STRUCT(error, VCS_TYPE_ERROR),
    STRUCT(parameters, VCS_TYPE_PARAMETERS),
    STRUCT(snapshot, VCS_TYPE_SNAPSHOT),
    STRUCT(host, VCS_TYPE_HOST),
    STRUCT(resource, VCS_TYPE_RESOURCE),
    STRUCT(project, VCS_TYPE_PROJECT),
    STRUCT(project_resource, VCS_TYPE_PROJECT_RESOURCE),
    STRUCT(app, VCS_TYPE_APP),
    STRUCT(app_resource, VCS_TYPE_APP_RESOURCE),
    STRUCT(task, VCS_TYPE_TASK),
    STRUCT(wrr_summary, VCS_TYPE_WRR_SUMMARY),
    STRUCT(task_forecast, VCS_TYPE_TASK_FORECAST),
    STRUCT(resource_forecast, VCS_TYPE_RESOURCE_FORECAST),
    STRUCT(project_resource_forecast, VCS_TYPE_PROJECT_RESOURCE_FORECAST),
    STRUCT(edf_summary, VCS_TYPE_EDF_SUMMARY),
    STRUCT(edf_task, VCS_TYPE_EDF_TASK),
    STRUCT(edf_resource, VCS_TYPE_EDF_RESOURCE),
    STRUCT(admission, VCS_TYPE_ADMISSION),
    STRUCT(average, VCS_TYPE_AVERAGE),
    STRUCT(debt, VCS_TYPE_DEBT),
    STRUCT(correction, VCS_TYPE_CORRECTION),
    STRUCT(progress, VCS_TYPE_PROGRESS),
    STRUCT(resource_backoff, VCS_TYPE_RESOURCE_BACKOFF),
    STRUCT(transfer_backoff, VCS_TYPE_TRANSFER_BACKOFF),
    STRUCT(project_timer, VCS_TYPE_PROJECT_TIMER),
    STRUCT(parameter_info, VCS_TYPE_PARAMETER_INFO),
    STRUCT(field_info, VCS_TYPE_FIELD_INFO),
    STRUCT(reason_info, VCS_TYPE_REASON_INFO),
    STRUCT(rank_entry, VCS_TYPE_RANK_ENTRY),
    STRUCT(backoff_range, VCS_TYPE_BACKOFF_RANGE),
    STRUCT(ranking, VCS_TYPE_RANKING),
    STRUCT(debt_interval, VCS_TYPE_DEBT_INTERVAL),
    STRUCT(usable, VCS_TYPE_USABLE),
    STRUCT(schedule_summary, VCS_TYPE_SCHEDULE_SUMMARY),
    STRUCT(task_decision, VCS_TYPE_TASK_DECISION),
    STRUCT(resource_decision, VCS_TYPE_RESOURCE_DECISION),
    STRUCT(fetch_question, VCS_TYPE_FETCH_QUESTION),
    STRUCT(fetch_summary, VCS_TYPE_FETCH_SUMMARY),
    STRUCT(fetch_decision, VCS_TYPE_FETCH_DECISION),
    STRUCT(reply, VCS_TYPE_REPLY),
    STRUCT(resource_reply, VCS_TYPE_RESOURCE_REPLY),
    STRUCT(rpc_project, VCS_TYPE_RPC_PROJECT),
    STRUCT(rpc_session, VCS_TYPE_RPC_SESSION),
    STRUCT(rpc_situation, VCS_TYPE_RPC_SITUATION),
    STRUCT(rpc_action, VCS_TYPE_RPC_ACTION),
    STRUCT(rpc_outcome, VCS_TYPE_RPC_OUTCOME),
    {VCS_TYPE_CANDIDATE, sizeof(vcs_task), "candidate"},
    STRUCT(unit, VCS_TYPE_UNIT),
    STRUCT(result, VCS_TYPE_RESULT),
    STRUCT(change, VCS_TYPE_CHANGE),
    STRUCT(unit_event, VCS_TYPE_UNIT_EVENT),
    STRUCT(lesson, VCS_TYPE_LESSON),
    STRUCT(spells, VCS_TYPE_SPELLS),
    STRUCT(hour, VCS_TYPE_HOUR),
    STRUCT(give_up_terms, VCS_TYPE_GIVE_UP_TERMS),
    STRUCT(admit_terms, VCS_TYPE_ADMIT_TERMS),
    STRUCT(check, VCS_TYPE_CHECK),
    STRUCT(verdict, VCS_TYPE_VERDICT),
    STRUCT(ballot, VCS_TYPE_BALLOT),
    STRUCT(ballot_verdict, VCS_TYPE_BALLOT_VERDICT),
    STRUCT(vote_terms, VCS_TYPE_VOTE_TERMS),
    STRUCT(vote_summary, VCS_TYPE_VOTE_SUMMARY),
    STRUCT(trust, VCS_TYPE_TRUST),
    STRUCT(quota, VCS_TYPE_QUOTA),
    STRUCT(client, VCS_TYPE_CLIENT),
    STRUCT(dispatch_job, VCS_TYPE_DISPATCH_JOB),
    STRUCT(pace, VCS_TYPE_PACE),
    STRUCT(dispatch_rules, VCS_TYPE_DISPATCH_RULES),
    STRUCT(dispatch_decision, VCS_TYPE_DISPATCH_DECISION),
    STRUCT(reply_times, VCS_TYPE_REPLY_TIMES),
    STRUCT(pool_client, VCS_TYPE_POOL_CLIENT),
    STRUCT(pool_summary, VCS_TYPE_POOL_SUMMARY),
    STRUCT(send_request, VCS_TYPE_SEND_REQUEST),
    STRUCT(send_job, VCS_TYPE_SEND_JOB),
    STRUCT(send_limits, VCS_TYPE_SEND_LIMITS),
    STRUCT(send_decision, VCS_TYPE_SEND_DECISION),
    STRUCT(send_summary, VCS_TYPE_SEND_SUMMARY),
    STRUCT(next_request, VCS_TYPE_NEXT_REQUEST),
};

static void structs_have_sizes_and_names(void **unused) {
    (void)unused;
    assert_int_equal(structs[COUNT_OF(structs) - 1].type, VCS_TYPE_COUNT - 1); /* the greatest stands last */
    for (size_t i = 0; i < COUNT_OF(structs); i++) {
        assert_int_equal(vcs_struct_size(structs[i].type), structs[i].size);
        assert_string_equal(vcs_struct_name(structs[i].type), structs[i].name);
        assert_int_equal(structs[i].size % 8, 0);
    }
}

static int is_type_of_a_struct(uint32_t type) {
    for (size_t i = 0; i < COUNT_OF(structs); i++) {
        if (structs[i].type == type) {
            return 1;
        }
    }
    return 0;
}

static void assert_no_struct(uint32_t type) {
    assert_int_equal(vcs_struct_size(type), 0);
    assert_int_equal(vcs_field_count(type), 0);
    assert_string_equal(vcs_struct_name(type), "");
}

/* The numbers have gaps, and an end. */
static void numbers_without_a_struct(void **unused) {
    (void)unused;
    for (uint32_t type = VCS_TYPE_NONE; type < 2 * VCS_TYPE_COUNT; type++) {
        if (!is_type_of_a_struct(type)) {
            assert_no_struct(type);
        }
    }
    assert_no_struct(UINT32_MAX);
}

static vcs_field_info field(uint32_t type, uint32_t index) {
    vcs_field_info info = {.struct_size = sizeof info};
    assert_int_equal(vcs_field_at(type, index, &info), VCS_OK);
    return info;
}

static uint32_t size_of_kind(const char *kind) {
    if (strcmp(kind, "u32") == 0 || strcmp(kind, "i32") == 0) {
        return 4;
    }
    assert_true(strcmp(kind, "f64") == 0 || strcmp(kind, "u64") == 0 || strcmp(kind, "bytes") == 0);
    return strcmp(kind, "bytes") == 0 ? 1 : 8;
}

/* One field after the other, from the first byte to the last: nothing is left out and nothing is padding. */
static void fields_fill_their_struct(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(structs); i++) {
        uint32_t end = 0;
        for (uint32_t k = 0; k < vcs_field_count(structs[i].type); k++) {
            vcs_field_info info = field(structs[i].type, k);
            assert_int_equal(info.struct_size, sizeof info);
            assert_int_equal(info.type, structs[i].type);
            assert_int_equal(info.offset, end);
            assert_int_equal(info.size % size_of_kind(info.kind), 0);
            assert_true(info.minimum <= info.maximum);
            assert_true(info.name[0] != '\0');
            for (uint32_t j = 0; j < k; j++) {
                vcs_field_info earlier = field(structs[i].type, j);
                assert_string_not_equal(earlier.name, info.name);
            }
            end += info.size;
        }
        assert_int_equal(end, structs[i].size);
    }
}

/* The table against the compiler, for fields of every kind. */
static void fields_are_where_the_compiler_has_them(void **unused) {
    (void)unused;
#define FIELD(structure, constant, member, kind, unit)                                                                 \
    {constant, offsetof(vcs_##structure, member), sizeof(((vcs_##structure *)0)->member), #member, kind, unit}
    static const struct {
        uint32_t type, offset, size;
        char name[32], kind[8], unit[16];
    } fields[] = {
        FIELD(error, VCS_TYPE_ERROR, message, "bytes", ""),
        FIELD(parameters, VCS_TYPE_PARAMETERS, struct_size, "u32", "bytes"),
        FIELD(parameters, VCS_TYPE_PARAMETERS, discipline, "u32", ""),
        FIELD(parameters, VCS_TYPE_PARAMETERS, average_rate, "f64", "1/s"),
        FIELD(snapshot, VCS_TYPE_SNAPSHOT, candidates, "bytes", ""),
        FIELD(host, VCS_TYPE_HOST, ram, "f64", "bytes"),
        FIELD(resource, VCS_TYPE_RESOURCE, flags, "u32", ""),
        FIELD(project, VCS_TYPE_PROJECT, priority_class, "i32", ""),
        FIELD(project_resource, VCS_TYPE_PROJECT_RESOURCE, excluded, "u64", ""),
        FIELD(app, VCS_TYPE_APP, project, "u32", ""),
        FIELD(app_resource, VCS_TYPE_APP_RESOURCE, excluded, "u64", ""),
        FIELD(task, VCS_TYPE_TASK, remaining, "f64", "s"),
        FIELD(task, VCS_TYPE_TASK, reserved, "bytes", ""),
        FIELD(task, VCS_TYPE_CANDIDATE, remaining, "f64", "s"),
        FIELD(wrr_summary, VCS_TYPE_WRR_SUMMARY, steps, "u64", ""),
        FIELD(admission, VCS_TYPE_ADMISSION, harmed_candidate, "u32", ""),
    };
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        uint32_t k = 0;
        while (strcmp(field(fields[i].type, k).name, fields[i].name) != 0) {
            k++; /* the function ends the test beyond the last */
        }
        vcs_field_info info = field(fields[i].type, k);
        assert_int_equal(info.offset, fields[i].offset);
        assert_int_equal(info.size, fields[i].size);
        assert_string_equal(info.kind, fields[i].kind);
        assert_string_equal(info.unit, fields[i].unit);
    }
}

static void fields_that_do_not_exist(void **unused) {
    (void)unused;
    vcs_field_info info = {.struct_size = sizeof info, .offset = 77}, before = info;
    assert_int_equal(vcs_field_at(VCS_TYPE_TASK, vcs_field_count(VCS_TYPE_TASK), &info), VCS_ERR_INDEX);
    assert_int_equal(vcs_field_at(VCS_TYPE_TASK, UINT32_MAX, &info), VCS_ERR_INDEX);
    assert_int_equal(vcs_field_at(VCS_TYPE_NONE, 0, &info), VCS_ERR_INDEX);
    assert_int_equal(vcs_field_at(VCS_TYPE_COUNT, 0, &info), VCS_ERR_INDEX);
    assert_memory_equal(&info, &before, sizeof info);
    assert_int_equal(vcs_field_at(VCS_TYPE_TASK, 0, NULL), VCS_ERR_NULL);
}

/* ---- The rules on sizes ---- */

static test_host host;

static void begin_host(void) {
    host_begin_with_two_of_everything(&host, VCS_PROFILE_STUDY2007);
}

/* Memory of exactly this length, so that a sanitizer sees every step beyond it. */
static unsigned char *exact_memory(size_t size, int backfill) {
    unsigned char *memory = malloc(size);
    assert_non_null(memory);
    memset(memory, backfill, size);
    return memory;
}

/* A struct of some age: as long as its struct_size says, but always long enough for that field. */
static size_t length_of(uint32_t struct_size) {
    return struct_size < sizeof struct_size ? sizeof struct_size : struct_size;
}

static unsigned char *struct_of_size(uint32_t size, int backfill) {
    unsigned char *structure = exact_memory(length_of(size), backfill);
    memcpy(structure, &size, sizeof size);
    return structure;
}

/* What any size means for a struct or record whose first version has `known` bytes. */
static int code_of_size(uint32_t size, uint32_t known) {
    if (size == 0 || size > 4096 || size % 8 != 0) {
        return VCS_ERR_ABI_SIZE;
    }
    return size < known ? VCS_ERR_ABI_OLDER : VCS_OK;
}

static uint32_t sizes_of(uint32_t known, uint32_t *sizes) {
    const uint32_t all[] = {0,         4,         8,         12,        known - 8, known - 4, known,
                            known + 4, known + 8, known + 40, 4088,      4096,      4100,      4104};
    memcpy(sizes, all, sizeof all);
    return COUNT_OF(all);
}

#define MOST_SIZES 14

/*
 * Input structs: the function under test takes one that is wholly valid. `least` is what has to be there: all of the
 * first version, but of parameters only as much as tells the profile that the rest comes from.
 */
#define LEAST_PARAMETERS offsetof(vcs_parameters, accounting)

static int take_parameters(const void *structure) {
    return vcs_parameters_check(structure, NULL);
}

static int take_parameters_to_prepare(const void *structure) {
    size_t size;
    vcs_state *state = NULL;
    assert_int_equal(vcs_state_size(&host.snapshot, &size), VCS_OK);
    void *work = malloc(size);
    int code = vcs_state_prepare(&host.snapshot, structure, 0, work, size, &state, NULL);
    assert_true((code == VCS_OK) == (state != NULL));
    free(work);
    return code;
}

static int take_view_to_measure(const void *structure) {
    size_t size = 77;
    int code = vcs_state_size(structure, &size);
    assert_true((code == VCS_OK) == (size != 77));
    return code;
}

static int take_view_to_prepare(const void *structure) {
    size_t size;
    vcs_state *state = NULL;
    assert_int_equal(vcs_state_size(&host.snapshot, &size), VCS_OK);
    void *work = malloc(size);
    int code = vcs_state_prepare(structure, &host.parameters, 0, work, size, &state, NULL);
    assert_true((code == VCS_OK) == (state != NULL));
    free(work);
    return code;
}

static const struct {
    const void *valid;
    uint32_t known, least;
    int (*take)(const void *structure);
} input_structs[] = {
    {&host.parameters, sizeof(vcs_parameters), LEAST_PARAMETERS, take_parameters},
    {&host.parameters, sizeof(vcs_parameters), LEAST_PARAMETERS, take_parameters_to_prepare},
    {&host.snapshot, sizeof(vcs_snapshot), sizeof(vcs_snapshot), take_view_to_measure},
    {&host.snapshot, sizeof(vcs_snapshot), sizeof(vcs_snapshot), take_view_to_prepare},
};

static void sizes_of_input_structs(void **unused) {
    (void)unused;
    begin_host();
    for (size_t i = 0; i < COUNT_OF(input_structs); i++) {
        const uint32_t known = input_structs[i].known, least = input_structs[i].least;
        uint32_t sizes[MOST_SIZES];
        for (uint32_t k = sizes_of(known, sizes); k-- > 0;) {
            unsigned char *copy = struct_of_size(sizes[k], 0);
            if (sizes[k] > sizeof sizes[k]) { /* all but the size itself */
                memcpy(copy + sizeof sizes[k], (const unsigned char *)input_structs[i].valid + sizeof sizes[k],
                       (sizes[k] < known ? sizes[k] : known) - sizeof sizes[k]);
            }
            assert_int_equal(input_structs[i].take(copy), code_of_size(sizes[k], least));
            if (sizes[k] > known && code_of_size(sizes[k], least) == VCS_OK) {
                copy[sizes[k] - 1] = 1; /* something that only a newer library understands */
                assert_int_equal(input_structs[i].take(copy), VCS_ERR_ABI_NEWER);
                copy[sizes[k] - 1] = 0;
                copy[known] = 0x80;
                assert_int_equal(input_structs[i].take(copy), VCS_ERR_ABI_NEWER);
            }
            free(copy);
        }
    }
}

/* Input records: arrays whose elements all have one size. */

static const struct {
    vcs_array *array;
    const void *valid;
    uint32_t known;
    uint32_t type;
} input_arrays[] = {
    {&host.snapshot.host, &host.host, sizeof(vcs_host), VCS_TYPE_HOST},
    {&host.snapshot.resources, host.resources, sizeof(vcs_resource), VCS_TYPE_RESOURCE},
    {&host.snapshot.projects, host.projects, sizeof(vcs_project), VCS_TYPE_PROJECT},
    {&host.snapshot.project_resources, host.project_resources, sizeof(vcs_project_resource), VCS_TYPE_PROJECT_RESOURCE},
    {&host.snapshot.apps, host.apps, sizeof(vcs_app), VCS_TYPE_APP},
    {&host.snapshot.app_resources, host.app_resources, sizeof(vcs_app_resource), VCS_TYPE_APP_RESOURCE},
    {&host.snapshot.tasks, host.tasks, sizeof(vcs_task), VCS_TYPE_TASK},
    {&host.snapshot.candidates, host.candidates, sizeof(vcs_task), VCS_TYPE_CANDIDATE},
    {&host.snapshot.hours, host.hours, sizeof(vcs_hour), VCS_TYPE_HOUR},
};

static int prepare(vcs_error *error) {
    static uint64_t work[1 << 16];
    vcs_state *state = NULL;
    error->struct_size = sizeof *error;
    int code = vcs_state_prepare(&host.snapshot, &host.parameters, 0, work, sizeof work, &state, error);
    assert_true((code == VCS_OK) == (state != NULL));
    return code;
}

/* The records of an array, further apart than before, in memory that ends with the last. */
static unsigned char *spread(const void *records, uint32_t known, uint32_t size, uint32_t count) {
    unsigned char *copy = exact_memory(size == 0 ? 1 : (size_t)size * count, 0);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(copy + (size_t)i * size, (const unsigned char *)records + (size_t)i * known,
               known < size ? known : size);
    }
    return copy;
}

static void check_array_of_size(size_t which, uint32_t size) {
    vcs_array *array = input_arrays[which].array;
    const vcs_array before = *array;
    const uint32_t known = input_arrays[which].known, last = (before.count - 1) * size;
    unsigned char *copy = spread(input_arrays[which].valid, known, size, before.count);
    const int expected = code_of_size(size, known);
    vcs_error error;
    array->base = copy;
    array->element_size = size;
    assert_int_equal(prepare(&error), expected);
    assert_true(expected == VCS_OK || error.type == input_arrays[which].type);
    if (size > known && expected == VCS_OK) {
        copy[last + size - 1] = 1;
        assert_int_equal(prepare(&error), VCS_ERR_ABI_NEWER);
        assert_int_equal(error.type, input_arrays[which].type);
        assert_int_equal(error.index, before.count - 1);
        copy[last + size - 1] = 0;
        copy[known] = 1;
        assert_int_equal(prepare(&error), VCS_ERR_ABI_NEWER);
        assert_int_equal(error.index, 0);
    }
    free(copy);
    *array = before;
}

static void sizes_of_input_records(void **unused) {
    (void)unused;
    begin_host();
    for (size_t i = 0; i < COUNT_OF(input_arrays); i++) {
        uint32_t sizes[MOST_SIZES];
        for (uint32_t k = sizes_of(input_arrays[i].known, sizes); k-- > 0;) {
            check_array_of_size(i, sizes[k]);
        }
    }
}

static void an_empty_array_may_be_anything(void **unused) {
    (void)unused;
    vcs_error error;
    host_begin(&host, VCS_PROFILE_STUDY2007, 2);
    vcs_array *empty[] = {
        &host.snapshot.projects, &host.snapshot.project_resources, &host.snapshot.apps, &host.snapshot.app_resources,
        &host.snapshot.tasks,    &host.snapshot.candidates,        &host.snapshot.hours};
    for (size_t i = 0; i < COUNT_OF(empty); i++) {
        *empty[i] = (vcs_array){.base = NULL, .element_size = 3};
    }
    assert_int_equal(prepare(&error), VCS_OK);
}

static void arrays_that_are_nowhere(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(input_arrays); i++) {
        vcs_error error;
        begin_host();
        input_arrays[i].array->base = NULL;
        assert_int_equal(prepare(&error), VCS_ERR_NULL);
        assert_int_equal(error.type, input_arrays[i].type);
        begin_host();
        input_arrays[i].array->base = (const unsigned char *)input_arrays[i].valid + 2;
        assert_int_equal(prepare(&error), VCS_ERR_ABI_SIZE); /* not aligned */
        assert_int_equal(error.index, 0);
        assert_int_equal(error.type, input_arrays[i].type);
    }
}

/* Every reserved byte counts, of every record. */
static void reserved_bytes_must_be_zero(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(input_arrays); i++) {
        begin_host();
        uint32_t reserved = 0;
        for (uint32_t k = 0; k < vcs_field_count(input_arrays[i].type); k++) {
            vcs_field_info info = field(input_arrays[i].type, k);
            if (strncmp(info.name, "reserved", 8) != 0) {
                continue;
            }
            for (uint32_t byte = info.offset; byte < info.offset + info.size; byte++, reserved++) {
                const uint32_t last = input_arrays[i].array->count - 1;
                unsigned char *at = (unsigned char *)(uintptr_t)input_arrays[i].valid;
                at += (size_t)last * input_arrays[i].known + byte;
                vcs_error error;
                *at = 1;
                assert_int_equal(prepare(&error), VCS_ERR_ABI_NEWER);
                assert_int_equal(error.type, input_arrays[i].type);
                assert_int_equal(error.index, last);
                assert_string_equal(error.field, info.name);
                *at = 0;
            }
        }
        assert_in_range(reserved, 8, input_arrays[i].known);
    }
}

/* Output structs: `give` has one filled, whatever is in it but its size. */

static int give_field(void *structure) {
    return vcs_field_at(VCS_TYPE_TASK, 1, structure);
}

static int give_parameter(void *structure) {
    return vcs_parameter_at(1, structure);
}

static int give_reason(void *structure) {
    return vcs_reason_at(1, structure);
}

static int give_wrr_summary(void *structure) {
    return vcs_wrr(host.state, structure);
}

static int give_edf_summary(void *structure) {
    return vcs_edf(host.state, VCS_EDF_ALL, structure);
}

static int give_admission(void *structure) {
    return vcs_admit(host_prepare(&host), 0, structure);
}

/* Any refusal will do: it must be described, unless it cannot. */
static int give_error(void *structure) {
    int code = vcs_parameters_check(NULL, structure);
    return code == VCS_ERR_NULL ? VCS_OK : code;
}

static int give_error_of_prepare(void *structure) {
    vcs_state *state = NULL;
    int code = vcs_state_prepare(NULL, &host.parameters, 0, host.work, 8, &state, structure);
    return code == VCS_ERR_NULL ? VCS_OK : code;
}

static const struct {
    uint32_t known;
    int (*give)(void *structure);
} output_structs[] = {
    {sizeof(vcs_field_info), give_field},
    {sizeof(vcs_parameter_info), give_parameter},
    {sizeof(vcs_reason_info), give_reason},
    {sizeof(vcs_wrr_summary), give_wrr_summary},
    {sizeof(vcs_edf_summary), give_edf_summary},
    {sizeof(vcs_admission), give_admission},
    {sizeof(vcs_error), give_error},
    {sizeof(vcs_error), give_error_of_prepare},
};

static void sizes_of_output_structs(void **unused) {
    (void)unused;
    begin_host();
    host_prepare(&host);
    for (size_t i = 0; i < COUNT_OF(output_structs); i++) {
        const uint32_t known = output_structs[i].known;
        uint32_t sizes[MOST_SIZES];
        unsigned char *plain = struct_of_size(known, 0xa5);
        assert_int_equal(output_structs[i].give(plain), VCS_OK);
        for (uint32_t k = sizes_of(known, sizes); k-- > 0;) {
            const uint32_t size = sizes[k];
            unsigned char *out = struct_of_size(size, 0xa5), *before = struct_of_size(size, 0xa5);
            assert_int_equal(output_structs[i].give(out), code_of_size(size, known));
            if (code_of_size(size, known) == VCS_OK) {
                assert_memory_equal(out + 4, plain + 4, known - 4);
                assert_memory_equal(out, &size, sizeof size);
                for (uint32_t byte = known; byte < size; byte++) {
                    assert_int_equal(out[byte], 0);
                }
            } else {
                assert_memory_equal(out, before, length_of(size));
            }
            free(out);
            free(before);
        }
        free(plain);
    }
    host_end(&host);
}

/* Output records. */

static int give_tasks(void *out, uint32_t size, uint32_t count) {
    return vcs_wrr_tasks(host.state, ARRAY_OF(out, size, count));
}

static int give_resources(void *out, uint32_t size, uint32_t count) {
    return vcs_wrr_resources(host.state, ARRAY_OF(out, size, count));
}

static int give_pairs(void *out, uint32_t size, uint32_t count) {
    return vcs_wrr_project_resources(host.state, ARRAY_OF(out, size, count));
}

static int give_edf_tasks(void *out, uint32_t size, uint32_t count) {
    return vcs_edf_tasks(host.state, ARRAY_OF(out, size, count));
}

static int give_edf_resources(void *out, uint32_t size, uint32_t count) {
    return vcs_edf_resources(host.state, ARRAY_OF(out, size, count));
}

static const struct {
    uint32_t known;
    uint32_t count;
    int (*give)(void *out, uint32_t size, uint32_t count);
} output_arrays[] = {
    {sizeof(vcs_task_forecast), 2, give_tasks},
    {sizeof(vcs_resource_forecast), 2, give_resources},
    {sizeof(vcs_project_resource_forecast), 4, give_pairs},
    {sizeof(vcs_edf_task), 2, give_edf_tasks},
    {sizeof(vcs_edf_resource), 2, give_edf_resources},
};

static void check_output_of_size(size_t which, uint32_t size, const unsigned char *plain) {
    const uint32_t known = output_arrays[which].known, count = output_arrays[which].count;
    unsigned char *out = exact_memory(size == 0 ? 1 : (size_t)size * count, 0xa5);
    const int expected = code_of_size(size, known);
    assert_int_equal(output_arrays[which].give(out, size, count), expected);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t byte = 0; byte < size; byte++) {
            int filled = byte < known ? plain[i * known + byte] : 0;
            assert_int_equal(out[i * size + byte], expected == VCS_OK ? filled : 0xa5);
        }
    }
    free(out);
}

static void sizes_of_output_records(void **unused) {
    (void)unused;
    begin_host();
    host_prepare(&host);
    assert_int_equal(vcs_wrr(host.state, NULL), VCS_OK);
    assert_int_equal(vcs_edf(host.state, VCS_EDF_ALL, NULL), VCS_OK);
    for (size_t i = 0; i < COUNT_OF(output_arrays); i++) {
        const uint32_t known = output_arrays[i].known, count = output_arrays[i].count;
        unsigned char *plain = exact_memory((size_t)known * count, 0xa5);
        uint32_t sizes[MOST_SIZES];
        assert_int_equal(output_arrays[i].give(plain, known, count), VCS_OK);
        for (uint32_t k = sizes_of(known, sizes); k-- > 0;) {
            check_output_of_size(i, sizes[k], plain);
        }
        free(plain);
    }
    host_end(&host);
}

static void counts_of_output_records(void **unused) {
    (void)unused;
    begin_host();
    host_prepare(&host);
    unsigned char out[4 * 64], before[sizeof out];
    memset(out, 0xa5, sizeof out);
    memcpy(before, out, sizeof out);
    for (size_t i = 0; i < COUNT_OF(output_arrays); i++) {
        const uint32_t known = output_arrays[i].known, count = output_arrays[i].count;
        assert_int_equal(output_arrays[i].give(out, known, count), VCS_ERR_SEQUENCE); /* nothing was simulated */
    }
    assert_int_equal(vcs_wrr(host.state, NULL), VCS_OK);
    assert_int_equal(vcs_edf(host.state, VCS_EDF_ALL, NULL), VCS_OK);
    for (size_t i = 0; i < COUNT_OF(output_arrays); i++) {
        const uint32_t known = output_arrays[i].known, count = output_arrays[i].count;
        assert_int_equal(output_arrays[i].give(out, known, count - 1), VCS_ERR_COUNT);
        assert_int_equal(output_arrays[i].give(out, known, count + 1), VCS_ERR_COUNT);
        assert_int_equal(output_arrays[i].give(out, known, 0), VCS_ERR_COUNT);
        assert_int_equal(output_arrays[i].give(NULL, known, count), VCS_ERR_NULL);
    }
    assert_memory_equal(out, before, sizeof out);
    host_end(&host);
}

/* ---- What an error tells ---- */

static vcs_error refusal(int code) {
    vcs_error error;
    assert_int_equal(prepare(&error), code);
    assert_int_equal(error.code, code);
    assert_int_equal(error.struct_size, sizeof error);
    return error;
}

static void errors_say_where_and_why(void **unused) {
    (void)unused;
    begin_host();
    host.tasks[1].remaining = -1;
    vcs_error error = refusal(VCS_ERR_RANGE);
    assert_int_equal(error.type, VCS_TYPE_TASK);
    assert_int_equal(error.index, 1);
    assert_int_equal(error.offset, offsetof(vcs_task, remaining));
    assert_string_equal(error.field, "remaining");
    assert_string_equal(error.message, "task 1: remaining is negative");

    begin_host();
    host.projects[0].share = NAN;
    assert_string_equal(refusal(VCS_ERR_NOT_FINITE).message, "project 0: share is not a number");

    begin_host();
    host.resources[1].usable = 2;
    assert_string_equal(refusal(VCS_ERR_RANGE).message, "resource 1: usable is too large");

    begin_host();
    host.host.ram = INFINITY;
    assert_string_equal(refusal(VCS_ERR_NOT_FINITE).message, "host: ram is infinite");

    begin_host();
    host.parameters.period = 0;
    assert_string_equal(refusal(VCS_ERR_RANGE).message, "parameters: period is too small");

    begin_host();
    host.project_resources[1].project = 2;
    error = refusal(VCS_ERR_INDEX);
    assert_string_equal(error.field, "project");
    assert_string_equal(error.message, "project_resource 1: project is no project");

    begin_host();
    host.snapshot.host.count = 0;
    error = refusal(VCS_ERR_COUNT);
    assert_int_equal(error.type, VCS_TYPE_HOST);
    assert_string_equal(error.field, "");
    assert_string_equal(error.message, "host: is missing: at least one is needed");
}

/* On success nothing is written: what was in it stays. */
static void success_leaves_the_error_alone(void **unused) {
    (void)unused;
    vcs_error error, before;
    memset(&error, 0xa5, sizeof error);
    error.struct_size = sizeof error;
    before = error;
    begin_host();
    assert_int_equal(vcs_parameters_check(&host.parameters, &error), VCS_OK);
    assert_int_equal(prepare(&error), VCS_OK);
    assert_memory_equal(&error, &before, sizeof error);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions),
        cmocka_unit_test(codes_have_names_and_meanings),
        cmocka_unit_test(codes_that_do_not_exist),
        cmocka_unit_test(structs_have_sizes_and_names),
        cmocka_unit_test(numbers_without_a_struct),
        cmocka_unit_test(fields_fill_their_struct),
        cmocka_unit_test(fields_are_where_the_compiler_has_them),
        cmocka_unit_test(fields_that_do_not_exist),
        cmocka_unit_test(sizes_of_input_structs),
        cmocka_unit_test(sizes_of_input_records),
        cmocka_unit_test(an_empty_array_may_be_anything),
        cmocka_unit_test(arrays_that_are_nowhere),
        cmocka_unit_test(reserved_bytes_must_be_zero),
        cmocka_unit_test(sizes_of_output_structs),
        cmocka_unit_test(sizes_of_output_records),
        cmocka_unit_test(counts_of_output_records),
        cmocka_unit_test(errors_say_where_and_why),
        cmocka_unit_test(success_leaves_the_error_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
