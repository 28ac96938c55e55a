/*
 * When to try files again: a day on which the upload server of a project is down for six hours.
 *
 * A result is finished every two hours. Its file must be uploaded before the result can be reported, and the uploads to
 * one server share one backoff: from the third failure in a row on, each wait is longer (rule 3.4). A project with
 * several upload servers needs one for each, or one that is down holds back all. An uploaded result is reported once it
 * is overdue (rule 7.3), if no other scheduler call has reported it before. uploads.txt is the output.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <vcsched/vcsched.h>

#define MINUTE 60.0
#define HOUR 3600.0
#define DAY (24 * HOUR)
#define RESULTS 12

typedef struct result {
    double finished, deadline; /* times */
    int is_uploaded, is_reported;
} result;

static void say(double now, const char *what, int number) {
    const int minutes = (int)(now / MINUTE);
    printf("%02d:%02d  %s %d\n", minutes / 60, minutes % 60, what, number);
}

/* A draw that is the same in every run, 0 <= u < 1. */
static double draw(void) {
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return state / 4294967296.0;
}

static void must(int code) {
    if (code != VCS_OK) {
        fprintf(stderr, "%s\n", vcs_strerror(code));
        exit(1);
    }
}

static int server_is_up(double now) {
    return now < 3 * HOUR || now >= 9 * HOUR;
}

/* Tries all files that wait. Files that fail at the same moment count as one failure. */
static void upload(result *results, int finished, vcs_transfer_backoff *backoff, const vcs_backoff_range *range,
                   double now) {
    int failed = 0;
    for (int i = 0; i < finished; i++) {
        if (results[i].is_uploaded) {
            continue;
        }
        if (server_is_up(now)) {
            results[i].is_uploaded = 1;
            *backoff = (vcs_transfer_backoff){0}; /* a success: no failures, no wait */
            say(now, "uploads result", i + 1);
        } else {
            must(vcs_transfer_backoff_failed(backoff, range, now, draw()));
            failed++;
        }
    }
    if (failed > 0) {
        double wait;
        must(vcs_transfer_backoff_wait(backoff, now, &wait));
        say(now, "cannot upload; files:", failed);
        printf("       failures in a row: %u; next try in %.0f min\n", backoff->failures, wait / MINUTE);
    }
}

static void report_overdue(result *results, int finished, const vcs_parameters *policy, double now) {
    for (int i = 0; i < finished; i++) {
        uint32_t is_overdue;
        must(vcs_result_overdue(results[i].deadline, results[i].finished, policy, now, &is_overdue));
        if (is_overdue && results[i].is_uploaded && !results[i].is_reported) {
            results[i].is_reported = 1;
            say(now, "calls the scheduler to report result", i + 1);
        }
    }
}

int main(void) {
    result results[RESULTS];
    vcs_parameters policy;
    vcs_backoff_range range;
    vcs_transfer_backoff backoff = {0};
    int finished = 0;
    must(vcs_parameters_init(&policy, sizeof policy, VCS_PROFILE_CURRENT));
    policy.min_buffer = 2 * HOUR;
    must(vcs_backoff_range_init(&range, sizeof range, &policy, VCS_BACKOFF_OF_TRANSFER, NULL));
    for (double now = 0; now < DAY; now += MINUTE) {
        if (now >= 2 * HOUR * (finished + 1)) {
            results[finished++] = (result){.finished = now, .deadline = now + 6 * HOUR};
            say(now, "finishes result", finished);
        }
        double wait;
        must(vcs_transfer_backoff_wait(&backoff, now, &wait));
        if (wait == 0) {
            upload(results, finished, &backoff, &range, now);
        }
        report_overdue(results, finished, &policy, now);
    }
    return 0;
}
