/*
 * The pick of the uniform form: how many tasks of each competitor run.
 *
 * Rule 4.3; the plain reference is tests/oracle/oracle_sliced.c.
 *
 * Mostly each project runs as many tasks as before, or exchanges one with another project: this is tried first. Many
 * projects exchange nothing: with exchanges alone a whole decision on 10,000 tasks would take a fifth longer for 200
 * projects on 512 CPUs, and twice as long for 1,000 projects.
 *
 * Otherwise tasks with keys below a threshold run. Charging for recent work keeps the competitors close together, so
 * many keys lie near the threshold; but it moves evenly from step to step and can be foreseen, up to a few tasks, which
 * are then put right. With the last threshold instead of the foreseen one, a whole decision on 10,000 tasks would take
 * a fifth longer for 20 projects on 128 CPUs.
 *
 * Keys are approximate, with one multiplication each. Where they are too close to compare, they are computed exactly,
 * so the result is always by exact keys.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/simulation/sliced/uniform_pick.h"

#include "vcsched/core/invariant.h"
#include "vcsched/core/min_tree.h"

#include <string.h>

/*
 * BEYOND_KEYS is greater than every key. Keys stay within the other two: not too great to compare, and not denormal,
 * since a thread may flush denormal numbers to 0, and the mark with them.
 */
#define BEYOND_KEYS 1e300
#define GREATEST_KEY 1e290
#define LEAST_KEY 1e-290

/* Less than every key. */
#define BELOW_KEYS (-1.0)

/*
 * Finding the index of the least key takes a branch for each key, which no processor can predict. So each key carries
 * in its last bits the last bits of its competitor's index, and the search is a row of minima.
 */
#define MARKS 256u

static double marked(double key, uint32_t c) {
    uint64_t bits;
    memcpy(&bits, &key, sizeof bits);
    bits = (bits & ~(uint64_t)(MARKS - 1)) | (c & (MARKS - 1));
    memcpy(&key, &bits, sizeof key);
    return key;
}

/* The competitor of a marked key, among at most MARKS from `start` up to `end`, and never beyond them. */
static uint32_t competitor_of(double key, uint32_t start, uint32_t end) {
    uint64_t bits;
    memcpy(&bits, &key, sizeof bits);
    const uint32_t c = start + (((uint32_t)bits - start) & (MARKS - 1));
    return (uint32_t)vcs_min_u64(c, end - 1);
}

/* ---- Where the order is decided ---- */

/* The boundary between the tasks that run and the tasks that wait. */
typedef struct cut {
    uint32_t out; /* competitor of `last`; on ties the competitor listed last */
    uint32_t in;  /* competitor of `next`; on ties the competitor listed first */
    double last;  /* the greatest key that runs; -infinity if none runs */
    double next;  /* the least key that waits; +infinity if none waits */
} cut;

/* Sets the keys of a competitor on both sides of the cut. */
static inline void set_ends(const vcs_uniform *u, uint32_t c, double key, double count) {
    const double next = key + count * u->load[c];
    const double last = key + (count - 1.0) * u->load[c];
    u->next[c] = marked(count < u->unfinished[c] ? next : BEYOND_KEYS, c);
    u->last[c] = marked(count > 0.0 ? last : BELOW_KEYS, c);
}

/* Whether the keys on both sides of the cut are so far apart that the exact keys have the same order. */
static inline bool is_clear(const vcs_uniform *u, double last, double next) {
    return last < next - VCS_UNIFORM_TOLERANCE * (u->largest + next);
}

static void change_count(const vcs_uniform *u, uint32_t c, double change) {
    const double count = u->count[c] + change;
    VCS_INVARIANT(count >= 0.0 && count <= u->unfinished[c]); /* a waiting task starts, or a running one stops */
    u->count[c] = count;
    set_ends(u, c, u->key[c], count);
}

/* Four minima side by side, since each minimum waits for the previous one. */
static double least_of(const double *keys, uint32_t count) {
    double all = BEYOND_KEYS;
    uint32_t i = 0;
    if (count >= 4) {
        double least[4] = {keys[0], keys[1], keys[2], keys[3]};
        for (i = 4; i + 4 <= count; i += 4) {
            least[0] = vcs_min(keys[i], least[0]);
            least[1] = vcs_min(keys[i + 1], least[1]);
            least[2] = vcs_min(keys[i + 2], least[2]);
            least[3] = vcs_min(keys[i + 3], least[3]);
        }
        all = vcs_min(vcs_min(least[0], least[1]), vcs_min(least[2], least[3]));
    }
    for (; i < count; i++) {
        all = vcs_min(keys[i], all);
    }
    return all;
}

static double greatest_of(const double *keys, uint32_t count) {
    double all = BELOW_KEYS;
    uint32_t i = 0;
    if (count >= 4) {
        double greatest[4] = {keys[0], keys[1], keys[2], keys[3]};
        for (i = 4; i + 4 <= count; i += 4) {
            greatest[0] = vcs_max(keys[i], greatest[0]);
            greatest[1] = vcs_max(keys[i + 1], greatest[1]);
            greatest[2] = vcs_max(keys[i + 2], greatest[2]);
            greatest[3] = vcs_max(keys[i + 3], greatest[3]);
        }
        all = vcs_max(vcs_max(greatest[0], greatest[1]), vcs_max(greatest[2], greatest[3]));
    }
    for (; i < count; i++) {
        all = vcs_max(keys[i], all);
    }
    return all;
}

/* Finds the least key that waits and its competitor. Some task waits. */
static uint32_t find_next(const vcs_uniform *u, uint32_t first, uint32_t end, double *key) {
    uint32_t found = first;
    *key = VCS_INFINITY;
    for (uint32_t start = first; start < end; start += MARKS) {
        const double least = least_of(&u->next[start], end - start < MARKS ? end - start : MARKS);
        if (least < *key) {
            *key = least;
            found = competitor_of(least, start, end);
        }
    }
    return found;
}

/* Finds the greatest key that runs and its competitor. Some task runs. */
static uint32_t find_last(const vcs_uniform *u, uint32_t first, uint32_t end, double *key) {
    uint32_t found = first;
    *key = -VCS_INFINITY;
    for (uint32_t start = first; start < end; start += MARKS) {
        const double greatest = greatest_of(&u->last[start], end - start < MARKS ? end - start : MARKS);
        if (greatest > *key) {
            *key = greatest;
            found = competitor_of(greatest, start, end);
        }
    }
    return found;
}

static cut find_cut(const vcs_uniform *u, uint32_t first, uint32_t end) {
    cut at;
    at.in = find_next(u, first, end, &at.next);
    at.out = find_last(u, first, end, &at.last);
    return at;
}

/* ---- Exact keys ---- */

/* The key of rule 1.5 for the task behind `count` others of competitor c. */
static double exact_key(vcs_uniform *u, uint32_t c, double count) {
    const vcs_sliced_competitor *competitor = &u->sim.competitors[c];
    const vcs_priority_sums *sums = &u->sim.resources[0].sums;
    const double rec = vcs_sliced_rec(&u->sim, &u->sim.accounts[competitor->account]);
    return -vcs_priority_of_fraction(rec + count * sums->load_coefficient, sums->rec, competitor->fraction);
}

static cut find_exact_cut(vcs_uniform *u, uint32_t first, uint32_t end) {
    cut at = {first, first, -VCS_INFINITY, VCS_INFINITY};
    for (uint32_t c = first; c < end; c++) {
        const double count = u->count[c];
        const double last = count > 0.0 ? exact_key(u, c, count - 1.0) : -VCS_INFINITY;
        const double next = u->count[c] < u->unfinished[c] ? exact_key(u, c, count) : VCS_INFINITY;
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
static void settle_exactly(vcs_uniform *u, uint32_t first, uint32_t end) {
    for (;;) {
        const cut at = find_exact_cut(u, first, end);
        u->sim.effort += end - first;
        if (at.last < at.next || (at.last == at.next && at.out <= at.in)) {
            return;
        }
        const double fewer = u->count[at.out] - 1.0;
        VCS_INVARIANT(fewer >= 0.0); /* the greatest key is a running task's */
        u->count[at.out] = fewer;
        const double more = u->count[at.in] + 1.0;
        VCS_INVARIANT(more <= u->unfinished[at.in]); /* the least key is a waiting task's */
        u->count[at.in] = more;
    }
}

/* ---- Approximate keys ---- */

/*
 * Adding and subtracting this number rounds to a whole number. The direction on ties, or near them, does not matter:
 * where a key meets the threshold exactly, the threshold decides nothing.
 */
#define ROUNDER 0x1.8p52

/* The key of a competitor's first task. Rounding could make the sum negative. */
static inline double key_of_first(const vcs_uniform *u, uint32_t c, double decay) {
    return vcs_min(vcs_max(u->rate[c] + u->scaled[c] * decay, LEAST_KEY), GREATEST_KEY);
}

/* Fills in the keys and runs every task below the threshold; returns the number of tasks. */
static double run_below(const vcs_uniform *u, uint32_t first, uint32_t end, double decay, double threshold) {
    double running = 0.0;
    for (uint32_t c = first; c < end; c++) {
        const double key = key_of_first(u, c, decay);
        const double below = (threshold - key) * u->per_load[c] + 0.5;
        const double count = (vcs_min(vcs_max(below, 0.0), u->unfinished[c]) + ROUNDER) - ROUNDER;
        VCS_INVARIANT(VCS_IS_NUMBER(count)); /* if `below` is NaN, vcs_max() with 0 is 0 */
        u->key[c] = key;
        u->count[c] = count;
        set_ends(u, c, key, count);
        running += count;
    }
    return running;
}

/* A key as an integer for a tree: positive doubles are ordered like their bits. */
static int64_t tree_key(double key) {
    int64_t bits;
    memcpy(&bits, &key, sizeof bits);
    VCS_INVARIANT(bits >= 0 && bits < VCS_TREE_EMPTY); /* neither negative nor NaN */
    return bits;
}

static int64_t next_leaf(const vcs_uniform *u, uint32_t c) {
    return u->count[c] < u->unfinished[c] ? tree_key(u->next[c]) : VCS_TREE_EMPTY;
}

static int64_t last_leaf(const vcs_uniform *u, uint32_t c) {
    return u->count[c] > 0.0 ? -tree_key(u->last[c]) : VCS_TREE_EMPTY;
}

/* Runs `missing` more tasks, least keys first; with last_leaf and -1 stops as many, greatest keys first. */
static void move_cut(const vcs_uniform *u, uint32_t first, uint32_t end, double missing,
                     int64_t (*leaf_of)(const vcs_uniform *, uint32_t), double step) {
    const uint32_t width = vcs_tree_width(end - first);
    int64_t *tree = u->tree;
    vcs_tree_clear(tree, width);
    for (uint32_t c = first; c < end; c++) {
        tree[width + c - first] = leaf_of(u, c);
    }
    vcs_tree_build(tree, width);
    for (; missing > 0.0; missing -= 1.0) {
        const int64_t least = vcs_tree_least(tree);
        VCS_INVARIANT(least < VCS_TREE_EMPTY); /* at least `missing` tasks wait or run */
        const uint32_t leaf = vcs_tree_first_below(tree, width, 0, least + 1);
        VCS_INVARIANT(leaf < end - first); /* the leaves behind are empty */
        change_count(u, first + leaf, step);
        vcs_tree_set(tree, width, leaf, leaf_of(u, first + leaf));
    }
}

/* Up to so many tasks are looked for one by one; for more, a tree is faster. */
#define FEW 5.0

/* Corrects the number of running tasks to the number of CPUs. */
static void move_to(const vcs_uniform *u, uint32_t first, uint32_t end, double running, double cpus) {
    double key;
    if (cpus > running + FEW) {
        move_cut(u, first, end, cpus - running, next_leaf, 1.0);
        return;
    }
    if (running > cpus + FEW) {
        move_cut(u, first, end, running - cpus, last_leaf, -1.0);
        return;
    }
    for (; running < cpus; running += 1.0) {
        change_count(u, find_next(u, first, end, &key), 1.0);
    }
    for (; running > cpus; running -= 1.0) {
        change_count(u, find_last(u, first, end, &key), -1.0);
    }
}

/* The present threshold, extrapolated from the last two picks of the same group: it moves evenly. */
static double foresee_threshold(const vcs_uniform *u, uint32_t first, int64_t now) {
    if (u->settled != first) {
        return 0.0;
    }
    return u->threshold + u->drift * (double)(now - u->settled_at);
}

/* Remembers the threshold, halfway between the two keys. */
static void keep_threshold(vcs_uniform *u, uint32_t first, int64_t now, double last, double next) {
    const double threshold = last + (next - last) / 2.0;
    const double elapsed = (double)(now - u->settled_at);
    if (u->settled != first) {
        u->drift = 0.0;
    } else if (elapsed > 0.0) {
        u->drift = (threshold - u->threshold) / elapsed;
    }
    u->settled = first;
    u->settled_at = now;
    u->threshold = threshold;
}

/* ---- Going on as before ---- */

/* With more competitors or exchanges, it is faster to begin with the threshold. */
#define FEW_COMPETITORS 32u
#define MOST_EXCHANGES 4u

/* Picks that begin with the threshold after going on as before has failed. */
#define PAUSE 16u

/* Runs the unfinished tasks that ran before, and fills in the keys. Returns how many tasks have finished. */
static double run_on(const vcs_uniform *u, uint32_t first, uint32_t end, double *last, double *next) {
    const double decay = u->sim.decay;
    double finished = 0.0, least = BEYOND_KEYS, greatest = BELOW_KEYS;
    for (uint32_t c = first; c < end; c++) {
        const double key = key_of_first(u, c, decay), count = vcs_min(u->unfinished[c], u->count[c]);
        finished += u->count[c] - count;
        u->key[c] = key;
        u->count[c] = count;
        set_ends(u, c, key, count);
        least = vcs_min(u->next[c], least);
        greatest = vcs_max(u->last[c], greatest);
    }
    *last = greatest;
    *next = least;
    return finished;
}

/*
 * Goes on as before, with a few exchanges, and counts them in `changes`. Nothing changes in three of four picks, since
 * another task of the same project mostly follows a finished one. Returns false if more would have to change, or two
 * keys are too close. This saves 20 % of the instructions of all decisions on 50 tasks of four projects on 8 CPUs.
 */
static bool amend(vcs_uniform *u, uint32_t first, uint32_t end, uint32_t *changes) {
    const uint32_t most = end - first <= FEW_COMPETITORS ? MOST_EXCHANGES : 0;
    double last, next, missing = run_on(u, first, end, &last, &next);
    for (*changes = missing > 0.0;; ++*changes) {
        if (missing == 0.0 && is_clear(u, last, next)) {
            keep_threshold(u, first, u->sim.now, last, next);
            return true;
        }
        if (*changes >= most || (missing == 0.0 && !is_clear(u, next, last))) {
            return false;
        }
        if (missing == 0.0) {
            change_count(u, competitor_of(last, first, end), -1.0);
            missing = 1.0;
        }
        change_count(u, competitor_of(next, first, end), 1.0);
        missing -= 1.0;
        next = least_of(&u->next[first], end - first);
        last = greatest_of(&u->last[first], end - first);
    }
}

/* ---- The pick ---- */

/* Decides how many tasks of each competitor run, in a group with more tasks than CPUs. */
static void settle_anew(vcs_uniform *u, uint32_t first, uint32_t end, uint32_t cpus) {
    const double threshold = foresee_threshold(u, first, u->sim.now);
    const double running = run_below(u, first, end, u->sim.decay, threshold);
    move_to(u, first, end, running, cpus);
    const cut at = find_cut(u, first, end);
    keep_threshold(u, first, u->sim.now, at.last, at.next);
    u->cpus = cpus;
    if (!is_clear(u, at.last, at.next)) {
        settle_exactly(u, first, end);
    }
}

/* Likewise. Returns whether each competitor runs as many as before. */
static bool settle_group(vcs_uniform *u, uint32_t first, uint32_t end, uint32_t cpus) {
    uint32_t changes;
    if (u->settled != first || u->cpus != cpus) {
        u->until_amended = 0;
    } else if (u->until_amended > 0) {
        u->until_amended--;
    } else if (amend(u, first, end, &changes)) {
        return changes == 0;
    } else {
        u->until_amended = PAUSE;
    }
    settle_anew(u, first, end, cpus);
    return false;
}

bool vcs_uniform_pick(vcs_uniform *u) {
    uint32_t cpus = u->sim.resources[0].instances;
    bool as_before = false;
    for (uint32_t group = 0; group < u->group_count; group++) {
        const uint32_t first = u->group_start[group], end = u->group_start[group + 1];
        const uint32_t unfinished = u->group_unfinished[group];
        if (cpus == 0) {
            for (uint32_t c = first; c < end; c++) {
                u->count[c] = 0.0;
            }
        } else if (unfinished <= cpus) {
            for (uint32_t c = first; c < end; c++) {
                u->count[c] = u->unfinished[c];
            }
            cpus -= unfinished;
        } else if (u->alone) {
            as_before = u->count[first] == cpus;
            u->count[first] = cpus;
            cpus = 0;
        } else {
            as_before = settle_group(u, first, end, cpus);
            cpus = 0;
        }
    }
    u->sim.resources[0].free = (int64_t)cpus * VCS_ONE;
    return as_before && u->group_count == 1;
}
