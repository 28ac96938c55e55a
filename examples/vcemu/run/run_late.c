/* Jobs that are late from the start: the figures show only waste, not why. SPDX-License-Identifier: MIT */
#include "run/run.h"
#include "vcemu/scenario/state/state_jobs.h"

#define HOUR 3600.0

/* The fraction of time that a processor computes, as the client believes (rule 12.1). */
static double usable_of(const struct emulated *emulated, uint32_t resource) {
    const struct state_file *file = emulated->file;
    if ((file->emulation.flags & VCS_EMULATION_USABLE_GIVEN) != 0) {
        return file->resources[resource].usable;
    }
    return file->switches.count == 0 ? file->emulation.available
                                     : emulated->outcome.available_time / file->emulation.duration;
}

/* Seconds before its deadline by which a job must be done, for the server (rule 4.5) or the client (rule 4.3). */
static double margin_of(const vcs_parameters *parameters, bool is_for_server) {
    if (is_for_server) {
        return parameters->min_buffer;
    }
    const double buffer = parameters->cushion_min_buffer ? parameters->min_buffer : 0;
    return buffer > parameters->deadline_cushion ? buffer : parameters->deadline_cushion;
}

static void print_name(const struct state_file *file, uint32_t app, FILE *out) {
    if (app < file->counts[STATE_APP]) {
        fprintf(out, "Jobs of %s", vcs_scn_state_file_name(file, STATE_APP, app));
    } else {
        fprintf(out, "Jobs like %s", vcs_scn_state_file_name(file, STATE_TASK, file->alike[app]));
    }
}

static void print_late_app(const struct emulated *emulated, uint32_t app, FILE *out) {
    const struct state_file *file = emulated->file;
    const vcs_parameters *parameters = &file->emulated_parameters;
    const vcs_job_model *model = &file->models[app];
    const bool is_study = parameters->profile == VCS_PROFILE_STUDY2007; /* its server looks at run times alone (13.6) */
    const bool admits = parameters->work_send == VCS_WORK_SEND_WS2 && !is_study;
    const double speed = vcs_scn_state_jobs_speed(file, model->cpus, model->gpu, model->gpus);
    const double usable = is_study ? 1 : usable_of(emulated, model->gpu);
    const double takes = model->est_flops / speed / usable;
    const double margin = margin_of(parameters, admits);
    if (model->weight <= 0 || usable <= 0 || takes + margin <= model->latency_bound) {
        return; /* a host that is never on is sent no jobs, however short */
    }
    print_name(file, app, out);
    fprintf(out, " are late from the start: they take %.4g h and are due after %.4g h", takes / HOUR,
            model->latency_bound / HOUR);
    if (margin > 0) {
        fprintf(out, ", less %.4g h (%s)", margin / HOUR,
                margin > parameters->deadline_cushion || admits ? "min_buffer" : "deadline_cushion");
    }
    fputs(admits || takes > model->latency_bound ? ". Servers do not send them.\n" : ".\n", out);
}

void emulated_print_late_jobs(const struct emulated *emulated, FILE *out) {
    for (uint32_t app = 0; app < emulated->file->app_count; app++) {
        print_late_app(emulated, app, out);
    }
}
