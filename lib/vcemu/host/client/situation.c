/* SPDX-License-Identifier: MIT */
#include "vcemu/host/client/situation.h"
#include "vcemu/host/clock.h"
#include "vcemu/host/emulator_workspace.h"
#include "vcemu/host/memory.h"
#include "vcemu/host/setup.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/chance_fields.h"
#include "vcsched/interface/fields/host_fields.h"

/* The arrays of a snapshot, and where the caller's record lengths are; candidates are as long as tasks. */
static const struct {
    uint32_t first_size;
    size_t array, callers;
} arrays[] = {
    {VCS_FIRST_host, offsetof(vcs_snapshot, host), offsetof(vcs_snapshot, host)},
    {VCS_FIRST_resource, offsetof(vcs_snapshot, resources), offsetof(vcs_snapshot, resources)},
    {VCS_FIRST_project, offsetof(vcs_snapshot, projects), offsetof(vcs_snapshot, projects)},
    {VCS_FIRST_project_resource, offsetof(vcs_snapshot, project_resources), offsetof(vcs_snapshot, project_resources)},
    {VCS_FIRST_app, offsetof(vcs_snapshot, apps), offsetof(vcs_snapshot, apps)},
    {VCS_FIRST_app_resource, offsetof(vcs_snapshot, app_resources), offsetof(vcs_snapshot, app_resources)},
    {VCS_FIRST_task, offsetof(vcs_snapshot, tasks), offsetof(vcs_snapshot, tasks)},
    {VCS_FIRST_task, offsetof(vcs_snapshot, candidates), offsetof(vcs_snapshot, tasks)},
    {VCS_FIRST_hour, offsetof(vcs_snapshot, hours), offsetof(vcs_snapshot, hours)},
};
_Static_assert(sizeof arrays / sizeof *arrays == VCS_EMU_ARRAYS, "all arrays of a snapshot");

/* Copies the records of an array to the length of the caller's. An empty array may have no length. */
static bool resize(vcs_emu_emulator *e, vcs_array *array, uint32_t first_size, uint32_t size, void **memory) {
    if (size == array->element_size || vcs_check_size(first_size, size) != VCS_OK) {
        return true;
    }
    if (!vcs_emu_reserve(e, memory, array->count, size)) {
        return false;
    }
    for (uint32_t i = 0; i < array->count; i++) {
        vcs_hand_out((unsigned char *)*memory + (size_t)i * size, size, vcs_element(array, i), array->element_size);
    }
    array->base = *memory;
    array->element_size = size;
    return true;
}

bool vcs_emu_show(vcs_emu_emulator *e, const vcs_snapshot *snapshot, vcs_situation *situation) {
    vcs_snapshot *shown = &e->shown->snapshot;
    *shown = *snapshot;
    for (size_t i = 0; i < VCS_EMU_ARRAYS; i++) {
        const vcs_array *callers = (const void *)((const unsigned char *)&e->setup->sizes_of + arrays[i].callers);
        vcs_array *array = (void *)((unsigned char *)shown + arrays[i].array);
        if (!resize(e, array, arrays[i].first_size, callers->element_size, &e->shown->arrays[i])) {
            return false;
        }
    }
    *situation = (vcs_situation){
        .struct_size = sizeof *situation,
        .now = e->clock->now,
        .snapshot = shown,
        .parameters = &e->setup->parameters,
        .state = e->workspace->state,
        .seed = e->setup->emulation.seed,
    };
    return true;
}
