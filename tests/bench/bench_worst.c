/*
 * What an adversary can do to the simulations: a search for the hosts on which they cost most.
 *
 * A host is drawn from a few traits: how many CPUs, projects and limits there are, how many different uses and how
 * small they are, over how many decades lengths are spread, in which order deadlines come. The search climbs: it
 * changes a trait, and keeps the change if the decision now costs more for each task, as the library itself counts
 * (rule 4.6). The search is the same on every machine. What it finds on small hosts is then measured on a large one,
 * under the default budgets, which is what a hostile peer could do to a client or a server. Times are also multiples of
 * a qsort() of as many doubles.
 *
 *     bench_worst [ROUNDS [SEED]]
 *
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"
#include "support/array.h"

#include <math.h>
#include <string.h>
#include <vcsched/simulation.h>
#include <vcsched/send.h>
#include <vcsched/host.h>

#define NOW 1.0e9
#define CANDIDATES 64u
#define MOST_EXCLUDED_OF 64u

/* ---- Traits ---- */

enum trait {
    CPUS,         /* powers of two */
    GPUS,         /* instances of a GPU type */
    GPU_TASKS,    /* of ten tasks */
    EXCLUSIONS,   /* 1: projects may not use some of the GPUs */
    PROJECTS,     /* of eight tasks there is one project, ... ; 0 = one alone, 7 = each task has its own */
    LIMITS,       /* 1: projects have a limit, 2: applications have, 3: both */
    LIMIT,        /* tasks at a time, powers of two */
    USES,         /* different uses, powers of two */
    LEAST_USE,    /* the least use is 2^-this instances */
    GREATEST_USE, /* the greatest is the least times 2^this */
    LENGTHS,      /* different lengths, powers of two */
    DECADES,      /* over which they are spread */
    DEADLINES,    /* 0: drawn, 1: the shortest first, 2: the longest first, 3: all the same */
    SHARES,       /* 0: equal, 1: each project has twice that of the next but 16, 2: one in two has none */
    LOCAL,        /* 1: local accounting */
    FIT,          /* VCS_CPU_FIT_* */
    TRAITS
};

typedef struct traits {
    uint32_t of[TRAITS];
} traits;

static const char *const names[TRAITS] = {"cpus",      "gpus",   "gpu_tasks", "exclusions",   "projects", "limits",
                                          "limit",     "uses",   "least_use", "greatest_use", "lengths",  "decades",
                                          "deadlines", "shares", "local",     "fit"};

static const uint32_t greatest[TRAITS] = {16, 64, 9, 1, 7, 3, 10, 14, 20, 22, 14, 12, 3, 2, 1, 2};

/* ---- A host with them ---- */

typedef struct worst_host {
    vcs_host host;
    vcs_resource resources[2];
    uint32_t projects, tasks;
    vcs_project *project_rows;
    vcs_project_resource *pair_rows;
    vcs_app *app_rows;
    vcs_task *task_rows, *candidate_rows;
    vcs_snapshot snapshot;
    vcs_parameters parameters;
    void *work;
    size_t work_size;
} worst_host;

/* One of 2^power values, 0 ... 1. */
static double one_of(uint64_t *stream, uint32_t power) {
    const uint32_t count = 1u << power;
    return count == 1 ? 0.5 : draw_below(stream, count) / (count - 1.0);
}

static double use_of(const traits *t, uint64_t *stream) {
    const double least = ldexp(1.0, -(int)t->of[LEAST_USE]);
    const double use = least * exp2(t->of[GREATEST_USE] * one_of(stream, t->of[USES]));
    return fmin(use, ldexp(1.0, (int)t->of[CPUS]));
}

static vcs_task draw_task(const traits *t, const worst_host *h, uint64_t id, uint64_t *stream) {
    const uint32_t project = draw_below(stream, h->projects);
    vcs_task task = {.id = id, .project = project, .app = project, .received = NOW - 1e6 + (double)id};
    const double length = pow(10.0, t->of[DECADES] * (one_of(stream, t->of[LENGTHS]) - 0.5));
    task.cpus = use_of(t, stream);
    task.remaining = 3600.0 * length;
    task.deadline = NOW + 1e5 +
                    (t->of[DEADLINES] == 0   ? draw(stream, 0, 1e6)
                     : t->of[DEADLINES] == 1 ? 1e4 * log10(length)
                     : t->of[DEADLINES] == 2 ? -1e4 * log10(length)
                                             : 0.0);
    if (t->of[GPUS] > 0 && draw_below(stream, 10) < t->of[GPU_TASKS]) {
        task.gpu = 1;
        task.gpus = fmin(task.cpus, t->of[GPUS] / 2.0 + 0.5);
        task.cpus = fmin(task.cpus, 0.5);
    }
    return task;
}

static void draw_project(const traits *t, worst_host *h, uint32_t i, uint64_t *stream) {
    vcs_project *project = &h->project_rows[i];
    project->id = i + 1;
    project->share = t->of[SHARES] == 1 ? ldexp(1.0, (int)(i % 16)) : t->of[SHARES] == 2 ? i % 2 : 1.0;
    project->rec = draw(stream, 0, 1000);
    h->app_rows[i] = (vcs_app){.id = i + 1, .project = i};
    if ((t->of[LIMITS] & 1) != 0) {
        project->max_concurrent = 1u << t->of[LIMIT];
    }
    if ((t->of[LIMITS] & 2) != 0) {
        h->app_rows[i].max_concurrent = 1u << t->of[LIMIT];
    }
    h->pair_rows[i] = (vcs_project_resource){.id = i + 1, .project = i, .resource = 1};
    if (t->of[EXCLUSIONS] != 0 && t->of[GPUS] > 1) {
        h->pair_rows[i].excluded = UINT64_C(1) << draw_below(stream, t->of[GPUS]);
    }
}

static worst_host make_host(const traits *t, uint32_t tasks, uint32_t profile, uint64_t seed) {
    uint64_t stream = seed;
    worst_host h = {.host = {.id = 1}, .tasks = tasks};
    h.projects = t->of[PROJECTS] == 0 ? 1 : (tasks * t->of[PROJECTS] + greatest[PROJECTS] - 1) / greatest[PROJECTS];
    h.resources[0] = (vcs_resource){.id = 1, .flops = 1e9, .usable = 1, .instances = 1u << t->of[CPUS]};
    h.resources[1] = (vcs_resource){.id = 2, .flops = 1e12, .usable = 1, .instances = t->of[GPUS]};
    h.project_rows = must_allocate(h.projects, sizeof *h.project_rows);
    h.pair_rows = must_allocate(h.projects, sizeof *h.pair_rows);
    h.app_rows = must_allocate(h.projects, sizeof *h.app_rows);
    h.task_rows = must_allocate(tasks, sizeof *h.task_rows);
    h.candidate_rows = must_allocate(CANDIDATES, sizeof *h.candidate_rows);
    for (uint32_t i = 0; i < h.projects; i++) {
        draw_project(t, &h, i, &stream);
    }
    for (uint32_t i = 0; i < tasks; i++) {
        h.task_rows[i] = draw_task(t, &h, i + 1, &stream);
    }
    for (uint32_t i = 0; i < CANDIDATES; i++) {
        h.candidate_rows[i] = draw_task(t, &h, tasks + i + 1, &stream);
        h.candidate_rows[i].deadline += 1e12;
    }
    for (uint32_t i = 0; i < CANDIDATES / 2; i++) { /* these go before all others, and finish in time */
        h.candidate_rows[i].remaining = 1e-6;
        h.candidate_rows[i].deadline = NOW + 9e4;
    }
    must(vcs_parameters_init(&h.parameters, sizeof h.parameters, profile), "vcs_parameters_init");
    h.parameters.accounting = t->of[LOCAL] != 0 ? VCS_ACCOUNTING_LOCAL : VCS_ACCOUNTING_GLOBAL;
    h.parameters.cpu_fit = t->of[FIT];
    h.parameters.work_send = VCS_WORK_SEND_WS2;
    return h;
}

/* The records have moved to where they stay. */
static void open_host(worst_host *h) {
    const uint32_t resources = h->resources[1].instances > 0 ? 2 : 1;
    h->snapshot = (vcs_snapshot){
        .struct_size = sizeof h->snapshot,
        .host = array_of(&h->host, sizeof h->host, 1),
        .resources = array_of(h->resources, sizeof *h->resources, resources),
        .projects = array_of(h->project_rows, sizeof *h->project_rows, h->projects),
        .project_resources = array_of(h->pair_rows, sizeof *h->pair_rows, resources > 1 ? h->projects : 0),
        .apps = array_of(h->app_rows, sizeof *h->app_rows, h->projects),
        .tasks = array_of(h->task_rows, sizeof *h->task_rows, h->tasks),
        .candidates = array_of(h->candidate_rows, sizeof *h->candidate_rows, CANDIDATES),
    };
    must(vcs_state_size(&h->snapshot, &h->work_size), "vcs_state_size");
    h->work = must_allocate(1, h->work_size);
}

static void close_host(worst_host *h) {
    free(h->project_rows);
    free(h->pair_rows);
    free(h->app_rows);
    free(h->task_rows);
    free(h->candidate_rows);
    free(h->work);
}

/* ---- What is asked ---- */

typedef struct cost {
    double effort, steps; /* as the library counts */
    double nanoseconds;
    int stopped;
} cost;

static vcs_state *prepare(worst_host *h) {
    vcs_state *state;
    must(vcs_state_prepare(&h->snapshot, &h->parameters, NOW, h->work, h->work_size, &state, NULL),
         "vcs_state_prepare");
    return state;
}

static cost ask_wrr(worst_host *h) {
    vcs_state *state = prepare(h);
    vcs_wrr_summary summary = {.struct_size = sizeof summary};
    const double start = nanoseconds();
    must(vcs_wrr(state, &summary), "vcs_wrr");
    return (cost){(double)summary.effort, (double)summary.steps, nanoseconds() - start,
                  (summary.flags & VCS_SIMULATION_STOPPED) != 0};
}

static cost ask_edf(worst_host *h) {
    vcs_state *state = prepare(h);
    vcs_edf_summary summary = {.struct_size = sizeof summary};
    const double start = nanoseconds();
    must(vcs_edf(state, VCS_EDF_ALL, &summary), "vcs_edf");
    return (cost){(double)summary.effort, summary.tasks, nanoseconds() - start,
                  (summary.flags & VCS_SIMULATION_STOPPED) != 0};
}

/* Candidates that were not decided on. */
static uint32_t undecided(worst_host *h, double *took) {
    vcs_state *state = prepare(h);
    const uint32_t resources = h->snapshot.resources.count;
    const vcs_send_request wanted[2] = {{.seconds = 1e12}, {.seconds = 1e12}};
    static vcs_send_job jobs[CANDIDATES];
    static vcs_send_decision decisions[CANDIDATES];
    uint32_t found = 0;
    for (uint32_t i = 0; i < CANDIDATES; i++) {
        jobs[i] = (vcs_send_job){.unit = i + 1, .latency_bound = h->candidate_rows[i].deadline - NOW};
    }
    const double start = nanoseconds();
    must(vcs_send(state, ARRAY(wanted, resources), ARRAY(jobs, CANDIDATES), NULL, ARRAY(decisions, CANDIDATES), NULL,
                  NULL),
         "vcs_send");
    *took = nanoseconds() - start;
    for (uint32_t i = 0; i < CANDIDATES; i++) {
        found += decisions[i].reason == VCS_REASON_BUDGET;
    }
    return found;
}

/* Beyond this the search for what a reply costs takes too long. */
#define MOST_EFFORT 1e7

/* The least budget under which all candidates are decided on says what they cost. */
static cost ask_send(worst_host *h) {
    const uint32_t budget = h->parameters.placement_effort;
    cost found = {0};
    found.stopped = undecided(h, &found.nanoseconds) > 0;
    if (budget == 0) {
        double took, least = 1, most = 1;
        do {
            least = most;
            most *= 16.0;
            h->parameters.placement_effort = (uint32_t)most;
        } while (most < MOST_EFFORT && undecided(h, &took) > 0);
        while (most < MOST_EFFORT && most > 1.05 * least) {
            h->parameters.placement_effort = (uint32_t)sqrt(least * most);
            *(undecided(h, &took) > 0 ? &least : &most) = h->parameters.placement_effort;
        }
        h->parameters.placement_effort = budget;
        found.effort = most;
    }
    return found;
}

/* ---- What is known to be bad ---- */

/* Thousands of tasks share each CPU; those of 2^-20 CPU, and of 16,384 different uses. */
static const traits tiny_shares = {.of = {[CPUS] = 2, [LEAST_USE] = 20, [LENGTHS] = 14, [DECADES] = 2}};
static const traits many_uses = {
    .of = {[CPUS] = 4, [USES] = 14, [LEAST_USE] = 14, [GREATEST_USE] = 13, [LENGTHS] = 14, [DECADES] = 2}};
/* Each task in a project of its own, on 65,536 CPUs, with GPUs from which projects are excluded. */
static const traits many_projects = {
    .of = {
        [CPUS] = 16, [GPUS] = 64, [GPU_TASKS] = 1, [EXCLUSIONS] = 1, [PROJECTS] = 7, [LENGTHS] = 14, [DECADES] = 12}};

/* ---- The search ---- */

typedef struct question {
    const char *name;
    uint32_t profile;
    cost (*ask)(worst_host *h);
    uint32_t tasks; /* of the small host, and of the large one */
    uint32_t many;
    int by_steps;
} question;

static const question questions[] = {
    {"sliced, steps", VCS_PROFILE_CURRENT, ask_wrr, 100, 1000, 1},
    {"sliced", VCS_PROFILE_CURRENT, ask_wrr, 100, 1000, 0},
    {"fluid", VCS_PROFILE_STUDY2007, ask_wrr, 200, 16000, 0},
    {"edf", VCS_PROFILE_CURRENT, ask_edf, 400, 16000, 0},
    {"send", VCS_PROFILE_CURRENT, ask_send, 100, 16000, 0},
};

/* What the fluid simulation allows: tasks of one CPU each, without limits. */
static void make_plain(worst_host *h) {
    h->resources[1].instances = 0;
    for (uint32_t i = 0; i < h->tasks; i++) {
        h->task_rows[i].cpus = 1.0;
        h->task_rows[i].gpu = 0;
        h->task_rows[i].gpus = 0.0;
    }
    for (uint32_t i = 0; i < CANDIDATES; i++) {
        h->candidate_rows[i].cpus = 1.0;
        h->candidate_rows[i].gpu = 0;
        h->candidate_rows[i].gpus = 0.0;
    }
    for (uint32_t i = 0; i < h->projects; i++) {
        h->project_rows[i].max_concurrent = h->app_rows[i].max_concurrent = 0;
    }
}

static cost cost_of(const question *q, const traits *t, uint32_t tasks, int limited, uint64_t seed) {
    worst_host h = make_host(t, tasks, q->profile, seed);
    if (q->profile == VCS_PROFILE_STUDY2007) {
        make_plain(&h);
    }
    if (!limited) {
        h.parameters.simulation_effort = 0;
        h.parameters.placement_effort = 0;
    }
    open_host(&h);
    const cost found = q->ask(&h);
    close_host(&h);
    return found;
}

static double score_of(const question *q, const cost *found) {
    return (q->by_steps ? found->steps : found->effort) / q->tasks;
}

static traits change(const traits *t, uint64_t *stream) {
    traits changed = *t;
    const uint32_t count = 1 + draw_below(stream, 3);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t which = draw_below(stream, TRAITS);
        changed.of[which] = draw_below(stream, greatest[which] + 1);
    }
    return changed;
}

/* What the search came by, the best last. */
#define MOST_FINDS 64u

typedef struct finds {
    traits of[MOST_FINDS];
    uint32_t count;
    double score;
} finds;

static void search(const question *q, uint32_t rounds, uint64_t seed, finds *found) {
    uint64_t stream = seed;
    traits best = {.of = {0}};
    *found = (finds){.score = -1.0};
    for (uint32_t round = 0; round < rounds && found->count < MOST_FINDS; round++) {
        const traits tried = change(&best, &stream);
        const cost asked = cost_of(q, &tried, q->tasks, 0, seed);
        if (score_of(q, &asked) > found->score) {
            found->score = score_of(q, &asked);
            found->of[found->count++] = best = tried;
        }
    }
}

/* Of all that the search came by, what takes longest on the large host. */
static cost longest(const question *q, const finds *found, uint64_t seed, traits *worst) {
    cost most = {.nanoseconds = -1.0};
    for (uint32_t i = 0; i < found->count; i++) {
        const cost large = cost_of(q, &found->of[i], q->many, 1, seed);
        if (large.nanoseconds > most.nanoseconds) {
            most = large;
            *worst = found->of[i];
        }
    }
    return most;
}

static void measure_known(const char *name, const question *q, const traits *t) {
    const cost limited = cost_of(q, t, q->many, 1, 1),
               whole = q->ask == ask_send ? limited : cost_of(q, t, q->many, 0, 1);
    uint64_t stream = 1;
    printf("%s, %s, %u tasks: %.1f ms, %.1f qsorts%s", name, q->name, q->many, limited.nanoseconds / 1e6,
           limited.nanoseconds / time_qsort(q->many, &stream), limited.stopped ? ", stopped by the budget" : "");
    if (limited.stopped && q->ask != ask_send) {
        printf("; without a budget %.0f ms, %.0f units", whole.nanoseconds / 1e6, whole.effort);
    }
    printf("\n");
    fflush(stdout);
}

static void print_traits(const traits *t) {
    for (uint32_t i = 0; i < TRAITS; i++) {
        printf(" %s=%u", names[i], t->of[i]);
    }
    printf("\n");
}

int main(int argc, char **argv) {
    const uint32_t rounds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 300;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    uint64_t stream = seed;
    for (size_t i = 1; i < sizeof questions / sizeof *questions; i++) {
        if (questions[i].profile == VCS_PROFILE_CURRENT) {
            measure_known("tiny shares", &questions[i], &tiny_shares);
            measure_known("many uses", &questions[i], &many_uses);
            measure_known("many projects", &questions[i], &many_projects);
        }
    }
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        const question *q = &questions[i];
        finds found;
        traits worst;
        search(q, rounds, seed, &found);
        printf("%s: %.0f %s a task of %u:\n ", q->name, found.score, q->by_steps ? "steps" : "units", q->tasks);
        print_traits(&found.of[found.count - 1]);
        const cost most = longest(q, &found, seed, &worst);
        printf("  with %u tasks at most %.1f ms, %.1f qsorts%s:\n ", q->many, most.nanoseconds / 1e6,
               most.nanoseconds / time_qsort(q->many, &stream), most.stopped ? ", stopped by the budget" : "");
        print_traits(&worst);
        fflush(stdout);
    }
    return 0;
}
