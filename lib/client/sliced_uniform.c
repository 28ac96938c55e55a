/* SPDX-License-Identifier: MIT */
#include "client/priority.h"
#include "client/sliced.h"

#include <string.h>

/*
 * With tasks of one CPU each and no limits, a pick comes down to how many tasks of each contender run: those with keys
 * below a threshold, which hardly moves from one step to the next. The work of late keeps the contenders abreast, so
 * many keys lie close to it; the few tasks that the old threshold lets in too many or too few are found with a tree.
 *
 * Keys are computed approximately, with one multiplication each, and exactly only where the approximate ones are too
 * close to tell: so the outcome is that of the exact ones always.
 */

/*
 * Approximate keys are right to within this part of the largest number that went into any of them: some ten roundings
 * of 2^-53, with a margin of 100.
 */
#define TOLERANCE 1e-13

void vcs_uniform_follow(vcs_sliced *sim, uint32_t c) {
    const vcs_contender *contender = &sim->contenders[c];
    const vcs_account *account = &sim->accounts[contender->account];
    const double weight = sim->uniform.weight[c];
    sim->uniform.rate[c] = (sim->freeze ? account->rec : account->rate) * weight;
    sim->uniform.scaled[c] = sim->freeze ? 0.0 : account->scaled * weight;
}

/* ---- Where the order is decided ---- */

/* Between the greatest key among the tasks that run and the least among those that do not. */
typedef struct cut {
    uint32_t out; /* contender of the greatest; on ties the one listed last */
    uint32_t in;  /* contender of the least; on ties the one listed first */
    double last;  /* -infinity if nothing runs */
    double next;  /* +infinity if nothing waits */
} cut;

static double next_key(const vcs_uniform *uniform, uint32_t c) {
    return uniform->key[c] + uniform->count[c] * uniform->load[c];
}

static double last_key(const vcs_uniform *uniform, uint32_t c) {
    return uniform->key[c] + ((double)uniform->count[c] - 1.0) * uniform->load[c];
}

static cut find_cut(const vcs_uniform *uniform, uint32_t first, uint32_t end) {
    cut at = {first, first, -VCS_INFINITY, VCS_INFINITY};
    for (uint32_t c = first; c < end; c++) {
        const double next = next_key(uniform, c);
        const double last = last_key(uniform, c);
        if (last >= at.last && uniform->count[c] > 0) {
            at.last = last;
            at.out = c;
        }
        if (next < at.next && uniform->count[c] < uniform->limit[c]) {
            at.next = next;
            at.in = c;
        }
    }
    return at;
}

/* The contender of the least key that was not taken. Some task waits. */
static uint32_t find_next(const vcs_uniform *uniform, uint32_t first, uint32_t end) {
    double least = VCS_INFINITY;
    uint32_t found = first;
    for (uint32_t c = first; c < end; c++) {
        const double next = next_key(uniform, c);
        if (next < least && uniform->count[c] < uniform->limit[c]) {
            least = next;
            found = c;
        }
    }
    return found;
}

/* The contender of the greatest key that was taken. Some task runs. */
static uint32_t find_last(const vcs_uniform *uniform, uint32_t first, uint32_t end) {
    double greatest = -VCS_INFINITY;
    uint32_t found = first;
    for (uint32_t c = first; c < end; c++) {
        const double last = last_key(uniform, c);
        if (last > greatest && uniform->count[c] > 0) {
            greatest = last;
            found = c;
        }
    }
    return found;
}

/* ---- Exact keys ---- */

/* The key of the task that follows `count` others of contender c, as the rule states it. */
static double exact_key(const vcs_sliced *sim, uint32_t c, double count) {
    const vcs_contender *contender = &sim->contenders[c];
    const double rec = vcs_account_now(sim, &sim->accounts[contender->account]);
    return -vcs_priority_of_fraction(rec + count * contender->load_coefficient, contender->rec_sum,
                                     contender->fraction);
}

static cut find_exact_cut(const vcs_sliced *sim, uint32_t first, uint32_t end) {
    const vcs_uniform *uniform = &sim->uniform;
    cut at = {first, first, -VCS_INFINITY, VCS_INFINITY};
    for (uint32_t c = first; c < end; c++) {
        const double count = uniform->count[c];
        const double last = count > 0.0 ? exact_key(sim, c, count - 1.0) : -VCS_INFINITY;
        const double next = uniform->count[c] < uniform->limit[c] ? exact_key(sim, c, count) : VCS_INFINITY;
        if (count > 0.0 && last >= at.last) {
            at.last = last;
            at.out = c;
        }
        if (next < at.next) {
            at.next = next;
            at.in = c;
        }
    }
    return at;
}

/* Exchanges tasks by their exact keys until the order is right. */
static void settle_exactly(vcs_sliced *sim, uint32_t first, uint32_t end) {
    for (;;) {
        const cut at = find_exact_cut(sim, first, end);
        if (at.last < at.next || (at.last == at.next && at.out <= at.in)) {
            return;
        }
        sim->uniform.count[at.out]--;
        sim->uniform.count[at.in]++;
    }
}

/* ---- Approximate keys ---- */

/* What a pass over the keys finds. */
typedef struct overview {
    uint32_t running; /* tasks below the threshold */
    double largest;   /* the largest number that went into a key */
} overview;

/* Fills in the keys of the first tasks and lets every task below the threshold run. */
static overview run_below(const vcs_uniform *uniform, uint32_t first, uint32_t end, double decay, double threshold) {
    overview found = {0, 0.0};
    for (uint32_t c = first; c < end; c++) {
        const double moving = uniform->scaled[c] * decay;
        const double size = uniform->rate[c] + (moving < 0.0 ? -moving : moving);
        const double sum = uniform->rate[c] + moving;
        const double key = sum > 0.0 ? sum : 0.0; /* rounding alone could make it negative */
        const double below = (threshold - key) * uniform->per_load[c];
        uint32_t count = uniform->limit[c];
        if (below < count) {
            count = below < 0.0 ? 0 : (uint32_t)(int64_t)below + 1;
            count = count < uniform->limit[c] ? count : uniform->limit[c];
        }
        uniform->key[c] = key;
        uniform->count[c] = count;
        found.running += count;
        found.largest = size > found.largest ? size : found.largest;
    }
    return found;
}

/* A key as a number for a tree: keys are not negative, and such doubles order as their bits do. */
static int64_t tree_key(double key) {
    int64_t bits;
    memcpy(&bits, &key, sizeof bits);
    return bits;
}

static int64_t next_leaf(const vcs_uniform *uniform, uint32_t c) {
    return uniform->count[c] < uniform->limit[c] ? tree_key(next_key(uniform, c)) : VCS_TREE_EMPTY;
}

static int64_t last_leaf(const vcs_uniform *uniform, uint32_t c) {
    return uniform->count[c] > 0 ? -tree_key(last_key(uniform, c)) : VCS_TREE_EMPTY;
}

/* Lets the `missing` tasks of least keys run as well; or, with last_leaf and -1, takes back those of greatest keys. */
static void move_cut(const vcs_uniform *uniform, uint32_t first, uint32_t end, uint32_t missing,
                     int64_t (*leaf_of)(const vcs_uniform *, uint32_t), uint32_t step) {
    const uint32_t width = vcs_tree_width(end - first);
    int64_t *tree = uniform->tree;
    vcs_tree_clear(tree, width);
    for (uint32_t c = first; c < end; c++) {
        tree[width + c - first] = leaf_of(uniform, c);
    }
    vcs_tree_build(tree, width);
    for (; missing > 0; missing--) {
        const uint32_t leaf = vcs_tree_first_below(tree, width, 0, vcs_tree_least(tree) + 1);
        uniform->count[first + leaf] += step;
        vcs_tree_set(tree, width, leaf, leaf_of(uniform, first + leaf));
    }
}

/* Few enough tasks to look for one by one; for more, a tree is faster. */
#define FEW 5u

/* Puts the number of running tasks right. */
static void move_to(const vcs_uniform *uniform, uint32_t first, uint32_t end, uint32_t running, uint32_t places) {
    if (places > running + FEW) {
        move_cut(uniform, first, end, places - running, next_leaf, 1);
        return;
    }
    if (running > places + FEW) {
        move_cut(uniform, first, end, running - places, last_leaf, UINT32_MAX);
        return;
    }
    for (; running < places; running++) {
        uniform->count[find_next(uniform, first, end)]++;
    }
    for (; running > places; running--) {
        uniform->count[find_last(uniform, first, end)]--;
    }
}

/* The threshold moves evenly: where it is now, to judge by the last two picks of the same group. */
static double foresee_threshold(const vcs_uniform *uniform, uint32_t first, int64_t now) {
    if (uniform->settled != first) {
        return 0.0;
    }
    return uniform->threshold + uniform->drift * (double)(now - uniform->settled_at);
}

static void keep_threshold(vcs_uniform *uniform, uint32_t first, int64_t now, double threshold) {
    const double elapsed = (double)(now - uniform->settled_at);
    if (uniform->settled != first) {
        uniform->drift = 0.0;
    } else if (elapsed > 0.0) {
        uniform->drift = (threshold - uniform->threshold) / elapsed;
    }
    uniform->settled = first;
    uniform->settled_at = now;
    uniform->threshold = threshold;
}

/* Decides how many tasks of each contender run, of a group that has more of them than places. */
static void settle_group(vcs_sliced *sim, uint32_t first, uint32_t end, uint32_t places) {
    vcs_uniform *uniform = &sim->uniform;
    const double threshold = foresee_threshold(uniform, first, sim->now);
    const overview found = run_below(uniform, first, end, sim->decay, threshold);
    move_to(uniform, first, end, found.running, places);
    const cut at = find_cut(uniform, first, end);
    keep_threshold(uniform, first, sim->now, at.last + (at.next - at.last) / 2.0);
    if (at.last >= at.next - TOLERANCE * (found.largest + at.next)) {
        settle_exactly(sim, first, end);
    }
}

/* ---- The pick ---- */

static void run_all(const vcs_uniform *uniform, uint32_t first, uint32_t end) {
    for (uint32_t c = first; c < end; c++) {
        uniform->count[c] = uniform->limit[c];
    }
}

static void run_none(const vcs_uniform *uniform, uint32_t first, uint32_t end) {
    for (uint32_t c = first; c < end; c++) {
        uniform->count[c] = 0;
    }
}

static void move_fronts(vcs_sliced *sim) {
    const vcs_uniform *uniform = &sim->uniform;
    for (uint32_t c = 0; c < sim->contender_count; c++) {
        const uint32_t count = uniform->count[c];
        if (uniform->running[c] == count) {
            continue;
        }
        const uint32_t queue = sim->contenders[c].first_queue;
        for (; uniform->running[c] > count; uniform->running[c]--) {
            vcs_front_pause(sim, queue);
        }
        for (; uniform->running[c] < count; uniform->running[c]++) {
            vcs_front_run(sim, queue);
        }
    }
}

void vcs_uniform_pick(vcs_sliced *sim) {
    const vcs_uniform *uniform = &sim->uniform;
    uint32_t places = sim->pools[0].instances;
    for (uint32_t group = 0; group < uniform->group_count; group++) {
        const uint32_t first = uniform->group_start[group], end = uniform->group_start[group + 1];
        const uint32_t unfinished = uniform->unfinished[group];
        if (places == 0) {
            run_none(uniform, first, end);
        } else if (unfinished <= places) {
            run_all(uniform, first, end);
            places -= unfinished;
        } else {
            settle_group(sim, first, end, places);
            places = 0;
        }
    }
    move_fronts(sim);
    sim->pools[0].free = (int64_t)places * VCS_ONE;
}

void vcs_uniform_finish(vcs_sliced *sim, uint32_t c) {
    sim->uniform.limit[c]--;
    sim->uniform.running[c]--;
    sim->uniform.unfinished[sim->contenders[c].group]--;
}
