/* SPDX-License-Identifier: MIT */
#include "plan/plan_explain.h"
#include "plan/plan_without.h"
#include "text/wording.h"

#define LABEL "what would save it"
/* Tasks that are left out, one after the other, to see whether that saves another: each takes a plan. */
#define TRIALS 64u

/* How a late task fares without some other tasks. */
struct trial {
    bool made; /* false: memory is short */
    bool is_saved;
    double finish;
};

static bool is_hopeless(const struct plan *plan, uint32_t task, const void *context) {
    (void)context;
    return plan_is_hopeless(plan, task);
}

static bool is_this_task(const struct plan *plan, uint32_t task, const void *this_task) {
    (void)plan;
    return task == *(const uint32_t *)this_task;
}

static struct trial try_without(const struct plan *plan, uint32_t late, plan_leaves_out *leaves_out,
                                const void *context) {
    struct plan_without other;
    struct trial trial = {.made = plan_without_make(&other, plan, leaves_out, context)};
    if (trial.made) {
        const bool meets = other.plan.tasks[late].verdict == VCS_VERDICT_MEETS;
        trial.is_saved = meets || plan_is_early(&other.plan, late);
        trial.finish = meets ? other.plan.tasks[late].finish : other.plan.early[late].finish;
    }
    plan_without_free(&other);
    return trial;
}

/* Whether giving up a task may help another: it is late as well, or runs now. */
static bool is_rival(const struct plan *plan, uint32_t task, uint32_t late) {
    return task != late && (plan->decisions[task].run || plan->tasks[task].verdict == VCS_VERDICT_MISSES);
}

/* The shortest task that saves this one by being given up; VCS_NONE if no task does. */
static uint32_t find_rival(const struct plan *plan, uint32_t late, struct trial *best) {
    uint32_t found = VCS_NONE, trials = 0;
    for (uint32_t i = 0; i < plan->file->counts[STATE_TASK] && trials < TRIALS; i++) {
        const double remaining = plan->file->tasks[i].remaining;
        if (is_rival(plan, i, late) && (found == VCS_NONE || remaining < plan->file->tasks[found].remaining)) {
            const struct trial trial = try_without(plan, late, is_this_task, &i);
            trials++;
            if (trial.is_saved) {
                found = i;
                *best = trial;
            }
        }
    }
    return found;
}

void explain_saving(const struct plan *plan, uint32_t task, const struct screen *screen) {
    if (plan_is_hopeless(plan, task)) {
        explain_tell(screen, LABEL, "nothing here: it has more work left than time to its deadline");
        return;
    }
    if (plan_is_early(plan, task) && plan->early[task].finish < plan->tasks[task].finish) {
        explain_tell(screen, LABEL, "going first, as late tasks do: it then ends in %s",
                     word_duration(plan->early[task].finish).text);
        return;
    }
    if (plan_slack(plan, task) >= 0) {
        explain_tell(screen, LABEL, "nothing needed: it is in time, only closer to its deadline than the policy keeps");
        return;
    }
    struct trial trial = try_without(plan, task, is_hopeless, NULL);
    if (trial.is_saved) {
        explain_tell(screen, LABEL, "%s tasks that cannot be done in time: it then ends in %s",
                     plan->file->parameters.save_first ? "going, as it does, before"
                                                       : "save_first = yes, which lets it go before",
                     word_duration(trial.finish).text);
        return;
    }
    const uint32_t rival = find_rival(plan, task, &trial);
    if (rival != VCS_NONE) {
        explain_tell(screen, LABEL, "giving up %s: it then ends in %s",
                     vcs_scn_fault_quote(vcs_scn_state_file_name(plan->file, STATE_TASK, rival)).text,
                     word_duration(trial.finish).text);
    } else {
        explain_tell(screen, LABEL, "neither another order nor giving up one other task");
    }
}
