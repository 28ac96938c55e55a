/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "sweep_workers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sweep_scenario.h"

/* How far the workers may be ahead: enough that one long run does not stop the others. */
#define RUNS_AHEAD_PER_WORKER 256

#define WAIT_NS 100000000L

/* The outcome of a run. */
struct result {
    bool ready;
    bool failed;
};

struct sweep_workers {
    const struct sweep_table *table;
    const struct policy_wish *wish;
    size_t figures; /* values of each run */
    uint64_t end;
    atomic_bool stop;

    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t is_ready, has_space;
    uint64_t next_run;      /* the next to be begun */
    uint64_t next_result;   /* the next to be taken */
    struct result *results; /* of the runs from next_result on, each at its number modulo `ahead` */
    double *values;         /* of each of them */
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

/* Hands in the values; `fault` is NULL if all went well. */
static void end_run(struct sweep_workers *workers, uint64_t run, const double *values, const struct fault *fault) {
    pthread_mutex_lock(&workers->lock);
    struct result *result = &workers->results[run % workers->ahead];
    *result = (struct result){.ready = true, .failed = fault != NULL};
    if (fault == NULL) {
        memcpy(workers->values + run % workers->ahead * workers->figures, values, workers->figures * sizeof *values);
    }
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
    const struct sweep_plan *plan = workers->table->plan;
    double *values = malloc((workers->figures + 1) * sizeof *values);
    bool made = sweep_scenario_make(&scenario, plan, workers->table->scenarios, workers->wish, &fault);
    made = made && (values != NULL || fault_set(&fault, "there is not enough memory for the workers"));
    while (begin_run(workers, &run)) {
        const bool done =
            made && sweep_scenario_emulate(&scenario, run / plan->seeds, sweep_table_seed(workers->table, run),
                                           &workers->stop, values, &fault);
        end_run(workers, run, values, done ? NULL : &fault);
        if (!done) {
            break;
        }
    }
    sweep_scenario_free(&scenario);
    free(values);
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

enum sweep_answer sweep_workers_next(struct sweep_workers *workers, double *values, struct fault *fault) {
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
        memcpy(values, workers->values + workers->next_result % workers->ahead * workers->figures,
               workers->figures * sizeof *values);
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

struct sweep_workers *sweep_workers_start(const struct sweep_table *table, const struct policy_wish *wish,
                                          uint64_t first, uint64_t end, struct fault *fault) {
    const struct sweep_plan *plan = table->plan;
    const uint32_t count = end - first < plan->workers ? (uint32_t)(end - first) : plan->workers;
    struct sweep_workers *workers = malloc(sizeof *workers);
    if (workers == NULL) {
        fault_set(fault, "there is not enough memory for the workers");
        return NULL;
    }
    *workers = (struct sweep_workers){
        .table = table,
        .wish = wish,
        .figures = plan->figures.count,
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
    workers->values = calloc(workers->ahead * (workers->figures + 1), sizeof *workers->values);
    if (workers->results == NULL || workers->values == NULL || !start_threads(workers, count)) {
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
    free(workers->values);
    free(workers);
}
