/* How failures are described. SPDX-License-Identifier: MIT */
#include "vcemu/host/emulator.h"
#include "vcsched/interface/check/check.h"

void vcs_emu_fail(vcs_emu_emulator *e, int code, uint64_t index, const char *what, const char *why) {
    vcs_emu_note(e, vcs_fail_at(e->error, code, index, what, why));
}

void vcs_emu_note_hook(vcs_emu_emulator *e, int code, const char *name) {
    if (code < VCS_OK) {
        vcs_emu_fail(e, code, 0, name, "returned an error");
    }
}
