/* [server PROJECT]: the units of a project, and how it dispatches and verifies them. SPDX-License-Identifier: MIT */
#include "vcemu/scenario/grid/grid_sections.h"

/* A grid has no lists of sizes: the word after `constant` stands for log-normal sizes. */
#define WORD_LOG_NORMAL 3u

#define DRAFT(field) offsetof(struct grid_server_draft, field)
#define SERVER(field) offsetof(struct grid_server_draft, project.field)

static const struct state_key server_keys[] = {
    {"units", FORM_WHOLE, .offset = DRAFT(units)},
    {"unit_rate", FORM_NUMBER, .offset = SERVER(unit_rate)},
    {"delay_bound", FORM_NUMBER, .offset = SERVER(delay_bound)},
    {"est_flops", FORM_NUMBER, .offset = SERVER(est_flops)},
    {"mean_flops", FORM_NUMBER, .offset = SERVER(mean_flops)},
    {"sd_flops", FORM_NUMBER, .offset = SERVER(sd_flops)},
    {"distribution", FORM_WORD, .offset = SERVER(distribution), .words = " normal exponential constant log_normal "},
    {"input_bytes", FORM_NUMBER, .offset = SERVER(input_bytes)},
    {"output_bytes", FORM_NUMBER, .offset = SERVER(output_bytes)},
    {"dispatch", FORM_WORD, .offset = SERVER(dispatch), .words = " deadline reply "},
    {"verification", FORM_WORD, .offset = SERVER(verification),
     .words = " none direct inverse recomputation credibility adaptive "},
    {"min_quorum", FORM_WHOLE, .offset = SERVER(min_quorum)},
    {"target_nresults", FORM_WHOLE, .offset = SERVER(target_nresults)},
    {"max_error", FORM_WHOLE, .offset = SERVER(max_error)},
    {"max_total", FORM_WHOLE, .offset = SERVER(max_total)},
    {"max_success", FORM_WHOLE, .offset = SERVER(max_success)},
    {"quorum_rule", FORM_WORD, .offset = SERVER(quorum_rule), .words = " majority equal "},
    {"max_refusals", FORM_WHOLE, .offset = SERVER(max_refusals)},
    {"quota", FORM_WHOLE, .offset = SERVER(quota)},
    {"credit_rule", FORM_WORD, .offset = SERVER(credit_rule), .words = " claims fixed "},
    {"fixed_credit", FORM_NUMBER, .offset = SERVER(fixed_credit)},
    {"max_single_claim", FORM_NUMBER, .offset = SERVER(max_single_claim)},
    {"order", FORM_WORD, .offset = SERVER(order), .words = " drain_then_dead drain_then_oldest overdue_first "},
    {"wait_factor", FORM_NUMBER, .offset = SERVER(wait_factor)},
    {"dead_factor", FORM_NUMBER, .offset = SERVER(dead_factor)},
    {"recomputation", FORM_NUMBER, .offset = SERVER(recomputation)},
    {"error_bound", FORM_NUMBER, .offset = SERVER(error_bound)},
    {"tolerance", FORM_NUMBER, .offset = SERVER(tolerance)},
    {"spot_checks", FORM_NUMBER, .offset = SERVER(spot_checks)},
    {"blacklist", FORM_SWITCH, .offset = SERVER(flags), .bit = VCS_GRID_BLACKLIST},
    {"withdraw", FORM_SWITCH, .offset = SERVER(flags), .bit = VCS_GRID_WITHDRAW},
    {"assimilate_last", FORM_SWITCH, .offset = SERVER(flags), .bit = VCS_GRID_ASSIMILATE_LAST},
    {"aborts", FORM_SWITCH, .offset = SERVER(flags), .bit = VCS_GRID_ABORTS},
    {"delays", FORM_SWITCH, .offset = SERVER(flags), .bit = VCS_GRID_DELAYS},
};

/* Refuses the first of these keys that is given, unless they are allowed. */
static bool allow(const struct state_reader *reader, const char *const *keys, bool allowed, const char *why) {
    for (; *keys != NULL; keys++) {
        if (!allowed && vcs_scn_reader_has(reader, *keys)) {
            return vcs_scn_reader_refuse(reader, *keys, "%s", why);
        }
    }
    return true;
}

/* Keys about hosts that are caught, and about a batch that is done. */
static bool check_consequences(const struct state_reader *reader, const vcs_grid_project *project) {
    const bool may_catch = project->verification != VCS_GRID_CHECK_NONE || project->spot_checks > 0.0;
    if ((project->flags & VCS_GRID_BLACKLIST) != 0 && !may_catch) {
        return vcs_scn_reader_refuse(reader, "blacklist",
                                     "needs a verification or spot_checks: a quorum alone catches nobody");
    }
    if ((project->flags & VCS_GRID_WITHDRAW) != 0 && (project->flags & VCS_GRID_BLACKLIST) == 0) {
        return vcs_scn_reader_refuse(reader, "withdraw", "only makes sense with blacklist = yes");
    }
    if ((project->flags & VCS_GRID_ASSIMILATE_LAST) != 0 && !vcs_scn_reader_has(reader, "units")) {
        return vcs_scn_reader_refuse(reader, "assimilate_last", "only makes sense with units, the size of the batch");
    }
    return true;
}

/* Keys that have no meaning without another one. */
static bool check_keys(const struct state_reader *reader, const vcs_grid_project *project) {
    if (!vcs_scn_reader_has(reader, "est_flops") && !vcs_scn_reader_has(reader, "mean_flops")) {
        return vcs_scn_reader_require(reader, "est_flops");
    }
    if (vcs_scn_reader_has(reader, "sd_flops") && project->distribution != VCS_SIZES_NORMAL &&
        project->distribution != VCS_SIZES_LOG_NORMAL) {
        return vcs_scn_reader_refuse(reader, "sd_flops",
                                     "only makes sense with distribution = normal or distribution = log_normal");
    }
    if (vcs_scn_reader_has(reader, "recomputation") && project->verification != VCS_GRID_CHECK_RECOMPUTATION) {
        return vcs_scn_reader_refuse(reader, "recomputation", "only makes sense with verification = recomputation");
    }
    if (vcs_scn_reader_has(reader, "fixed_credit") && project->credit_rule != VCS_CREDIT_FIXED) {
        return vcs_scn_reader_refuse(reader, "fixed_credit", "only makes sense with credit_rule = fixed");
    }
    static const char *const of_votes[] = {"error_bound", "tolerance", NULL};
    static const char *const of_replies[] = {"wait_factor", "dead_factor", "order", NULL};
    static const char *const of_deadlines[] = {
        "min_quorum",  "target_nresults", "max_error",   "max_total",        "max_success",
        "quorum_rule", "max_refusals",    "credit_rule", "max_single_claim", NULL};
    static const char *const of_quorums[] = {"min_quorum", "target_nresults", NULL};
    return allow(reader, of_votes, project->verification == VCS_GRID_CHECK_CREDIBILITY,
                 "only makes sense with verification = credibility") &&
           allow(reader, of_replies, project->dispatch == VCS_GRID_BY_REPLY,
                 "only makes sense with dispatch = reply") &&
           allow(reader, of_deadlines, project->dispatch == VCS_GRID_BY_DEADLINE,
                 "only makes sense with dispatch = deadline; with reply, verification makes copies") &&
           allow(reader, of_quorums, project->verification != VCS_GRID_CHECK_RECOMPUTATION,
                 "makes no sense with verification = recomputation, which draws how many copies must agree") &&
           check_consequences(reader, project);
}

/* Defaults: units as long as estimated, and as many copies as the quorum. */
static void complete(const struct state_reader *reader, vcs_grid_project *project) {
    if (!vcs_scn_reader_has(reader, "mean_flops")) {
        project->mean_flops = project->est_flops;
    }
    if (!vcs_scn_reader_has(reader, "est_flops")) {
        project->est_flops = project->mean_flops;
    }
    if (!vcs_scn_reader_has(reader, "target_nresults")) {
        project->target_nresults = project->min_quorum;
    }
    if (!vcs_scn_reader_has(reader, "max_total") && project->max_total < project->target_nresults) {
        project->max_total = project->target_nresults;
    }
    if (!vcs_scn_reader_has(reader, "max_success") && project->max_success < project->target_nresults) {
        project->max_success = project->target_nresults;
    }
}

/* `run` silences applications without sizes of jobs later; a grid keeps them. */
static void keep_models(const struct state_file *state, uint32_t project) {
    struct grid_scenario *grid = state->more;
    for (uint32_t i = 0; i < state->counts[STATE_APP]; i++) {
        if (state->apps[i].project == project) {
            grid->models[i] = state->models[i];
        }
    }
}

static bool read_server(const struct state_reader *reader) {
    struct grid_scenario *grid = reader->state->more;
    struct grid_server_draft draft = {.units = 0};
    uint32_t project;
    vcs_grid_project_init(&draft.project, sizeof draft.project);
    draft.project.distribution = VCS_SIZES_NORMAL; /* as in [app] */
    if (!vcs_scn_reader_find(reader, NULL, STATE_PROJECT, vcs_scn_ini_section_name(reader->section), &project) ||
        !vcs_scn_reader_keys(reader, &draft)) {
        return false;
    }
    if (draft.project.distribution == WORD_LOG_NORMAL) {
        draft.project.distribution = VCS_SIZES_LOG_NORMAL;
    }
    if (!check_keys(reader, &draft.project)) {
        return false;
    }
    complete(reader, &draft.project);
    keep_models(reader->state, project);
    draft.project.id = project;
    draft.project.units = draft.units;
    grid->projects[project] = draft.project;
    grid->servers[project] = reader->section;
    return true;
}

struct grid_server_draft vcs_scn_grid_server_in_use(const struct grid_scenario *grid, uint32_t project) {
    return (struct grid_server_draft){.project = grid->projects[project],
                                      .units = (uint32_t)grid->projects[project].units};
}

const struct state_section vcs_scn_grid_server_section = {
    .kind = "server",
    .named = true,
    .keys = server_keys,
    .key_count = sizeof server_keys / sizeof *server_keys,
    .read = read_server,
};
