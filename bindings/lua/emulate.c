/* SPDX-License-Identifier: MIT */
#include "emulate.h"

#include "policy.h"
#include "state.h"

/*
 * The members of both tables by name, and where emulate() has them on the stack: the tables are at 1 and 2. What the
 * policy consists of comes last, with the observer behind it.
 */
enum {
    AT_SCENARIO = 1,
    AT_OPTIONS,
    AT_HOST,
    AT_EMULATION = AT_HOST + STATE_RECORDS,
    AT_MODELS,
    AT_SERVERS,
    AT_SIZES,
    AT_SWITCHES,
    AT_PARAMETERS,
    AT_POLICY,
    AT_OBSERVE,
    AT_FUNCTIONS
};

static const char *const members[] = {RECORDS_OF_SNAPSHOT, "emulation", "models", "servers", "sizes", "switches"};
static const char *const options[] = {"parameters", "policy", "observe"};
static const char *const functions[] = {FUNCTIONS_OF_POLICY};

#define COUNT_OF(names) (sizeof(names) / sizeof *(names))
#define SITUATION_METATABLE lua_upvalueindex(4)

/* Memory for what the scenario and the policy point to. */
typedef struct emulation_storage {
    storage host, emulation, parameters;
} emulation_storage;

static void spread(call *c) {
    call_spread(c, AT_SCENARIO, "scenario", members, COUNT_OF(members), 0);
    call_default_table(c, AT_OPTIONS);
    call_members(c, AT_OPTIONS, "options", options, COUNT_OF(options));
    call_default_table(c, AT_PARAMETERS);
    call_default_table(c, AT_POLICY);
    call_members(c, AT_POLICY, "policy", functions, COUNT_OF(functions));
    if (!c->refused) {
        lua_pushvalue(c->L, AT_OBSERVE);
    }
}

/* The emulation as it goes with the profile of the parameters, and what the table changes about it. */
static vcs_array take_emulation(call *c, const vcs_parameters *parameters, storage *memory) {
    vcs_emulation *emulation = call_new_struct(c, VCS_TYPE_EMULATION, memory);
    const uint32_t size = struct_size_of(c, VCS_TYPE_EMULATION);
    if (!c->refused && vcs_emulation_init(emulation, size, parameters->profile) != VCS_OK) {
        vcs_emulation_init(emulation, size, VCS_PROFILE_CURRENT); /* vcs_emulate() will refuse the profile */
    }
    const void *record = call_changed_struct(c, AT_EMULATION, "emulation", VCS_TYPE_EMULATION, emulation);
    return (vcs_array){{record}, size, 1};
}

static vcs_scenario take_scenario(call *c, const vcs_parameters *parameters, emulation_storage *memory) {
    vcs_scenario scenario = {.struct_size = sizeof scenario};
    scenario.snapshot = state_take_view(c, AT_HOST, &memory->host);
    scenario.emulation = take_emulation(c, parameters, &memory->emulation);
    scenario.models = call_array(c, AT_MODELS, "models", VCS_TYPE_JOB_MODEL);
    scenario.servers = call_array(c, AT_SERVERS, "servers", VCS_TYPE_SERVER_MODEL);
    scenario.sizes = call_f64s(c, AT_SIZES, "sizes");
    scenario.switches = call_f64s(c, AT_SWITCHES, "switches");
    return scenario;
}

/* Figures without a value are nil. */
static void push_outcome(call *c, const vcs_outcome *outcome) {
    static const struct {
        uint32_t flag;
        char name[24];
    } undefined[] = {
        {VCS_UNDEFINED_WASTE, "waste"},
        {VCS_UNDEFINED_WASTE, "idleness"},
        {VCS_UNDEFINED_SHARE, "share_violation"},
        {VCS_UNDEFINED_MONOTONY, "monotony"},
        {VCS_UNDEFINED_RPCS, "rpcs_per_job"},
        {VCS_UNDEFINED_RPCS, "stops_per_job"},
        {VCS_UNDEFINED_STUDY, "study_waste"},
        {VCS_UNDEFINED_STUDY, "study_idleness"},
        {VCS_UNDEFINED_STUDY_SHARE, "study_share_violation"},
    };
    call_push_struct(c, VCS_TYPE_OUTCOME, outcome);
    for (size_t i = 0; i < COUNT_OF(undefined); i++) {
        if (outcome->flags & undefined[i].flag) {
            lua_pushnil(c->L);
            lua_setfield(c->L, -2, undefined[i].name);
        }
    }
}

static int run(call *c, const vcs_scenario *scenario, const vcs_parameters *parameters) {
    storage outcome_storage;
    const policy *own = policy_push(c, AT_FUNCTIONS, SITUATION_METATABLE);
    vcs_outcome *outcome = call_new_struct(c, VCS_TYPE_OUTCOME, &outcome_storage);
    const vcs_array projects =
        call_new_array(c, 0, "projects", VCS_TYPE_PROJECT_OUTCOME, scenario->snapshot.projects.count);
    const vcs_array resources =
        call_new_array(c, 0, "resources", VCS_TYPE_RESOURCE_OUTCOME, scenario->snapshot.resources.count);
    if (c->refused) {
        return call_refused(c);
    }
    vcs_error error = call_error();
    const int code = vcs_emulate(scenario, parameters, &own->hooks, outcome, &projects, &resources, &error);
    if (own->raised || own->refused) {
        return policy_failed(own, c);
    }
    if (code != VCS_OK) {
        return call_failed(c, code, &error);
    }
    push_outcome(c, outcome);
    call_push_array(c, 0, VCS_TYPE_PROJECT_OUTCOME, projects, projects.count);
    call_push_array(c, 0, VCS_TYPE_RESOURCE_OUTCOME, resources, resources.count);
    return 3;
}

/* emulate(scenario, options): outcome, outcomes of the projects, of the resources */
static int emulate(lua_State *L) {
    emulation_storage memory;
    call c = call_begin(L, "emulate", 2);
    spread(&c);
    const vcs_parameters *parameters =
        call_struct(&c, AT_PARAMETERS, "parameters", VCS_TYPE_PARAMETERS, &memory.parameters);
    const vcs_scenario scenario = take_scenario(&c, parameters, &memory);
    if (c.refused) {
        return call_refused(&c);
    }
    return run(&c, &scenario, parameters);
}

/* bound(scenario): the bounds of the projects */
static int bound(lua_State *L) {
    emulation_storage memory;
    call c = call_begin(L, "bound", 1);
    vcs_parameters parameters = {.profile = VCS_PROFILE_CURRENT};
    lua_pushnil(L); /* where emulate() has its options */
    call_spread(&c, AT_SCENARIO, "scenario", members, COUNT_OF(members), 0);
    const vcs_scenario scenario = take_scenario(&c, &parameters, &memory);
    const vcs_array bounds =
        call_new_array(&c, 0, "bounds", VCS_TYPE_PROJECT_BOUND, scenario.snapshot.projects.count);
    if (c.refused) {
        return call_refused(&c);
    }
    vcs_error error = call_error();
    const int code = vcs_bound(&scenario, &bounds, &error);
    if (code != VCS_OK) {
        return call_failed(&c, code, &error);
    }
    call_push_array(&c, 0, VCS_TYPE_PROJECT_BOUND, bounds, bounds.count);
    return 1;
}

void emulate_open(lua_State *L, int module, int upvalues) {
    for (int upvalue = 0; upvalue < 3; upvalue++) { /* the layouts, the metatables of arrays and of records */
        lua_pushvalue(L, upvalues + upvalue);
    }
    for (int upvalue = 0; upvalue < 3; upvalue++) {
        lua_pushvalue(L, upvalues + upvalue);
    }
    lua_pushcclosure(L, bound, 3);
    lua_setfield(L, module, "bound");
    situation_open(L, upvalues);
    lua_pushcclosure(L, emulate, 4);
    lua_setfield(L, module, "emulate");
}
