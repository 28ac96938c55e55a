/*
 * The prepared state: refused and accepted input, and the contents that decisions find.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/support.h"

#include "support/random_state.h"

#include "vcsched/host/prepared.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/describe/describe.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static test_host host;

/* A host that would be accepted. */
static void begin(void) {
    host_begin_with_two_of_everything(&host, VCS_PROFILE_CURRENT);
}

/* ---- Nothing is written unless all is right ---- */

/* Prepares with these arguments, which must be refused, and checks that only the error was written. */
static vcs_error refuse_arguments(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now,
                                  void *work, size_t size, int code) {
    vcs_state *untouched = (vcs_state *)&host, *state = untouched;
    vcs_error error;
    memset(&error, 0xa5, sizeof error);
    error.struct_size = sizeof error;
    assert_int_equal(vcs_state_prepare(snapshot, parameters, now, work, size, &state, &error), code);
    assert_ptr_equal(state, untouched);
    assert_int_equal(error.struct_size, sizeof error);
    assert_int_equal(error.code, code);
    assert_true(error.message[0] != '\0' && strlen(error.message) < sizeof error.message - 1);
    assert_int_equal(vcs_state_prepare(snapshot, parameters, now, work, size, &state, NULL), code);
    assert_ptr_equal(state, untouched);
    return error;
}

/* Memory that is large enough for any host here, and shows if it was written. */
static unsigned char *clean_work(size_t size) {
    unsigned char *work = malloc(size);
    assert_non_null(work);
    memset(work, 0xa5, size);
    return work;
}

static void assert_clean(const unsigned char *work, size_t size) {
    for (size_t i = 0; i < size; i++) {
        assert_int_equal(work[i], 0xa5);
    }
}

/* The host as it stands must be refused. */
static vcs_error refuse(int code) {
    const size_t size = 1 << 17;
    unsigned char *work = clean_work(size);
    vcs_error error = refuse_arguments(&host.snapshot, &host.parameters, host.now, work, size, code);
    if (code != VCS_ERR_DUPLICATE) { /* which takes sorting to find */
        assert_clean(work, size);
    }
    free(work);
    return error;
}

static void refuse_field(int code, uint32_t type, uint64_t index, const char *field) {
    vcs_error error = refuse(code);
    if (error.type != type || error.index != index || strcmp(error.field, field) != 0) {
        print_error("%s\n", error.message);
    }
    assert_int_equal(error.type, type);
    assert_int_equal(error.index, index);
    assert_string_equal(error.field, field);
}

/* ---- Every field of every record ---- */

/* The arrays of the snapshot. */
static const struct {
    uint32_t type;
    unsigned char *records;
    const vcs_array *array;
} arrays[] = {
    {VCS_TYPE_HOST, (unsigned char *)&host.host, &host.snapshot.host},
    {VCS_TYPE_RESOURCE, (unsigned char *)host.resources, &host.snapshot.resources},
    {VCS_TYPE_PROJECT, (unsigned char *)host.projects, &host.snapshot.projects},
    {VCS_TYPE_PROJECT_RESOURCE, (unsigned char *)host.project_resources, &host.snapshot.project_resources},
    {VCS_TYPE_APP, (unsigned char *)host.apps, &host.snapshot.apps},
    {VCS_TYPE_TASK, (unsigned char *)host.tasks, &host.snapshot.tasks},
    {VCS_TYPE_CANDIDATE, (unsigned char *)host.candidates, &host.snapshot.candidates},
};

/* A field of the last record of an array, and the ways in which it can be wrong. */
typedef struct place {
    uint32_t type;
    const vcs_field_row *row;
    unsigned char *at;
    uint64_t index;
} place;

static const char *name_of(const place *here) {
    return vcs_field_name(vcs_description_of(here->type)->layout, here->row->offset);
}

typedef void (*field_check)(const place *here);

static void for_every_field(field_check check) {
    for (size_t i = 0; i < COUNT_OF(arrays); i++) {
        const vcs_layout *layout = vcs_description_of(arrays[i].type)->layout;
        for (uint32_t k = 0; k < layout->count; k++) {
            begin();
            uint32_t last = arrays[i].array->count - 1;
            unsigned char *record = arrays[i].records + (size_t)last * arrays[i].array->element_size;
            check(&(place){arrays[i].type, &layout->rows[k], record + layout->rows[k].offset, last});
        }
    }
}

static void refuse_number(const place *here, double value, int code) {
    double before;
    memcpy(&before, here->at, sizeof before);
    memcpy(here->at, &value, sizeof value);
    refuse_field(code, here->type, here->index, name_of(here));
    memcpy(here->at, &before, sizeof before);
}

static void check_number(const place *here) {
    const vcs_field_row *row = here->row;
    if (row->kind != VCS_KIND_F64) {
        return;
    }
    refuse_number(here, NAN, VCS_ERR_NOT_FINITE);
    refuse_number(here, -INFINITY, VCS_ERR_NOT_FINITE);
    if (!isinf(row->greatest)) { /* else infinity has a meaning */
        refuse_number(here, INFINITY, VCS_ERR_NOT_FINITE);
    }
    if (row->least > -DBL_MAX) {
        refuse_number(here, nextafter(row->least, -INFINITY), VCS_ERR_RANGE);
        refuse_number(here, -DBL_MAX, VCS_ERR_RANGE);
    }
    if (row->greatest < DBL_MAX) {
        refuse_number(here, nextafter(row->greatest, INFINITY), VCS_ERR_RANGE);
        refuse_number(here, DBL_MAX, VCS_ERR_RANGE);
    }
}

static void numbers_outside_their_range(void **unused) {
    (void)unused;
    for_every_field(check_number);
}

static void refuse_word(const place *here, uint32_t value, int code) {
    uint32_t before;
    memcpy(&before, here->at, sizeof before);
    memcpy(here->at, &value, sizeof value);
    refuse_field(code, here->type, here->index, name_of(here));
    memcpy(here->at, &before, sizeof before);
}

static void check_unknown_flags(const place *here) {
    if (here->row->kind != VCS_KIND_FLAGS) {
        return;
    }
    const uint32_t known = (uint32_t)here->row->greatest;
    for (uint32_t bit = 0; bit < 32; bit++) {
        if ((known >> bit & 1) == 0) {
            refuse_word(here, known | UINT32_C(1) << bit, VCS_ERR_FLAGS);
        }
    }
}

static void unknown_flags(void **unused) {
    (void)unused;
    for_every_field(check_unknown_flags);
}

static void check_count(const place *here) {
    if (here->row->kind != VCS_KIND_U32) {
        return;
    }
    if (here->row->least > 0) {
        refuse_word(here, (uint32_t)here->row->least - 1, VCS_ERR_RANGE);
    }
    if (here->row->greatest < UINT32_MAX) {
        refuse_word(here, (uint32_t)here->row->greatest + 1, VCS_ERR_RANGE);
        refuse_word(here, UINT32_MAX, VCS_ERR_RANGE);
    }
}

static void counts_outside_their_range(void **unused) {
    (void)unused;
    for_every_field(check_count);
}

static void check_index(const place *here) {
    if (here->row->kind != VCS_KIND_INDEX) {
        return;
    }
    refuse_word(here, 2, VCS_ERR_INDEX); /* there are two of everything */
    refuse_word(here, UINT32_MAX - 1, VCS_ERR_INDEX);
    if (strcmp(name_of(here), "app") != 0) {
        refuse_word(here, VCS_NONE, VCS_ERR_INDEX);
    }
}

static void references_to_nothing(void **unused) {
    (void)unused;
    for_every_field(check_index);
}

static void check_reserved(const place *here) {
    if (here->row->kind != VCS_KIND_ZERO) {
        return;
    }
    here->at[here->row->size - 1] = 1;
    refuse_field(VCS_ERR_ABI_NEWER, here->type, here->index, name_of(here));
}

static void reserved_bytes(void **unused) {
    (void)unused;
    for_every_field(check_reserved);
}

/* ---- What no single field shows ---- */

static void suspended_cpu(void) {
    host.resources[0].flags = VCS_RESOURCE_SUSPENDED;
}

static void gpu_without_use(void) {
    host.tasks[1].gpu = 1;
}

static void use_without_gpu(void) {
    host.tasks[1].gpus = 1;
}

static void app_of_another_project(void) {
    host.tasks[1].app = 0;
}

static void candidate_with_app_of_another_project(void) {
    host.candidates[1].app = 0;
}

static void excluded_cpu(void) {
    host.project_resources[1].resource = 0;
    host.project_resources[1].excluded = 1;
}

static void excluded_instance_that_is_not_there(void) {
    host.project_resources[1].excluded = 4; /* instance 2 of 2 */
}

static void instance_excluded_behind_the_last_of_63(void) {
    host.resources[1].instances = 63;
    host.project_resources[1].excluded = UINT64_C(1) << 63;
}

static void last_bit_excluded(void) {
    host.project_resources[1].excluded = UINT64_C(1) << 63;
}

static void too_many_gpus(void) {
    host.resources[1].instances = VCS_MAX_GPU_INSTANCES + 1;
}

static void no_cpu_left(void) {
    host.resources[0].reserve = host.resources[0].instances;
}

static void gpus_kept_for_others(void) {
    host.resources[1].reserve = 0.5;
}

static void no_app_on_a_gpu(void) {
    host.app_resources[1].app = host.snapshot.apps.count;
}

static void app_on_no_resource(void) {
    host.app_resources[1].resource = host.snapshot.resources.count;
}

static void app_excluded_from_cpus(void) {
    host.app_resources[1].resource = 0;
    host.app_resources[1].excluded = 1;
}

static void app_excluded_from_no_device(void) {
    host.app_resources[1].excluded = UINT64_C(1) << host.resources[1].instances;
}

static void limit_per_cpu(void) {
    host.project_resources[1].resource = 0;
    host.project_resources[1].max_per_device = 1;
}

static void limit_per_cpu_of_an_app(void) {
    host.app_resources[1].resource = 0;
    host.app_resources[1].max_per_device = 1;
}

static void negative_limit(void) {
    host.app_resources[1].max_instances = -1;
}

static void fluid_with_a_limit_in_instances(void) {
    host.parameters.discipline = VCS_DISCIPLINE_FLUID;
    host.project_resources[1].max_instances = 1;
}

static void fluid_with_a_limit_in_instances_of_an_app(void) {
    host.parameters.discipline = VCS_DISCIPLINE_FLUID;
    host.app_resources[1].max_instances = 1;
}

static void two_app_resources_for_one_thing(void) {
    host_add_app_resource(&host, 1, 0);
    host.app_resources[1].app = 0;
}

static void half_a_day(void) {
    host.snapshot.hours.count = 12;
}

static void hour_with_a_reserved_byte(void) {
    host.hours[5].reserved[0] = 1;
}

static void cpu_task_on_a_device(void) {
    host.tasks[1].gpu = 0;
    host.tasks[1].gpus = 0;
    host.tasks[1].devices = 1;
}

static void task_on_no_device(void) {
    host.tasks[1].gpu = 1;
    host.tasks[1].gpus = 1;
    host.tasks[1].devices = UINT64_C(1) << host.resources[1].instances;
}

static void two_projects_of_one_id(void) {
    host.projects[1].id = host.projects[0].id;
}

static void two_tasks_of_one_id(void) {
    host.tasks[1].id = host.tasks[0].id;
}

static void two_project_resources_for_one_thing(void) {
    host.project_resources[1].project = 0;
}

static void no_host(void) {
    host.snapshot.host.count = 0;
}

static void two_hosts(void) {
    static const vcs_host hosts[2];
    host.snapshot.host.base = hosts;
    host.snapshot.host.count = 2;
}

static void no_cpu(void) {
    host.snapshot.resources.count = 0;
}

static void view_with_flags(void) {
    host.snapshot.flags = 1;
}

static void parameters_with_flags(void) {
    host.parameters.flags = 1;
}

static void least_wait_above_the_greatest(void) {
    host.parameters.backoff_min = host.parameters.backoff_max + 1;
}

static void fluid_with_a_gpu_task(void) {
    host.parameters.discipline = VCS_DISCIPLINE_FLUID;
    host.tasks[1].gpu = 1;
    host.tasks[1].gpus = 1;
}

static void fluid_with_half_a_cpu(void) {
    host.parameters.discipline = VCS_DISCIPLINE_FLUID;
    host.tasks[1].cpus = 0.5;
}

static void fluid_with_a_limit_of_an_application(void) {
    host.parameters.discipline = VCS_DISCIPLINE_FLUID;
    host.apps[1].max_concurrent = 1;
}

static const struct {
    void (*spoil)(void);
    int code;
    uint32_t type;
    uint32_t index;
    char field[24];
} bad_inputs[] = {
    {suspended_cpu, VCS_ERR_RANGE, VCS_TYPE_RESOURCE, 0, "flags"},
    {gpu_without_use, VCS_ERR_RANGE, VCS_TYPE_TASK, 1, "gpus"},
    {use_without_gpu, VCS_ERR_RANGE, VCS_TYPE_TASK, 1, "gpus"},
    {app_of_another_project, VCS_ERR_INDEX, VCS_TYPE_TASK, 1, "app"},
    {candidate_with_app_of_another_project, VCS_ERR_INDEX, VCS_TYPE_CANDIDATE, 1, "app"},
    {excluded_cpu, VCS_ERR_RANGE, VCS_TYPE_PROJECT_RESOURCE, 1, "excluded"},
    {excluded_instance_that_is_not_there, VCS_ERR_INDEX, VCS_TYPE_PROJECT_RESOURCE, 1, "excluded"},
    {instance_excluded_behind_the_last_of_63, VCS_ERR_INDEX, VCS_TYPE_PROJECT_RESOURCE, 1, "excluded"},
    {last_bit_excluded, VCS_ERR_INDEX, VCS_TYPE_PROJECT_RESOURCE, 1, "excluded"},
    {too_many_gpus, VCS_ERR_RANGE, VCS_TYPE_RESOURCE, 1, "instances"},
    {no_cpu_left, VCS_ERR_RANGE, VCS_TYPE_RESOURCE, 0, "reserve"},
    {gpus_kept_for_others, VCS_ERR_RANGE, VCS_TYPE_RESOURCE, 1, "reserve"},
    {no_app_on_a_gpu, VCS_ERR_INDEX, VCS_TYPE_APP_RESOURCE, 1, "app"},
    {app_on_no_resource, VCS_ERR_INDEX, VCS_TYPE_APP_RESOURCE, 1, "resource"},
    {app_excluded_from_cpus, VCS_ERR_RANGE, VCS_TYPE_APP_RESOURCE, 1, "excluded"},
    {app_excluded_from_no_device, VCS_ERR_INDEX, VCS_TYPE_APP_RESOURCE, 1, "excluded"},
    {limit_per_cpu, VCS_ERR_RANGE, VCS_TYPE_PROJECT_RESOURCE, 1, "max_per_device"},
    {limit_per_cpu_of_an_app, VCS_ERR_RANGE, VCS_TYPE_APP_RESOURCE, 1, "max_per_device"},
    {negative_limit, VCS_ERR_RANGE, VCS_TYPE_APP_RESOURCE, 1, "max_instances"},
    {fluid_with_a_limit_in_instances, VCS_ERR_UNSUPPORTED, VCS_TYPE_PROJECT_RESOURCE, 1, "max_instances"},
    {fluid_with_a_limit_in_instances_of_an_app, VCS_ERR_UNSUPPORTED, VCS_TYPE_APP_RESOURCE, 1, "max_instances"},
    {two_app_resources_for_one_thing, VCS_ERR_DUPLICATE, VCS_TYPE_APP_RESOURCE, 1, ""},
    {half_a_day, VCS_ERR_COUNT, VCS_TYPE_HOUR, 0, ""},
    {hour_with_a_reserved_byte, VCS_ERR_ABI_NEWER, VCS_TYPE_HOUR, 5, "reserved"},
    {cpu_task_on_a_device, VCS_ERR_RANGE, VCS_TYPE_TASK, 1, "devices"},
    {task_on_no_device, VCS_ERR_INDEX, VCS_TYPE_TASK, 1, "devices"},
    {two_projects_of_one_id, VCS_ERR_DUPLICATE, VCS_TYPE_PROJECT, 1, "id"},
    {two_tasks_of_one_id, VCS_ERR_DUPLICATE, VCS_TYPE_TASK, 1, "id"},
    {two_project_resources_for_one_thing, VCS_ERR_DUPLICATE, VCS_TYPE_PROJECT_RESOURCE, 1, ""},
    {no_host, VCS_ERR_COUNT, VCS_TYPE_HOST, 0, ""},
    {two_hosts, VCS_ERR_COUNT, VCS_TYPE_HOST, 0, ""},
    {no_cpu, VCS_ERR_COUNT, VCS_TYPE_RESOURCE, 0, ""},
    {view_with_flags, VCS_ERR_FLAGS, VCS_TYPE_SNAPSHOT, 0, "flags"},
    {parameters_with_flags, VCS_ERR_FLAGS, VCS_TYPE_PARAMETERS, 0, "flags"},
    {least_wait_above_the_greatest, VCS_ERR_RANGE, VCS_TYPE_PARAMETERS, 0, "backoff_max"},
    {fluid_with_a_gpu_task, VCS_ERR_UNSUPPORTED, VCS_TYPE_TASK, 1, "gpu"},
    {fluid_with_half_a_cpu, VCS_ERR_UNSUPPORTED, VCS_TYPE_TASK, 1, "cpus"},
    {fluid_with_a_limit_of_an_application, VCS_ERR_UNSUPPORTED, VCS_TYPE_APP, 1, "max_concurrent"},
};

static void bad_input(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(bad_inputs); i++) {
        begin();
        bad_inputs[i].spoil();
        refuse_field(bad_inputs[i].code, bad_inputs[i].type, bad_inputs[i].index, bad_inputs[i].field);
    }
}

static void null_arguments(void **unused) {
    (void)unused;
    begin();
    const size_t size = 1 << 17;
    unsigned char *work = clean_work(size);
    vcs_error error;
    error = refuse_arguments(NULL, &host.parameters, 0, work, size, VCS_ERR_NULL);
    assert_int_equal(error.type, VCS_TYPE_SNAPSHOT);
    refuse_arguments(&host.snapshot, NULL, 0, work, size, VCS_ERR_NULL);
    refuse_arguments(&host.snapshot, &host.parameters, 0, NULL, size, VCS_ERR_NULL);
    assert_int_equal(vcs_state_prepare(&host.snapshot, &host.parameters, 0, work, size, NULL, &error), VCS_ERR_NULL);
    assert_int_equal(error.code, VCS_ERR_NULL);
    refuse_arguments(&host.snapshot, &host.parameters, NAN, work, size, VCS_ERR_NOT_FINITE);
    refuse_arguments(&host.snapshot, &host.parameters, INFINITY, work, size, VCS_ERR_NOT_FINITE);
    refuse_arguments(&host.snapshot, &host.parameters, -INFINITY, work, size, VCS_ERR_NOT_FINITE);
    assert_clean(work, size);
    free(work);
}

/* ---- Memory ---- */

static void work_memory_too_small_or_misaligned(void **unused) {
    (void)unused;
    begin();
    size_t size = 0;
    assert_int_equal(vcs_state_size(&host.snapshot, &size), VCS_OK);
    assert_int_equal(size % 8, 0);
    unsigned char *work = clean_work(size + 16);
    refuse_arguments(&host.snapshot, &host.parameters, 0, work, size - 1, VCS_ERR_WORKSPACE);
    refuse_arguments(&host.snapshot, &host.parameters, 0, work, 0, VCS_ERR_WORKSPACE);
    for (size_t shift = 1; shift < 8; shift++) {
        refuse_arguments(&host.snapshot, &host.parameters, 0, work + shift, size, VCS_ERR_WORKSPACE);
    }
    assert_clean(work, size + 16);
    vcs_state *state = NULL;
    assert_int_equal(vcs_state_prepare(&host.snapshot, &host.parameters, 0, work + 8, size, &state, NULL), VCS_OK);
    assert_ptr_equal((void *)state, work + 8);
    assert_clean(work, 8);
    assert_clean(work + 8 + size, 8);
    free(work);
}

/* Says no more than the code, and vcs_state_prepare() the rest, in 8 bytes of work memory. */
static void assert_no_size(int code, const char *message) {
    size_t size = 77;
    double work = 0;
    vcs_state *state = NULL;
    vcs_error error = {.struct_size = sizeof error};
    assert_int_equal(vcs_state_size(&host.snapshot, &size), code);
    assert_int_equal(size, 77);
    assert_int_equal(vcs_state_prepare(&host.snapshot, &host.parameters, 0, &work, sizeof work, &state, &error), code);
    assert_string_equal(error.message, message);
    assert_null(state);
}

static void size_of_bad_views(void **unused) {
    (void)unused;
    size_t size = 77;
    begin();
    assert_int_equal(vcs_state_size(NULL, &size), VCS_ERR_NULL);
    assert_int_equal(vcs_state_size(&host.snapshot, NULL), VCS_ERR_NULL);
    assert_int_equal(size, 77);
    host.resources[1].instances = VCS_MAX_INSTANCES + 1;
    assert_no_size(VCS_ERR_RANGE, "resource 1: instances is too large");
    host.resources[1].instances = 0;
    assert_no_size(VCS_ERR_RANGE, "resource 1: instances is too small");
    begin();
    host.snapshot.flags = 1;
    assert_no_size(VCS_ERR_FLAGS, "snapshot: flags has a flag that this version of the library does not know");
    begin();
    host.snapshot.resources.base = NULL;
    assert_no_size(VCS_ERR_NULL, "resource 0: array is NULL, but its count is not 0");
}

/* More records need more memory, and as much as they need is asked for, however many they are. */
static void size_grows_with_every_count(void **unused) {
    (void)unused;
    begin();
    vcs_array *growing[] = {&host.snapshot.projects, &host.snapshot.apps, &host.snapshot.tasks,
                            &host.snapshot.candidates};
    for (size_t i = 0; i < COUNT_OF(growing); i++) {
        size_t before = 0, after = 0;
        assert_int_equal(vcs_state_size(&host.snapshot, &before), VCS_OK);
        growing[i]->count++;
        assert_int_equal(vcs_state_size(&host.snapshot, &after), VCS_OK);
        assert_true(after > before);
        growing[i]->count--;
    }
}

/* Only the counts are looked at: the records of four thousand million tasks need not be there. */
static void counts_that_overflow(void **unused) {
    (void)unused;
    size_t size = 77;
    begin();
    host.snapshot.tasks.count = UINT32_MAX;
    host.snapshot.candidates.count = UINT32_MAX;
    host.snapshot.projects.count = UINT32_MAX;
    host.snapshot.apps.count = UINT32_MAX;
    int code = vcs_state_size(&host.snapshot, &size);
    if (SIZE_MAX == UINT32_MAX) {
        assert_int_equal(code, VCS_ERR_OVERFLOW);
        assert_int_equal(size, 77);
    } else {
        assert_int_equal(code, VCS_OK);
        assert_true(size / sizeof(vcs_task) > UINT32_MAX);
    }
    /* 4.3e9 projects times 1000 resources, of each a record of 64 bytes: 2.7e14, and 2^47 is 1.4e14 */
    static vcs_resource resources[1000];
    for (uint32_t i = 0; i < COUNT_OF(resources); i++) {
        resources[i].instances = 1;
    }
    host.snapshot.resources = (vcs_array){{resources}, sizeof *resources, COUNT_OF(resources)};
    size = 77;
    assert_int_equal(vcs_state_size(&host.snapshot, &size), VCS_ERR_OVERFLOW);
    assert_int_equal(size, 77);
}

/* ---- What is not refused ---- */

static void all_arrays_empty(void) {
    host.snapshot.projects.count = host.snapshot.project_resources.count = host.snapshot.apps.count = 0;
    host.snapshot.app_resources.count = 0;
    host.snapshot.tasks.count = host.snapshot.candidates.count = 0;
}

static void all_shares_zero(void) {
    host.projects[0].share = host.projects[1].share = 0;
}

static void everything_suspended(void) {
    host.resources[1].flags = VCS_RESOURCE_SUSPENDED;
    host.projects[0].flags = host.projects[1].flags = VCS_PROJECT_SUSPENDED | VCS_PROJECT_NO_NEW_WORK;
    host.tasks[0].flags = VCS_TASK_SUSPENDED;
}

static void deadlines_past_and_infinite(void) {
    host.now = 1.7e9;
    host.tasks[0].deadline = -DBL_MAX;
    host.tasks[1].deadline = INFINITY;
}

static void times_on_both_sides(void) {
    host.now = -DBL_MAX;
    host.tasks[0].received = DBL_MAX;
    host.tasks[0].running_since = -DBL_MAX;
    host.projects[0].min_rpc_time = DBL_MAX;
}

static void tasks_of_nothing(void) {
    host.tasks[0].remaining = 0;
    host.tasks[0].cpus = 0;
}

static void task_greater_than_the_host(void) {
    host.tasks[0].cpus = VCS_MAX_INSTANCES;
    host.tasks[1].gpu = 1;
    host.tasks[1].gpus = 3;
}

static void greatest_numbers(void) {
    host.resources[0].instances = VCS_MAX_INSTANCES;
    host.resources[0].flops = 1e30;
    host.resources[0].usable = 1e-9;
    host.tasks[0].remaining = VCS_MAX_SECONDS;
    host.projects[0].share = 1e30;
    host.projects[1].share = DBL_TRUE_MIN;
    host.projects[0].id = UINT64_MAX;
    host.projects[0].priority_class = INT32_MIN;
    host.host.ram = DBL_MAX;
}

static void whole_map_excluded(void) {
    host.resources[1].instances = VCS_MAX_GPU_INSTANCES;
    host.project_resources[0].excluded = UINT64_MAX;
}

static void no_application(void) {
    host.tasks[0].app = VCS_NONE;
}

static void candidate_with_the_id_of_a_task(void) {
    host.candidates[0].id = host.tasks[0].id;
    host.candidates[1].id = host.tasks[0].id;
}

static void ids_that_need_not_differ(void) {
    host.resources[1].id = host.resources[0].id;
    host.project_resources[1].id = host.project_resources[0].id;
    host.apps[1].id = host.apps[0].id;
}

static void negative_zero(void) {
    host.tasks[0].remaining = -0.0;
    host.projects[0].share = -0.0;
}

/* The fluid discipline looks only at tasks that take part. */
static void fluid_with_a_suspended_gpu_task(void) {
    host.parameters.discipline = VCS_DISCIPLINE_FLUID;
    host.tasks[0].gpu = 1;
    host.tasks[0].gpus = 1;
    host.tasks[0].flags = VCS_TASK_SUSPENDED;
    host.tasks[1].cpus = 4;
    host.projects[1].flags = VCS_PROJECT_SUSPENDED;
}

static void (*const odd_but_real[])(void) = {
    all_arrays_empty,
    all_shares_zero,
    everything_suspended,
    deadlines_past_and_infinite,
    times_on_both_sides,
    tasks_of_nothing,
    task_greater_than_the_host,
    greatest_numbers,
    whole_map_excluded,
    no_application,
    candidate_with_the_id_of_a_task,
    ids_that_need_not_differ,
    negative_zero,
    fluid_with_a_suspended_gpu_task,
};

static void odd_but_real_states(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(odd_but_real); i++) {
        begin();
        odd_but_real[i]();
        vcs_state *state = host_prepare(&host);
        vcs_wrr_summary summary = {.struct_size = sizeof summary};
        assert_int_equal(vcs_wrr(state, &summary), VCS_OK);
        assert_true(summary.simulated_until >= 0);
        host_end(&host);
    }
}

/* ---- What the decisions find ---- */

/* An instance with only a millionth left still counts. */
static void the_last_instance_counts_in_part(void **unused) {
    (void)unused;
    static const struct {
        double reserve;
        uint32_t instances;
    } cases[] = {{0, 4}, {1, 3}, {1 - 0x1p-20, 4}, {1 + 0x1p-20, 3}, {2 - 0x1p-20, 3}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        begin();
        host.resources[0].instances = 4;
        host.resources[0].reserve = cases[i].reserve;
        vcs_state *state = host_prepare(&host);
        assert_int_equal(vcs_resources(state)[0].instances, cases[i].instances);
        host_end(&host);
    }
}

static void converted_to_the_units_of_the_simulations(void **unused) {
    (void)unused;
    begin();
    host.resources[1].usable = 0.25;
    host.tasks[0].gpu = 1;
    host.tasks[0].gpus = 0.5;
    host.tasks[0].remaining = 10;
    host.tasks[1].flags = VCS_TASK_SUSPENDED;
    host.project_resources[1].excluded = 2;
    vcs_state *state = host_prepare(&host);
    const vcs_prepared_resource *resources = vcs_resources(state);
    assert_true(resources[1].capacity == 2 * VCS_ONE);
    assert_true(resources[1].speed == 10);
    const vcs_prepared_task *jobs = vcs_prepared_tasks(state);
    assert_true(jobs[0].run_time == 40000000); /* 10 s at a quarter of the time */
    assert_true(jobs[0].gpu_units == VCS_ONE / 2);
    assert_true(jobs[0].cpu_units == VCS_ONE);
    assert_int_equal(jobs[0].resource, 1);
    assert_int_equal(jobs[0].takes_part, 1);
    assert_int_equal(jobs[1].takes_part, 0);
    assert_int_equal(jobs[2].id, host.candidates[0].id); /* candidates follow the tasks */
    const vcs_project_resource *project_resources = vcs_project_resources(state);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(project_resources[i].project, i / 2);
        assert_int_equal(project_resources[i].resource, i % 2);
        assert_int_equal(project_resources[i].excluded, i == 3 ? 2 : 0);
    }
    host_end(&host);
}

/* Both orders by their definition: no task goes before the previous task. */

static int arrives_before(const vcs_prepared_task *a, const vcs_prepared_task *b) {
    return a->received != b->received ? a->received < b->received : a->id < b->id;
}

static int is_due_before(const vcs_prepared_task *a, const vcs_prepared_task *b) {
    if (a->deadline != b->deadline) {
        return a->deadline < b->deadline;
    }
    return a->run_time != b->run_time ? a->run_time < b->run_time : arrives_before(a, b);
}

static void check_order(const vcs_state *state, const uint32_t *order,
                        int (*goes_before)(const vcs_prepared_task *a, const vcs_prepared_task *b)) {
    const vcs_prepared_task *jobs = vcs_prepared_tasks(state);
    unsigned char seen[RANDOM_MOST_TASKS] = {0};
    for (uint32_t i = 0; i < state->task_count; i++) {
        assert_in_range(order[i], 0, state->task_count - 1);
        assert_int_equal(seen[order[i]]++, 0);
        assert_true(i == 0 || goes_before(&jobs[order[i - 1]], &jobs[order[i]]));
    }
}

static void orders_of_tasks(void **unused) {
    (void)unused;
    static random_state s;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        size_t size;
        vcs_state *state = NULL;
        random_state_fill(&s, RANDOM_ANY, seed);
        assert_int_equal(vcs_state_size(&s.snapshot, &size), VCS_OK);
        void *work = malloc(size);
        assert_int_equal(vcs_state_prepare(&s.snapshot, &s.parameters, s.now, work, size, &state, NULL), VCS_OK);
        check_order(state, vcs_arrival_order(state), arrives_before);
        check_order(state, vcs_deadline_order(state), is_due_before);
        const uint32_t *projects = vcs_project_order(state);
        for (uint32_t i = 1; i < state->project_count; i++) {
            assert_true(vcs_projects(state)[projects[i - 1]].id < vcs_projects(state)[projects[i]].id);
        }
        assert_int_equal(state->size, size);
        free(work);
    }
}

/* min buffer 100, additional 50. */
static void buffer_in_microseconds(void **unused) {
    (void)unused;
    vcs_parameters parameters;
    assert_int_equal(vcs_parameters_init(&parameters, sizeof parameters, VCS_PROFILE_CURRENT), VCS_OK);
    parameters.min_buffer = 100;
    parameters.least_buffer = 0;
    parameters.additional_buffer = 50;
    assert_true(vcs_buffer_end(&parameters) == 150000000);
    parameters.least_buffer = 180;
    assert_true(vcs_buffer_end(&parameters) == 230000000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_outside_their_range),
        cmocka_unit_test(unknown_flags),
        cmocka_unit_test(counts_outside_their_range),
        cmocka_unit_test(references_to_nothing),
        cmocka_unit_test(reserved_bytes),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(null_arguments),
        cmocka_unit_test(work_memory_too_small_or_misaligned),
        cmocka_unit_test(size_of_bad_views),
        cmocka_unit_test(size_grows_with_every_count),
        cmocka_unit_test(counts_that_overflow),
        cmocka_unit_test(odd_but_real_states),
        cmocka_unit_test(converted_to_the_units_of_the_simulations),
        cmocka_unit_test(the_last_instance_counts_in_part),
        cmocka_unit_test(orders_of_tasks),
        cmocka_unit_test(buffer_in_microseconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
