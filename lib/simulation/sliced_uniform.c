/* SPDX-License-Identifier: MIT */
#include "accounts/priority_sums.h"
#include "simulation/sliced.h"

#include <string.h>

/*
 * With tasks of one CPU each and no limits, a pick comes down to how many tasks of each competitor run: those with keys
 * below a threshold, which hardly moves from one step to the next. The work of late keeps the competitors abreast, so
 * many keys lie close to it; the few tasks that the old threshold lets in too many or too few are found with a tree.
 *
 * Keys are computed approximately, with one multiplication each, and exactly only where the approximate ones are too
 * close to tell: so the outcome is that of the exact ones always.
 */

/*
 * Approximate keys are right to within this part of the largest number that went into any of them: some ten roundings
 * of 2^-53 and the mark in two of them, with a margin of 10.
 */
#define TOLERANCE 1e-12

/* Greater than every key is; none is so great that it cannot be compared. */
#define BEYOND_KEYS 1e300
#define GREATEST_KEY 1e290

/* Less than every key. */
#define BELOW_KEYS (-1.0)

/*
 * Which key is the least could be told by a branch, which nobody can foresee, for each of them. So each carries, in its
 * last bits, the last bits of its competitor's number: looking for the least is a row of minima.
 */
#define MARKS 256u

static double marked(double key, uint32_t c) {
    uint64_t bits;
    memcpy(&bits, &key, sizeof bits);
    bits = (bits & ~(uint64_t)(MARKS - 1)) | (c & (MARKS - 1));
    memcpy(&key, &bits, sizeof key);
    return key;
}

/* Which of the MARKS competitors from `start` on a key is of. */
static uint32_t competitor_of(double key, uint32_t start) {
    uint64_t bits;
    memcpy(&bits, &key, sizeof bits);
    return start + (((uint32_t)bits - start) & (MARKS - 1));
}

/* ---- Where the order is decided ---- */

/* Between the greatest key among the tasks that run and the least among those that do not. */
typedef struct cut {
    uint32_t out; /* competitor of the greatest; on ties the one listed last */
    uint32_t in;  /* competitor of the least; on ties the one listed first */
    double last;  /* -infinity if nothing runs */
    double next;  /* +infinity if nothing waits */
} cut;

/* The keys on both sides of what runs of a competitor. */
static inline void set_ends(const vcs_uniform *uniform, uint32_t c, double key, double count) {
    const double next = key + count * uniform->load[c];
    const double last = key + (count - 1.0) * uniform->load[c];
    uniform->next[c] = marked(count < uniform->limit[c] ? next : BEYOND_KEYS, c);
    uniform->last[c] = marked(count > 0.0 ? last : BELOW_KEYS, c);
}

static void change_count(const vcs_uniform *uniform, uint32_t c, double change) {
    uniform->count[c] += change;
    set_ends(uniform, c, uniform->key[c], uniform->count[c]);
}

static inline double lesser(double a, double b) {
    return a < b ? a : b;
}

static inline double greater(double a, double b) {
    return a > b ? a : b;
}

/* Four minima side by side, since each has to wait for the one before. */
static double least_of(const double *keys, uint32_t count) {
    double least[4] = {BEYOND_KEYS, BEYOND_KEYS, BEYOND_KEYS, BEYOND_KEYS};
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        least[0] = lesser(keys[i], least[0]);
        least[1] = lesser(keys[i + 1], least[1]);
        least[2] = lesser(keys[i + 2], least[2]);
        least[3] = lesser(keys[i + 3], least[3]);
    }
    for (; i < count; i++) {
        least[0] = lesser(keys[i], least[0]);
    }
    return lesser(lesser(least[0], least[1]), lesser(least[2], least[3]));
}

static double greatest_of(const double *keys, uint32_t count) {
    double greatest[4] = {BELOW_KEYS, BELOW_KEYS, BELOW_KEYS, BELOW_KEYS};
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        greatest[0] = greater(keys[i], greatest[0]);
        greatest[1] = greater(keys[i + 1], greatest[1]);
        greatest[2] = greater(keys[i + 2], greatest[2]);
        greatest[3] = greater(keys[i + 3], greatest[3]);
    }
    for (; i < count; i++) {
        greatest[0] = greater(keys[i], greatest[0]);
    }
    return greater(greater(greatest[0], greatest[1]), greater(greatest[2], greatest[3]));
}

/* Finds the least key that was not taken and its competitor. Some task waits. */
static uint32_t find_next(const vcs_uniform *uniform, uint32_t first, uint32_t end, double *key) {
    uint32_t found = first;
    *key = VCS_INFINITY;
    for (uint32_t start = first; start < end; start += MARKS) {
        const double least = least_of(&uniform->next[start], end - start < MARKS ? end - start : MARKS);
        if (least < *key) {
            *key = least;
            found = competitor_of(least, start);
        }
    }
    return found;
}

/* Finds the greatest key that was taken and its competitor. Some task runs. */
static uint32_t find_last(const vcs_uniform *uniform, uint32_t first, uint32_t end, double *key) {
    uint32_t found = first;
    *key = -VCS_INFINITY;
    for (uint32_t start = first; start < end; start += MARKS) {
        const double greatest = greatest_of(&uniform->last[start], end - start < MARKS ? end - start : MARKS);
        if (greatest > *key) {
            *key = greatest;
            found = competitor_of(greatest, start);
        }
    }
    return found;
}

static cut find_cut(const vcs_uniform *uniform, uint32_t first, uint32_t end) {
    cut at;
    at.in = find_next(uniform, first, end, &at.next);
    at.out = find_last(uniform, first, end, &at.last);
    return at;
}

/* ---- Exact keys ---- */

/* The key of the task that follows `count` others of competitor c, as the rule states it. */
static double exact_key(const vcs_sliced *sim, uint32_t c, double count) {
    const vcs_competitor *competitor = &sim->competitors[c];
    const double rec = vcs_account_now(sim, &sim->accounts[competitor->account]);
    return -vcs_priority_of_fraction(rec + count * competitor->load_coefficient, competitor->rec_sum,
                                     competitor->fraction);
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
        sim->uniform.count[at.out] -= 1.0;
        sim->uniform.count[at.in] += 1.0;
    }
}

/* ---- Approximate keys ---- */

/*
 * Adding and taking away this number rounds to a whole one. Which way it rounds where two are equally near, or nearly,
 * does not matter: where the threshold is met exactly, nothing is decided by it.
 */
#define ROUNDER 0x1.8p52

/* Fills in the keys and lets every task below the threshold run; returns how many these are. */
static double run_below(const vcs_uniform *uniform, uint32_t first, uint32_t end, double decay, double threshold) {
    double running = 0.0;
    for (uint32_t c = first; c < end; c++) {
        const double sum = uniform->rate[c] + uniform->scaled[c] * decay;
        const double key = lesser(greater(sum, 0.0), GREATEST_KEY); /* rounding alone could make it negative */
        const double below = (threshold - key) * uniform->per_load[c] + 0.5;
        const double count = (lesser(greater(below, 0.0), uniform->limit[c]) + ROUNDER) - ROUNDER;
        uniform->key[c] = key;
        uniform->count[c] = count;
        set_ends(uniform, c, key, count);
        running += count;
    }
    return running;
}

/* A key as a number for a tree: keys are not negative, and such doubles order as their bits do. */
static int64_t tree_key(double key) {
    int64_t bits;
    memcpy(&bits, &key, sizeof bits);
    return bits;
}

static int64_t next_leaf(const vcs_uniform *uniform, uint32_t c) {
    return uniform->count[c] < uniform->limit[c] ? tree_key(uniform->next[c]) : VCS_TREE_EMPTY;
}

static int64_t last_leaf(const vcs_uniform *uniform, uint32_t c) {
    return uniform->count[c] > 0.0 ? -tree_key(uniform->last[c]) : VCS_TREE_EMPTY;
}

/* Lets the `missing` tasks of least keys run as well; or, with last_leaf and -1, takes back those of greatest keys. */
static void move_cut(const vcs_uniform *uniform, uint32_t first, uint32_t end, double missing,
                     int64_t (*leaf_of)(const vcs_uniform *, uint32_t), double step) {
    const uint32_t width = vcs_tree_width(end - first);
    int64_t *tree = uniform->tree;
    vcs_tree_clear(tree, width);
    for (uint32_t c = first; c < end; c++) {
        tree[width + c - first] = leaf_of(uniform, c);
    }
    vcs_tree_build(tree, width);
    for (; missing > 0.0; missing -= 1.0) {
        const uint32_t leaf = vcs_tree_first_below(tree, width, 0, vcs_tree_least(tree) + 1);
        change_count(uniform, first + leaf, step);
        vcs_tree_set(tree, width, leaf, leaf_of(uniform, first + leaf));
    }
}

/* Few enough tasks to look for one by one; for more, a tree is faster. */
#define FEW 5.0

/* Puts the number of running tasks right. */
static void move_to(const vcs_uniform *uniform, uint32_t first, uint32_t end, double running, double places) {
    double key;
    if (places > running + FEW) {
        move_cut(uniform, first, end, places - running, next_leaf, 1.0);
        return;
    }
    if (running > places + FEW) {
        move_cut(uniform, first, end, running - places, last_leaf, -1.0);
        return;
    }
    for (; running < places; running += 1.0) {
        change_count(uniform, find_next(uniform, first, end, &key), 1.0);
    }
    for (; running > places; running -= 1.0) {
        change_count(uniform, find_last(uniform, first, end, &key), -1.0);
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

/* Decides how many tasks of each competitor run, of a group that has more of them than places. */
static void settle_group(vcs_sliced *sim, uint32_t first, uint32_t end, uint32_t places) {
    vcs_uniform *uniform = &sim->uniform;
    const double threshold = foresee_threshold(uniform, first, sim->now);
    const double running = run_below(uniform, first, end, sim->decay, threshold);
    move_to(uniform, first, end, running, places);
    const cut at = find_cut(uniform, first, end);
    keep_threshold(uniform, first, sim->now, at.last + (at.next - at.last) / 2.0);
    if (!(at.last < at.next - TOLERANCE * (uniform->largest + at.next))) {
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
        uniform->count[c] = 0.0;
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
    sim->pools[0].free = (int64_t)places * VCS_ONE;
}
