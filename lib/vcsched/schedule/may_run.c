/* SPDX-License-Identifier: MIT */
#include "vcsched/schedule/may_run.h"

bool vcs_fits_gpu(const vcs_state *state, const vcs_prepared_task *task) {
    return vcs_devices_suffice(vcs_resources(state)[task->resource].instances, task->gpu_units,
                               vcs_allowed_to(state, task));
}
