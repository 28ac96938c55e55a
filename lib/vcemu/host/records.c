/* The host's records at the start. SPDX-License-Identifier: MIT */
#include "vcemu/host/records.h"
#include "vcemu/host/setup.h"
#include "vcsched/interface/check/check.h"

/* Copies records of the caller's age, which libvcsched has checked, to elements of `size` bytes. */
static vcs_array copy_records(void *copy, const vcs_array *array, uint32_t size) {
    for (uint32_t i = 0; i < array->count; i++) {
        vcs_copy_struct((unsigned char *)copy + (size_t)i * size, size, vcs_element(array, i), array->element_size);
    }
    return (vcs_array){.base = copy, .element_size = size, .count = array->count};
}

/* The caller may leave some out; the copy has a record for each (project, resource). */
static void copy_project_resources(vcs_emu_records *records, const vcs_array *array) {
    vcs_project_resource *copy = records->project_resources;
    const uint32_t resources = records->resource_count, count = records->project_count * resources;
    for (uint32_t i = 0; i < count; i++) {
        copy[i].project = i / resources;
        copy[i].resource = i % resources;
    }
    for (uint32_t i = 0; i < array->count; i++) {
        vcs_project_resource other;
        const vcs_project_resource *from = vcs_whole_element(array, i, &other, sizeof other);
        copy[(size_t)from->project * resources + from->resource] = *from;
    }
    records->snapshot.project_resources =
        (vcs_array){.base = copy, .element_size = (uint32_t)sizeof *copy, .count = count};
}

uint32_t vcs_emu_hour_count(const vcs_snapshot *snapshot, const vcs_parameters *parameters) {
    if (parameters->hours == VCS_HOURS_NONE || snapshot->hours.count > 0) {
        return parameters->hours == VCS_HOURS_NONE ? 0 : snapshot->hours.count;
    }
    return parameters->hours == VCS_HOURS_DAY ? VCS_HOURS_OF_DAY : VCS_HOURS_OF_WEEK;
}

/* Hours that are not stated were not seen. */
static void copy_hours(vcs_emu_records *records, const vcs_array *array, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        records->hours[i] = (vcs_hour){.on = 0.0};
    }
    if (count > 0) {
        copy_records(records->hours, array, sizeof *records->hours);
    }
    records->snapshot.hours =
        (vcs_array){.base = records->hours, .element_size = (uint32_t)sizeof *records->hours, .count = count};
}

void vcs_emu_records_open(vcs_emu_emulator *e, const vcs_snapshot *snapshot) {
    vcs_emu_records *records = e->records;
    vcs_snapshot *copy = &records->snapshot;
    copy->struct_size = sizeof *copy;
    copy->host = copy_records(&records->host, &snapshot->host, sizeof records->host);
    copy->resources = copy_records(records->resources, &snapshot->resources, sizeof *records->resources);
    copy->projects = copy_records(records->projects, &snapshot->projects, sizeof *records->projects);
    copy->apps = copy_records(records->apps, &snapshot->apps, sizeof *records->apps);
    copy->app_resources =
        copy_records(records->app_resources, &snapshot->app_resources, sizeof *records->app_resources);
    copy_hours(records, &snapshot->hours, vcs_emu_hour_count(snapshot, &e->setup->parameters));
    copy->tasks.element_size = copy->candidates.element_size = sizeof *records->tasks;
    records->resource_count = snapshot->resources.count;
    records->project_count = snapshot->projects.count;
    records->app_count = snapshot->apps.count;
    records->changed = true;
    copy_project_resources(records, &snapshot->project_resources);
}

double vcs_emu_speed(const vcs_emu_records *records, double cpus, uint32_t gpu, double gpus) {
    const vcs_resource *resources = records->resources;
    const double speed = cpus * resources[0].flops + (gpu != 0 ? gpus * resources[gpu].flops : 0.0);
    return speed > 0.0 ? speed : resources[0].flops;
}
