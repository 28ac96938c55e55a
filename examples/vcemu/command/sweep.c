/* SPDX-License-Identifier: MIT */
#include "command/sweep.h"

#include <string.h>

#include "text/progress.h"
#include "command/foreign_file.h"
#include "command/interrupt.h"

/* The bar of the present stage. */
struct bar {
    struct progress progress;
    uint32_t stage; /* STAGES = none yet */
    uint64_t done;
};

enum { STAGES = VCS_SWEEP_EMULATING + 1 };

static const struct {
    const char *what;
    double first_after;
} stages[STAGES] = {
    [VCS_SWEEP_READING] = {"reading the state", PROGRESS_IF_LONG},
    [VCS_SWEEP_CHECKING] = {"checking the values", PROGRESS_IF_LONG},
    [VCS_SWEEP_EMULATING] = {"emulating", PROGRESS_AT_ONCE},
};

static int show_progress(void *context, uint32_t stage, uint64_t done, uint64_t total) {
    struct bar *bar = context;
    if (stage != bar->stage || done < bar->done) {
        progress_end(&bar->progress);
        progress_start(&bar->progress, stages[stage].what, stages[stage].first_after);
    }
    bar->stage = stage;
    bar->done = done;
    progress_step(&bar->progress, done, total);
    return interrupt_has_come();
}

static void tell(void *context, uint32_t kind, const char *message) {
    struct bar *bar = context;
    progress_end(&bar->progress);
    if (kind == VCS_SWEEP_WARNING) {
        fprintf(stderr, "vcemu: warning: %s\n", message);
    } else {
        puts(message);
        fflush(stdout);
    }
}

/* If the file that was refused is one of a BOINC client, the fault says so. Standard input has been read. */
static void look_for_xml(const vcs_sweep *sweep, struct fault *fault) {
    for (uint32_t i = 0; i < sweep->file_count; i++) {
        const char *path = sweep->files[i];
        const size_t length = strlen(path);
        FILE *stream =
            strncmp(fault->message, path, length) == 0 && fault->message[length] == ':' ? fopen(path, "rb") : NULL;
        if (stream != NULL) {
            char text[8] = "";
            text[fread(text, 1, sizeof text - 1, stream)] = '\0';
            fclose(stream);
            foreign_file_is_xml(path, path, text, fault);
            return;
        }
    }
}

int sweep_run(struct command_line *line, struct fault *fault) {
    struct bar bar = {.stage = STAGES};
    line->sweep.progress = show_progress;
    line->sweep.tell = tell;
    line->sweep.context = &bar;
    interrupt_catch();
    const int end = vcs_emulate_sweep(&line->sweep, fault->message, sizeof fault->message);
    interrupt_release();
    progress_end(&bar.progress);
    if (end == VCS_SWEEP_REFUSED) {
        look_for_xml(&line->sweep, fault);
    }
    return end;
}
