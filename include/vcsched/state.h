/*
 * The prepared state of a host: checked and sorted once, asked many times.
 *
 * vcs_state_prepare() checks every record, so the decisions that take a vcs_state cannot fail on input again. The state
 * lives in the caller's memory and holds a copy of everything it needs: the records are not needed afterwards.
 *
 * Any number of states can be in use at the same time in any number of threads, but each by one thread at a time,
 * because decisions keep scratch data and results in it. There is nothing to free.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCSCHED_STATE_H
#define VCSCHED_STATE_H

#include <vcsched/parameters.h>
#include <vcsched/record.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A prepared state. Its contents are the library's own. */
typedef struct vcs_state vcs_state;

/*
 * How much memory vcs_state_prepare() needs for a snapshot. It reads only the counts and the instances of resources.
 *
 * bytes   set to the number of bytes
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_* of the snapshot, VCS_ERR_RANGE for a number of instances outside its
 * range, or VCS_ERR_OVERFLOW. Thread-safe. O(resources).
 */
VCS_API int vcs_state_size(const vcs_snapshot *snapshot, size_t *bytes);

/*
 * Checks a host's records, sorts them and stores them in the caller's memory.
 *
 * snapshot     the records; see vcs_snapshot. They are neither kept nor changed
 * parameters   the policy; kept as a copy
 * now          the current time; finite; deadlines and arrivals may lie on either side of it
 * work         at least vcs_state_size() bytes, aligned to 8; this memory becomes the state
 * work_size    its size in bytes
 * state        set to the prepared state, which begins at `work`
 * error        what was refused, and where; may be NULL
 *
 * Refused: a struct or element size that fits no version, unknown flags, reserved bytes that are not 0, NaN, infinity
 * (except a deadline of +infinity, which means none), numbers outside the range that the record states, indices outside
 * their array, two projects or two tasks with the same id, two records for one project and resource, exclusions on the
 * CPU or beyond 64 instances, work memory too small or misaligned. With VCS_DISCIPLINE_FLUID, tasks that use anything
 * but one CPU and limits per application are VCS_ERR_UNSUPPORTED.
 *
 * Accepted, because they happen: deadlines in the past, no projects, no tasks, all shares 0, tasks of 0 seconds or 0
 * CPUs, tasks that need more instances than there are.
 *
 * Returns VCS_OK or the error. On an error neither `work` nor `state` has been written, except that VCS_ERR_DUPLICATE,
 * which is found by sorting, may have written `work`. Thread-safe.
 * O(records + projects * resources): the sorts are radix sorts, linear whatever the values are.
 */
VCS_API int vcs_state_prepare(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now, void *work,
                              size_t work_size, vcs_state **state, vcs_error *error);

/*
 * Updates a prepared state to the current records. The effect is that of vcs_state_prepare() in the same memory, and
 * all results of decisions are discarded; but if little has changed it is several times as fast, because unchanged
 * records are neither checked nor sorted again. Use it where a client decides often: whenever a task has made progress,
 * arrived or ended, or a project has been contacted.
 *
 * state        a state that was prepared or renewed without an error; it stays where it is
 * work_size    bytes of the memory that begins at `state`. If there is more than vcs_state_size() says, the state can
 *              take in new tasks; 50 % more is plenty
 * snapshot     the records, in any order and number. A task that keeps its index is compared with its old record; tasks
 *              at other indices count as changed
 * parameters   the policy
 * now          the current time, as for vcs_state_prepare()
 * error        what was refused, and where; may be NULL
 *
 * Refused: what vcs_state_prepare() refuses. VCS_ERR_WORKSPACE means that the records no longer fit: prepare a new
 * state in more memory.
 *
 * Returns VCS_OK or the error. On an error the state and its results are unchanged, except after VCS_ERR_DUPLICATE,
 * which is found by sorting: then it is the state of a host without projects, applications, tasks and candidates, and
 * has no results. Renewing it with right records fills it again.
 * Thread-safe, for different states. O(records + c * log(tasks)) for c changed tasks.
 * If anything else has changed than tasks, REC, debts, call times, backoffs, correction factors, the policy, the memory
 * and, up to what the state was prepared for, the number of CPUs, it costs as much as vcs_state_prepare().
 */
VCS_API int vcs_state_renew(vcs_state *state, size_t work_size, const vcs_snapshot *snapshot,
                            const vcs_parameters *parameters, double now, vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif
