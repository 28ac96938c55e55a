/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "vcemu/scenario/policy/policy_library.h"
#include "vcemu/scenario/policy/policy_name.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SYMBOL "vcemu_policy"

static bool is_none(const char *path) {
    return path == NULL || strcmp(path, POLICY_NONE) == 0 || vcs_scn_policy_name_is(path);
}

/* With a / in it. The caller frees it; NULL without memory. */
static char *make_path(const char *path) {
    const char *here = strchr(path, '/') == NULL ? "./" : "";
    const size_t size = strlen(here) + strlen(path) + 1;
    char *made = malloc(size);
    if (made != NULL) {
        snprintf(made, size, "%s%s", here, path);
    }
    return made;
}

static bool load(struct policy_library *library, const char *path, struct fault *fault) {
    char *made = make_path(path);
    if (made == NULL) {
        return vcs_scn_fault_set(fault, "--policy: there is not enough memory");
    }
    library->handle = dlopen(made, RTLD_NOW | RTLD_LOCAL);
    free(made);
    return library->handle != NULL ||
           vcs_scn_fault_set(fault, "--policy %s: cannot be loaded: %s", vcs_scn_fault_quote(path).text, dlerror());
}

bool vcs_scn_policy_library_check(const vcs_policy *policy, const char *path, struct fault *fault) {
    if (policy->version != VCS_POLICY_VERSION) {
        return vcs_scn_fault_set(fault,
                                 "--policy %s: it is of version %lu, and this vcemu takes version %u: compile it again",
                                 vcs_scn_fault_quote(path).text, (unsigned long)policy->version, VCS_POLICY_VERSION);
    }
    const struct {
        const char *name;
        uint32_t there, least, most;
    } sizes[] = {
        {"vcs_policy", policy->struct_size, sizeof *policy, sizeof *policy},
        {"vcs_hooks", policy->hooks_size, offsetof(vcs_hooks, observe), sizeof(vcs_hooks)},
        {"vcs_situation", policy->situation_size, offsetof(vcs_situation, state), sizeof(vcs_situation)},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i].there < sizes[i].least || sizes[i].there > sizes[i].most) {
            return vcs_scn_fault_set(
                fault,
                "--policy %s: it was compiled with a %s of %lu bytes, and this vcemu has %lu: compile it "
                "again",
                vcs_scn_fault_quote(path).text, sizes[i].name, (unsigned long)sizes[i].there,
                (unsigned long)sizes[i].most);
        }
    }
    return policy->begin != NULL ||
           vcs_scn_fault_set(fault, "--policy %s: begin is NULL", vcs_scn_fault_quote(path).text);
}

bool vcs_scn_policy_library_open(struct policy_library *library, const char *path, struct fault *fault) {
    *library = (struct policy_library){.handle = NULL};
    if (is_none(path)) {
        return true;
    }
    if (!load(library, path, fault)) {
        return false;
    }
    const vcs_policy *policy = dlsym(library->handle, SYMBOL);
    if (policy == NULL) {
        return vcs_scn_fault_set(fault, "--policy %s: it does not export " SYMBOL "; see vcemu/policy.h",
                                 vcs_scn_fault_quote(path).text);
    }
    library->policy = policy;
    return vcs_scn_policy_library_check(policy, path, fault);
}

void vcs_scn_policy_library_close(struct policy_library *library) {
    if (library->handle != NULL) {
        dlclose(library->handle);
    }
    *library = (struct policy_library){.handle = NULL};
}

uint64_t vcs_scn_policy_library_mark(const char *path) {
    FILE *stream = is_none(path) ? NULL : fopen(path, "rb");
    uint64_t mark = 0;
    unsigned char bytes[4096];
    size_t got;
    while (stream != NULL && (got = fread(bytes, 1, sizeof bytes, stream)) > 0) {
        for (size_t i = 0; i < got; i++) {
            mark = (mark ^ bytes[i]) * 0x100000001b3u + 1;
        }
    }
    if (stream != NULL) {
        fclose(stream);
    }
    return mark;
}
