/* SPDX-License-Identifier: MIT */
#include "vcemu/sweep/options/grid_options.h"

#include "vcemu/scenario/text/parse_number.h"

#define MOST_SEEDS 10000
#define MOST_WORKERS 1024

/* A whole number from `least` to `most`; `otherwise` if it is not given. */
static bool read_count(const char *option, const char *text, uint32_t least, uint32_t most, uint32_t otherwise,
                       uint32_t *count, struct fault *fault) {
    double number = otherwise;
    if (text != NULL && (vcs_scn_number_read(text, &number) != NUMBER_OK || !vcs_scn_number_is_whole(number) ||
                         number < least || number > most)) {
        return vcs_scn_fault_set(fault, "%s %s: must be a whole number from %u to %u", option,
                                 vcs_scn_fault_quote(text).text, (unsigned)least, (unsigned)most);
    }
    *count = (uint32_t)number;
    return true;
}

bool vcs_swp_grid_options_read(struct grid_options *options, const struct grid_words *words, struct fault *fault) {
    *options = (struct grid_options){.trace = words->trace, .hosts = words->json};
    if (words->every != NULL &&
        (vcs_scn_number_read(words->every, &options->every) != NUMBER_OK || options->every <= 0)) {
        return vcs_scn_fault_set(fault, "--every: \"%s\" is not a number of seconds above 0",
                                 vcs_scn_fault_quote(words->every).text);
    }
    if (!read_count("--seeds", words->seeds, 1, MOST_SEEDS, 1, &options->seeds, fault) ||
        !read_count("-j", words->workers, 1, MOST_WORKERS, 0, &options->workers, fault) ||
        !read_count("--trace-host", words->trace_host, 0, VCS_NONE - 1, VCS_NONE, &options->trace_host, fault)) {
        return false;
    }
    if (words->trace_host != NULL && words->trace == NULL) {
        return vcs_scn_fault_set(fault, "--trace-host: name the file with --trace");
    }
    if (words->json && words->csv) {
        return vcs_scn_fault_set(fault, "--json and --csv are two forms of the same output: give one of them");
    }
    return words->trace == NULL || options->seeds == 1 ||
           vcs_scn_fault_set(fault, "--trace writes the events of one seed and cannot be combined with --seeds");
}
