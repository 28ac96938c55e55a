/* SPDX-License-Identifier: MIT */
#include "plan/plan_tables.h"

#include <string.h>

#include "plan/plan_without.h"
#include "text/paragraph.h"

/* Tasks named in a note; beyond that, only how many there are. */
#define NAMES_SHOWN 3u

/* "a, b, c and 2 more". */
struct listed {
    uint32_t count;
    char names[NAMES_SHOWN * (sizeof(struct quote) + 2) + 32];
};

static void list_task(struct listed *listed, const struct plan *plan, uint32_t task) {
    const size_t used = strlen(listed->names);
    if (listed->count++ < NAMES_SHOWN) {
        snprintf(listed->names + used, sizeof listed->names - used, "%s%s", used == 0 ? "" : ", ",
                 vcs_scn_fault_quote(vcs_scn_state_file_name(plan->file, STATE_TASK, task)).text);
    }
}

static void end_list(struct listed *listed) {
    const size_t used = strlen(listed->names);
    if (listed->count > NAMES_SHOWN) {
        snprintf(listed->names + used, sizeof listed->names - used, " and %u more",
                 (unsigned)(listed->count - NAMES_SHOWN));
    }
}

static bool is_named(const struct plan *plan, uint32_t task, const void *context) {
    (void)context;
    return plan_is_hopeless(plan, task) && !plan_gives_up(plan, task);
}

static struct listed list_hopeless(const struct plan *plan) {
    struct listed listed = {.count = 0};
    for (uint32_t i = 0; i < plan->file->counts[STATE_TASK]; i++) {
        if (is_named(plan, i, NULL)) {
            list_task(&listed, plan, i);
        }
    }
    end_list(&listed);
    return listed;
}

/* The late tasks that are in time in another plan. */
static struct listed list_saved(const struct plan *plan, const struct plan *other) {
    struct listed listed = {.count = 0};
    for (uint32_t i = 0; i < plan->file->counts[STATE_TASK]; i++) {
        if (plan->tasks[i].verdict == VCS_VERDICT_MISSES && other->tasks[i].verdict == VCS_VERDICT_MEETS) {
            list_task(&listed, plan, i);
        }
    }
    end_list(&listed);
    return listed;
}

/* Says which late tasks the hopeless ones cost. Whether tasks are in time is known of all of them, in their turn. */
static bool print_saved(const struct plan *plan, const struct screen *screen, uint32_t hopeless) {
    struct plan_without without;
    struct listed saved = {.count = 0};
    const bool made = plan_without_make(&without, plan, is_named, NULL);
    if (made) {
        saved = list_saved(plan, &without.plan);
    }
    plan_without_free(&without);
    if (saved.count > 0) {
        char text[sizeof saved.names + 192];
        snprintf(text, sizeof text, "Without %s, %u late task%s would be in time: %s.%s", hopeless == 1 ? "it" : "them",
                 (unsigned)saved.count, saved.count == 1 ? "" : "s", saved.names,
                 plan->file->parameters.save_first ? ""
                                                   : " With save_first = yes, late tasks that can be saved go first.");
        paragraph_print(screen, STYLE_WARNING, 0, text);
    }
    return made;
}

bool plan_print_hopeless(const struct plan *plan, const struct screen *screen) {
    const struct listed listed = list_hopeless(plan);
    char text[sizeof listed.names + 128];
    if (listed.count == 0) {
        return true;
    }
    if (listed.count == 1) {
        snprintf(text, sizeof text, "%s cannot be done in time even alone.", listed.names);
    } else {
        snprintf(text, sizeof text, "%u tasks cannot be done in time even alone: %s.", (unsigned)listed.count,
                 listed.names);
    }
    paragraph_print(screen, STYLE_WARNING, 0, text);
    return print_saved(plan, screen, listed.count);
}
