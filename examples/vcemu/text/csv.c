/* SPDX-License-Identifier: MIT */
#include "text/csv.h"

void csv_name(FILE *out, const char *name) {
    fputc('"', out);
    for (; *name != '\0'; name++) {
        fputs(*name == '"' ? "\"\"" : (const char[]){*name, '\0'}, out);
    }
    fputc('"', out);
}
