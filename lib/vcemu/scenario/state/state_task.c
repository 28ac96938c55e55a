/* [task] and [candidate]: their processors and remaining time. SPDX-License-Identifier: MIT */
#include "vcemu/scenario/state/state_sections.h"

#include <math.h>
#include <stdio.h>

#include <vcsched/accounts.h>

#include "vcemu/scenario/state/state_reader.h"

#define TASK(field) offsetof(struct task_draft, field)

struct task_draft {
    vcs_task task;
    const char *project;
    const char *app;
    const char *gpu;
    vcs_progress progress; /* for an estimate of `remaining` */
};

static const struct state_key task_keys[] = {
    {"project", FORM_NAME, .offset = TASK(project)},
    {"app", FORM_NAME, .offset = TASK(app)},
    {"gpu", FORM_NAME, .offset = TASK(gpu)},
    {"cpus", FORM_NUMBER, .offset = TASK(task.cpus)},
    {"gpus", FORM_NUMBER, .offset = TASK(task.gpus)},
    {"remaining", FORM_NUMBER, .offset = TASK(task.remaining)},
    {"total", FORM_NUMBER, .offset = TASK(task.total)},
    {"deadline", FORM_NUMBER_OR_NEVER, .offset = TASK(task.deadline)},
    {"received", FORM_NUMBER, .offset = TASK(task.received)},
    {"ram", FORM_NUMBER, .offset = TASK(task.ram)},
    {"running_since", FORM_NUMBER, .offset = TASK(task.running_since)},
    {"since_checkpoint", FORM_NUMBER, .offset = TASK(task.since_checkpoint)},
    {"running", FORM_SWITCH, .offset = TASK(task.flags), .bit = VCS_TASK_RUNNING},
    {"started", FORM_SWITCH, .offset = TASK(task.flags), .bit = VCS_TASK_STARTED},
    {"suspended", FORM_SWITCH, .offset = TASK(task.flags), .bit = VCS_TASK_SUSPENDED},
    {"was_late", FORM_SWITCH, .offset = TASK(task.flags), .bit = VCS_TASK_WAS_LATE},
    {"downloading", FORM_SWITCH, .offset = TASK(task.flags), .bit = VCS_TASK_DOWNLOADING},
    {"in_memory", FORM_SWITCH, .offset = TASK(task.flags), .bit = VCS_TASK_IN_MEMORY},
    {"fills_in", FORM_SWITCH, .offset = TASK(task.flags), .bit = VCS_TASK_FILLS_IN},
    {"uninterruptible", FORM_SWITCH, .offset = TASK(task.flags), .bit = VCS_TASK_UNINTERRUPTIBLE},
    {"devices", FORM_INSTANCES, .offset = TASK(task.devices)},
    {"usable", FORM_NUMBER, .offset = TASK(task.usable)},
    {"wait", FORM_WORD, .offset = TASK(task.wait), .words = STATE_WAITS},
    {"est_flops", FORM_NUMBER, .offset = TASK(progress.est_flops)},
    {"flops", FORM_NUMBER, .offset = TASK(progress.flops)},
    {"elapsed", FORM_NUMBER, .offset = TASK(progress.elapsed)},
    {"fraction_done", FORM_NUMBER, .offset = TASK(progress.fraction_done)},
    {"fraction_done_exact", FORM_SWITCH, .offset = TASK(progress.flags), .bit = VCS_PROGRESS_EXACT},
};

static bool find_app(const struct state_reader *reader, struct task_draft *draft) {
    char name[2 * INI_LINE_MAX + 2];
    snprintf(name, sizeof name, "%s/%s", draft->project, draft->app);
    return vcs_scn_reader_find(reader, "app", STATE_APP, name, &draft->task.app);
}

static bool resolve_names(const struct state_reader *reader, struct task_draft *draft) {
    return vcs_scn_reader_require(reader, "project") &&
           vcs_scn_reader_find(reader, "project", STATE_PROJECT, draft->project, &draft->task.project) &&
           (draft->app == NULL || find_app(reader, draft)) &&
           (draft->gpu == NULL || vcs_scn_reader_find_gpu(reader, "gpu", draft->gpu, &draft->task.gpu));
}

static bool fill_in_use(const struct state_reader *reader, struct task_draft *draft) {
    static const struct key_need gpus = {"gpus", "gpu"};
    if (!vcs_scn_reader_needs(reader, &gpus, 1)) {
        return false;
    }
    if (draft->gpu != NULL && !vcs_scn_reader_has(reader, "gpus")) {
        draft->task.gpus = 1;
    }
    if (draft->gpu == NULL && !vcs_scn_reader_has(reader, "cpus")) {
        draft->task.cpus = 1;
    }
    return true;
}

/* Adds properties of the project and application. The efficiency applies to CPUs only. */
static void complete_progress(const struct state_file *state, struct task_draft *draft) {
    const vcs_project *project = &state->projects[draft->task.project];
    vcs_progress *progress = &draft->progress;
    progress->struct_size = sizeof *progress;
    if (draft->task.gpu == 0) {
        progress->efficiency = project->efficiency;
    }
    if (state->parameters.use_dcf) {
        progress->dcf = project->dcf;
        if (draft->task.app != VCS_NONE && state->apps[draft->task.app].dcf != 0) {
            progress->dcf = state->apps[draft->task.app].dcf;
        }
    }
}

/* The fault of an estimate may be in the section of the application or project. */
static bool refuse_estimate(const struct state_reader *reader, const struct task_draft *draft, const vcs_error *error) {
    const struct state_file *state = reader->state;
    struct state_reader at_fault = *reader;
    if (!vcs_scn_reader_has(&at_fault, error->field) && draft->task.app != VCS_NONE) {
        at_fault.section = state->sections[STATE_APP][draft->task.app];
    }
    if (!vcs_scn_reader_has(&at_fault, error->field)) {
        at_fault.section = state->sections[STATE_PROJECT][draft->task.project];
    }
    return vcs_scn_reader_refuse(&at_fault, error->field, "%s", vcs_scn_fault_reason(error));
}

static bool estimate_remaining(const struct state_reader *reader, struct task_draft *draft) {
    if (!vcs_scn_reader_require(reader, "flops")) {
        return false;
    }
    complete_progress(reader->state, draft);
    vcs_error error = {.struct_size = sizeof error};
    return vcs_estimate_remaining(&draft->progress, reader->state->parameters.estimate, &draft->task.remaining,
                                  &error) == VCS_OK ||
           refuse_estimate(reader, draft, &error);
}

static bool find_remaining(const struct state_reader *reader, struct task_draft *draft) {
    static const struct key_need needs[] = {{"flops", "est_flops"},
                                            {"elapsed", "est_flops"},
                                            {"fraction_done", "est_flops"},
                                            {"fraction_done_exact", "est_flops"}};
    bool known = vcs_scn_reader_has(reader, "remaining");
    bool estimated = vcs_scn_reader_has(reader, "est_flops");
    if (known == estimated) {
        return vcs_scn_reader_refuse(reader, "remaining",
                                     known ? "conflicts with est_flops; give only one of them"
                                           : "is missing, and so is est_flops, from which it could be estimated");
    }
    return estimated ? estimate_remaining(reader, draft)
                     : vcs_scn_reader_needs(reader, needs, sizeof needs / sizeof *needs);
}

/* The whole task. Its values have been accepted, so nothing is refused here. */
static struct state_whole whole_of(const struct state_reader *reader, const struct task_draft *draft) {
    const double sent = vcs_scn_reader_has(reader, "received") ? draft->task.received : reader->state->now;
    struct state_whole whole = {.seconds = draft->task.remaining, .bound = draft->task.deadline - sent};
    if (vcs_scn_reader_has(reader, "est_flops")) {
        vcs_progress progress = draft->progress;
        progress.elapsed = progress.fraction_done = 0;
        vcs_estimate_remaining(&progress, reader->state->parameters.estimate, &whole.seconds, NULL);
        whole.exact = (progress.flags & VCS_PROGRESS_EXACT) != 0;
    }
    whole.said = whole.seconds;
    if (whole.exact && draft->progress.elapsed > 0 && draft->progress.fraction_done > 0) {
        const double done = draft->progress.fraction_done < 1 ? draft->progress.fraction_done : 1;
        const double seconds = draft->progress.elapsed / done;
        whole.seconds = seconds < VCS_MAX_SECONDS ? seconds : VCS_MAX_SECONDS;
    }
    return whole;
}

/* Answers name tasks and candidates alike, so their names must differ. */
static bool check_name_is_free(const struct state_reader *reader) {
    const struct ini_section *task =
        vcs_scn_ini_find(&reader->state->document, "task", vcs_scn_ini_section_name(reader->section));
    return task == NULL || vcs_scn_reader_refuse(reader, NULL, "a task in line %zu has the same name", task->line);
}

static bool read_into(const struct state_reader *reader, vcs_task *task, struct state_whole *whole) {
    struct task_draft draft = {.task = {.app = VCS_NONE, .deadline = INFINITY}};
    if (!vcs_scn_reader_keys(reader, &draft) || !resolve_names(reader, &draft) || !fill_in_use(reader, &draft) ||
        !find_remaining(reader, &draft)) {
        return false;
    }
    *task = draft.task;
    *whole = whole_of(reader, &draft);
    return true;
}

static bool read_task(const struct state_reader *reader) {
    vcs_task *task = &reader->state->tasks[reader->section->record];
    if (!read_into(reader, task, &reader->state->wholes[reader->section->record])) {
        return false;
    }
    task->id = reader->section->record;
    return true;
}

static bool read_candidate(const struct state_reader *reader) {
    vcs_task *candidate = &reader->state->candidates[reader->section->record];
    struct state_whole unused;
    if (!check_name_is_free(reader) || !read_into(reader, candidate, &unused)) {
        return false;
    }
    candidate->id = (uint64_t)reader->state->counts[STATE_TASK] + reader->section->record;
    return true;
}

const struct state_section vcs_scn_state_task_section = {
    .kind = "task",
    .named = true,
    .late = true,
    .keys = task_keys,
    .key_count = sizeof task_keys / sizeof *task_keys,
    .read = read_task,
};

const struct state_section vcs_scn_state_candidate_section = {
    .kind = "candidate",
    .named = true,
    .late = true,
    .keys = task_keys,
    .key_count = sizeof task_keys / sizeof *task_keys,
    .read = read_candidate,
};
