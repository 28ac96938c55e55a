/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/parameter_table.h"
#include "vcsched/interface/check/abi_fields.h"
#include "vcsched/interface/fields/parameters_fields.h"

#include <string.h>
#include <vcsched/chance.h>
#include <vcsched/parameters.h>

/* The names of the choices. */
#define SWITCH(C, field) C(field, 0, "no") C(field, 1, "yes")
#define CHOICES(C)                                                                                                     \
    C(discipline, VCS_DISCIPLINE_FLUID, "fluid")                                                                       \
    C(discipline, VCS_DISCIPLINE_SLICED, "sliced")                                                                     \
    C(accounting, VCS_ACCOUNTING_GLOBAL, "global")                                                                     \
    C(accounting, VCS_ACCOUNTING_LOCAL, "local")                                                                       \
    C(estimate, VCS_ESTIMATE_STATIC, "static")                                                                         \
    C(estimate, VCS_ESTIMATE_BLEND, "blend")                                                                           \
    C(estimate, VCS_ESTIMATE_STUDY, "study")                                                                           \
    C(estimate, VCS_ESTIMATE_DEPLOYED, "deployed")                                                                     \
    SWITCH(C, use_dcf)                                                                                                 \
    C(use_dcf, VCS_DCF_MEAN, "mean")                                                                                   \
    C(backoff_rule, VCS_BACKOFF_EXPONENT, "exponent")                                                                  \
    C(backoff_rule, VCS_BACKOFF_UNIFORM, "uniform")                                                                    \
    C(backoff_rule, VCS_BACKOFF_DOUBLING, "doubling")                                                                  \
    SWITCH(C, freeze_rec)                                                                                              \
    C(cpu_fit, VCS_CPU_FIT_FRACTION, "fraction")                                                                       \
    C(cpu_fit, VCS_CPU_FIT_ANY, "any")                                                                                 \
    C(cpu_fit, VCS_CPU_FIT_STRICT, "strict")                                                                           \
    SWITCH(C, cushion_min_buffer)                                                                                      \
    C(deadline_origin, VCS_ORIGIN_NOW, "now")                                                                          \
    C(deadline_origin, VCS_ORIGIN_START, "start")                                                                      \
    C(scheduling, VCS_SCHEDULING_ROUND_ROBIN, "round_robin")                                                           \
    C(scheduling, VCS_SCHEDULING_DEADLINE, "deadline")                                                                 \
    C(ranking, VCS_RANK_PRIORITY, "priority")                                                                          \
    C(ranking, VCS_RANK_RESOURCE_DEBT, "resource_debt")                                                                \
    C(ranking, VCS_RANK_DEBT, "debt")                                                                                  \
    C(work_fetch, VCS_WORK_FETCH_WF1, "wf1")                                                                           \
    C(work_fetch, VCS_WORK_FETCH_WF2, "wf2")                                                                           \
    C(work_fetch, VCS_WORK_FETCH_CURRENT, "current")                                                                   \
    C(work_fetch, VCS_WORK_FETCH_ORIGINAL, "original")                                                                 \
    C(work_fetch, VCS_WORK_FETCH_SESSIONS, "sessions")                                                                 \
    C(work_fetch, VCS_WORK_FETCH_OWED, "owed")                                                                         \
    C(work_send, VCS_WORK_SEND_WS1, "ws1")                                                                             \
    C(work_send, VCS_WORK_SEND_WS2, "ws2")                                                                             \
    C(work_send, VCS_WORK_SEND_BY_CHANCE, "by_chance")                                                                 \
    SWITCH(C, save_first)                                                                                              \
    SWITCH(C, hysteresis)                                                                                              \
    SWITCH(C, learn_usable)                                                                                            \
    C(late_by, VCS_LATE_BY_TASK, "task")                                                                               \
    C(late_by, VCS_LATE_BY_COUNT, "count")                                                                             \
    C(device_bound, VCS_DEVICES_FREE, "free")                                                                          \
    C(device_bound, VCS_DEVICES_PREFERRED, "prefer")                                                                   \
    C(device_bound, VCS_DEVICES_REQUIRED, "wait")                                                                      \
    SWITCH(C, let_finish)                                                                                              \
    SWITCH(C, spare_gpus)                                                                                              \
    SWITCH(C, stopped_memory)                                                                                          \
    C(give_up, VCS_GIVE_UP_NEVER, "never")                                                                             \
    C(give_up, VCS_GIVE_UP_BY_CHANCE, "by_chance")                                                                     \
    C(give_up, VCS_GIVE_UP_BY_SIZE, "by_size")                                                                         \
    SWITCH(C, keep_running)                                                                                            \
    C(hours, VCS_HOURS_NONE, "none")                                                                                   \
    C(hours, VCS_HOURS_DAY, "day")                                                                                     \
    C(hours, VCS_HOURS_WEEK, "week")

typedef struct parameter_row {
    uint32_t offset;
    double value[VCS_PROFILE_COUNT];
    char about[96];
} parameter_row;
#define PARAMETER_ROW(field, rpc2003, study2007, current, steady, about)                                               \
    {(uint32_t)offsetof(vcs_parameters, field), {rpc2003, study2007, current, steady}, about},
static const parameter_row rows[] = {VCS_PARAMETERS(PARAMETER_ROW)};
/* With their closing 0. */
#define ABOUT_ENDS(field, rpc2003, study2007, current, steady, text)                                                   \
    _Static_assert(sizeof(text) <= sizeof((parameter_row *)0)->about, #field);
VCS_PARAMETERS(ABOUT_ENDS)

typedef struct choice_row {
    uint32_t offset, value;
    char name[16];
} choice_row;
#define CHOICE_ROW(field, value, name) {(uint32_t)offsetof(vcs_parameters, field), value, name},
static const choice_row choice_rows[] = {CHOICES(CHOICE_ROW)};
#define NAME_ENDS(field, number, text) _Static_assert(sizeof(text) <= sizeof((choice_row *)0)->name, text);
CHOICES(NAME_ENDS)

#define ROW_COUNT ((uint32_t)(sizeof rows / sizeof *rows))
#define CHOICE_COUNT ((uint32_t)(sizeof choice_rows / sizeof *choice_rows))

static const char profile_names[VCS_PROFILE_COUNT][16] = {"rpc2003", "study2007", "current", "steady"};

const char *vcs_profile_name(uint32_t profile) {
    return profile < VCS_PROFILE_COUNT ? profile_names[profile] : "";
}

/* The field's row in the layout of vcs_parameters. */
static uint32_t field_number(const parameter_row *row) {
    uint32_t number = 0;
    while (vcs_parameters_layout.rows[number].offset != row->offset) {
        number++;
    }
    return number;
}

static const vcs_field_row *field_of(const parameter_row *row) {
    return &vcs_parameters_layout.rows[field_number(row)];
}

static int is_amount(const parameter_row *row) {
    return field_of(row)->kind == VCS_KIND_F64;
}

static void store(vcs_parameters *parameters, const parameter_row *row, double value) {
    unsigned char *at = (unsigned char *)parameters + row->offset;
    if (is_amount(row)) {
        memcpy(at, &value, sizeof value);
    } else {
        uint32_t whole = (uint32_t)value; /* in range: an amount might not be */
        memcpy(at, &whole, sizeof whole);
    }
}

static double load(const vcs_parameters *parameters, const parameter_row *row) {
    const unsigned char *at = (const unsigned char *)parameters + row->offset;
    double value;
    uint32_t whole;
    if (is_amount(row)) {
        memcpy(&value, at, sizeof value);
        return value;
    }
    memcpy(&whole, at, sizeof whole);
    return whole;
}

/* No field lies across a multiple of 8 bytes, so a struct of any age holds a field or it does not. */
static int holds(const vcs_parameters *parameters, const parameter_row *row) {
    return row->offset < parameters->struct_size;
}

uint32_t vcs_parameter_count(void) {
    return ROW_COUNT;
}

static const choice_row *choice_of(const parameter_row *row, uint32_t value) {
    for (uint32_t i = 0; i < CHOICE_COUNT; i++) {
        if (choice_rows[i].offset == row->offset && choice_rows[i].value == value) {
            return &choice_rows[i];
        }
    }
    return NULL;
}

const char *vcs_parameter_choice(uint32_t index, uint32_t value) {
    const choice_row *choice = index < ROW_COUNT ? choice_of(&rows[index], value) : NULL;
    return choice == NULL ? "" : choice->name;
}

static uint32_t count_choices(const parameter_row *row) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < CHOICE_COUNT; i++) {
        count += choice_rows[i].offset == row->offset;
    }
    return count;
}

static uint32_t kind_of(const parameter_row *row) {
    switch (field_of(row)->kind) {
    case VCS_KIND_F64:
        return VCS_PARAMETER_AMOUNT;
    case VCS_KIND_CHOICE:
        return VCS_PARAMETER_CHOICE;
    default:
        return VCS_PARAMETER_INTEGER;
    }
}

int vcs_parameter_at(uint32_t index, vcs_parameter_info *info) {
    int code = vcs_check_struct(info, &vcs_parameter_info_layout, NULL);
    if (code != VCS_OK || index >= ROW_COUNT) {
        return code != VCS_OK ? code : VCS_ERR_INDEX;
    }
    const parameter_row *row = &rows[index];
    vcs_field_info field = {.struct_size = sizeof field};
    vcs_field_at(VCS_TYPE_PARAMETERS, field_number(row), &field);
    vcs_parameter_info filled = {
        .struct_size = info->struct_size,
        .kind = kind_of(row),
        .offset = row->offset,
        .choices = count_choices(row),
        .minimum = field.minimum,
        .maximum = field.maximum,
    };
    memcpy(filled.value, row->value, sizeof row->value);
    memcpy(filled.name, field.name, sizeof filled.name);
    memcpy(filled.unit, field.unit, sizeof filled.unit - 1);
    memcpy(filled.about, row->about, sizeof row->about);
    vcs_hand_out(info, info->struct_size, &filled, sizeof filled);
    return VCS_OK;
}

static int is_same_text(const char *a, const char *b) {
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

uint32_t vcs_parameter_find(const char *name) {
    for (uint32_t i = 0; name != NULL && i < ROW_COUNT; i++) {
        if (is_same_text(name, vcs_field_name(&vcs_parameters_layout, rows[i].offset))) {
            return i;
        }
    }
    return VCS_NONE;
}

int vcs_parameter_get(const vcs_parameters *parameters, uint32_t index, double *value) {
    int code = value == NULL ? VCS_ERR_NULL : vcs_check_struct(parameters, &vcs_parameters_layout, NULL);
    if (code != VCS_OK || index >= ROW_COUNT) {
        return code != VCS_OK ? code : VCS_ERR_INDEX;
    }
    if (holds(parameters, &rows[index])) {
        *value = load(parameters, &rows[index]);
    } else if (parameters->profile < VCS_PROFILE_COUNT) {
        *value = rows[index].value[parameters->profile];
    } else {
        code = VCS_ERR_FLAGS;
    }
    return code;
}

int vcs_parameter_set(vcs_parameters *parameters, uint32_t index, double value) {
    int code = vcs_check_struct(parameters, &vcs_parameters_layout, NULL);
    if (code != VCS_OK || index >= ROW_COUNT) {
        return code != VCS_OK ? code : VCS_ERR_INDEX;
    }
    const parameter_row *row = &rows[index];
    const vcs_field_row *field = field_of(row);
    if (!holds(parameters, row)) {
        return VCS_ERR_ABI_OLDER;
    }
    if (!vcs_is_finite(value)) {
        return VCS_ERR_NOT_FINITE;
    }
    if (value < field->least || value > field->greatest || (!is_amount(row) && value != (double)(uint32_t)value)) {
        return VCS_ERR_RANGE;
    }
    store(parameters, row, value);
    return VCS_OK;
}
