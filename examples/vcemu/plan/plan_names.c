/* SPDX-License-Identifier: MIT */
#include "plan/plan_names.h"

#include <string.h>
#include <wctype.h>

#include "vcemu/scenario/text/utf8.h"

/* Names listed if several fit; beyond that, only how many there are. */
#define FITTING_SHOWN 5u

/* Names suggested if none fits. */
#define SUGGESTED 3u

/* Characters of a name that count when names are compared for a suggestion. */
#define COMPARED 64u

/* ---- Characters ---- */

/* The next character, in lower case as far as libc knows it; 0 at the end. */
static uint32_t next_character(const char **text) {
    uint32_t code = 0;
    size_t length = vcs_scn_utf8_decode(*text, &code);
    if (length == 0 && **text != '\0') {
        code = (unsigned char)**text; /* not UTF-8, which no name is */
        length = 1;
    }
    *text += length;
    return code <= WCHAR_MAX ? (uint32_t)towlower((wint_t)code) : code;
}

static size_t count_characters(const char *text) {
    size_t count = 0;
    while (next_character(&text) != 0) {
        count++;
    }
    return count;
}

/* Whether `text` begins with what stands before `end`, in any case. */
static bool begins_with(const char *text, const char *head, const char *end) {
    while (head < end) {
        if (next_character(&text) != next_character(&head)) {
            return false;
        }
    }
    return true;
}

/* ---- What fits ---- */

static bool fits_exactly(const char *name, const char *wanted) {
    return strcmp(name, wanted) == 0;
}

static bool fits_in_any_case(const char *name, const char *wanted) {
    return begins_with(name, wanted, wanted + strlen(wanted)) && count_characters(name) == count_characters(wanted);
}

static bool fits_around(const char *name, const char *wanted, const char *ellipsis) {
    const char *gap = strstr(wanted, ellipsis);
    if (gap == NULL) {
        return false;
    }
    const char *tail = gap + strlen(ellipsis);
    const size_t all = count_characters(name), last = count_characters(tail);
    const size_t shown = count_characters(wanted) - count_characters(ellipsis);
    const char *rest = name;
    for (size_t i = last; i < all; i++) {
        next_character(&rest);
    }
    return gap > wanted && shown < all && begins_with(name, wanted, gap) && fits_in_any_case(rest, tail);
}

static bool fits_shortened(const char *name, const char *wanted) {
    const struct screen ascii = {.unicode = false}, unicode = {.unicode = true};
    return fits_around(name, wanted, screen_ellipsis(&ascii)) || fits_around(name, wanted, screen_ellipsis(&unicode));
}

static bool fits_the_beginning(const char *name, const char *wanted) {
    return wanted[0] != '\0' && begins_with(name, wanted, wanted + strlen(wanted));
}

/* ---- What there is ---- */

static uint32_t count_of(const struct plan *plan, enum plan_kind kind) {
    return kind == PLAN_PROJECT ? plan->file->counts[STATE_PROJECT]
           : kind == PLAN_TASK  ? plan->file->counts[STATE_TASK]
                                : vcs_scn_state_file_resource_count(plan->file);
}

static const char *name_of(const struct plan *plan, enum plan_kind kind, uint32_t index) {
    return kind == PLAN_RESOURCE
               ? vcs_scn_state_file_resource_name(plan->file, index)
               : vcs_scn_state_file_name(plan->file, kind == PLAN_TASK ? STATE_TASK : STATE_PROJECT, index);
}

/* The different names that fit. */
struct fitting {
    const char *names[FITTING_SHOWN];
    uint32_t count;
};

static void add_fitting(struct fitting *fitting, const char *name) {
    for (uint32_t i = 0; i < fitting->count && i < FITTING_SHOWN; i++) {
        if (strcmp(fitting->names[i], name) == 0) {
            return;
        }
    }
    if (fitting->count < FITTING_SHOWN) {
        fitting->names[fitting->count] = name;
    }
    fitting->count++;
}

static struct fitting find_fitting(const struct plan *plan, const char *wanted, struct plan_named *named,
                                   bool (*fits)(const char *, const char *)) {
    struct fitting fitting = {.count = 0};
    for (uint32_t kind = 0; kind < PLAN_KINDS; kind++) {
        named->index[kind] = VCS_NONE;
        for (uint32_t i = 0; i < count_of(plan, kind); i++) {
            if (fits(name_of(plan, kind, i), wanted)) {
                add_fitting(&fitting, name_of(plan, kind, i));
                named->index[kind] = i;
            }
        }
    }
    return fitting;
}

/* The different names of the projects, for who knows none. */
static struct fitting find_projects(const struct plan *plan) {
    struct fitting fitting = {.count = 0};
    for (uint32_t i = 0; i < count_of(plan, PLAN_PROJECT); i++) {
        add_fitting(&fitting, name_of(plan, PLAN_PROJECT, i));
    }
    return fitting;
}

/* ---- What comes near ---- */

/* How many characters must be changed, added or left out to make one text the other. */
static size_t difference(const char *one, const char *other) {
    size_t row[COMPARED + 1];
    uint32_t first[COMPARED], code;
    size_t length = 0;
    while (length < COMPARED && (code = next_character(&one)) != 0) {
        first[length++] = code;
    }
    for (size_t i = 0; i <= length; i++) {
        row[i] = i;
    }
    for (size_t line = 0; line < COMPARED && (code = next_character(&other)) != 0; line++) {
        size_t corner = row[0];
        row[0] = line + 1;
        for (size_t i = 0; i < length; i++) {
            const size_t changed = corner + (first[i] != code);
            const size_t longer = (row[i] < row[i + 1] ? row[i] : row[i + 1]) + 1;
            corner = row[i + 1];
            row[i + 1] = changed < longer ? changed : longer;
        }
    }
    return row[length];
}

static bool contains(const char *name, const char *wanted) {
    for (const char *at = name; *at != '\0'; next_character(&at)) {
        if (fits_the_beginning(at, wanted)) {
            return true;
        }
    }
    return false;
}

/* The nearest names, the nearest first. */
struct near {
    const char *names[SUGGESTED];
    size_t differences[SUGGESTED];
    uint32_t count;
};

static void add_near(struct near *near, const char *name, size_t difference) {
    uint32_t place = near->count;
    for (uint32_t i = 0; i < near->count; i++) {
        if (strcmp(near->names[i], name) == 0) {
            return;
        }
    }
    near->count += near->count < SUGGESTED;
    for (; place > 0 && near->differences[place - 1] > difference; place--) {
        if (place < SUGGESTED) {
            near->names[place] = near->names[place - 1];
            near->differences[place] = near->differences[place - 1];
        }
    }
    if (place < SUGGESTED) {
        near->names[place] = name;
        near->differences[place] = difference;
    }
}

/* Up to a third of the characters may be wrong; a name with the text somewhere in it comes after these. */
static struct near find_near(const struct plan *plan, const char *wanted) {
    const size_t length = count_characters(wanted), most = length < 3 ? 1 : length / 3;
    struct near near = {.count = 0};
    for (uint32_t kind = 0; kind < PLAN_KINDS; kind++) {
        for (uint32_t i = 0; i < count_of(plan, kind); i++) {
            const char *name = name_of(plan, kind, i);
            const size_t wrong = difference(wanted, name);
            if (wrong <= most) {
                add_near(&near, name, wrong);
            } else if (contains(name, wanted)) {
                add_near(&near, name, most + 1);
            }
        }
    }
    return near;
}

/* ---- By name ---- */

/* "a", "b" and "c", where `last` is " and ". Of more than are listed, the last words say how many there are. */
struct listing {
    char text[FITTING_SHOWN * (sizeof(struct quote) + 8) + 32];
};

static struct listing list_names(const char *const *names, uint32_t count, uint32_t shown, const char *last) {
    struct listing listing = {""};
    for (uint32_t i = 0; i < count && i < shown; i++) {
        const size_t used = strlen(listing.text);
        snprintf(listing.text + used, sizeof listing.text - used, "%s\"%s\"",
                 i == 0           ? ""
                 : i + 1 == count ? last
                                  : ", ",
                 vcs_scn_fault_quote(names[i]).text);
    }
    if (count > shown) {
        const size_t used = strlen(listing.text);
        snprintf(listing.text + used, sizeof listing.text - used, "%s%u more", last, (unsigned)(count - shown));
    }
    return listing;
}

static bool refuse_many(const struct plan *plan, const char *wanted, const struct fitting *fitting,
                        struct fault *fault) {
    return vcs_scn_fault_set(fault, "%s: \"%s\" may mean %s; write the whole name", plan->file->document.file,
                             vcs_scn_fault_quote(wanted).text,
                             list_names(fitting->names, fitting->count, FITTING_SHOWN, " or ").text);
}

static bool refuse_unknown(const struct plan *plan, const char *wanted, struct fault *fault) {
    const struct near near = find_near(plan, wanted);
    const char *file = plan->file->document.file;
    const struct quote quote = vcs_scn_fault_quote(wanted);
    if (near.count == 0) {
        const struct fitting all = find_projects(plan);
        return vcs_scn_fault_set(
            fault, "%s: there is no project, task or resource \"%s\"%s%s", file, quote.text,
            all.count == 0 ? "" : "; projects: ", list_names(all.names, all.count, FITTING_SHOWN, " and ").text);
    }
    return vcs_scn_fault_set(fault, "%s: there is no project, task or resource \"%s\"; did you mean %s?", file,
                             quote.text, list_names(near.names, near.count, SUGGESTED, " or ").text);
}

bool plan_find(const struct plan *plan, const char *name, struct plan_named *named, struct fault *fault) {
    static bool (*const fits[])(const char *, const char *) = {fits_exactly, fits_in_any_case, fits_shortened,
                                                               fits_the_beginning};
    for (size_t i = 0; i < sizeof fits / sizeof *fits; i++) {
        const struct fitting fitting = find_fitting(plan, name, named, fits[i]);
        if (fitting.count > 0) {
            return fitting.count == 1 || refuse_many(plan, name, &fitting, fault);
        }
    }
    return refuse_unknown(plan, name, fault);
}
