/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#include <string.h>
#include <vcsched/reason.h>

/* The one table of reasons: code, name, sentence; in order of code. */
typedef struct reason_row {
    uint32_t code;
    char name[40];
    char sentence[160];
} reason_row;

static const reason_row rows[] = {
    {VCS_REASON_NONE, "none", "No decision was made."},
    {VCS_REASON_ADMITTED, "admitted", "It finishes in time and harms no other task."},
    {VCS_REASON_OWN_DEADLINE, "own_deadline", "It would miss its own deadline."},
    {VCS_REASON_HARMS_TIMELY, "harms_timely", "A task that is in time would miss its deadline."},
    {VCS_REASON_DELAYS_LATE, "delays_late", "A task that is late already would finish even later."},
    {VCS_REASON_CANNOT_RUN, "cannot_run", "It needs more than the host has, or something that is suspended."},
    {VCS_REASON_BUDGET, "budget", "The simulation stopped at its horizon or budget before this could be decided."},
};

#define ROW_COUNT ((uint32_t)(sizeof rows / sizeof *rows))

uint32_t vcs_reason_count(void) {
    return ROW_COUNT;
}

int vcs_reason_at(uint32_t index, vcs_reason_info *info) {
    if (info == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_check_size(info->struct_size, sizeof *info);
    if (code != VCS_OK || index >= ROW_COUNT) {
        return code != VCS_OK ? code : VCS_ERR_INDEX;
    }
    vcs_reason_info told;
    memset(&told, 0, sizeof told);
    told.struct_size = info->struct_size;
    told.code = rows[index].code;
    memcpy(told.name, rows[index].name, sizeof told.name);
    memcpy(told.sentence, rows[index].sentence, sizeof told.sentence);
    vcs_hand_out(info, info->struct_size, &told, sizeof told);
    return VCS_OK;
}

static const reason_row *row_of(uint32_t code) {
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].code == code) {
            return &rows[i];
        }
    }
    return NULL;
}

const char *vcs_reason_name(uint32_t code) {
    const reason_row *row = row_of(code);
    return row == NULL ? "unknown" : row->name;
}

const char *vcs_reason_sentence(uint32_t code) {
    const reason_row *row = row_of(code);
    return row == NULL ? "" : row->sentence;
}
