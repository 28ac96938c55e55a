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
    {VCS_REASON_LATE, "late", "It would miss its deadline if it waited for its turn, so it goes first."},
    {VCS_REASON_NEARLY_DONE, "nearly_done", "It has less left than it takes to switch to another task."},
    {VCS_REASON_SLICE, "slice", "It keeps its place until its slice ends and it has made a checkpoint."},
    {VCS_REASON_TURN, "turn", "It is its project's turn."},
    {VCS_REASON_TASK_SUSPENDED, "task_suspended", "It is suspended."},
    {VCS_REASON_PROJECT_SUSPENDED, "project_suspended", "Its project is suspended."},
    {VCS_REASON_RESOURCE_SUSPENDED, "resource_suspended", "Its processor is suspended."},
    {VCS_REASON_WAITS, "waits", "It waits for its turn: what it needs is in use."},
    {VCS_REASON_SLICE_OVER, "slice_over", "Its slice is over, and it is another task's turn."},
    {VCS_REASON_GIVES_WAY, "gives_way", "It gives way to a task that would miss its deadline otherwise."},
    {VCS_REASON_MEMORY, "memory", "It does not fit into memory beside the tasks that run."},
    {VCS_REASON_PROJECT_LIMIT, "project_limit", "As many tasks of its project run as may at once."},
    {VCS_REASON_APP_LIMIT, "app_limit", "As many tasks of its application run as may at once."},
    {VCS_REASON_EXCLUDED, "excluded", "Its project is excluded from the instances that are free."},
    {VCS_REASON_ASKED, "asked", "It is asked for work."},
    {VCS_REASON_ASKED_ALONG, "asked_along", "It is asked for this too, since it is called anyway."},
    {VCS_REASON_ASKED_LITTLE, "asked_little", "It is asked for one second only: its estimates are far off."},
    {VCS_REASON_NO_NEW_WORK, "no_new_work", "It is set to get no new work."},
    {VCS_REASON_NOT_WANTED, "not_wanted", "No work of it is wanted for this processor."},
    {VCS_REASON_NO_APPS, "no_apps", "It has no application for this processor."},
    {VCS_REASON_DEFERRED, "deferred", "Its scheduler is not to be called yet."},
    {VCS_REASON_BACKED_OFF, "backed_off", "It had no work for this processor, and is not asked again yet."},
    {VCS_REASON_TOO_MANY_TASKS, "too_many_tasks", "It has as many runnable tasks as a project may have."},
    {VCS_REASON_UPLOADS, "uploads", "Too many of its results are still being uploaded."},
    {VCS_REASON_FULL, "full", "The buffer is full."},
    {VCS_REASON_ENOUGH, "enough", "There is work for longer than the minimum buffer, so nothing is fetched yet."},
    {VCS_REASON_AT_LIMIT, "at_limit", "It has all the work that its limit on tasks at once can run."},
    {VCS_REASON_BETTER_PROJECT, "better_project", "Another project goes before it."},
    {VCS_REASON_BACKUP, "backup", "It is a backup project, and no instance is idle or will be soon."},
    {VCS_REASON_OVERWORKED, "overworked", "It has had more than its share of late."},
    {VCS_REASON_MISSES, "misses", "So many of its tasks would miss their deadline that more would not help."},
    {VCS_REASON_NO_SHARE_LEFT, "no_share_left", "It has all the work that is due to it by its share."},
    {VCS_REASON_NO_PROJECT, "no_project", "There is no project that could be asked."},
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
