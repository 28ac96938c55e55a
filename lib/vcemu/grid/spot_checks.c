/*
 * Spot checks: jobs with a result that the server knows already. A host cannot tell them from other jobs.
 *
 * Rules 11.3 and 14.4; worked by hand in tests/vcemu/grid/test_grid_trust.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/grid/spot_checks.h"
#include "vcemu/grid/arrivals.h"
#include "vcemu/grid/grid_trust.h"

bool vcs_grid_spot_check_next(vcs_grid_server *s, uint32_t host, double *flops, vcs_emu_origin *origin) {
    if (vcs_emu_draw_uniform(&s->clients[host].spots) >= s->project.spot_checks) {
        return false;
    }
    *flops = vcs_grid_draw_size(&s->project, &s->spot_sizes);
    origin->copy = VCS_GRID_SPOT_CHECK;
    return true;
}

void vcs_grid_spot_check_undo(vcs_grid_server *s, uint32_t host) {
    s->clients[host].spots.draws--;
}

/* The result shows at once whether the host can be believed. */
void vcs_grid_spot_check_report(vcs_grid_server *s, uint32_t host, const vcs_emu_result *result) {
    s->outcome.flops_checks += result->flops;
    if (result->origin.fate != VCS_EMU_FATE_DONE) {
        return;
    }
    if (vcs_grid_draw_result(s->world, host, VCS_GRID_FIRST_WRONG) == VCS_GRID_RIGHT) {
        vcs_grid_note(s, vcs_trust_update(&s->clients[host].trust, VCS_TRUST_PASSED, 0));
    } else {
        vcs_grid_catch(s, host, VCS_REASON_CHECK_FAILED);
    }
}
