/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/check/argument.h"

#include <string.h>
#include <vcsched/reason.h>

/* The one table of reasons: code, name, sentence; in order of code. */
typedef struct reason_row {
    uint32_t code;
    char name[40];
    char sentence[160];
} reason_row;

static const reason_row rows[] = {
    {VCS_REASON_NONE, "none", "No decision was made."},
    {VCS_REASON_ADMITTED, "admitted", "It finishes in time and makes no other task late."},
    {VCS_REASON_OWN_DEADLINE, "own_deadline", "It would miss its own deadline."},
    {VCS_REASON_HARMS_TIMELY, "harms_timely", "A task that is on time would miss its deadline."},
    {VCS_REASON_DELAYS_LATE, "delays_late", "A task that is already late would finish even later."},
    {VCS_REASON_CANNOT_RUN, "cannot_run", "It needs more than the host has, or something that is suspended."},
    {VCS_REASON_BUDGET, "budget", "The simulation reached its horizon or step budget before this was decided."},
    {VCS_REASON_LATE, "late",
     "It, or other work of its project, would miss its deadline or come too close in its turn, so it runs first."},
    {VCS_REASON_NEARLY_DONE, "nearly_done", "It is so close to its end that switching to another task does not pay."},
    {VCS_REASON_SLICE, "slice", "It keeps running until its time slice is over and it has made a checkpoint."},
    {VCS_REASON_TURN, "turn", "It is its project's turn."},
    {VCS_REASON_UNINTERRUPTIBLE, "uninterruptible", "It must not be interrupted, so it runs before all others."},
    {VCS_REASON_ENDS_SOON, "ends_soon", "Its time slice is over, but it would end within the next one, so it goes on."},
    {VCS_REASON_FILLS_IN, "fills_in", "It runs until enough CPUs have come free for a task of several CPUs."},
    {VCS_REASON_RUNS_ON, "runs_on", "It runs, and no task is stopped for another one."},
    {VCS_REASON_EARLIEST_DEADLINE, "earliest_deadline", "Its deadline is the earliest of all tasks that fit."},
    {VCS_REASON_TASK_SUSPENDED, "task_suspended", "It is suspended."},
    {VCS_REASON_PROJECT_SUSPENDED, "project_suspended", "Its project is suspended."},
    {VCS_REASON_RESOURCE_SUSPENDED, "resource_suspended", "Its processor is suspended."},
    {VCS_REASON_WAITS, "waits", "It is waiting its turn: the processors it needs are in use."},
    {VCS_REASON_SLICE_OVER, "slice_over", "Its time slice is over, and it is another task's turn."},
    {VCS_REASON_GIVES_WAY, "gives_way", "It gives way to a task that would otherwise miss its deadline."},
    {VCS_REASON_MEMORY, "memory", "It does not fit in memory alongside the running tasks."},
    {VCS_REASON_PROJECT_LIMIT, "project_limit", "Its project is at its limit of tasks or instances."},
    {VCS_REASON_APP_LIMIT, "app_limit", "Its application is at its limit of tasks or instances."},
    {VCS_REASON_EXCLUDED, "excluded", "Its project may not use the instances that are free."},
    {VCS_REASON_DOWNLOADING, "downloading", "Its files have not all arrived yet."},
    {VCS_REASON_RESOURCE_PAUSED, "resource_paused", "Its processor is paused for now."},
    {VCS_REASON_BY_USER, "by_user", "The user has stopped it."},
    {VCS_REASON_MASTER_FILE, "master_file", "The project's master file must be read first."},
    {VCS_REASON_DOWNLOAD_STALLED, "download_stalled", "A download has stalled."},
    {VCS_REASON_UPLOADS_WAIT, "uploads_wait", "Too many results are waiting to be uploaded."},
    {VCS_REASON_OWN_DEVICES, "own_devices", "It waits for the devices on which it has begun: others are free."},
    {VCS_REASON_HELD, "held", "It is its turn, and CPUs are held for it until enough of them have come free."},
    {VCS_REASON_TASK_BY_USER, "task_by_user", "The user has suspended one of its tasks, so it is asked for no more."},
    {VCS_REASON_ASKED, "asked", "It is asked for work."},
    {VCS_REASON_ASKED_ALONG, "asked_along", "It is being contacted anyway, so it is asked for this work too."},
    {VCS_REASON_ASKED_LITTLE, "asked_little",
     "It is asked for only one second of work, because its estimates are far off."},
    {VCS_REASON_NO_NEW_WORK, "no_new_work", "It is set to fetch no new work."},
    {VCS_REASON_NOT_WANTED, "not_wanted", "The user does not want its work on this processor."},
    {VCS_REASON_NO_APPS, "no_apps", "It has no application for this processor."},
    {VCS_REASON_DEFERRED, "deferred", "It is too early to call its scheduler again."},
    {VCS_REASON_BACKED_OFF, "backed_off", "It recently had no work for this processor, so it is not asked again yet."},
    {VCS_REASON_TOO_MANY_TASKS, "too_many_tasks", "It has reached the limit of runnable tasks per project."},
    {VCS_REASON_UPLOADS, "uploads", "Too many of its results are still being uploaded."},
    {VCS_REASON_FULL, "full", "The buffer is full."},
    {VCS_REASON_ENOUGH, "enough", "There is more work than the minimum buffer, so nothing is fetched yet."},
    {VCS_REASON_AT_LIMIT, "at_limit", "It already has all the work it can run within its limit of tasks or instances."},
    {VCS_REASON_BETTER_PROJECT, "better_project", "Another project is ahead of it."},
    {VCS_REASON_BACKUP, "backup", "It is a backup project, and no instance is idle or about to be."},
    {VCS_REASON_OVERWORKED, "overworked", "It has recently had more than its share."},
    {VCS_REASON_MISSES, "misses", "Too many of its tasks would miss their deadlines already."},
    {VCS_REASON_NO_SHARE_LEFT, "no_share_left", "It already has all the work its share entitles it to."},
    {VCS_REASON_NO_PROJECT, "no_project", "There is no project to ask."},
    {VCS_REASON_WAITS_FOR_FIT, "waits_for_fit", "One of its tasks is waiting until it fits on the idle instances."},
    {VCS_REASON_LITTLE_MISSING, "little_missing", "So little work is missing that no call is made for it alone."},
    {VCS_REASON_TASK_DEFERRED, "task_deferred",
     "One of its tasks for this processor waits to be tried again, so no other is asked for."},
    {VCS_REASON_SERVER_LIMIT, "server_limit",
     "The host has as many of its jobs in progress as its server allows, so it is not asked again yet."},
    {VCS_REASON_UNIT_CREATED, "unit_created", "The work unit is new."},
    {VCS_REASON_SENT, "sent", "The copy was sent to a host."},
    {VCS_REASON_REPORTED_SUCCESS, "reported_success", "The host reported success."},
    {VCS_REASON_REPORTED_ERROR, "reported_error", "The host reported that the computation failed."},
    {VCS_REASON_CANCELLED_BY_USER, "cancelled_by_user", "The user cancelled the computation, so no reply will come."},
    {VCS_REASON_DETACHED, "detached", "The host has left the project."},
    {VCS_REASON_REPORT_REFUSED, "report_refused", "The report was refused, so it counts as no reply."},
    {VCS_REASON_LATE_SUCCESS, "late_success", "It had been given up, but the result is still useful and counts."},
    {VCS_REASON_LATE_REPORT, "late_report",
     "The report came too late or was a duplicate, so it is recorded but does not count."},
    {VCS_REASON_UNSENDABLE, "unsendable", "No host can be found for the copy."},
    {VCS_REASON_UNIT_CANCELLED, "unit_cancelled", "The project cancelled the work unit."},
    {VCS_REASON_OVERDUE, "overdue", "Its deadline has passed, so it is given up."},
    {VCS_REASON_QUORUM, "quorum", "There are enough successes to compare, and some have not been compared yet."},
    {VCS_REASON_COULDNT_SEND, "couldnt_send", "A copy could not be sent."},
    {VCS_REASON_TOO_MANY_ERRORS, "too_many_errors", "More copies failed on their hosts than the work unit allows."},
    {VCS_REASON_TOO_MANY_TOTAL, "too_many_total", "There are more copies than the work unit allows."},
    {VCS_REASON_COPIES_MISSING, "copies_missing", "More copies are needed to reach the target."},
    {VCS_REASON_QUORUM_OUT_OF_REACH, "quorum_out_of_reach",
     "No more copies may be created, and the existing ones cannot reach a quorum."},
    {VCS_REASON_CLASS_FIXED, "class_fixed", "The first copy sent fixes the host class."},
    {VCS_REASON_CLASS_FREE, "class_free", "All copies sent ended in errors, so any host class may try."},
    {VCS_REASON_UNIT_FAILED, "unit_failed", "The work unit has failed."},
    {VCS_REASON_FILES_NOT_NEEDED, "files_not_needed", "Nothing needs the files any more."},
    {VCS_REASON_CANONICAL_GONE, "canonical_gone",
     "The files of the canonical result have been deleted, so nothing can be compared with it."},
    {VCS_REASON_NEXT_DEADLINE, "next_deadline", "The next check is at the deadline of a copy."},
    {VCS_REASON_DELETE_DELAY, "delete_delay", "The next check is when files kept after assimilation may be deleted."},
    {VCS_REASON_WAITS_FOR_EVENT, "waits_for_event", "Nothing changes until the next event."},
    {VCS_REASON_SAFETY_NET, "safety_net", "Nothing is due, so it is checked again after a long time, just in case."},
    {VCS_REASON_LAGS, "lags", "Transitions are running late, so the next check is put off."},
    {VCS_REASON_CANONICAL, "canonical", "It is the first of the matching results."},
    {VCS_REASON_AGREES, "agrees", "It matches the canonical result."},
    {VCS_REASON_DIFFERS, "differs", "It does not match the canonical result."},
    {VCS_REASON_WRONG, "wrong", "It is invalid on its own, without comparison."},
    {VCS_REASON_NOT_COMPARABLE, "not_comparable", "It cannot be compared: its files are missing or unreadable."},
    {VCS_REASON_NO_CONSENSUS, "no_consensus", "The results do not agree."},
    {VCS_REASON_TOO_MANY_SUCCESSES, "too_many_successes",
     "There are more successes than the work unit allows, and they do not agree."},
    {VCS_REASON_JUDGED, "judged", "The successes have been judged."},
    {VCS_REASON_CANONICAL_LOST, "canonical_lost", "The record of the canonical result is lost."},
    {VCS_REASON_ASSIMILATED, "assimilated", "The project has assimilated the work unit."},
    {VCS_REASON_FILES_DELETED, "files_deleted", "The files are deleted."},
    {VCS_REASON_FILES_NOT_DELETED, "files_not_deleted", "The files could not be deleted."},
    {VCS_REASON_UNCHECKED, "unchecked", "It is accepted: results of this kind are not checked."},
    {VCS_REASON_TO_BE_EXAMINED, "to_be_examined", "The server's application has to check it."},
    {VCS_REASON_TO_BE_INVERTED, "to_be_inverted", "Another client has to solve the inverse problem first."},
    {VCS_REASON_TO_BE_VOTED, "to_be_voted", "It is compared with the results of the other copies by vote."},
    {VCS_REASON_CHECK_PASSED, "check_passed", "It passed the check."},
    {VCS_REASON_CHECK_FAILED, "check_failed", "The server's application rejected it."},
    {VCS_REASON_INVERSE_FAILED, "inverse_failed", "The inverse problem did not lead back to the job."},
    {VCS_REASON_BLACKLISTED, "blacklisted", "Its client is on the blacklist."},
    {VCS_REASON_MOST_VOTES, "most_votes", "More clients returned this result than any other."},
    {VCS_REASON_CREDIBLE, "credible", "The clients that returned this result are credible enough together."},
    {VCS_REASON_DECIDED_BEFORE, "decided_before", "An earlier vote decided which result is right."},
    {VCS_REASON_OUTVOTED, "outvoted", "Another result won the vote."},
    {VCS_REASON_TOO_FEW_COPIES, "too_few_copies", "Not enough votes are in yet."},
    {VCS_REASON_TIED, "tied", "The vote is tied: another copy is needed."},
    {VCS_REASON_DOUBTED, "doubted", "No result is credible enough: another copy is needed."},
    {VCS_REASON_NOT_TRUSTED_YET, "not_trusted_yet", "Its client has not returned enough valid results in a row."},
    {VCS_REASON_DRAWN, "drawn", "Its client is trusted, but this result was picked for a random check."},
    {VCS_REASON_TRUSTED, "trusted", "Its client has returned enough valid results in a row."},
    {VCS_REASON_FRESH, "fresh", "It is the next job that no client has yet."},
    {VCS_REASON_HEAD_OF_QUEUE, "head_of_queue", "It checks another result, or was lost in a check, so it goes first."},
    {VCS_REASON_WINDOW_OVER, "window_over", "Its client should have replied by now."},
    {VCS_REASON_CLIENT_DEAD, "client_dead", "Its client is considered dead."},
    {VCS_REASON_OLDEST, "oldest", "It is the oldest job in progress."},
    {VCS_REASON_NO_JOB, "no_job", "There is no job that this client has not already had."},
    {VCS_REASON_CLIENT_BLACKLISTED, "client_blacklisted",
     "The client that has it is on the blacklist, so its reply will be refused."},
    {VCS_REASON_JOB_SENT, "job_sent", "The host asks for it, and nothing prevents sending it."},
    {VCS_REASON_NOT_ASKED_FOR, "not_asked_for", "The client did not ask for work for its resource."},
    {VCS_REASON_ENOUGH_SENT, "enough_sent", "The jobs already in the reply fill the request."},
    {VCS_REASON_REPLY_FULL, "reply_full", "The reply already holds the maximum number of jobs."},
    {VCS_REASON_REPLY_ENDED, "reply_ended",
     "An earlier job was refused because of its deadline, which ends the reply."},
    {VCS_REASON_QUOTA, "quota", "The host has used up its quota for today."},
    {VCS_REASON_HOST_LIMIT, "host_limit", "The host is at its limit of jobs in progress."},
    {VCS_REASON_HOST_HAS_COPY, "host_has_copy", "The host already has a copy of its work unit."},
    {VCS_REASON_USER_HAS_COPY, "user_has_copy", "Another host of the same user already has a copy of its work unit."},
    {VCS_REASON_OTHER_CLASS, "other_class", "Its work unit is fixed to another host class."},
    {VCS_REASON_APP_HOST_LIMIT, "app_host_limit", "The host is at its limit of jobs in progress for this application."},
    {VCS_REASON_HOST_MEMORY, "host_memory", "It needs more memory than the host has."},
    {VCS_REASON_HOST_DISK, "host_disk", "It needs more disk space than the host has left."},
    {VCS_REASON_BUSY_PAST_DEADLINE, "busy_past_deadline",
     "It would miss its deadline behind the work the client already has."},
    {VCS_REASON_BOUND_TOO_SHORT, "bound_too_short", "It is due sooner than the client asks for."},
    {VCS_REASON_LEAST_DELAY, "least_delay", "Only the least delay between two requests applies."},
    {VCS_REASON_NO_WORK, "no_work", "There is no work for the host at present."},
    {VCS_REASON_DEADLINES_NOT_MET, "deadlines_not_met", "On this host, all available work would miss its deadline."},
    {VCS_REASON_RESENT, "resent", "The reply was lost, so the copy is sent again with its old deadline."},
    {VCS_REASON_RESEND_NOT_NEEDED, "resend_not_needed",
     "The reply was lost, and the work unit is finished, so the copy is not sent again."},
    {VCS_REASON_RESEND_TOO_LATE, "resend_too_late",
     "The reply was lost, and the copy would not be finished in time, so it is not sent again."},
    {VCS_REASON_WITHDRAWN, "withdrawn", "Its host was caught returning wrong results, so it does not count."},
    {VCS_REASON_WITHDRAWN_NOTED, "withdrawn_noted",
     "Its host was caught, but there is nothing left that could be taken back, so this is recorded only."},
    {VCS_REASON_CHOSEN_ANEW, "chosen_anew", "A result was withdrawn, so the others are compared again."},
    {VCS_REASON_STILL_NEEDED, "still_needed", "Its work unit still needs it."},
    {VCS_REASON_HAS_CANONICAL, "has_canonical", "Its work unit already has a canonical result."},
    {VCS_REASON_REPORT_USELESS, "report_useless", "No report of it could change anything."},
    {VCS_REASON_NOTHING_TO_LEARN, "nothing_to_learn", "It does not show how well the host works."},
    {VCS_REASON_LEARNED_BEFORE, "learned_before",
     "The same verdict was given before and taken back, so the host has learned from it."},
    {VCS_REASON_DEADLINE_OVER, "deadline_over", "It is given up: its deadline has passed."},
    {VCS_REASON_TIME_TOO_SHORT, "time_too_short", "It is given up: it needs more time than is left to its deadline."},
    {VCS_REASON_UNLIKELY, "unlikely", "It is given up: it is too unlikely to be done by its deadline."},
    {VCS_REASON_NEW_JOB_BETTER, "new_job_better",
     "It is given up: the same time is better spent on a new job, which is more likely to be done in time."},
    {VCS_REASON_KEPT, "kept", "It is kept: it may well be done by its deadline."},
    {VCS_REASON_KEPT_FOR_PROJECT, "kept_for_project",
     "It is kept, although it will hardly be done by its deadline: its project forbids to give it up."},
    {VCS_REASON_LIKELY, "likely", "It is likely to be done in time, and puts no waiting task at risk."},
    {VCS_REASON_FOR_IDLE, "for_idle", "A processor has nothing to do, and the job has some chance to be done in time."},
    {VCS_REASON_SMALL_CHANCE, "small_chance", "It has too small a chance to be done in time."},
    {VCS_REASON_SMALLER_CHANCE, "smaller_chance", "Other jobs have a much better chance to be done in time."},
    {VCS_REASON_WAIT_COSTS, "wait_costs", "It would have to wait, and that would cost too much of its chance."},
    {VCS_REASON_TAKES_MARGIN, "takes_margin", "A waiting task would lose the margin to its deadline."},
    {VCS_REASON_COMPARISON_FAILED, "comparison_failed",
     "The project's comparison failed on it, as on a file that cannot be parsed, so it is invalid."},
    {VCS_REASON_TRIED_AGAIN, "tried_again", "The project's own work on the unit failed, and is tried again later."},
    {VCS_REASON_WAITS_FOR_PERSON, "waits_for_person",
     "The project's own work on the unit failed too often, so it waits for a person."},
    {VCS_REASON_WORK_GOES_ON, "work_goes_on",
     "The project's own work on the unit went well, or a person has put right why it failed."},
};

#define ROW_COUNT ((uint32_t)(sizeof rows / sizeof *rows))

uint32_t vcs_reason_count(void) {
    return ROW_COUNT;
}

int vcs_reason_at(uint32_t index, vcs_reason_info *info) {
    int code = vcs_check_struct(info, &vcs_reason_info_layout, NULL);
    if (code != VCS_OK || index >= ROW_COUNT) {
        return code != VCS_OK ? code : VCS_ERR_INDEX;
    }
    vcs_reason_info filled = {.struct_size = info->struct_size, .code = rows[index].code};
    memcpy(filled.name, rows[index].name, sizeof filled.name);
    memcpy(filled.sentence, rows[index].sentence, sizeof filled.sentence);
    vcs_hand_out(info, info->struct_size, &filled, sizeof filled);
    return VCS_OK;
}

static const reason_row *row_of(uint32_t code) {
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].code == code) {
            return &rows[i];
        }
    }
    return NULL;
}

const char *vcs_reason_name(uint32_t code) {
    const reason_row *row = row_of(code);
    return row == NULL ? "unknown" : row->name;
}

const char *vcs_reason_sentence(uint32_t code) {
    const reason_row *row = row_of(code);
    return row == NULL ? "" : row->sentence;
}
