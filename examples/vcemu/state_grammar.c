/* SPDX-License-Identifier: MIT */
#include "state_grammar.h"

#include <string.h>

#define HOST(field) offsetof(struct state_host_draft, field)
#define PROJECT(field) offsetof(struct state_project_draft, field)
#define APP(field) offsetof(struct state_app_draft, field)
#define TASK(field) offsetof(struct state_task_draft, field)
#define EMULATION(field) offsetof(struct state_emulation_draft, field)

/* VCS_WAIT_* */
#define WAITS " none user master_file download uploads "

static const struct state_key host_keys[] = {
    {"now", FORM_NUMBER, .offset = HOST(now)},
    {"cpus", FORM_WHOLE, .offset = HOST(cpu.instances), .field = "instances"},
    {"flops", FORM_NUMBER, .offset = HOST(cpu.flops)},
    {"usable", FORM_NUMBER, .offset = HOST(cpu.usable)},
    {"reserve", FORM_NUMBER, .offset = HOST(cpu.reserve)},
    {"paused", FORM_SWITCH, .offset = HOST(cpu.flags), .bit = VCS_RESOURCE_PAUSED},
    {"ram", FORM_NUMBER, .offset = HOST(host.ram)},
    {"available", FORM_NUMBER, .offset = HOST(emulation.available), .range = RANGE_FRACTION},
    {"available_step", FORM_NUMBER, .offset = HOST(emulation.available_step), .range = RANGE_NOT_NEGATIVE},
    {"available_mean", FORM_NUMBER, .offset = HOST(emulation.available_mean), .range = RANGE_NOT_NEGATIVE},
    {"connection_interval", FORM_NUMBER, .offset = HOST(emulation.connection_interval),
     .range = RANGE_NOT_NEGATIVE},
    {"switches", FORM_NAME, .offset = HOST(switches)},
    {"trace", FORM_NAME, .offset = HOST(trace)},
};

static const struct state_key emulation_keys[] = {
    {"duration", FORM_NUMBER, .offset = EMULATION(duration), .range = RANGE_NOT_NEGATIVE},
    {"seed", FORM_WHOLE, .offset = EMULATION(seed)},
    {"cpu_scheduling", FORM_WORD, .offset = EMULATION(scheduling), .words = " CS1 CS2 "},
    {"work_fetch", FORM_WORD, .offset = EMULATION(work_fetch), .words = " WF1 WF2 CURRENT ORIGINAL SESSIONS "},
    {"work_send", FORM_WORD, .offset = EMULATION(work_send), .words = " WS1 WS2 "},
    {"completion", FORM_WORD, .offset = EMULATION(completion), .words = " JC1 JC2 "},
    {"deadline_origin", FORM_WORD, .offset = EMULATION(deadline_origin), .words = " now start "},
};

static const struct state_key gpu_keys[] = {
    {"count", FORM_WHOLE, .offset = offsetof(vcs_resource, instances), .field = "instances"},
    {"flops", FORM_NUMBER, .offset = offsetof(vcs_resource, flops)},
    {"usable", FORM_NUMBER, .offset = offsetof(vcs_resource, usable)},
    {"suspended", FORM_SWITCH, .offset = offsetof(vcs_resource, flags), .bit = VCS_RESOURCE_SUSPENDED},
    {"paused", FORM_SWITCH, .offset = offsetof(vcs_resource, flags), .bit = VCS_RESOURCE_PAUSED},
};

static const struct state_key project_keys[] = {
    {"class", FORM_WHOLE_SIGNED, .offset = PROJECT(project.priority_class), .field = "priority_class"},
    {"share", FORM_NUMBER, .offset = PROJECT(project.share)},
    {"rec", FORM_NUMBER, .offset = PROJECT(project.rec)},
    {"short_term_debt", FORM_NUMBER, .offset = PROJECT(project.short_term_debt)},
    {"long_term_debt", FORM_NUMBER, .offset = PROJECT(project.long_term_debt)},
    {"exp_avg_cpu", FORM_NUMBER, .offset = PROJECT(project.exp_avg_cpu)},
    {"dcf", FORM_NUMBER, .offset = PROJECT(project.dcf)},
    {"efficiency", FORM_NUMBER, .offset = PROJECT(project.efficiency)},
    {"max_concurrent", FORM_WHOLE, .offset = PROJECT(project.max_concurrent)},
    {"suspended", FORM_SWITCH, .offset = PROJECT(project.flags), .bit = VCS_PROJECT_SUSPENDED},
    {"no_new_work", FORM_SWITCH, .offset = PROJECT(project.flags), .bit = VCS_PROJECT_NO_NEW_WORK},
    {"apps_listed", FORM_SWITCH, .offset = PROJECT(project.flags), .bit = VCS_PROJECT_APPS_LISTED},
    {"wait", FORM_WORD, .offset = PROJECT(project.wait), .words = WAITS},
    {"min_rpc_time", FORM_NUMBER, .offset = PROJECT(project.min_rpc_time)},
    {"rpc_failures", FORM_WHOLE, .offset = PROJECT(project.rpc_failures)},
    {"uploading", FORM_WHOLE, .offset = PROJECT(project.uploading)},
    {"overdue", FORM_WHOLE, .offset = PROJECT(project.overdue)},
    {"up_mean", FORM_NUMBER, .offset = PROJECT(server.up_mean), .range = RANGE_NOT_NEGATIVE},
    {"down_mean", FORM_NUMBER, .offset = PROJECT(server.down_mean), .range = RANGE_NOT_NEGATIVE},
    {"scheduler_failure", FORM_NUMBER, .offset = PROJECT(server.scheduler_failure), .range = RANGE_FRACTION},
    {"network_failure", FORM_NUMBER, .offset = PROJECT(server.network_failure), .range = RANGE_FRACTION},
    {"master_failure", FORM_NUMBER, .offset = PROJECT(server.master_failure), .range = RANGE_FRACTION},
    {"moves_at", FORM_NUMBER, .offset = PROJECT(server.moves_at), .range = RANGE_NOT_NEGATIVE},
    {"request_delay", FORM_NUMBER, .offset = PROJECT(server.request_delay), .range = RANGE_NOT_NEGATIVE},
    {"max_in_progress", FORM_WHOLE, .offset = PROJECT(server.max_in_progress)},
};

static const struct state_key pair_keys[] = {
    {"rec", FORM_NUMBER, .offset = offsetof(vcs_project_resource, rec)},
    {"backoff_interval", FORM_NUMBER, .offset = offsetof(vcs_project_resource, backoff_interval)},
    {"backoff_until", FORM_NUMBER, .offset = offsetof(vcs_project_resource, backoff_until)},
    {"excluded", FORM_INSTANCES, .offset = offsetof(vcs_project_resource, excluded)},
    {"not_wanted", FORM_SWITCH, .offset = offsetof(vcs_project_resource, flags),
     .bit = VCS_PROJECT_RESOURCE_NOT_WANTED},
    {"no_apps", FORM_SWITCH, .offset = offsetof(vcs_project_resource, flags), .bit = VCS_PROJECT_RESOURCE_NO_APPS},
};

static const struct state_key app_keys[] = {
    {"max_concurrent", FORM_WHOLE, .offset = APP(app.max_concurrent)},
    {"excluded", FORM_INSTANCES, .offset = APP(app.excluded)},
    {"dcf", FORM_NUMBER, .offset = APP(app.dcf)},
    {"latency_bound", FORM_NUMBER, .offset = APP(model.latency_bound), .range = RANGE_NOT_NEGATIVE},
    {"est_flops", FORM_NUMBER, .offset = APP(model.est_flops), .range = RANGE_NOT_NEGATIVE},
    {"mean_flops", FORM_NUMBER, .offset = APP(model.mean_flops), .range = RANGE_NOT_NEGATIVE},
    {"sd_flops", FORM_NUMBER, .offset = APP(model.sd_flops), .range = RANGE_NOT_NEGATIVE},
    {"cpus", FORM_NUMBER, .offset = APP(model.cpus), .range = RANGE_NOT_NEGATIVE},
    {"gpu", FORM_NAME, .offset = APP(gpu)},
    {"gpus", FORM_NUMBER, .offset = APP(model.gpus), .range = RANGE_NOT_NEGATIVE},
    {"weight", FORM_NUMBER, .offset = APP(model.weight), .range = RANGE_NOT_NEGATIVE},
    {"ram", FORM_NUMBER, .offset = APP(model.ram), .range = RANGE_NOT_NEGATIVE},
    {"checkpoint_interval", FORM_NUMBER, .offset = APP(model.checkpoint_interval), .range = RANGE_NOT_NEGATIVE},
    {"distribution", FORM_WORD, .offset = APP(model.distribution), .words = " normal exponential constant list "},
    {"sizes", FORM_NAME, .offset = APP(sizes)},
};

static const struct state_key task_keys[] = {
    {"project", FORM_NAME, .offset = TASK(project)},
    {"app", FORM_NAME, .offset = TASK(app)},
    {"gpu", FORM_NAME, .offset = TASK(gpu)},
    {"cpus", FORM_NUMBER, .offset = TASK(task.cpus)},
    {"gpus", FORM_NUMBER, .offset = TASK(task.gpus)},
    {"remaining", FORM_NUMBER, .offset = TASK(task.remaining)},
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
    {"devices", FORM_INSTANCES, .offset = TASK(task.devices)},
    {"usable", FORM_NUMBER, .offset = TASK(task.usable)},
    {"wait", FORM_WORD, .offset = TASK(task.wait), .words = WAITS},
    {"est_flops", FORM_NUMBER, .offset = TASK(progress.est_flops)},
    {"flops", FORM_NUMBER, .offset = TASK(progress.flops)},
    {"elapsed", FORM_NUMBER, .offset = TASK(progress.elapsed)},
    {"fraction_done", FORM_NUMBER, .offset = TASK(progress.fraction_done)},
};

#define KEYS(keys) keys, sizeof(keys) / sizeof *(keys)

const struct state_section_grammar state_grammar[STATE_KINDS] = {
    [STATE_HOST] = {"host", false, KEYS(host_keys)},
    [STATE_CLIENT] = {"client", false, NULL, 0},
    [STATE_EMULATION] = {"emulation", false, KEYS(emulation_keys)},
    [STATE_GPU] = {"gpu", true, KEYS(gpu_keys)},
    [STATE_PROJECT] = {"project", true, KEYS(project_keys)},
    [STATE_PAIR] = {"pair", true, KEYS(pair_keys)},
    [STATE_APP] = {"app", true, KEYS(app_keys)},
    [STATE_TASK] = {"task", true, KEYS(task_keys)},
    [STATE_CANDIDATE] = {"candidate", true, KEYS(task_keys)},
};

const struct state_key *state_grammar_find(enum state_kind kind, const char *name) {
    for (size_t i = 0; i < state_grammar[kind].key_count; i++) {
        if (strcmp(state_grammar[kind].keys[i].name, name) == 0) {
            return &state_grammar[kind].keys[i];
        }
    }
    return NULL;
}
