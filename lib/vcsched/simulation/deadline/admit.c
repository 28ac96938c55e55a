/*
 * Admission: may a candidate join the queue without harming the tasks already in it?
 *
 * Rules 4.5, 4.6 and 15.5; the plain references are tests/oracle/oracle_admit.c and tests/oracle/oracle_likely.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include <vcsched/simulation.h>

#include "vcsched/chance/admit_by_chance.h"
#include "vcsched/core/invariant.h"
#include "vcsched/simulation/lateness.h"
#include "vcsched/simulation/limits.h"
#include "vcsched/simulation/deadline/admit_queue.h"
#include "vcsched/host/prepared.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/simulation_fields.h"

#include <string.h>

/* ---- Placing ---- */

/* The row before the members from `index` on. */
static int64_t *row_of(const queue *q, int64_t *rows, uint32_t index) {
    return rows + index / q->interval * vcs_free_times_row(q->plan.cpus);
}

/* Places the next member, number `index` of the queue, and keeps the free times before it in `rows`. */
static inline int64_t place_next(queue *q, int64_t *rows, uint32_t index, const member *m) {
    if ((index & (q->interval - 1)) == 0 && index > 0 && q->plan.single) {
        vcs_free_times_keep(q->plan.free_times, row_of(q, rows, index));
    }
    return vcs_place(&q->plan, m->run_time, &vcs_prepared_tasks(q->plan.state)[m->task]);
}

/* Notes that the plan holds exactly the first `reached` members. If these are not all, it can place no more. */
static void note_reached(queue *q, uint32_t reached) {
    const uint32_t count = q->tally->members;
    for (uint32_t i = reached; i < count; i++) {
        q->members[i].start = VCS_NOT_REACHED;
    }
    q->tally->reached = reached;
    q->tally->entry = reached == count ? count : VCS_NONE;
}

/* Makes the trial from `first` on, up to `reached` members, the placement. */
static void keep_trial(queue *q, uint32_t first, uint32_t reached) {
    const uint32_t row = (first + q->interval - 1) / q->interval;
    const uint32_t end_row = (reached + q->interval - 1) / q->interval;
    for (uint32_t i = first; i < reached; i++) {
        q->members[i].start = q->members[i].tried;
    }
    if (q->plan.single && !q->tally->has_limits && row < end_row) {
        const size_t length = (size_t)vcs_free_times_row(q->plan.cpus);
        memcpy(q->free_times + row * length, q->tried_free_times + row * length,
               (end_row - row) * length * sizeof *q->free_times);
    }
    note_reached(q, reached);
}

/* Brings the plan to the point before member `index`; all earlier members are reached. */
static void place_up_to(queue *q, uint32_t index) {
    uint32_t first = 0;
    if (q->tally->entry == index) {
        return; /* the usual case: the candidate goes last */
    }
    vcs_plan_clear(&q->plan);
    if (q->plan.single && index > q->interval) {
        first = (index - 1) / q->interval * q->interval;
        q->plan.placed = first;
        vcs_free_times_restore(q->plan.free_times, row_of(q, q->free_times, first));
    }
    for (uint32_t i = first; i < index; i++) {
        vcs_place(&q->plan, q->members[i].run_time, &vcs_prepared_tasks(q->plan.state)[q->members[i].task]);
    }
    *vcs_plan_effort(&q->plan) += q->plan.cpus + index - first;
}

/*
 * Under limits: places all members, and a candidate before member `position`. Returns the start of the candidate;
 * VCS_NOT_REACHED without one.
 */
static int64_t place_all(queue *q, uint32_t position, const member *candidate) {
    const uint32_t count = q->tally->members + (candidate != NULL);
    int64_t own = VCS_NOT_REACHED, start;
    for (uint32_t i = 0; i < q->tally->members; i++) {
        q->placed[i + (i >= position)] = q->members[i].task;
        q->members[i].tried = VCS_NOT_REACHED;
    }
    if (candidate != NULL) {
        q->placed[position] = candidate->task;
    }
    vcs_plan_clear(&q->plan);
    *vcs_plan_effort(&q->plan) += (uint64_t)q->plan.cpus + count;
    vcs_lines_begin(&q->lines, &q->plan, q->placed, count);
    for (uint32_t i = vcs_lines_place(&q->lines, &start); i != VCS_NONE && start != VCS_NOT_REACHED;
         i = vcs_lines_place(&q->lines, &start)) {
        VCS_INVARIANT(i < count); /* the number of a task to place */
        if (i == position) {
            own = start;
        } else {
            q->members[i < position ? i : i - 1].tried = start;
        }
    }
    return own;
}

/* ---- The queue ---- */

static int64_t latest_of(const vcs_state *state, uint32_t task) {
    return vcs_latest_in_admission(&state->parameters, state->now, vcs_prepared_tasks(state)[task].deadline);
}

/* Leaves `start` and `tried` to placing. */
static inline void set_member(member *m, const vcs_prepared_task *from, uint32_t task) {
    m->deadline = from->deadline;
    m->run_time = from->run_time;
    m->task = task;
    m->unused = 0;
}

static void find_latest(queue *q) {
    for (uint32_t i = 0; q->tally->latest_known == 0 && i < q->tally->members; i++) {
        q->members[i].latest = latest_of(q->plan.state, q->members[i].task);
    }
    q->tally->latest_known = 1;
}

/* Places the tasks that take part, without any candidate. */
static void begin_queue(queue *q, const vcs_state *state) {
    const vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    const uint32_t *order = vcs_deadline_order(state);
    const vcs_prepared_task *candidates = tasks + state->task_count;
    member *m = q->members;
    vcs_plan_begin(&q->plan, state);
    for (uint32_t i = 0; i < state->task_count; i++) {
        const vcs_prepared_task *task = &tasks[order[i]];
        if (task->takes_part) {
            vcs_plan_expect(&q->plan, task);
            set_member(m++, task, order[i]);
        }
    }
    for (uint32_t i = 0; i < state->candidate_count; i++) {
        if (candidates[i].takes_part) {
            vcs_plan_expect(&q->plan, &candidates[i]);
        }
    }
    const uint32_t count = (uint32_t)(m - q->members);
    memset(q->joined, 0, state->candidate_count);
    q->tally->members = count;
    q->tally->latest_known = 0;
    q->tally->has_limits = vcs_has_any_limits(state);
    if (q->tally->has_limits) {
        place_all(q, count, NULL);
        keep_trial(q, 0, count);
        return;
    }
    vcs_plan_clear(&q->plan);
    uint32_t reached = 0;
    for (m = q->members; reached < count; reached++, m++) {
        m->start = place_next(q, q->free_times, reached, m);
        if (m->start == VCS_NOT_REACHED) {
            break;
        }
    }
    note_reached(q, reached);
}

/* Where a candidate belongs: behind members of equal deadline and run time, for it is the latest arrival. */
static uint32_t find_position(const queue *q, const member *candidate) {
    uint32_t first = 0, end = q->tally->members;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        const member *m = &q->members[middle];
        const bool before =
            m->deadline != candidate->deadline ? m->deadline < candidate->deadline : m->run_time <= candidate->run_time;
        if (before) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}

/* Lets the candidate join; its trial has reached `reached` members. */
static void join(queue *q, uint32_t position, const member *candidate, uint32_t reached) {
    member *place = &q->members[position];
    memmove(place + 1, place, (q->tally->members - position) * sizeof *place);
    *place = *candidate;
    q->tally->members++;
    q->joined[candidate->task - q->plan.state->task_count] = 1;
    keep_trial(q, q->tally->has_limits ? 0 : position, reached);
}

/* ---- The decision ---- */

/*
 * When the candidate would start. Where all tasks take one whole CPU, it starts when the member at its position does;
 * if that is too late, nothing need be placed.
 */
static int64_t try_candidate(queue *q, uint32_t position, const member *candidate) {
    if (q->tally->has_limits) {
        return place_all(q, position, candidate);
    }
    if (position > q->tally->reached) {
        return VCS_NOT_REACHED;
    }
    if (q->plan.single && position < q->tally->reached &&
        vcs_finish_of(q->members[position].start, candidate->run_time) > candidate->latest) {
        return q->members[position].start;
    }
    place_up_to(q, position);
    q->tally->entry = VCS_NONE;
    return place_next(q, q->tried_free_times, position, candidate);
}

/* Whether the effort for this queue is used up, so that nothing more is decided. */
static bool is_exhausted(const queue *q) {
    return *vcs_plan_effort(&q->plan) > q->plan.most_effort;
}

static bool is_placed(int64_t start) {
    return start != VCS_STUCK && start != VCS_NOT_REACHED;
}

/* Whether a member finishes both too late and later than before. */
static bool is_harmed(const member *m) {
    if (!is_placed(m->start) || !is_placed(m->tried)) {
        return false;
    }
    const int64_t finish = vcs_finish_of(m->tried, m->run_time);
    return finish > m->latest && finish > vcs_finish_of(m->start, m->run_time);
}

/* The first harmed member, after all have been placed again; VCS_NONE if none is harmed. */
static uint32_t find_harmed_of_all(queue *q) {
    uint32_t i = 0;
    find_latest(q);
    while (i < q->tally->members && !is_harmed(&q->members[i])) {
        i++;
    }
    return i < q->tally->members ? i : VCS_NONE;
}

/*
 * Places the members behind the candidate again, up to the first harmed one, and returns it. If none is harmed, returns
 * VCS_NONE and sets how many members, with the candidate, are reached.
 */
static uint32_t find_harmed(queue *q, uint32_t position, uint32_t *reached) {
    const uint32_t count = q->tally->members;
    uint32_t i = position;
    if (position < count) {
        find_latest(q);
    }
    for (; i < count; i++) {
        member *m = &q->members[i];
        m->tried = place_next(q, q->tried_free_times, i + 1, m);
        if (m->tried == VCS_NOT_REACHED) {
            break;
        }
        if (is_harmed(m)) {
            *vcs_plan_effort(&q->plan) += i - position;
            return i;
        }
    }
    *vcs_plan_effort(&q->plan) += i - position;
    *reached = i + 1;
    return VCS_NONE;
}

static void report_harmed(const queue *q, uint32_t harmed, vcs_admission *answer) {
    const member *m = &q->members[harmed];
    const uint32_t tasks = q->plan.state->task_count;
    const bool was_timely = vcs_finish_of(m->start, m->run_time) <= m->latest;
    answer->reason = was_timely ? VCS_REASON_HARMS_TIMELY : VCS_REASON_DELAYS_LATE;
    if (m->task < tasks) {
        answer->harmed = m->task;
    } else {
        answer->harmed_candidate = m->task - tasks;
    }
}

static void decide(queue *q, uint32_t task, vcs_admission *answer) {
    const vcs_state *state = q->plan.state;
    const vcs_prepared_task *from = &vcs_prepared_tasks(state)[task];
    if (!from->takes_part) {
        answer->reason = VCS_REASON_CANNOT_RUN;
        return;
    }
    member candidate;
    set_member(&candidate, from, task);
    candidate.latest = latest_of(state, task);
    candidate.start = VCS_NOT_REACHED;
    const uint32_t position = find_position(q, &candidate);
    candidate.tried = is_exhausted(q) ? VCS_NOT_REACHED : try_candidate(q, position, &candidate);
    if (!is_placed(candidate.tried)) {
        answer->reason = candidate.tried == VCS_STUCK ? VCS_REASON_CANNOT_RUN : VCS_REASON_BUDGET;
        return;
    }
    int64_t finish = vcs_finish_of(candidate.tried, candidate.run_time);
    answer->finish = vcs_seconds(finish);
    if (finish > candidate.latest) {
        answer->reason = VCS_REASON_OWN_DEADLINE;
        return;
    }
    uint32_t reached = q->tally->members + 1;
    const uint32_t harmed = q->tally->has_limits ? find_harmed_of_all(q) : find_harmed(q, position, &reached);
    if (harmed != VCS_NONE) {
        report_harmed(q, harmed, answer);
        return;
    }
    if (is_exhausted(q)) {
        answer->finish = VCS_INFINITY;
        answer->reason = VCS_REASON_BUDGET; /* not all members behind it were placed: harm is unknown */
        return;
    }
    answer->admitted = 1;
    answer->reason = VCS_REASON_ADMITTED;
    join(q, position, &candidate, reached);
}

/* Rule 4.5. Returns VCS_ERR_DUPLICATE if the candidate was admitted before. */
static int admit_by_placing(vcs_state *state, uint32_t candidate, vcs_arena *arena, vcs_admission *answer) {
    const vcs_counts counts = vcs_counts_of(state);
    queue q;
    vcs_admit_lay_out(&q, &counts, arena);
    if ((state->has & VCS_HAS_QUEUE) == 0) {
        begin_queue(&q, state);
    } else {
        vcs_plan_resume(&q.plan, state);
        q.plan.placed = q.tally->placed;
    }
    state->has |= VCS_HAS_QUEUE;
    if (q.joined[candidate]) {
        return VCS_ERR_DUPLICATE;
    }
    decide(&q, state->task_count + candidate, answer);
    q.tally->placed = q.plan.placed;
    return VCS_OK;
}

/* ---- By chance ---- */

static void decide_by_chance(chance_queue *q, uint32_t candidate, vcs_admission *answer) {
    const vcs_state *state = q->chances.state;
    const vcs_prepared_task *task = &vcs_prepared_tasks(state)[state->task_count + candidate];
    const vcs_chance_job job = vcs_chance_job_of(state, task);
    if (!vcs_chances_can_run(state, task)) {
        answer->reason = VCS_REASON_CANNOT_RUN;
        return;
    }
    const vcs_admit_terms terms = vcs_chances_terms(&q->chances, &job);
    vcs_job_chances chances;
    answer->reason = vcs_admit_reason(&terms, &chances);
    answer->admitted = vcs_is_taken(answer->reason);
    answer->finish = terms.wait / vcs_resources(state)[task->resource].usable + vcs_seconds(task->run_time);
    if (answer->admitted) {
        vcs_chances_join(&q->chances, &job);
        q->joined[candidate] = 1;
    } else if (answer->reason == VCS_REASON_TAKES_MARGIN) {
        const uint32_t harmed = vcs_chances_least(&q->chances, &job);
        answer->harmed = harmed < state->task_count ? harmed : VCS_NONE;
        answer->harmed_candidate = harmed < state->task_count ? VCS_NONE : harmed - state->task_count;
    }
}

/* Rule 15.5; likewise. */
static int admit_by_chance(vcs_state *state, uint32_t candidate, vcs_arena *arena, vcs_admission *answer) {
    const vcs_counts counts = vcs_counts_of(state);
    chance_queue q;
    vcs_admit_lay_out_chances(&q, &counts, arena);
    if ((state->has & VCS_HAS_QUEUE) == 0) {
        vcs_chances_begin(&q.chances, state);
        memset(q.joined, 0, state->candidate_count);
    } else {
        vcs_chances_resume(&q.chances, state);
    }
    state->has |= VCS_HAS_QUEUE;
    if (q.joined[candidate]) {
        return VCS_ERR_DUPLICATE;
    }
    decide_by_chance(&q, candidate, answer);
    return VCS_OK;
}

/* ---- The interface ---- */

int vcs_admit(vcs_state *state, uint32_t candidate, vcs_admission *admission) {
    if (state == NULL || admission == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_check_size(VCS_FIRST_admission, admission->struct_size);
    if (code != VCS_OK || candidate >= state->candidate_count) {
        return code != VCS_OK ? code : VCS_ERR_INDEX;
    }
    vcs_arena arena = {vcs_piece(state, state->queue), 0};
    vcs_open_gaps(arena.base, (size_t)state->queue_size);
    vcs_admission answer;
    memset(&answer, 0, sizeof answer);
    answer.struct_size = admission->struct_size;
    answer.finish = VCS_INFINITY;
    answer.harmed = VCS_NONE;
    answer.harmed_candidate = VCS_NONE;
    code = state->parameters.work_send == VCS_WORK_SEND_BY_CHANCE ? admit_by_chance(state, candidate, &arena, &answer)
                                                                  : admit_by_placing(state, candidate, &arena, &answer);
    if (code == VCS_OK) {
        vcs_hand_out(admission, admission->struct_size, &answer, sizeof answer);
    }
    return code;
}
