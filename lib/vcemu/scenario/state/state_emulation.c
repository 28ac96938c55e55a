/* [emulation]: how long, and by which rules of the study. SPDX-License-Identifier: MIT */
#include "vcemu/scenario/state/state_sections.h"

#include "vcemu/scenario/state/state_reader.h"

struct emulation_draft {
    double duration;
    uint32_t seed;
    /* words by their number, from 0 */
    uint32_t scheduling, work_fetch, work_send, completion, deadline_origin;
};

#define EMULATION(field) offsetof(struct emulation_draft, field)

static const struct state_key emulation_keys[] = {
    {"duration", FORM_NUMBER, .offset = EMULATION(duration), .range = RANGE_NOT_NEGATIVE},
    {"seed", FORM_WHOLE, .offset = EMULATION(seed)},
    {"cpu_scheduling", FORM_WORD, .offset = EMULATION(scheduling), .words = " CS1 CS2 "},
    {"work_fetch", FORM_WORD, .offset = EMULATION(work_fetch), .words = " WF1 WF2 CURRENT ORIGINAL SESSIONS "},
    {"work_send", FORM_WORD, .offset = EMULATION(work_send), .words = " WS1 WS2 "},
    {"completion", FORM_WORD, .offset = EMULATION(completion), .words = " JC1 JC2 "},
    {"deadline_origin", FORM_WORD, .offset = EMULATION(deadline_origin), .words = " now start "},
};

/* A key of the section that sets the policy; it applies only to the emulation, unless the command line overrides it. */
static void set_emulated(const struct state_reader *reader, const char *key, const char *parameter, uint32_t choice) {
    if (vcs_scn_reader_has(reader, key) && !vcs_scn_policy_is_wished(reader->wish, parameter)) {
        vcs_parameter_set(&reader->state->emulated_parameters, vcs_parameter_find(parameter), choice);
    }
}

static bool read_emulation(const struct state_reader *reader) {
    struct emulation_draft draft = {.duration = reader->state->emulation.duration,
                                    .seed = (uint32_t)reader->state->emulation.seed};
    if (!vcs_scn_reader_keys(reader, &draft)) {
        return false;
    }
    reader->state->emulation.duration = draft.duration;
    reader->state->emulation.seed = draft.seed;
    set_emulated(reader, "cpu_scheduling", "scheduling", draft.scheduling);
    set_emulated(reader, "work_fetch", "work_fetch", draft.work_fetch);
    set_emulated(reader, "work_send", "work_send", draft.work_send);
    set_emulated(reader, "completion", "use_dcf", draft.completion);
    set_emulated(reader, "deadline_origin", "deadline_origin", draft.deadline_origin);
    return true;
}

const struct state_section vcs_scn_state_emulation_section = {
    .kind = "emulation",
    .keys = emulation_keys,
    .key_count = sizeof emulation_keys / sizeof *emulation_keys,
    .read = read_emulation,
};
