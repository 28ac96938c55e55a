/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "vcemu/sweep/workers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* How far workers may be ahead: one long run must not stop the others. */
#define RUNS_AHEAD_PER_WORKER 256

#define WAIT_NS 100000000L

/* A run that has been begun. */
struct slot {
    bool ready;
    bool failed;
    uint32_t parts; /* of WORKERS_PARTS that are done */
};

struct workers {
    struct work work;
    uint64_t end;
    atomic_bool stop;

    pthread_mutex_t lock; /* guards the rest */
    pthread_cond_t is_ready, has_space;
    uint64_t next_run;      /* the next to be begun */
    uint64_t next_result;   /* the next to be taken */
    struct slot *slots;     /* of runs from next_result on, at their number modulo `ahead` */
    unsigned char *results; /* of each of them */
    uint64_t ahead;
    uint64_t parts;     /* done by now */
    uint64_t fault_run; /* the first run that failed; UINT64_MAX = none */
    struct fault fault; /* its fault */

    pthread_t *threads;
    uint32_t thread_count;
};

/* What a run sees of the workers. */
struct worker {
    struct workers *workers;
    uint64_t run;
};

/* ---- a worker ---- */

static struct slot *slot_of(struct workers *workers, uint64_t run) {
    return &workers->slots[run % workers->ahead];
}

static void *result_of(struct workers *workers, uint64_t run) {
    return workers->results + run % workers->ahead * workers->work.result_size;
}

/* The next run to do; false if there is none, or nobody wants it any more. */
static bool begin_run(struct workers *workers, uint64_t *run) {
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

static void set_parts(struct workers *workers, struct slot *slot, uint32_t parts) {
    workers->parts += parts - slot->parts;
    slot->parts = parts;
}

/* Hands in the result; `fault` is NULL if all went well. */
static void end_run(struct workers *workers, uint64_t run, const void *result, const struct fault *fault) {
    pthread_mutex_lock(&workers->lock);
    struct slot *slot = slot_of(workers, run);
    slot->ready = true;
    slot->failed = fault != NULL;
    set_parts(workers, slot, WORKERS_PARTS);
    if (fault == NULL) {
        memcpy(result_of(workers, run), result, workers->work.result_size);
    }
    if (fault != NULL && run < workers->fault_run) {
        workers->fault_run = run;
        workers->fault = *fault;
    }
    pthread_cond_signal(&workers->is_ready);
    pthread_mutex_unlock(&workers->lock);
}

static void *work(void *context) {
    struct workers *workers = context;
    const struct work *task = &workers->work;
    struct fault fault;
    struct worker worker = {.workers = workers};
    unsigned char *result = malloc(task->result_size + 1);
    void *own = task->begin(task->context, &fault);
    bool done =
        own != NULL && (result != NULL || vcs_scn_fault_set(&fault, "there is not enough memory for the workers"));
    bool more = true;
    while (more && begin_run(workers, &worker.run)) {
        done = done && task->run(own, &worker, worker.run, result, &fault);
        end_run(workers, worker.run, result, done ? NULL : &fault);
        more = done;
    }
    if (own != NULL) {
        task->end(own);
    }
    free(result);
    return NULL;
}

bool vcs_swp_worker_goes_on(const struct worker *worker) {
    return !atomic_load_explicit(&worker->workers->stop, memory_order_relaxed);
}

bool vcs_swp_worker_tells(const struct worker *worker, double done) {
    struct workers *workers = worker->workers;
    pthread_mutex_lock(&workers->lock);
    set_parts(workers, slot_of(workers, worker->run), (uint32_t)(done * WORKERS_PARTS));
    pthread_mutex_unlock(&workers->lock);
    return vcs_swp_worker_goes_on(worker);
}

/* ---- the consumer ---- */

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

enum workers_answer vcs_swp_workers_next(struct workers *workers, void *result, struct fault *fault) {
    enum workers_answer answer = WORKERS_NOT_YET;
    const struct timespec deadline = deadline_of_wait();
    pthread_mutex_lock(&workers->lock);
    struct slot *slot = slot_of(workers, workers->next_result);
    if (!slot->ready) {
        pthread_cond_timedwait(&workers->is_ready, &workers->lock, &deadline);
    }
    if (slot->ready && slot->failed) {
        answer = WORKERS_FAULT;
        *fault = workers->fault;
    } else if (slot->ready) {
        answer = WORKERS_RESULT;
        memcpy(result, result_of(workers, workers->next_result), workers->work.result_size);
        *slot = (struct slot){.ready = false};
        workers->next_result++;
        pthread_cond_signal(&workers->has_space);
    }
    pthread_mutex_unlock(&workers->lock);
    return answer;
}

uint64_t vcs_swp_workers_parts(struct workers *workers) {
    pthread_mutex_lock(&workers->lock);
    const uint64_t parts = workers->parts;
    pthread_mutex_unlock(&workers->lock);
    return parts;
}

static bool start_threads(struct workers *workers, uint32_t count) {
    workers->threads = calloc(count, sizeof *workers->threads);
    while (workers->threads != NULL && workers->thread_count < count &&
           pthread_create(&workers->threads[workers->thread_count], NULL, work, workers) == 0) {
        workers->thread_count++;
    }
    return workers->thread_count > 0; /* fewer are enough */
}

struct workers *vcs_swp_workers_start(const struct work *task, uint32_t most, uint64_t first, uint64_t end,
                                      struct fault *fault) {
    const uint32_t count = end - first < most ? (uint32_t)(end - first) : most;
    struct workers *workers = malloc(sizeof *workers);
    if (workers == NULL) {
        vcs_scn_fault_set(fault, "there is not enough memory for the workers");
        return NULL;
    }
    *workers = (struct workers){
        .work = *task,
        .end = end,
        .next_run = first,
        .next_result = first,
        .ahead = (uint64_t)RUNS_AHEAD_PER_WORKER * count,
        .fault_run = UINT64_MAX,
    };
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->is_ready, NULL);
    pthread_cond_init(&workers->has_space, NULL);
    workers->slots = calloc(workers->ahead, sizeof *workers->slots);
    workers->results = calloc(workers->ahead, task->result_size + 1);
    if (workers->slots == NULL || workers->results == NULL || !start_threads(workers, count)) {
        vcs_scn_fault_set(fault, "the workers could not be started");
        vcs_swp_workers_stop(workers);
        return NULL;
    }
    return workers;
}

void vcs_swp_workers_stop(struct workers *workers) {
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
    free(workers->slots);
    free(workers->results);
    free(workers);
}
