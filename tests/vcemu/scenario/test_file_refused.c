/*
 * What is wrong with a file or with the arguments is said in one line that begins with file and line, and nothing else
 * is written.
 *
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "support/scenario_file.h"

#include <math.h>

/* Room for a message, and bytes behind it that must stay. */
struct guarded {
    char message[VCS_MESSAGE_SIZE];
    char behind[16];
};

static void expect_message(const char *message, const char *expected, int line) {
    /* An expected text that ends with "..." need only be the beginning. */
    const size_t length = strlen(expected);
    const size_t least = length > 3 && strcmp(expected + length - 3, "...") == 0 ? length - 3 : length + 1;
    if (strncmp(message, expected, least) != 0) {
        fail_msg("line %d: \"%s\" instead of \"%s\"", line, message, expected);
    }
}

static void expect_refused(const char *text, uint32_t kind, const char *expected, int line) {
    struct guarded guarded, untouched;
    memset(&guarded, '?', sizeof guarded);
    memset(&untouched, '?', sizeof untouched);
    vcs_file *file = parse(text, kind, guarded.message);
    if (file != NULL) {
        fail_msg("line %d: not refused", line);
    }
    expect_message(guarded.message, expected, line);
    assert_null(strchr(guarded.message, '\n'));
    assert_memory_equal(guarded.behind, untouched.behind, sizeof guarded.behind);
}

#define REFUSED(text, kind, expected) expect_refused(text, kind, expected, __LINE__)
#define ALL_REFUSE(text, expected)                                                                                     \
    do {                                                                                                               \
        REFUSED(text, VCS_FILE_STATE, expected);                                                                       \
        REFUSED(text, VCS_FILE_SCENARIO, expected);                                                                    \
        REFUSED(text, VCS_FILE_GRID, expected);                                                                        \
    } while (0)

/* A state or a scenario, spoilt in one place. */
#define HOST_REFUSED(before, after, expected)                                                                          \
    do {                                                                                                               \
        REFUSED(changed(host_text, before, after), VCS_FILE_STATE, expected);                                          \
        REFUSED(changed(host_text, before, after), VCS_FILE_SCENARIO, expected);                                       \
    } while (0)
#define GRID_REFUSED(before, after, expected) REFUSED(changed(grid_text, before, after), VCS_FILE_GRID, expected)

static void lines(void **unused) {
    (void)unused;
    static char long_line[5000] = "[host]\nabout = ";
    memset(long_line + strlen(long_line), 'x', sizeof long_line - strlen(long_line) - 1);
    ALL_REFUSE("", "it.ini:1: the file is empty; at least a [host] section is needed");
    ALL_REFUSE("# nothing\n", "it.ini:1: the file is empty; at least a [host] section is needed");
    ALL_REFUSE("cpus = 2\n", "it.ini:1: cpus: this key comes before any [section]");
    ALL_REFUSE("[host]\ncpus\n", "it.ini:2: [host]: a line is a [section], a key = value, or a comment ...");
    ALL_REFUSE("[host]\n= 2\n", "it.ini:2: [host]: the key before the = is missing");
    ALL_REFUSE("[host]\n cpus = 2\n", "it.ini:2: [host]: the line begins with a blank; values cannot span lines");
    ALL_REFUSE("[host\n", "it.ini:1: a section line begins with [ but does not end with ]");
    ALL_REFUSE("[]\n", "it.ini:1: a section is [KIND] or [KIND NAME], and here the kind is missing");
    ALL_REFUSE("[task  one]\n", "it.ini:1: [KIND NAME] takes one space before the name and no blank after it");
    ALL_REFUSE("[host]\n\n[host]\n", "it.ini:3: [host]: this section is already in line 1");
    ALL_REFUSE("[host]\ncpus = \001\n",
               "it.ini:2: [host]: the line contains a control character; is this a text file?");
    ALL_REFUSE("[host]\ncpus = \xff\n", "it.ini:2: [host]: the line is not UTF-8 text");
    ALL_REFUSE("\xef\xbb\xbf[host]\n", "it.ini:1: the file begins with a byte order mark; save it as UTF-8 ...");
    ALL_REFUSE(long_line, "it.ini:2: [host] about: the line is longer than 4096 bytes");
}

/* So many numbers, the last one as given. */
#define TWELVE_HOURS "0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0"
#define DAY_OF_HOURS(last) TWELVE_HOURS ", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, " last
#define WITH_HOURS(on, off) "[host]\nhours_on = " on "\nhours_off = " off "\n"

static void hours(void **unused) {
    (void)unused;
    HOST_REFUSED("[host]\n", "[host]\nhours_on = " DAY_OF_HOURS("0") "\n",
                 "it.ini:1: [host] hours_off: this key is missing");
    HOST_REFUSED("[host]\n", "[host]\nhours_off = " DAY_OF_HOURS("0") "\n",
                 "it.ini:1: [host] hours_on: this key is missing");
    HOST_REFUSED("[host]\n", WITH_HOURS(DAY_OF_HOURS("x"), DAY_OF_HOURS("0")),
                 "it.ini:2: [host] hours_on: \"x\" is not a number");
    HOST_REFUSED("[host]\n", WITH_HOURS(DAY_OF_HOURS("0"), DAY_OF_HOURS("1e13")),
                 "it.ini:3: [host] hours_off: \"1e13\" is too large");
    HOST_REFUSED("[host]\n", WITH_HOURS(TWELVE_HOURS, DAY_OF_HOURS("0")),
                 "it.ini:2: [host] hours_on: has 12 numbers, not one for each of the 24 hours of a day or the 168 of a "
                 "week");
    HOST_REFUSED("[host]\n",
                 WITH_HOURS(DAY_OF_HOURS("0"), DAY_OF_HOURS("0, ") DAY_OF_HOURS("0, ") DAY_OF_HOURS("0, ") DAY_OF_HOURS(
                                                   "0, ") DAY_OF_HOURS("0, ") DAY_OF_HOURS("0, ") DAY_OF_HOURS("0")),
                 "it.ini:3: [host] hours_off: has another number of hours than hours_on");
}

static void sections(void **unused) {
    (void)unused;
    ALL_REFUSE("[hast]\n", "it.ini:1: [hast]: there is no section of this kind");
    ALL_REFUSE("[host mine]\n", "it.ini:1: [host mine]: a section of this kind has no name");
    ALL_REFUSE("[project]\n", "it.ini:1: [project]: a section of this kind has a name");
    REFUSED("[project P]\n", VCS_FILE_STATE, "it.ini:1: the [host] section is missing");
    REFUSED("[project P]\n\n", VCS_FILE_SCENARIO, "it.ini:2: the [host] section is missing");
    HOST_REFUSED("project = P", "project = R", "it.ini:16: [task one] project: there is no section [project R]");
    HOST_REFUSED("gpu = card", "gpu = other", "it.ini:21: [task two] gpu: ...");
    HOST_REFUSED("[app P/sky]", "[app R/sky]", "it.ini:12: [app R/sky]: its name must begin with ...");
    REFUSED(grid_text, VCS_FILE_STATE, "it.ini:5: [server P]: there is no section of this kind");
    REFUSED(grid_text, VCS_FILE_SCENARIO, "it.ini:5: [server P]: there is no section of this kind");
}

static void values(void **unused) {
    (void)unused;
    HOST_REFUSED("cpus = 2", "cpus =", "it.ini:3: [host] cpus: has no value");
    HOST_REFUSED("cpus = 2", "cpus = two", "it.ini:3: [host] cpus: \"two\" is not a number");
    HOST_REFUSED("cpus = 2", "cpus = 2.5", "it.ini:3: [host] cpus: \"2.5\" is not a whole number");
    HOST_REFUSED("cpus = 2", "cpus = nan", "it.ini:3: [host] cpus: \"nan\" is not a finite number");
    HOST_REFUSED("flops = 1e9", "flops = 1e999", "it.ini:4: [host] flops: \"1e999\" is too large");
    HOST_REFUSED("flops = 1e9\n", "", "it.ini:1: [host] flops: ...");
    HOST_REFUSED("cpus = 2", "cpus = 2\ncpus = 2", "it.ini:4: [host] cpus: this key is already in line 3");
    HOST_REFUSED("share = 30", "shares = 30", "it.ini:11: [project P] shares: a section of this kind has no such key");
    HOST_REFUSED("share = 30", "suspended = maybe",
                 "it.ini:11: [project P] suspended: \"maybe\" is neither yes nor no");
    GRID_REFUSED("est_flops = 1e13", "est_flops = much", "it.ini:6: [server P] est_flops: \"much\" is not a number");
}

static void policies(void **unused) {
    (void)unused;
    HOST_REFUSED("min_buffer", "profile = old\nmin_buffer",
                 "it.ini:9: [client] profile: \"old\" is not a profile; use rpc2003, study2007, current or steady");
    HOST_REFUSED("min_buffer", "colour", "it.ini:9: [client] colour: there is no such parameter");
    HOST_REFUSED("900", "-1", "it.ini:9: [client] min_buffer: must be a number from 0 to ...");
    HOST_REFUSED("min_buffer = 900", "discipline = 1",
                 "it.ini:9: [client] discipline: \"1\" is not one of its values; use fluid or sliced");
    HOST_REFUSED("min_buffer = 900", "backoff_max = 1", "it.ini:9: [client] backoff_max: ...");
}

static void what_could_not_be_emulated(void **unused) {
    (void)unused;
    vcs_file_free(parse_good("[host]\ncpus = 1\nflops = 1e9\n", VCS_FILE_STATE)); /* of a state nobody asks for more */
    REFUSED("[host]\ncpus = 1\nflops = 1e9\n", VCS_FILE_SCENARIO,
            "it.ini: there are no jobs to emulate: the host has no task, and there is no [project]; ...");
    REFUSED("[host]\ncpus = 1\nflops = 1e9\n[project P]\n", VCS_FILE_SCENARIO,
            "it.ini: there are no jobs to emulate: the host has no task, and no project sends any; ...");
    const char *text = changed(host_text, "gpu = card\n", "gpu = card\nrunning = yes\ndevices = 5\n");
    vcs_file_free(parse_good(text, VCS_FILE_STATE));
    REFUSED(text, VCS_FILE_SCENARIO, "it.ini:23: [task two] devices: names an instance that does not exist");
}

static void grids(void **unused) {
    (void)unused;
    REFUSED("[emulation]\n", VCS_FILE_GRID, "it.ini: a grid needs a [project NAME] and its [server NAME]");
    REFUSED("[project P]\n[server P]\nest_flops = 1\n", VCS_FILE_GRID,
            "it.ini: a grid needs hosts: a [population NAME]");
    GRID_REFUSED("[server Q]\nest_flops = 1e12\n", "", "it.ini:7: [project Q]: there is no section [server Q]");
    GRID_REFUSED("[server Q]", "[server R]", "it.ini:8: [server R]: ...");
    GRID_REFUSED("count = 3", "count = 0", "it.ini:15: [population lab] count: there must be at least 1 host");
    GRID_REFUSED("count = 3", "count = 3\nspeed_sd = 11", "it.ini:16: [population lab] speed_sd: ...");
    GRID_REFUSED("[population lab]",
                 "[host]\ncpus = 1\nflops = 1\n[task t]\nproject = P\nremaining = 3\n[population lab]",
                 "it.ini:17: [task t]: the hosts of a grid have no tasks when it begins");
}

static void paths(void **unused) {
    (void)unused;
    char folder[64], message[VCS_MESSAGE_SIZE], expected[128];
    make_folder(folder);
    strcat(folder, "/none");
    snprintf(expected, sizeof expected, "%s: cannot be opened: ...", folder);
    for (uint32_t kind = VCS_FILE_STATE; kind <= VCS_FILE_GRID; kind++) {
        assert_null(vcs_file_read(folder, kind, NULL, message, sizeof message));
        expect_message(message, expected, __LINE__);
    }
    *strrchr(folder, '/') = '\0';
    snprintf(expected, sizeof expected, "%s: cannot be read: ...", folder);
    assert_null(vcs_file_read(folder, VCS_FILE_STATE, NULL, message, sizeof message));
    expect_message(message, expected, __LINE__);
    rmdir(folder);
}

/* With options that are wrong, of a text that is right. */
static void expect_options_refused(const vcs_file_options *options, const char *expected, int line) {
    char message[VCS_MESSAGE_SIZE];
    if (vcs_file_parse(host_text, strlen(host_text), "it.ini", VCS_FILE_STATE, options, message, sizeof message) !=
        NULL) {
        fail_msg("line %d: not refused", line);
    }
    expect_message(message, expected, line);
}

#define OPTIONS_REFUSED(expected, ...)                                                                                 \
    expect_options_refused(&(const vcs_file_options){.struct_size = sizeof(vcs_file_options), __VA_ARGS__}, expected,  \
                           __LINE__)

static void options(void **unused) {
    (void)unused;
    static const char *const settings[] = {"min_buffer=x",     "min_buffer",        "colour=red",
                                           "backoff_max=1",    "project.R.share=1", "project.P.colour=1",
                                           "project.P.share=x"};
    expect_options_refused(&(const vcs_file_options){.struct_size = 8},
                           "vcs_file_options: struct_size or flags is wrong", __LINE__);
    OPTIONS_REFUSED("vcs_file_options: struct_size or flags is wrong", .flags = 0x80);
    OPTIONS_REFUSED("vcs_file_options: settings is NULL", .setting_count = 1);
    OPTIONS_REFUSED("vcs_file_options: days is not a number of days", .days = -1);
    OPTIONS_REFUSED("vcs_file_options: days is not a number of days", .days = NAN);
    OPTIONS_REFUSED("--profile: \"old\" is not a profile; use ...", .profile = "old");
    OPTIONS_REFUSED("--set: min_buffer: \"x\" is not a number", .settings = settings, .setting_count = 1);
    OPTIONS_REFUSED("--set min_buffer: expected parameter=value", .settings = settings + 1, .setting_count = 1);
    OPTIONS_REFUSED(
        "--set: colour: there is no such parameter; keys of sections are KIND.KEY or KIND.NAME.KEY, such as "
        "project.NAME.share",
        .settings = settings + 2, .setting_count = 1);
    OPTIONS_REFUSED("--set project.R.share: it.ini has no section [project R]", .settings = settings + 4,
                    .setting_count = 3); /* and no word of the next ones */
    OPTIONS_REFUSED("--set project.P.colour: [project] sections have no such key", .settings = settings + 5,
                    .setting_count = 1);
    OPTIONS_REFUSED("--set project.P.share: it.ini: [project P] share: \"x\" is not a number", .settings = settings + 6,
                    .setting_count = 1);
    OPTIONS_REFUSED("--set: backoff_max: ...", .settings = settings + 3, .setting_count = 1);
}

/* Names are told apart by the case of their letters; what may have been meant is said. */
static void sections_in_another_case(void **unused) {
    (void)unused;
    static const char text[] = "[host]\ncpus = 1\n[project Az[3@home]\n[task Az[3@home]\nproject = Az[3@home\n";
    static const struct {
        const char *setting, *expected;
    } cases[] = {
        {"project.aZ[3@home.share=1", "has no section [project aZ[3@home], but [project Az[3@home]"},
        {"project.AZ[3@HOME.share=1", "has no section [project AZ[3@HOME], but [project Az[3@home]"},
        {"project.az{3@home.share=1", "has no section [project az{3@home]"}, /* not the case of a letter */
        {"project.az[3`home.share=1", "has no section [project az[3`home]"},
        {"project.az[3@hom.share=1", "has no section [project az[3@hom]"},
        {"project.az[3@homes.share=1", "has no section [project az[3@homes]"},
        {"gpu.az[3@home.count=1", "has no section [gpu az[3@home]"},
        {"gpu.count=1", "has no section [gpu]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const vcs_file_options wanted = {
            .struct_size = sizeof wanted, .settings = &cases[i].setting, .setting_count = 1};
        char message[VCS_MESSAGE_SIZE];
        assert_null(vcs_file_parse(text, strlen(text), "it.ini", VCS_FILE_STATE, &wanted, message, sizeof message));
        const char *said = strstr(message, "has no section");
        assert_non_null(said);
        assert_string_equal(said, cases[i].expected);
    }
}

static void options_that_say_the_same(void **unused) {
    (void)unused;
    static const struct {
        double days;
        uint32_t flags;
        const char *setting, *expected;
    } cases[] = {
        {1, 0, "emulation.duration=x", "--set emulation.duration: --days sets the same key"},
        {0, VCS_FILE_SEED, "emulation.duration=x", "--set emulation.duration: it.ini: [emulation] duration: \"x\" ..."},
        {0, VCS_FILE_SEED, "emulation.seed=x", "--set emulation.seed: --seed sets the same key"},
        {1, 0, "emulation.seed=x", "--set emulation.seed: it.ini: [emulation] seed: \"x\" is not a number"},
        {1, VCS_FILE_SEED, "emulation.completion=x", "--set emulation.completion: it.ini: [emulation] completion: ..."},
        {1, VCS_FILE_SEED, "population.lab.count=x", "--set population.lab.count: it.ini: [population lab] count: ..."},
    };
    char message[VCS_MESSAGE_SIZE];
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const vcs_file_options given = {.struct_size = sizeof given,
                                        .flags = cases[i].flags,
                                        .settings = &cases[i].setting,
                                        .setting_count = 1,
                                        .days = cases[i].days};
        assert_null(
            vcs_file_parse(grid_text, strlen(grid_text), "it.ini", VCS_FILE_GRID, &given, message, sizeof message));
        expect_message(message, cases[i].expected, __LINE__);
    }
}

static void profiles_among_settings(void **unused) {
    (void)unused;
    static const char *const settings[] = {"profile=steady", "client.profile=steady"};
    OPTIONS_REFUSED("--set profile: profiles go by --profile NAME, --compare NAME or --vary profile=NAME; use rpc2003, "
                    "study2007, current or steady",
                    .settings = settings, .setting_count = 1);
    OPTIONS_REFUSED("--set client.profile: profiles go by --profile NAME, ...", .settings = settings + 1,
                    .setting_count = 1);
}

/* Longer options of a newer program: what is set there means something to it. */
static void newer_options(void **unused) {
    (void)unused;
    struct {
        vcs_file_options options;
        double more;
    } newer = {.options = {.struct_size = sizeof newer}};
    vcs_file *file = vcs_file_parse(host_text, strlen(host_text), "it.ini", VCS_FILE_STATE, &newer.options, NULL, 0);
    assert_non_null(file);
    vcs_file_free(file);
    newer.more = 1;
    expect_options_refused(&newer.options, "vcs_file_options: struct_size or flags is wrong", __LINE__);
}

static void missing_pointers(void **unused) {
    (void)unused;
    char message[VCS_MESSAGE_SIZE];
    assert_null(vcs_file_read(NULL, VCS_FILE_STATE, NULL, message, sizeof message));
    assert_string_equal(message, "the name of the file is NULL");
    assert_null(vcs_file_parse(host_text, strlen(host_text), NULL, VCS_FILE_STATE, NULL, message, sizeof message));
    assert_string_equal(message, "the name of the file is NULL");
    assert_null(vcs_file_parse(NULL, 1, "it.ini", VCS_FILE_STATE, NULL, message, sizeof message));
    assert_string_equal(message, "the text is NULL");
    assert_null(vcs_file_parse(NULL, 0, "it.ini", VCS_FILE_STATE, NULL, message, sizeof message));
    assert_string_equal(message, "it.ini:1: the file is empty; at least a [host] section is needed");
}

static void kinds(void **unused) {
    (void)unused;
    REFUSED(host_text, VCS_FILE_GRID + 1, "it.ini: there is no such kind of file");
    REFUSED(host_text, VCS_NONE, "it.ini: there is no such kind of file");
}

static void a_short_message_is_the_beginning(void **unused) {
    (void)unused;
    struct guarded guarded, untouched;
    memset(&guarded, '?', sizeof guarded);
    memset(&untouched, '?', sizeof untouched);
    assert_null(vcs_file_parse("[hast]\n", 7, "it.ini", VCS_FILE_STATE, NULL, guarded.message, 9));
    assert_string_equal(guarded.message, "it.ini:1");
    assert_memory_equal(guarded.message + 9, untouched.message + 9, sizeof guarded.message - 9);
    assert_null(vcs_file_parse("[hast]\n", 7, "it.ini", VCS_FILE_STATE, NULL, untouched.message, 0));
    assert_int_equal(untouched.message[0], '?');
    assert_null(vcs_file_parse("[hast]\n", 7, "it.ini", VCS_FILE_STATE, NULL, NULL, 0));
    assert_null(vcs_file_read("/dev/null", VCS_FILE_STATE, NULL, NULL, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),
        cmocka_unit_test(hours),
        cmocka_unit_test(sections),
        cmocka_unit_test(values),
        cmocka_unit_test(policies),
        cmocka_unit_test(what_could_not_be_emulated),
        cmocka_unit_test(grids),
        cmocka_unit_test(paths),
        cmocka_unit_test(options),
        cmocka_unit_test(sections_in_another_case),
        cmocka_unit_test(options_that_say_the_same),
        cmocka_unit_test(profiles_among_settings),
        cmocka_unit_test(newer_options),
        cmocka_unit_test(missing_pointers),
        cmocka_unit_test(kinds),
        cmocka_unit_test(a_short_message_is_the_beginning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
