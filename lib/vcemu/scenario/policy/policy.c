/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/policy/policy.h"

#include <stdio.h>
#include <string.h>

#include "vcemu/scenario/policy/policy_name.h"
#include "vcemu/scenario/text/bytes.h"
#include "vcemu/scenario/text/parse_number.h"
#include "vcemu/scenario/text/switch.h"
#include "vcsched/interface/check/field_check.h"

#define DEFAULT_PROFILE VCS_PROFILE_CURRENT

/* A hint for users who give a key of a section as a parameter. */
#define ELSEWHERE "; keys of sections are KIND.KEY or KIND.NAME.KEY, such as project.NAME.share"

/* A list of names in a sentence: "a, b or c". */
struct name_list {
    char text[256];
};

static void add_name(struct name_list *list, const char *name, bool last) {
    size_t used = strlen(list->text);
    const char *separator = used == 0 ? "" : last ? " or " : ", ";
    snprintf(list->text + used, sizeof list->text - used, "%s%s", separator, name);
}

static struct name_list profile_names(void) {
    struct name_list list = {""};
    for (uint32_t profile = 0; profile < VCS_PROFILE_COUNT; profile++) {
        add_name(&list, vcs_profile_name(profile), profile + 1 == VCS_PROFILE_COUNT);
    }
    return list;
}

static struct name_list choice_names(uint32_t row, const vcs_parameter_info *info) {
    struct name_list list = {""};
    for (double value = info->minimum; value <= info->maximum; value++) {
        add_name(&list, vcs_parameter_choice(row, (uint32_t)value), value + 1 > info->maximum);
    }
    return list;
}

uint32_t vcs_scn_policy_find_profile(const char *name) {
    for (uint32_t profile = 0; profile < VCS_PROFILE_COUNT; profile++) {
        const char *known = vcs_profile_name(profile);
        if (vcs_scn_bytes_are_word(name, known, strlen(known))) {
            return profile;
        }
    }
    return VCS_NONE;
}

static vcs_parameter_info parameter_at(uint32_t row) {
    vcs_parameter_info info = {.struct_size = sizeof info};
    vcs_parameter_at(row, &info);
    return info;
}

static bool refuse_profile(const char *name, const struct place *place, struct fault *fault) {
    return vcs_scn_fault_at(fault, place, "\"%s\" is not a profile; use %s", vcs_scn_fault_quote(name).text,
                            profile_names().text);
}

bool vcs_scn_policy_refuse_profile_key(const char *option, const char *key, struct fault *fault) {
    return vcs_scn_fault_set(fault,
                             "%s %s: profiles go by --profile NAME, --compare NAME or --vary profile=NAME; use %s",
                             option, key, profile_names().text);
}

/* ---- one parameter ---- */

/* Is it a choice between no and yes, and perhaps more? */
static bool is_switch(uint32_t row, const vcs_parameter_info *info) {
    return info->minimum == 0 && strcmp(vcs_parameter_choice(row, 0), "no") == 0;
}

static bool read_choice(uint32_t row, const vcs_parameter_info *info, const char *text, double *value,
                        const struct place *place, struct fault *fault) {
    bool on;
    if (is_switch(row, info) && vcs_scn_switch_read(text, &on)) {
        *value = on;
        return true;
    }
    if (is_switch(row, info) && info->maximum == 1) {
        return vcs_scn_fault_text(fault, place, text, SWITCH_PROBLEM);
    }
    for (double choice = info->minimum; choice <= info->maximum; choice++) {
        const char *name = vcs_parameter_choice(row, (uint32_t)choice);
        if (vcs_scn_bytes_are_word(text, name, strlen(name))) {
            *value = choice;
            return true;
        }
    }
    return vcs_scn_fault_at(fault, place, "\"%s\" is not one of its values; use %s", vcs_scn_fault_quote(text).text,
                            choice_names(row, info).text);
}

bool vcs_scn_policy_read_choice(const char *parameter, const char *text, uint32_t *choice, const struct place *place,
                                struct fault *fault) {
    const uint32_t row = vcs_parameter_find(parameter);
    const vcs_parameter_info info = parameter_at(row);
    double value = 0;
    const bool read = read_choice(row, &info, text, &value, place, fault);
    *choice = (uint32_t)value;
    return read;
}

/* Where notes and faults go, besides the place of the parameter. */
struct report {
    struct place place;
    struct fault *note; /* NULL = notes are not wanted */
    struct fault *fault;
};

/* The former name of a parameter: yes is now cpu_fit = any, no is cpu_fit = fraction. */
static bool set_overcommit(vcs_parameters *parameters, const char *text, const struct report *report) {
    bool on;
    if (!vcs_scn_switch_read(text, &on)) {
        return vcs_scn_fault_text(report->fault, &report->place, text, SWITCH_PROBLEM);
    }
    parameters->cpu_fit = on ? VCS_CPU_FIT_ANY : VCS_CPU_FIT_FRACTION;
    if (report->note != NULL) {
        vcs_scn_fault_note(report->note, &report->place, "is now called cpu_fit; this means cpu_fit = %s",
                           on ? "any" : "fraction");
    }
    return true;
}

const char *vcs_scn_policy_current_name(const char *name) {
    static const char *const former[][2] = {{"overcommit", "cpu_fit"},
                                            {"pair_backoff_max", "resource_backoff_max"},
                                            {"pair_backoff_min", "resource_backoff_min"}};
    for (size_t i = 0; i < sizeof former / sizeof *former; i++) {
        if (strcmp(name, former[i][0]) == 0) {
            return former[i][1];
        }
    }
    return name;
}

static bool set_parameter(vcs_parameters *parameters, const char *name, const char *text, const struct report *report) {
    const struct place *place = &report->place;
    struct fault *fault = report->fault;
    if (strcmp(name, "overcommit") == 0) {
        return set_overcommit(parameters, text, report);
    }
    const char *current = vcs_scn_policy_current_name(name);
    if (current != name && report->note != NULL) {
        vcs_scn_fault_note(report->note, place, "is now called %s", current);
    }
    if (strcmp(name, "profile") == 0) {
        return vcs_scn_policy_refuse_profile_key(place->file, name, fault);
    }
    uint32_t row = vcs_parameter_find(current);
    if (row == VCS_NONE) {
        return vcs_scn_fault_at(fault, place, "there is no such parameter%s", place->line != 0 ? "" : ELSEWHERE);
    }
    vcs_parameter_info info = parameter_at(row);
    double value;
    if (info.kind == VCS_PARAMETER_CHOICE) {
        return read_choice(row, &info, text, &value, place, fault) &&
               vcs_parameter_set(parameters, row, value) == VCS_OK;
    }
    enum number_problem problem = vcs_scn_number_read(text, &value);
    if (problem != NUMBER_OK) {
        return vcs_scn_fault_text(fault, place, text, vcs_scn_number_problem_text(problem));
    }
    if (vcs_parameter_set(parameters, row, value) != VCS_OK) {
        return vcs_scn_fault_at(fault, place, "must be %s from %.15g to %.15g",
                                info.kind == VCS_PARAMETER_INTEGER ? "a whole number" : "a number", info.minimum,
                                info.maximum);
    }
    return true;
}

/* ---- the command line ---- */

/* The two halves of a "parameter=value". */
struct setting {
    char name[sizeof((vcs_parameter_info *)0)->name];
    const char *value;
};

static bool split_setting(const char *option, const char *text, struct setting *setting, struct fault *fault) {
    const char *separator = strchr(text, '=');
    if (separator == NULL || separator == text) {
        return vcs_scn_fault_set(fault, "%s %s: expected parameter=value", option, vcs_scn_fault_quote(text).text);
    }
    size_t length = (size_t)(separator - text);
    if (length >= sizeof setting->name) {
        return vcs_scn_fault_set(fault, "%s %s: there is no such parameter%s", option, vcs_scn_fault_quote(text).text,
                                 ELSEWHERE);
    }
    memcpy(setting->name, text, length);
    setting->name[length] = '\0';
    setting->value = separator + 1;
    return true;
}

bool vcs_scn_policy_is_path(const char *setting) {
    return strchr(setting, '=') != NULL && memchr(setting, '.', strcspn(setting, "=")) != NULL;
}

const char *vcs_scn_policy_option(const struct policy_wish *wish, size_t index) {
    return index + wish->later_count < wish->setting_count ? "--set" : wish->later_option;
}

/* First the name of --policy, if it is one of the study's, then the settings. */
static bool apply_settings(vcs_parameters *parameters, const struct policy_wish *wish, struct fault *note,
                           struct fault *fault) {
    if (vcs_scn_policy_name_is(wish->policy)) {
        if (!vcs_scn_policy_name_check(wish->policy, fault)) {
            return false;
        }
        vcs_scn_policy_name_set(parameters, wish->policy);
    }
    for (size_t i = 0; i < wish->setting_count; i++) {
        struct setting setting;
        if (vcs_scn_policy_is_path(wish->settings[i])) {
            continue; /* it changes the file */
        }
        const char *option = vcs_scn_policy_option(wish, i);
        if (!split_setting(option, wish->settings[i], &setting, fault)) {
            return false;
        }
        const struct report report = {{.file = option, .key = setting.name}, note, fault};
        if (!set_parameter(parameters, setting.name, setting.value, &report)) {
            return false;
        }
    }
    return true;
}

/* The number of the last setting of this parameter; setting_count if there is none. */
static size_t find_setting(const struct policy_wish *wish, const char *name) {
    const size_t length = strlen(name);
    for (size_t i = wish->setting_count; i-- > 0;) {
        if (strncmp(wish->settings[i], name, length) == 0 && wish->settings[i][length] == '=') {
            return i;
        }
    }
    return wish->setting_count;
}

bool vcs_scn_policy_is_wished(const struct policy_wish *wish, const char *name) {
    return find_setting(wish, name) < wish->setting_count || vcs_scn_policy_name_sets(wish->policy, name);
}

bool vcs_scn_policy_check_wish(const struct policy_wish *wish, struct fault *fault) {
    if (wish->profile != NULL && vcs_scn_policy_find_profile(wish->profile) == VCS_NONE) {
        const char *option = wish->profile_option == NULL ? "--profile" : wish->profile_option;
        return refuse_profile(wish->profile, &(struct place){.file = option}, fault);
    }
    vcs_parameters parameters;
    vcs_parameters_init(&parameters, sizeof parameters, DEFAULT_PROFILE);
    return apply_settings(&parameters, wish, NULL, fault);
}

/* ---- the whole policy ---- */

static bool choose_profile(uint32_t *profile, const struct policy_wish *wish, const struct ini_document *document,
                           const struct ini_section *client, struct fault *fault) {
    const struct ini_entry *entry = client == NULL ? NULL : vcs_scn_ini_entry(document, client, "profile");
    *profile = DEFAULT_PROFILE;
    if (entry != NULL) {
        *profile = vcs_scn_policy_find_profile(entry->value);
        if (*profile == VCS_NONE) {
            struct place place = vcs_scn_ini_place(document, client, "profile");
            return refuse_profile(entry->value, &place, fault);
        }
    }
    if (wish->profile != NULL) {
        *profile = vcs_scn_policy_find_profile(wish->profile);
    }
    return true;
}

/* What vcs_file_options had in its first release. */
#define FIRST_OPTIONS (offsetof(vcs_file_options, days) + sizeof(double))

bool vcs_scn_policy_read_wish(const vcs_file_options *options, struct policy_wish *wish, struct fault *fault) {
    vcs_file_options known;
    *wish = (struct policy_wish){.profile = NULL};
    if (options == NULL) {
        return true;
    }
    if (vcs_check_size(FIRST_OPTIONS, options->struct_size) != VCS_OK ||
        vcs_copy_struct(&known, sizeof known, options, options->struct_size) != VCS_OK ||
        (known.flags & ~VCS_FILE_SEED) != 0) {
        return vcs_scn_fault_set(fault, "vcs_file_options: struct_size or flags is wrong");
    }
    if (!(known.days >= 0)) {
        return vcs_scn_fault_set(fault, "vcs_file_options: days is not a number of days");
    }
    for (uint32_t i = 0; i < known.setting_count; i++) {
        if (known.settings == NULL || known.settings[i] == NULL) {
            return vcs_scn_fault_set(fault, "vcs_file_options: settings is NULL");
        }
    }
    wish->profile = known.profile;
    wish->settings = known.settings;
    wish->setting_count = known.setting_count;
    wish->days = known.days;
    wish->has_seed = (known.flags & VCS_FILE_SEED) != 0;
    wish->seed = known.seed;
    return vcs_scn_policy_check_wish(wish, fault);
}

static bool apply_client(vcs_parameters *parameters, const struct ini_document *document,
                         const struct ini_section *client, struct fault *note, struct fault *fault) {
    for (size_t i = 0; client != NULL && i < client->entry_count; i++) {
        const struct ini_entry *entry = &document->entries[client->first_entry + i];
        const struct report report = {{document->file, entry->line, client->header, entry->key, NULL}, note, fault};
        const struct ini_entry *first = vcs_scn_ini_entry(document, client, entry->key);
        if (first != entry) {
            return vcs_scn_fault_at(fault, &report.place, "this key is already in line %zu", first->line);
        }
        if (strcmp(entry->key, "profile") != 0 && !set_parameter(parameters, entry->key, entry->value, &report)) {
            return false;
        }
    }
    return true;
}

/* Explains why the parameters are refused together, at the place that set the offending one. */
static bool refuse_together(const vcs_error *error, const struct policy_wish *wish, const struct ini_document *document,
                            const struct ini_section *client, struct fault *fault) {
    const size_t setting = find_setting(wish, error->field);
    struct place place = {.file = "--set", .key = error->field};
    if (setting < wish->setting_count) {
        place.file = vcs_scn_policy_option(wish, setting);
    } else if (client != NULL) {
        place = vcs_scn_ini_place(document, client, error->field);
    }
    return vcs_scn_fault_at(fault, &place, "%s", vcs_scn_fault_reason(error));
}

bool vcs_scn_policy_read(vcs_parameters *parameters, const struct policy_wish *wish,
                         const struct ini_document *document, const struct ini_section *client, struct fault *note,
                         struct fault *fault) {
    uint32_t profile;
    if (!choose_profile(&profile, wish, document, client, fault)) {
        return false;
    }
    vcs_parameters_init(parameters, sizeof *parameters, profile);
    if (!apply_client(parameters, document, client, note, fault) || !apply_settings(parameters, wish, note, fault)) {
        return false;
    }
    vcs_error error = {.struct_size = sizeof error};
    return vcs_parameters_check(parameters, &error) == VCS_OK || refuse_together(&error, wish, document, client, fault);
}
