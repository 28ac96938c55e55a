/* SPDX-License-Identifier: MIT */
#include "population.h"

/* The names of the types of GPU. */
static const char *gpu_name(uint32_t resource) {
    static const char *const names[MOST_RESOURCES] = {"CPU", "first", "second"};
    return names[resource];
}

static void write_number(FILE *out, const char *key, double value) {
    fprintf(out, "%s = %.17g\n", key, value);
}

static void write_resources(const struct drawn_host *h, FILE *out) {
    fprintf(out, "[host]\ncpus = %u\n", h->resources[0].instances);
    write_number(out, "flops", h->resources[0].flops);
    if (h->switch_count == 0) {
        write_number(out, "available", h->emulation.available);
        write_number(out, "available_mean", h->emulation.available_mean);
    }
    write_number(out, "connection_interval", h->emulation.connection_interval);
    for (uint32_t i = 0; i < h->switch_count; i++) {
        fprintf(out, "%s%.17g", i == 0 ? "switches = " : ", ", h->switches[i]);
    }
    fputs(h->switch_count > 0 ? "\n" : "", out);
    for (uint32_t r = 1; r < h->resource_count; r++) {
        fprintf(out, "\n[gpu %s]\ncount = %u\n", gpu_name(r), h->resources[r].instances);
        write_number(out, "flops", h->resources[r].flops);
    }
}

static void write_project(const struct drawn_host *h, uint32_t project, FILE *out) {
    const vcs_server_model *server = &h->servers[project];
    fprintf(out, "\n[project %u]\n", project + 1);
    write_number(out, "share", h->projects[project].share);
    write_number(out, "dcf", h->projects[project].dcf);
    write_number(out, "request_delay", server->request_delay);
    if (server->up_mean > 0) {
        write_number(out, "up_mean", server->up_mean);
        write_number(out, "down_mean", server->down_mean);
    }
    for (uint32_t r = 0; h->has_project_resources && r < h->resource_count; r++) {
        const vcs_project_resource *record = &h->project_resources[project * h->resource_count + r];
        if (record->flags & VCS_PROJECT_RESOURCE_NO_APPS) {
            fprintf(out, "\n[project_resource %u/%s]\nno_apps = yes\n", project + 1, gpu_name(r));
        }
    }
}

static void write_app(const struct drawn_host *h, uint32_t app, FILE *out) {
    const vcs_job_model *model = &h->models[app];
    static const char *const distributions[] = {"normal", "exponential", "constant", "list", "log_normal"};
    fprintf(out, "\n[app %u/%u]\n", h->apps[app].project + 1, app + 1);
    write_number(out, "latency_bound", model->latency_bound);
    write_number(out, "est_flops", model->est_flops);
    write_number(out, "mean_flops", model->mean_flops);
    fprintf(out, "distribution = %s\n", distributions[model->distribution]);
    if (model->distribution != VCS_SIZES_CONSTANT) {
        write_number(out, "sd_flops", model->sd_flops);
    }
    write_number(out, "checkpoint_interval", model->checkpoint_interval);
    write_number(out, "cpus", model->cpus);
    if (model->gpu != 0) {
        fprintf(out, "gpu = %s\n", gpu_name(model->gpu));
    }
}

void drawn_host_write(const struct drawn_host *h, FILE *out) {
    if (h->resource_count > 1) {
        fprintf(out, "; Whatever the policy, share violation is at least %.6f.\n", drawn_host_least_violation(h));
    }
    write_resources(h, out);
    fputs("\n[client]\n", out);
    write_number(out, "min_buffer", h->min_buffer);
    write_number(out, "additional_buffer", h->additional_buffer);
    for (uint32_t i = 0; i < h->project_count; i++) {
        write_project(h, i, out);
    }
    for (uint32_t i = 0; i < h->app_count; i++) {
        write_app(h, i, out);
    }
    fprintf(out, "\n[emulation]\nseed = %llu\n", (unsigned long long)h->emulation.seed);
    write_number(out, "duration", h->emulation.duration);
}
