/* SPDX-License-Identifier: MIT */
#include "emulator/setup.h"

#include "core/number.h"
#include "interface/check.h"

#include <string.h>

#define DAY 86400.0

int vcs_emu_fail(vcs_error *error, int code, uint32_t type, uint64_t index, const char *field, const char *why) {
    uint32_t count;
    const vcs_field_row *rows = vcs_field_rows(type, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(rows[i].name, field) == 0) {
            return vcs_fail(error, code, type, index, rows[i].offset, why);
        }
    }
    return type == VCS_TYPE_NONE ? vcs_fail_at(error, code, index, field, why)
                                 : vcs_fail(error, code, type, index, VCS_WHOLE_RECORD, why);
}

int vcs_emulation_init(vcs_emulation *emulation, uint32_t size, uint32_t profile) {
    if (emulation == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_check_size(VCS_TYPE_EMULATION, size);
    if (code != VCS_OK || profile >= VCS_PROFILE_COUNT) {
        return code != VCS_OK ? code : VCS_ERR_FLAGS;
    }
    const vcs_emulation filled = {
        .struct_size = size,
        .seed = 1,
        .duration = 100 * DAY,
        .available = 1.0,
        .study_rules = profile == VCS_PROFILE_STUDY2007,
        .max_reply = 1000,
    };
    vcs_hand_out(emulation, size, &filled, sizeof filled);
    return VCS_OK;
}

/* ---- Callers of any age ---- */

/* Both as they were in the first release. Hooks are pointers, of the machine's size. */
#define FIRST_SCENARIO 208u
#define FIRST_HOOKS (8u + 8u * (uint32_t)sizeof(void *))

/* What stands behind the snapshot begins where the caller's snapshot ends, which grows too. */
int vcs_emu_take_scenario(vcs_scenario *known, const vcs_scenario *callers) {
    const uint32_t head = offsetof(vcs_scenario, snapshot), behind = sizeof *known - offsetof(vcs_scenario, emulation);
    int code = vcs_check_size_from(FIRST_SCENARIO, callers->struct_size);
    if (code == VCS_OK) {
        code = vcs_check_size(VCS_TYPE_SNAPSHOT, callers->snapshot.struct_size);
    }
    if (code != VCS_OK || callers->struct_size < head + callers->snapshot.struct_size) {
        return code != VCS_OK ? code : VCS_ERR_ABI_SIZE;
    }
    const unsigned char *rest = (const unsigned char *)&callers->snapshot + callers->snapshot.struct_size;
    const uint32_t rest_size = callers->struct_size - head - callers->snapshot.struct_size;
    *known = (vcs_scenario){.struct_size = sizeof *known, .flags = callers->flags};
    code = vcs_take_struct(&known->snapshot, sizeof known->snapshot, &callers->snapshot, callers->snapshot.struct_size);
    known->snapshot.struct_size = sizeof known->snapshot;
    return code != VCS_OK ? code : vcs_take_struct(&known->emulation, behind, rest, rest_size);
}

int vcs_emu_take_hooks(vcs_hooks *known, const vcs_hooks *callers) {
    const int code = vcs_check_size_from(FIRST_HOOKS, callers->struct_size);
    return code != VCS_OK ? code : vcs_take_struct(known, sizeof *known, callers, callers->struct_size);
}

/* ---- Checks ---- */

static int check_array(const vcs_array *array, uint32_t type, const char *why, vcs_error *error) {
    const int code = vcs_check_array(array, type, NULL);
    return code == VCS_OK ? VCS_OK : vcs_emu_fail(error, code, type, 0, "", why);
}

static int check_emulation(const vcs_emulation *emulation, vcs_error *error) {
    if (emulation->available < 1.0 && emulation->available_mean < 1e-3) {
        return vcs_emu_fail(error, VCS_ERR_RANGE, VCS_TYPE_EMULATION, 0, "available_mean",
                            "must be at least 0.001 s unless the host is always on");
    }
    return VCS_OK;
}

static int check_model(const vcs_scenario *scenario, const vcs_job_model *model, uint32_t index, vcs_error *error) {
    if (model->gpu >= scenario->snapshot.resources.count) {
        return vcs_emu_fail(error, VCS_ERR_INDEX, VCS_TYPE_JOB_MODEL, index, "gpu", "is not a resource of the host");
    }
    if ((model->gpu == 0) != (model->gpus == 0.0)) {
        return vcs_emu_fail(error, VCS_ERR_RANGE, VCS_TYPE_JOB_MODEL, index, "gpus",
                            model->gpu == 0 ? "is not 0, but no GPU type is named" : "is 0, but a GPU type is named");
    }
    if (model->distribution == VCS_SIZES_LIST &&
        (model->size_count == 0 || (uint64_t)model->first_size + model->size_count > scenario->sizes.count)) {
        return vcs_emu_fail(error, VCS_ERR_INDEX, VCS_TYPE_JOB_MODEL, index, "size_count",
                            "must be at least 1, and within the list of sizes");
    }
    return VCS_OK;
}

static int check_server(const vcs_server_model *server, uint32_t index, vcs_error *error) {
    if (server->up_mean > 0.0 && (server->up_mean < 1e-3 || server->down_mean < 1e-3)) {
        return vcs_emu_fail(error, VCS_ERR_RANGE, VCS_TYPE_SERVER_MODEL, index,
                            server->up_mean < 1e-3 ? "up_mean" : "down_mean", "must be at least 0.001 s");
    }
    return VCS_OK;
}

static int check_numbers(const vcs_scenario *scenario, vcs_error *error) {
    double last = 0.0;
    for (uint32_t i = 0; i < scenario->sizes.count; i++) {
        double size = *(const double *)vcs_element(&scenario->sizes, i);
        if (!(size >= 0.0 && size <= 1e30)) {
            return vcs_emu_fail(error, size == size ? VCS_ERR_RANGE : VCS_ERR_NOT_FINITE, VCS_TYPE_NONE, i, "sizes",
                                "must be from 0 to 1e30");
        }
    }
    for (uint32_t i = 0; i < scenario->switches.count; i++) {
        double at = *(const double *)vcs_element(&scenario->switches, i);
        if (!(at >= last && at <= VCS_MAX_SECONDS)) {
            return vcs_emu_fail(error, at == at ? VCS_ERR_RANGE : VCS_ERR_NOT_FINITE, VCS_TYPE_NONE, i, "switches",
                                "must be in ascending order, from 0 to 1e12");
        }
        last = at;
    }
    return VCS_OK;
}

static int check_counts(const vcs_scenario *scenario, vcs_error *error) {
    const char *field = NULL;
    if (scenario->emulation.count != 1) {
        field = "emulation";
    } else if (scenario->models.count != scenario->snapshot.apps.count) {
        field = "models";
    } else if (scenario->servers.count != 0 && scenario->servers.count != scenario->snapshot.projects.count) {
        field = "servers";
    } else if (scenario->snapshot.candidates.count != 0) {
        field = "candidates";
    }
    return field == NULL
               ? VCS_OK
               : vcs_emu_fail(error, VCS_ERR_COUNT, VCS_TYPE_NONE, 0, field, "has the wrong number of elements");
}

static int check_scenario(const vcs_scenario *scenario, vcs_error *error) {
    const struct {
        const vcs_array *array;
        uint32_t type;
        const char *why;
    } arrays[] = {
        {&scenario->emulation, VCS_TYPE_EMULATION, "is not a valid array"},
        {&scenario->models, VCS_TYPE_JOB_MODEL, "is not a valid array"},
        {&scenario->servers, VCS_TYPE_SERVER_MODEL, "is not a valid array"},
        {&scenario->sizes, VCS_TYPE_NONE, "sizes is not a valid array"},
        {&scenario->switches, VCS_TYPE_NONE, "switches is not a valid array"},
    };
    int code = check_counts(scenario, error);
    for (size_t i = 0; code == VCS_OK && i < sizeof arrays / sizeof *arrays; i++) {
        code = check_array(arrays[i].array, arrays[i].type, arrays[i].why, error);
    }
    return code == VCS_OK ? check_numbers(scenario, error) : code;
}

/* ---- Copies ---- */

static int take_records(vcs_job_model *models, vcs_server_model *servers, const vcs_scenario *scenario,
                        vcs_error *error) {
    int code = VCS_OK;
    for (uint32_t i = 0; code == VCS_OK && i < scenario->models.count; i++) {
        code = vcs_take_record(&models[i], &scenario->models, i, VCS_TYPE_JOB_MODEL, error);
        if (code == VCS_OK) {
            code = check_model(scenario, &models[i], i, error);
        }
    }
    for (uint32_t i = 0; code == VCS_OK && i < scenario->servers.count; i++) {
        code = vcs_take_record(&servers[i], &scenario->servers, i, VCS_TYPE_SERVER_MODEL, error);
        if (code == VCS_OK) {
            code = check_server(&servers[i], i, error);
        }
    }
    return code;
}

static double *copy_numbers(vcs_emu_memory *memory, const vcs_array *numbers) {
    double *copy = vcs_emu_allocate(memory, numbers->count, sizeof *copy);
    for (uint32_t i = 0; copy != NULL && i < numbers->count; i++) {
        copy[i] = *(const double *)vcs_element(numbers, i);
    }
    return copy;
}

/* Without server models, all are 0: every server answers always. */
static int copy_models(vcs_emu_setup *setup, vcs_emu_memory *memory, const vcs_scenario *scenario) {
    vcs_job_model *models = vcs_emu_allocate(memory, scenario->models.count, sizeof *models);
    vcs_server_model *servers = vcs_emu_allocate(memory, scenario->snapshot.projects.count, sizeof *servers);
    setup->models = models;
    setup->servers = servers;
    setup->sizes = copy_numbers(memory, &scenario->sizes);
    setup->switches = copy_numbers(memory, &scenario->switches);
    setup->switch_count = scenario->switches.count;
    return memory->failed ? VCS_ERR_MEMORY : take_records(models, servers, scenario, setup->error);
}

/* ---- Both together ---- */

/* libvcsched checks its own records: a state is prepared from them, and dropped. */
static int check_snapshot(const vcs_emu_setup *setup, vcs_emu_memory *memory, const vcs_snapshot *snapshot,
                          const vcs_parameters *parameters) {
    size_t bytes;
    vcs_state *state;
    vcs_emu_vector work = {NULL, 0};
    int code = vcs_state_size(snapshot, &bytes);
    if (code != VCS_OK) {
        return vcs_emu_fail(setup->error, code, VCS_TYPE_NONE, 0, "snapshot", vcs_strerror(code));
    }
    code = vcs_emu_reserve(memory, &work, bytes, 1);
    if (code == VCS_OK) {
        code =
            vcs_state_prepare(snapshot, parameters, setup->emulation.start, work.base, work.size, &state, setup->error);
    }
    vcs_emu_release(memory, &work);
    return code;
}

/* A job that the chosen discipline cannot simulate would otherwise be found only when the first one arrives. */
static int check_discipline(const vcs_emu_setup *setup, uint32_t app_count) {
    if (setup->parameters.discipline != VCS_DISCIPLINE_FLUID) {
        return VCS_OK;
    }
    for (uint32_t i = 0; i < app_count; i++) {
        if (setup->models[i].gpu != 0 || setup->models[i].cpus != 1.0) {
            return vcs_emu_fail(setup->error, VCS_ERR_UNSUPPORTED, VCS_TYPE_JOB_MODEL, i, "cpus",
                                "must be 1, without a GPU, in the fluid discipline");
        }
    }
    return VCS_OK;
}

/* Parameters of any version: those that it does not have are taken from its profile. */
static void take_parameters(vcs_parameters *known, const vcs_parameters *callers) {
    vcs_parameters_init(known, sizeof *known, callers->profile);
    for (uint32_t i = 0; i < vcs_parameter_count(); i++) {
        double value;
        if (vcs_parameter_get(callers, i, &value) == VCS_OK) {
            vcs_parameter_set(known, i, value);
        }
    }
}

int vcs_emu_setup_open(vcs_emu_setup *setup, vcs_emu_memory *memory, const vcs_scenario *scenario,
                       const vcs_parameters *parameters) {
    int code = check_scenario(scenario, setup->error);
    if (code == VCS_OK) {
        code = vcs_take_record(&setup->emulation, &scenario->emulation, 0, VCS_TYPE_EMULATION, setup->error);
    }
    if (code == VCS_OK) {
        code = check_emulation(&setup->emulation, setup->error);
    }
    if (code == VCS_OK) {
        code = check_snapshot(setup, memory, &scenario->snapshot, parameters);
    }
    if (code == VCS_OK) {
        code = copy_models(setup, memory, scenario);
    }
    if (code == VCS_OK) {
        take_parameters(&setup->parameters, parameters);
        code = check_discipline(setup, scenario->models.count);
    }
    return code;
}
