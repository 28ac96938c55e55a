/*
 * A grid of one server and two hosts of one class, and what its server asks of libvcsched: each function answers with
 * any code, and if that is VCS_OK, with any values that its header allows. Draws are any numbers. What is only counted
 * is any number at any time; lib/vcemu/grid/figures.c, which counts, is not looked at here.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_PROOF_ANY_GRID_H
#define VCS_PROOF_ANY_GRID_H

#define PROJECTS 1
#define HOSTS 2

#include "vcemu/grid/arrivals.h"
#include "vcemu/grid/deadline/store.h"
#include "vcemu/grid/deadline/units.h"
#include "vcemu/grid/figures.h"
#include "vcemu/grid/grid_events.h"
#include "vcemu/grid/grid_trust.h"
#include "vcemu/grid/host_class.h"
#include "vcemu/grid/servers.h"
#include "vcemu/grid/supply.h"
#include "vcemu/host/memory.h"
#include "answers.h"

static vcs_grid_world world;
static vcs_grid_server server;
static vcs_grid_class class;
static vcs_grid_volunteer volunteers[HOSTS];
static vcs_grid_client clients[HOSTS];
static uint32_t attached[1]; /* the projects of the class */
static uint32_t caught[HOSTS];
static vcs_error error;

/* Any records that are right: what is copied from them is any such record, too. */
static vcs_trust right_trust;
static vcs_quota right_quota;
static vcs_grid_project_outcome right_outcome;

/* A host, as far as its servers look into it. */
static vcs_emu_whole emulators[HOSTS];
static vcs_task held[2];
static vcs_server_model server_model;

static double any_number(void) {
    return any_between(-VCS_INFINITY, VCS_INFINITY);
}

static double any_flops(void) {
    return any_between(0.0, VCS_INFINITY);
}

static bool any_bool(void) {
    return any_yes() != 0;
}

/* A number below `count`, or none. */
static uint32_t any_link(uint32_t count) {
    return EITHER() ? VCS_NONE : Frama_C_unsigned_int_interval(0, count - 1);
}

/* ---- Draws ---- */

static vcs_emu_stream any_stream(void) {
    return (vcs_emu_stream){.key = ANY_U64(), .draws = ANY_U64()};
}

vcs_emu_stream vcs_emu_stream_open(uint64_t seed, uint32_t purpose, uint64_t index) {
    return any_stream();
}

double vcs_emu_draw_uniform(vcs_emu_stream *stream) {
    *stream = any_stream();
    return any_between(0.0, 1.0);
}

double vcs_emu_draw_exponential(vcs_emu_stream *stream, double mean) {
    *stream = any_stream();
    return any_between(0.0, VCS_INFINITY);
}

double vcs_emu_draw_normal(vcs_emu_stream *stream, double mean, double sd) {
    *stream = any_stream();
    return any_number();
}

/* ---- Figures: of what they count, these are read by servers ---- */

static void any_counts(vcs_grid_server *s) {
    s->counts.done = ANY_U64();
    s->counts.failed = ANY_U64();
    s->counts.wrong_accepted = ANY_U64();
    s->counts.unsent = ANY_U64();
    s->counts.window = ANY_U64();
}

static void any_outcome(vcs_grid_server *s) {
    s->outcome = right_outcome;
    s->outcome.credit = any_number();
}

void vcs_grid_copy_sent(vcs_grid_server *s, double now) {
    any_counts(s);
}

void vcs_grid_copy_over(vcs_grid_server *s, double now, double sent) {
    any_counts(s);
}

void vcs_grid_unit_done(vcs_grid_server *s, double now, bool is_done) {
    any_counts(s);
}

void vcs_grid_unit_count(vcs_grid_server *s, const vcs_grid_unit *unit) {
    any_outcome(s);
}

void vcs_grid_unit_end(vcs_grid_server *s, bool is_done, bool is_failed, bool is_wrong, double took) {
    any_outcome(s);
}

/* ---- Functions of libvcsched ---- */

int vcs_trust_update(vcs_trust *trust, uint32_t outcome, uint32_t reason) {
    const int answer = any_code();
    if (answer == VCS_OK) {
        *trust = right_trust;
    }
    return answer;
}

int vcs_quota_left(vcs_quota *quota, double now, uint32_t *left) {
    *left = ANY_U32();
    return vcs_quota_judge(quota, 1);
}

int vcs_quota_take(vcs_quota *quota, double now, uint32_t jobs) {
    return vcs_quota_judge(quota, 1);
}

int vcs_quota_judge(vcs_quota *quota, uint32_t valid) {
    const int answer = any_code();
    if (answer == VCS_OK) {
        *quota = right_quota;
    }
    return answer;
}

int vcs_copies(double factor, double u, uint32_t *copies) {
    const int answer = any_code();
    if (answer == VCS_OK) {
        *copies = any_word(1.0, VCS_MAX_COPIES);
    }
    return answer;
}

int vcs_next_request_init(vcs_next_request *request, uint32_t size) {
    any_right_next_request(request);
    request->struct_size = size;
    return VCS_OK;
}

int vcs_next_request_delay(const vcs_next_request *request, double now, double u, double *seconds, uint32_t *reason,
                           vcs_error *where) {
    const int answer = any_code();
    if (answer == VCS_OK) {
        *seconds = any_between(0.0, VCS_INFINITY);
    }
    return answer;
}

/* ---- The caller's functions, and who is told what becomes of a job ---- */

static int hook_observe(void *context, const vcs_grid_event *event) {
    return any_code();
}

/* ---- The world ---- */

static void any_client(vcs_grid_client *client, uint32_t links) {
    client->trust = right_trust;
    client->quota = right_quota;
    client->spots = any_stream();
    client->doubts = any_stream();
    client->first = any_link(links);
}

static void any_host(uint32_t number) {
    vcs_emu_whole *whole = &emulators[number];
    vcs_emu_emulator *e = &whole->emulator;
    *e = (vcs_emu_emulator){.grid_servers = &vcs_grid_supply, .grid = &world};
    vcs_emu_join(whole, &world.ground, &world.workspace);
    e->number = number;
    e->is_observed = any_bool();
    whole->clock.now = any_number();
    whole->records.tasks = held;
    whole->records.snapshot.tasks.count = Frama_C_unsigned_int_interval(0, 2);
    whole->setup.servers = &server_model;
    any_right_parameters(&whole->setup.parameters);
    whole->servers.asked = any_number();
    whole->servers.sent = ANY_U32();
    whole->servers.late = ANY_U32();
    volunteers[number] = (vcs_grid_volunteer){
        .whole = whole,
        .fates = any_stream(),
        .errors = any_stream(),
        .lies = any_stream(),
        .delays = any_stream(),
        .joins = any_number(),
        .leaves = any_number(),
        .is_saboteur = (uint32_t)any_yes(),
    };
}

/* What lib/vcemu/grid/grid_input.c has checked. */
static void any_project(vcs_grid_project *project, uint32_t dispatch) {
    any_right_grid_project(project);
    project->dispatch = dispatch;
}

/* All but what the kind of the server has for itself, whose links are to so many things. */
static void any_world(const vcs_grid_kind *kind, uint32_t dispatch, uint32_t links) {
    any_right_trust(&right_trust);
    any_right_quota(&right_quota);
    any_right_grid_project_outcome(&right_outcome);
    any_right_grid_terms(&world.terms);
    any_right_host_model(&class.model);
    any_right_server_model(&server_model);
    any_right_task(&held[0]);
    any_right_task(&held[1]);
    world.ground.ground = &world.ground;
    world.ground.workspace = &world.workspace;
    world.ground.error = any_yes() ? &error : NULL;
    world.hooks.observe = any_yes() ? hook_observe : NULL;
    world.end = any_number();
    world.servers = &server;
    world.server_count = 1;
    world.classes = &class;
    world.class_count = 1;
    world.hosts = volunteers;
    world.host_count = HOSTS;
    class.projects = attached;
    class.sample.records.project_count = 1;
    server.world = &world;
    server.kind = kind;
    any_project(&server.project, dispatch);
    server.now = any_number();
    server.created = ANY_U64();
    server.next_arrival = any_number();
    server.sizes = any_stream();
    server.spot_sizes = any_stream();
    server.arrivals = any_stream();
    server.copies = any_stream();
    server.clients = clients;
    any_outcome(&server);
    any_counts(&server);
    server.is_batch_done = any_bool();
    server.caught = caught;
    server.caught_count = Frama_C_unsigned_int_interval(0, HOSTS);
    /*@ loop unroll 4; */
    for (uint32_t i = 0; i < HOSTS; i++) {
        any_host(i);
        any_client(&clients[i], links);
        caught[i] = Frama_C_unsigned_int_interval(0, HOSTS - 1);
    }
}

/* What held before holds again. */
static void check_world(uint32_t links) {
    //@ assert server.caught_count <= HOSTS;
    /*@ loop unroll 4; */
    for (uint32_t i = 0; i < HOSTS; i++) {
        const uint32_t first = clients[i].first;
        //@ assert first < links || first == 4294967295; // VCS_NONE
        //@ assert caught[i] < HOSTS;
    }
}

/* ---- Memory ---- */

static bool false_for_want_of_memory(vcs_emu_emulator *e) {
    vcs_emu_fail(e, VCS_ERR_MEMORY, 0, "", "there is not enough memory");
    return false;
}

static void check_that(int condition) {
    //@ assert condition != 0;
}

/* A place of its own for each array; it is there as a whole or not at all. */
#define GROWS(pointer, place)                                                                                          \
    if (array == (void *)&(pointer)) {                                                                                 \
        check_that(size == sizeof *place);                                                                             \
        if (count > sizeof place / sizeof *place || any_yes()) {                                                       \
            return false_for_want_of_memory(e);                                                                        \
        }                                                                                                              \
        (pointer) = place;                                                                                             \
        return true;                                                                                                   \
    }

/* The same of one that gets an element more than `used`, behind them: then there are fewer than there is room for. */
#define GROWS_BY_ONE(pointer, place, used)                                                                             \
    if (array == (void *)&(pointer)) {                                                                                 \
        check_that(size == sizeof *place);                                                                             \
        if ((used) >= sizeof place / sizeof *place || any_yes()) {                                                     \
            return false_for_want_of_memory(e);                                                                        \
        }                                                                                                              \
        (pointer) = place;                                                                                             \
        return true;                                                                                                   \
    }

/* ---- What hosts do with a server ---- */

/* Of a copy: its number as the kind of server knows it. */
static vcs_emu_origin origin_of(uint64_t copy) {
    return (vcs_emu_origin){.copy = copy, .fate = any_word(VCS_EMU_FATE_DONE, VCS_EMU_FATE_LOST)};
}

static void call_for_work(uint32_t host) {
    vcs_emu_emulator *e = &emulators[host].emulator;
    vcs_send_limits limits = {.flags = ANY_U32(), .quota_left = ANY_U32()};
    vcs_emu_origin origin = {0};
    double flops, est_flops, seconds;
    switch (Frama_C_interval(0, 5)) {
    case 0:
        vcs_grid_supply.call(e, 0);
        break;
    case 1:
        vcs_grid_supply.limit(e, 0, &limits);
        break;
    case 2:
        if (vcs_grid_supply.next(e, 0, &flops, &est_flops, &origin)) {
            MAY_PASS(world.ground.code);
        }
        break;
    case 3:
        vcs_grid_supply.undo_next(e, 0);
        break;
    case 4:
        seconds = vcs_grid_supply.delay(e, 0);
        break;
    default:
        seconds = vcs_grid_supply.upload(e, 0);
    }
    MAY_PASS(e->code);
}

/* A job that is on offer is sent or not. */
static void answer_for_work(uint32_t host, uint64_t copy) {
    vcs_emu_emulator *e = &emulators[host].emulator;
    vcs_emu_true_task truth = {.total = any_flops(), .spent = any_flops(), .speed = any_flops()};
    RIGHT(task, task);
    task.project = 0;
    truth.origin = origin_of(copy);
    if (EITHER()) {
        vcs_grid_supply.send(e, &task, &truth);
    } else {
        vcs_grid_supply.put_back(e, 0, truth.origin, ANY_U32());
    }
    MAY_PASS(e->code);
}

/* A host says something of a copy that it has. */
static void tell_of_work(uint32_t host, uint64_t copy) {
    vcs_emu_emulator *e = &emulators[host].emulator;
    vcs_emu_true_task truth = {.total = any_flops(), .spent = any_flops(), .speed = any_flops()};
    vcs_emu_result result = {.flops = any_flops(), .worked = any_flops(), .spent = any_flops()};
    RIGHT(task, task);
    task.project = 0;
    truth.origin = result.origin = origin_of(copy);
    switch (Frama_C_interval(0, 2)) {
    case 0:
        vcs_grid_supply.needs(e, &task, &truth);
        break;
    case 1:
        vcs_grid_supply.report(e, &result);
        break;
    default:
        vcs_grid_supply.forget(e, 0, truth.origin, any_flops());
    }
    MAY_PASS(e->code);
}

/* Time goes on, a host comes that is new to the server, or an event of a host is passed on. */
static void go_on(uint32_t host) {
    RIGHT(event, event);
    event.project = any_link(1);
    switch (Frama_C_interval(0, 2)) {
    case 0:
        vcs_grid_servers_advance(&world, any_number());
        break;
    case 1:
        vcs_grid_servers_meet(&world, host);
        break;
    default:
        vcs_grid_supply.observe(&emulators[host].emulator, &event);
    }
    MAY_PASS(world.ground.code);
}

#endif
