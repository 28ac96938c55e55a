/*
 * The library's own tables of parameters and reasons as JSON: what the pages about them say.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <vcsched/vcsched.h>

/* None of the table's texts has a quotation mark or a backslash that JSON would have to escape, but to be sure. */
static void print_text(const char *text) {
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            putchar('\\');
        }
        putchar(*text);
    }
    putchar('"');
}

static void print_parameter(uint32_t index) {
    vcs_parameter_info info = {.struct_size = sizeof info};
    vcs_parameter_at(index, &info);
    printf("%s{\"name\":", index == 0 ? "" : ",\n");
    print_text(info.name);
    printf(",\"about\":");
    print_text(info.about);
    printf(",\"unit\":");
    print_text(info.unit);
    printf(",\"kind\":%u,\"minimum\":%.17g,\"maximum\":%.17g,\"values\":[", (unsigned)info.kind, info.minimum,
           info.maximum);
    for (uint32_t profile = 0; profile < VCS_PROFILE_COUNT; profile++) {
        printf("%s%.17g", profile == 0 ? "" : ",", info.value[profile]);
    }
    printf("],\"choices\":[");
    for (uint32_t value = 0; info.choices > 0 && value <= info.maximum; value++) {
        printf("%s", value == 0 ? "" : ",");
        print_text(vcs_parameter_choice(index, value));
    }
    printf("]}");
}

static void print_reason(uint32_t index) {
    vcs_reason_info info = {.struct_size = sizeof info};
    vcs_reason_at(index, &info);
    printf("%s{\"code\":%u,\"name\":", index == 0 ? "" : ",\n", (unsigned)info.code);
    print_text(info.name);
    printf(",\"sentence\":");
    print_text(info.sentence);
    printf("}");
}

int main(void) {
    printf("{\"profiles\":[");
    for (uint32_t profile = 0; profile < VCS_PROFILE_COUNT; profile++) {
        printf("%s", profile == 0 ? "" : ",");
        print_text(vcs_profile_name(profile));
    }
    printf("],\n\"parameters\":[");
    for (uint32_t i = 0; i < vcs_parameter_count(); i++) {
        print_parameter(i);
    }
    printf("],\n\"reasons\":[");
    for (uint32_t i = 0; i < vcs_reason_count(); i++) {
        print_reason(i);
    }
    printf("]}\n");
    return 0;
}
