/*
 * What vcs_emulate() takes in (chapter 12), up to the moment at which the emulation begins, for callers of this age and
 * newer ones: all that they pass is right, or one thing after the other is the first that is wrong and what is looked
 * at later is anything. Memory may fail at any time. Where the host is off from the start to the end the emulation runs
 * on to the outcome; else the first decision ends it.
 *
 * Records that libvcsched or the table of fields lets pass are any in their ranges; both are proved apart, the latter
 * for the records of the emulator at the end of this file. Pointers are aligned, and numbers are no NaN.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcemu/host/*.c lib/vcemu/host/*/*.c
// sources: lib/vcsched/interface/layouts/host_fields.c lib/vcemu/interface/*_fields.c
// without: lib/vcemu/host/emulate.c lib/vcemu/host/memory.c lib/vcemu/host/client/host_state.c
// without: lib/vcemu/host/client/choose_tasks.c lib/vcemu/host/client/choose_project.c
// options: -eva-slevel 1 -eva-slevel-function vcs_emu_reserve:100,read_models:10
// options: -eva-partition-value has_failed -eva-interprocedural-splits -eva-alloc-builtin fresh
// options: -eva-no-alloc-returns-null -eva-subdivide-non-linear 1 -eva-auto-loop-unroll 8 -eva-split-return=
#include <vcsched/vcsched.h>

#define RESOURCES 2
#define PROJECTS 2
#define APPS 2
#define MOST 3 /* tasks, and one more */
#define HAS_REFUSALS

#include "emulation.h"
#include "field_check.h"

int code;

/* ---- The library as it is, but for what stands in ---- */

#define vcs_fail real_fail
#define vcs_fail_at real_fail_at
#define vcs_copy_record real_take_record
#include "vcsched/interface/check/check.c"
#undef vcs_fail
#undef vcs_fail_at
#undef vcs_copy_record

#define vcs_emu_prepare real_prepare
#define vcs_emu_prepare_to_fetch real_prepare_to_fetch
#define vcs_emu_choose_project real_choose_project
#define vcs_emu_begin_fetch real_begin_fetch
#include "vcemu/host/client/host_state.c"
#include "vcemu/host/client/choose_project.c"
#undef vcs_emu_prepare
#undef vcs_emu_prepare_to_fetch
#undef vcs_emu_choose_project
#undef vcs_emu_begin_fetch

/* Every decision ends the emulation. */
static bool end(vcs_emu_emulator *e) {
    has_failed = 1;
    vcs_emu_note(e, VCS_ERR_UNSUPPORTED);
    return false;
}

bool vcs_emu_prepare(vcs_emu_emulator *e) {
    return end(e);
}

bool vcs_emu_prepare_to_fetch(vcs_emu_emulator *e) {
    return end(e);
}

bool vcs_emu_begin_fetch(vcs_emu_emulator *e) {
    return end(e);
}

void vcs_emu_choose_tasks(vcs_emu_emulator *e) {
    end(e);
}

uint32_t vcs_emu_choose_project(vcs_emu_emulator *e, uint32_t project) {
    end(e);
    return VCS_NONE;
}

/* Writes into what the caller says its error has. */
static void any_refusal(vcs_error *error) {
    has_failed = 1;
    if (error != NULL) {
        Frama_C_make_unknown((char *)error + sizeof error->struct_size, error->struct_size - sizeof error->struct_size);
    }
}

int vcs_fail(vcs_error *error, int refused, const vcs_layout *layout, uint64_t index, uint32_t offset,
             const char *why) {
    any_refusal(error);
    return refused;
}

int vcs_fail_at(vcs_error *error, int refused, uint64_t index, const char *what, const char *why) {
    any_refusal(error);
    return refused;
}

/* Looks at all bytes of the element. What passes is right. */
int vcs_copy_record(void *known, const vcs_array *array, uint32_t index, const vcs_layout *layout, vcs_error *error) {
    if (vcs_copy_struct(known, layout->size, vcs_element(array, index), array->element_size) != VCS_OK ||
        any_code() != VCS_OK) {
        return vcs_fail(error, VCS_ERR_RANGE, layout, index, 0, "");
    }
    switch (layout->type) {
    case VCS_TYPE_EMULATION:
        any_right_emulation(known);
        break;
    case VCS_TYPE_JOB_MODEL:
        any_right_job_model(known);
        break;
    default:
        any_right_server_model(known);
    }
    return VCS_OK;
}

/* Whether libvcsched may let the snapshot pass. */
static int may_be_right;

int vcs_state_size(const vcs_snapshot *snapshot, size_t *bytes) {
    const int answer = any_code();
    *bytes = ANY_U64();
    if (answer == VCS_OK && !may_be_right) {
        nowhere();
    }
    return answer;
}

/* ---- Memory ---- */

void *vcs_emu_allocate(vcs_emu_emulator *e, uint64_t bytes) {
    if (any_yes()) {
        vcs_emu_fail(e, VCS_ERR_MEMORY, 0, "", "there is not enough memory");
        return NULL;
    }
    void *taken = malloc(bytes > 0 ? bytes : 1);
    return bytes > 0 ? memset(taken, 0, bytes) : taken;
}

static void *hook_allocate(void *context, size_t size) {
    return NULL;
}

static void hook_release(void *context, void *memory, size_t size) {
}

/* ---- What the caller passes, in the order in which it is looked at ---- */

enum {
    ERROR,
    POINTERS,
    SCENARIO,
    SNAPSHOT,
    BEHIND, /* what stands behind the snapshot in the scenario */
    HOOKS,
    OUTCOME,
    PROJECT_OUTCOMES,
    RESOURCE_OUTCOMES,
    EMULATION,
    MODELS,
    SERVERS,
    SIZES,
    SWITCHES,
    RECORDS, /* of the snapshot, which libvcsched looks at */
    NOTHING
};

/* How many there are of each, and what is wrong first: what comes before it is right, the rest any. */
typedef struct shape {
    uint32_t resources, projects, apps, sizes, switches;
    int has_servers;
    int has_hooks, has_error, has_outcomes; /* else NULL */
    uint32_t longer;                        /* bytes by which all structs and records are longer than here */
    uint32_t wrong, how;
} shape;

/* ---- Memory of the caller's: what is right ends where the place ends, so that nobody reads or writes beyond ---- */

#define SOME 2 /* elements of an array */
#define PLACE(name, number) static uint64_t name[number][VCS_LARGEST_STRUCT / 8]

PLACE(hosts, 1);
PLACE(resources, RESOURCES);
PLACE(projects, PROJECTS);
PLACE(pairs, SOME);
PLACE(apps, APPS);
PLACE(initial, SOME);
PLACE(emulations, 1);
PLACE(models, APPS);
PLACE(servers, PROJECTS);
PLACE(scenarios, 1);
PLACE(hook_places, 1);
PLACE(outcomes, 1);
PLACE(project_outcomes, PROJECTS);
PLACE(resource_outcomes, RESOURCES);
PLACE(errors, 1);
static double sizes[SOME][VCS_LARGEST_STRUCT / 8], switches[SOME][VCS_LARGEST_STRUCT / 8];
static uint64_t policy[2]; /* the shortest one of all ages */

#define LAST(place, count, size) ((void *)((char *)(place) + sizeof(place) - (count) * ((size) + s->longer)))
#define RECORD(structure, place, count, i) ((vcs_##structure *)LAST(place, (count) - (i), sizeof(vcs_##structure)))

#define ANY_BYTES(place) Frama_C_make_unknown((char *)(place), sizeof(place))

static void any_places(void) {
    ANY_BYTES(emulations);
    ANY_BYTES(models);
    ANY_BYTES(servers);
    ANY_BYTES(scenarios);
    ANY_BYTES(hook_places);
    ANY_BYTES(outcomes);
    ANY_BYTES(project_outcomes);
    ANY_BYTES(resource_outcomes);
    ANY_BYTES(errors);
    ANY_BYTES(policy);
    for (size_t i = 0; i < sizeof sizes / sizeof(double); i++) {
        ((double *)sizes)[i] = any_between(-VCS_INFINITY, VCS_INFINITY);
        ((double *)switches)[i] = any_between(-VCS_INFINITY, VCS_INFINITY);
    }
}

/* Ways in which a size is wrong: too small, too large, no multiple of 8. */
#define WAYS 9

static uint32_t wrong_size(uint32_t how, uint32_t first) {
    switch (how) {
    case 0:
        return Frama_C_unsigned_int_interval(0, first - 1);
    case 1:
        return Frama_C_unsigned_int_interval(VCS_LARGEST_STRUCT + 1, UINT32_MAX);
    default:
        return Frama_C_unsigned_int_interval(0, VCS_LARGEST_STRUCT / 8) * 8 + how - 1;
    }
}

static uint32_t size_of(const shape *s, uint32_t what, uint32_t known) {
    const int is_of_none = !s->has_outcomes && (what == PROJECT_OUTCOMES || what == RESOURCE_OUTCOMES);
    if (s->wrong < what || is_of_none) {
        return ANY_U32();
    }
    return s->wrong == what && s->how < WAYS ? wrong_size(s->how, known) : known + s->longer;
}

/* ---- Records ---- */

static uint32_t any_below(uint32_t count) {
    return Frama_C_unsigned_int_interval(0, count == 0 ? 0 : count - 1);
}

/* What libvcsched does not refuse. */
static void any_right_records(const shape *s) {
    any_right_host(RECORD(host, hosts, 1, 0));
    for (uint32_t i = 0; i < s->resources; i++) {
        any_right_resource(RECORD(resource, resources, s->resources, i));
    }
    for (uint32_t i = 0; i < s->projects; i++) {
        any_right_project(RECORD(project, projects, s->projects, i));
    }
    for (uint32_t i = 0; i < SOME; i++) {
        vcs_project_resource *pair = RECORD(project_resource, pairs, SOME, i);
        any_right_project_resource(pair);
        pair->project = any_below(s->projects);
        pair->resource = any_below(s->resources);
    }
    for (uint32_t i = 0; i < s->apps; i++) {
        vcs_app *app = RECORD(app, apps, s->apps, i);
        any_right_app(app);
        app->project = any_below(s->projects);
    }
    for (uint32_t i = 0; i < SOME; i++) {
        vcs_task *task = RECORD(task, initial, SOME, i);
        any_right_task(task);
        task->project = any_below(s->projects);
        task->gpu = any_below(s->resources);
        task->app = s->apps == 0 || any_yes() ? VCS_NONE : any_below(s->apps);
    }
}

#define THERE(place) (any_yes() ? (void *)(place) : NULL)
#define AT_LEAST_ONE() Frama_C_unsigned_int_interval(1, UINT32_MAX)

/* An array of anything, which is not looked at. */
static vcs_array any_array(void *place) {
    return (vcs_array){{THERE(place)}, ANY_U32(), ANY_U32()};
}

/* Records of a snapshot, which may have room for more. Outcomes are counted before anybody looks at the records. */
static vcs_array records_of(const shape *s, void *place, void *last, uint32_t size, uint32_t count) {
    if (s->wrong > RECORDS) {
        return (vcs_array){{last}, size + s->longer, count};
    }
    vcs_array array = any_array(place);
    if (s->wrong == PROJECT_OUTCOMES || s->wrong == RESOURCE_OUTCOMES) {
        array.count = count;
    }
    return array;
}

#define RECORDS_OF(structure, place, room, number)                                                                     \
    records_of(s, place, RECORD(structure, place, room, 0), sizeof(vcs_##structure), number)

/* An array of the emulator's own. It may be wrong in one way more: it is not there. */
static vcs_array array_of(const shape *s, uint32_t what, void *place, void *last, uint32_t size, uint32_t count) {
    if (s->wrong > what) {
        return (vcs_array){{last}, size + s->longer, count};
    }
    if (s->wrong == what) {
        return (vcs_array){{s->how == WAYS ? NULL : place}, size_of(s, what, size), AT_LEAST_ONE()};
    }
    return any_array(place);
}

#define ARRAY_OF(what, type, place, room, number)                                                                      \
    array_of(s, what, place, LAST(place, room, sizeof(type)), sizeof(type), number)

/* ---- Structs and arguments ---- */

/* What stands behind the snapshot of a scenario. */
typedef struct behind_snapshot {
    vcs_array emulation, models, servers, sizes, switches;
} behind_snapshot;

static vcs_scenario *any_scenario(const shape *s) {
    vcs_scenario *scenario = s->wrong > BEHIND ? RECORD(scenario, scenarios, 1, 0) : (void *)scenarios;
    vcs_snapshot *snapshot = &scenario->snapshot;
    behind_snapshot *behind = (behind_snapshot *)((char *)(snapshot + 1) + s->longer);
    const uint32_t most = s->projects > 0 ? SOME : 0;
    scenario->struct_size = size_of(s, SCENARIO, sizeof *scenario);
    snapshot->struct_size = s->wrong == BEHIND ? sizeof *scenario + s->longer : size_of(s, SNAPSHOT, sizeof *snapshot);
    /* Only whose bytes beyond are 0 is understood. */
    memset(snapshot + 1, s->wrong == SNAPSHOT && s->how == WAYS ? Frama_C_int_interval(1, 255) : 0, s->longer);
    snapshot->host = RECORDS_OF(host, hosts, 1, 1);
    snapshot->resources = RECORDS_OF(resource, resources, s->resources, s->resources);
    snapshot->projects = RECORDS_OF(project, projects, s->projects, s->projects);
    snapshot->project_resources = RECORDS_OF(project_resource, pairs, SOME, Frama_C_unsigned_int_interval(0, most));
    snapshot->apps = RECORDS_OF(app, apps, s->apps, s->apps);
    snapshot->tasks = RECORDS_OF(task, initial, SOME, Frama_C_unsigned_int_interval(0, most));
    snapshot->candidates = any_array(initial);
    behind->emulation = ARRAY_OF(EMULATION, vcs_emulation, emulations, 1, AT_LEAST_ONE());
    behind->models = ARRAY_OF(MODELS, vcs_job_model, models, s->apps, ANY_U32());
    behind->servers = ARRAY_OF(SERVERS, vcs_server_model, servers, s->projects, s->has_servers ? AT_LEAST_ONE() : 0);
    behind->sizes = ARRAY_OF(SIZES, double, sizes, s->sizes, s->sizes);
    behind->switches = ARRAY_OF(SWITCHES, double, switches, s->switches, s->switches);
    return scenario;
}

/* Each of them is there or not. */
static vcs_hooks *any_hooks(const shape *s) {
    vcs_hooks *hooks = RECORD(hooks, hook_places, 1, 0);
    hooks->struct_size = size_of(s, HOOKS, sizeof *hooks);
    hooks->context = THERE(&code);
    hooks->allocate = any_yes() ? hook_allocate : NULL;
    hooks->release = any_yes() ? hook_release : NULL;
    hooks->schedule = any_yes() ? hook_schedule : NULL;
    hooks->fetch = any_yes() ? hook_fetch : NULL;
    hooks->send = any_yes() ? hook_send : NULL;
    hooks->estimate = any_yes() ? hook_estimate : NULL;
    hooks->observe = any_yes() ? hook_observe : NULL;
    return hooks;
}

/* Outcomes of projects or resources: of all, or of none. Too many or too few of them are wrong, too. */
static uint32_t count_of(const shape *s, uint32_t what, uint32_t number) {
    if (s->wrong > what) {
        return s->has_outcomes ? number : 0;
    }
    if (s->wrong == what && s->how >= WAYS) {
        return s->how == WAYS ? Frama_C_unsigned_int_interval(number + 1, UINT32_MAX)
                              : Frama_C_unsigned_int_interval(1, number - 1);
    }
    return AT_LEAST_ONE();
}

static int call(const shape *s) {
    vcs_outcome *outcome = RECORD(outcome, outcomes, 1, 0);
    vcs_project_outcome *of_projects = RECORD(project_outcome, project_outcomes, s->projects, 0);
    vcs_resource_outcome *of_resources = RECORD(resource_outcome, resource_outcomes, s->resources, 0);
    vcs_error *error = RECORD(error, errors, 1, 0);
    const int lacks_projects = s->wrong == POINTERS && s->how == 0,
              lacks_resources = s->wrong == POINTERS && s->how == 1;
    clear_places();
    any_right_records(s);
    vcs_scenario *scenario = any_scenario(s);
    vcs_hooks *hooks = any_hooks(s);
    outcome->struct_size = size_of(s, OUTCOME, sizeof *outcome);
    error->struct_size = size_of(s, ERROR, sizeof *error);
    may_be_right = s->wrong == NOTHING;
    has_failed = 0;
    return vcs_emulate(THERE(scenario), THERE(policy), s->has_hooks ? hooks : NULL, THERE(outcome),
                       &(vcs_array){{s->has_outcomes && !lacks_projects ? of_projects : NULL},
                                    size_of(s, PROJECT_OUTCOMES, sizeof *of_projects),
                                    count_of(s, PROJECT_OUTCOMES, s->projects)},
                       &(vcs_array){{s->has_outcomes && !lacks_resources ? of_resources : NULL},
                                    size_of(s, RESOURCE_OUTCOMES, sizeof *of_resources),
                                    count_of(s, RESOURCE_OUTCOMES, s->resources)},
                       s->has_error ? error : NULL);
}

/* One of each, and all that may be there is. */
static const shape usual = {1, 1, 1, 1, 1, 1, 1, 1, 1, 0, NOTHING, 0};

static void wrong_first(uint32_t what, uint32_t ways) {
    shape s = usual;
    s.resources = s.projects = 2;
    s.longer = 8;
    s.wrong = what;
    /*@ loop unroll 11; */
    for (s.how = 0; s.how < ways; s.how++) {
        code = call(&s);
    }
}

static void anything_wrong(void) {
    wrong_first(ERROR, WAYS);
    wrong_first(POINTERS, 2);
    wrong_first(SCENARIO, WAYS);
    wrong_first(SNAPSHOT, WAYS + 1);
    wrong_first(BEHIND, 1);
    wrong_first(HOOKS, WAYS);
    wrong_first(OUTCOME, WAYS);
    wrong_first(PROJECT_OUTCOMES, WAYS + 2);
    wrong_first(RESOURCE_OUTCOMES, WAYS + 2);
    wrong_first(EMULATION, WAYS + 1);
    wrong_first(MODELS, WAYS + 1);
    wrong_first(SERVERS, WAYS + 1);
    wrong_first(SIZES, WAYS + 1);
    wrong_first(SWITCHES, WAYS + 1);
    wrong_first(RECORDS, 1);
}

/* Each number of resources, projects and applications; of those only where there is a project. */
static void each_number(void) {
    shape s = usual;
    /*@ loop unroll 3; */
    for (s.resources = 1; s.resources <= RESOURCES; s.resources++) {
        /*@ loop unroll 4; */
        for (s.projects = 0; s.projects <= PROJECTS; s.projects++) {
            /*@ loop unroll 4; */
            for (s.apps = 0; s.apps <= (s.projects > 0 ? APPS : 0); s.apps++) {
                s.has_servers = s.apps == 1;
                MAY_PASS(call(&s));
            }
        }
    }
}

/* Each number of sizes, and of switches. */
static void each_list(void) {
    shape s = usual;
    /*@ loop unroll 4; */
    for (s.sizes = 0; s.sizes <= SOME; s.sizes++) {
        s.switches = SOME - s.sizes;
        MAY_PASS(call(&s));
    }
}

/* Of the three that may be NULL none is there, or two. */
static void each_pointer(void) {
    shape s = usual;
    /*@ loop unroll 5; */
    for (int i = 0; i < 4; i++) {
        s.has_hooks = i == 1 || i == 2;
        s.has_error = i == 2 || i == 3;
        s.has_outcomes = i == 1 || i == 3;
        MAY_PASS(call(&s));
    }
}

/* Callers that are newer, by a field or by as many as there can be. */
static void each_age(void) {
    shape s = usual;
    s.resources = s.projects = s.apps = s.sizes = s.switches = 2;
    s.longer = 8;
    MAY_PASS(call(&s));
    s.longer = VCS_LARGEST_STRUCT - sizeof(vcs_error);
    MAY_PASS(call(&s));
}

/* A scenario of the first version whose snapshot is longer: what stands behind it is cut off, to the last byte. */
static void cut_off(void) {
    vcs_scenario known, *scenario = (vcs_scenario *)((char *)scenarios + sizeof scenarios - sizeof *scenario);
    ANY_BYTES(scenarios);
    scenario->struct_size = sizeof *scenario;
    /*@ loop unroll 13; */
    for (uint32_t longer = 0; longer < 96; longer += 8) {
        scenario->snapshot.struct_size = sizeof scenario->snapshot + longer;
        MAY_PASS(vcs_emu_read_scenario(&known, scenario));
    }
}

/* Records with any bytes, of this age and of a newer one, and what is said of them. */
static void take_record(uint32_t type, void *known, void *place, uint32_t size) {
    ANY_BYTES(errors);
    vcs_error *error = (vcs_error *)((char *)errors + sizeof errors - sizeof *error);
    error->struct_size = sizeof *error;
    /*@ loop unroll 3; */
    for (uint32_t longer = 0; longer < 16; longer += 8) {
        const vcs_array array = {{(char *)place - longer}, size + longer, 1};
        MAY_PASS(real_take_record(known, &array, 0, type, any_yes() ? error : NULL));
    }
}

static void take_records(void) {
    vcs_emulation *emulation = (vcs_emulation *)((char *)emulations + sizeof emulations) - 1, known_emulation;
    vcs_job_model *model = (vcs_job_model *)((char *)models + sizeof models) - 1, known_model;
    vcs_server_model *server = (vcs_server_model *)((char *)servers + sizeof servers) - 1, known_server;
    take_record(VCS_TYPE_EMULATION, &known_emulation, emulation, sizeof known_emulation);
    take_record(VCS_TYPE_JOB_MODEL, &known_model, model, sizeof known_model);
    take_record(VCS_TYPE_SERVER_MODEL, &known_server, server, sizeof known_server);
}

int main(void) {
    any_places();
    switch (Frama_C_interval(0, 6)) {
    case 0:
        each_number();
        break;
    case 1:
        each_list();
        break;
    case 2:
        each_pointer();
        break;
    case 3:
        each_age();
        break;
    case 4:
        anything_wrong();
        break;
    case 5:
        cut_off();
        break;
    default:
        take_records();
    }
    return 0;
}
