/* SPDX-License-Identifier: MIT */
#include "emulator/emulator.h"
#include "interface/check.h"

static vcs_array array_of(const void *base, size_t size, uint32_t count) {
    return (vcs_array){.base = base, .element_size = (uint32_t)size, .count = count};
}

/* A copy of an array of records. libvcsched has checked them: bytes beyond those that are known are 0. */
static void *copy_records(vcs_emu_emulator *e, vcs_array *copied, const vcs_array *array, size_t size) {
    unsigned char *copy = vcs_emu_new(e, array->count, size);
    for (uint32_t i = 0; copy != NULL && i < array->count; i++) {
        vcs_take_struct(copy + i * size, (uint32_t)size, vcs_element(array, i), array->element_size);
    }
    *copied = array_of(copy, size, array->count);
    return copy;
}

/* The caller may leave out some; here there is one for each project and resource. */
static void copy_project_resources(vcs_emu_emulator *e, const vcs_array *array) {
    vcs_emu_records *records = &e->records;
    const uint32_t count = records->project_count * records->resource_count;
    for (uint32_t i = 0; i < count; i++) {
        records->project_resources[i].project = i / records->resource_count;
        records->project_resources[i].resource = i % records->resource_count;
    }
    for (uint32_t i = 0; i < array->count; i++) {
        vcs_project_resource copy;
        const vcs_project_resource *from = vcs_whole_element(array, i, &copy, sizeof copy);
        records->project_resources[vcs_emu_first_of(e, from->project) + from->resource] = *from;
    }
    records->snapshot.project_resources =
        array_of(records->project_resources, sizeof *records->project_resources, count);
}

bool vcs_emu_records_open(vcs_emu_emulator *e, const vcs_snapshot *snapshot) {
    vcs_emu_records *records = &e->records;
    vcs_snapshot *copy = &records->snapshot;
    const uint32_t resources = snapshot->resources.count, projects = snapshot->projects.count;
    copy->struct_size = sizeof *copy;
    copy->host = array_of(&records->host, sizeof records->host, 1);
    copy->tasks = array_of(NULL, sizeof *records->tasks, 0);
    copy->candidates = array_of(NULL, sizeof *records->tasks, 0);
    vcs_take_struct(&records->host, sizeof records->host, snapshot->host.base, snapshot->host.element_size);
    records->resources = copy_records(e, &copy->resources, &snapshot->resources, sizeof *records->resources);
    records->projects = copy_records(e, &copy->projects, &snapshot->projects, sizeof *records->projects);
    records->apps = copy_records(e, &copy->apps, &snapshot->apps, sizeof *records->apps);
    records->resource_count = resources;
    records->project_count = projects;
    records->app_count = snapshot->apps.count;
    records->project_resources = vcs_emu_new(e, (uint64_t)projects * resources, sizeof *records->project_resources);
    records->task_counts = vcs_emu_new(e, projects, sizeof *records->task_counts);
    records->changed = true;
    if (!vcs_emu_check_memory(e)) {
        return false;
    }
    copy_project_resources(e, &snapshot->project_resources);
    return true;
}

double vcs_emu_speed(const vcs_emu_records *records, double cpus, uint32_t gpu, double gpus) {
    const vcs_resource *resources = records->resources;
    const double speed = cpus * resources[0].flops + (gpu != 0 ? gpus * resources[gpu].flops : 0.0);
    return speed > 0.0 ? speed : resources[0].flops;
}
