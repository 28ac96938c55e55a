/* SPDX-License-Identifier: MIT */
#include "grid/grid_trace.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "text/csv.h"
#include "vcemu/scenario/grid/grid_scenario.h"

bool grid_trace_open(struct grid_trace *trace, const char *path, uint32_t host, const struct state_file *file,
                     struct fault *fault) {
    *trace = (struct grid_trace){.out = fopen(path, "w"), .path = path, .host = host, .file = file};
    if (trace->out == NULL) {
        return vcs_scn_fault_set(fault, "%s: cannot be written: %s", vcs_scn_fault_quote(path).text, strerror(errno));
    }
    fputs("time,event,project,host,unit,copy,task,resource,lane,amount,deadline,reason,population\n", trace->out);
    return true;
}

static void write_index(FILE *out, uint32_t index) {
    if (index != VCS_NONE) {
        fprintf(out, "%" PRIu32, index);
    }
    fputc(',', out);
}

/* A server speaks of units and their copies, */
static void write_of_server(FILE *out, const vcs_grid_event *event) {
    const bool of_copy = event->kind != VCS_GRID_EVENT_UNIT && event->kind != VCS_GRID_EVENT_FAILED;
    if (event->unit > 0) {
        fprintf(out, "%" PRIu64 ",", event->unit);
        write_index(out, of_copy ? event->copy_index : VCS_NONE);
    } else {
        fputs(",,", out);
    }
    fputs(",,,", out);
}

/* a host of tasks, resources and lanes on its timeline. */
static void write_of_host(FILE *out, const vcs_grid_event *event) {
    const bool has_task =
        (event->kind >= VCS_EVENT_RECEIVED && event->kind <= VCS_EVENT_LATE) || event->kind == VCS_EVENT_ABORTED;
    fputs(",,", out);
    if (has_task) {
        fprintf(out, "%" PRIu64, event->unit);
    }
    fputc(',', out);
    write_index(out, event->resource);
    write_index(out, event->resource == VCS_NONE ? VCS_NONE : event->copy_index);
}

int grid_trace_event(void *context, const vcs_grid_event *event) {
    const struct grid_trace *trace = context;
    FILE *out = trace->out;
    if (trace->host != VCS_NONE && trace->host != event->host) {
        return VCS_OK;
    }
    fprintf(out, "%.17g,%s,", event->time, vcs_event_name(event->kind));
    if (event->project != VCS_NONE) {
        csv_name(out, vcs_scn_state_file_name(trace->file, STATE_PROJECT, event->project));
    }
    fputc(',', out);
    write_index(out, event->host);
    (event->kind < VCS_EVENT_KINDS ? write_of_host : write_of_server)(out, event);
    fprintf(out, "%.17g,%.17g,%" PRIu32 ",", event->amount, event->deadline, event->reason);
    if (event->host_class != VCS_NONE) {
        csv_name(out, vcs_scn_state_file_name(trace->file, GRID_POPULATION, event->host_class));
    }
    fputc('\n', out);
    return VCS_OK;
}

bool grid_trace_close(struct grid_trace *trace, struct fault *fault) {
    const bool written = ferror(trace->out) == 0;
    return (fclose(trace->out) == 0 && written) ||
           vcs_scn_fault_set(fault, "%s: could not be written completely", vcs_scn_fault_quote(trace->path).text);
}
