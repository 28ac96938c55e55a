/* SPDX-License-Identifier: MIT */
#include "vcsched/simulation/deadline/timeline.h"

#include "vcsched/core/invariant.h"
#include "vcsched/host/prepared.h"
#include "vcsched/core/min_tree.h"

/* ---- One instance ---- */

static int64_t units_below(const vcs_residents *residents, uint32_t node) {
    return node == VCS_NO_NODE ? 0 : residents->tree.sums[node];
}

/* When `units` more become free, to stay free. */
static int64_t free_from(const vcs_timeline *timeline, uint32_t index, int64_t units) {
    const vcs_residents *residents = timeline->residents;
    uint32_t node = timeline->row[index].root;
    int64_t time = timeline->row[index].open_at;
    int64_t lacking = units_below(residents, node) + units - VCS_ONE; /* units that must end before */
    while (lacking > 0) {
        VCS_INVARIANT(node != VCS_NO_NODE); /* all residents together leave more than is lacking: a whole instance */
        const uint32_t *child = residents->tree.nodes[node].child;
        const int64_t before = units_below(residents, child[0]);
        if (lacking <= before) {
            node = child[0];
        } else {
            lacking -= before + residents->tree.weights[node];
            time = residents->ends[node];
            node = child[1];
        }
    }
    return time;
}

/* Removes residents that have ended by `time`. */
static void remove_ended(vcs_instance *instance, vcs_residents *residents, int64_t time) {
    uint32_t first;
    while ((first = vcs_search_first(&residents->tree, instance->root)) != VCS_NO_NODE &&
           residents->ends[first] <= time) {
        vcs_search_remove(&residents->tree, &instance->root, first);
        residents->tree.nodes[first].up = residents->unused;
        residents->unused = first;
    }
}

static uint32_t allocate_resident(vcs_residents *residents) {
    const uint32_t freed = residents->unused;
    if (freed == VCS_NO_NODE) {
        /* There are enough for all tasks: as many as weights, and the sums lie behind the weights. */
        VCS_INVARIANT(residents->taken < (size_t)(residents->tree.sums - residents->tree.weights));
        return residents->taken++;
    }
    residents->unused = residents->tree.nodes[freed].up;
    return freed;
}

/* Adds a resident, in order of the ends. */
static void add_resident(vcs_instance *instance, vcs_residents *residents, int64_t end, int64_t units) {
    const uint32_t added = allocate_resident(residents);
    uint32_t parent = VCS_NO_NODE;
    int side = 0;
    for (uint32_t node = instance->root; node != VCS_NO_NODE; node = residents->tree.nodes[node].child[side]) {
        parent = node;
        side = residents->ends[node] <= end;
    }
    residents->ends[added] = end;
    residents->tree.weights[added] = units;
    vcs_search_insert(&residents->tree, &instance->root, parent, side, added);
}

/* ---- The trees ---- */

static int64_t *tree_of(const vcs_timeline *timeline, uint32_t column) {
    return timeline->trees + (size_t)column * 2 * timeline->width;
}

/* The tree of the moments at which instances are wholly free. */
static int64_t *whole_tree(const vcs_timeline *timeline) {
    return tree_of(timeline, timeline->columns - 1);
}

/* The column of the greatest use not above `units`. */
static uint32_t column_for(const vcs_timeline *timeline, int64_t units) {
    uint32_t column = timeline->columns - 1;
    while (timeline->uses[column] > units) {
        VCS_INVARIANT(column > 0); /* every use was announced, and has a tree for as much or less */
        column--;
    }
    return column;
}

void vcs_timeline_begin(vcs_timeline *timeline, uint32_t instances) {
    timeline->instances = instances;
    timeline->width = vcs_tree_width(instances);
    timeline->expected = 0;
    timeline->columns = 1;
    timeline->uses[0] = VCS_ONE;
}

/* Spreads the trees evenly over more uses than trees: every use has a tree not above it. */
static void spread_uses(vcs_timeline *timeline, int64_t least) {
    for (uint32_t column = 0; column < VCS_TIMELINE_USES; column++) {
        int64_t use = (column + 1) * VCS_ONE / VCS_TIMELINE_USES;
        timeline->uses[column] = column == 0 && least < use ? least : use;
    }
}

void vcs_timeline_expect_part(vcs_timeline *timeline, int64_t units) {
    uint32_t column = 0;
    while (timeline->uses[column] < units) {
        VCS_INVARIANT(column + 1 < timeline->columns); /* the last column is for a whole instance, which is more */
        column++;
    }
    if (timeline->uses[column] == units) {
        return;
    }
    if (timeline->columns == VCS_TIMELINE_USES) {
        spread_uses(timeline, units < timeline->uses[0] ? units : timeline->uses[0]);
        return;
    }
    for (uint32_t i = timeline->columns++; i > column; i--) {
        timeline->uses[i] = timeline->uses[i - 1];
    }
    timeline->uses[column] = units;
}

void vcs_timeline_clear(vcs_timeline *timeline) {
    timeline->idle = VCS_NEVER;
    timeline->residents->effort += (uint64_t)timeline->columns * timeline->instances;
    for (uint32_t i = 0; i < timeline->instances; i++) {
        timeline->row[i] = (vcs_instance){.root = VCS_NO_NODE};
    }
    for (uint32_t column = 0; column < timeline->columns; column++) {
        int64_t *tree = tree_of(timeline, column);
        vcs_tree_clear(tree, timeline->width);
        for (uint32_t i = 0; i < timeline->instances; i++) {
            tree[timeline->width + i] = 0;
        }
        vcs_tree_build(tree, timeline->width);
    }
}

/* ---- Searching ---- */

static bool allows(const vcs_need *need, uint32_t instance) {
    return need->excluded == 0 || (need->excluded >> instance & 1) == 0;
}

static uint32_t whole_instances(const vcs_need *need) {
    return (uint32_t)((need->units + VCS_ONE - 1) / VCS_ONE);
}

bool vcs_timeline_suffices(const vcs_timeline *timeline, const vcs_need *need) {
    if (need->excluded == 0) {
        return need->units <= (int64_t)timeline->instances * VCS_ONE;
    }
    uint32_t allowed = 0;
    for (uint32_t i = 0; i < timeline->instances; i++) {
        allowed += (uint32_t)allows(need, i);
    }
    return whole_instances(need) <= allowed;
}

/* When an instance that is free at a moment may be used. */
static int64_t open_for(const vcs_need *need, uint32_t instance, int64_t free) {
    return need->openings == NULL ? free : vcs_max_i64(free, need->openings[instance]);
}

/* When an instance is free for a use below one. */
static int64_t free_for(const vcs_timeline *timeline, const vcs_need *need, uint32_t instance) {
    return open_for(need, instance, free_from(timeline, instance, need->units));
}

/* The first instance from `from` on that is free for the need before `time`; VCS_NONE if none is. */
static uint32_t next_free(const vcs_timeline *timeline, const vcs_need *need, uint32_t from, int64_t time) {
    const int64_t *tree = tree_of(timeline, column_for(timeline, need->units));
    while (from < timeline->instances) {
        timeline->residents->effort++;
        uint32_t found = vcs_tree_first_below(tree, timeline->width, from, time);
        VCS_INVARIANT(found == VCS_NONE || found < timeline->instances); /* all other leaves are empty */
        if (found == VCS_NONE || (allows(need, found) && free_for(timeline, need, found) < time)) {
            return found;
        }
        from = found + 1;
    }
    return VCS_NONE;
}

/* Looks first where the tree promises the earliest moment, then only where it promises an earlier one than found. */
static int64_t earliest_free(const vcs_timeline *timeline, const vcs_need *need) {
    const int64_t *tree = tree_of(timeline, column_for(timeline, need->units));
    const int64_t promised = vcs_tree_least(tree);
    VCS_INVARIANT(promised < VCS_TREE_EMPTY); /* only whole instances are set aside, in another tree */
    uint32_t i = vcs_tree_first_below(tree, timeline->width, 0, promised + 1);
    VCS_INVARIANT(i < timeline->instances); /* all other leaves are empty */
    int64_t earliest = allows(need, i) ? free_for(timeline, need, i) : VCS_NEVER;
    for (i = 0; (i = next_free(timeline, need, i, earliest)) != VCS_NONE; i++) {
        earliest = free_for(timeline, need, i);
    }
    return earliest;
}

/* The first instance that is wholly free, the lowest on ties; instances set aside do not count. */
static uint32_t first_free(const vcs_timeline *timeline, const vcs_need *need) {
    const int64_t *tree = whole_tree(timeline);
    if (need->excluded == 0 && need->openings == NULL) {
        const int64_t least = vcs_tree_least(tree);
        VCS_INVARIANT(least < VCS_TREE_EMPTY); /* there are enough instances for the task */
        return vcs_tree_first_below(tree, timeline->width, 0, least + 1);
    }
    uint32_t first = VCS_NONE;
    int64_t first_time = VCS_TREE_EMPTY;
    for (uint32_t i = 0; i < timeline->instances; i++) {
        int64_t time = open_for(need, i, vcs_tree_get(tree, timeline->width, i));
        if (allows(need, i) && time < first_time) {
            first = i;
            first_time = time;
        }
    }
    return first;
}

static int64_t set_aside(vcs_timeline *timeline, const vcs_need *need) {
    int64_t *tree = whole_tree(timeline);
    int64_t start = 0;
    for (uint32_t k = 0; k < whole_instances(need); k++) {
        uint32_t instance = first_free(timeline, need);
        VCS_INVARIANT(k < timeline->instances && instance < timeline->instances); /* as above */
        timeline->chosen[k] = instance;
        start = open_for(need, instance,
                         vcs_tree_get(tree, timeline->width, instance)); /* never before the previous instance */
        vcs_tree_set(tree, timeline->width, instance, VCS_TREE_EMPTY);
    }
    return start;
}

int64_t vcs_timeline_earliest(vcs_timeline *timeline, const vcs_need *need) {
    if (need->units == 0) {
        return 0;
    }
    return need->units < VCS_ONE ? earliest_free(timeline, need) : set_aside(timeline, need);
}

int64_t vcs_timeline_when(const vcs_timeline *timeline, const vcs_need *need) {
    uint64_t taken = need->excluded;
    int64_t start = 0;
    if (need->units < VCS_ONE) {
        return need->units == 0 ? 0 : earliest_free(timeline, need);
    }
    for (uint32_t k = 0; k < whole_instances(need); k++) {
        const vcs_need left = {need->units, taken, need->openings};
        const uint32_t instance = first_free(timeline, &left);
        VCS_INVARIANT(instance < timeline->instances); /* there are enough instances for the task */
        start = open_for(need, instance, vcs_tree_get(whole_tree(timeline), timeline->width, instance));
        taken |= UINT64_C(1) << instance;
    }
    return start;
}

int64_t vcs_timeline_first_free(const vcs_timeline *timeline, const vcs_need *need) {
    if (need->units == 0) {
        return VCS_NEVER;
    }
    return need->units < VCS_ONE ? earliest_free(timeline, need)
                                 : vcs_tree_get(whole_tree(timeline), timeline->width, first_free(timeline, need));
}

/* ---- Booking ---- */

/* Effort of a booking beside the trees, in looks at an instance. */
#define BOOKING 8u

/* Books one instance. Later bookings do not fill free time before `start`, so its beginning counts as idle. */
static void book_instance(vcs_timeline *timeline, uint32_t index, int64_t units, int64_t start, int64_t end) {
    vcs_instance *instance = &timeline->row[index];
    const int64_t idle = free_from(timeline, index, VCS_LEAST_FREE);
    timeline->residents->effort += BOOKING + timeline->columns;
    if (idle < start && idle < timeline->idle) {
        timeline->idle = idle;
    }
    remove_ended(instance, timeline->residents, start);
    instance->open_at = start;
    add_resident(instance, timeline->residents, end, units);
    for (uint32_t column = 0; column < timeline->columns; column++) {
        vcs_tree_set(tree_of(timeline, column), timeline->width, index,
                     free_from(timeline, index, timeline->uses[column]));
    }
}

/* Books an instance of another timeline too, if that ends after the latest booking there starts. */
static void book_also(vcs_timeline *timeline, uint32_t index, int64_t units, int64_t start, int64_t end) {
    const int64_t open_at = timeline->row[index].open_at;
    if (end > open_at) {
        book_instance(timeline, index, units, vcs_max_i64(start, open_at), end);
    }
}

void vcs_timeline_book(vcs_timeline *timeline, const vcs_need *need, int64_t start, int64_t end, vcs_timeline *also) {
    if (need->units == 0) {
        return;
    }
    const bool in_part = need->units < VCS_ONE;
    const int64_t units = in_part ? need->units : VCS_ONE;
    if (in_part) {
        timeline->chosen[0] = next_free(timeline, need, 0, start + 1);
        VCS_INVARIANT(timeline->chosen[0] < timeline->instances); /* one is free for it by then */
    }
    for (uint32_t k = 0; k < whole_instances(need); k++) {
        book_instance(timeline, timeline->chosen[k], units, start, end);
        if (also != NULL) {
            book_also(also, timeline->chosen[k], units, start, end);
        }
    }
}

int64_t vcs_timeline_busy(const vcs_timeline *timeline) {
    if (timeline->expected == 0) {
        return 0;
    }
    int64_t busy = timeline->idle;
    for (uint32_t i = 0; i < timeline->instances; i++) {
        int64_t moment = free_from(timeline, i, VCS_LEAST_FREE);
        busy = vcs_min_i64(moment, busy);
    }
    return busy;
}
