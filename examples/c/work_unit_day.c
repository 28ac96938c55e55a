/*
 * A day in the life of four work units: every decision of their server on one line, with its reason.
 *
 * Each unit is computed until two results agree. Three copies are made, and each must be back within ten hours. The
 * first unit has a good day; a copy of the second is lost; one of the third fails. Of the fourth, two hosts lie alike,
 * until one of them is caught: then the unit chooses anew, and credit goes to others. work_unit_day.txt is the output.
 *
 * A real server keeps the records in a database and has daemons where this one has a loop. It applies the changes that
 * one call returns in one transaction.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <vcsched/vcsched.h>

#define MINUTE 60.0
#define HOUR 3600.0
#define MOST_RESULTS 8
#define MOST_CHANGES (VCS_CHANGES_PER_UNIT + VCS_CHANGES_PER_RESULT * MOST_RESULTS)

/* What a host does: its report arrives at this hour, with what it claims for a success. Or the host is caught. */
typedef struct happening {
    double hour;
    uint32_t result;
    uint32_t report; /* VCS_REPORT_WITHDRAWN: it is caught */
    double claimed;
} happening;

typedef struct story {
    const char *title;
    uint32_t liars; /* so many of the first results are wrong, and alike */
    happening happenings[5];
} story;

static const story stories[] = {
    {"Three succeed",
     0,
     {{7, 0, VCS_REPORT_SUCCESS, 0}, {8, 1, VCS_REPORT_SUCCESS, 0}, {10, 2, VCS_REPORT_SUCCESS, 0}}},
    {"One is lost", 0, {{7, 0, VCS_REPORT_SUCCESS, 0}, {9, 2, VCS_REPORT_SUCCESS, 0}}},
    {"One fails",
     0,
     {{5, 0, VCS_REPORT_CLIENT_ERROR, 0},
      {7, 1, VCS_REPORT_SUCCESS, 0},
      {8, 2, VCS_REPORT_SUCCESS, 0},
      {12, 3, VCS_REPORT_SUCCESS, 0}}},
    {"Two lie, and one of them is caught",
     2,
     {{7.5, 0, VCS_REPORT_SUCCESS, 900},
      {8.25, 1, VCS_REPORT_SUCCESS, 900},
      {8.5, 2, VCS_REPORT_SUCCESS, 40},
      {8.75, 0, VCS_REPORT_WITHDRAWN, 0},
      {12.25, 3, VCS_REPORT_SUCCESS, 60}}},
};

/* The server's tables, with a single unit. */
typedef struct server {
    vcs_unit unit;
    vcs_result results[MOST_RESULTS];
    uint32_t count;
    double now;
} server;

/* What a call has returned. */
static vcs_change changes[MOST_CHANGES];
static uint32_t change_count;
static vcs_error error = {.struct_size = sizeof error};

#define RESULTS(s)                                                                                                     \
    &(vcs_array) {                                                                                                     \
        {(s)->results}, sizeof *(s)->results, (s)->count                                                               \
    }
#define ANSWER &(vcs_array){{changes}, sizeof *changes, MOST_CHANGES}, &change_count, &error

static void must(int code) {
    if (code != VCS_OK) {
        fprintf(stderr, "work_unit_day: %s\n", error.message);
        exit(1);
    }
}

/* ---- One change: shown, then applied ---- */

static void tell(const server *s, const vcs_change *change) {
    char who[32], what[64];
    if (change->field == VCS_FIELD_UNIT_TRANSITION_TIME) {
        return; /* it would double the output */
    }
    snprintf(who, sizeof who, change->result == VCS_NONE ? "unit" : "result %u", change->result + 1);
    if (change->kind == VCS_CHANGE_CREATE) {
        snprintf(what, sizeof what, "%u new results", (unsigned)change->integer);
    } else if (change->field == VCS_FIELD_RESULT_CLAIMED || change->field == VCS_FIELD_RESULT_GRANTED) {
        snprintf(what, sizeof what, "%s = %.0f", vcs_change_field_name(change->field), change->number);
    } else if (change->field == VCS_FIELD_RESULT_DEADLINE || change->field == VCS_FIELD_RESULT_RECEIVED ||
               change->field == VCS_FIELD_UNIT_ASSIMILATED) {
        snprintf(what, sizeof what, "%s = %.0f s", vcs_change_field_name(change->field), change->number);
    } else {
        snprintf(what, sizeof what, "%s = %u", vcs_change_field_name(change->field), (unsigned)change->integer);
    }
    const unsigned minutes = (unsigned)(s->now / MINUTE);
    printf("%02u:%02u  %-9s %-22s %s\n", minutes / 60, minutes % 60, who, what, vcs_reason_sentence(change->reason));
}

static void make_results(server *s, uint64_t how_many) {
    for (uint64_t i = 0; i < how_many && s->count < MOST_RESULTS; i++) {
        must(vcs_result_init(&s->results[s->count], s->count + 1));
        s->count++;
    }
}

static void apply(server *s, int code) {
    must(code);
    for (uint32_t i = 0; i < change_count; i++) {
        tell(s, &changes[i]);
        must(vcs_change_apply(&changes[i], &s->unit, RESULTS(s), &error));
        if (changes[i].kind == VCS_CHANGE_CREATE) {
            make_results(s, changes[i].integer);
        }
    }
}

/* Something happened to the unit. `result` is the index of the result that it is about, or VCS_NONE. */
static void happen(server *s, vcs_unit_event event) {
    event.struct_size = sizeof event;
    apply(s, vcs_unit_handle_event(&s->unit, RESULTS(s), &event, s->now, ANSWER));
}

/* ---- The parts of the server; each checks whether there is something for it to do ---- */

static void receive(server *s, const story *of) {
    for (size_t i = 0; i < sizeof of->happenings / sizeof *of->happenings; i++) {
        const happening *h = &of->happenings[i];
        if (h->report == VCS_REPORT_WITHDRAWN && h->hour * HOUR == s->now) {
            happen(s, (vcs_unit_event){.kind = VCS_UNIT_EVENT_WITHDRAWN, .result = h->result});
        } else if (h->report != 0 && h->hour * HOUR == s->now) {
            happen(s, (vcs_unit_event){.kind = VCS_UNIT_EVENT_RECEIVED,
                                       .result = h->result,
                                       .report = h->report,
                                       .claimed = h->claimed});
        }
    }
}

static void send(server *s) {
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->results[i].server_state == VCS_RESULT_UNSENT) {
            happen(s, (vcs_unit_event){.kind = VCS_UNIT_EVENT_SENT, .result = i});
        }
    }
}

/* Comparing results is up to the application: here the first hosts may return wrong ones, the others equal ones. */
static void validate(server *s, const story *of) {
    uint32_t classes[MOST_RESULTS];
    for (uint32_t i = 0; i < MOST_RESULTS; i++) {
        classes[i] = i < of->liars;
    }
    if (s->unit.need_validate) {
        apply(s, vcs_validate(&s->unit, RESULTS(s), classes, s->now, ANSWER));
    }
}

static void assimilate(server *s) {
    if (s->unit.assimilate_state == VCS_ASSIMILATE_READY) {
        happen(s, (vcs_unit_event){.kind = VCS_UNIT_EVENT_ASSIMILATED, .result = VCS_NONE});
    }
}

static void delete_files(server *s) {
    if (s->unit.file_delete_state == VCS_FILES_READY) {
        happen(s, (vcs_unit_event){.kind = VCS_UNIT_EVENT_INPUTS_DELETED, .result = VCS_NONE, .deletion = VCS_DELETED});
    }
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->results[i].file_delete_state == VCS_FILES_READY) {
            happen(s, (vcs_unit_event){.kind = VCS_UNIT_EVENT_OUTPUTS_DELETED, .result = i, .deletion = VCS_DELETED});
        }
    }
}

/* Most parts run once a minute, the parts that handle files once an hour. */
static void live_a_day(server *s, const story *of) {
    happen(s, (vcs_unit_event){.kind = VCS_UNIT_EVENT_CREATED, .result = VCS_NONE});
    for (int minute = 0; minute < 24 * 60; minute++) {
        s->now = minute * MINUTE;
        receive(s, of);
        apply(s, vcs_transition(&s->unit, RESULTS(s), s->now, ANSWER));
        validate(s, of);
        send(s);
        if (minute % 60 == 0) {
            assimilate(s);
            delete_files(s);
        }
    }
}

int main(void) {
    for (size_t i = 0; i < sizeof stories / sizeof *stories; i++) {
        server s = {.now = 0};
        must(vcs_unit_init(&s.unit, i + 1));
        s.unit.min_quorum = 2;
        s.unit.target_nresults = 3;
        s.unit.max_total = MOST_RESULTS;
        s.unit.max_success = MOST_RESULTS;
        s.unit.max_error = 3;
        s.unit.delay_bound = 10 * HOUR;
        printf("%s%s\n", i == 0 ? "" : "\n", stories[i].title);
        live_a_day(&s, &stories[i]);
    }
    return 0;
}
