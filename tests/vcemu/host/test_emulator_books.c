/*
 * An observer's own books over random scenarios agree with the outcome.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/emulation_case.h"
#include "support/effort.h"

typedef struct booked_task {
    uint64_t id;
    double size, ran; /* operations; seconds at full speed */
    double deadline;
    uint32_t ended, reported, late, given_up, resource;
    uint32_t place; /* in the list of running tasks; VCS_NONE = it does not run */
} booked_task;

#define MOST_BOOKED 60000
#define MOST_RUNNING 64

typedef struct books {
    const case_records *c;
    booked_task *tasks;
    uint32_t count;
    uint32_t running[MOST_RUNNING]; /* indices of tasks */
    uint32_t running_count;
    uint32_t on;
    double now, active;
    double idle;    /* operations that were not done while the host was on */
    double used[2]; /* instance-seconds of each resource */
    uint64_t stops;
    uint64_t hash;
} books;

static booked_task *find(books *b, uint64_t id) {
    for (uint32_t i = b->count; i-- > 0;) {
        if (b->tasks[i].id == id) {
            return &b->tasks[i];
        }
    }
    fail_msg("task %llu is not known", (unsigned long long)id);
    return NULL;
}

/* All jobs for one kind of processor use the same amount, so any application for it shows what a task uses. */
static const vcs_job_model *model_of(const books *b, const booked_task *task) {
    for (uint32_t i = 0; i < b->c->scenario.models.count; i++) {
        if (b->c->models[i].gpu == task->resource) {
            return &b->c->models[i];
        }
    }
    fail_msg("no application for resource %u", task->resource);
    return NULL;
}

static double use_of(const books *b, const booked_task *task, uint32_t resource) {
    const vcs_job_model *model = model_of(b, task);
    return resource == 0 ? model->cpus : resource == task->resource ? model->gpus : 0;
}

/* Operations per second at full speed. */
static double speed_of(const books *b, const booked_task *task) {
    double speed = 0;
    for (uint32_t r = 0; r < b->c->scenario.snapshot.resources.count; r++) {
        speed += use_of(b, task, r) * b->c->resources[r].flops;
    }
    return speed;
}

static double capacity(const case_records *c) {
    double flops = 0;
    for (uint32_t r = 0; r < c->scenario.snapshot.resources.count; r++) {
        flops += c->resources[r].instances * c->resources[r].flops;
    }
    return flops;
}

/* Instances that the running tasks use; the greatest use by one task is written to `most`. */
static double used(const books *b, uint32_t resource, double *most) {
    double sum = 0;
    *most = 0;
    for (uint32_t i = 0; i < b->running_count; i++) {
        double use = use_of(b, &b->tasks[b->running[i]], resource);
        sum += use;
        *most = use > *most ? use : *most;
    }
    return sum;
}

/* Less than a CPU may be missing, or whatever a single CPU task uses beside GPU tasks; with any, what one task uses. */
static double excess_of_cpus(const books *b, double most) {
    uint32_t cpu_tasks = 0;
    for (uint32_t i = 0; i < b->running_count; i++) {
        cpu_tasks += use_of(b, &b->tasks[b->running[i]], 1) == 0;
    }
    return b->c->parameters.cpu_fit == VCS_CPU_FIT_ANY || cpu_tasks == 1 ? most + 1 : 1;
}

/* Tasks do not use more of a GPU type than there is, and but for fractions no more CPUs. */
static void check_use(const books *b) {
    for (uint32_t r = 0; r < b->c->scenario.snapshot.resources.count; r++) {
        double most, use = used(b, r, &most);
        const double beyond = r == 0 ? excess_of_cpus(b, most) : 1e-4 * b->c->resources[r].instances;
        assert_true(use <= b->c->resources[r].instances + beyond + 1e-6);
    }
    assert_true(b->c->host.ram <= 0 || b->running_count * b->c->models[0].ram <= b->c->host.ram);
}

/* Instances of CPUs that the running tasks of GPUs use, or the others. */
static double cpus_used(const books *b, int by_gpu_tasks) {
    double sum = 0;
    for (uint32_t i = 0; i < b->running_count; i++) {
        const booked_task *task = &b->tasks[b->running[i]];
        sum += (task->resource != 0) == by_gpu_tasks ? use_of(b, task, 0) : 0;
    }
    return sum;
}

/* If tasks use more CPUs than there are, GPU tasks get theirs first. */
static double rate_of(const books *b, const booked_task *task) {
    double cpus = b->c->resources[0].instances, for_gpus = cpus_used(b, 1), most;
    double left = task->resource != 0 ? cpus : cpus > for_gpus ? cpus - for_gpus : 0;
    double wanted = task->resource != 0 ? for_gpus : cpus_used(b, 0);
    double rate = use_of(b, task, 0) > 0 && wanted > left ? left / wanted : 1;
    if (task->resource != 0) {
        double part = b->c->resources[task->resource].instances / used(b, task->resource, &most);
        rate = part < rate ? part : rate;
    }
    return rate;
}

/* Time goes on to `now`: running tasks make progress if the host is on. */
static void pass(books *b, double now) {
    double passed = now - b->now;
    assert_true(passed >= 0);
    b->now = now;
    if (!b->on || passed == 0) {
        return;
    }
    check_use(b);
    b->active += passed;
    b->idle += passed * capacity(b->c);
    for (uint32_t r = 0; r < b->c->scenario.snapshot.resources.count; r++) {
        double most, use = used(b, r, &most);
        b->used[r] += passed * (use < b->c->resources[r].instances ? use : b->c->resources[r].instances);
    }
    for (uint32_t i = 0; i < b->running_count; i++) {
        booked_task *task = &b->tasks[b->running[i]];
        double ran = passed * rate_of(b, task);
        task->ran += ran;
        b->idle -= ran * speed_of(b, task);
    }
}

static void start(books *b, booked_task *task) {
    assert_int_equal(task->place, VCS_NONE);
    assert_int_equal(task->ended, 0);
    assert_true(b->running_count < MOST_RUNNING);
    task->place = b->running_count;
    b->running[b->running_count++] = (uint32_t)(task - b->tasks);
}

static void stop(books *b, booked_task *task) {
    assert_int_not_equal(task->place, VCS_NONE);
    uint32_t last = b->running[--b->running_count];
    b->running[task->place] = last;
    b->tasks[last].place = task->place;
    task->place = VCS_NONE;
}

static void give_up(books *b, booked_task *task) {
    if (task->place != VCS_NONE) {
        stop(b, task);
    }
    assert_int_equal(task->ended, 0);
    assert_int_equal(task->given_up++, 0);
}

static void arrive(books *b, uint64_t id, uint32_t resource, double size, double deadline) {
    assert_true(b->count < MOST_BOOKED);
    b->tasks[b->count++] =
        (booked_task){.id = id, .size = size, .resource = resource, .deadline = deadline, .place = VCS_NONE};
}

static void add_hash(books *b, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        b->hash = (b->hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    }
}

static int keep_books(void *context, const vcs_event *event) {
    books *b = context;
    add_hash(b, event, sizeof *event);
    pass(b, event->time);
    switch (event->kind) {
    case VCS_EVENT_ON:
    case VCS_EVENT_OFF:
        assert_int_equal(b->on, event->kind == VCS_EVENT_OFF);
        b->on = event->kind == VCS_EVENT_ON;
        return VCS_OK;
    case VCS_EVENT_RECEIVED:
        arrive(b, event->task, event->resource, event->amount, event->deadline);
        break;
    case VCS_EVENT_STARTED:
        start(b, find(b, event->task));
        break;
    case VCS_EVENT_STOPPED:
        stop(b, find(b, event->task));
        b->stops++;
        break;
    case VCS_EVENT_ENDED:
        stop(b, find(b, event->task));
        assert_int_equal(find(b, event->task)->ended++, 0);
        break;
    case VCS_EVENT_GIVEN_UP:
        give_up(b, find(b, event->task));
        break;
    case VCS_EVENT_REPORTED:
    case VCS_EVENT_LATE:
        assert_int_equal(find(b, event->task)->ended, 1);
        assert_int_equal(find(b, event->task)->reported++, 0);
        assert_int_equal(event->time > event->deadline, event->kind == VCS_EVENT_LATE);
        find(b, event->task)->late = event->kind == VCS_EVENT_LATE;
        break;
    default:
        break;
    }
    assert_true(b->on); /* nothing happens while the host is off */
    return VCS_OK;
}

/* A task takes exactly its size; more if it was stopped after its last checkpoint. */
static void compare_task(const books *b, const booked_task *task) {
    double speed = speed_of(b, task);
    double done = task->ran * speed, rounding = 1e-6 * (task->size + 1) * speed;
    int may_lose_work = model_of(b, task)->checkpoint_interval > 0;
    assert_true(!task->ended || done >= task->size - rounding);
    assert_true(may_lose_work || done <= task->size + rounding);
}

/* What was used of each resource, and how much of it for tasks reported late or late at the end. */
static void compare_resources(const books *b) {
    const case_records *c = b->c;
    const double end = c->emulation.start + c->emulation.duration;
    double all_available = 0, all_used = 0, all_wasted = 0;
    for (uint32_t r = 0; r < c->scenario.snapshot.resources.count; r++) {
        const vcs_resource_outcome *outcome = &c->resource_outcomes[r];
        double available = b->active * c->resources[r].instances, wasted = 0, rounding = 1e-6 * (1 + available);
        for (uint32_t i = 0; i < b->count; i++) {
            const booked_task *task = &b->tasks[i];
            const int is_late = task->late || (!task->reported && task->deadline < end);
            wasted += is_late || task->given_up ? task->ran * use_of(b, task, r) : 0;
        }
        assert_true(fabs(outcome->available - available) <= rounding);
        assert_true(fabs(outcome->used - b->used[r]) <= rounding);
        assert_true(fabs(outcome->wasted - wasted) <= rounding);
        assert_true(available == 0 || fabs(outcome->idleness - (1 - b->used[r] / available)) <= 1e-6);
        assert_true(available == 0 || fabs(outcome->waste - wasted / available) <= 1e-6);
        const double idle = outcome->idle_unfit + outcome->idle_limit + outcome->idle_held + outcome->idle_backed_off +
                            outcome->idle_disconnected + outcome->idle_no_work + outcome->idle_unexplained +
                            outcome->idle_server_limit;
        assert_true(fabs(idle - (available - b->used[r])) <= rounding);
        assert_true(fabs(outcome->off + available - c->emulation.duration * c->resources[r].instances) <= rounding);
        all_available += available;
        all_used += b->used[r];
        all_wasted += wasted;
    }
    assert_true(all_available == 0 || fabs(c->outcome.idleness - (1 - all_used / all_available)) <= 1e-6);
    assert_true(all_available == 0 || fabs(c->outcome.waste - all_wasted / all_available) <= 1e-6);
    assert_int_equal(c->outcome.stops, b->stops);
}

/* The outcome must agree with the books. */
static void compare(books *b) {
    const case_records *c = b->c;
    const vcs_outcome *outcome = &c->outcome;
    double done = 0;
    uint64_t ended = 0, reported = 0, given_up = 0;
    pass(b, c->emulation.start + c->emulation.duration);
    for (uint32_t i = 0; i < b->count; i++) {
        compare_task(b, &b->tasks[i]);
        done += b->tasks[i].ran * speed_of(b, &b->tasks[i]);
        ended += b->tasks[i].ended;
        reported += b->tasks[i].reported;
        given_up += b->tasks[i].given_up;
    }
    assert_int_equal(outcome->ended, ended);
    assert_int_equal(outcome->in_time + outcome->late, reported);
    assert_int_equal(outcome->given_up, given_up);
    assert_int_equal(outcome->received + c->scenario.snapshot.tasks.count, b->count);
    double available = b->active * capacity(c), rounding = 1e-6 * (1 + available);
    assert_true(fabs(outcome->available_time - b->active) <= 1e-6 * (1 + b->active));
    assert_true(fabs(outcome->flops_available - available) <= rounding);
    assert_true(fabs(outcome->flops_used - done) <= rounding);
    assert_true(fabs(outcome->flops_used + b->idle - outcome->flops_available) <= rounding);
    assert_true(b->idle >= -rounding);
    compare_resources(b);
}

/* What jobs use: the same for one kind of processor, so that the observer knows. */
typedef struct random_use {
    double cpus;           /* of a job for CPUs alone */
    double gpus, gpu_cpus; /* of a job for a GPU; 0 = there is none */
    double ram, checkpoint_interval;
} random_use;

static random_use draw_use(const case_records *c, random_stream *random) {
    static const double cpus[] = {0.5, 1, 1, 2}, gpus[] = {0.5, 1}, gpu_cpus[] = {0, 0.2, 1};
    random_use use = {.cpus = 1, .ram = 1};
    if (c->parameters.discipline == VCS_DISCIPLINE_SLICED) {
        use.cpus = c->resources[0].instances > 1 ? cpus[random_below(random, 4)] : 1;
    }
    if (c->scenario.snapshot.resources.count > 1) {
        use.gpus = gpus[random_below(random, 2)];
        use.gpu_cpus = gpu_cpus[random_below(random, 3)];
    }
    use.checkpoint_interval = random_below(random, 3) == 0 ? random_between(random, 60, 2000) : 0;
    return use;
}

static void add_random_app(case_records *c, random_stream *random, uint32_t project, const random_use *use) {
    vcs_job_model *model =
        add_app(c, project, random_between(random, 500, 30000), random_between(random, 20000, 400000));
    model->distribution = random_below(random, 4);
    model->mean_flops *= random_between(random, 0.3, 2);
    model->sd_flops = model->mean_flops * random_between(random, 0, 2);
    model->first_size = random_below(random, MOST / 2);
    model->size_count = 1 + random_below(random, MOST / 2);
    model->ram = use->ram;
    model->checkpoint_interval = use->checkpoint_interval;
    model->cpus = use->cpus;
    if (use->gpus > 0 && project % 2) {
        model->gpu = 1;
        model->gpus = use->gpus;
        model->cpus = use->gpu_cpus;
    }
}

static void add_random_project(case_records *c, random_stream *random, const random_use *use) {
    uint32_t project = add_project(c);
    c->projects[project].share = random_below(random, 4) * 100;
    c->servers[project].max_in_progress = random_below(random, 2) * (1 + random_below(random, 5));
    c->servers[project].scheduler_failure = random_below(random, 2) * random_draw(random) * 0.5;
    c->servers[project].network_failure = random_below(random, 2) * random_draw(random) * 0.5;
    c->servers[project].up_mean = random_below(random, 2) * random_between(random, 1000, DAY);
    c->servers[project].down_mean = random_between(random, 1000, DAY);
    c->servers[project].request_delay = random_below(random, 2) * 300;
    c->servers[project].schedulers = random_below(random, 4);
    add_random_app(c, random, project, use);
    add_random_app(c, random, project, use);
}

/* On and off by a trace, or in random periods, or always on. */
static void draw_availability(case_records *c, random_stream *random) {
    switch (random_below(random, 4)) {
    case 0:
        c->scenario.switches.count = 1 + random_below(random, MOST);
        for (uint32_t i = 0; i < c->scenario.switches.count; i++) {
            c->switches[i] = (i == 0 ? 0 : c->switches[i - 1]) + random_between(random, 1, DAY);
        }
        break;
    case 1:
        break;
    default:
        c->emulation.available = random_between(random, 0.2, 1);
        c->emulation.available_mean = random_between(random, 100, 20000);
        break;
    }
}

/* Initial tasks, for CPUs only. */
static void add_random_tasks(case_records *c, random_stream *random, const random_use *use) {
    for (uint32_t count = random_below(random, MOST); count > 0; count--) {
        uint32_t index = c->scenario.snapshot.tasks.count++;
        c->tasks[index] = (vcs_task){
            .id = 1 + index,
            .project = random_below(random, c->scenario.snapshot.projects.count),
            .app = VCS_NONE,
            .cpus = use->cpus,
            .ram = use->ram,
            .remaining = random_between(random, 100, 50000),
            .deadline = random_between(random, 1000, 10 * DAY),
            .flags = random_below(random, 3) == 0 ? VCS_TASK_RUNNING | VCS_TASK_STARTED : 0,
        };
    }
}

static void begin_random(case_records *c, random_stream *random, uint32_t profile) {
    begin(c, profile, 1 + random_below(random, 4), random_between(random, 2, 12) * DAY);
    c->emulation.seed = random_bits(random);
    c->emulation.connection_interval = random_below(random, 3) == 0 ? random_between(random, 100, 2 * DAY) : 0;
    c->host.ram = random_below(random, 3) == 0 ? 1 + random_below(random, 4) : 0;
    c->parameters.cpu_fit = random_below(random, 2);
    draw_availability(c, random);
    if (profile == VCS_PROFILE_CURRENT && random_below(random, 2) == 0) {
        c->resources[1] = (vcs_resource){.id = 2, .flops = 5, .usable = 1, .instances = 1 + random_below(random, 3)};
        c->scenario.snapshot.resources.count = 2;
        c->parameters.accounting = random_below(random, 2);
    }
    c->scenario.sizes.count = MOST;
    for (uint32_t i = 0; i < MOST; i++) {
        c->sizes[i] = random_between(random, 0, 30000);
    }
    const random_use use = draw_use(c, random);
    for (uint32_t count = 1 + random_below(random, 4); count > 0; count--) {
        add_random_project(c, random, &use);
    }
    add_random_tasks(c, random, &use);
}

static uint64_t run_with_books(case_records *c) {
    books b = {.c = c, .on = 1, .now = c->emulation.start};
    b.tasks = calloc(MOST_BOOKED, sizeof *b.tasks);
    for (uint32_t i = 0; i < c->scenario.snapshot.tasks.count; i++) {
        arrive(&b, c->tasks[i].id, 0, c->tasks[i].remaining * c->tasks[i].cpus, c->tasks[i].deadline);
    }
    c->hooks.observe = keep_books;
    c->hooks.context = &b;
    run(c);
    compare(&b);
    add_hash(&b, &c->outcome, sizeof c->outcome);
    free(b.tasks);
    return b.hash;
}

static void books_agree_with_the_outcome(void **unused) {
    (void)unused;
    random_stream random = {2007};
    const uint64_t least = 8 * VCS_PROFILE_COUNT, tried = cases_to_try(120);
    for (uint32_t i = 0; i < (tried > least ? tried : least); i++) {
        case_records c;
        begin_random(&c, &random, i % VCS_PROFILE_COUNT);
        uint64_t first = run_with_books(&c);
        assert_true(first == run_with_books(&c)); /* and the same seed gives the same events, byte for byte */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(books_agree_with_the_outcome),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
