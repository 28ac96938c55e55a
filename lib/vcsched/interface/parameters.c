/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/argument.h"
#include "vcsched/interface/check.h"
#include "vcsched/core/number.h"

#include <string.h>
#include <vcsched/parameters.h>

/*
 * The one table of parameters: name, the value in each profile (rpc2003, study2007, current), and a line for people.
 * Unit and range stand in the table of fields.
 */
#define DAY 86400.0
#define WEEKLY (1.0 / (7.0 * DAY))
#define PARAMETERS(P)                                                                                                  \
    P(discipline, VCS_DISCIPLINE_FLUID, VCS_DISCIPLINE_FLUID, VCS_DISCIPLINE_SLICED,                                   \
      "how weighted round-robin is simulated")                                                                         \
    P(accounting, VCS_ACCOUNTING_GLOBAL, VCS_ACCOUNTING_GLOBAL, VCS_ACCOUNTING_GLOBAL,                                 \
      "whether recent work is counted over all resources or per resource")                                             \
    P(estimate, VCS_ESTIMATE_STATIC, VCS_ESTIMATE_STUDY, VCS_ESTIMATE_BLEND,                                           \
      "how the run time of a task is estimated")                                                                       \
    P(use_dcf, 0, 1, 1, "whether estimates are corrected by the run times of earlier tasks")                           \
    P(backoff_rule, VCS_BACKOFF_EXPONENT, VCS_BACKOFF_UNIFORM, VCS_BACKOFF_DOUBLING,                                   \
      "how long to wait after failures")                                                                               \
    P(freeze_rec, 0, 0, 0, "whether recent work stays constant in the simulation")                                     \
    P(cpu_fit, VCS_CPU_FIT_FRACTION, VCS_CPU_FIT_FRACTION, VCS_CPU_FIT_FRACTION, "when a task fits on the CPUs")       \
    P(cushion_min_buffer, 0, 0, 1, "whether the deadline cushion is at least the minimum buffer")                      \
    P(deadline_origin, VCS_ORIGIN_NOW, VCS_ORIGIN_NOW, VCS_ORIGIN_NOW, "the origin of finish times in admission")      \
    P(backoff_failures, 10, 10, 10, "failures beyond this number no longer increase the wait")                         \
    P(step_budget, 0, 0, 0, "a simulation stops after this many steps; 0 = no limit")                                  \
    P(period, 3600, 3600, 3600, "scheduling period: how long a task keeps its slice")                                  \
    P(min_buffer, 0.1 * DAY, 0.1 * DAY, 0.1 * DAY, "minimum amount of work to keep on hand")                           \
    P(additional_buffer, 0.25 * DAY, 0.25 * DAY, 0.5 * DAY, "additional work to keep beyond the minimum")              \
    P(rec_half_life, 10 * DAY, 10 * DAY, 10 * DAY, "half-life of recent work (REC)")                                   \
    P(average_rate, WEEKLY, WEEKLY, WEEKLY, "decay rate of the average of CPU time")                                   \
    P(deadline_cushion, 0, 0, 180, "finish this long before the deadline")                                             \
    P(miss_fraction, 1, 0.9, 1, "fluid: fraction of the time to the deadline that may be used")                        \
    P(horizon, 0, 0, 0, "a simulation stops after this much simulated time; 0 = no limit")                             \
    P(backoff_min, 60, 60, 60, "minimum wait after a failed scheduler call")                                           \
    P(backoff_max, 14400, 14400, 14400, "maximum wait after failed scheduler calls")                                   \
    P(resource_backoff_min, 600, 600, 600, "first wait when a project has no work for a resource")                     \
    P(resource_backoff_max, DAY, DAY, DAY, "maximum of that wait, before the random draw")                             \
    P(transfer_backoff_min, 60, 60, 60, "minimum wait after failed file transfers")                                    \
    P(transfer_backoff_max, 14400, 14400, 14400, "maximum wait after failed file transfers")                           \
    P(transfer_give_up, 90 * DAY, 90 * DAY, 90 * DAY, "a transfer that keeps failing is given up after this long")     \
    P(scheduling, VCS_SCHEDULING_ROUND_ROBIN, VCS_SCHEDULING_DEADLINE, VCS_SCHEDULING_DEADLINE,                        \
      "whether tasks in danger of missing their deadline go first")                                                    \
    P(ranking, VCS_RANK_RESOURCE_DEBT, VCS_RANK_DEBT, VCS_RANK_PRIORITY, "how projects are ranked")                    \
    P(work_fetch, VCS_WORK_FETCH_SESSIONS, VCS_WORK_FETCH_WF2, VCS_WORK_FETCH_CURRENT,                                 \
      "when to ask for work, and which project")                                                                       \
    P(work_send, VCS_WORK_SEND_WS1, VCS_WORK_SEND_WS2, VCS_WORK_SEND_WS2, "which jobs a server sends")                 \
    P(save_first, 0, 0, 1, "whether late tasks that can still finish on time go before hopeless ones")                 \
    P(hysteresis, 0, 0, 1, "whether a task that is late only now and then keeps running undisturbed")                  \
    P(learn_usable, 0, 1, 0, "whether the usable fraction is learned")                                                 \
    P(max_runnable, 1000, 1000, 1000, "a project with this many runnable tasks is not asked for work; 0 = no limit")   \
    P(max_uploads, 2, 2, 2, "a project uploading more results per instance than this is not asked; 0 = no limit")      \
    P(master_fetch_failures, 10, 10, 3, "this many failures in a row trigger a fetch of the master file")              \
    P(switch_cost, 0, 0, 60, "a running task with less than this left is not stopped")                                 \
    P(backup_lead, 180, 180, 180, "a backup project is asked this long before an instance becomes idle")               \
    P(look_interval, 0, 600, 60, "time to the next decision on work fetch after a project was asked")                  \
    P(master_fetch_interval, 0, 0, DAY, "minimum time between two fetches of a master file")                           \
    P(report_delay, DAY, DAY, DAY, "a finished task is overdue this long after its end")                               \
    P(bump, 3600, 3600, 3600, "a picked task counts as having run this long when projects are ranked")                 \
    P(late_by, VCS_LATE_BY_TASK, VCS_LATE_BY_TASK, VCS_LATE_BY_COUNT,                                                  \
      "which tasks are late where some are predicted to be")                                                           \
    P(simulation_effort, 100000000, 100000000, 100000000,                                                              \
      "weighted round-robin stops after this much work; 0 = no limit")                                                 \
    P(placement_effort, 1200000, 1200000, 1200000,                                                                     \
      "earliest deadline first and admission stop after this much work; 0 = no limit")

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
    C(work_send, VCS_WORK_SEND_WS1, "ws1")                                                                             \
    C(work_send, VCS_WORK_SEND_WS2, "ws2")                                                                             \
    SWITCH(C, save_first)                                                                                              \
    SWITCH(C, hysteresis)                                                                                              \
    SWITCH(C, learn_usable)                                                                                            \
    C(late_by, VCS_LATE_BY_TASK, "task")                                                                               \
    C(late_by, VCS_LATE_BY_COUNT, "count")

typedef struct parameter_row {
    uint32_t offset;
    double value[VCS_PROFILE_COUNT];
    char about[96];
} parameter_row;
#define PARAMETER_ROW(field, rpc2003, study2007, current, about)                                                       \
    {(uint32_t)offsetof(vcs_parameters, field), {rpc2003, study2007, current}, about},
static const parameter_row rows[] = {PARAMETERS(PARAMETER_ROW)};

typedef struct choice_row {
    uint32_t offset, value;
    char name[16];
} choice_row;
#define CHOICE_ROW(field, value, name) {(uint32_t)offsetof(vcs_parameters, field), value, name},
static const choice_row choice_rows[] = {CHOICES(CHOICE_ROW)};

#define ROW_COUNT ((uint32_t)(sizeof rows / sizeof *rows))
#define CHOICE_COUNT ((uint32_t)(sizeof choice_rows / sizeof *choice_rows))

static const char profile_names[VCS_PROFILE_COUNT][16] = {"rpc2003", "study2007", "current"};

const char *vcs_profile_name(uint32_t profile) {
    return profile < VCS_PROFILE_COUNT ? profile_names[profile] : "";
}

static const vcs_field_row *field_of(const parameter_row *row) {
    return vcs_field_row_at(VCS_TYPE_PARAMETERS, row->offset);
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

/* All but the size. */
static void fill(vcs_parameters *parameters, uint32_t profile) {
    memset(parameters, 0, sizeof *parameters);
    parameters->profile = profile;
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        store(parameters, &rows[i], rows[i].value[profile]);
    }
}

int vcs_parameters_init(vcs_parameters *parameters, uint32_t size, uint32_t profile) {
    int code = vcs_check_output(parameters, size, VCS_TYPE_PARAMETERS, 1, 1);
    if (code != VCS_OK || profile >= VCS_PROFILE_COUNT) {
        return code != VCS_OK ? code : VCS_ERR_FLAGS;
    }
    vcs_parameters filled;
    fill(&filled, profile);
    filled.struct_size = size;
    vcs_hand_out(parameters, size, &filled, sizeof filled);
    return VCS_OK;
}

/* The least must not be above the greatest. */
static int check_bounds(double least, double greatest, uint32_t offset, vcs_error *error) {
    if (least <= greatest) {
        return VCS_OK;
    }
    return vcs_fail(error, VCS_ERR_RANGE, VCS_TYPE_PARAMETERS, 0, offset, "is less than the corresponding minimum");
}

static int check_values(const vcs_parameters *whole, vcs_error *error) {
    if (!vcs_parameters_passes(whole)) {
        return vcs_refuse_fields(VCS_TYPE_PARAMETERS, whole, 0, error);
    }
    int code = check_bounds(whole->backoff_min, whole->backoff_max, VCS_FIELD(vcs_parameters, backoff_max), error);
    if (code == VCS_OK) {
        code = check_bounds(whole->resource_backoff_min, whole->resource_backoff_max,
                            VCS_FIELD(vcs_parameters, resource_backoff_max), error);
    }
    if (code == VCS_OK) {
        code = check_bounds(whole->transfer_backoff_min, whole->transfer_backoff_max,
                            VCS_FIELD(vcs_parameters, transfer_backoff_max), error);
    }
    return code;
}

/* Fields beyond the struct of an older caller get the values of its profile; that this exists is checked later. */
static void complete(vcs_parameters *taken) {
    uint32_t size = taken->struct_size;
    if (size < sizeof *taken && taken->profile < VCS_PROFILE_COUNT) {
        vcs_parameters whole;
        fill(&whole, taken->profile);
        memcpy((unsigned char *)taken + size, (const unsigned char *)&whole + size, sizeof whole - size);
    }
}

int vcs_parameters_read(const vcs_parameters **parameters, vcs_parameters *copy, vcs_error *error) {
    const vcs_parameters *callers = *parameters;
    if (callers == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_PARAMETERS, 0, VCS_WHOLE_RECORD, "are NULL");
    }
    int code = vcs_check_size(VCS_TYPE_PARAMETERS, callers->struct_size);
    if (code != VCS_OK) {
        return vcs_fail(error, code, VCS_TYPE_PARAMETERS, 0, VCS_FIELD(vcs_parameters, struct_size),
                        "matches no known version of vcs_parameters; fill it with vcs_parameters_init");
    }
    if (callers->struct_size != sizeof *copy) {
        if (vcs_take_struct(copy, sizeof *copy, callers, callers->struct_size) != VCS_OK) {
            return vcs_fail(error, VCS_ERR_ABI_NEWER, VCS_TYPE_PARAMETERS, 0, VCS_WHOLE_RECORD,
                            "have fields set that this version of the library does not know");
        }
        complete(copy);
        *parameters = copy;
    }
    return check_values(*parameters, error);
}

int vcs_parameters_take(vcs_parameters *known, const vcs_parameters *callers, vcs_error *error) {
    vcs_parameters copy;
    int code = vcs_parameters_read(&callers, &copy, error);
    if (code == VCS_OK) {
        *known = *callers;
    }
    return code;
}

int vcs_parameters_check(const vcs_parameters *parameters, vcs_error *error) {
    vcs_parameters copy;
    int code = vcs_check_error(error);
    return code != VCS_OK ? code : vcs_parameters_read(&parameters, &copy, error);
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
        return VCS_PARAMETER_COUNT;
    }
}

int vcs_parameter_at(uint32_t index, vcs_parameter_info *info) {
    int code = vcs_check_struct(info, VCS_TYPE_PARAMETER_INFO, NULL);
    if (code != VCS_OK || index >= ROW_COUNT) {
        return code != VCS_OK ? code : VCS_ERR_INDEX;
    }
    const parameter_row *row = &rows[index];
    const vcs_field_row *field = field_of(row);
    vcs_parameter_info filled = {
        .struct_size = info->struct_size,
        .kind = kind_of(row),
        .offset = row->offset,
        .choices = count_choices(row),
        .minimum = field->least,
        .maximum = field->greatest,
    };
    memcpy(filled.value, row->value, sizeof row->value);
    memcpy(filled.name, field->name, sizeof filled.name);
    memcpy(filled.unit, field->unit, sizeof filled.unit - 1);
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
        if (is_same_text(name, field_of(&rows[i])->name)) {
            return i;
        }
    }
    return VCS_NONE;
}

int vcs_parameter_get(const vcs_parameters *parameters, uint32_t index, double *value) {
    int code = value == NULL ? VCS_ERR_NULL : vcs_check_struct(parameters, VCS_TYPE_PARAMETERS, NULL);
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
    int code = vcs_check_struct(parameters, VCS_TYPE_PARAMETERS, NULL);
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
