/*
 * A grid apart from its servers (chapter 14): two classes of hosts with two projects, one with rows of a table and one
 * without, and memory for two hosts, which arrive, leave and are replaced, and for three samples. What is checked
 * before, what a host does at a moment, what the servers do, and the queue of moments are proved apart: here they do
 * anything at any time. All moments are looked at as one loop. Then the outcome is handed out, to elements of other
 * sizes, too.
 *
 * Taken for granted: of a number up to 2^37 the binary logarithm is at most 37, and no unit takes longer than the
 * longest emulation. Memory that was given back is not told from other memory.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcemu/grid/hosts.c lib/vcemu/grid/emulate_grid.c lib/vcemu/grid/figures.c lib/vcemu/grid/grid_events.c
// sources: lib/vcemu/host/events.c lib/vcemu/host/failure.c lib/vcemu/host/random.c
// options: -eva-slevel 1 -eva-min-loop-unroll 2 -eva-widening-delay 4
// options: -eva-partition-value has_failed,has_hosts,opened
// options: -eva-slevel-function vcs_grid_host_plan:10,note_host:10,vcs_grid_sample_until:10
#include "vcemu/grid/figures.h"
#include "vcemu/grid/grid_events.h"
#include "vcemu/grid/grid_input.h"
#include "vcemu/grid/hosts.h"
#include "vcemu/grid/servers.h"
#include "vcemu/grid/supply.h"
#include "vcemu/host/memory.h"
#include "vcsched/interface/check/check.h"

#include "right.h"

/* The analyser's memset() wants to see a byte behind the address, even where none is written. */
static void *fill(void *bytes, int value, size_t size) {
    return size > 0 ? memset(bytes, value, size) : bytes;
}
#define memset fill
#include "vcsched/interface/check/field_check.c"
#undef memset

int code;

#define PROJECTS 2
#define CLASSES 2
#define RESOURCES 2
#define ROWS 2
#define MOST 2 /* tasks and results of a host */
#define HOSTS 2
#define SAMPLES 3

/*
 * The analyser keeps paths apart by what has failed (a host: 1, the grid: 2), by whether there are hosts, and by how
 * many have come.
 */
static int has_failed, has_hosts;
static uint32_t opened;

/* What functions of the caller's answer. */
static int any_code(void) {
    return Frama_C_int_interval(-1000, VCS_OK);
}

/* A host fails, or the grid, or none. */
static void may_fail(vcs_emu_emulator *e, int what) {
    if (Frama_C_interval(0, 1)) {
        vcs_emu_note(e, Frama_C_int_interval(-1000, -1));
        has_failed |= what;
    }
}

static bool any_yes(void) {
    return Frama_C_interval(0, 1) != 0;
}

static double any_number(void) {
    return any_between(-VCS_INFINITY, VCS_INFINITY);
}

static double any_amount(void) {
    return any_between(0.0, VCS_INFINITY);
}

static vcs_grid_world *world;
static vcs_grid_server servers[PROJECTS];
static vcs_grid_class classes[CLASSES];

/* ---- Numbers and errors ---- */

double vcs_exp2(double x) {
    return any_amount();
}

/* Of what is less than 2^37 and not less than 1, the logarithm is so, too. */
double vcs_log2(double x) {
    return x >= 1.0 && x < 0x1p37 ? any_between(0.0, 37.0) : any_number();
}

double vcs_sqrt(double x) {
    return any_amount();
}

int vcs_fail_at(vcs_error *error, int refused, uint64_t index, const char *what, const char *why) {
    has_failed |= 2;
    return refused;
}

void vcs_grid_name_class(const vcs_grid_world *w, uint32_t index, vcs_error *error) {
    //@ assert index < w->class_count;
}

/* ---- Memory: each array that grows has a place of its own, and is there as a whole or not at all ---- */

static vcs_grid_volunteer hosts[HOSTS];
static vcs_grid_host_outcome rows[HOSTS];
static vcs_grid_sample samples[SAMPLES * PROJECTS];
static vcs_emu_whole emulators[HOSTS];

static bool has_no_memory(vcs_emu_emulator *e) {
    vcs_emu_fail(e, VCS_ERR_MEMORY, 0, "", "there is not enough memory");
    return false;
}

void *vcs_emu_allocate(vcs_emu_emulator *e, uint64_t bytes) {
    //@ assert bytes == sizeof(*emulators);
    if (opened >= HOSTS || any_yes()) {
        has_no_memory(e);
        return NULL;
    }
    return memset(&emulators[opened++], 0, sizeof *emulators);
}

#define GROWS(pointer, place)                                                                                          \
    if (array == (void *)&(pointer)) {                                                                                 \
        if (count * size > sizeof place || any_yes()) {                                                                \
            return has_no_memory(e);                                                                                   \
        }                                                                                                              \
        (pointer) = place;                                                                                             \
        has_hosts = has_hosts || (void *)place == (void *)hosts;                                                       \
        return true;                                                                                                   \
    }

bool vcs_emu_reserve(vcs_emu_emulator *e, void *array, uint64_t count, size_t size) {
    GROWS(world->hosts, hosts)
    GROWS(world->rows, rows)
    GROWS(world->samples, samples)
    nowhere();
    return false;
}

#define HOLDS(place)                                                                                                   \
    if (array == (const void *)place) {                                                                                \
        return sizeof place;                                                                                           \
    }

size_t vcs_emu_capacity(const void *array) {
    HOLDS(hosts)
    HOLDS(rows)
    HOLDS(samples)
    return 0;
}

void vcs_emu_free(vcs_emu_emulator *e, void *bytes) {
}

void vcs_emu_release_all(vcs_emu_emulator *e) {
}

/* ---- The queue: whichever host comes first, at any time ---- */

static vcs_grid_entry first;

bool vcs_grid_queue_reserve(vcs_emu_emulator *ground, vcs_grid_queue *queue, uint32_t count) {
    if (any_yes()) {
        return has_no_memory(ground);
    }
    queue->entries = &first;
    return true;
}

static void any_first(vcs_grid_queue *queue) {
    queue->count = Frama_C_unsigned_int_interval(0, world->host_count);
    if (world->host_count > 0) {
        first.number = Frama_C_unsigned_int_interval(0, world->host_count - 1);
        first.time = any_number();
    }
}

void vcs_grid_queue_add(vcs_grid_queue *queue, uint32_t number, double time) {
    any_first(queue);
}

void vcs_grid_queue_move(vcs_grid_queue *queue, uint32_t number, double time) {
    any_first(queue);
}

void vcs_grid_queue_remove(vcs_grid_queue *queue, uint32_t number) {
    any_first(queue);
}

/* ---- The servers do anything that is counted ---- */

static vcs_grid_copy copies[MOST];
static vcs_result unit_results[MOST];
static uint64_t bins[PROJECTS][VCS_GRID_BINS];

static void any_unit(vcs_grid_unit *unit) {
    *unit = (vcs_grid_unit){
        .results = unit_results,
        .copies = copies,
        .count = MOST,
        .is_counted = any_yes(),
        .is_failed = any_yes(),
        .is_wrong = any_yes(),
    };
    any_right_unit(&unit->record);
    for (uint32_t i = 0; i < MOST; i++) {
        any_right_result(&unit_results[i]);
        copies[i].flops = any_amount();
        copies[i].host = ANY_U32();
        copies[i].aborted = ANY_U32();
    }
}

static uint32_t any_host(void) {
    return world->host_count == 0 || any_yes() ? VCS_NONE : Frama_C_unsigned_int_interval(0, world->host_count - 1);
}

static void act(vcs_grid_server *s) {
    vcs_grid_unit unit;
    any_unit(&unit);
    s->now = any_number();
    unit.done = any_between(0.0, VCS_MAX_EMULATION); /* units come and go within the emulation */
    vcs_grid_copy_sent(s, any_number());
    vcs_grid_copy_over(s, any_number(), any_number());
    vcs_grid_unit_done(s, any_number(), any_yes());
    vcs_grid_unit_count(s, &unit);
    vcs_grid_notify(s, ANY_U32(), any_host(), NULL, ANY_U32(), any_number(), ANY_U32());
    vcs_grid_notify(s, ANY_U32(), any_host(), &unit, Frama_C_unsigned_int_interval(0, MOST - 1), any_number(), 0);
    const vcs_grid_situation situation = vcs_grid_situation_of(s, any_host());
    any_right_grid_project_outcome(&s->outcome);
    s->counts.done = ANY_U64();
    s->counts.over = ANY_U64();
    s->created = ANY_U64();
    may_fail(&s->world->ground, 2);
}

static void any_acts(void) {
    if (any_yes()) {
        act(&servers[0]);
    } else if (any_yes()) {
        act(&servers[1]);
    }
}

static void close(vcs_grid_server *s) {
    act(s);
}

static const vcs_grid_kind any_kind = {.close = close};

void vcs_grid_servers_open(vcs_grid_world *w) {
    for (uint32_t i = 0; i < PROJECTS; i++) {
        servers[i].world = w;
        servers[i].index = i;
        servers[i].kind = &any_kind;
        servers[i].counts.bins = bins[i];
    }
    any_acts();
}

void vcs_grid_servers_meet(vcs_grid_world *w, uint32_t number) {
    //@ assert number < HOSTS && w->hosts != \null;
    any_acts();
}

void vcs_grid_servers_advance(vcs_grid_world *w, double now) {
    any_acts();
}

static void forget(vcs_emu_emulator *e, uint32_t project, vcs_emu_origin origin, double flops) {
    //@ assert project < PROJECTS;
    any_acts();
}

const vcs_emu_grid_servers vcs_grid_supply = {.forget = forget, .observe = vcs_grid_observe_host};

/* ---- A host: all that is known of it is any at any time ---- */

static vcs_resource resources[RESOURCES];
static vcs_resource_outcome resource_outcomes[RESOURCES];
static vcs_task tasks[MOST];
static vcs_emu_true_task truths[MOST];
static vcs_emu_result host_results[MOST];

static void any_holdings(vcs_emu_whole *whole) {
    for (uint32_t i = 0; i < MOST; i++) {
        tasks[i].project = Frama_C_unsigned_int_interval(0, PROJECTS - 1);
        truths[i].origin.copy = ANY_U64();
        truths[i].spent = any_amount();
        truths[i].speed = any_amount();
        host_results[i].project = Frama_C_unsigned_int_interval(0, PROJECTS - 1);
        host_results[i].worked = any_amount();
    }
    whole->records.snapshot.tasks.count = Frama_C_unsigned_int_interval(0, MOST);
    whole->results.count = Frama_C_unsigned_int_interval(0, MOST);
    whole->clock.now = any_number();
}

static void any_event(vcs_emu_emulator *e) {
    RIGHT(event, event);
    event.project = any_yes() ? VCS_NONE : Frama_C_unsigned_int_interval(0, PROJECTS - 1);
    if (e->is_observed) {
        e->grid_servers->observe(e, &event);
    }
}

void vcs_emu_open(vcs_emu_whole *whole, const vcs_scenario *scenario, const vcs_parameters *parameters) {
    const vcs_array *array = &scenario->snapshot.resources;
    //@ assert array->count == RESOURCES && \valid_read((vcs_resource *)array->base + (0 .. RESOURCES - 1));
    //@ assert \valid_read((vcs_host *)scenario->snapshot.host.base);
    //@ assert \valid_read((vcs_emulation *)scenario->emulation.base);
    whole->records.resources = resources;
    whole->records.resource_count = RESOURCES;
    whole->records.project_count = PROJECTS;
    whole->records.tasks = tasks;
    whole->tasks.truths = truths;
    whole->merit.resources = resource_outcomes;
    whole->results.all = host_results;
    any_holdings(whole);
    any_event(&whole->emulator);
    may_fail(&whole->emulator, 1);
}

bool vcs_emu_step(vcs_emu_whole *whole) {
    any_holdings(whole);
    any_event(&whole->emulator);
    any_acts();
    may_fail(&whole->emulator, 1);
    return whole->emulator.code == VCS_OK && any_yes();
}

void vcs_emu_close(vcs_emu_whole *whole) {
    RIGHT(outcome, total);
    whole->merit.total = total;
    for (uint32_t i = 0; i < RESOURCES; i++) {
        any_right_resource_outcome(&resource_outcomes[i]);
        any_right_resource(&resources[i]);
    }
}

/* ---- The world, as it is when all has been checked ---- */

static vcs_host_row table[ROWS];
static double weights[ROWS];
static uint32_t attached[PROJECTS];
static vcs_resource sample_resources[RESOURCES], made_resources[RESOURCES];

static void any_class(vcs_grid_class *c, bool has_rows) {
    vcs_emu_records *records = &c->sample.records;
    any_right_host_model(&c->model);
    any_right_host(&records->host);
    any_right_emulation(&c->sample.setup.emulation);
    records->resources = sample_resources;
    records->resource_count = RESOURCES;
    records->project_count = PROJECTS;
    records->app_count = ANY_U32();
    records->snapshot.resources = (vcs_array){{sample_resources}, sizeof *sample_resources, RESOURCES};
    c->projects = attached;
    c->resources = made_resources;
    if (has_rows) {
        c->rows = table;
        c->weights = weights;
        c->row_count = ROWS;
    }
}

static int hook_observe(void *context, const vcs_grid_event *event) {
    return any_code();
}

static int hook_progress(void *context, double done) {
    return any_code();
}

static void any_world(vcs_grid_world *w) {
    world = w;
    any_right_grid_terms(&w->terms);
    w->end = w->terms.start + w->terms.duration;
    w->next_sample = any_number();
    w->hooks.observe = any_yes() ? hook_observe : NULL;
    w->hooks.progress = any_yes() ? hook_progress : NULL;
    w->servers = servers;
    w->server_count = PROJECTS;
    w->classes = classes;
    w->class_count = CLASSES;
    any_class(&classes[0], true);
    any_class(&classes[1], false);
    for (uint32_t i = 0; i < PROJECTS; i++) {
        any_right_grid_project(&servers[i].project);
        any_right_resource(&sample_resources[i]);
        any_right_host_row(&table[i]);
        weights[i] = any_between(0.0, 1e18);
        attached[i] = Frama_C_unsigned_int_interval(0, PROJECTS - 1);
    }
}

void vcs_grid_read(vcs_grid_world *w, const vcs_grid *grid, const vcs_grid_hooks *hooks) {
    any_world(w);
    may_fail(&w->ground, 2);
}

/* ---- The caller, who wants to hear of fewer hosts and samples than there are ---- */

#define LEAST 2

static vcs_grid_outcome outcome;
static vcs_grid_project_outcome project_outcomes[PROJECTS];
static uint64_t turnarounds[PROJECTS * VCS_GRID_BINS];
static vcs_grid_host_outcome host_outcomes[LEAST];
static vcs_grid_sample wanted_samples[LEAST * PROJECTS];

static void emulate(void) {
    const vcs_grid grid = {.struct_size = sizeof grid};
    const vcs_grid_results results = {
        .struct_size = sizeof results,
        .outcome = any_yes() ? &outcome : NULL,
        .projects = project_outcomes,
        .turnarounds = any_yes() ? turnarounds : NULL,
        .hosts = host_outcomes,
        .samples = wanted_samples,
        .project_size = sizeof *project_outcomes,
        .project_count = any_yes() ? PROJECTS : 0,
        .host_size = sizeof *host_outcomes,
        .host_count = any_yes() ? LEAST : 0,
        .sample_size = sizeof *wanted_samples,
        .sample_count = any_yes() ? LEAST : 0,
    };
    outcome.struct_size = sizeof outcome;
    MAY_PASS(vcs_emulate_grid(&grid, NULL, &results, NOBODY));
}

/* ---- The same to elements that are as long as the library's, or longer; each array ends where its memory ends ---- */

#define MOST_BYTES 1000
#define PLACE(bytes, count, size) ((void *)((bytes) + MOST_BYTES - (count) * (size)))

static unsigned char outcome_bytes[MOST_BYTES], project_bytes[MOST_BYTES], host_bytes[MOST_BYTES];
static unsigned char sample_bytes[MOST_BYTES];

static void hand_out(uint32_t more, uint32_t host_count, uint32_t sample_count) {
    vcs_grid_world w = {.rows = rows, .samples = samples};
    any_world(&w);
    w.host_count = Frama_C_unsigned_int_interval(0, HOSTS);
    w.sample_count = Frama_C_unsigned_int_interval(0, SAMPLES);
    servers[0].counts.bins = bins[0];
    servers[1].counts.bins = bins[1];
    vcs_grid_results results = {
        .struct_size = sizeof results,
        .outcome = PLACE(outcome_bytes, 1, sizeof outcome + more),
        .turnarounds = turnarounds,
        .project_size = sizeof *project_outcomes + more,
        .project_count = PROJECTS,
        .host_size = sizeof *host_outcomes + more,
        .host_count = host_count,
        .sample_size = sizeof *wanted_samples + more,
        .sample_count = sample_count,
    };
    results.outcome->struct_size = (uint32_t)sizeof outcome + more;
    results.projects = PLACE(project_bytes, PROJECTS, results.project_size);
    results.hosts = PLACE(host_bytes, host_count, results.host_size);
    results.samples = PLACE(sample_bytes, PROJECTS * sample_count, results.sample_size);
    vcs_grid_hand_out(&w, &results);
}

static void hand_out_to_any_size(void) {
    uint32_t more = Frama_C_unsigned_int_interval(0, 1), host_count = Frama_C_unsigned_int_interval(0, HOSTS + 1);
    uint32_t sample_count = Frama_C_unsigned_int_interval(0, SAMPLES + 1);
    /*@ split more; */
    /*@ split host_count; */
    /*@ split sample_count; */
    hand_out(8 * more, host_count, sample_count);
    MAY_PASS(VCS_OK);
}

int main(void) {
    has_failed = has_hosts = opened = 0;
    if (any_yes()) {
        emulate();
    } else {
        hand_out_to_any_size();
    }
    return 0;
}
