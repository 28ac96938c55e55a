/* SPDX-License-Identifier: MIT */
#include "sweep_figures.h"

#include <stdio.h>
#include <string.h>

static uint32_t flag_of(const char *name) {
    static const struct {
        const char *name;
        uint32_t undefined;
    } flags[] = {
        {"waste", VCS_UNDEFINED_WASTE},
        {"idleness", VCS_UNDEFINED_WASTE},
        {"share_violation", VCS_UNDEFINED_SHARE},
        {"monotony", VCS_UNDEFINED_MONOTONY},
        {"rpcs_per_job", VCS_UNDEFINED_RPCS},
        {"stops_per_job", VCS_UNDEFINED_RPCS},
        {"study_waste", VCS_UNDEFINED_STUDY},
        {"study_idleness", VCS_UNDEFINED_STUDY},
        {"study_share_violation", VCS_UNDEFINED_STUDY_SHARE},
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (strcmp(flags[i].name, name) == 0) {
            return flags[i].undefined;
        }
    }
    return 0;
}

static void choose_all(struct sweep_figures *figures) {
    figures->count = 0;
    for (uint32_t i = 0; i < vcs_field_count(VCS_TYPE_OUTCOME); i++) {
        vcs_field_info info = {.struct_size = sizeof info};
        vcs_field_at(VCS_TYPE_OUTCOME, i, &info);
        const bool whole = strcmp(info.kind, "u64") == 0;
        if ((whole || strcmp(info.kind, "f64") == 0) && figures->count < SWEEP_MOST_FIGURES) {
            struct sweep_figure *figure = &figures->list[figures->count++];
            *figure = (struct sweep_figure){.offset = info.offset, .whole = whole, .undefined = flag_of(info.name)};
            memcpy(figure->name, info.name, sizeof figure->name);
        }
    }
}

static const struct sweep_figure *find(const struct sweep_figures *figures, const char *name, size_t length) {
    for (size_t i = 0; i < figures->count; i++) {
        const struct sweep_figure *figure = &figures->list[i];
        if (strlen(figure->name) == length && memcmp(figure->name, name, length) == 0) {
            return figure;
        }
    }
    return NULL;
}

static bool refuse(const struct sweep_figures *all, const char *names, struct fault *fault) {
    char list[768] = "";
    for (size_t i = 0, used = 0; i < all->count && used < sizeof list; i++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : ", ", all->list[i].name);
    }
    return fault_set(fault, "--figures %s: choose from %s, each at most once", fault_quote(names).text, list);
}

bool sweep_figures_choose(struct sweep_figures *figures, const char *names, struct fault *fault) {
    struct sweep_figures all;
    choose_all(&all);
    if (names == NULL) {
        *figures = all;
        return true;
    }
    figures->count = 0;
    for (const char *name = names;; name++) {
        const size_t length = strcspn(name, ",");
        const struct sweep_figure *found = find(&all, name, length);
        if (found == NULL || find(figures, name, length) != NULL) {
            return refuse(&all, names, fault);
        }
        figures->list[figures->count++] = *found;
        name += length;
        if (*name == '\0') {
            return true;
        }
    }
}

bool sweep_figure_of(const struct sweep_figure *figure, const vcs_outcome *outcome, double *value) {
    const unsigned char *field = (const unsigned char *)outcome + figure->offset;
    if ((outcome->flags & figure->undefined) != 0) {
        return false;
    }
    if (figure->whole) {
        uint64_t count;
        memcpy(&count, field, sizeof count);
        *value = (double)count;
    } else {
        memcpy(value, field, sizeof *value);
    }
    return true;
}
