/* SPDX-License-Identifier: MIT */
#include "run/run.h"
#include "bound/bound.h"

#include <stdlib.h>

#include "run/timeline.h"
#include "vcemu/scenario/policy/policy_library.h"
#include "vcemu/scenario/policy/policy_run.h"
#include "vcemu/scenario/scenario.h"
#include "text/progress.h"
#include "text/csv.h"

/* ---- the trace ---- */

struct trace {
    FILE *out;
    const struct state_file *file;
};

static void write_event(const struct trace *trace, const vcs_event *event) {
    const bool has_task = event->kind >= VCS_EVENT_RECEIVED && event->kind <= VCS_EVENT_LATE;
    fprintf(trace->out, "%.17g,%s,", event->time, vcs_event_name(event->kind));
    if (event->project != VCS_NONE) {
        csv_name(trace->out, vcs_scn_state_file_name(trace->file, STATE_PROJECT, event->project));
    }
    fputc(',', trace->out);
    if (has_task) {
        fprintf(trace->out, "%llu", (unsigned long long)event->task);
    }
    fputc(',', trace->out);
    if (event->resource != VCS_NONE) {
        csv_name(trace->out, vcs_scn_state_file_resource_name(trace->file, event->resource));
    }
    fputc(',', trace->out);
    if (event->track != VCS_NONE) {
        fprintf(trace->out, "%u", event->track);
    }
    fprintf(trace->out, ",%.17g,", event->amount);
    if (has_task) {
        fprintf(trace->out, "%.17g", event->deadline);
    }
    fprintf(trace->out, ",%s\n", event->kind == VCS_EVENT_IDLE ? vcs_idle_name(event->reason) : "");
}

static bool open_trace(struct trace *trace, const char *name, const struct state_file *file, struct fault *fault) {
    *trace = (struct trace){.file = file};
    if (name == NULL) {
        return true;
    }
    trace->out = fopen(name, "w");
    if (trace->out == NULL) {
        return vcs_scn_fault_set(fault, "%s: cannot be written", vcs_scn_fault_quote(name).text);
    }
    fputs("time,event,project,task,resource,lane,amount,deadline,reason\n", trace->out);
    return true;
}

static bool close_trace(struct trace *trace, const char *name, struct fault *fault) {
    if (trace->out == NULL) {
        return true;
    }
    const bool written = ferror(trace->out) == 0;
    return (fclose(trace->out) == 0 && written) ||
           vcs_scn_fault_set(fault, "%s: could not be written completely", vcs_scn_fault_quote(name).text);
}

/* ---- the timeline ---- */

static const char *name_of(const void *context, enum timeline_named kind, uint32_t index) {
    const struct state_file *file = context;
    if (kind == TIMELINE_RESOURCE) {
        return vcs_scn_state_file_resource_name(file, index);
    }
    return vcs_scn_state_file_name(file, kind == TIMELINE_PROJECT ? STATE_PROJECT : STATE_TASK, index);
}

static bool open_timeline(struct timeline *timeline, const char *name, const struct state_file *file,
                          const vcs_scenario *scenario, struct fault *fault) {
    const struct timeline_about about = {.title = file->document.file,
                                         .scenario = scenario,
                                         .parameters = &file->emulated_parameters,
                                         .name = name_of,
                                         .context = file};
    return name == NULL || timeline_open(timeline, name, &about, fault);
}

/* ---- the emulation ---- */

/* Where events go. */
struct records {
    struct trace trace;
    struct timeline *timeline; /* NULL = none */
    struct progress progress;
    const vcs_emulation *emulation;
};

/* The progress of a whole emulation, whatever its duration. */
#define WHOLE_EMULATION 1000000000u

/* Progress is the fraction of emulated time, the same on every machine. */
static void show_progress(struct records *records, double now) {
    const double passed = (now - records->emulation->start) / records->emulation->duration;
    progress_step(&records->progress, (uint64_t)(passed * WHOLE_EMULATION), WHOLE_EMULATION);
}

static int observe(void *context, const vcs_event *event) {
    struct records *records = context;
    if (records->trace.out != NULL) {
        write_event(&records->trace, event);
    }
    if (records->timeline != NULL) {
        timeline_event(records->timeline, event); /* write errors are reported on closing */
    }
    show_progress(records, event->time);
    return VCS_OK;
}

/* Emulates with all output files open. */
static bool emulate(struct emulated *emulated, const vcs_scenario *scenario, struct records *records,
                    const vcs_hooks *hooks, bool has_policy, struct fault *fault) {
    const struct state_file *file = emulated->file;
    vcs_error error = {.struct_size = sizeof error};
    progress_step(&records->progress, 0, WHOLE_EMULATION);
    error.code =
        vcs_emulate(scenario, &file->emulated_parameters, hooks, &emulated->outcome,
                    &(vcs_array){{emulated->projects}, sizeof *emulated->projects, file->counts[STATE_PROJECT]},
                    &(vcs_array){{emulated->resources}, sizeof *emulated->resources, emulated->resource_count}, &error);
    progress_end(&records->progress);
    return error.code == VCS_OK || vcs_scn_refuse_policy(file, has_policy, &error, fault);
}

/* Emulates with the requested policy. */
static bool emulate_policy(struct emulated *emulated, const vcs_scenario *scenario, struct records *records,
                           const struct policy_wish *wish, struct fault *fault) {
    struct policy_library library;
    struct policy_run run = {.policy = NULL};
    vcs_hooks hooks;
    progress_start(&records->progress, "emulating", PROGRESS_AT_ONCE);
    const bool is_observed = records->trace.out != NULL || records->timeline != NULL || records->progress.terminal;
    const bool done = vcs_scn_policy_library_open(&library, wish->policy, fault) &&
                      vcs_scn_policy_run_begin(&run, library.policy, wish->policy_argument, scenario,
                                               &emulated->file->emulated_parameters, is_observed ? observe : NULL,
                                               records, &hooks, fault) &&
                      emulate(emulated, scenario, records, &hooks, library.policy != NULL, fault);
    vcs_scn_policy_run_end(&run);
    vcs_scn_policy_library_close(&library);
    return done;
}

bool emulated_run(struct emulated *emulated, const struct state_file *file, const struct policy_wish *wish,
                  const char *trace_name, const char *timeline_name, struct fault *fault) {
    const uint32_t projects = file->counts[STATE_PROJECT];
    struct timeline timeline;
    vcs_emulation emulation;
    struct records records = {.emulation = &emulation};
    *emulated = (struct emulated){.file = file, .outcome = {.struct_size = sizeof emulated->outcome}};
    emulated->projects = calloc(projects == 0 ? 1 : projects, sizeof *emulated->projects);
    emulated->resource_count = vcs_scn_state_file_snapshot(file).resources.count;
    emulated->resources = calloc(emulated->resource_count, sizeof *emulated->resources);
    if (emulated->projects == NULL || emulated->resources == NULL) {
        return vcs_scn_fault_memory(fault, file->document.file);
    }
    const vcs_scenario scenario = vcs_scn_scenario_of(file, &emulation);
    if (!vcs_scn_check(file, fault) || !open_trace(&records.trace, trace_name, file, fault)) {
        return false;
    }
    bool done = open_timeline(&timeline, timeline_name, file, &scenario, fault);
    if (done && timeline_name != NULL) {
        records.timeline = &timeline;
    }
    done = done && emulate_policy(emulated, &scenario, &records, wish, fault);
    done = (records.timeline == NULL || timeline_close(&timeline, done ? &emulated->outcome : NULL, fault)) && done;
    return close_trace(&records.trace, trace_name, fault) && done;
}

bool emulated_compare(struct emulated *emulated, struct fault *fault) {
    const vcs_array projects = {
        {emulated->projects}, sizeof *emulated->projects, emulated->file->counts[STATE_PROJECT]};
    const vcs_array resources = {{emulated->resources}, sizeof *emulated->resources, emulated->resource_count};
    struct bound_answer answer;
    vcs_error error = {.struct_size = sizeof error};
    bool done = bound_find(&answer, emulated->file, fault);
    if (done) {
        const vcs_array bounds = {{answer.bounds}, sizeof *answer.bounds, answer.count};
        error.code = vcs_bound_beyond(&bounds, VCS_BOUND_OPTIMAL, &projects, &resources, &emulated->lost,
                                      &emulated->least, &error);
        done = error.code == VCS_OK || vcs_scn_refuse(emulated->file, &error, fault);
        emulated->compared = done;
    }
    bound_free(&answer);
    return done;
}

void emulated_free(struct emulated *emulated) {
    free(emulated->projects);
    free(emulated->resources);
    emulated->projects = NULL;
    emulated->resources = NULL;
}
