/*
 * What is wrong with a sweep is said in one line; no run is received, and no table is begun.
 *
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "support/sweep_case.h"

#include <math.h>

static sweep_case c;

/* An expected text that ends with "..." need only be the beginning. */
static void expect_refused(int expected, const char *message, int line) {
    const size_t length = strlen(message);
    const int is_beginning = length > 3 && strcmp(message + length - 3, "...") == 0;
    c.sweep.output = c.sweep.output == NULL ? "table.csv" : c.sweep.output;
    const int end = do_sweep(&c);
    if (end != expected || strncmp(c.message, message, is_beginning ? length - 3 : length + 1) != 0) {
        fail_msg("line %d: %d \"%s\" instead of %d \"%s\"", line, end, c.message, expected, message);
    }
    assert_null(strchr(c.message, '\n'));
    assert_int_equal(c.run_count, 0);
    assert_int_equal(access("table.csv", F_OK), -1);
}

/* A good sweep is spoilt by a statement. */
#define REFUSED(end, message, statement)                                                                               \
    do {                                                                                                               \
        begin_sweep(&c, "short.ini");                                                                                  \
        statement;                                                                                                     \
        expect_refused(end, message, __LINE__);                                                                        \
    } while (0)
#define USAGE(message, statement) REFUSED(VCS_SWEEP_USAGE, message, statement)
#define INPUT(message, statement) REFUSED(VCS_SWEEP_REFUSED, message, statement)
#define VARY(message, text) USAGE(message, add_axis(&c, VCS_SWEEP_VARY, text))

static void the_struct(void **folder) {
    (void)folder;
    static const char *const nothing[] = {NULL};
    USAGE("vcs_sweep: struct_size, flags or file_count is wrong", c.sweep.struct_size = 8);
    USAGE("vcs_sweep: struct_size, flags or file_count is wrong", c.sweep.struct_size = 1u << 20);
    USAGE("vcs_sweep: struct_size, flags or file_count is wrong", c.sweep.flags = 0x80);
    USAGE("vcs_sweep: struct_size, flags or file_count is wrong", c.sweep.file_count = 0);
    USAGE("vcs_sweep: files, axes or histograms is NULL", c.sweep.files = NULL);
    USAGE("vcs_sweep: files, axes or histograms is NULL", (c.sweep.axes = NULL, c.sweep.axis_count = 1));
    USAGE("vcs_sweep: files, axes or histograms is NULL", c.sweep.histogram_count = 1);
    USAGE("vcs_sweep: files, axes or histograms is NULL", (c.sweep.histograms = nothing, c.sweep.histogram_count = 1));
    USAGE("vcs_sweep: seeds, workers, shard or shards is out of range", c.sweep.seeds = 1000001);
    USAGE("vcs_sweep: seeds, workers, shard or shards is out of range", c.sweep.workers = 1025);
    USAGE("vcs_sweep: seeds, workers, shard or shards is out of range", c.sweep.shards = 2);
    USAGE("vcs_sweep: seeds, workers, shard or shards is out of range", (c.sweep.shards = 2, c.sweep.shard = 3));
    USAGE("vcs_sweep: seeds, workers, shard or shards is out of range", (c.sweep.shards = 1000001, c.sweep.shard = 1));
    assert_int_equal(vcs_emulate_sweep(NULL, c.message, sizeof c.message), VCS_SWEEP_USAGE);
    assert_string_equal(c.message, "vcs_sweep is NULL");
}

/* A longer sweep of a newer program: what is set there means something to it. */
static void a_newer_sweep(void **folder) {
    (void)folder;
    struct {
        vcs_sweep sweep;
        uint64_t more;
    } newer;
    begin_sweep(&c, "short.ini");
    newer.sweep = c.sweep;
    newer.sweep.struct_size = sizeof newer;
    newer.more = 0;
    assert_int_equal(vcs_emulate_sweep(&newer.sweep, c.message, sizeof c.message), VCS_SWEEP_DONE);
    assert_int_equal(c.run_count, 1);
    newer.more = 1;
    assert_int_equal(vcs_emulate_sweep(&newer.sweep, c.message, sizeof c.message), VCS_SWEEP_USAGE);
    assert_string_equal(c.message, "vcs_sweep: struct_size, flags or file_count is wrong");
    assert_int_equal(c.run_count, 1);
}

static void options(void **folder) {
    (void)folder;
    static const char *const settings[] = {"min_buffer=x", NULL};
    USAGE("vcs_file_options: struct_size or flags is wrong", c.options.struct_size = 8);
    USAGE("vcs_file_options: days is not a number of days", c.options.days = NAN);
    USAGE("--profile: \"old\" is not a profile; use ...", c.options.profile = "old");
    USAGE("vcs_file_options: settings is NULL", (c.options.settings = settings, c.options.setting_count = 2));
    USAGE("--set: min_buffer: \"x\" is not a number", (c.options.settings = settings, c.options.setting_count = 1));
}

static void figures_and_rows(void **folder) {
    (void)folder;
    static const char *const histograms[] = {"none=0:1:0.1"};
    USAGE("--figures none: choose from ...", c.sweep.figures = "none");
    USAGE("--figures calls: choose from ...", c.sweep.figures = "calls,calls");
    USAGE("--figures project.R.late: short.ini has no project R", c.sweep.figures = "project.R.late");
    USAGE("--statistics odd: ...", c.sweep.statistics = "odd");
    USAGE("--histogram none: it is not among the figures of this sweep",
          (c.sweep.histograms = histograms, c.sweep.histogram_count = 1));
    USAGE("--statistics: a row of one seed has no statistics; ...",
          (c.sweep.statistics = "mean", c.sweep.flags = VCS_SWEEP_EACH_SEED));
    USAGE("--each-host: there are no hosts without --hosts", c.sweep.flags = VCS_SWEEP_EACH_HOST);
    USAGE("--resume: name the table with --output", (c.sweep.flags = VCS_SWEEP_RESUME, c.sweep.output = "-"));
}

static void what_is_varied(void **folder) {
    (void)folder;
    static const char *const settings[] = {"min_buffer=3", "host.cpus=2"};
    static const char *const others[] = {"app.P/A.est_flops=3", "host.ram=2"};
    VARY("--vary min_buffer: expected KEY=VALUES", "min_buffer");
    VARY("--vary x: there is no such parameter; ...", "x=1");
    VARY("--vary x.y: there is no kind of section of the name before the dot", "x.y=1");
    VARY("--vary host.x: [host] sections have no such key", "host.x=1");
    VARY("--vary host.a.cpus: the section [host] has no name", "host.a.cpus=1");
    VARY("--vary client.min_buffer: parameters go by their name alone, ...", "client.min_buffer=1");
    VARY("--vary emulation.seed: --seeds says how many seeds there are", "emulation.seed=1");
    VARY("--vary min_buffer: the range is empty: ...", "min_buffer=1:5:-1");
    VARY("--vary min_buffer: a range is FROM:TO:STEP or ...", "min_buffer=1:5:x");
    USAGE("--vary min_buffer: --set sets the same parameter",
          (add_axis(&c, VCS_SWEEP_VARY, "min_buffer=1,2"), c.options.settings = settings, c.options.setting_count = 1));
    USAGE("--vary host.cpus: --set sets the same key",
          (add_axis(&c, VCS_SWEEP_VARY, "host.cpus=1,2"), c.options.settings = settings, c.options.setting_count = 2));
    USAGE("--vary app.est_flops: --set sets the same key", (add_axis(&c, VCS_SWEEP_VARY, "app.est_flops=1,2"),
                                                            c.options.settings = others, c.options.setting_count = 2));
    USAGE("--vary min_buffer: --vary min_buffer already sets the same key",
          (add_axis(&c, VCS_SWEEP_VARY, "min_buffer=1"), add_axis(&c, VCS_SWEEP_VARY, "min_buffer=2")));
    USAGE("--with min_buffer=1: there is no --vary or --points before it",
          add_axis(&c, VCS_SWEEP_WITH, "min_buffer=1"));
    USAGE("--with min_buffer: 2 values, but 3 in the option that it moves with",
          (add_axis(&c, VCS_SWEEP_VARY, "host.cpus=1,2,3"), add_axis(&c, VCS_SWEEP_WITH, "min_buffer=1,2")));
    for (uint32_t kind = VCS_SWEEP_VARY; kind <= VCS_SWEEP_HOSTS; kind++) {
        USAGE("vcs_sweep_axis: kind or text is wrong", add_axis(&c, kind, NULL));
    }
    USAGE("vcs_sweep_axis: kind or text is wrong", add_axis(&c, VCS_SWEEP_HOSTS + 1, "min_buffer=1"));
}

static void values_that_the_scenario_does_not_allow(void **folder) {
    (void)folder;
    INPUT("host.cpus=0: short.ini: [host] cpus: ...", add_axis(&c, VCS_SWEEP_VARY, "host.cpus=1,0"));
    USAGE("--vary min_buffer=-1: min_buffer: must be a number from 0 to ...",
          add_axis(&c, VCS_SWEEP_VARY, "min_buffer=1,-1"));
    USAGE("--vary app.R/A.est_flops: short.ini has no section [app R/A]",
          add_axis(&c, VCS_SWEEP_VARY, "app.R/A.est_flops=1"));
    INPUT("app.P/A.latency_bound=0: short.ini: [app P/A] latency_bound: is too small",
          add_axis(&c, VCS_SWEEP_VARY, "app.P/A.latency_bound=2e4,0"));
}

static void files(void **folder) {
    (void)folder;
    INPUT("none.ini: cannot be opened: ...", c.files[0] = "none.ini");
    INPUT("short.ini and grid.ini: one is a grid, the other a host", (c.files[1] = "grid.ini", c.sweep.file_count = 2));
    USAGE("vcs_sweep: files, axes or histograms is NULL", c.sweep.file_count = 2);
    USAGE("none.csv: cannot be opened: ...", add_axis(&c, VCS_SWEEP_POINTS, "none.csv"));
    USAGE("none.csv: cannot be opened: ...", add_axis(&c, VCS_SWEEP_HOSTS, "none.csv"));
    write_file("points.csv", "min_buffer,colour\n1,red\n");
    USAGE("points.csv: colour: there is no such parameter; ...", add_axis(&c, VCS_SWEEP_POINTS, "points.csv"));
    write_file("points.csv", "min_buffer\n1,2\n");
    USAGE("points.csv:2: ...", add_axis(&c, VCS_SWEEP_POINTS, "points.csv"));
    write_file("hosts.csv", "count,cpus\nfew,1\n");
    USAGE("hosts.csv: count: \"few\" is not a number above 0", add_axis(&c, VCS_SWEEP_HOSTS, "hosts.csv"));
    write_file("hosts.csv", "count,cpus\n2,1\n");
    USAGE("--hosts: the hosts of a grid are those of its [population] sections",
          (c.files[0] = "grid.ini", c.sweep.figures = NULL, add_axis(&c, VCS_SWEEP_HOSTS, "hosts.csv")));
}

static void policies(void **folder) {
    (void)folder;
    static const vcs_policy odd = {VCS_POLICY_SIZES, .begin = NULL};
    static vcs_policy other = {VCS_POLICY_SIZES};
    USAGE("--policy: a policy in C is for one host, not for a grid",
          (c.files[0] = "grid.ini", c.sweep.figures = NULL, c.sweep.policy_file = "none.so"));
    USAGE("--vary policy: a policy in C is for one host, not for a grid",
          (c.files[0] = "grid.ini", c.sweep.figures = NULL,
           add_axis(&c, VCS_SWEEP_VARY, "policy=CS1_WF2_WS2_JC2,none.so")));
    USAGE("--vary work_fetch: --policy sets the same parameter",
          (c.sweep.policy_file = "CS1_WF2_WS2_JC2", add_axis(&c, VCS_SWEEP_VARY, "work_fetch=wf1,wf2")));
    USAGE("--policy ./none.so: cannot be loaded: ...", c.sweep.policy_file = "./none.so");
    USAGE("--policy own: begin is NULL", (c.sweep.policy = &odd, c.sweep.policy_name = "own"));
    other.version++;
    USAGE("--policy own: it is of version 2, ...", (c.sweep.policy = &other, c.sweep.policy_name = "own"));
    other.version--;
    other.struct_size = 8;
    USAGE("--policy own: it was compiled with a vcs_policy of 8 bytes, ...",
          (c.sweep.policy = &other, c.sweep.policy_name = "own"));
}

/* What begins like a policy of the study must be one; what has a . or a / is a file. */
static void names_of_policies(void **folder) {
    (void)folder;
    static const char *const names[] = {"CS2",
                                        "CS2_WF1_WS1_JC2_",
                                        "CS3_WF1_WS1_JC2",
                                        "CS0_WF1_WS1_JC2",
                                        "CS2_XF1_WS1_JC2",
                                        "cs2_wX1_ws1_jc2",
                                        "CS2-WF1_WS1_JC2",
                                        "CS2_WF1_WS1_JCx"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char message[160];
        snprintf(message, sizeof message, "--policy %s: the study's policies are called CSa_WFb_WSc_JCd, ...",
                 names[i]);
        USAGE(message, c.sweep.policy_file = names[i]);
    }
    INPUT("policy=CS2_WF1_WS1: --policy CS2_WF1_WS1: the study's policies are called ...",
          add_axis(&c, VCS_SWEEP_VARY, "policy=CS2_WF2_WS2_JC2,CS2_WF1_WS1"));
    USAGE("--policy CS2.so: cannot be loaded: ...", c.sweep.policy_file = "CS2.so");
    USAGE("--policy none/CS2_WF1_WS1_JC2: cannot be loaded: ...", c.sweep.policy_file = "none/CS2_WF1_WS1_JC2");
    USAGE("--vary policy_argument: a policy in C is for one host, not for a grid",
          (c.files[0] = "grid.ini", c.sweep.figures = NULL, add_axis(&c, VCS_SWEEP_VARY, "policy_argument=a,b")));
    USAGE("--policy: a policy in C is for one host, not for a grid",
          (c.files[0] = "grid.ini", c.sweep.figures = NULL, c.sweep.policy_file = "CS2_WF1_WS1_JC2",
           c.sweep.policy_argument = "a"));
}

/* What is in the way stays as it is. */
static void a_table_of_another_sweep(void **folder) {
    (void)folder;
    static const char text[] = "something else\n";
    char read[64] = "";
    write_file("points.csv", text);
    INPUT("points.csv:1: ...", c.sweep.output = "points.csv");
    FILE *in = fopen("points.csv", "r");
    assert_non_null(in);
    assert_int_equal(fread(read, 1, sizeof read - 1, in), strlen(text));
    fclose(in);
    assert_string_equal(read, text);
    INPUT("none/table.csv: ...", c.sweep.output = "none/table.csv");
    INPUT("none.csv: ...", (c.sweep.output = "none.csv", c.sweep.flags = VCS_SWEEP_RESUME));
}

static void a_short_message_is_the_beginning(void **folder) {
    (void)folder;
    char message[16] = "???????????????";
    begin_sweep(&c, "none.ini");
    assert_int_equal(vcs_emulate_sweep(&c.sweep, message, 5), VCS_SWEEP_REFUSED);
    assert_memory_equal(message, "none\0??????????", sizeof message);
    assert_int_equal(vcs_emulate_sweep(&c.sweep, message, 0), VCS_SWEEP_REFUSED);
    assert_memory_equal(message, "none\0??????????", sizeof message);
    assert_int_equal(vcs_emulate_sweep(&c.sweep, NULL, 0), VCS_SWEEP_REFUSED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_struct),
        cmocka_unit_test(a_newer_sweep),
        cmocka_unit_test(options),
        cmocka_unit_test(figures_and_rows),
        cmocka_unit_test(what_is_varied),
        cmocka_unit_test(values_that_the_scenario_does_not_allow),
        cmocka_unit_test(files),
        cmocka_unit_test(policies),
        cmocka_unit_test(names_of_policies),
        cmocka_unit_test(a_table_of_another_sweep),
        cmocka_unit_test(a_short_message_is_the_beginning),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
