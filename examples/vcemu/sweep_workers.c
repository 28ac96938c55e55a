/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "sweep_workers.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "sweep_scenario.h"

/* How far the workers may be ahead: enough that one long run does not stop the others. */
#define RUNS_AHEAD_PER_WORKER 256

#define WAIT_NS 100000000L

/* The outcome of a run. */
struct result {
    bool ready;
    bool failed;
    vcs_outcome outcome;
};

struct sweep_workers {
    const struct sweep_plan *plan;
    const struct state_file *base;
    const struct policy_wish *wish;
    uint64_t end;
    atomic_bool stop;

    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t is_ready, has_space;
    uint64_t next_run;      /* the next to be begun */
    uint64_t next_result;   /* the next to be taken */
    struct result *results; /* of the runs from next_result on, each at its number modulo `ahead` */
    uint64_t ahead;
    uint64_t fault_run; /* the first run that failed; UINT64_MAX = none */
    struct fault fault; /* what was wrong with it */

    pthread_t *threads;
    uint32_t thread_count;
};

/* ---- a worker ---- */

/* The next run to do; false if there is none, or nobody wants it any more. */
static bool begin_run(struct sweep_workers *workers, uint64_t *run) {
    pthread_mutex_lock(&workers->lock);
    while (workers->next_run < workers->end && workers->next_run - workers->next_result >= workers->ahead &&
           !atomic_load(&workers->stop)) {
        pthread_cond_wait(&workers->has_space, &workers->lock);
    }
    const bool more = workers->next_run < workers->end && !atomic_load(&workers->stop);
    if (more) {
        *run = workers->next_run++;
    }
    pthread_mutex_unlock(&workers->lock);
    return more;
}

/* Hands in the outcome; `fault` is NULL if all went well. */
static void end_run(struct sweep_workers *workers, uint64_t run, const vcs_outcome *outcome,
                    const struct fault *fault) {
    pthread_mutex_lock(&workers->lock);
    struct result *result = &workers->results[run % workers->ahead];
    *result = (struct result){.ready = true, .failed = fault != NULL, .outcome = *outcome};
    if (fault != NULL && run < workers->fault_run) {
        workers->fault_run = run;
        workers->fault = *fault;
    }
    pthread_cond_signal(&workers->is_ready);
    pthread_mutex_unlock(&workers->lock);
}

static void *work(void *context) {
    struct sweep_workers *workers = context;
    struct sweep_scenario scenario;
    struct fault fault;
    uint64_t run;
    const bool made = sweep_scenario_make(&scenario, &workers->plan->grid, workers->base, workers->wish, &fault);
    while (begin_run(workers, &run)) {
        const uint64_t seeds = workers->plan->seeds;
        vcs_outcome outcome = {.struct_size = sizeof outcome};
        const bool done =
            made && sweep_scenario_emulate(&scenario, run / seeds, run % seeds, &workers->stop, &outcome, &fault);
        end_run(workers, run, &outcome, done ? NULL : &fault);
        if (!done) {
            break;
        }
    }
    sweep_scenario_free(&scenario);
    return NULL;
}

/* ---- those who want the results ---- */

static struct timespec deadline_of_wait(void) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_nsec += WAIT_NS;
    if (deadline.tv_nsec >= 1000000000L) {
        deadline.tv_nsec -= 1000000000L;
        deadline.tv_sec++;
    }
    return deadline;
}

enum sweep_answer sweep_workers_next(struct sweep_workers *workers, vcs_outcome *outcome, struct fault *fault) {
    enum sweep_answer answer = SWEEP_NOT_YET;
    const struct timespec deadline = deadline_of_wait();
    pthread_mutex_lock(&workers->lock);
    struct result *result = &workers->results[workers->next_result % workers->ahead];
    if (!result->ready) {
        pthread_cond_timedwait(&workers->is_ready, &workers->lock, &deadline);
    }
    if (result->ready && result->failed) {
        answer = SWEEP_FAULT;
        *fault = workers->fault;
    } else if (result->ready) {
        answer = SWEEP_OUTCOME;
        *outcome = result->outcome;
        result->ready = false;
        workers->next_result++;
        pthread_cond_signal(&workers->has_space);
    }
    pthread_mutex_unlock(&workers->lock);
    return answer;
}

static bool start_threads(struct sweep_workers *workers, uint32_t count) {
    workers->threads = calloc(count, sizeof *workers->threads);
    while (workers->threads != NULL && workers->thread_count < count &&
           pthread_create(&workers->threads[workers->thread_count], NULL, work, workers) == 0) {
        workers->thread_count++;
    }
    return workers->thread_count > 0; /* fewer are enough */
}

struct sweep_workers *sweep_workers_start(const struct sweep_plan *plan, const struct state_file *base,
                                          const struct policy_wish *wish, uint64_t first, uint64_t end,
                                          struct fault *fault) {
    const uint32_t count = end - first < plan->workers ? (uint32_t)(end - first) : plan->workers;
    struct sweep_workers *workers = malloc(sizeof *workers);
    if (workers == NULL) {
        fault_set(fault, "there is not enough memory for the workers");
        return NULL;
    }
    *workers = (struct sweep_workers){
        .plan = plan,
        .base = base,
        .wish = wish,
        .end = end,
        .next_run = first,
        .next_result = first,
        .ahead = (uint64_t)RUNS_AHEAD_PER_WORKER * count,
        .fault_run = UINT64_MAX,
    };
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->is_ready, NULL);
    pthread_cond_init(&workers->has_space, NULL);
    workers->results = calloc(workers->ahead, sizeof *workers->results);
    if (workers->results == NULL || !start_threads(workers, count)) {
        fault_set(fault, "the workers could not be started");
        sweep_workers_stop(workers);
        return NULL;
    }
    return workers;
}

void sweep_workers_stop(struct sweep_workers *workers) {
    if (workers == NULL) {
        return;
    }
    pthread_mutex_lock(&workers->lock);
    atomic_store(&workers->stop, true);
    pthread_cond_broadcast(&workers->has_space);
    pthread_mutex_unlock(&workers->lock);
    for (uint32_t i = 0; i < workers->thread_count; i++) {
        pthread_join(workers->threads[i], NULL);
    }
    pthread_cond_destroy(&workers->has_space);
    pthread_cond_destroy(&workers->is_ready);
    pthread_mutex_destroy(&workers->lock);
    free(workers->threads);
    free(workers->results);
    free(workers);
}
