/*
 * What a scheduler may answer to the client of examples/project: whatever it is, it is refused with one line and
 * changes nothing; or it is taken, and then names are names of files, the state file can be read again and says the
 * same, the next request is well-formed, and the library decides on what the client has now.
 *
 * An input is a reply as it stands, or it draws one element after the other.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "project/client/folder.h"
#include "project/client/host.h"
#include "project/client/log.h"
#include "project/client/policy_view.h"
#include "project/client/preferences.h"
#include "project/client/scheduler_reply.h"
#include "project/client/scheduler_request.h"
#include "project/client/state_file.h"
#include "project/client/xml.h"

#define NOW 1e9

/* With it a client begins that has been sent something before. */
static const char earlier_reply[] =
    "<scheduler_reply><project_name>Earlier</project_name><hostid>7</hostid><code_sign_key>1024\nab\n.</code_sign_key>"
    "<app><name>a</name></app>"
    "<file_info><name>prog</name><url>http://p.example/prog</url><nbytes>5</nbytes></file_info>"
    "<file_info><name>in</name><url>http://p.example/in</url><md5_cksum>00</md5_cksum></file_info>"
    "<file_info><name>out</name><generated_locally/><upload_when_present/><max_nbytes>100</max_nbytes>"
    "<url>http://p.example/up</url><x>ticket</x></file_info>"
    "<app_version><app_name>a</app_name><version_num>1</version_num><platform>p</platform>"
    "<file_ref><file_name>prog</file_name><main_program/></file_ref></app_version>"
    "<workunit><name>u</name><app_name>a</app_name><rsc_fpops_est>1e12</rsc_fpops_est>"
    "<file_ref><file_name>in</file_name><open_name>i</open_name></file_ref></workunit>"
    "<result><name>r</name><wu_name>u</wu_name><platform>p</platform><version_num>1</version_num>"
    "<report_deadline>1000086400</report_deadline><file_ref><file_name>out</file_name></file_ref></result>"
    "<result><name>s</name><wu_name>u</wu_name><report_deadline>1000186400</report_deadline></result>"
    "</scheduler_reply>";

/* ---- Instead of the client's log and of its host ---- */

void say(const char *project, const char *format, ...) {
    char line[1000];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    assert_true(length > 0);
    assert_true(project == NULL || strlen(project) > 0);
}

void fault_point(const char *name) {
    (void)name;
}

void host_platform(struct text *text) {
    text_printf(text, "p");
}

uint32_t host_cpus(void) {
    return 4;
}

double host_ram(void) {
    return 4e9;
}

void host_put_info(struct text *text, uint32_t cpus, double flops, const char *key) {
    text_printf(text, "<host_info><host_cpid>%s</host_cpid></host_info>\n", key);
    assert_true(cpus >= 1 && flops > 0);
}

static void is_one_line(const struct fault *fault) {
    const size_t length = strlen(fault->message);
    assert_true(length > 0 && length < sizeof fault->message);
    assert_null(strchr(fault->message, '\n'));
}

/* ---- A reply ---- */

static const char *const names[] = {
    "app",
    "app_name",
    "app_version",
    "avg_ncpus",
    "cmdline",
    "code_sign_key",
    "code_sign_key_signature",
    "command_line",
    "copy_file",
    "file_info",
    "file_name",
    "file_ref",
    "file_signature",
    "flops",
    "generated_locally",
    "global_preferences",
    "hostid",
    "main_program",
    "max_nbytes",
    "max_ncpus_pct",
    "md5_cksum",
    "message",
    "mod_time",
    "name",
    "nbytes",
    "next_rpc_delay",
    "no_cpu_apps",
    "open_name",
    "plan_class",
    "platform",
    "project_name",
    "project_preferences",
    "report_deadline",
    "request_delay",
    "resource_share",
    "result",
    "result_abort",
    "result_abort_if_not_started",
    "result_ack",
    "rsc_fpops_bound",
    "rsc_fpops_est",
    "rsc_memory_bound",
    "send_full_workload",
    "upload_when_present",
    "url",
    "version_num",
    "work_buf_additional_days",
    "work_buf_min_days",
    "workunit",
    "wu_name",
    "cpu_scheduling_period_minutes",
    "x",
};
enum { NAMES = sizeof names / sizeof *names };

static const char *const values[] = {
    "a",
    "u",
    "r",
    "s",
    "in",
    "out",
    "prog",
    "b",
    "v",
    "..",
    ".part",
    "a/b",
    "",
    "0",
    "1",
    "-1",
    "1e9",
    "1e308",
    "nan",
    "inf",
    "1000000000",
    "1000500000",
    "1e12",
    "0x10",
    "2 ",
    "http://p.example/f",
    "ftp://p",
    "p",
    "\xc3\xa4",
    "\xc3\xb6",
    "&#228;",
    "a&amp;b",
    "a\nb",
    "&lt;",
    "<![CDATA[<b>]]>",
    "<!-- -->",
    "1024\nab\n.",
    "1e-300",
    "0.5",
    "100",
};
enum { VALUES = sizeof values / sizeof *values };

static void draw_element(fuzz_input *in, struct text *text, uint32_t depth) {
    const char *name = names[fuzz_below(in, NAMES)];
    const uint32_t kind = fuzz_byte(in);
    if (kind < 16) {
        text_printf(text, "<%s/>", name);
        return;
    }
    text_printf(text, "<%s>", name);
    if (kind < 160 || depth == 3) {
        text_printf(text, "%s", values[fuzz_below(in, VALUES)]);
    } else {
        for (uint32_t i = 0; i < kind % 8 && fuzz_more(in); i++) {
            draw_element(in, text, depth + 1);
        }
    }
    text_printf(text, "</%s>", name);
}

static void draw_reply(fuzz_input *in, struct text *reply) {
    text_printf(reply, "<scheduler_reply>");
    while (fuzz_more(in)) {
        draw_element(in, reply, 0);
    }
    text_printf(reply, "</scheduler_reply>");
}

/* ---- A client, in a folder of its own ---- */

static char folder[64];
static int home;

static void remove_folder(void) {
    if (chdir(folder) == 0) {
        remove("state.xml");
        rmdir(folder);
    }
}

static void enter_folder(void) {
    if (folder[0] == '\0') {
        home = open(".", O_RDONLY | O_DIRECTORY);
        snprintf(folder, sizeof folder, "%s/fuzz_client.XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        assert_non_null(mkdtemp(folder));
        atexit(remove_folder);
    }
    assert_int_equal(chdir(folder), 0);
}

static void leave_folder(void) {
    assert_int_equal(fchdir(home), 0);
}

static void begin(struct client *client) {
    memset(client, 0, sizeof *client);
    client->now = NOW;
    client->cpus = 4;
    client->flops = 1e9;
    client->ram = 4e9;
    client->host_key = copy_of("key");
    client->preferences = copy_of("");
    assert_int_equal(vcs_parameters_init(&client->policy, sizeof client->policy, VCS_PROFILE_CURRENT), VCS_OK);
    struct project *project = project_add(client, "http://p.example/", "account");
    replace(&project->scheduler_url, "http://p.example/s");
}

/* The state file as it is written now. */
static void save(struct client *client, struct text *text) {
    struct fault fault;
    assert_true(state_file_write(client, &fault));
    file_read("state.xml", (size_t)1 << 24, false, text);
    assert_true(text->length > 0);
    /* Of what tasks said at their end, the blanks at the end get lost. */
    for (char *end = text->bytes; (end = strstr(end, "\n</messages>")) != NULL;) {
        text->length--;
        memmove(end, end + 1, strlen(end));
    }
}

static void is_same_text(const char *what, const struct text *expected, const struct text *found) {
    assert_int_equal(expected->length, found->length);
    fuzz_same(what, expected->bytes, found->bytes, expected->length);
}

/* ---- What must hold of whatever was taken ---- */

static void check_references(const struct project *project, const struct file_reference *list) {
    for (; list != NULL; list = list->next) {
        assert_ptr_equal(file_find(project, list->file->name), list->file);
        assert_true(name_is_plain(list->open_name));
    }
}

static void check_records(const struct client *client) {
    const struct project *project = client->projects;
    assert_true(project->share >= 0 && project->share <= 1e9);
    assert_true(project->next_call == 0 || (project->next_call >= NOW && project->next_call <= NOW + 28 * DAY));
    for (const struct file *file = project->files; file != NULL; file = file->next) {
        assert_true(name_is_plain(file->name) && file->url_count <= MOST_URLS);
        assert_true(strlen(file->md5) < sizeof file->md5);
        for (uint32_t i = 0; i < file->url_count; i++) {
            assert_true(url_is_plain(file->urls[i]));
        }
    }
    for (const struct version *version = project->versions; version != NULL; version = version->next) {
        check_references(project, version->files);
    }
    for (const struct unit *unit = project->units; unit != NULL; unit = unit->next) {
        check_references(project, unit->files);
    }
    for (const struct task *task = project->tasks; task != NULL; task = task->next) {
        assert_ptr_equal(unit_find(project, task->unit->name), task->unit);
        assert_ptr_equal(task->version->app, task->unit->app);
        check_references(project, task->outputs);
    }
}

static void decide(struct client *client) {
    struct policy_view view;
    struct fault fault;
    const struct command_line line = {.cpus = 0};
    vcs_error error = {.struct_size = sizeof error};
    vcs_state *state;
    size_t size;
    assert_true(preferences_apply(client, &line, &fault));
    policy_view_make(&view, client);
    assert_int_equal(vcs_state_size(&view.snapshot, &size), VCS_OK);
    void *memory = fuzz_allocate(size);
    assert_int_equal(vcs_state_prepare(&view.snapshot, &client->policy, client->now, memory, size, &state, &error),
                     VCS_OK);
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    assert_int_equal(vcs_schedule(state, 0, NULL), VCS_OK);
    free(memory);
    policy_view_free(&view);
}

static void request(const struct client *client) {
    const struct ask ask = {.seconds = 1000, .instances = 1};
    struct text text = {0};
    struct fault fault;
    scheduler_request_write(client, client->projects, &ask, &text);
    struct xml_node *root = xml_parse(text.bytes, text.length, "the request", &fault);
    assert_non_null(root);
    xml_free(root);
    text_free(&text);
}

/* A client that is started again knows what this one knew. */
static void start_again(const struct text *saved) {
    struct client client = {.now = NOW};
    struct text again = {0};
    struct fault fault;
    assert_true(state_file_read(&client, true, &fault));
    save(&client, &again);
    is_same_text("the state file, read and written again", saved, &again);
    text_free(&again);
    client_free(&client);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    fuzz_input in = {bytes, size};
    struct client client;
    struct text reply = {0}, before = {0}, after = {0};
    struct reply_summary summary;
    struct fault fault = {""};
    enter_folder();
    begin(&client);
    const uint32_t kind = fuzz_byte(&in);
    if (kind % 2 == 0) {
        text_add(&reply, earlier_reply, strlen(earlier_reply));
        assert_true(scheduler_reply_accept(&client, client.projects, &reply, &summary, &fault));
        assert_int_equal(summary.tasks, 2);
        text_free(&reply);
        reply = (struct text){0};
    }
    if (kind / 2 % 2 == 0) {
        text_add(&reply, (const char *)in.bytes, in.left);
    } else {
        draw_reply(&in, &reply);
    }
    save(&client, &before);
    if (scheduler_reply_accept(&client, client.projects, &reply, &summary, &fault)) {
        assert_true(summary.request_delay >= 0 && summary.request_delay <= 28 * DAY);
        check_records(&client);
        save(&client, &after);
        start_again(&after);
        request(&client);
        decide(&client);
    } else {
        is_one_line(&fault);
        save(&client, &after);
        is_same_text("what a refused reply leaves", &before, &after);
    }
    text_free(&reply);
    text_free(&before);
    text_free(&after);
    client_free(&client);
    leave_folder();
    return 0;
}
