/*
 * vcemu: shows what the scheduling policy of volunteer computing decides for a host. doc/vcemu.md is its manual.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include <vcsched/abi.h>

#include "bound/bound.h"
#include "command/command_line.h"
#include "command/foreign_file.h"
#include "command/sweep.h"
#include "grid/grid_output.h"
#include "grid/grid_seeds.h"
#include "grid/report.h"
#include "plan/admit.h"
#include "plan/compare.h"
#include "plan/plan.h"
#include "run/run.h"
#include "text/screen.h"
#include "vcemu/scenario/grid/grid_scenario.h"
#include "vcemu/scenario/state/state_interpret.h"
#include "vcemu/scenario/state/state_sections.h"
#include "vcemu/scenario/text/fault.h"
#include "text/progress.h"

/* Those of a sweep are the same. */
enum exit_status {
    EXIT_DONE = VCS_SWEEP_DONE,
    EXIT_INPUT = VCS_SWEEP_REFUSED,
    EXIT_USAGE = VCS_SWEEP_USAGE,
    EXIT_INTERRUPTED = VCS_SWEEP_INTERRUPTED
};

static void show_reading(void *context, uint64_t done, uint64_t total) {
    progress_step(context, done, total);
}

static bool read_state(struct state_file *file, const struct command_line *line, struct fault *fault) {
    struct progress progress;
    const struct read_watcher watcher = {.step = show_reading, .context = &progress};
    const struct state_grammar *grammar =
        line->command == COMMAND_GRID ? &vcs_scn_grid_grammar : &vcs_scn_state_grammar_plain;
    progress_start(&progress, "reading the state", PROGRESS_IF_LONG);
    const bool read = vcs_scn_state_file_read(file, line->paths[0], grammar, &line->wish, &watcher, fault);
    progress_end(&progress);
    if (!read && file->document.text != NULL) {
        foreign_file_is_xml(line->paths[0], file->document.file, file->document.text, fault);
    }
    return read;
}

static bool no_memory_to_print(const struct state_file *file, struct fault *fault) {
    return vcs_scn_fault_set(fault, "%s: there is not enough memory to show all of it", file->document.file);
}

static bool show_plan(const struct command_line *line, const struct state_file *file, const struct screen *screen,
                      struct fault *fault) {
    struct plan plan;
    bool shown = plan_make(&plan, file, fault);
    if (shown && line->json) {
        plan_print_json(&plan, stdout);
    } else if (shown && line->explain != NULL) {
        shown = plan_explain(&plan, line->explain, screen, fault);
    } else if (shown) {
        shown = plan_print_text(&plan, screen, line->all) || no_memory_to_print(file, fault);
    }
    plan_free(&plan);
    return shown;
}

static bool show_comparison(const struct command_line *line, struct state_file *file, const struct screen *screen,
                            struct fault *fault) {
    struct comparison comparison;
    bool shown = comparison_make(&comparison, file, &line->wish, line->compare, fault);
    if (shown && line->json) {
        comparison_print_json(&comparison, stdout);
    } else if (shown) {
        shown = comparison_print_text(&comparison, screen, line->all) || no_memory_to_print(file, fault);
    }
    comparison_free(&comparison);
    return shown;
}

static bool show_admissions(const struct command_line *line, const struct state_file *file, const struct screen *screen,
                            struct fault *fault) {
    struct admissions admissions;
    bool shown = admissions_decide(&admissions, file, fault);
    if (shown && line->json) {
        admissions_print_json(&admissions, stdout);
    } else if (shown) {
        admissions_print_text(&admissions, screen);
    }
    admissions_free(&admissions);
    return shown;
}

static bool show_run(const struct command_line *line, const struct state_file *file, struct fault *fault) {
    struct emulated emulated;
    bool shown = emulated_run(&emulated, file, &line->wish, line->trace, line->timeline, fault) &&
                 (!line->bound || emulated_compare(&emulated, fault));
    if (shown && line->json) {
        emulated_print_json(&emulated, stdout);
    } else if (shown) {
        emulated_print_text(&emulated, stdout);
    }
    emulated_free(&emulated);
    return shown;
}

static bool show_bound(const struct command_line *line, const struct state_file *file, const struct screen *screen,
                       struct fault *fault) {
    struct bound_answer answer;
    bool shown =
        bound_find(&answer, file, fault) && (line->picture == NULL || bound_draw(&answer, line->picture, fault));
    if (shown && line->json) {
        bound_print_json(&answer, stdout);
    } else if (shown && line->csv) {
        bound_print_csv(&answer, stdout);
    } else if (shown) {
        shown = bound_print_text(&answer, screen) || no_memory_to_print(file, fault);
    }
    bound_free(&answer);
    return shown;
}

static void print_note(const struct fault *note) {
    if (note->message[0] != '\0') {
        fprintf(stderr, "vcemu: warning: %s\n", note->message);
    }
}

/* An interrupted grid is shown as far as it got. */
static enum exit_status show_grid(const struct command_line *line, const struct state_file *file,
                                  const struct screen *screen, struct fault *fault) {
    struct grid_emulated emulated;
    bool shown =
        (grid_emulated_run(&emulated, file, &line->grid, fault) || (emulated.interrupted && emulated.run_count > 0)) &&
        (line->report == NULL || report_write(&emulated, line->report, fault));
    if (shown && line->json) {
        grid_print_json(&emulated, stdout);
    } else if (shown && line->csv) {
        grid_print_csv(&emulated, stdout);
    } else if (shown) {
        shown = grid_print_text(&emulated, screen) || no_memory_to_print(file, fault);
    }
    const bool interrupted = emulated.interrupted;
    grid_emulated_free(&emulated);
    return interrupted ? EXIT_INTERRUPTED : shown ? EXIT_DONE : EXIT_INPUT;
}

static enum exit_status show(const struct command_line *line, struct state_file *file, const struct screen *screen,
                             struct fault *fault) {
    bool shown;
    print_note(&file->former);
    switch (line->command) {
    case COMMAND_GRID:
        print_note(&file->note);
        return show_grid(line, file, screen, fault);
    case COMMAND_RUN:
        print_note(&file->note);
        shown = show_run(line, file, fault);
        break;
    case COMMAND_BOUND:
        print_note(&file->note);
        shown = show_bound(line, file, screen, fault);
        break;
    case COMMAND_PLAN:
        shown =
            line->compare != NULL ? show_comparison(line, file, screen, fault) : show_plan(line, file, screen, fault);
        break;
    default:
        shown = show_admissions(line, file, screen, fault);
    }
    return shown ? EXIT_DONE : EXIT_INPUT;
}

static enum exit_status run(struct command_line *line, const struct screen *screen, struct fault *fault) {
    if (line->command == COMMAND_HELP) {
        if (line->json) {
            command_line_help_json(stdout);
        } else {
            command_line_help(line->help_about, stdout);
        }
        return EXIT_DONE;
    }
    if (line->command == COMMAND_COMPLETION) {
        completion_print(line->shell, stdout);
        return EXIT_DONE;
    }
    if (line->command == COMMAND_VERSION) {
        printf("vcemu, libvcsched %s\n", vcs_version());
        return EXIT_DONE;
    }
    if (line->command == COMMAND_SWEEP) {
        return (enum exit_status)sweep_run(line, fault);
    }
    struct state_file file;
    const enum exit_status status = read_state(&file, line, fault) ? show(line, &file, screen, fault) : EXIT_INPUT;
    vcs_scn_state_file_free(&file);
    return status;
}

/* Whether the library decides as on any other machine. Flushing denormal numbers to 0 makes no difference. */
static bool computes_as_elsewhere(struct fault *fault) {
    vcs_error error = {.struct_size = sizeof error};
    return vcs_self_test(&error) == VCS_OK || strcmp(error.field, "denormals") == 0 ||
           vcs_scn_fault_set(fault, "the library decides otherwise here than elsewhere: %s", error.message);
}

int main(int argument_count, char *arguments[]) {
    struct command_line line;
    struct fault fault;
    enum exit_status status = EXIT_USAGE;
    bool understood = command_line_read(&line, argument_count, arguments, &fault);
    struct screen screen = screen_open(line.unicode);
    if (understood && !computes_as_elsewhere(&fault)) {
        status = EXIT_INPUT;
    } else if (understood) {
        status = run(&line, &screen, &fault);
    }
    if (status == EXIT_DONE && (fflush(stdout) != 0 || ferror(stdout))) {
        vcs_scn_fault_set(&fault, "the output could not be written");
        status = EXIT_INPUT;
    }
    if (status == EXIT_INPUT && vcs_scn_fault_is_of_option(&fault)) {
        status = EXIT_USAGE; /* some options are known to be wrong only beside the file */
    }
    if (status != EXIT_DONE) {
        fprintf(stderr, "vcemu: %s\n", fault.message);
    }
    command_line_free(&line);
    return (int)status;
}
