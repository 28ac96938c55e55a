/*
 * A work unit as a server keeps it: records to which every answer of the library is applied.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef UNIT_MODEL_H
#define UNIT_MODEL_H

#include <vcsched/unit.h>

#define MODEL_MOST 16
#define MODEL_MOST_CHANGES (VCS_CHANGES_PER_UNIT + VCS_CHANGES_PER_RESULT * MODEL_MOST)

typedef struct unit_model {
    vcs_unit unit;
    vcs_result results[MODEL_MOST];
    uint32_t count;
    uint64_t next_id;                       /* of the next result that is made */
    vcs_change changes[MODEL_MOST_CHANGES]; /* the last answer */
    uint32_t answers;
    uint32_t made;                          /* how many results the last answer asked for */
    uint32_t assimilations;                 /* how often the unit was assimilated */
} unit_model;

/* The parameters of a unit. */
typedef struct model_parameters {
    uint32_t quorum, target, errors, total, successes;
    double delay_bound;
} model_parameters;

/* A new unit, not yet created. */
void model_begin(unit_model *m, model_parameters of);

/* How many legal combinations of a result's four states there are (rule 8.1). */
#define MODEL_STATES 45

/* Puts a result into the legal combination number `state`, below MODEL_STATES. */
void model_set_state(vcs_result *result, uint32_t state);

/* Adds a result in the legal combination number `state`. Returns its index. */
uint32_t model_add(unit_model *m, uint32_t state);

/* The unit with its results; not the last answer. */
void model_copy(unit_model *to, const unit_model *from);

/* Each reports the event or calls the function, which must succeed; its changes are applied, and new results made. */
void model_create(unit_model *m, double now);
void model_transition(unit_model *m, double now);
void model_validate(unit_model *m, const uint32_t *classes, double now);
void model_assimilate(unit_model *m, double now);
void model_cancel(unit_model *m, double now);
void model_send(unit_model *m, uint32_t i, double now);
void model_report(unit_model *m, uint32_t i, uint32_t report, double now);
void model_claim(unit_model *m, uint32_t i, double claimed, double now); /* reports a success */
void model_unsendable(unit_model *m, uint32_t i, double now);
void model_resend(unit_model *m, uint32_t i, double estimate, double now);
void model_withdraw(unit_model *m, uint32_t i, double now);
void model_fail(unit_model *m, uint32_t work, double delay, double now);
void model_resume(unit_model *m, uint32_t work, double now);
void model_delete_inputs(unit_model *m, uint32_t outcome, double now);
void model_delete_outputs(unit_model *m, uint32_t i, uint32_t outcome, double now);

/* Handles an event on results of the test's own; the answer goes to m->changes. */
int model_handle(unit_model *m, const vcs_result *results, uint32_t count, vcs_unit_event event, double now,
                 vcs_error *error);

/* Whether the last answer has a change for this reason. */
int model_says(const unit_model *m, uint32_t reason);

/* Whether vcs_unit_check() finds it right. */
int model_is_right(const unit_model *m);

#endif
