/* SPDX-License-Identifier: MIT */
#include <vcsched/abi.h>

#define TEXT(x) #x
#define VERSION(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *vcs_version(void) {
    return VERSION(VCS_VERSION_MAJOR, VCS_VERSION_MINOR, VCS_VERSION_PATCH);
}

uint32_t vcs_abi_version(void) {
    return VCS_ABI_VERSION;
}
