/* SPDX-License-Identifier: MIT */
#include "state/prepared.h"
#include "interface/check.h"

#include <string.h>

int64_t vcs_buffer_end(const vcs_parameters *parameters) {
    return vcs_micros(parameters->min_buffer + parameters->additional_buffer);
}

/* As vcs_read_results(), for a caller whose elements are older or newer, or whose array does not fit. */
static int read_by_element(const void *results, uint32_t size, uint32_t needed, void *out, uint32_t element_size,
                           uint32_t count) {
    int code = vcs_check_output(out, element_size, size, count, needed);
    if (code != VCS_OK) {
        return code;
    }
    for (uint32_t i = 0; i < count; i++) {
        vcs_hand_out((unsigned char *)out + (size_t)i * element_size, element_size,
                     (const unsigned char *)results + (size_t)i * size, size);
    }
    return VCS_OK;
}

int vcs_read_results(const vcs_state *state, uint32_t needs, const void *results, uint32_t size, uint32_t needed,
                     void *out, uint32_t element_size, uint32_t count) {
    if ((state->has & needs) == 0) {
        return VCS_ERR_SEQUENCE;
    }
    if (element_size != size || count != needed || out == NULL) {
        return read_by_element(results, size, needed, out, element_size, count);
    }
    memcpy(out, results, (size_t)count * size);
    return VCS_OK;
}
