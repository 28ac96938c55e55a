/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "vcemu/sweep/table/sweep_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vcemu/sweep/table/sweep_resume.h"

static bool refuse(const struct sweep_file *file, const char *what, struct fault *fault) {
    return vcs_scn_fault_set(fault, "%s: %s: %s", file->name, what, strerror(errno));
}

/* ---- rows of an earlier sweep ---- */

/* Two sweeps must not write the same file. What cannot be locked, such as a device, is not locked. */
static bool lock(const struct sweep_file *file, struct fault *fault) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fileno(file->stream), F_SETLK, &whole) == 0 || (errno != EACCES && errno != EAGAIN) ||
           vcs_scn_fault_set(fault, "%s: another sweep is writing to it", file->name);
}

static bool is_regular(FILE *stream) {
    struct stat status;
    return fstat(fileno(stream), &status) == 0 && S_ISREG(status.st_mode);
}

/* Opens the file, which must exist if it `is_there`. */
static bool open_stream(struct sweep_file *file, bool is_there, struct fault *fault) {
    const int descriptor = open(file->name, O_RDWR | (is_there ? 0 : O_CREAT) | O_CLOEXEC, 0666);
    file->stream = descriptor < 0 ? NULL : fdopen(descriptor, "r+");
    if (file->stream == NULL && descriptor >= 0) {
        close(descriptor);
    }
    return file->stream != NULL || refuse(file, is_there ? "cannot be resumed" : "cannot be written", fault);
}

/* Finds out which rows the file has, and cuts off an incomplete one. */
static bool resume(struct sweep_file *file, const struct sweep_table *table, struct fault *fault) {
    struct sweep_progress progress = {.rows = 0};
    if (!is_regular(file->stream)) {
        return true;
    }
    if ((table->plan->sweep->flags & VCS_SWEEP_FORCE) == 0 &&
        !vcs_swp_resume(file->stream, file->name, table, &progress, fault)) {
        return false;
    }
    file->bytes = progress.bytes;
    file->rows = progress.rows;
    const int descriptor = fileno(file->stream);
    return (ftruncate(descriptor, (off_t)file->bytes) == 0 && lseek(descriptor, (off_t)file->bytes, SEEK_SET) >= 0) ||
           refuse(file, "cannot be written", fault);
}

/* ---- new rows ---- */

bool vcs_swp_file_write(struct sweep_file *file, struct fault *fault) {
    if (file->stream == NULL) {
        vcs_swp_text_clear(&file->row);
        return true;
    }
    if (!vcs_swp_text_finish(&file->row)) {
        return vcs_scn_fault_set(fault, "%s: there is not enough memory for a row", file->name);
    }
    const int descriptor = fileno(file->stream);
    if (!vcs_swp_text_write(&file->row, descriptor)) {
        refuse(file, "cannot be written", fault);
        if (is_regular(file->stream) && ftruncate(descriptor, (off_t)file->bytes) != 0) {
            refuse(file, "cannot be written, and ends with part of a row", fault);
        }
        return false;
    }
    file->bytes += file->row.length;
    vcs_swp_text_clear(&file->row);
    return true;
}

bool vcs_swp_file_open(struct sweep_file *file, const struct sweep_table *table, struct fault *fault) {
    const struct sweep_plan *plan = table->plan;
    *file = (struct sweep_file){.name = plan->output == NULL ? "standard output" : plan->output};
    if (!vcs_swp_text_open(&file->row)) {
        return vcs_scn_fault_memory(fault, file->name);
    }
    if (plan->output == NULL) {
        file->stream = plan->sweep->output == NULL ? NULL : stdout;
    } else if (!open_stream(file, (plan->sweep->flags & VCS_SWEEP_RESUME) != 0, fault) || !lock(file, fault) ||
               !resume(file, table, fault)) {
        return false;
    }
    if (file->bytes == 0 && plan->has_header) {
        vcs_swp_rows_header(file->row.out, table);
        return vcs_swp_file_write(file, fault);
    }
    return true;
}

bool vcs_swp_file_is_regular(const struct sweep_file *file) {
    return is_regular(file->stream);
}

bool vcs_swp_file_close(struct sweep_file *file, struct fault *fault) {
    const bool closed = file->stream == NULL || file->stream == stdout || fclose(file->stream) == 0;
    vcs_swp_text_close(&file->row);
    file->stream = NULL;
    return closed || refuse(file, "could not be written completely", fault);
}
