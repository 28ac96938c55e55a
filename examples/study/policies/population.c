/* SPDX-License-Identifier: MIT */
#include "population.h"
#include "draws.h"

#include <math.h>
#include <string.h>

#define COUNT(values) ((int)(sizeof(values) / sizeof *(values)))
#define ONE_OF(draws, values) draw_one_of(draws, values, COUNT(values))

/* The order of the draws is part of the population: one more or one less, and it is another one. */
static struct draws begin(struct drawn_host *h, uint64_t number, uint64_t offset) {
    memset(h, 0, sizeof *h);
    struct draws draws = {number * 1000003 + offset};
    draw_uniform(&draws);
    draw_uniform(&draws);
    vcs_emulation_init(&h->emulation, sizeof h->emulation, VCS_PROFILE_CURRENT);
    h->emulation.seed = number;
    h->host.id = 1;
    return draws;
}

static vcs_job_model job_model(double run, double slack, double flops, double spread, double checkpoint) {
    return (vcs_job_model){
        .latency_bound = slack * run,
        .est_flops = run * flops,
        .mean_flops = run * flops,
        .sd_flops = spread * (run * flops),
        .cpus = 1,
        .weight = 1,
        .checkpoint_interval = checkpoint,
        .distribution = spread > 0 ? VCS_SIZES_NORMAL : VCS_SIZES_CONSTANT,
    };
}

/* ---- CPUs alone ---- */

static uint32_t draw_project_count(struct draws *draws) {
    if (draw_uniform(draws) < 0.3) {
        return 1;
    }
    const uint32_t count = (uint32_t)(2 * pow(10, draw_uniform(draws)) + 0.5);
    return count > MOST_PROJECTS ? MOST_PROJECTS : count;
}

static void draw_plain(struct drawn_host *h, uint64_t number) {
    static const double cores[] = {1, 2, 4, 8, 16};
    static const double least[] = {0.01, 0.1, 0.1, 0.5, 1}, more[] = {0.01, 0.1, 0.5, 0.5, 1, 3}; /* days */
    static const double checkpoints[] = {0, 300, 300, 1800}, delays[] = {0, 0, 60};
    struct draws draws = begin(h, number, 77);
    vcs_resource *cpu = &h->resources[0];
    h->resource_count = 1;
    cpu->flops = draw_log_uniform(&draws, 1e9, 1e10);
    cpu->instances = (uint32_t)ONE_OF(&draws, cores);
    cpu->usable = draw_uniform(&draws) < 0.25 ? 1 : 0.2 + 0.8 * draw_uniform(&draws);
    h->emulation.available = cpu->usable;
    h->emulation.available_mean = draw_log_uniform(&draws, 1800, 172800);
    h->project_count = draw_project_count(&draws);
    const double varies = draw_uniform(&draws), spread = draw_uniform(&draws);
    h->spread = varies < 0.3 ? 0 : spread;
    h->emulation.duration = DAY * (30 + 30 * draw_uniform(&draws));
    h->min_buffer = DAY * ONE_OF(&draws, least);
    h->additional_buffer = DAY * ONE_OF(&draws, more);
    const double checkpoint = ONE_OF(&draws, checkpoints), delay = ONE_OF(&draws, delays);
    const int equal = draw_uniform(&draws) < 0.5;
    for (uint32_t i = 0; i < h->project_count; i++) {
        const double run = draw_log_uniform(&draws, 1000, 100000);
        h->slack[i] = draw_log_uniform(&draws, 1.2, 60);
        const double share = draw_log_uniform(&draws, 20, 500);
        h->projects[i] = (vcs_project){.id = i + 1, .share = equal ? 100 : share, .dcf = 1};
        h->apps[i] = (vcs_app){.id = i + 1, .project = i};
        h->models[i] = job_model(run, h->slack[i], cpu->flops, h->spread, checkpoint);
        h->servers[i] = (vcs_server_model){.request_delay = delay};
    }
    h->app_count = h->project_count;
}

/* ---- What is different with the same hosts ---- */

#define MORNING (8 * 3600.0)
#define EVENING (18 * 3600.0)

/* An hour more or less, as a rule: the sum of three uniform draws, which is within +-1.5 h. */
static double draw_shift(struct draws *draws) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += draw_uniform(draws);
    }
    return 3600 * (sum - 1.5);
}

/* The emulation begins at 8 o'clock of the first day, for which the host is on. */
static void draw_daytime(struct drawn_host *h, uint64_t number) {
    draw_plain(h, number);
    struct draws draws = {number * 7919 + 3};
    for (int day = 0; day < 61; day++) {
        const double on = draw_shift(&draws), off = draw_shift(&draws);
        if (day > 0) {
            h->switches[h->switch_count++] = day * DAY + on;
        }
        h->switches[h->switch_count++] = day * DAY + EVENING - MORNING + off;
    }
    h->emulation.available = h->resources[0].usable = (EVENING - MORNING) / DAY;
    h->emulation.available_mean = EVENING - MORNING;
}

static void draw_seldom(struct drawn_host *h, uint64_t number) {
    draw_plain(h, number);
    h->emulation.connection_interval = DAY / 2;
}

static void draw_wrong(struct drawn_host *h, uint64_t number) {
    draw_plain(h, number);
    for (uint32_t i = 0; i < h->app_count; i++) {
        h->models[i].est_flops *= (i + number) % 2 == 1 ? 2 : 0.5;
    }
}

/* The jobs of all projects vary, by a standard deviation of 1 of the logarithm. */
static void draw_heavy(struct drawn_host *h, uint64_t number) {
    draw_plain(h, number);
    h->spread = sqrt(exp(1) - 1);
    for (uint32_t i = 0; i < h->app_count; i++) {
        h->models[i].distribution = VCS_SIZES_LOG_NORMAL;
        h->models[i].sd_flops = h->spread * h->models[i].mean_flops;
    }
}

static void draw_down(struct drawn_host *h, uint64_t number) {
    draw_plain(h, number);
    for (uint32_t i = 0; i < h->project_count; i++) {
        h->servers[i].up_mean = 5 * DAY;
        h->servers[i].down_mean = DAY;
    }
}

/* ---- GPUs ---- */

static void add_gpu_app(struct drawn_host *h, struct draws *draws, uint32_t project, uint32_t resource, double spread) {
    const uint32_t i = h->app_count++;
    const double cpu = h->resources[0].flops, run = draw_log_uniform(draws, 1000, 40000);
    const double flops = resource != 0 ? h->resources[resource].flops + 0.1 * cpu : cpu;
    h->slack[i] = draw_log_uniform(draws, 4, 60);
    h->apps[i] = (vcs_app){.id = i + 1, .project = project};
    h->models[i] = job_model(run, h->slack[i], flops, spread, 300);
    if (resource != 0) {
        h->models[i].cpus = 0.1;
        h->models[i].gpus = 1;
        h->models[i].gpu = resource;
    }
}

static void draw_gpu(struct drawn_host *h, uint64_t number) {
    static const double cores[] = {4, 8, 12, 16};
    static const double least[] = {0.01, 0.1, 0.5}, more[] = {0.1, 0.5, 1}; /* days */
    struct draws draws = begin(h, number, 911);
    vcs_resource *r = h->resources;
    r[0] = (vcs_resource){.id = 1, .flops = draw_log_uniform(&draws, 1e9, 1e10)};
    r[0].instances = (uint32_t)ONE_OF(&draws, cores);
    h->resource_count = draw_uniform(&draws) < 0.7 ? 2 : 3;
    const double available = draw_uniform(&draws) < 0.3 ? 1 : 0.3 + 0.7 * draw_uniform(&draws);
    for (uint32_t k = 1; k < h->resource_count; k++) {
        r[k] = (vcs_resource){.id = k + 1, .flops = r[0].flops * draw_log_uniform(&draws, 3, 100)};
        r[k].instances = draw_uniform(&draws) < 0.7 ? 1 : 2;
    }
    for (uint32_t k = 0; k < h->resource_count; k++) {
        r[k].usable = available;
    }
    h->emulation.available = available;
    h->emulation.available_mean = draw_log_uniform(&draws, 7200, 172800);
    h->emulation.duration = 40 * DAY;
    h->min_buffer = DAY * ONE_OF(&draws, least);
    h->additional_buffer = DAY * ONE_OF(&draws, more);
    h->project_count = 2 + (uint32_t)(draw_uniform(&draws) * 7);
    const int equal = draw_uniform(&draws) < 0.5;
    h->has_project_resources = 1;
    for (uint32_t i = 0; i < h->project_count; i++) {
        h->projects[i] = (vcs_project){.id = i + 1, .share = equal ? 100 : draw_log_uniform(&draws, 20, 500), .dcf = 1};
        const double kinds = draw_uniform(&draws); /* CPUs alone, both, GPUs alone */
        const double spread = draw_uniform(&draws) < 0.5 ? 0 : 0.5 * draw_uniform(&draws);
        h->spread = spread > h->spread ? spread : h->spread;
        for (uint32_t k = 0; k < h->resource_count; k++) {
            int uses = k == 0 ? kinds < 0.4 || kinds > 0.65 : kinds >= 0.4;
            if (k > 0 && uses && h->resource_count == 3) {
                uses = draw_uniform(&draws) < 0.8 || k == 1;
            }
            h->project_resources[i * h->resource_count + k] = (vcs_project_resource){
                .id = i * 10 + k + 1,
                .project = i,
                .resource = k,
                .flags = uses ? 0 : VCS_PROJECT_RESOURCE_NO_APPS,
            };
            if (uses) {
                add_gpu_app(h, &draws, i, k, spread);
            }
        }
    }
}

static int uses(const struct drawn_host *h, uint32_t project, uint32_t resource) {
    const vcs_project_resource *record = &h->project_resources[project * h->resource_count + resource];
    return (record->flags & VCS_PROJECT_RESOURCE_NO_APPS) == 0;
}

/* Whether a project uses a resource of which `set` has no bit. */
static int uses_another(const struct drawn_host *h, uint32_t project, uint32_t set) {
    for (uint32_t r = 0; r < h->resource_count; r++) {
        if ((set >> r & 1) == 0 && uses(h, project, r)) {
            return 1;
        }
    }
    return 0;
}

/*
 * What projects get of their shares is a flow from them through the resources. The greatest one is as much as the
 * least cut: for some set of resources, these and the projects that use others. What is missing to 1 goes to projects
 * that have their share.
 */
double drawn_host_least_violation(const struct drawn_host *h) {
    double capacity[MOST_RESOURCES] = {0}, all = 0, shares = 0, flow = 1;
    if (h->resource_count == 1) {
        return -1;
    }
    for (uint32_t i = 0; i < h->project_count; i++) {
        shares += h->projects[i].share;
        for (uint32_t r = 0; r < h->resource_count; r++) {
            capacity[r] = uses(h, i, r) ? h->resources[r].flops * h->resources[r].instances : capacity[r];
        }
    }
    for (uint32_t r = 0; r < h->resource_count; r++) {
        all += capacity[r]; /* of what nobody can use, nothing is expected */
    }
    for (uint32_t set = 0; set < 1u << h->resource_count; set++) {
        double cut = 0;
        for (uint32_t r = 0; r < h->resource_count; r++) {
            cut += set >> r & 1 ? capacity[r] / all : 0;
        }
        for (uint32_t i = 0; i < h->project_count; i++) {
            cut += uses_another(h, i, set) ? h->projects[i].share / shares : 0;
        }
        flow = cut < flow ? cut : flow;
    }
    return 1 - flow;
}

/* ---- All ---- */

const struct population populations[] = {
    {"plain", "CPUs alone", draw_plain},
    {"gpu", "with one or two types of GPU", draw_gpu},
    {"daytime", "plain, on from about 8 to about 18 o'clock", draw_daytime},
    {"seldom", "plain, connected every 12 hours", draw_seldom},
    {"wrong", "plain, with estimates wrong by a factor of two", draw_wrong},
    {"heavy", "plain, with log-normal sizes of jobs", draw_heavy},
    {"down", "plain, with servers that are down for a day in six", draw_down},
    {0},
};

const struct population *population_find(const char *name) {
    for (const struct population *p = populations; p->name != NULL; p++) {
        if (strcmp(p->name, name) == 0) {
            return p;
        }
    }
    return NULL;
}

#define ARRAY(records, number)                                                                                         \
    { {(records)}, sizeof *(records), (number) }

void drawn_host_describe(const struct drawn_host *h, vcs_scenario *scenario) {
    *scenario = (vcs_scenario){
        .struct_size = sizeof *scenario,
        .snapshot = {.struct_size = sizeof scenario->snapshot,
                     .host = ARRAY(&h->host, 1),
                     .resources = ARRAY(h->resources, h->resource_count),
                     .projects = ARRAY(h->projects, h->project_count),
                     .apps = ARRAY(h->apps, h->app_count)},
        .emulation = ARRAY(&h->emulation, 1),
        .models = ARRAY(h->models, h->app_count),
        .servers = ARRAY(h->servers, h->project_count),
        .switches = ARRAY(h->switches, h->switch_count),
    };
    if (h->has_project_resources) {
        scenario->snapshot.project_resources =
            (vcs_array)ARRAY(h->project_resources, h->project_count * h->resource_count);
    }
}
