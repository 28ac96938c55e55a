/*
 * What vcs_emulate_grid() refuses and what it takes: structs of any size or none, each of which ends where its memory
 * ends; arrays of no, one or two elements of any size; functions of the caller's or none; memory that is short at any
 * time. A record, checked by its layout, is refused with any numbers in it, or is any that is right; that is
 * proved apart, and so are opening a host and all that comes after it.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcemu/grid/grid_input.c lib/vcemu/grid/emulate_grid.c
// sources: lib/vcemu/host/setup.c lib/vcemu/host/events.c lib/vcemu/host/failure.c
// sources: lib/vcemu/interface/*_fields.c
// options: -eva-slevel 1 -eva-alloc-builtin fresh -eva-no-alloc-returns-null -eva-min-loop-unroll 3
// options: -eva-partition-value has_failed
// options: -eva-slevel-function is_zero:0,check_array:20,vcs_check_array:20,read_classes:20
// options: -eva-slevel-function vcs_check_size:20
#include "vcemu/grid/figures.h"
#include "vcemu/grid/grid_input.h"
#include "vcemu/grid/grid_server.h"
#include "vcemu/grid/hosts.h"
#include "vcemu/grid/servers.h"
#include "vcemu/host/memory.h"
#include "vcsched/interface/check/check.h"

#include "right.h"

#include <stdlib.h>

/* The analyser's memset() wants to see a byte behind the address, even where none is written. */
static void *fill(void *bytes, int value, size_t size) {
    return size > 0 ? memset(bytes, value, size) : bytes;
}
#define memset fill
#include "vcsched/interface/check/field_check.c"
#undef memset

/* Of the checks, only that of a record is proved apart. */
int proved_apart(void *known, const vcs_array *array, uint32_t index, const vcs_layout *layout, vcs_error *error);
int describe(vcs_error *error, int code, const vcs_layout *layout, uint64_t index, uint32_t offset, const char *why);
int describe_at(vcs_error *error, int code, uint64_t index, const char *what, const char *why);
#define vcs_copy_record proved_apart
#define vcs_fail describe
#define vcs_fail_at describe_at
#include "vcsched/interface/check/check.c"
#undef vcs_copy_record
#undef vcs_fail
#undef vcs_fail_at

int code;

static int any_error(void) {
    return Frama_C_int_interval(-1000, -1);
}

/* Something has been refused: the analyser keeps paths apart on which that is so, and on which it is not. */
static int has_failed;

int vcs_fail(vcs_error *error, int refused, const vcs_layout *layout, uint64_t index, uint32_t offset,
             const char *why) {
    has_failed = 1;
    return describe(error, refused, layout, index, offset, why);
}

int vcs_fail_at(vcs_error *error, int refused, uint64_t index, const char *what, const char *why) {
    has_failed = 1;
    return describe_at(error, refused, index, what, why);
}

/* ---- What is proved apart ---- */

void *vcs_emu_allocate(vcs_emu_emulator *e, uint64_t bytes) {
    if (EITHER()) {
        vcs_emu_fail(e, VCS_ERR_MEMORY, 0, "", "there is not enough memory");
        return NULL;
    }
    return fill(malloc(bytes), 0, bytes);
}

void vcs_emu_release_all(vcs_emu_emulator *e) {
}

/* Any number but NaN in the place of each field that is one, and anything in that of the others. */
#define ANY_NUMBER_f64(place) any_numbers(&(place), sizeof(place), -VCS_INFINITY, VCS_INFINITY)
#define ANY_NUMBER_u64(place) Frama_C_make_unknown((char *)&(place), sizeof(place))
#define ANY_NUMBER_u32 ANY_NUMBER_u64
#define ANY_NUMBER_i32 ANY_NUMBER_u64
#define ANY_NUMBER_flags ANY_NUMBER_u64
#define ANY_NUMBER_choice ANY_NUMBER_u64
#define ANY_NUMBER_size ANY_NUMBER_u64
#define ANY_NUMBER_zero ANY_NUMBER_u64
#define ANY_NUMBER_FIELD(structure, kind, offset, field, ...) ANY_NUMBER_##kind(record->field);

/* A record that has been taken over: right, or left as it was when it was refused. */
#define TAKE(structure, type)                                                                                          \
    case type: {                                                                                                       \
        vcs_##structure *record = known;                                                                               \
        if (answer == VCS_OK) {                                                                                        \
            any_right_##structure(record);                                                                             \
        } else {                                                                                                       \
            VCS_FIELDS_##structure(ANY_NUMBER_FIELD)                                                                   \
        }                                                                                                              \
        break;                                                                                                         \
    }

/* Only of an array that has been checked, and that has so many elements. */
int vcs_copy_record(void *known, const vcs_array *array, uint32_t index, const vcs_layout *layout, vcs_error *error) {
    const int answer = EITHER() ? VCS_OK : vcs_fail(error, any_error(), layout, index, VCS_WHOLE_RECORD, "");
    const uint32_t first_size = layout->first_size;
    //@ assert index < array->count;
    //@ assert array->base != \null;
    //@ assert first_size <= array->element_size <= 4096;
    switch (layout->type) {
        TAKE(grid_terms, VCS_TYPE_GRID_TERMS)
        TAKE(grid_project, VCS_TYPE_GRID_PROJECT)
        TAKE(host_model, VCS_TYPE_HOST_MODEL)
        TAKE(host_row, VCS_TYPE_HOST_ROW)
    default:
        nowhere();
    }
    return answer;
}

#define MOST 2 /* elements of an array */

/* A host of a class, with as many records as the scenario has; or no host. */
static uint32_t projects, apps; /* of the scenario */

void vcs_emu_open(vcs_emu_whole *whole, const vcs_scenario *scenario, const vcs_parameters *parameters) {
    vcs_emu_emulator *e = &whole->emulator;
    vcs_emu_records *records = &whole->records;
    //@ assert scenario->struct_size == sizeof(*scenario) && scenario->flags == 0;
    //@ assert parameters != \null && whole->setup.hooks.observe == \null;
    if (EITHER()) {
        vcs_emu_note(e, vcs_fail_at(e->error, any_error(), 0, "", ""));
    }
    records->resource_count = MOST;
    records->project_count = projects;
    records->app_count = apps;
    records->apps = vcs_emu_allocate(e, apps * sizeof *records->apps);
    whole->setup.models = vcs_emu_allocate(e, apps * sizeof *whole->setup.models);
    for (uint32_t i = 0; e->code == VCS_OK && i < apps; i++) {
        any_right_app(&records->apps[i]);
        any_right_job_model(&whole->setup.models[i]);
        records->apps[i].project = Frama_C_unsigned_int_interval(0, projects - 1);
    }
    any_right_parameters(&whole->setup.parameters);
}

/* ---- What comes afterwards, and begins with this ---- */

static void assert_class(const vcs_grid_world *w, const vcs_grid_class *c) {
    for (uint32_t i = 0; i < c->sample.records.project_count; i++) {
        //@ assert c->projects[i] < w->server_count;
    }
}

void vcs_grid_servers_open(vcs_grid_world *w) {
    //@ assert -VCS_MAX_SECONDS <= w->terms.start <= VCS_MAX_SECONDS && 0.0 < w->terms.duration <= VCS_MAX_EMULATION;
    for (uint32_t i = 0; i < w->class_count; i++) {
        assert_class(w, &w->classes[i]);
    }
}

void vcs_grid_host_plan(vcs_grid_world *w, uint32_t class_index, uint32_t place, double from) {
}

void vcs_grid_sample_until(vcs_grid_world *w, double until) {
}

void vcs_grid_servers_advance(vcs_grid_world *w, double now) {
}

void vcs_grid_server_close(vcs_grid_server *s) {
}

void vcs_grid_hand_out(const vcs_grid_world *w, const vcs_grid_results *results) {
}

/* ---- The caller ---- */

static void *hook_allocate(void *context, size_t size) {
    return NULL;
}

static void hook_release(void *context, void *memory, size_t size) {
}

static uint64_t anything;
#define MAYBE(pointer) (EITHER() ? (pointer) : NULL)

/* An array, said to be of records of any size. */
static vcs_array any_array(uint32_t count) {
    return (vcs_array){{MAYBE(&anything)}, ANY_U32(), count};
}

/* Where a struct of the caller's ends, its memory ends too: what is read behind what is said to be there is seen. */
#define MOST_BYTES 4096

static void *ends_with(unsigned char *bytes, const void *known, uint32_t known_size, uint32_t size) {
    const uint32_t there = size < 8 ? 8 : size > MOST_BYTES ? MOST_BYTES : size; /* the size itself can be read */
    unsigned char *at = bytes + MOST_BYTES - there;
    Frama_C_make_unknown((char *)at, there);
    memcpy(at, known, there < known_size ? there : known_size);
    return at;
}

/* A struct of each of these sizes, or none. Behind the choice comes the annotation "split". */
#define SIZES 7
#define SIZES_FROM(first)                                                                                              \
    { 0, (first)-8, (first)-4, first, (first) + 8, MOST_BYTES, MOST_BYTES + 8 }
#define ANY_SIZE() Frama_C_unsigned_int_interval(0, SIZES - 1)
#define ANY_SIZE_OR_NONE() Frama_C_unsigned_int_interval(0, SIZES)

#define HAS_SIZES(structure, first)                                                                                    \
    static vcs_##structure structure;                                                                                  \
    static const uint32_t sizes_of_##structure[SIZES] = SIZES_FROM(first);                                             \
    static unsigned char bytes_of_##structure[MOST_BYTES];                                                             \
                                                                                                                       \
    static const vcs_##structure *structure##_of(uint32_t number) {                                                    \
        if (number == SIZES) {                                                                                         \
            return NULL;                                                                                               \
        }                                                                                                              \
        structure.struct_size = sizes_of_##structure[number];                                                          \
        return ends_with(bytes_of_##structure, &structure, sizeof structure, structure.struct_size);                   \
    }

HAS_SIZES(grid, 56)
HAS_SIZES(grid_hooks, 72)
HAS_SIZES(grid_results, 80)
HAS_SIZES(scenario, 224)
HAS_SIZES(hooks, 72)
HAS_SIZES(error, 248)
#define LIBRARY_SIZE 3 /* the fourth of them */

static vcs_grid_outcome outcome;

/* What is right in all sizes but those that it states. */
static void right_structs(void) {
    scenario.snapshot.struct_size = sizeof scenario.snapshot;
    grid = (vcs_grid){
        .struct_size = sizeof grid,
        .terms = {{&anything}, sizeof(vcs_grid_terms), 1},
    };
    grid_hooks = (vcs_grid_hooks){.struct_size = sizeof grid_hooks};
    grid_results = (vcs_grid_results){.struct_size = sizeof grid_results};
}

static void any_structs(void) {
    grid.flags = ANY_U32();
    grid.terms = any_array(ANY_U32());
    grid_hooks.flags = ANY_U32();
    grid_hooks.allocate = MAYBE(hook_allocate);
    grid_hooks.release = MAYBE(hook_release);
    grid_results.flags = ANY_U32();
    grid_results.outcome = MAYBE(&outcome);
    outcome.struct_size = ANY_U32();
    grid_results.projects = MAYBE((void *)&anything);
    grid_results.turnarounds = MAYBE(&anything);
    grid_results.hosts = MAYBE((void *)&anything);
    grid_results.samples = MAYBE((void *)&anything);
    grid_results.reserved0 = MAYBE(&anything);
    grid_results.project_size = ANY_U32();
    grid_results.project_count = ANY_U32();
    grid_results.host_size = ANY_U32();
    grid_results.host_count = ANY_U32();
    grid_results.sample_size = ANY_U32();
    grid_results.sample_count = ANY_U32();
}

/* ---- Structs of any size; no projects and no classes ---- */

static void call_with_any_size(void) {
    uint32_t grid_size = ANY_SIZE_OR_NONE(), hook_size = ANY_SIZE_OR_NONE(), result_size = ANY_SIZE_OR_NONE();
    /*@ split grid_size; */
    /*@ split hook_size; */
    /*@ split result_size; */
    any_structs();
    MAY_PASS(vcs_emulate_grid(grid_of(grid_size), grid_hooks_of(hook_size), grid_results_of(result_size), NOBODY));
}

/* ---- Up to two projects and two classes, whose structs and elements are of any size ---- */

static vcs_parameters parameters;
static vcs_host_class host_classes[MOST];
static uint32_t attached[MOST];
static unsigned char class_bytes[MOST * MOST_BYTES];
static const uint32_t class_sizes[SIZES] = SIZES_FROM(88);

static uint32_t any_count(void) {
    return Frama_C_unsigned_int_interval(0, MOST);
}

/* Elements of a size, each of which says of itself which one it is; the last one ends with its memory. */
static vcs_array classes_of(uint32_t count, uint32_t element_size) {
    const uint32_t there = element_size < 8 ? 8 : element_size > MOST_BYTES ? MOST_BYTES : element_size;
    unsigned char *first = class_bytes + MOST * MOST_BYTES - count * there;
    Frama_C_make_unknown((char *)first, count * there);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(first + i * there, &host_classes[i], there < sizeof *host_classes ? there : sizeof *host_classes);
    }
    return (vcs_array){{MAYBE(first)}, element_size, count};
}

static void any_class(vcs_host_class *host_class) {
    *host_class = (vcs_host_class){
        .struct_size = sizeof *host_class,
        .flags = ANY_U32(),
        .scenario = NULL,
        .parameters = MAYBE(&parameters),
        .reserved0 = MAYBE(&anything),
        .projects = any_array(0),
        .model = any_array(ANY_U32()),
        .rows = any_array(0),
    };
}

static void call_with_projects(void) {
    uint32_t count = any_count();
    /*@ split count; */
    any_structs();
    grid.projects = any_array(count);
    MAY_PASS(vcs_emulate_grid(&grid, &grid_hooks, &grid_results, NOBODY));
}

static void call_with_classes_of_any_size(void) {
    uint32_t count = Frama_C_unsigned_int_interval(1, MOST), size = ANY_SIZE(), last = ANY_SIZE();
    /*@ split count; */
    /*@ split size; */
    /*@ split last; */
    host_classes[count - 1].struct_size = class_sizes[last];
    host_classes[0].scenario = host_classes[1].scenario = scenario_of(LIBRARY_SIZE);
    grid.classes = classes_of(count, class_sizes[size]);
    MAY_PASS(vcs_emulate_grid(&grid, NULL, &grid_results, NOBODY));
}

/* ---- A class whose scenario or functions are of any size ---- */

static const uint32_t snapshot_sizes[SIZES] = SIZES_FROM(120);

static void call_with_scenario_of_any_size(void) {
    uint32_t size = ANY_SIZE_OR_NONE(), snapshot_size = ANY_SIZE();
    /*@ split size; */
    /*@ split snapshot_size; */
    scenario.snapshot.struct_size = snapshot_sizes[snapshot_size];
    host_classes[0].scenario = scenario_of(size);
    grid.classes = classes_of(1, sizeof *host_classes);
    MAY_PASS(vcs_emulate_grid(&grid, NULL, &grid_results, NOBODY));
}

static void call_with_hooks_of_any_size(void) {
    uint32_t size = ANY_SIZE_OR_NONE();
    /*@ split size; */
    host_classes[0].scenario = scenario_of(LIBRARY_SIZE);
    host_classes[0].hooks = hooks_of(size);
    grid.classes = classes_of(1, sizeof *host_classes);
    MAY_PASS(vcs_emulate_grid(&grid, NULL, &grid_results, NOBODY));
}

/* ---- One class or two, whose hosts are attached to projects, with as many applications as the scenario has ---- */

static void call_with_attachments(uint32_t class_count, uint32_t project_count, uint32_t count, uint32_t row_count) {
    apps = projects;
    for (uint32_t i = 0; i < MOST; i++) {
        host_classes[i].scenario = scenario_of(LIBRARY_SIZE);
        host_classes[i].projects = any_array(count);
        host_classes[i].projects.base = MAYBE(&attached[MOST - count]); /* the last one ends with its memory */
        host_classes[i].rows = any_array(row_count);
    }
    Frama_C_make_unknown((char *)attached, sizeof attached);
    grid.projects = any_array(project_count);
    grid.classes = classes_of(class_count, sizeof *host_classes);
    MAY_PASS(vcs_emulate_grid(&grid, NULL, &grid_results, NOBODY));
}

static void call_with_one_class(void) {
    uint32_t project_count = any_count(), count = any_count(), row_count = any_count();
    projects = any_count();
    /*@ split project_count; */
    /*@ split count; */
    /*@ split row_count; */
    /*@ split projects; */
    call_with_attachments(1, project_count, count, row_count);
}

static void call_with_two_classes(void) {
    uint32_t row_count = any_count();
    /*@ split row_count; */
    projects = MOST;
    call_with_attachments(MOST, MOST, MOST, row_count);
}

/* ---- What is refused is described, in a struct of any size ---- */

static void call_with_error_of_any_size(void) {
    uint32_t size = ANY_SIZE_OR_NONE();
    /*@ split size; */
    projects = apps = 1;
    grid.flags = ANY_U32();
    grid.terms = any_array(ANY_U32());
    grid.projects = any_array(1);
    host_classes[0].scenario = scenario_of(LIBRARY_SIZE);
    host_classes[0].projects = (vcs_array){{attached}, sizeof *attached, 1};
    host_classes[0].rows = any_array(1);
    Frama_C_make_unknown((char *)attached, sizeof attached);
    grid.classes = classes_of(1, sizeof *host_classes);
    MAY_PASS(vcs_emulate_grid(&grid, NULL, &grid_results, (vcs_error *)error_of(size)));
}

int main(void) {
    has_failed = 0;
    right_structs();
    any_class(&host_classes[0]);
    any_class(&host_classes[1]);
    switch (Frama_C_interval(0, 7)) {
    case 0:
        call_with_any_size();
        break;
    case 1:
        call_with_projects();
        break;
    case 2:
        call_with_classes_of_any_size();
        break;
    case 3:
        call_with_scenario_of_any_size();
        break;
    case 4:
        call_with_hooks_of_any_size();
        break;
    case 5:
        call_with_one_class();
        break;
    case 6:
        call_with_error_of_any_size();
        break;
    default:
        call_with_two_classes();
    }
    return 0;
}
