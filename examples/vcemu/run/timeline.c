/* SPDX-License-Identifier: MIT */
#include "run/timeline.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "run/timeline_page.h"
#include "vcemu/scenario/text/utf8.h"

/* ---- JSON, within an element <script> of HTML ---- */

/* A tenth of a millisecond in ten days, and ten seconds in the longest emulation, is finer than a page can show. */
static void write_number(FILE *out, double number) {
    if (isfinite(number)) {
        fprintf(out, "%.10g", number);
    } else {
        fputs("null", out);
    }
}

/* "<" is written as a number, for "</script>" and "<!--" mean something to HTML even within a string. */
static bool must_be_escaped(uint32_t code) {
    return code < 0x20 || code == '"' || code == '\\' || code == '<' || code == 0x7f;
}

static void write_text(FILE *out, const char *text) {
    fputc('"', out);
    while (*text != '\0') {
        uint32_t code;
        size_t length = vcs_scn_utf8_decode(text, &code);
        if (length == 0) {
            fputs("\\ufffd", out); /* a byte that is not UTF-8 */
            length = 1;
        } else if (must_be_escaped(code)) {
            fprintf(out, "\\u%04" PRIx32, code);
        } else {
            fwrite(text, 1, length, out);
        }
        text += length;
    }
    fputc('"', out);
}

/* ---- Before the events ---- */

static void write_names(FILE *out, const struct timeline_about *about, const char *key, enum timeline_named kind,
                        uint32_t count) {
    fprintf(out, "\"%s\":[", key);
    for (uint32_t i = 0; i < count; i++) {
        fputs(i == 0 ? "" : ",", out);
        write_text(out, about->name(about->context, kind, i));
    }
    fputs("],\n", out);
}

static void write_resources(FILE *out, const vcs_snapshot *snapshot) {
    const vcs_resource *resources = snapshot->resources.base;
    fputs("\"instances\":[", out);
    for (uint32_t i = 0; i < snapshot->resources.count; i++) {
        fprintf(out, "%s%" PRIu32, i == 0 ? "" : ",", resources[i].instances);
    }
    fputs("],\n\"flops\":[", out);
    for (uint32_t i = 0; i < snapshot->resources.count; i++) {
        fputs(i == 0 ? "" : ",", out);
        write_number(out, resources[i].flops);
    }
    fputs("],\n", out);
}

static void write_shares(FILE *out, const vcs_snapshot *snapshot) {
    const vcs_project *projects = snapshot->projects.base;
    fputs("\"shares\":[", out);
    for (uint32_t i = 0; i < snapshot->projects.count; i++) {
        fputs(i == 0 ? "" : ",", out);
        write_number(out, projects[i].share);
    }
    fputs("],\n", out);
}

/* Later tasks have only numbers. */
static void write_initial_tasks(FILE *out, const struct timeline_about *about) {
    const vcs_task *tasks = about->scenario->snapshot.tasks.base;
    fputs("\"tasks\":[", out);
    for (uint32_t i = 0; i < about->scenario->snapshot.tasks.count; i++) {
        fprintf(out, "%s[%" PRIu64 ",", i == 0 ? "" : ",", tasks[i].id);
        write_text(out, about->name(about->context, TIMELINE_TASK, i));
        fputc(']', out);
    }
    fputs("],\n", out);
}

static void write_event_names(FILE *out) {
    fputs("\"kinds\":[", out);
    for (uint32_t kind = 0; kind < VCS_EVENT_KINDS; kind++) {
        fputs(kind == 0 ? "" : ",", out);
        write_text(out, vcs_event_name(kind));
    }
    fputs("],\n", out);
}

static void write_idle_reasons(FILE *out) {
    fputs("\"whyIdle\":[", out);
    for (uint32_t reason = 0; reason < VCS_IDLE_REASONS; reason++) {
        fputs(reason == 0 ? "" : ",", out);
        write_text(out, vcs_idle_sentence(reason));
    }
    fputs("],\n", out);
}

static void write_span(FILE *out, const char *key, double seconds) {
    fprintf(out, "\"%s\":", key);
    write_number(out, seconds);
    fputs(",\n", out);
}

static void write_description(FILE *out, const struct timeline_about *about) {
    const vcs_snapshot *snapshot = &about->scenario->snapshot;
    const vcs_emulation *emulation = about->scenario->emulation.base;
    fputs("{\"title\":", out);
    write_text(out, about->title);
    fputs(",\n\"profile\":", out);
    write_text(out, vcs_profile_name(about->parameters->profile));
    fprintf(out, ",\n\"seed\":\"%" PRIu64 "\",\n", emulation->seed); /* as text: more digits than a number keeps */
    write_span(out, "duration", emulation->duration);
    const double least = fmax(about->parameters->min_buffer, about->parameters->least_buffer);
    write_span(out, "minBuffer", least);
    write_span(out, "wholeBuffer", least + about->parameters->additional_buffer);
    write_names(out, about, "resources", TIMELINE_RESOURCE, snapshot->resources.count);
    write_resources(out, snapshot);
    write_names(out, about, "projects", TIMELINE_PROJECT, snapshot->projects.count);
    write_shares(out, snapshot);
    write_initial_tasks(out, about);
    write_event_names(out);
    write_idle_reasons(out);
}

/* ---- Events ---- */

/* [kind, time, task, project, resource, track or -1, deadline]; for a job that arrives, its operations follow, and for
   a task that starts, how many instances it uses */
static void write_of_task(const struct timeline *timeline, const vcs_event *event) {
    const int64_t track = event->track == VCS_NONE ? -1 : (int64_t)event->track;
    fprintf(timeline->out, ",%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",%" PRId64 ",", event->task, event->project,
            event->resource, track);
    write_number(timeline->out, event->deadline - timeline->start);
    if (event->kind == VCS_EVENT_RECEIVED || event->kind == VCS_EVENT_STARTED) {
        fputc(',', timeline->out);
        write_number(timeline->out, event->amount);
    }
}

/* [kind, time, project or resource, amount] */
static void write_amount(FILE *out, uint32_t index, double amount) {
    fprintf(out, ",%" PRIu32 ",", index);
    write_number(out, amount);
}

static void write_details(const struct timeline *timeline, const vcs_event *event) {
    switch (event->kind) {
    case VCS_EVENT_RECEIVED:
    case VCS_EVENT_STARTED:
    case VCS_EVENT_STOPPED:
    case VCS_EVENT_ENDED:
    case VCS_EVENT_REPORTED:
    case VCS_EVENT_LATE:
    case VCS_EVENT_ABORTED:
    case VCS_EVENT_GIVEN_UP:
        write_of_task(timeline, event);
        break;
    case VCS_EVENT_CALLED:
    case VCS_EVENT_FAILED:
    case VCS_EVENT_MASTER:
    case VCS_EVENT_NO_MASTER:
        write_amount(timeline->out, event->project, event->amount);
        break;
    case VCS_EVENT_FORECAST:
        write_amount(timeline->out, event->resource, event->amount);
        break;
    case VCS_EVENT_IDLE: /* and why */
        write_amount(timeline->out, event->resource, event->amount);
        fprintf(timeline->out, ",%" PRIu32, event->reason);
        break;
    default: /* the host was switched on or off: [kind, time] */
        break;
    }
}

static bool is_written(struct timeline *timeline) {
    if (timeline->problem == 0 && ferror(timeline->out)) {
        timeline->problem = errno;
    }
    return timeline->problem == 0;
}

bool timeline_open(struct timeline *timeline, const char *path, const struct timeline_about *about,
                   struct fault *fault) {
    const vcs_emulation *emulation = about->scenario->emulation.base;
    *timeline = (struct timeline){.out = fopen(path, "wb"), .path = path, .start = emulation->start, .empty = true};
    if (timeline->out == NULL) {
        return vcs_scn_fault_set(fault, "%s: cannot be written: %s", path, strerror(errno));
    }
    fputs(timeline_page_head, timeline->out);
    write_description(timeline->out, about);
    fputs("\"events\":[", timeline->out);
    return true;
}

bool timeline_event(struct timeline *timeline, const vcs_event *event) {
    fprintf(timeline->out, "%s\n[%" PRIu32 ",", timeline->empty ? "" : ",", event->kind);
    write_number(timeline->out, event->time - timeline->start);
    write_details(timeline, event);
    fputc(']', timeline->out);
    timeline->empty = false;
    return is_written(timeline);
}

/* ---- Figures of merit, after the events ---- */

static void write_merit(FILE *out, const char *name, double value, bool is_defined) {
    fprintf(out, "\"%s\":", name);
    write_number(out, is_defined ? value : INFINITY);
    fputc(',', out);
}

static void write_outcome(FILE *out, const vcs_outcome *outcome) {
    const uint32_t undefined = outcome->flags;
    fputs("],\n\"outcome\":{", out);
    write_merit(out, "waste", outcome->waste, (undefined & VCS_UNDEFINED_WASTE) == 0);
    write_merit(out, "idleness", outcome->idleness, (undefined & VCS_UNDEFINED_WASTE) == 0);
    write_merit(out, "share violation", outcome->share_violation, (undefined & VCS_UNDEFINED_SHARE) == 0);
    write_merit(out, "monotony", outcome->monotony, (undefined & VCS_UNDEFINED_MONOTONY) == 0);
    write_merit(out, "calls per job", outcome->rpcs_per_job, (undefined & VCS_UNDEFINED_RPCS) == 0);
    write_merit(out, "stops per job", outcome->stops_per_job, (undefined & VCS_UNDEFINED_RPCS) == 0);
    fprintf(out, "\"in time\":%" PRIu64 ",\"late\":%" PRIu64 "},\n", outcome->in_time, outcome->late);
    fputs("\"on\":", out);
    write_number(out, outcome->available_time);
    fputc('}', out);
}

bool timeline_close(struct timeline *timeline, const vcs_outcome *outcome, struct fault *fault) {
    if (outcome != NULL) {
        write_outcome(timeline->out, outcome);
    } else {
        fputs("]}", timeline->out);
    }
    fputs(timeline_page_tail, timeline->out);
    fflush(timeline->out);
    bool complete = is_written(timeline);
    if (fclose(timeline->out) != 0 && complete) {
        timeline->problem = errno;
        complete = false;
    }
    return complete ||
           vcs_scn_fault_set(fault, "%s: cannot be written: %s", timeline->path, strerror(timeline->problem));
}
