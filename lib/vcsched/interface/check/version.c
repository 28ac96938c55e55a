/* SPDX-License-Identifier: MIT */
#include <vcsched/abi.h>

const char *vcs_version(void) {
    return VCS_VERSION;
}

uint32_t vcs_abi_version(void) {
    return VCS_ABI_VERSION;
}
