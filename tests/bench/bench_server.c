/*
 * How long a server's decisions take: transitions over a million work units of three results each, and the whole life
 * of a work unit, from its creation to the deletion of its files.
 *
 * The nanoseconds are those of this machine; each figure is the least of several passes. A million units do not fit
 * into a cache, so how long it takes to read their records alone is measured too; and beside them a thousand units that
 * do fit, as the records do that a server has just read from its database.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"
#include "support/array.h"

#include <vcsched/unit.h>

#define UNITS 1000000u
#define UNITS_IN_CACHE 1000u
#define COPIES 3u
/* Transitions that are timed, all passes together. */
#define TRANSITIONS 4000000u
#define MOST_CHANGES 32u

/* A busy project sends this many results a day. */
#define RESULTS_PER_DAY 23.6e6
#define DAY 86400.0

#define NOW 1.0e9
#define HOUR 3600.0

/* ---- A million units ---- */

typedef struct work {
    vcs_unit unit;
    vcs_result results[COPIES];
} work;

static void begin_work(work *w, uint64_t id) {
    must(vcs_unit_init(&w->unit, id), "vcs_unit_init");
    w->unit.min_quorum = 2;
    w->unit.target_nresults = 3;
    w->unit.max_total = 8;
    w->unit.max_success = 6;
    w->unit.max_error = 3;
    w->unit.delay_bound = 10 * HOUR;
    w->unit.transition_time = NOW - 1;
    for (uint32_t i = 0; i < COPIES; i++) {
        must(vcs_result_init(&w->results[i], id * COPIES + i + 1), "vcs_result_init");
    }
}

static void send(vcs_result *result, double deadline) {
    result->server_state = VCS_RESULT_IN_PROGRESS;
    result->deadline = deadline;
}

static void succeed(vcs_result *result) {
    result->server_state = VCS_RESULT_OVER;
    result->outcome = VCS_OUTCOME_SUCCESS;
}

static void accept(vcs_result *result) {
    succeed(result);
    result->validate_state = VCS_VALIDATE_VALID;
    result->credited = 1;
}

/* What the units of a case have in common. */

static void wait_for_all(work *w) {
    for (uint32_t i = 0; i < COPIES; i++) {
        send(&w->results[i], NOW + HOUR * (i + 1));
    }
}

static void lose_one(work *w) {
    wait_for_all(w);
    w->results[1].deadline = NOW - 2;
}

static void reach_quorum(work *w) {
    wait_for_all(w);
    succeed(&w->results[0]);
    succeed(&w->results[2]);
}

static void fail_all(work *w) {
    w->unit.error_mask = VCS_UNIT_CANCELLED;
    wait_for_all(w);
    succeed(&w->results[0]);
}

static void clean_up(work *w) {
    w->unit.canonical = w->results[0].id;
    w->unit.assimilate_state = VCS_ASSIMILATE_DONE;
    w->unit.assimilated = NOW - 1;
    for (uint32_t i = 0; i < COPIES; i++) {
        accept(&w->results[i]);
    }
}

typedef struct kind {
    const char *name;
    void (*arrange)(work *w);
} kind;

static const kind kinds[] = {
    {"nothing to do: three in progress", wait_for_all}, {"one is overdue", lose_one},
    {"the quorum is there", reach_quorum},              {"the unit has failed", fail_all},
    {"files are released", clean_up},
};
#define KINDS (sizeof kinds / sizeof *kinds)

static uint64_t transition_all(const work *all, uint32_t units) {
    vcs_change changes[MOST_CHANGES];
    uint64_t total = 0;
    for (uint32_t i = 0; i < units; i++) {
        uint32_t count;
        must(vcs_transition(&all[i].unit, ARRAY(all[i].results, COPIES), NOW, ARRAY(changes, MOST_CHANGES), &count,
                            NULL),
             "vcs_transition");
        total += count;
    }
    return total;
}

/* Touches every record, and does nothing with it. */
static uint64_t read_all(const work *all, uint32_t units) {
    uint64_t total = 0;
    for (const unsigned char *at = (const unsigned char *)all; at < (const unsigned char *)(all + units); at += 64) {
        total += *at;
    }
    return total;
}

/* What passes come to goes here, so that no compiler leaves them out. */
static volatile uint64_t outcome;

/* The least time of a pass, for each unit. */
static double time_passes(uint64_t (*pass)(const work *all, uint32_t units), const work *all, uint32_t units) {
    double least = 1e300;
    for (uint32_t done = 0; done < TRANSITIONS; done += units) {
        double start = nanoseconds();
        outcome = pass(all, units);
        double took = (nanoseconds() - start) / units;
        least = took < least ? took : least;
    }
    return least;
}

static void time_transitions(const work *all, uint32_t units, const char *name) {
    double took = time_passes(transition_all, all, units);
    printf("  %-34s %6.0f ns each, %5.2f million a second, %4.1f changes each\n", name, took, 1e3 / took,
           (double)outcome / units);
}

/* Each kind by itself, or with `mixed` all in turn. */
static void arrange_all(work *all, uint32_t units, size_t kind, int mixed) {
    for (uint32_t i = 0; i < units; i++) {
        begin_work(&all[i], i);
        kinds[mixed ? i % KINDS : kind].arrange(&all[i]);
    }
}

static void bench_transitions(uint32_t units) {
    work *all = must_allocate(units, sizeof *all);
    arrange_all(all, units, 0, 1);
    printf("transitions of %u units with %u results each; reading their records alone takes %.0f ns:\n", units, COPIES,
           time_passes(read_all, all, units));
    time_transitions(all, units, "all kinds in turn");
    for (size_t k = 0; k < KINDS && units == UNITS_IN_CACHE; k++) {
        arrange_all(all, units, k, 0);
        time_transitions(all, units, kinds[k].name);
    }
    free(all);
}

/* ---- The whole life of a unit ---- */

static vcs_change answered[MOST_CHANGES];
static uint32_t answers;

/* Applies what a function has answered. */
static void apply(work *w, int code, const char *what) {
    must(code, what);
    for (uint32_t i = 0; i < answers; i++) {
        must(vcs_change_apply(&answered[i], &w->unit, ARRAY(w->results, COPIES), NULL), what);
    }
}

#define ANSWER ARRAY(answered, MOST_CHANGES), &answers, NULL
#define RESULTS ARRAY(w->results, COPIES)

static void transition(work *w, double now) {
    apply(w, vcs_transition(&w->unit, RESULTS, now, ANSWER), "vcs_transition");
}

static void happen(work *w, uint32_t kind, uint32_t result, uint32_t outcome, double now) {
    const int is_report = kind == VCS_UNIT_EVENT_RECEIVED;
    const vcs_unit_event event = {.struct_size = sizeof event,
                                  .kind = kind,
                                  .result = result,
                                  .report = is_report ? outcome : 0,
                                  .deletion = is_report ? 0 : outcome};
    apply(w, vcs_unit_handle_event(&w->unit, RESULTS, &event, now, ANSWER), "vcs_unit_handle_event");
}

static void live(work *w, double now) {
    static const uint32_t classes[COPIES] = {1, 1, 1};
    happen(w, VCS_UNIT_EVENT_CREATED, VCS_NONE, 0, now);
    transition(w, now + 1);
    for (uint32_t i = 0; i < COPIES; i++) {
        happen(w, VCS_UNIT_EVENT_SENT, i, 0, now + 2);
    }
    for (uint32_t i = 0; i < COPIES; i++) {
        double when = now + HOUR * (i + 1);
        happen(w, VCS_UNIT_EVENT_RECEIVED, i, VCS_REPORT_SUCCESS, when);
        transition(w, when + 1);
        if (w->unit.need_validate) {
            apply(w, vcs_validate(&w->unit, RESULTS, classes, when + 2, ANSWER), "vcs_validate");
            transition(w, when + 3);
        }
        if (w->unit.assimilate_state == VCS_ASSIMILATE_READY) {
            happen(w, VCS_UNIT_EVENT_ASSIMILATED, VCS_NONE, 0, when + 4);
            transition(w, when + 5);
        }
    }
    happen(w, VCS_UNIT_EVENT_INPUTS_DELETED, VCS_NONE, VCS_DELETED, now + 4 * HOUR);
    for (uint32_t i = 0; i < COPIES; i++) {
        happen(w, VCS_UNIT_EVENT_OUTPUTS_DELETED, i, VCS_DELETED, now + 4 * HOUR);
    }
}

static void bench_lives(void) {
    double least = 1e300;
    for (uint32_t pass = 0; pass < 100; pass++) {
        double start = nanoseconds();
        for (uint32_t i = 0; i < UNITS_IN_CACHE; i++) {
            work w;
            begin_work(&w, i);
            live(&w, NOW);
        }
        double took = (nanoseconds() - start) / UNITS_IN_CACHE;
        least = took < least ? took : least;
    }
    printf("whole life of a unit, changes applied: %.1f us, %.2f us for each result\n", least / 1e3,
           least / COPIES / 1e3);
    printf("%.1f million results a day take %.3f %% of one core\n", RESULTS_PER_DAY / 1e6,
           RESULTS_PER_DAY / DAY * least / COPIES / 1e9 * 100);
}

int main(void) {
    bench_transitions(UNITS_IN_CACHE);
    bench_transitions(UNITS);
    bench_lives();
    return 0;
}
