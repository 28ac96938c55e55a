/* SPDX-License-Identifier: MIT */
#include "emulator/records.h"

#include "emulator/setup.h"

#include <string.h>

/* libvcsched has checked the records: bytes beyond those that are known are 0. */
static void copy_records(void *to, const vcs_array *array, size_t size) {
    for (uint32_t i = 0; i < array->count; i++) {
        memcpy((unsigned char *)to + i * size, vcs_emu_element(array, i), size);
    }
}

/* The caller may leave out some; here there is one for each project and resource. */
static void copy_project_resources(vcs_emu_records *records, const vcs_array *array) {
    for (uint32_t p = 0; p < records->project_count; p++) {
        for (uint32_t r = 0; r < records->resource_count; r++) {
            vcs_project_resource *record = &records->project_resources[vcs_emu_first_of(records, p) + r];
            record->project = p;
            record->resource = r;
        }
    }
    for (uint32_t i = 0; i < array->count; i++) {
        const vcs_project_resource *from = vcs_emu_element(array, i);
        records->project_resources[vcs_emu_first_of(records, from->project) + from->resource] = *from;
    }
}

static vcs_array array_of(const void *base, size_t size, uint32_t count) {
    return (vcs_array){.base = base, .element_size = (uint32_t)size, .count = count};
}

static void describe(vcs_emu_records *r) {
    r->snapshot.struct_size = sizeof r->snapshot;
    r->snapshot.host = array_of(&r->host, sizeof r->host, 1);
    r->snapshot.resources = array_of(r->resources, sizeof *r->resources, r->resource_count);
    r->snapshot.projects = array_of(r->projects, sizeof *r->projects, r->project_count);
    r->snapshot.project_resources = array_of(r->project_resources, sizeof *r->project_resources,
                                             r->project_count * r->resource_count);
    r->snapshot.apps = array_of(r->apps, sizeof *r->apps, r->app_count);
    r->snapshot.tasks = array_of(NULL, sizeof *r->tasks, 0);
    r->snapshot.candidates = array_of(NULL, sizeof *r->tasks, 0);
}

int vcs_emu_records_open(vcs_emu_records *records, vcs_emu_memory *memory, const vcs_snapshot *snapshot) {
    const uint32_t resources = snapshot->resources.count, projects = snapshot->projects.count;
    records->resource_count = resources;
    records->project_count = projects;
    records->app_count = snapshot->apps.count;
    records->resources = vcs_emu_allocate(memory, resources, sizeof *records->resources);
    records->projects = vcs_emu_allocate(memory, projects, sizeof *records->projects);
    records->project_resources =
        vcs_emu_allocate(memory, (uint64_t)projects * resources, sizeof *records->project_resources);
    records->apps = vcs_emu_allocate(memory, records->app_count, sizeof *records->apps);
    records->task_counts = vcs_emu_allocate(memory, projects, sizeof *records->task_counts);
    records->changed = true;
    if (memory->failed) {
        return VCS_ERR_MEMORY;
    }
    memcpy(&records->host, snapshot->host.base, sizeof records->host);
    copy_records(records->resources, &snapshot->resources, sizeof *records->resources);
    copy_records(records->projects, &snapshot->projects, sizeof *records->projects);
    copy_records(records->apps, &snapshot->apps, sizeof *records->apps);
    copy_project_resources(records, &snapshot->project_resources);
    describe(records);
    return VCS_OK;
}

double vcs_emu_speed(const vcs_emu_records *records, double cpus, uint32_t gpu, double gpus) {
    const vcs_resource *resources = records->resources;
    const double speed = cpus * resources[0].flops + (gpu != 0 ? gpus * resources[gpu].flops : 0.0);
    return speed > 0.0 ? speed : resources[0].flops;
}
