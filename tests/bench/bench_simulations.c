/*
 * How long the simulations take, as multiples of a qsort() of as many random doubles in the same process.
 *
 * The ratio holds when the machine is slow or busy; the nanoseconds are those of this machine. Each figure is the least
 * of several runs, and the worst over four kinds of input: equal and ramp shares, tasks in order of arrival and
 * shuffled.
 *
 * The profile steady is compared with current on the same hosts in the same run: all that a client decides at once.
 *
 * count_instructions.sh counts the instructions of what --once runs: all that the client of a small host decides.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"

#include <string.h>
#include <vcsched/simulation.h>
#include <vcsched/fetch.h>
#include <vcsched/schedule.h>
#include <vcsched/host.h>

#define CANDIDATES 300

static uint64_t stream;

/* ---- Input ---- */

typedef struct input {
    vcs_host host;
    vcs_resource resources[2]; /* the CPU; of a mixed host, also a GPU type */
    vcs_project_resource excluding;
    vcs_app limited;
    vcs_project *projects;
    vcs_project_resource *jobs; /* what each project sent last; only where profiles are compared */
    vcs_task *tasks, *candidates;
    vcs_snapshot snapshot;
    vcs_parameters parameters;
} input;

typedef struct shape {
    uint32_t tasks, projects, instances;
    int ramp, shuffled;
    uint32_t mixed; /* 1: not for one CPU each */
} shape;

#define NOW 1.0e9
#define DAY 86400.0

static void shuffle(vcs_task *tasks, uint32_t count) {
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = draw_below(&stream, i);
        vcs_task task = tasks[i - 1];
        tasks[i - 1] = tasks[other];
        tasks[other] = task;
    }
}

static vcs_task draw_task(uint64_t id, uint32_t projects, double received) {
    vcs_task task = {0};
    task.id = id;
    task.project = draw_below(&stream, projects);
    task.app = VCS_NONE;
    task.cpus = 1.0;
    task.remaining = draw(&stream, 600, 36000);
    task.deadline = NOW + draw(&stream, 0.1, 14) * DAY;
    task.received = received;
    return task;
}

/*
 * A host as many have it: a GPU type of two beside the CPUs, one of which is closed to a project; an application of
 * which two tasks may run; of ten tasks two for the GPU, one of which takes half of one, and one of four CPUs.
 */
static void mix(input *made, const shape *of) {
    made->resources[1] = (vcs_resource){.id = 2, .flops = 1e12, .usable = 0.9, .instances = 2};
    made->excluding = (vcs_project_resource){.id = 1, .project = 1, .resource = 1, .excluded = 1};
    made->limited = (vcs_app){.id = 1, .project = 0, .max_concurrent = 2};
    for (uint32_t i = 0; i < of->tasks; i++) {
        vcs_task *task = &made->tasks[i];
        if (i % 5 == 0) {
            task->gpu = 1;
            task->gpus = i % 10 == 0 ? 0.5 : 1.0;
            task->cpus = 0.2;
        } else if (i % 10 == 7) {
            task->cpus = 4.0;
        } else if (task->project == 0 && i % 2 == 0) {
            task->app = 0;
        }
    }
}

/* Up to this many tasks, the run times of a small host. */
#define SMALL 50u

/* As on hosts/plain.ini: tasks of a project are much alike, and last from one hour to eleven. */
static void draw_small(input *made, const shape *of) {
    static const double shares[] = {100, 200, 50}, run_times[] = {4000, 10000, 40000};
    for (uint32_t i = 0; i < of->projects; i++) {
        made->projects[i].share = shares[i % 3];
    }
    for (uint32_t i = 0; i < of->tasks; i++) {
        made->tasks[i].remaining = run_times[made->tasks[i].project % 3] * draw(&stream, 0.8, 1.2);
    }
}

static input make_input(const shape *of, uint32_t profile) {
    input made = {.host = {.id = 1}};
    made.resources[0] = (vcs_resource){.id = 1, .flops = 4e9, .usable = 0.9, .instances = of->instances};
    made.projects = must_allocate(of->projects, sizeof(vcs_project));
    made.tasks = must_allocate(of->tasks, sizeof(vcs_task));
    made.candidates = must_allocate(CANDIDATES, sizeof(vcs_task));
    for (uint32_t i = 0; i < of->projects; i++) {
        made.projects[i].id = i + 1;
        made.projects[i].share = of->ramp ? 100.0 * (i + 1) : 100.0;
        made.projects[i].rec = draw(&stream, 0, 1000);
    }
    for (uint32_t i = 0; i < of->tasks; i++) {
        made.tasks[i] = draw_task(i + 1, of->projects, NOW - 10.0 * DAY + i);
    }
    for (uint32_t i = 0; i < CANDIDATES; i++) {
        made.candidates[i] = draw_task(i + 1, of->projects, NOW);
    }
    if (of->mixed) {
        mix(&made, of);
    }
    if (of->tasks <= SMALL) {
        draw_small(&made, of);
    }
    if (of->shuffled) {
        shuffle(made.tasks, of->tasks);
    }
    must(vcs_parameters_init(&made.parameters, sizeof made.parameters, profile), "vcs_parameters_init");
    return made;
}

static void set_view(input *made, const shape *of, uint32_t candidates) {
    made->snapshot = (vcs_snapshot){
        .struct_size = sizeof made->snapshot,
        .host = {.base = &made->host, .element_size = sizeof made->host, .count = 1},
        .resources = {.base = made->resources, .element_size = sizeof *made->resources, .count = of->mixed ? 2 : 1},
        .projects = {.base = made->projects, .element_size = sizeof *made->projects, .count = of->projects},
        .project_resources = {.base = &made->excluding, .element_size = sizeof made->excluding, .count = of->mixed},
        .apps = {.base = &made->limited, .element_size = sizeof made->limited, .count = of->mixed},
        .tasks = {.base = made->tasks, .element_size = sizeof *made->tasks, .count = of->tasks},
        .candidates = {.base = made->candidates, .element_size = sizeof *made->candidates, .count = candidates},
    };
}

static void free_input(input *made) {
    free(made->projects);
    free(made->jobs);
    free(made->tasks);
    free(made->candidates);
}

/*
 * What the rules of steady ask for: spells of the host, what each project has sent, and its last job. The first tasks
 * run, one on each CPU.
 */
static void remember(input *made, const shape *of) {
    made->host.on_spell = 14400.0;
    made->host.off_spell = 1600.0;
    made->jobs = must_allocate(of->projects, sizeof(vcs_project_resource));
    for (uint32_t i = 0; i < of->projects; i++) {
        made->jobs[i] = (vcs_project_resource){
            .id = i + 1,
            .project = i,
            .received = draw(&stream, 0, 30) * DAY,
            .job_seconds = draw(&stream, 600, 36000),
            .job_bound = draw(&stream, 1, 14) * DAY,
            .job_spread = 0.2,
        };
    }
    for (uint32_t i = 0; i < of->instances; i++) {
        made->tasks[i].flags = VCS_TASK_RUNNING | VCS_TASK_STARTED;
        made->tasks[i].running_since = NOW - draw(&stream, 0, 3600);
    }
    made->snapshot.project_resources =
        (vcs_array){.base = made->jobs, .element_size = sizeof *made->jobs, .count = of->projects};
}

/* ---- What is measured ---- */

/* One run: returns its nanoseconds. `work` is memory for the state. */
typedef double (*measure)(input *made, void *work, size_t size);

static vcs_state *prepare(input *made, void *work, size_t size) {
    vcs_state *state;
    must(vcs_state_prepare(&made->snapshot, &made->parameters, NOW, work, size, &state, NULL), "vcs_state_prepare");
    return state;
}

static double measure_prepare(input *made, void *work, size_t size) {
    double start = nanoseconds();
    prepare(made, work, size);
    return nanoseconds() - start;
}

/* On each CPU a task has made progress, one has ended, and another has arrived in its place. */
static double measure_renew(input *made, void *work, size_t size) {
    vcs_state *state = prepare(made, work, size);
    for (uint32_t i = 0; i < made->resources[0].instances; i++) {
        vcs_task *task = &made->tasks[i * (made->snapshot.tasks.count / made->resources[0].instances)];
        task->remaining += task->remaining > 600.0 ? -600.0 : DAY; /* the same in the next run */
    }
    made->tasks[1].id ^= UINT64_C(1) << 40;
    double start = nanoseconds();
    must(vcs_state_renew(state, size, &made->snapshot, &made->parameters, NOW, NULL), "vcs_state_renew");
    return nanoseconds() - start;
}

static double measure_wrr(input *made, void *work, size_t size) {
    vcs_state *state = prepare(made, work, size);
    double start = nanoseconds();
    must(vcs_wrr(state, NULL), "vcs_wrr");
    return nanoseconds() - start;
}

/* All that a client decides: what will happen, what runs now, whom to ask for work. */
static double measure_decision(input *made, void *work, size_t size) {
    vcs_state *state = prepare(made, work, size);
    double start = nanoseconds();
    must(vcs_wrr(state, NULL), "vcs_wrr");
    must(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, NULL), "vcs_schedule");
    must(vcs_fetch(state, NULL, NULL), "vcs_fetch");
    return nanoseconds() - start;
}

/* The same with all that comes before, from the parameters on. */
static double measure_choice(input *made, void *work, size_t size) {
    size_t needed;
    double start = nanoseconds();
    must(vcs_parameters_init(&made->parameters, sizeof made->parameters, made->parameters.profile),
         "vcs_parameters_init");
    must(vcs_state_size(&made->snapshot, &needed), "vcs_state_size");
    vcs_state *state = prepare(made, work, size);
    must(vcs_wrr(state, NULL), "vcs_wrr");
    must(vcs_schedule(state, 0, NULL), "vcs_schedule");
    must(vcs_fetch(state, NULL, NULL), "vcs_fetch");
    return nanoseconds() - start;
}

static double measure_edf(input *made, void *work, size_t size) {
    vcs_state *state = prepare(made, work, size);
    double start = nanoseconds();
    must(vcs_edf(state, VCS_EDF_ALL, NULL), "vcs_edf");
    return nanoseconds() - start;
}

/* Each project may run a few tasks at a time: half of what would keep all CPUs busy. */
static double measure_edf_limits(input *made, void *work, size_t size) {
    const uint32_t projects = made->snapshot.projects.count;
    for (uint32_t i = 0; i < projects; i++) {
        made->projects[i].max_concurrent = (made->resources[0].instances + 2 * projects - 1) / (2 * projects);
    }
    return measure_edf(made, work, size);
}

/* Per candidate, the first placing of the queue included. */
static double measure_admit(input *made, void *work, size_t size) {
    vcs_state *state = prepare(made, work, size);
    uint32_t admitted = 0;
    double start = nanoseconds();
    for (uint32_t i = 0; i < CANDIDATES; i++) {
        vcs_admission answer = {.struct_size = sizeof answer};
        must(vcs_admit(state, i, &answer), "vcs_admit");
        admitted += answer.admitted;
    }
    double took = nanoseconds() - start;
    if (admitted == 0 || admitted == CANDIDATES) {
        fprintf(stderr, "bench_simulations: %u of %u candidates admitted: the case measures nothing\n", admitted,
                (unsigned)CANDIDATES);
        exit(1);
    }
    return took / CANDIDATES;
}

/*
 * A queue in which about a third of the candidates find a place: half of what the CPUs can do by the latest deadline,
 * and candidates, two in three of them with too little time.
 */
static void load_lightly(input *made, const shape *of) {
    const double span = 0.5 * of->tasks * 18300.0 / (0.9 * of->instances);
    for (uint32_t i = 0; i < of->tasks; i++) {
        made->tasks[i].deadline = NOW + made->parameters.min_buffer + 40000.0 + draw(&stream, 0, 4) * span;
    }
    for (uint32_t i = 0; i < CANDIDATES; i++) {
        made->candidates[i].deadline = NOW + made->parameters.min_buffer + draw(&stream, 0, 1.1) * 40000.0;
        if (i % 3 == 0) {
            made->candidates[i].deadline += 5.0 * span;
        }
    }
}

typedef struct bench_case {
    char name[16];
    measure run;
    uint32_t profile;
    shape of;
} bench_case;

static double least_of_input(input *made, measure run) {
    size_t size;
    double least = 1e300;
    must(vcs_state_size(&made->snapshot, &size), "vcs_state_size");
    void *work = must_allocate(1, size);
    const double begin = nanoseconds();
    for (int times = 0; times < LEAST_RUNS || nanoseconds() - begin < LEAST_TIME; times++) {
        double took = run(made, work, size);
        least = took < least ? took : least;
    }
    free(work);
    return least;
}

static double least_of(const bench_case *of, const shape *variant) {
    input made = make_input(variant, of->profile);
    set_view(&made, variant, of->run == measure_admit ? CANDIDATES : 0);
    if (of->run == measure_admit) {
        load_lightly(&made, variant);
    }
    const double least = least_of_input(&made, of->run);
    free_input(&made);
    return least;
}

/* ---- The table ---- */

static const bench_case cases[] = {
    {"prepare", measure_prepare, VCS_PROFILE_CURRENT, {20, 3, 4, 0, 0, 0}},
    {"wrr_sliced", measure_wrr, VCS_PROFILE_CURRENT, {20, 3, 4, 0, 0, 0}},
    {"choice", measure_choice, VCS_PROFILE_CURRENT, {20, 3, 4, 0, 0, 0}},
    {"choice", measure_choice, VCS_PROFILE_CURRENT, {50, 3, 4, 0, 0, 0}},
    {"prepare", measure_prepare, VCS_PROFILE_CURRENT, {10000, 20, 128, 0, 0, 0}},
    {"prepare", measure_prepare, VCS_PROFILE_CURRENT, {20000, 20, 128, 0, 0, 0}},
    {"renew", measure_renew, VCS_PROFILE_CURRENT, {10000, 20, 128, 0, 0, 0}},
    {"renew", measure_renew, VCS_PROFILE_CURRENT, {20000, 20, 128, 0, 0, 0}},
    {"wrr_fluid", measure_wrr, VCS_PROFILE_STUDY2007, {10000, 20, 128, 0, 0, 0}},
    {"wrr_fluid", measure_wrr, VCS_PROFILE_STUDY2007, {20000, 20, 128, 0, 0, 0}},
    {"wrr_fluid", measure_wrr, VCS_PROFILE_STUDY2007, {10000, 20, 256, 0, 0, 0}},
    {"wrr_sliced", measure_wrr, VCS_PROFILE_CURRENT, {100, 4, 12, 0, 0, 0}},
    {"mixed", measure_wrr, VCS_PROFILE_CURRENT, {100, 4, 12, 0, 0, 1}},
    {"mixed", measure_wrr, VCS_PROFILE_CURRENT, {10000, 20, 128, 0, 0, 1}},
    {"wrr_sliced", measure_wrr, VCS_PROFILE_CURRENT, {1000, 20, 64, 0, 0, 0}},
    {"wrr_sliced", measure_wrr, VCS_PROFILE_CURRENT, {10000, 20, 128, 0, 0, 0}},
    {"wrr_sliced", measure_wrr, VCS_PROFILE_CURRENT, {20000, 20, 128, 0, 0, 0}},
    {"wrr_sliced", measure_wrr, VCS_PROFILE_CURRENT, {10000, 20, 256, 0, 0, 0}},
    {"decision", measure_decision, VCS_PROFILE_CURRENT, {10000, 20, 128, 0, 0, 0}},
    {"edf", measure_edf, VCS_PROFILE_CURRENT, {10000, 20, 128, 0, 0, 0}},
    {"edf", measure_edf, VCS_PROFILE_CURRENT, {20000, 20, 128, 0, 0, 0}},
    {"edf", measure_edf, VCS_PROFILE_CURRENT, {10000, 20, 256, 0, 0, 0}},
    {"edf_limits", measure_edf_limits, VCS_PROFILE_CURRENT, {10000, 20, 128, 0, 0, 0}},
    {"edf_limits", measure_edf_limits, VCS_PROFILE_CURRENT, {20000, 20, 128, 0, 0, 0}},
    {"edf_limits", measure_edf_limits, VCS_PROFILE_CURRENT, {10000, 1000, 128, 0, 0, 0}},
    {"admit", measure_admit, VCS_PROFILE_CURRENT, {1000, 1, 64, 0, 0, 0}},
    {"admit", measure_admit, VCS_PROFILE_CURRENT, {2000, 1, 64, 0, 0, 0}},
    {"admit", measure_admit, VCS_PROFILE_CURRENT, {1000, 1, 128, 0, 0, 0}},
};

static void print_row(int csv, const char *name, const shape *of, double took, double yardstick) {
    const char *form = csv ? "%s,%u,%u,%u,%.0f,%.4f\n" : "%-28s %7u %9u %10u %12.0f %12.3f\n";
    printf(form, name, of->tasks, of->projects, of->instances, took, took / yardstick);
    fflush(stdout);
}

static void run_case(const bench_case *of, int csv, int variants) {
    const double yardstick = time_qsort(of->of.tasks, &stream);
    double worst = 0.0;
    for (int kind = 0; kind < 4; kind++) {
        shape variant = of->of;
        variant.ramp = kind & 1;
        variant.shuffled = kind >> 1;
        stream = (uint64_t)kind + 1;
        double took = least_of(of, &variant);
        worst = took > worst ? took : worst;
        if (variants) {
            char name[48];
            snprintf(name, sizeof name, "%.16s (%s%s)", of->name, variant.ramp ? "ramp" : "equal",
                     variant.shuffled ? ", shuffled" : "");
            print_row(csv, name, &variant, took, yardstick);
        }
    }
    if (!variants) {
        print_row(csv, of->name, &of->of, worst, yardstick);
    }
}

/* ---- The better policy ---- */

static double least_by_profile(const shape *of, uint64_t seed, uint32_t profile) {
    stream = seed;
    input made = make_input(of, profile);
    set_view(&made, of, 0);
    remember(&made, of);
    const double least = least_of_input(&made, measure_choice);
    free_input(&made);
    return least;
}

/* How long a client that follows the profile steady decides, as a multiple of the time by current on the same host. */
static void compare_profiles(int csv, int variants) {
    static const shape sizes[] = {{50, 3, 4, 0, 0, 0}, {1000, 20, 64, 0, 0, 0}, {10000, 20, 128, 0, 0, 0}};
    puts(csv ? "case,tasks,projects,instances,ns,current_ratio"
             : "\ncase                           tasks  projects  instances           ns  times current");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        double worst = 0.0, worst_took = 0.0;
        for (int kind = 0; kind < 4; kind++) {
            shape of = sizes[i];
            of.ramp = kind & 1;
            of.shuffled = kind >> 1;
            const double current = least_by_profile(&of, (uint64_t)kind + 1, VCS_PROFILE_CURRENT);
            const double steady = least_by_profile(&of, (uint64_t)kind + 1, VCS_PROFILE_STEADY);
            if (variants) {
                print_row(csv, "steady", &of, steady, current);
            }
            if (steady / current > worst) {
                worst = steady / current;
                worst_took = steady;
            }
        }
        if (!variants) {
            print_row(csv, "steady", &sizes[i], worst_took, worst_took / worst);
        }
    }
}

/* ---- Once ---- */

/* Lets the client of a small host decide once on each kind of input; `remembers`: as where profiles are compared. */
static void run_once(uint32_t tasks, uint32_t profile, int remembers) {
    for (int kind = 0; kind < 4; kind++) {
        const shape of = {tasks, 3, 4, kind & 1, kind >> 1, 0};
        size_t size;
        stream = (uint64_t)kind + 1;
        input made = make_input(&of, profile);
        set_view(&made, &of, 0);
        if (remembers) {
            remember(&made, &of);
        }
        must(vcs_state_size(&made.snapshot, &size), "vcs_state_size");
        void *work = must_allocate(1, size);
        measure_choice(&made, work, size);
        free(work);
        free_input(&made);
    }
}

static void print_help(void) {
    puts("usage: bench_simulations [--csv] [--variants] [CASE]\n"
         "       bench_simulations --once TASKS [current|steady]\n"
         "\n"
         "Measures the simulations as multiples of a qsort() of as many random doubles.\n"
         "\n"
         "  --csv        case,tasks,projects,instances,ns,qsort_ratio\n"
         "  --variants   each kind of input by itself, not the worst of them\n"
         "  CASE         prepare, renew, wrr_fluid, wrr_sliced, mixed, decision, choice, edf, edf_limits, admit or\n"
         "               steady; without, all. The figures of steady are multiples of those of current\n"
         "  --once TASKS only decides once on each of four small hosts with so many tasks, for callgrind; by a "
         "profile, on\n"
         "               hosts that remember what was sent");
}

int main(int argc, char **argv) {
    int csv = 0, variants = 0;
    const char *only = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            print_help();
            return 0;
        }
        if (strcmp(argv[i], "--once") == 0 && i + 1 < argc) {
            const char *profile = i + 2 < argc ? argv[i + 2] : NULL;
            const int is_steady = profile != NULL && strcmp(profile, "steady") == 0;
            run_once((uint32_t)atoi(argv[i + 1]), is_steady ? VCS_PROFILE_STEADY : VCS_PROFILE_CURRENT,
                     profile != NULL);
            return 0;
        }
        if (strcmp(argv[i], "--csv") == 0) {
            csv = 1;
        } else if (strcmp(argv[i], "--variants") == 0) {
            variants = 1;
        } else if (argv[i][0] == '-' || only != NULL) {
            fprintf(stderr, "bench_simulations: unknown argument %s; see --help\n", argv[i]);
            return 2;
        } else {
            only = argv[i];
        }
    }
    puts(csv ? "case,tasks,projects,instances,ns,qsort_ratio"
             : "case                           tasks  projects  instances           ns  qsort ratio");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (only == NULL || strcmp(only, cases[i].name) == 0) {
            run_case(&cases[i], csv, variants);
        }
    }
    if (only == NULL || strcmp(only, "steady") == 0) {
        compare_profiles(csv, variants);
    }
    return 0;
}
