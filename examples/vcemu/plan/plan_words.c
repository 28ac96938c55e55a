/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "plan/plan_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define KINDS_SHOWN 3u

struct wording word_time(double seconds) {
    const double last_year_of_four_digits = 253402300800.0;
    struct wording wording;
    struct tm parts;
    time_t whole = (time_t)0;
    if (fabs(seconds) < last_year_of_four_digits) {
        whole = (time_t)floor(seconds);
    }
    if (whole == 0 || gmtime_r(&whole, &parts) == NULL || parts.tm_year < -1900 ||
        strftime(wording.text, sizeof wording.text, "%Y-%m-%d %H:%M:%S UTC", &parts) == 0) {
        snprintf(wording.text, sizeof wording.text, "time %.15g", seconds);
    }
    return wording;
}

struct wording word_main_use(const struct state_file *file, const vcs_task *task) {
    struct wording wording;
    snprintf(wording.text, sizeof wording.text, "%.4g %s", task->gpu == 0 ? task->cpus : task->gpus,
             vcs_scn_fault_quote(vcs_scn_state_file_resource_name(file, task->gpu)).text);
    return wording;
}

struct wording word_use(const struct state_file *file, const vcs_task *task) {
    struct wording wording = word_main_use(file, task);
    if (task->gpu != 0 && task->cpus > 0) {
        size_t used = strlen(wording.text);
        snprintf(wording.text + used, sizeof wording.text - used, " + %.4g CPU", task->cpus);
    }
    return wording;
}

struct wording word_devices(uint64_t devices) {
    struct wording wording;
    int used = snprintf(wording.text, sizeof wording.text, "device%s", (devices & (devices - 1)) != 0 ? "s" : "");
    const char *separator = " ";
    for (uint32_t i = 0; i < VCS_MAX_GPU_INSTANCES && (size_t)used < sizeof wording.text; i++) {
        if ((devices >> i & 1) != 0) {
            used += snprintf(wording.text + used, sizeof wording.text - (size_t)used, "%s%u", separator, (unsigned)i);
            separator = ",";
        }
    }
    return wording;
}

struct wording word_host(const struct state_file *file) {
    struct wording wording = {""};
    uint32_t count = vcs_scn_state_file_resource_count(file);
    uint32_t shown = count < KINDS_SHOWN ? count : KINDS_SHOWN;
    for (uint32_t i = 0; i < shown; i++) {
        size_t used = strlen(wording.text);
        snprintf(wording.text + used, sizeof wording.text - used, "%s%u %s%s", i == 0 ? "" : ", ",
                 (unsigned)file->resources[i].instances,
                 vcs_scn_fault_quote(vcs_scn_state_file_resource_name(file, i)).text,
                 i + 1 == shown && shown < count ? ", ..." : "");
    }
    return wording;
}

struct wording word_reason(uint32_t reason) {
    struct wording wording;
    snprintf(wording.text, sizeof wording.text, "%s",
             reason == VCS_REASON_NONE ? "not decided" : vcs_reason_name(reason));
    for (char *at = wording.text; *at != '\0'; at++) {
        *at = *at == '_' ? ' ' : *at;
    }
    return wording;
}

struct wording word_request(const vcs_fetch_decision *request) {
    struct wording wording = word_duration(request->seconds);
    if (request->instances > 0) {
        size_t used = strlen(wording.text);
        snprintf(wording.text + used, sizeof wording.text - used, ", %.4g instance%s", request->instances,
                 request->instances > 1 ? "s" : "");
    }
    return wording;
}

struct wording word_headline(const struct state_file *file) {
    struct wording wording;
    snprintf(wording.text, sizeof wording.text, "profile %s, %.100s, %.256s",
             vcs_profile_name(file->parameters.profile), word_time(file->now).text, word_host(file).text);
    return wording;
}

struct wording word_next_decision(double wait) {
    struct wording wording = {""};
    if (wait < VCS_MAX_SECONDS) {
        snprintf(wording.text, sizeof wording.text, " The next decision is due in %.40s.", word_duration(wait).text);
    }
    return wording;
}
