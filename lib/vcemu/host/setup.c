/*
 * What is emulated: the caller's scenario and policy, checked and copied.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/host/setup.h"
#include "vcemu/host/memory.h"
#include "vcsched/interface/check/check.h"
#include "vcemu/interface/emulator_fields.h"
#include "vcsched/interface/fields/host_fields.h"

#define DAY 86400.0

int vcs_emulation_init(vcs_emulation *emulation, uint32_t size, uint32_t profile) {
    if (emulation == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_check_size(VCS_FIRST_emulation, size);
    if (code == VCS_OK && profile >= VCS_PROFILE_COUNT) {
        code = VCS_ERR_FLAGS;
    }
    if (code == VCS_OK) {
        const vcs_emulation filled = {
            .struct_size = size,
            .seed = 1,
            .duration = 100 * DAY,
            .available = 1.0,
            .study_rules = profile == VCS_PROFILE_STUDY2007,
            .max_reply = 1000,
        };
        vcs_hand_out(emulation, size, &filled, sizeof filled);
    }
    return code;
}

/* ---- Callers of any age ---- */

/* Sizes in the first release. Hooks are pointers, of the machine's size. */
#define FIRST_SCENARIO 224u
#define FIRST_HOOKS (8u + 8u * (uint32_t)sizeof(void *))

/* The fields behind the snapshot begin where the caller's snapshot ends; the snapshot grows too. */
int vcs_emu_read_scenario(vcs_scenario *known, const vcs_scenario *callers) {
    const uint32_t head = offsetof(vcs_scenario, snapshot), behind = sizeof *known - offsetof(vcs_scenario, emulation);
    int code = vcs_check_size(FIRST_SCENARIO, callers->struct_size);
    if (code == VCS_OK) {
        code = vcs_check_size(VCS_FIRST_snapshot, callers->snapshot.struct_size);
    }
    if (code == VCS_OK && callers->struct_size < head + callers->snapshot.struct_size) {
        code = VCS_ERR_ABI_SIZE;
    }
    *known = (vcs_scenario){.struct_size = sizeof *known};
    if (code == VCS_OK) {
        const unsigned char *rest = (const unsigned char *)&callers->snapshot + callers->snapshot.struct_size;
        const uint32_t rest_size = callers->struct_size - head - callers->snapshot.struct_size;
        code = vcs_copy_struct(&known->snapshot, sizeof known->snapshot, &callers->snapshot,
                               callers->snapshot.struct_size);
        known->flags = callers->flags;
        known->snapshot.struct_size = sizeof known->snapshot;
        code = code != VCS_OK ? code : vcs_copy_struct(&known->emulation, behind, rest, rest_size);
    }
    return code;
}

int vcs_emu_read_hooks(vcs_hooks *known, const vcs_hooks *callers) {
    const int code = vcs_check_size(FIRST_HOOKS, callers->struct_size);
    return code != VCS_OK ? code : vcs_copy_struct(known, sizeof *known, callers, callers->struct_size);
}

/* Refuses an element of an array, or its field at `offset`. */
static void refuse(vcs_emu_emulator *e, int code, const vcs_layout *layout, uint64_t index, uint32_t offset,
                   const char *why) {
    vcs_emu_note(e, vcs_fail(e->error, code, layout, index, offset, why));
}

/* ---- Arrays ---- */

static void check_arrays(vcs_emu_emulator *e, const vcs_scenario *scenario) {
    const vcs_snapshot *snapshot = &scenario->snapshot;
    const struct {
        const vcs_array *array;
        uint32_t count;
        const vcs_layout *layout;
        const char *name, *why;
    } arrays[] = {
        {&scenario->emulation, 1, &vcs_emulation_layout, "emulation", "is not a valid array"},
        {&scenario->models, snapshot->apps.count, &vcs_job_model_layout, "models", "is not a valid array"},
        {&scenario->servers, scenario->servers.count == 0 ? 0 : snapshot->projects.count, &vcs_server_model_layout,
         "servers", "is not a valid array"},
        {&snapshot->candidates, 0, &vcs_task_layout, "candidates", ""},
        {&scenario->sizes, scenario->sizes.count, NULL, "", "sizes is not a valid array"},
        {&scenario->switches, scenario->switches.count, NULL, "", "switches is not a valid array"},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        if (arrays[i].array->count != arrays[i].count) {
            vcs_emu_fail(e, VCS_ERR_COUNT, 0, arrays[i].name, "has the wrong number of elements");
        }
        const int code = vcs_check_array(arrays[i].array, arrays[i].layout, NULL);
        if (code != VCS_OK) {
            refuse(e, code, arrays[i].layout, 0, VCS_WHOLE_RECORD, arrays[i].why);
        }
    }
}

/* Copies numbers from 0 to `most`, which may have to be in ascending order. */
static const double *read_numbers(vcs_emu_emulator *e, const vcs_array *numbers, double most, bool ascend,
                                  const char *name, const char *why) {
    double *copy = vcs_emu_allocate(e, (uint64_t)numbers->count * sizeof *copy), least = 0.0;
    for (uint32_t i = 0; e->code == VCS_OK && i < numbers->count; i++) {
        copy[i] = *(const double *)vcs_element(numbers, i);
        if (!(copy[i] >= least && copy[i] <= most)) {
            vcs_emu_fail(e, copy[i] == copy[i] ? VCS_ERR_RANGE : VCS_ERR_NOT_FINITE, i, name, why);
        }
        least = ascend ? copy[i] : 0.0;
    }
    return copy;
}

/* ---- Records ---- */

static void read_emulation(vcs_emu_emulator *e, vcs_emulation *emulation, const vcs_array *array) {
    vcs_emu_note(e, vcs_copy_record(emulation, array, 0, &vcs_emulation_layout, e->error));
    if (emulation->available < 1.0 && emulation->available_mean < 1e-3) {
        refuse(e, VCS_ERR_RANGE, &vcs_emulation_layout, 0, VCS_FIELD(vcs_emulation, available_mean),
               "must be at least 0.001 s unless the host is always on");
    }
    if (emulation->spells != VCS_SPELLS_EXPONENTIAL && emulation->spell_shape < 0.1) {
        refuse(e, VCS_ERR_RANGE, &vcs_emulation_layout, 0, VCS_FIELD(vcs_emulation, spell_shape),
               "must be at least 0.1 unless the spells are exponential");
    }
}

static void read_model(vcs_emu_emulator *e, const vcs_scenario *scenario, uint32_t index) {
    vcs_job_model *model = &e->setup->models[index];
    vcs_emu_note(e, vcs_copy_record(model, &scenario->models, index, &vcs_job_model_layout, e->error));
    if (model->gpu >= scenario->snapshot.resources.count) {
        refuse(e, VCS_ERR_INDEX, &vcs_job_model_layout, index, VCS_FIELD(vcs_job_model, gpu),
               "is not a resource of the host");
    }
    if ((model->gpu == 0) != (model->gpus == 0.0)) {
        refuse(e, VCS_ERR_RANGE, &vcs_job_model_layout, index, VCS_FIELD(vcs_job_model, gpus),
               model->gpu == 0 ? "is not 0, but no GPU type is named" : "is 0, but a GPU type is named");
    }
    if (model->distribution == VCS_SIZES_LIST &&
        (model->size_count == 0 || (uint64_t)model->first_size + model->size_count > scenario->sizes.count)) {
        refuse(e, VCS_ERR_INDEX, &vcs_job_model_layout, index, VCS_FIELD(vcs_job_model, size_count),
               "must be at least 1, and within the list of sizes");
    }
    /* Otherwise a job that the discipline cannot simulate would be refused only when the first one arrives. */
    if (e->setup->parameters.discipline == VCS_DISCIPLINE_FLUID && (model->gpu != 0 || model->cpus != 1.0)) {
        refuse(e, VCS_ERR_UNSUPPORTED, &vcs_job_model_layout, index, VCS_FIELD(vcs_job_model, cpus),
               "must be 1, without a GPU, in the fluid discipline");
    }
}

/* Without server models, every server always answers. A project has one scheduler at least. */
static void read_models(vcs_emu_emulator *e, vcs_emu_setup *setup, const vcs_scenario *scenario) {
    setup->models = vcs_emu_allocate(e, (uint64_t)scenario->models.count * sizeof *setup->models);
    setup->servers = vcs_emu_allocate(e, (uint64_t)scenario->snapshot.projects.count * sizeof *setup->servers);
    for (uint32_t i = 0; e->code == VCS_OK && i < scenario->models.count; i++) {
        read_model(e, scenario, i);
    }
    for (uint32_t i = 0; e->code == VCS_OK && i < scenario->servers.count; i++) {
        vcs_server_model *server = &setup->servers[i];
        vcs_emu_note(e, vcs_copy_record(server, &scenario->servers, i, &vcs_server_model_layout, e->error));
        if (server->up_mean > 0.0 && (server->up_mean < 1e-3 || server->down_mean < 1e-3)) {
            refuse(e, VCS_ERR_RANGE, &vcs_server_model_layout, i,
                   server->up_mean < 1e-3 ? VCS_FIELD(vcs_server_model, up_mean)
                                          : VCS_FIELD(vcs_server_model, down_mean),
                   "must be at least 0.001 s");
        }
    }
    for (uint32_t i = 0; e->code == VCS_OK && i < scenario->snapshot.projects.count; i++) {
        setup->servers[i].schedulers = setup->servers[i].schedulers == 0 ? 1 : setup->servers[i].schedulers;
    }
}

/* Copies checked parameters of any version; missing ones come from their profile. */
static void read_parameters(vcs_parameters *known, const vcs_parameters *callers) {
    vcs_parameters_init(known, sizeof *known, callers->profile);
    for (uint32_t i = 0; i < vcs_parameter_count(); i++) {
        double value = 0.0;
        vcs_parameter_get(callers, i, &value);
        vcs_parameter_set(known, i, value);
    }
}

void vcs_emu_setup_begin(vcs_emu_emulator *e, vcs_emu_setup *setup, const vcs_scenario *scenario) {
    setup->sizes_of = scenario->snapshot;
    check_arrays(e, scenario);
    if (e->code == VCS_OK) {
        read_emulation(e, &setup->emulation, &scenario->emulation);
    }
}

void vcs_emu_setup_open(vcs_emu_emulator *e, vcs_emu_setup *setup, const vcs_scenario *scenario,
                        const vcs_parameters *parameters) {
    read_parameters(&setup->parameters, parameters);
    if (setup->parameters.connect_every == 0.0) { /* the client knows it (rule 15.7) */
        setup->parameters.connect_every = setup->emulation.connection_interval;
    }
    setup->sizes = read_numbers(e, &scenario->sizes, 1e30, false, "sizes", "must be from 0 to 1e30");
    setup->switches = read_numbers(e, &scenario->switches, VCS_MAX_SECONDS, true, "switches",
                                   "must be in ascending order, from 0 to 1e12");
    setup->switch_count = scenario->switches.count;
    read_models(e, setup, scenario);
}
