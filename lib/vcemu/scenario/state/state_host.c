/* [host] and [gpu]: the computer, and when an emulated one is on. SPDX-License-Identifier: MIT */
#include "vcemu/scenario/state/state_sections.h"

#include <string.h>

#include "vcemu/scenario/state/state_reader.h"

/* ---- [host] ---- */

struct host_draft {
    double now;
    vcs_host host;
    vcs_resource cpu;
    vcs_emulation emulation; /* how an emulated host is there */
    const char *switches;    /* when it is switched off and on, as a list or as the name of a file */
    const char *trace;
    const char *hours_on, *hours_off; /* lists */
};

#define HOST(field) offsetof(struct host_draft, field)

static const struct state_key host_keys[] = {
    {"now", FORM_NUMBER, .offset = HOST(now)},
    {"cpus", FORM_WHOLE, .offset = HOST(cpu.instances), .field = "instances"},
    {"flops", FORM_NUMBER, .offset = HOST(cpu.flops)},
    {"usable", FORM_NUMBER, .offset = HOST(cpu.usable)},
    {"reserve", FORM_NUMBER, .offset = HOST(cpu.reserve)},
    {"paused", FORM_SWITCH, .offset = HOST(cpu.flags), .bit = VCS_RESOURCE_PAUSED},
    {"ram", FORM_NUMBER, .offset = HOST(host.ram)},
    {"on_spell", FORM_NUMBER, .offset = HOST(host.on_spell)},
    {"off_spell", FORM_NUMBER, .offset = HOST(host.off_spell)},
    {"hours_on", FORM_NAME, .offset = HOST(hours_on)},
    {"hours_off", FORM_NAME, .offset = HOST(hours_off)},
    {"next_connection", FORM_NUMBER, .offset = HOST(host.next_connection)},
    {"available", FORM_NUMBER, .offset = HOST(emulation.available), .range = RANGE_FRACTION},
    {"available_step", FORM_NUMBER, .offset = HOST(emulation.available_step), .range = RANGE_NOT_NEGATIVE},
    {"available_mean", FORM_NUMBER, .offset = HOST(emulation.available_mean), .range = RANGE_NOT_NEGATIVE},
    {"spells", FORM_WORD, .offset = HOST(emulation.spells), .words = STATE_SPELLS},
    {"spell_shape", FORM_NUMBER, .offset = HOST(emulation.spell_shape)},
    {"connection_interval", FORM_NUMBER, .offset = HOST(emulation.connection_interval), .range = RANGE_NOT_NEGATIVE},
    {"switches", FORM_NAME, .offset = HOST(switches)},
    {"trace", FORM_NAME, .offset = HOST(trace)},
};

/* Reads when an emulated host is on from the times at which it is switched. */
static bool read_switches(const struct state_reader *reader, const struct host_draft *draft) {
    const struct state_list_rule rule = {.greatest = VCS_MAX_SECONDS, .ascending = true};
    if (draft->trace == NULL && draft->switches == NULL) {
        return true;
    }
    const bool both = draft->trace != NULL && draft->switches != NULL;
    if (both || vcs_scn_reader_has(reader, "available")) {
        return vcs_scn_reader_refuse(reader, both ? "switches" : "available",
                                     "conflicts with another key that says when the host is on");
    }
    const struct place place = vcs_scn_ini_place(&reader->state->document, reader->section, "switches");
    struct state_list *switches = &reader->state->switches;
    return draft->trace != NULL ? vcs_scn_reader_list_file(reader, "trace", draft->trace, &rule, switches)
                                : vcs_scn_state_list_read(switches, draft->switches, &rule, &place, reader->fault);
}

static bool read_list_of_hours(const struct state_reader *reader, const char *key, const char *text,
                               struct state_list *list) {
    const struct state_list_rule rule = {.greatest = VCS_MAX_SECONDS};
    const struct place place = vcs_scn_ini_place(&reader->state->document, reader->section, key);
    if (!vcs_scn_state_list_read(list, text, &rule, &place, reader->fault)) {
        return false;
    }
    return list->count == VCS_HOURS_OF_DAY || list->count == VCS_HOURS_OF_WEEK ||
           vcs_scn_reader_refuse(reader, key,
                                 "has %u numbers, not one for each of the 24 hours of a day or the 168 of a week",
                                 list->count);
}

static bool take_hours(const struct state_reader *reader, const struct state_list *on, const struct state_list *off) {
    if (on->count != off->count) {
        return vcs_scn_reader_refuse(reader, "hours_off", "has another number of hours than hours_on");
    }
    reader->state->hour_count = on->count;
    for (uint32_t i = 0; i < on->count; i++) {
        reader->state->hours[i] = (vcs_hour){.on = on->values[i], .off = off->values[i]};
    }
    return true;
}

/* Reads for how long the host was seen on, and off, in each hour of the day or of the week. */
static bool read_hours(const struct state_reader *reader, const struct host_draft *draft) {
    struct state_list on = {.values = NULL}, off = {.values = NULL};
    if (draft->hours_on == NULL && draft->hours_off == NULL) {
        return true;
    }
    const bool is_read = vcs_scn_reader_require(reader, "hours_on") && vcs_scn_reader_require(reader, "hours_off") &&
                         read_list_of_hours(reader, "hours_on", draft->hours_on, &on) &&
                         read_list_of_hours(reader, "hours_off", draft->hours_off, &off) &&
                         take_hours(reader, &on, &off);
    vcs_scn_state_list_free(&on);
    vcs_scn_state_list_free(&off);
    return is_read;
}

/* The mean of the study, for files with `available` alone. */
#define DEFAULT_AVAILABLE_MEAN 1000.0

static void complete_availability(const struct state_reader *reader, vcs_emulation *emulation) {
    if (emulation->available == 1 || vcs_scn_reader_has(reader, "available_mean")) {
        return;
    }
    const struct place place = vcs_scn_ini_place(&reader->state->document, reader->section, "available");
    emulation->available_mean = DEFAULT_AVAILABLE_MEAN;
    vcs_scn_fault_note(&reader->state->note, &place,
                       "available_mean, how long the host is on at a time, is missing; %g s assumed",
                       DEFAULT_AVAILABLE_MEAN);
}

/* A file with `usable` tells it to an emulated client too; otherwise the client measures when it is on. */
static void note_usable(const struct state_reader *reader, vcs_emulation *emulation) {
    emulation->flags |= vcs_scn_reader_has(reader, "usable") ? VCS_EMULATION_USABLE_GIVEN : 0;
}

static bool read_host(const struct state_reader *reader) {
    struct state_file *state = reader->state;
    struct host_draft draft = {.cpu = {.usable = 1}, .emulation = state->emulation};
    if (!vcs_scn_reader_keys(reader, &draft) || !vcs_scn_reader_require(reader, "cpus") ||
        !vcs_scn_reader_require(reader, "flops") || !read_switches(reader, &draft) || !read_hours(reader, &draft)) {
        return false;
    }
    complete_availability(reader, &draft.emulation);
    note_usable(reader, &draft.emulation);
    state->now = draft.now;
    state->host = draft.host;
    state->emulation = draft.emulation;
    state->emulation.start = draft.now;
    state->resources[0] = draft.cpu;
    return true;
}

const struct state_section vcs_scn_state_host_section = {
    .kind = "host",
    .keys = host_keys,
    .key_count = sizeof host_keys / sizeof *host_keys,
    .read = read_host,
};

/* ---- [gpu NAME] ---- */

static const struct state_key gpu_keys[] = {
    {"count", FORM_WHOLE, .offset = offsetof(vcs_resource, instances), .field = "instances"},
    {"flops", FORM_NUMBER, .offset = offsetof(vcs_resource, flops)},
    {"usable", FORM_NUMBER, .offset = offsetof(vcs_resource, usable)},
    {"suspended", FORM_SWITCH, .offset = offsetof(vcs_resource, flags), .bit = VCS_RESOURCE_SUSPENDED},
    {"paused", FORM_SWITCH, .offset = offsetof(vcs_resource, flags), .bit = VCS_RESOURCE_PAUSED},
};

static bool read_gpu(const struct state_reader *reader) {
    uint32_t index = reader->section->record + 1;
    if (strcmp(vcs_scn_ini_section_name(reader->section), CPU_NAME) == 0) {
        return vcs_scn_reader_refuse(reader, NULL, "the name CPU stands for the CPUs of the host");
    }
    vcs_resource draft = {.id = index, .usable = 1, .instances = 1};
    if (!vcs_scn_reader_keys(reader, &draft) || !vcs_scn_reader_require(reader, "flops")) {
        return false;
    }
    note_usable(reader, &reader->state->emulation);
    reader->state->resources[index] = draft;
    return true;
}

const struct state_section vcs_scn_state_gpu_section = {
    .kind = "gpu",
    .named = true,
    .keys = gpu_keys,
    .key_count = sizeof gpu_keys / sizeof *gpu_keys,
    .read = read_gpu,
};
