/*
 * The functions of chapter 8, on a unit and a few results whose fields are in range, with as much room for changes as
 * the header asks for.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcsched/core/number.c lib/vcsched/interface/*/*.c lib/vcsched/unit/*.c
// options: -eva-min-loop-unroll 4
#include <vcsched/vcsched.h>

#include "right.h"

int code;

#define RESULTS 3
#define CHANGES (VCS_CHANGES_PER_UNIT + VCS_CHANGES_PER_RESULT * RESULTS)

/* A unit of any kind: nothing is known of how its fields go together. */
vcs_unit unit;
vcs_result results[RESULTS];
uint32_t classes[RESULTS];
vcs_change changes[CHANGES];
vcs_error error;

#define ALL_RESULTS                                                                                                    \
    &(vcs_array) {                                                                                                     \
        {results}, sizeof *results, RESULTS                                                                            \
    }
#define ROOM                                                                                                           \
    &(vcs_array) {                                                                                                     \
        {changes}, sizeof *changes, CHANGES                                                                            \
    }

static void check(void) {
    uint32_t answer, reason;
    MAY_PASS(vcs_unit_check(&unit, ALL_RESULTS, &error));
    MAY_PASS(vcs_unit_finished(&unit, ALL_RESULTS, &answer, &error));
    uint32_t index = any_index(RESULTS);
    /*@ split index; */
    MAY_PASS(vcs_result_needed(&unit, ALL_RESULTS, index, &answer, &reason, &error));
}

static void grant(void) {
    double granted;
    MAY_PASS(vcs_credit_granted(ALL_RESULTS, any_between(0.0, VCS_MAX_CREDIT), &granted, &error));
}

static void begin_again(void) {
    MAY_PASS(vcs_unit_init(&unit, ANY_U64()));
    MAY_PASS(vcs_result_init(results, ANY_U64()));
}

static void happen(void) {
    uint32_t count;
    RIGHT_SIZED(unit_event, event);
    event.result = any_index(RESULTS);
    /*@ split event.result; */
    /*@ split event.kind; */
    MAY_PASS(vcs_unit_handle_event(&unit, ALL_RESULTS, &event, ANY_TIME(), ROOM, &count, &error));
}

static void make_transition(void) {
    uint32_t count;
    MAY_PASS(vcs_transition(&unit, ALL_RESULTS, ANY_TIME(), ROOM, &count, &error));
}

static void validate(void) {
    uint32_t count;
    MAY_PASS(vcs_validate(&unit, ALL_RESULTS, classes, ANY_TIME(), ROOM, &count, &error));
}

static void change(void) {
    ANY(vcs_lesson, lesson);
    lesson.struct_size = sizeof lesson;
    const char *name = vcs_change_field_name(ANY_U32());
    RIGHT(change, change);
    change.result = any_index(RESULTS);
    change.field = any_index(VCS_FIELD_RESULT_GRANTED + 1);
    /*@ split change.result; */
    /*@ split change.field; */
    if (EITHER()) {
        MAY_PASS(vcs_change_lesson(&change, ALL_RESULTS, &lesson, NOBODY));
    } else {
        MAY_PASS(vcs_change_apply(&change, &unit, ALL_RESULTS, NOBODY));
    }
}

int main(void) {
    Frama_C_make_unknown((char *)&error, sizeof error);
    error.struct_size = sizeof error;
    any_right_unit(&unit);
    for (uint32_t i = 0; i < RESULTS; i++) {
        any_right_result(&results[i]);
        classes[i] = ANY_U32();
    }
    switch (Frama_C_interval(0, 6)) {
    case 0:
        check();
        break;
    case 1:
        grant();
        break;
    case 2:
        begin_again();
        break;
    case 3:
        happen();
        break;
    case 4:
        make_transition();
        break;
    case 5:
        validate();
        break;
    default:
        change();
    }
    return 0;
}
