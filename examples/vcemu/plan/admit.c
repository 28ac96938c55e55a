/* SPDX-License-Identifier: MIT */
#include "plan/admit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan_words.h"
#include "vcemu/scenario/prepare.h"
#include "vcemu/scenario/text/utf8.h"
#include "text/json.h"

static int decide_each(struct admissions *admissions, vcs_state *state) {
    int code = VCS_OK;
    for (uint32_t i = 0; code == VCS_OK && i < admissions->file->counts[STATE_CANDIDATE]; i++) {
        admissions->answers[i].struct_size = sizeof *admissions->answers;
        code = vcs_admit(state, i, &admissions->answers[i]);
    }
    return code;
}

bool admissions_decide(struct admissions *admissions, const struct state_file *file, struct fault *fault) {
    uint32_t count = file->counts[STATE_CANDIDATE];
    *admissions = (struct admissions){file, calloc(count == 0 ? 1 : count, sizeof *admissions->answers)};
    if (admissions->answers == NULL) {
        return vcs_scn_fault_memory(fault, file->document.file);
    }
    vcs_state *state = vcs_scn_prepare_state(file, fault);
    if (state == NULL) {
        return false;
    }
    int code = decide_each(admissions, state);
    free(state);
    return code == VCS_OK || vcs_scn_fault_set(fault, "%s: %s", file->document.file, vcs_strerror(code));
}

void admissions_free(struct admissions *admissions) {
    free(admissions->answers);
    *admissions = (struct admissions){NULL, NULL};
}

/* The name of the task or candidate that would be harmed, or NULL. */
static const char *name_of_harmed(const struct admissions *admissions, const vcs_admission *answer) {
    if (answer->harmed != VCS_NONE) {
        return vcs_scn_state_file_name(admissions->file, STATE_TASK, answer->harmed);
    }
    if (answer->harmed_candidate != VCS_NONE) {
        return vcs_scn_state_file_name(admissions->file, STATE_CANDIDATE, answer->harmed_candidate);
    }
    return NULL;
}

void admissions_print_json(const struct admissions *admissions, FILE *out) {
    const struct state_file *file = admissions->file;
    struct json json = json_start(out);
    json_begin_object(&json, NULL);
    json_number(&json, "now", file->now);
    json_string(&json, "profile", vcs_profile_name(file->parameters.profile));
    json_begin_array(&json, "candidates");
    for (uint32_t i = 0; i < file->counts[STATE_CANDIDATE]; i++) {
        const vcs_admission *answer = &admissions->answers[i];
        json_begin_object(&json, NULL);
        json_string(&json, "name", vcs_scn_state_file_name(file, STATE_CANDIDATE, i));
        json_bool(&json, "admitted", answer->admitted != 0);
        json_string(&json, "reason", vcs_reason_name(answer->reason));
        json_number(&json, "finish", answer->finish);
        json_string(&json, "harmed", name_of_harmed(admissions, answer));
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
    json_finish(&json);
}

/* ---- for people ---- */

static void print_times(const struct admissions *admissions, const struct screen *screen, uint32_t index) {
    double finish = admissions->answers[index].finish;
    double deadline = admissions->file->candidates[index].deadline - admissions->file->now;
    if (isfinite(finish)) {
        fprintf(screen->out, "; finish in %s", word_duration(finish).text);
    }
    if (isfinite(deadline)) {
        fprintf(screen->out, "%s deadline in %s", isfinite(finish) ? "," : ";", word_duration(deadline).text);
    }
}

static void print_candidate(const struct admissions *admissions, const struct screen *screen, uint32_t index) {
    const struct state_file *file = admissions->file;
    const vcs_admission *answer = &admissions->answers[index];
    char name[INI_LINE_MAX + 1];
    const char *harmed = name_of_harmed(admissions, answer);
    vcs_scn_utf8_shorten(vcs_scn_state_file_name(file, STATE_CANDIDATE, index), screen->columns - 12,
                         screen_ellipsis(screen), name, sizeof name);
    screen_print(screen, answer->admitted ? STYLE_GOOD : STYLE_BAD, answer->admitted ? "admitted" : "refused ");
    fputs("  ", screen->out);
    screen_print(screen, STYLE_HEADING, name);
    fprintf(screen->out, "\n          %s", word_use(file, &file->candidates[index]).text);
    print_times(admissions, screen, index);
    fprintf(screen->out, "\n          %s\n", vcs_reason_sentence(answer->reason));
    if (harmed != NULL) {
        vcs_scn_utf8_shorten(harmed, screen->columns - 22, screen_ellipsis(screen), name, sizeof name);
        fprintf(screen->out, "          That is %s.\n", name);
    }
}

void admissions_print_text(const struct admissions *admissions, const struct screen *screen) {
    const struct state_file *file = admissions->file;
    uint32_t count = file->counts[STATE_CANDIDATE];
    uint32_t admitted = 0;
    for (uint32_t i = 0; i < count; i++) {
        admitted += admissions->answers[i].admitted;
    }
    screen_print(screen, STYLE_HEADING, word_headline(file).text);
    fprintf(screen->out, "\n%u candidate%s: %u admitted\n", (unsigned)count, count == 1 ? "" : "s", (unsigned)admitted);
    for (uint32_t i = 0; i < count; i++) {
        fputc('\n', screen->out);
        print_candidate(admissions, screen, i);
    }
}
