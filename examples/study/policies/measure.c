/* SPDX-License-Identifier: MIT */
#include "measure.h"

#include <string.h>
#include <time.h>

/* Operations of the jobs done in time / what as many jobs of the same projects need on average; -1 without any. */
static double relative_size(const vcs_project_outcome *projects, uint32_t count) {
    double done = 0, usual = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (projects[i].received > 0) {
            done += projects[i].flops_in_time;
            usual += (double)projects[i].in_time * projects[i].flops_received / (double)projects[i].received;
        }
    }
    return usual > 0 ? done / usual : -1;
}

int measure(const struct drawn_host *h, const struct policy *policy, struct measured *m, vcs_error *error) {
    vcs_scenario scenario;
    vcs_parameters parameters;
    vcs_emulation emulation = h->emulation, standard;
    vcs_outcome o = {.struct_size = sizeof o};
    vcs_project_outcome projects[MOST_PROJECTS];
    vcs_resource_outcome resources[MOST_RESOURCES];
    vcs_array of_projects = {{projects}, sizeof *projects, h->project_count};
    vcs_array of_resources = {{resources}, sizeof *resources, h->resource_count};
    *error = (vcs_error){.struct_size = sizeof *error};
    drawn_host_describe(h, &scenario);
    policy_parameters(policy, h->min_buffer, h->additional_buffer, &parameters);
    vcs_emulation_init(&standard, sizeof standard, policy->profile);
    emulation.study_rules = standard.study_rules;
    scenario.emulation.base = &emulation;
    const clock_t started = clock();
    const int code = vcs_emulate(&scenario, &parameters, NULL, &o, &of_projects, &of_resources, error);
    memset(m, 0, sizeof *m);
    if (code != VCS_OK) {
        return code;
    }
    double wasted = 0, idle = 0, in_time = 0, done_late = 0;
    for (uint32_t r = 0; r < h->resource_count; r++) {
        const double left = resources[r].available - resources[r].used;
        idle += left > 1e-9 * resources[r].available ? left : 0;
        wasted += resources[r].wasted;
        in_time += resources[r].in_time;
        done_late += resources[r].done_late;
    }
    const double all = in_time + wasted + idle;
    m->jobs = (double)(o.in_time + o.late);
    m->lost = all > 0 ? wasted / all : 0;
    m->idle = m->jobs > 0 && all > 0 ? idle / all : 1;
    m->share_violation = h->project_count > 1 && !(o.flags & VCS_UNDEFINED_SHARE) ? o.share_violation : -1;
    m->reported_late = all > 0 ? done_late / all : 0;
    m->size = relative_size(projects, h->project_count);
    m->calls = (double)o.calls;
    m->stops = (double)o.stops;
    m->late = (double)o.late;
    m->unreported = (double)o.unreported;
    m->refused = (double)o.refused;
    m->received = (double)o.received;
    m->given_up = (double)o.given_up;
    m->seconds = (double)(clock() - started) / CLOCKS_PER_SEC;
    return code;
}

void measure_print_header(FILE *out) {
    fputs("projects,processors,available,spell,spread,days,min_buffer,additional_buffer,least_violation,lost,idle,"
          "share_violation,reported_late,size,jobs,calls,stops,late,unreported,refused,received,given_up,seconds\n",
          out);
}

void measure_print_host(FILE *out, const struct drawn_host *h) {
    fprintf(out, "%u,%u,%.4f,%.0f,%.4f,%.2f,%g,%g,%.6f,", h->project_count, h->resources[0].instances,
            h->emulation.available, h->emulation.available_mean, h->spread, h->emulation.duration / DAY, h->min_buffer,
            h->additional_buffer, drawn_host_least_violation(h));
}

void measure_print(FILE *out, const struct measured *m) {
    fprintf(out, "%.6f,%.6f,%.6f,%.6f,%.6f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.2f\n", m->lost, m->idle,
            m->share_violation, m->reported_late, m->size, m->jobs, m->calls, m->stops, m->late, m->unreported,
            m->refused, m->received, m->given_up, m->seconds);
}
