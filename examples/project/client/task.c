/*
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "folder.h"
#include "known_work.h"
#include "log.h"
#include "random.h"
#include "slot.h"
#include "task.h"

#define MOST_ARGUMENTS 64
#define MOST_PREMATURE_ENDS 10
#define MOST_MESSAGES ((size_t)65536)
/* A process that was told to end may use this long, s. */
#define ENDING_SECONDS 5.0
/* A task may compute for this many times its bound: what it was measured against is not exact. */
#define BOUND_FACTOR 2.0
/* Above the niceness of anything that a person waits for. */
#define NICENESS 19

/* ------------------------------------------------------------------------------------------------------------------ */
/* Starting */

static const struct file_reference *main_program(const struct version *version) {
    const struct file_reference *reference = version->files;
    while (reference != NULL && !reference->is_main_program) {
        reference = reference->next;
    }
    return reference;
}

/* Splits a command line at blanks; "..." and '...' hold together what they contain. Changes the line. */
static int split(char *line, char **arguments, int count) {
    while (count < MOST_ARGUMENTS) {
        line += strspn(line, " \t\n");
        if (*line == '\0') {
            break;
        }
        const char quote = *line == '"' || *line == '\'' ? *line++ : '\0';
        arguments[count++] = line;
        line = quote == '\0' ? line + strcspn(line, " \t\n") : strchr(line, quote);
        if (line == NULL || *line == '\0') {
            break;
        }
        *line++ = '\0';
    }
    arguments[count] = NULL;
    return count;
}

/* In the new process, from which only _exit() returns. */
static void become(const char *slot, char **arguments, pid_t client, int failure) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != client) { /* it was killed before we asked to be told */
        _exit(1);
    }
#else
    (void)client;
#endif
    setpriority(PRIO_PROCESS, 0, NICENESS);
    if (chdir(slot) == 0) {
        const int in = open("/dev/null", O_RDONLY);
        const int out = open("stderr.txt", O_WRONLY | O_CREAT | O_APPEND, 0644);
        if (in >= 0 && out >= 0 && dup2(in, 0) == 0 && dup2(out, 1) == 1 && dup2(out, 2) == 2) {
            close(in);
            close(out);
            execv(arguments[0], arguments);
        }
    }
    const int error = errno;
    _exit(write(failure, &error, sizeof error) == sizeof error ? 1 : 2);
}

static bool spawn(struct task *task, const char *program, const char *command_line, struct fault *fault) {
    struct text slot = {0}, path = {0};
    char *line = copy_of(command_line), *arguments[MOST_ARGUMENTS + 1];
    int ends[2], error = 0;
    path_of_slot(task->slot, "", &slot);
    text_printf(&path, "./%s", program);
    arguments[0] = path.bytes;
    split(line, arguments, 1);
    const pid_t client = getpid();
    pid_t pid = -1;
    if (pipe(ends) == 0) {
        fcntl(ends[0], F_SETFD, FD_CLOEXEC);
        fcntl(ends[1], F_SETFD, FD_CLOEXEC);
        pid = fork();
        if (pid == 0) {
            become(slot.bytes, arguments, client, ends[1]);
        }
        close(ends[1]);
        /* Ends when the program begins, which closes the pipe, or with what went wrong. */
        if (pid > 0 && read(ends[0], &error, sizeof error) == sizeof error) {
            waitpid(pid, NULL, 0);
            pid = -1;
            errno = error;
        }
        error = errno;
        close(ends[0]);
        errno = error;
    }
    if (pid < 0) {
        fault_set(fault, "cannot start %s: %s", program, strerror(errno));
    }
    task->pid = pid;
    free(line);
    text_free(&slot);
    text_free(&path);
    return pid > 0;
}

static void finish(struct client *client, struct project *project, struct task *task, int exit_status);

void task_run(struct client *client, struct project *project, struct task *task) {
    const struct file_reference *program = main_program(task->version);
    struct text command_line = {0};
    struct fault fault;
    int exit_status;
    if (task->process == PROCESS_STOPPED) {
        kill(-task->pid, SIGCONT);
        task->process = PROCESS_RUNNING;
        return;
    }
    if (task->process != PROCESS_NONE) {
        return; /* it is still ending; it is started again when that is done */
    }
    if (slot_is_finished(task, &exit_status)) { /* and the client was killed before it saw that */
        finish(client, project, task, exit_status);
        return;
    }
    text_printf(&command_line, "%s %s", task->version->command_line, task->unit->command_line);
    if (program == NULL) {
        task_fail(client, project, task, RESULT_COMPUTE_ERROR, ERROR_NOT_FOUND, "its application has no main program");
    } else if (!slot_prepare(client, project, task, &fault) ||
               !spawn(task, program->open_name, command_line.bytes, &fault)) {
        task_fail(client, project, task, RESULT_COMPUTE_ERROR, 1, fault.message);
    } else {
        task->process = PROCESS_RUNNING;
        task->is_started = true;
        task->progress = task->saved;
        task->cpu_before = task->saved.cpu_time;
        client->is_changed = true;
        fault_point("task-started");
    }
    text_free(&command_line);
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* Stopping */

static void begin_to_end(struct client *client, struct task *task) {
    if (task->process == PROCESS_ENDING || task->process == PROCESS_NONE) {
        return;
    }
    kill(-task->pid, SIGTERM);
    kill(-task->pid, SIGCONT);
    task->process = PROCESS_ENDING;
    task->ending_since = client->steady;
}

void task_stop(struct client *client, struct task *task) {
    if (task->process == PROCESS_RUNNING && client->keep_in_memory) {
        kill(-task->pid, SIGSTOP);
        task->process = PROCESS_STOPPED;
    } else {
        begin_to_end(client, task);
    }
}

static const char *abort_reason(int status) {
    switch (status) {
    case EXIT_ABORTED_BY_PROJECT:
        return "the project does not need it any longer";
    case EXIT_ABORTED_BY_USER:
        return "the user has aborted it";
    case EXIT_NOT_IN_TIME:
        return "it would not be done in time";
    default:
        return "it computes for longer than its bound allows";
    }
}

static void fail_aborted(struct client *client, struct project *project, struct task *task, int status) {
    task_fail(client, project, task, status == EXIT_TOO_LONG ? RESULT_COMPUTE_ERROR : RESULT_ABORTED, status,
              abort_reason(status));
}

void task_abort(struct client *client, struct project *project, struct task *task, int status) {
    if (task->state == TASK_REPORTABLE || task->abort_status != 0) {
        return;
    }
    task->abort_status = status;
    if (task->process == PROCESS_NONE) {
        fail_aborted(client, project, task, status);
    } else {
        begin_to_end(client, task);
    }
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* Ends */

/* The end of its standard error output, which tells why. */
static void read_messages(struct task *task) {
    struct text path = {0}, messages = {0};
    path_of_slot(task->slot, "stderr.txt", &path);
    file_read(path.bytes, MOST_MESSAGES, true, &messages);
    if (messages.bytes != NULL) {
        replace(&task->messages, messages.bytes);
    }
    text_free(&path);
    text_free(&messages);
}

/* A project whose tasks fail one after another is left alone for longer and longer. */
static void delay_after_failure(struct client *client, struct project *project) {
    vcs_backoff_range range;
    double wait;
    project->failed_tasks++;
    if (vcs_backoff_range_init(&range, sizeof range, &client->policy, VCS_BACKOFF_OF_SCHEDULER, NULL) == VCS_OK &&
        vcs_backoff(project->failed_tasks, &range, draw(), &wait) == VCS_OK) {
        vcs_project_timer_delay(&project->timer, wait, client->now);
        say(project->name, "failed tasks in a row: %u; not called for %.0f s", project->failed_tasks, wait);
    }
}

static void fail(struct client *client, struct project *project, struct task *task, int status, const char *why) {
    task_fail(client, project, task, RESULT_COMPUTE_ERROR, status, why);
    delay_after_failure(client, project);
}

static void learn(const struct client *client, struct task *task) {
    const vcs_progress progress = {
        .struct_size = sizeof progress,
        .est_flops = task->unit->est_flops,
        .flops = task->version->flops,
        .elapsed = task->progress.elapsed,
    };
    vcs_correction *correction = &task->unit->app->correction;
    const int by_mean = client->policy.use_dcf == VCS_DCF_MEAN;
    correction->rule = by_mean ? VCS_CORRECTION_MEAN : VCS_CORRECTION_DEPLOYED;
    vcs_correction_update(correction, &progress, NULL);
}

static void finish(struct client *client, struct project *project, struct task *task, int exit_status) {
    struct fault fault;
    struct text why = {0};
    read_messages(task);
    if (exit_status != 0) {
        text_printf(&why, "its program has ended with status %d", exit_status);
        fail(client, project, task, exit_status, why.bytes);
        text_free(&why);
        return;
    }
    const int error = slot_collect(project, task, &fault);
    fault_point("outputs-moved");
    if (error != 0) {
        fail(client, project, task, error, fault.message);
        return;
    }
    task->progress.fraction = 1;
    task->state = task->outputs == NULL ? TASK_REPORTABLE : TASK_UPLOADING;
    task->result_state = RESULT_UPLOADED;
    task->exit_status = 0;
    task->completed = client->now;
    task->slot = -1;
    project->failed_tasks = 0;
    client->is_changed = client->looks_again = client->has_rubbish = true;
    learn(client, task);
    known_work_ended(project, task);
    say(project->name, "task %s is done after %.1f s", task->name, task->progress.elapsed);
}

static void take_end(struct client *client, struct project *project, struct task *task, int status,
                     const struct rusage *usage) {
    const bool was_told = task->process == PROCESS_ENDING;
    int exit_status;
    kill(-task->pid, SIGKILL); /* what it has started and left behind */
    task->process = PROCESS_NONE;
    task->pid = 0;
    client->looks_again = client->is_changed = true;
    slot_look(task);
    task->progress.cpu_time = task->cpu_before + (double)usage->ru_utime.tv_sec + (double)usage->ru_stime.tv_sec +
                              1e-6 * (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
    if (task->abort_status != 0) {
        read_messages(task);
        fail_aborted(client, project, task, task->abort_status);
    } else if (slot_is_finished(task, &exit_status)) {
        finish(client, project, task, exit_status);
    } else if (was_told) {
        task->progress = task->saved;
    } else if (WIFSIGNALED(status)) {
        struct text why = {0};
        read_messages(task);
        text_printf(&why, "its program was ended by signal %d", WTERMSIG(status));
        fail(client, project, task, EXIT_SIGNALLED, why.bytes);
        text_free(&why);
    } else if (WEXITSTATUS(status) != 0) {
        finish(client, project, task, WEXITSTATUS(status));
    } else if (++task->premature_ends > MOST_PREMATURE_ENDS) {
        read_messages(task);
        fail(client, project, task, 1, "its program ends again and again without saying that it has finished");
    } else {
        say(project->name, "task %s has ended without saying that it has finished; it is started again", task->name);
        task->progress = task->saved;
    }
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* Looking */

static void count_cpu_time(struct task *task) {
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(task->pid, &clock) == 0 && clock_gettime(clock, &used) == 0) {
        task->progress.cpu_time = task->cpu_before + (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
    }
}

void tasks_account(struct client *client, double seconds) {
    for (struct project *project = client->projects; project != NULL; project = project->next) {
        double credits, work = 0;
        for (struct task *task = project->tasks; task != NULL; task = task->next) {
            if (task->process == PROCESS_RUNNING) {
                task->progress.elapsed += seconds;
                work += task->version->cpus * client->flops * seconds;
            }
        }
        if (vcs_credits(work, &credits) == VCS_OK) {
            vcs_average_blend(&project->rec, credits, client->policy.rec_half_life, client->now);
        }
    }
}

static void look(struct client *client, struct project *project, struct task *task) {
    struct rusage usage;
    int status;
    const pid_t ended = wait4(task->pid, &status, WNOHANG, &usage);
    if (ended == task->pid) {
        take_end(client, project, task, status, &usage);
        return;
    }
    if (task->process == PROCESS_ENDING) {
        if (client->steady - task->ending_since > ENDING_SECONDS) {
            kill(-task->pid, SIGKILL);
        }
        return;
    }
    count_cpu_time(task);
    if (slot_look(task)) {
        client->is_changed = true;
    }
    const double bound = task->unit->most_flops / task->version->flops;
    if (task->unit->most_flops > 0 && task->progress.elapsed > BOUND_FACTOR * bound) {
        task_abort(client, project, task, EXIT_TOO_LONG);
    }
}

/* Whether all files of a list have arrived; `failed` is set to a file that never will. */
static bool have_arrived(const struct file_reference *reference, const struct file **failed) {
    bool arrived = true;
    for (; reference != NULL; reference = reference->next) {
        arrived = arrived && reference->file->state == FILE_PRESENT;
        *failed = reference->file->state == FILE_FAILED ? reference->file : *failed;
    }
    return arrived;
}

static void look_at_files(struct client *client, struct project *project, struct task *task) {
    const struct file *failed = NULL;
    const bool program = have_arrived(task->version->files, &failed), inputs = have_arrived(task->unit->files, &failed);
    if (failed != NULL) {
        struct text why = {0};
        text_printf(&why, "its file %s cannot be fetched (%d)", failed->name, failed->error);
        fail(client, project, task, failed->error, why.bytes);
        text_free(&why);
    } else if (program && inputs) {
        task->state = TASK_COMPUTING;
        client->is_changed = client->looks_again = true;
    }
}

static void look_at_outputs(struct client *client, struct project *project, struct task *task) {
    const struct file *failed = NULL;
    bool uploaded = true;
    for (const struct file_reference *output = task->outputs; output != NULL; output = output->next) {
        uploaded = uploaded && output->file->state == FILE_UPLOADED;
        failed = output->file->state == FILE_FAILED ? output->file : failed;
    }
    if (failed != NULL) {
        struct text why = {0};
        text_printf(&why, "its output %s cannot be uploaded (%d)", failed->name, failed->error);
        task_fail(client, project, task, RESULT_COMPUTE_ERROR, failed->error, why.bytes);
        text_free(&why);
    } else if (uploaded) {
        task->state = TASK_REPORTABLE;
        client->is_changed = client->looks_again = true;
        say(project->name, "task %s is ready to be reported", task->name);
    }
}

void tasks_look(struct client *client) {
    for (struct project *project = client->projects; project != NULL; project = project->next) {
        for (struct task *task = project->tasks; task != NULL; task = task->next) {
            if (task->process != PROCESS_NONE) {
                look(client, project, task);
            } else if (task->state == TASK_DOWNLOADING) {
                look_at_files(client, project, task);
            } else if (task->state == TASK_UPLOADING) {
                look_at_outputs(client, project, task);
            }
            if (task->state <= TASK_COMPUTING && !task->is_started && client->now > task->deadline) {
                task_abort(client, project, task, EXIT_NOT_IN_TIME);
            }
        }
    }
}

void tasks_end_all(struct client *client) {
    const struct timespec moment = {.tv_nsec = 20000000};
    int left = 1;
    for (int round = 0; left > 0; round++) {
        left = 0;
        for (struct project *project = client->projects; project != NULL; project = project->next) {
            for (struct task *task = project->tasks; task != NULL; task = task->next) {
                if (task->process == PROCESS_NONE) {
                    continue;
                }
                begin_to_end(client, task);
                if (round * 1e-9 * (double)moment.tv_nsec > ENDING_SECONDS) {
                    kill(-task->pid, SIGKILL);
                }
                look(client, project, task);
                left += task->process != PROCESS_NONE;
            }
        }
        if (left > 0) {
            nanosleep(&moment, NULL);
        }
    }
}
