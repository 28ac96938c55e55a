/* [emulation]: how long, and by which rules of the study. SPDX-License-Identifier: MIT */
#include "vcemu/scenario/state/state_sections.h"

#include <string.h>

#include "vcemu/scenario/state/state_reader.h"

struct emulation_draft {
    double duration;
    uint32_t seed;
    /* values of parameters */
    uint32_t scheduling, work_fetch, work_send, completion, deadline_origin;
};

#define EMULATION(field) offsetof(struct emulation_draft, field)

static const struct state_key emulation_keys[] = {
    {"duration", FORM_NUMBER, .offset = EMULATION(duration), .range = RANGE_NOT_NEGATIVE},
    {"seed", FORM_WHOLE, .offset = EMULATION(seed)},
    {"cpu_scheduling", FORM_WORD, .offset = EMULATION(scheduling), .words = " CS1 CS2 "},
    {"work_fetch", FORM_CHOICE, .offset = EMULATION(work_fetch), .field = "work_fetch"},
    {"work_send", FORM_CHOICE, .offset = EMULATION(work_send), .field = "work_send"},
    {"completion", FORM_WORD, .offset = EMULATION(completion), .words = " JC1 JC2 "},
    {"deadline_origin", FORM_CHOICE, .offset = EMULATION(deadline_origin), .field = "deadline_origin"},
};

/* Keys that set the policy, and the parameter that each sets. */
static const struct {
    const char *key, *parameter;
    size_t offset; /* of the choice */
} rules[] = {
    {"cpu_scheduling", "scheduling", EMULATION(scheduling)},
    {"work_fetch", "work_fetch", EMULATION(work_fetch)},
    {"work_send", "work_send", EMULATION(work_send)},
    {"completion", "use_dcf", EMULATION(completion)},
    {"deadline_origin", "deadline_origin", EMULATION(deadline_origin)},
};

#define RULES (sizeof rules / sizeof *rules)

const char *vcs_scn_state_emulation_parameter(const char *key) {
    for (size_t i = 0; i < RULES; i++) {
        if (strcmp(rules[i].key, key) == 0) {
            return rules[i].parameter;
        }
    }
    return NULL;
}

/* The rules apply only to the emulation, unless the command line sets the parameter. */
static void set_rules(const struct state_reader *reader, const struct emulation_draft *draft) {
    for (size_t i = 0; i < RULES; i++) {
        if (vcs_scn_reader_has(reader, rules[i].key) && !vcs_scn_policy_is_wished(reader->wish, rules[i].parameter)) {
            uint32_t choice;
            memcpy(&choice, (const unsigned char *)draft + rules[i].offset, sizeof choice);
            vcs_parameter_set(&reader->state->emulated_parameters, vcs_parameter_find(rules[i].parameter), choice);
        }
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
    set_rules(reader, &draft);
    return true;
}

/* The keys of [client] are the parameters of the library, which are read with the policy. */
const struct state_section vcs_scn_state_client_section = {.kind = "client"};

const struct state_section vcs_scn_state_emulation_section = {
    .kind = "emulation",
    .keys = emulation_keys,
    .key_count = sizeof emulation_keys / sizeof *emulation_keys,
    .read = read_emulation,
};
