/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "vcemu/sweep/table/sweep_part.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vcemu/scenario/text/bytes.h"
#include "vcemu/scenario/text/parse_number.h"

static bool refuse(const struct sweep_part *part, struct fault *fault) {
    return vcs_scn_fault_set(fault, "%s: cannot be written: %s", part->name, strerror(errno));
}

/* The key hashes everything that decides the runs of this row and their figures. */
static bool make_key(struct sweep_part *part, uint64_t row) {
    const struct sweep_plan *plan = part->table->plan;
    vcs_swp_text_clear(&part->lines);
    vcs_swp_rows_header(part->lines.out, part->table);
    vcs_swp_rows_beginning(part->lines.out, part->table, row);
    fprintf(part->lines.out, "%s %llu", part->table->mark, (unsigned long long)plan->seeds);
    if (!vcs_swp_text_finish(&part->lines)) {
        return false;
    }
    const uint64_t hash = vcs_scn_bytes_hash(BYTES_HASH, part->lines.bytes, part->lines.length);
    snprintf(part->key, sizeof part->key, "p%016llx", (unsigned long long)hash);
    return true;
}

/* ---- kept runs ---- */

/* Reads "KEY,RUN,VALUE,...". An empty value is undefined. */
static bool read_run(const struct sweep_part *part, char *line, uint64_t run, double *values) {
    char expected[64];
    const int length = snprintf(expected, sizeof expected, "%s,%llu", part->key, (unsigned long long)run);
    if (strncmp(line, expected, (size_t)length) != 0) {
        return false;
    }
    line += length;
    for (size_t i = 0; i < part->figures; i++) {
        if (*line != ',') {
            return false;
        }
        char *value = ++line;
        line += strcspn(line, ",\n");
        const char end = *line;
        *line = '\0';
        values[i] = NAN;
        if (value[0] != '\0' && vcs_scn_number_read(value, &values[i]) != NUMBER_OK) {
            return false;
        }
        *line = end;
    }
    return strcmp(line, "\n") == 0;
}

/* Passes runs to `accept` until one is missing or torn; later ones are useless. */
static bool read_kept(struct sweep_part *part, FILE *stream, uint64_t next, sweep_part_accept accept, void *context) {
    double *values = malloc((part->figures + 1) * sizeof *values);
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    bool wanted = values != NULL;
    while (wanted && (length = getline(&line, &capacity, stream)) > 0 && read_run(part, line, next, values)) {
        wanted = accept(context, values);
        next++;
        part->bytes += wanted ? (uint64_t)length : 0;
    }
    free(line);
    free(values);
    return wanted;
}

/* Cuts the file behind the last useful run. */
static bool cut(const struct sweep_part *part) {
    return ftruncate(part->descriptor, (off_t)part->bytes) == 0 &&
           lseek(part->descriptor, (off_t)part->bytes, SEEK_SET) >= 0;
}

/* ---- opening ---- */

static bool open_file(struct sweep_part *part, const char *file) {
    const size_t size = strlen(file) + sizeof ".part";
    part->name = malloc(size);
    if (part->name == NULL) {
        return false;
    }
    snprintf(part->name, size, "%s.part", file);
    part->descriptor = open(part->name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    return part->descriptor >= 0;
}

static bool read_file(struct sweep_part *part, uint64_t next, sweep_part_accept accept, void *context) {
    const int copy = dup(part->descriptor);
    FILE *stream = copy < 0 ? NULL : fdopen(copy, "r");
    const bool read = stream != NULL && read_kept(part, stream, next, accept, context);
    if (stream != NULL) {
        fclose(stream);
    }
    return read;
}

bool vcs_swp_part_open(struct sweep_part *part, const struct sweep_file *file, const struct sweep_table *table,
                       uint64_t next, sweep_part_accept accept, void *context, struct fault *fault) {
    *part = (struct sweep_part){.descriptor = -1, .table = table, .figures = table->plan->figures.count};
    if (table->plan->output == NULL || !vcs_swp_file_is_regular(file) || vcs_swp_runs_per_row(table->plan) == 1) {
        return true;
    }
    if (!vcs_swp_text_open(&part->lines) || !make_key(part, next / vcs_swp_runs_per_row(table->plan))) {
        return vcs_scn_fault_memory(fault, file->name);
    }
    if (!open_file(part, file->name)) {
        return refuse(part, fault);
    }
    if ((table->plan->sweep->flags & VCS_SWEEP_FORCE) == 0 && !read_file(part, next, accept, context)) {
        return vcs_scn_fault_set(fault, "%s: there is not enough memory to read it", part->name);
    }
    return cut(part) || refuse(part, fault);
}

/* ---- keeping ---- */

bool vcs_swp_part_add(struct sweep_part *part, uint64_t run, const double *values, struct fault *fault) {
    if (part->descriptor < 0) {
        return true;
    }
    vcs_swp_text_clear(&part->lines);
    fprintf(part->lines.out, "%s,%llu", part->key, (unsigned long long)run);
    for (size_t i = 0; i < part->figures; i++) {
        char text[NUMBER_TEXT_SIZE] = "";
        if (!isnan(values[i])) {
            vcs_scn_number_write(values[i], text);
        }
        fprintf(part->lines.out, ",%s", text);
    }
    fputc('\n', part->lines.out);
    if (!vcs_swp_text_finish(&part->lines)) {
        return vcs_scn_fault_memory(fault, part->name);
    }
    part->bytes += part->lines.length;
    return vcs_swp_text_write(&part->lines, part->descriptor) || refuse(part, fault);
}

bool vcs_swp_part_next_row(struct sweep_part *part, uint64_t row, struct fault *fault) {
    if (part->descriptor < 0) {
        return true;
    }
    part->bytes = 0;
    if (!make_key(part, row)) {
        return vcs_scn_fault_memory(fault, part->name);
    }
    return cut(part) || refuse(part, fault);
}

void vcs_swp_part_close(struct sweep_part *part) {
    if (part->descriptor >= 0) {
        close(part->descriptor); /* first: Windows keeps a file that is open */
        if (part->bytes == 0) {
            unlink(part->name);
        }
    }
    vcs_swp_text_close(&part->lines);
    free(part->name);
    *part = (struct sweep_part){.descriptor = -1};
}
