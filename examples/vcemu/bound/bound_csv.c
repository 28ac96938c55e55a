/* The least losses as CSV: the projects, then the corners of the curves. SPDX-License-Identifier: MIT */
#include "bound/bound.h"

#include "text/csv.h"
#include "vcemu/scenario/text/parse_number.h"

static void write_number(FILE *out, double number) {
    char text[NUMBER_TEXT_SIZE];
    vcs_scn_number_write(number, text);
    fprintf(out, ",%s", text);
}

static void write_project(const struct bound_answer *answer, uint32_t kind, uint32_t index, FILE *out) {
    const vcs_project_bound *bound = &answer->bounds[index];
    const char *reason = bound_reason(bound);
    fprintf(out, "project,%s,", vcs_bound_name(kind));
    csv_name(out, vcs_scn_state_file_name(answer->file, STATE_PROJECT, index));
    write_number(out, bound->share);
    fputc(',', out); /* no share violation */
    if (bound_is_known(bound)) {
        write_number(out, bound_loss(bound, kind));
        write_number(out, bound->error);
    } else {
        fputs(",,", out);
    }
    fprintf(out, ",%s\n", reason == NULL ? "" : reason);
}

static void write_corner(const struct bound_answer *answer, uint32_t kind, const vcs_bound_point *point, FILE *out) {
    fprintf(out, "curve,%s,", vcs_bound_name(kind));
    if (point->project != VCS_NONE) {
        csv_name(out, vcs_scn_state_file_name(answer->file, STATE_PROJECT, point->project));
    }
    fputc(',', out); /* no share */
    write_number(out, point->share_violation);
    write_number(out, point->loss);
    fputs(",,\n", out);
}

void bound_print_csv(const struct bound_answer *answer, FILE *out) {
    fputs("row,bound,project,share,share_violation,loss,error,reason\n", out);
    for (uint32_t i = 0; i < answer->count; i++) {
        for (uint32_t kind = 0; kind < VCS_BOUND_KINDS; kind++) {
            write_project(answer, kind, i, out);
        }
    }
    for (uint32_t kind = 0; kind < VCS_BOUND_KINDS; kind++) {
        for (uint32_t i = 0; i < answer->corners[kind]; i++) {
            write_corner(answer, kind, &answer->points[kind][i], out);
        }
    }
}
