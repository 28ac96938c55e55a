/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "vcemu/sweep/table/sweep_resume.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "vcemu/sweep/table/text.h"

#define HOW_TO_OVERWRITE "; --force overwrites the file"

struct resume {
    const char *name;
    const struct sweep_table *table;
    struct text beginning, end; /* how the row must begin and end */
    char *line;
    size_t length; /* of the line, with the newline if it has one */
    size_t number; /* of the line */
    struct fault *fault;
};

static bool no_memory(const struct resume *resume) {
    return vcs_scn_fault_set(resume->fault, "%s: there is not enough memory to read it", resume->name);
}

/* ---- why it is another sweep ---- */

static bool refuse(const struct resume *resume, const char *what) {
    return vcs_scn_fault_set(resume->fault, "%s:%zu: %s" HOW_TO_OVERWRITE, resume->name, resume->number, what);
}

/* The length of a cell, without the comma behind it. */
static size_t cell_length(const char *cell) {
    bool quoted = false;
    size_t length = 0;
    for (; cell[length] != '\0' && cell[length] != '\n' && (quoted || cell[length] != ','); length++) {
        quoted = quoted != (cell[length] == '"');
    }
    return length;
}

/* A piece of a line as a message quotes it. */
static struct quote quote_cell(const char *cell, size_t length) {
    char text[256];
    snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1), cell);
    return vcs_scn_fault_quote(text);
}

/* Names the first cell that differs. */
static bool refuse_beginning(const struct resume *resume) {
    const char *there = resume->line;
    const char *wanted = resume->beginning.bytes;
    const size_t cells = resume->table->plan->json ? 0 : vcs_swp_rows_beginning_cells(resume->table);
    for (size_t column = 0; column < cells; column++) {
        const size_t there_length = cell_length(there);
        const size_t wanted_length = cell_length(wanted);
        if (there_length != wanted_length || memcmp(there, wanted, wanted_length) != 0 || there[there_length] != ',') {
            return vcs_scn_fault_set(
                resume->fault, "%s:%zu: %s is \"%s\", and in this sweep it is \"%s\"" HOW_TO_OVERWRITE, resume->name,
                resume->number, vcs_scn_fault_quote(vcs_swp_rows_heading(resume->table, column)).text,
                quote_cell(there, there_length).text, quote_cell(wanted, wanted_length).text);
        }
        there += there_length + 1;
        wanted += wanted_length + 1;
    }
    return refuse(resume, "this is not a row of this sweep");
}

/* ---- lines ---- */

static bool begins_with(const struct resume *resume, const struct text *text) {
    return resume->length >= text->length && memcmp(resume->line, text->bytes, text->length) == 0;
}

static bool ends_with(const struct resume *resume, const struct text *text) {
    return resume->length >= text->length &&
           memcmp(resume->line + resume->length - text->length, text->bytes, text->length) == 0;
}

/* Could the line, which has no end, begin the wanted line? */
static bool is_torn(const struct resume *resume) {
    const size_t known = resume->length < resume->beginning.length ? resume->length : resume->beginning.length;
    return resume->line[resume->length - 1] != '\n' && memcmp(resume->line, resume->beginning.bytes, known) == 0;
}

static bool check_header(const struct resume *resume) {
    return (begins_with(resume, &resume->beginning) && resume->length == resume->beginning.length) ||
           refuse(resume, "its columns do not match this sweep");
}

static bool check_row(const struct resume *resume) {
    if (!begins_with(resume, &resume->beginning)) {
        return refuse_beginning(resume);
    }
    return ends_with(resume, &resume->end) ||
           refuse(resume, "the row comes from another scenario, --set or --profile, or from another version of vcemu");
}

/* Sets the beginning of the next line: the header, or a row. */
static bool expect(struct resume *resume, bool header, uint64_t row) {
    vcs_swp_text_clear(&resume->beginning);
    if (header) {
        vcs_swp_rows_header(resume->beginning.out, resume->table);
    } else {
        vcs_swp_rows_beginning(resume->beginning.out, resume->table, row);
    }
    return vcs_swp_text_finish(&resume->beginning) || no_memory(resume);
}

static bool read_lines(struct resume *resume, FILE *stream, struct sweep_progress *progress) {
    const struct sweep_plan *plan = resume->table->plan;
    const uint64_t first = vcs_swp_first_row(plan);
    size_t capacity = 0;
    ssize_t length;
    bool header = plan->has_header;
    while ((length = getline(&resume->line, &capacity, stream)) > 0) {
        resume->length = (size_t)length;
        resume->number++;
        if (!header && first + progress->rows >= vcs_swp_end_row(plan)) {
            return refuse(resume, "the file has more rows than this sweep");
        }
        if (!expect(resume, header, first + progress->rows)) {
            return false;
        }
        if (is_torn(resume)) {
            return true;
        }
        if (!(header ? check_header(resume) : check_row(resume))) {
            return false;
        }
        progress->bytes += resume->length;
        progress->rows += !header;
        header = false;
    }
    return ferror(stream) == 0 || vcs_scn_fault_set(resume->fault, "%s: cannot be read", resume->name);
}

bool vcs_swp_resume(FILE *stream, const char *name, const struct sweep_table *table, struct sweep_progress *progress,
                    struct fault *fault) {
    struct resume resume = {.name = name, .table = table, .fault = fault};
    *progress = (struct sweep_progress){.rows = 0};
    bool read = vcs_swp_text_open(&resume.beginning) && vcs_swp_text_open(&resume.end);
    if (read) {
        vcs_swp_rows_end(resume.end.out, table);
        read = vcs_swp_text_finish(&resume.end);
    }
    read = read ? read_lines(&resume, stream, progress) : no_memory(&resume);
    vcs_swp_text_close(&resume.beginning);
    vcs_swp_text_close(&resume.end);
    free(resume.line);
    return read;
}
