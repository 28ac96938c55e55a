/*
 * Loads the compiled part of the wheel for Windows as Python would, with python3.c in the place of Python; compares the
 * sizes of all structs that cffi would be told with those in the library, and calls it.
 *
 *     load_binding BINDING.pyd VERSION
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>
#include <windows.h>

#include <parse_c_type.h>
#include <vcemu/grid.h>
#include <vcsched/vcsched.h>

static const struct _cffi_type_context_s *context;

static FARPROC function(const char *name) {
    for (int i = 0; i < context->num_globals; i++) {
        if (strcmp(context->globals[i].name, name) == 0) {
            return (FARPROC)(uintptr_t)context->globals[i].size_or_direct_fn;
        }
    }
    printf("there is no %s\n", name);
    exit(1);
}

/* How many structs have the same size on both sides; ends the program at one that has not. */
static int equal_structs(void) {
    uint32_t (*const size_of)(uint32_t) = (uint32_t(*)(uint32_t))function("vcs_emulator_struct_size");
    const char *(*const name_of)(uint32_t) = (const char *(*)(uint32_t))function("vcs_emulator_struct_name");
    int equal = 0;
    for (uint32_t type = 1; type <= VCS_TYPE_GRID_EVENT; type++) {
        for (int i = 0; i < context->num_struct_unions; i++) {
            const struct _cffi_struct_union_s *one = &context->struct_unions[i];
            if (strncmp(one->name, "vcs_", 4) != 0 || strcmp(one->name + 4, name_of(type)) != 0) {
                continue;
            }
            if (one->size != size_of(type)) {
                printf("%s has %u bytes, not %u\n", one->name, (unsigned)one->size, (unsigned)size_of(type));
                exit(1);
            }
            equal++;
        }
    }
    return equal;
}

int main(int argument_count, char *arguments[]) {
    HMODULE binding = argument_count == 3 ? LoadLibraryA(arguments[1]) : NULL;
    if (binding == NULL) {
        printf("cannot be loaded: %lu\n", GetLastError());
        return 1;
    }
    if (((void *(*)(void))GetProcAddress(binding, "PyInit__binding"))() == NULL) {
        puts("cannot be initialised");
        return 1;
    }
    void **handed = ((void **(*)(void))GetProcAddress(GetModuleHandleA("python3.dll"), "what_was_handed"))();
    context = handed[3];
    const char *version = ((const char *(*)(void))function("vcs_version"))();
    const int same = strcmp(version, arguments[2]) == 0 && strcmp(handed[0], "vcsched._binding") == 0;
    const int right = ((int (*)(vcs_error *))function("vcs_self_test"))(NULL) == VCS_OK;
    const int equal = equal_structs();
    printf("version %s, self-test %s, %d structs\n", version, right ? "passed" : "failed", equal);
    return same && right && equal > 50 ? 0 : 1;
}
