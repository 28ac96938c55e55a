/* SPDX-License-Identifier: MIT */
#include "policy.h"

#include "convert.h"

#include <string.h>

/* Ends the emulation; what vcs_emulate() returns then is of no interest. */
#define ENDED_BY_POLICY (-1000)

/* The input of one call, and where its answer goes. */
struct errand {
    const vcs_situation *situation;
    const void *input; /* a question, a progress or an event */
    uint32_t number;   /* a candidate, or a rule */
    void *decisions;   /* records to write */
    void *summary;
    double *seconds;
    uint32_t *admitted;
};

/* ---- In protected mode: from C to Lua and back ---- */

/* The upvalues of what is called so: the layouts, the policy, the caller's function, the situation, a record. */
#define POLICY lua_upvalueindex(2)
#define FUNCTION lua_upvalueindex(3)
#define SITUATION lua_upvalueindex(4)
#define RECORD lua_upvalueindex(5)

/* Begins: pushes the caller's function. The name stands in messages. */
static call begin(lua_State *L, const char *name) {
    const call c = call_begin(L, name, 0);
    lua_pushvalue(L, FUNCTION);
    return c;
}

static const errand *errand_of(lua_State *L) {
    const policy *self = lua_touserdata(L, POLICY);
    return self->errand;
}

static void push_situation(lua_State *L, const errand *e, uint32_t decision, uint32_t count) {
    situation_begin(lua_touserdata(L, SITUATION), e->situation, decision, count);
    lua_pushvalue(L, SITUATION);
}

/* The record that is what the function is given in each call, with what it is given in this one. */
static void push_input(lua_State *L, const errand *e) {
    const typed *record = lua_touserdata(L, RECORD);
    memcpy(record->base, e->input, record->structure->size);
    lua_pushvalue(L, RECORD);
}

/* Ends: one answer, the message if what the function returned was refused. */
static int end(call *c) {
    policy *self = lua_touserdata(c->L, POLICY);
    self->refused = c->refused;
    return c->refused ? 1 : 0;
}

static void take_decisions(call *c, int position, uint32_t type, void *target, size_t size, uint32_t count) {
    const vcs_array given = call_array(c, position, "decisions", type);
    call_same_count(c, "decisions", given.count, count);
    if (!c->refused) {
        copy_records(target, size, given.base, given.element_size, count);
    }
}

/* What a summary does not name stays as the library has it. */
static void take_summary(call *c, int position, uint32_t type, void *target, uint32_t size) {
    storage memory;
    const uint32_t whole = struct_size_of(c, type);
    if (c->refused || lua_isnil(c->L, position)) {
        return;
    }
    if (size == whole && lua_istable(c->L, position)) {
        call_changed_struct(c, position, "summary", type, target); /* where it is; a refusal ends the emulation */
        memcpy(target, &size, sizeof size);
        return;
    }
    copy_records(memory.bytes, whole, target, size, 1);
    const void *given = call_changed_struct(c, position, "summary", type, memory.bytes);
    if (!c->refused) {
        copy_records(target, size, given, whole, 1);
        memcpy(target, &size, sizeof size);
    }
}

/* schedule(situation): decisions, summary */
static int carry_schedule(lua_State *L) {
    const errand *e = errand_of(L);
    const uint32_t count = e->situation->snapshot->tasks.count;
    call c = begin(L, "schedule");
    push_situation(L, e, VCS_TYPE_TASK_DECISION, count);
    lua_call(L, 1, 2);
    take_decisions(&c, 1, VCS_TYPE_TASK_DECISION, e->decisions, sizeof(vcs_task_decision), count);
    take_summary(&c, 2, VCS_TYPE_SCHEDULE_SUMMARY, e->summary, sizeof(vcs_schedule_summary));
    return end(&c);
}

/* fetch(situation, question): decisions, summary */
static int carry_fetch(lua_State *L) {
    const errand *e = errand_of(L);
    const uint32_t count = e->situation->snapshot->projects.count * e->situation->snapshot->resources.count;
    call c = begin(L, "fetch");
    push_situation(L, e, VCS_TYPE_FETCH_DECISION, count);
    push_input(L, e);
    lua_call(L, 2, 2);
    take_decisions(&c, 1, VCS_TYPE_FETCH_DECISION, e->decisions, sizeof(vcs_fetch_decision), count);
    take_summary(&c, 2, VCS_TYPE_FETCH_SUMMARY, e->summary, sizeof(vcs_fetch_summary));
    return end(&c);
}

/* send(situation, candidate): whether it is sent */
static int carry_send(lua_State *L) {
    const errand *e = errand_of(L);
    call c = begin(L, "send");
    push_situation(L, e, VCS_TYPE_NONE, 0);
    push_place(L, e->number);
    lua_call(L, 2, 1);
    *e->admitted = call_yes_or_no(&c, 1, "answer");
    return end(&c);
}

/* estimate(progress, rule): device seconds */
static int carry_estimate(lua_State *L) {
    const errand *e = errand_of(L);
    call c = begin(L, "estimate");
    push_input(L, e);
    push_u64(L, e->number);
    lua_call(L, 2, 1);
    *e->seconds = call_number(&c, 1, "answer");
    return end(&c);
}

/* observe(event) */
static int carry_observe(lua_State *L) {
    const errand *e = errand_of(L);
    call c = begin(L, "observe");
    push_input(L, e);
    lua_call(L, 1, 0);
    return end(&c);
}

/* The message with the traceback behind it. Other values than strings are errors as well, and stay what they are. */
static int add_traceback(lua_State *L) {
    if (lua_type(L, 1) != LUA_TSTRING) {
        return 1;
    }
#if LUA_VERSION_NUM < 502
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    lua_getfield(L, -1, "debug");
    if (lua_istable(L, -1)) {
        lua_getfield(L, -1, "traceback");
    }
    if (!lua_isfunction(L, -1)) {
        lua_settop(L, 1); /* a program without the debug library */
        return 1;
    }
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 2);
    lua_call(L, 2, 1);
#else
    luaL_traceback(L, L, lua_tostring(L, 1), 1);
#endif
    return 1;
}

/* ---- Called by the library: nothing here may raise an error ---- */

static int run(policy *self, int which, const errand *e) {
    lua_State *L = self->L;
    self->errand = e;
    lua_pushvalue(L, self->first + which);
    self->raised = lua_pcall(L, 0, 1, self->handler) != 0;
    situation_end(self->situation);
    if (self->raised || self->refused) {
        return ENDED_BY_POLICY; /* with what to tell on top of the stack */
    }
    lua_pop(L, 1);
    return VCS_OK;
}

static int schedule(void *context, const vcs_situation *seen, vcs_task_decision *decisions,
                    vcs_schedule_summary *summary) {
    const errand e = {.situation = seen, .decisions = decisions, .summary = summary};
    return run(context, ON_SCHEDULE, &e);
}

static int fetch(void *context, const vcs_situation *seen, const vcs_fetch_question *question,
                 vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    const errand e = {.situation = seen, .input = question, .decisions = decisions, .summary = summary};
    return run(context, ON_FETCH, &e);
}

static int send(void *context, const vcs_situation *seen, uint32_t candidate, vcs_admission *admission) {
    const errand e = {.situation = seen, .number = candidate, .admitted = &admission->admitted};
    return run(context, ON_SEND, &e);
}

static int estimate(void *context, const vcs_progress *progress, uint32_t rule, double *device_seconds) {
    const errand e = {.input = progress, .number = rule, .seconds = device_seconds};
    return run(context, ON_ESTIMATE, &e);
}

static int observe(void *context, const vcs_event *event) {
    const errand e = {.input = event};
    return run(context, ON_OBSERVE, &e);
}

/* ---- The interface ---- */

/* What vcs_emulate() gets: nothing where Lua has no function. */
static vcs_hooks take_hooks(call *c, int position) {
    vcs_hooks hooks = {.struct_size = sizeof hooks};
    hooks.schedule = call_function_or_nil(c, position + ON_SCHEDULE, "schedule") ? schedule : NULL;
    hooks.fetch = call_function_or_nil(c, position + ON_FETCH, "fetch") ? fetch : NULL;
    hooks.send = call_function_or_nil(c, position + ON_SEND, "send") ? send : NULL;
    hooks.estimate = call_function_or_nil(c, position + ON_ESTIMATE, "estimate") ? estimate : NULL;
    hooks.observe = call_function_or_nil(c, position + ON_OBSERVE, "observe") ? observe : NULL;
    return hooks;
}

/* Around each of the caller's functions, what carries its arguments and answers, and the record that it is given. */
static void push_carriers(lua_State *L, int position, int policy_at, int situation_at) {
    static const struct {
        lua_CFunction function;
        uint32_t input; /* VCS_TYPE_* of the record */
    } carriers[POLICY_FUNCTIONS] = {
        [ON_SCHEDULE] = {carry_schedule, VCS_TYPE_NONE}, [ON_FETCH] = {carry_fetch, VCS_TYPE_FETCH_QUESTION},
        [ON_SEND] = {carry_send, VCS_TYPE_NONE},         [ON_ESTIMATE] = {carry_estimate, VCS_TYPE_PROGRESS},
        [ON_OBSERVE] = {carry_observe, VCS_TYPE_EVENT},
    };
    for (int i = 0; i < POLICY_FUNCTIONS; i++) {
        lua_pushvalue(L, lua_upvalueindex(1));
        lua_pushvalue(L, policy_at);
        lua_pushvalue(L, position + i);
        lua_pushvalue(L, situation_at);
        if (carriers[i].input == VCS_TYPE_NONE) {
            lua_pushnil(L);
        } else {
            record_push(L, layout_of(layouts_of(L), carriers[i].input));
        }
        lua_pushcclosure(L, carriers[i].function, 5);
    }
}

policy *policy_push(call *c, int position, int metatable) {
    lua_State *L = c->L;
    const vcs_hooks hooks = take_hooks(c, position);
    if (c->refused) {
        return NULL;
    }
    /* While the library runs, nothing that may fail needs space on the stack. */
    luaL_checkstack(L, POLICY_FUNCTIONS + 12, NULL);
    policy *self = lua_newuserdata(L, sizeof *self);
    const int at = lua_gettop(L);
    *self = (policy){.hooks = hooks, .L = L, .handler = at + 2, .first = at + 3};
    self->hooks.context = self;
    self->situation = situation_push(L, metatable);
    lua_pushcfunction(L, add_traceback);
    push_carriers(L, position, at, at + 1);
    return self;
}

int policy_failed(const policy *self, call *c) {
    if (self->raised) {
        return lua_error(c->L);
    }
    call_refuse(c, self->refused);
    return call_refused(c);
}
