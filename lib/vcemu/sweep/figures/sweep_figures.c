/* SPDX-License-Identifier: MIT */
#include "vcemu/sweep/figures/sweep_figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vcemu/scenario/text/bytes.h"

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

/* ---- the fields ---- */

/* Records and tables with figures, and the prefixes of their names. */
static const struct source {
    const char *prefix, *owner;
    uint32_t type;            /* of the record, of a host */
    size_t size;              /* of the record: a newer library may know more fields */
    enum grid_figure_of kind; /* of a grid */
} sources[] = {
    [SWEEP_OF_HOST] = {"", "", VCS_TYPE_OUTCOME, sizeof(vcs_outcome), FIGURE_KINDS},
    [SWEEP_OF_PROJECT] = {"project.", "project", VCS_TYPE_PROJECT_OUTCOME, sizeof(vcs_project_outcome), FIGURE_KINDS},
    [SWEEP_OF_RESOURCE] = {"resource.", "resource", VCS_TYPE_RESOURCE_OUTCOME, sizeof(vcs_resource_outcome),
                           FIGURE_KINDS},
    [SWEEP_OF_GRID] = {"", "", VCS_TYPE_NONE, 0, FIGURE_OF_GRID},
    [SWEEP_OF_GRID_PROJECT] = {"project.", "project", VCS_TYPE_NONE, 0, FIGURE_OF_PROJECT},
    [SWEEP_OF_POPULATION] = {"population.", "population", VCS_TYPE_NONE, 0, FIGURE_OF_POPULATION},
};

#define SOURCES_OF_EACH 3u

/* Is it a figure of a part? */
static bool is_of_part(enum sweep_of of) {
    return sources[of].prefix[0] != '\0';
}

/* The longest name of a figure. */
#define NAME_SIZE 64

/* Describes field number `number` of a record of the library. Returns false if it is no figure. */
static bool describe_field(enum sweep_of of, uint32_t number, struct sweep_figure *figure, char name[NAME_SIZE]) {
    vcs_field_info info = {.struct_size = sizeof info};
    vcs_emulator_field_at(sources[of].type, number, &info);
    const uint32_t undefined = of == SWEEP_OF_HOST ? flag_of(info.name) : 0;
    const bool whole = strcmp(info.kind, "u64") == 0;
    *figure = (struct sweep_figure){
        .of = of, .offset = info.offset, .whole = whole, .undefined = undefined, .optional = undefined != 0};
    snprintf(name, NAME_SIZE, "%s", info.name);
    return (whole || strcmp(info.kind, "f64") == 0) && strcmp(info.name, "id") != 0 &&
           info.offset + sizeof(double) <= sources[of].size;
}

/* Figures of one kind; some fields of a host are none. */
static uint32_t count_figures(enum sweep_of of) {
    size_t count = vcs_emulator_field_count(sources[of].type);
    if (sources[of].kind != FIGURE_KINDS) {
        vcs_swp_grid_figures(sources[of].kind, &count);
    }
    return (uint32_t)count;
}

/* Describes figure number `number` of this kind. Returns false if it is none. */
static bool describe(enum sweep_of of, uint32_t number, struct sweep_figure *figure, char name[NAME_SIZE]) {
    if (sources[of].kind == FIGURE_KINDS) {
        return describe_field(of, number, figure, name);
    }
    size_t count;
    const struct grid_figure *of_grid = &vcs_swp_grid_figures(sources[of].kind, &count)[number];
    *figure = (struct sweep_figure){.of = of, .grid = of_grid, .optional = !vcs_swp_grid_figure_is_certain(of_grid)};
    snprintf(name, NAME_SIZE, "%s%s%s", of_grid->group == NULL ? "" : of_grid->group, of_grid->group == NULL ? "" : "_",
             of_grid->name);
    return true;
}

/* ---- lists ---- */

static bool no_memory(struct fault *fault) {
    return vcs_scn_fault_set(fault, "there is not enough memory for the figures");
}

/* A copy of `length` bytes as a text. */
static char *copy_text(const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

/* Figures that take time to find are there only by name. */
static bool is_compared(const struct sweep_figure *figure) {
    return figure->grid != NULL ? vcs_swp_grid_figure_is_compared(figure->grid)
                                : figure->compared != SWEEP_NOT_COMPARED;
}

/* Adds a figure; both texts become those of the list. */
static bool add(struct sweep_figures *figures, const struct sweep_figure *figure, char *name, char *owner,
                struct fault *fault) {
    struct sweep_figure *grown = realloc(figures->list, (figures->count + 1) * sizeof *grown);
    figures->list = grown == NULL ? figures->list : grown;
    if (grown == NULL || name == NULL || (figure->owner != NULL && owner == NULL)) {
        free(name);
        free(owner);
        return no_memory(fault);
    }
    grown[figures->count] = *figure;
    grown[figures->count].name = name;
    grown[figures->count++].owner = owner;
    figures->of_parts = figures->of_parts || is_of_part(figure->of);
    figures->compared = figures->compared || is_compared(figure);
    return true;
}

/* Adds all figures of one kind. */
static bool add_all(struct sweep_figures *figures, enum sweep_of of, struct fault *fault) {
    for (uint32_t i = 0; i < count_figures(of); i++) {
        struct sweep_figure figure;
        char field[NAME_SIZE], name[2 * NAME_SIZE];
        if (!describe(of, i, &figure, field) || is_compared(&figure)) {
            continue;
        }
        const int length = snprintf(name, sizeof name, "%s%s", sources[of].prefix, field);
        if (!add(figures, &figure, copy_text(name, (size_t)length), NULL, fault)) {
            return false;
        }
    }
    return true;
}

void vcs_swp_figures_free(struct sweep_figures *figures) {
    for (size_t i = 0; i < figures->count; i++) {
        free(figures->list[i].name);
        free(figures->list[i].owner);
    }
    free(figures->list);
    *figures = (struct sweep_figures){.list = NULL};
}

size_t vcs_swp_figures_find(const struct sweep_figures *figures, const char *name, size_t length) {
    size_t i = 0;
    while (i < figures->count &&
           (strlen(figures->list[i].name) != length || memcmp(figures->list[i].name, name, length) != 0)) {
        i++;
    }
    return i;
}

/* ---- by name ---- */

/* Figures of a host without a field. */
static const char *const comparisons[] = {
    [SWEEP_LOST] = "lost", [SWEEP_LEAST_LOSS] = "least_loss", [SWEEP_BEYOND_BOUND] = "beyond_bound"};

/* Adds one of them. Returns false with fault->message "" if there is none of this name. */
static bool add_comparison(struct sweep_figures *figures, const char *name, struct fault *fault) {
    for (enum sweep_comparison i = SWEEP_LOST; i <= SWEEP_BEYOND_BOUND; i++) {
        if (strcmp(comparisons[i], name) == 0) {
            const struct sweep_figure figure = {.of = SWEEP_OF_HOST, .compared = i, .optional = true};
            return add(figures, &figure, copy_text(name, strlen(name)), NULL, fault);
        }
    }
    return false;
}

static size_t list_figures(enum sweep_of of, char *list, size_t size) {
    size_t used = 0;
    for (uint32_t i = 0; i < count_figures(of) && used < size; i++) {
        struct sweep_figure figure;
        char name[NAME_SIZE];
        if (describe(of, i, &figure, name)) {
            used += (size_t)snprintf(list + used, size - used, "%s%s", used == 0 ? "" : ", ", name);
        }
    }
    for (size_t i = SWEEP_LOST; of == SWEEP_OF_HOST && i <= SWEEP_BEYOND_BOUND && used < size; i++) {
        used += (size_t)snprintf(list + used, size - used, ", %s", comparisons[i]);
    }
    return used;
}

/* The kind that the prefix of a name says. */
static enum sweep_of of_name(enum sweep_of whole, const char *name) {
    for (enum sweep_of of = whole + 1; of < whole + SOURCES_OF_EACH; of++) {
        if (strncmp(name, sources[of].prefix, strlen(sources[of].prefix)) == 0) {
            return of;
        }
    }
    return whole;
}

static bool refuse(enum sweep_of whole, const char *name, struct fault *fault) {
    const enum sweep_of of = of_name(whole, name);
    const char *prefix = sources[of].prefix;
    char list[1000], form[64] = "";
    list_figures(of, list, sizeof list);
    if (is_of_part(of)) {
        snprintf(form, sizeof form, "%sFIGURE or %sNAME.FIGURE ", prefix, prefix);
    }
    return vcs_scn_fault_set(fault, "--figures %s: choose %sfrom %s, each at most once", vcs_scn_fault_quote(name).text,
                             form, list);
}

/* Adds the figure of this name. Returns false with fault->message "" if there is none. */
static bool add_named(struct sweep_figures *figures, enum sweep_of whole, const char *name, struct fault *fault) {
    const enum sweep_of of = of_name(whole, name);
    const char *rest = name + strlen(sources[of].prefix);
    const char *dot = is_of_part(of) ? strrchr(rest, '.') : NULL;
    const char *wanted = dot == NULL ? rest : dot + 1;
    fault->message[0] = '\0';
    for (uint32_t i = 0; i < count_figures(of); i++) {
        struct sweep_figure figure;
        char there[NAME_SIZE];
        if (!describe(of, i, &figure, there) || strcmp(there, wanted) != 0) {
            continue;
        }
        char *owner = dot == NULL ? NULL : copy_text(rest, (size_t)(dot - rest));
        figure.owner = owner;
        return add(figures, &figure, copy_text(name, strlen(name)), owner, fault);
    }
    return of == SWEEP_OF_HOST && add_comparison(figures, name, fault);
}

bool vcs_swp_figures_choose(struct sweep_figures *figures, const char *names, bool of_grid, struct fault *fault) {
    const enum sweep_of whole = of_grid ? SWEEP_OF_GRID : SWEEP_OF_HOST;
    *figures = (struct sweep_figures){.list = NULL};
    if (names == NULL) {
        return add_all(figures, whole, fault) && (!of_grid || add_all(figures, SWEEP_OF_GRID_PROJECT, fault));
    }
    char *const copy = copy_text(names, strlen(names));
    if (copy == NULL) {
        return no_memory(fault);
    }
    bool added = true;
    for (char *rest = copy; added && rest != NULL;) {
        const char *name = vcs_scn_bytes_word(&rest);
        const bool is_new = vcs_swp_figures_find(figures, name, strlen(name)) == figures->count;
        added = is_new && add_named(figures, whole, name, fault);
        if (!added && (!is_new || fault->message[0] == '\0')) {
            refuse(whole, *name == '\0' ? names : name, fault);
        }
    }
    free(copy);
    return added;
}

/* ---- of a scenario ---- */

static uint32_t section_of(enum sweep_of of) {
    return of == SWEEP_OF_POPULATION ? (uint32_t)GRID_POPULATION : (uint32_t)STATE_PROJECT;
}

static uint32_t count_of(const struct state_file *file, enum sweep_of of) {
    return of == SWEEP_OF_RESOURCE ? vcs_scn_state_file_resource_count(file) : file->counts[section_of(of)];
}

static const char *name_of(const struct state_file *file, enum sweep_of of, uint32_t index) {
    return of == SWEEP_OF_RESOURCE ? vcs_scn_state_file_resource_name(file, index)
                                   : vcs_scn_state_file_name(file, section_of(of), index);
}

static bool find_owner(struct sweep_figure *figure, const struct state_file *file, struct fault *fault) {
    const uint32_t count = count_of(file, figure->of);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(name_of(file, figure->of, i), figure->owner) == 0) {
            const bool moved = figure->index != VCS_NONE && figure->index != i;
            figure->index = i;
            return !moved ||
                   vcs_scn_fault_set(fault, "--figures %s: %s has it at another index than the scenarios before",
                                     vcs_scn_fault_quote(figure->name).text, file->document.file);
        }
    }
    return vcs_scn_fault_set(fault, "--figures %s: %s has no %s %s", vcs_scn_fault_quote(figure->name).text,
                             file->document.file, sources[figure->of].owner, vcs_scn_fault_quote(figure->owner).text);
}

/* Adds the same figure of each project or resource. */
static bool add_each(struct sweep_figures *figures, const struct sweep_figure *figure, const struct state_file *file,
                     struct fault *fault) {
    const char *prefix = sources[figure->of].prefix;
    const char *field = figure->name + strlen(prefix);
    const uint32_t count = count_of(file, figure->of);
    for (uint32_t i = 0; i < count; i++) {
        const char *owner = name_of(file, figure->of, i);
        const size_t size = strlen(figure->name) + strlen(owner) + 2;
        char *name = malloc(size);
        if (name != NULL) {
            snprintf(name, size, "%s%s.%s", prefix, owner, field);
        }
        struct sweep_figure one = *figure;
        one.index = i;
        one.owner = name;
        if (!add(figures, &one, name, copy_text(owner, strlen(owner)), fault)) {
            return false;
        }
    }
    return true;
}

/* Replaces each figure of all parts by one figure per part. */
static bool expand(struct sweep_figures *figures, const struct state_file *file, struct fault *fault) {
    struct sweep_figures expanded = {.list = NULL};
    bool done = true;
    for (size_t i = 0; i < figures->count && done; i++) {
        struct sweep_figure *figure = &figures->list[i];
        if (is_of_part(figure->of) && figure->owner == NULL) {
            done = add_each(&expanded, figure, file, fault);
            continue;
        }
        struct sweep_figure one = *figure;
        one.index = VCS_NONE;
        char *owner = figure->owner == NULL ? NULL : copy_text(figure->owner, strlen(figure->owner));
        one.owner = owner;
        done = add(&expanded, &one, copy_text(figure->name, strlen(figure->name)), owner, fault);
    }
    vcs_swp_figures_free(figures);
    expanded.bound = true;
    *figures = expanded;
    return done;
}

bool vcs_swp_figures_bind(struct sweep_figures *figures, const struct state_file *file, struct fault *fault) {
    if (!figures->bound && !expand(figures, file, fault)) {
        return false;
    }
    for (size_t i = 0; i < figures->count; i++) {
        struct sweep_figure *figure = &figures->list[i];
        if (is_of_part(figure->of) && !find_owner(figure, file, fault)) {
            return false;
        }
        if (vcs_swp_figures_find(figures, figure->name, strlen(figure->name)) != i) {
            return vcs_scn_fault_set(fault, "--figures: %s is there twice", vcs_scn_fault_quote(figure->name).text);
        }
    }
    return true;
}

/* ---- of a run ---- */

static const void *record_of(const struct sweep_figure *figure, const struct sweep_outcomes *outcomes) {
    switch (figure->of) {
    case SWEEP_OF_PROJECT:
        return &outcomes->projects[figure->index];
    case SWEEP_OF_RESOURCE:
        return &outcomes->resources[figure->index];
    default:
        return &outcomes->host;
    }
}

double vcs_swp_figure_of(const struct sweep_figure *figure, const struct sweep_outcomes *outcomes) {
    double value;
    uint64_t count;
    if (figure->grid != NULL) {
        return vcs_swp_grid_figure_value(figure->grid, outcomes->grid, 0, figure->index);
    }
    if (figure->compared != SWEEP_NOT_COMPARED) {
        return figure->compared == SWEEP_LOST         ? outcomes->lost
               : figure->compared == SWEEP_LEAST_LOSS ? outcomes->least
                                                      : outcomes->lost - outcomes->least;
    }
    if ((outcomes->host.flags & figure->undefined) != 0) {
        return NAN;
    }
    const unsigned char *field = (const unsigned char *)record_of(figure, outcomes) + figure->offset;
    if (figure->whole) {
        memcpy(&count, field, sizeof count);
        return (double)count;
    }
    memcpy(&value, field, sizeof value);
    return value;
}
