/*
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "host.h"
#include "preferences.h"
#include "xml.h"

static struct xml_node *tree_of(const char *inner) {
    struct text text = {0};
    struct fault fault;
    text_printf(&text, "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><preferences>%s</preferences>", inner);
    struct xml_node *root = xml_parse(text.bytes, text.length, "the preferences", &fault);
    text_free(&text);
    return root;
}

bool preferences_accept(struct client *client, const char *inner) {
    struct xml_node *root = tree_of(inner);
    const double time = root == NULL ? 0 : xml_number(root, "mod_time", 0, VCS_MAX_TIME, 0);
    const bool is_newer = root != NULL && time > client->preferences_time;
    if (is_newer) {
        replace(&client->preferences, inner);
        client->preferences_time = time;
    }
    xml_free(root);
    return is_newer;
}

static bool set(vcs_parameters *policy, const struct setting *setting, struct fault *fault) {
    const uint32_t row = vcs_parameter_find(setting->name);
    vcs_parameter_info info = {.struct_size = sizeof info};
    char *end;
    double value = strtod(setting->value, &end);
    if (vcs_parameter_at(row, &info) != VCS_OK) {
        return fault_set(fault, "--set %s: there is no such parameter", setting->name);
    }
    if (info.kind == VCS_PARAMETER_CHOICE) {
        for (uint32_t i = 0; i < info.choices; i++) {
            if (strcasecmp(vcs_parameter_choice(row, i), setting->value) == 0) {
                value = i;
                end = "";
            }
        }
    }
    if (end == setting->value || *end != '\0') {
        return fault_set(fault, "--set %s=%s: that is not one of its values", setting->name, setting->value);
    }
    if (vcs_parameter_set(policy, row, value) != VCS_OK) {
        return fault_set(fault, "--set %s=%s: it must be from %g to %g %s", setting->name, setting->value, info.minimum,
                         info.maximum, info.unit);
    }
    return true;
}

bool preferences_apply(struct client *client, const struct command_line *line, struct fault *fault) {
    vcs_parameters *policy = &client->policy;
    vcs_error error = {.struct_size = sizeof error};
    struct xml_node *root = tree_of(client->preferences);
    vcs_parameters_init(policy, sizeof *policy, line->profile);
    client->cpus = host_cpus();
    client->ram = host_ram();
    client->keep_in_memory = line->keep_in_memory;
    if (root != NULL) {
        const double used = xml_number(root, "max_ncpus_pct", 1, 100, 100) / 100 * client->cpus;
        client->cpus = used < 1 ? 1 : (uint32_t)used;
        client->ram *= xml_number(root, "ram_max_used_idle_pct", 1, 100, 90) / 100;
        client->keep_in_memory |= xml_flag(root, "leave_apps_in_memory");
        policy->min_buffer = DAY * xml_number(root, "work_buf_min_days", 0, 100, policy->min_buffer / DAY);
        policy->additional_buffer =
            DAY * xml_number(root, "work_buf_additional_days", 0, 100, policy->additional_buffer / DAY);
        policy->period = 60 * xml_number(root, "cpu_scheduling_period_minutes", 1, 1e4, policy->period / 60);
    }
    xml_free(root);
    client->cpus = line->cpus > 0 ? line->cpus : client->cpus;
    for (uint32_t i = 0; i < line->setting_count; i++) {
        if (!set(policy, &line->settings[i], fault)) {
            return false;
        }
    }
    return vcs_parameters_check(policy, &error) == VCS_OK || fault_set(fault, "--set: %s", error.message);
}

void preferences_put(struct text *text, const struct client *client) {
    text_printf(text, "<working_global_preferences>\n<global_preferences>\n");
    xml_put(text, "mod_time", "%f", client->preferences_time);
    xml_put(text, "work_buf_min_days", "%f", client->policy.min_buffer / DAY);
    xml_put(text, "work_buf_additional_days", "%f", client->policy.additional_buffer / DAY);
    xml_put(text, "cpu_scheduling_period_minutes", "%f", client->policy.period / 60);
    xml_put(text, "leave_apps_in_memory", "%d", client->keep_in_memory);
    xml_put(text, "max_ncpus", "%u", client->cpus);
    text_printf(text, "</global_preferences>\n</working_global_preferences>\n");
    if (client->preferences[0] != '\0') {
        text_printf(text, "<global_preferences>%s</global_preferences>\n", client->preferences);
    }
}
