/*
 * The prepared state of a host: checked and sorted once, asked many times.
 *
 * vcs_state_prepare() looks at every record, so that the decisions that take a vcs_state cannot fail on input again.
 * The state lives in memory of the caller's and holds a copy of all it needs: afterwards the records may go.
 *
 * Any number of states can be used at once from any number of threads; one state must not be used by two at a time,
 * since a decision keeps its scratch data and its results in it. There is nothing to free.
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
 * How much memory vcs_state_prepare() needs for a snapshot. Only the counts and the resources' instances are looked at.
 *
 * bytes   set to the number of bytes
 *
 * Returns VCS_OK, VCS_ERR_NULL, a VCS_ERR_ABI_* of the snapshot, VCS_ERR_RANGE for a number of instances that no
 * resource has, or VCS_ERR_OVERFLOW. Thread-safe. O(resources).
 */
VCS_API int vcs_state_size(const vcs_snapshot *snapshot, size_t *bytes);

/*
 * Checks a host's records, sorts them, and lays them out in the caller's memory.
 *
 * snapshot     the records; see vcs_snapshot. No records are kept or changed
 * parameters   the policy; kept as a copy
 * now          the present, a time; finite; deadlines and arrivals may lie on either side of it
 * work         at least vcs_state_size() bytes, aligned to 8; it is the state from now on
 * work_size    its size in bytes
 * state        set to the prepared state, which begins at `work`
 * error        what was refused, and where; may be NULL
 *
 * Refused: a struct or element size that fits no version, unknown flags, reserved bytes that are not 0, NaN, infinity
 * (but for a deadline of +infinity, which means none), numbers outside the range that the record states, indices
 * outside their array, two projects or two tasks of one id, two project-resources for the same thing, exclusions on the
 * CPU or beyond 64 instances, work memory too small or misaligned. A discipline of VCS_DISCIPLINE_FLUID refuses tasks
 * that use anything but one CPU, and limits per application, as VCS_ERR_UNSUPPORTED.
 *
 * Not refused, for they happen: deadlines in the past, no project, no task, all shares 0, tasks of 0 seconds or 0 CPUs,
 * tasks that need more instances than there are.
 *
 * Returns VCS_OK or the error; on an error neither `work` nor `state` was written, except that VCS_ERR_DUPLICATE, which
 * takes sorting, may have written `work`. Thread-safe.
 * O(records + projects * resources): the sorts are radix sorts, linear whatever the values are.
 */
VCS_API int vcs_state_prepare(const vcs_snapshot *snapshot, const vcs_parameters *parameters, double now, void *work,
                              size_t work_size, vcs_state **state, vcs_error *error);

/*
 * Brings a prepared state up to the records as they are now. What comes of it is the same as of vcs_state_prepare() in
 * the same memory, and all results of decisions are gone; but where little has changed, it is several times as fast:
 * records that are what they were are neither checked nor sorted again. It pays where a client decides often: when a
 * task has got on, arrived or ended, or a project has been called.
 *
 * state        a state that was prepared or renewed before without an error; it stays where it is
 * work_size    bytes of the memory that begins at `state`. If there is more than vcs_state_size() says, tasks that
 *              arrive find room; half as much again is plenty
 * snapshot     the records, in any order and number; a task that keeps its place among them is compared with what it
 *              was, and those in other places count as changed
 * parameters   the policy
 * now          the present, as for vcs_state_prepare()
 * error        what was refused, and where; may be NULL
 *
 * Refused: what vcs_state_prepare() refuses. If the records no longer fit, that is VCS_ERR_WORKSPACE: prepare a state
 * in more memory.
 *
 * Returns VCS_OK or the error; on an error the state is as it was, with its results, except after VCS_ERR_DUPLICATE,
 * when it must be prepared anew. Thread-safe, for different states.
 * O(records + c * log(tasks)) where c tasks have changed; where more has changed than tasks, REC, debts, times of
 * calls, backoffs and correction factors, it costs as much as vcs_state_prepare().
 */
VCS_API int vcs_state_renew(vcs_state *state, size_t work_size, const vcs_snapshot *snapshot,
                            const vcs_parameters *parameters, double now, vcs_error *error);

#ifdef __cplusplus
}
#endif

#endif
