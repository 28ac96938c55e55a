/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/text/switch.h"

#include <string.h>

#include "vcemu/scenario/text/bytes.h"

#define WORD_COUNT 4

bool vcs_scn_switch_read(const char *text, bool *on) {
    static const char words[2][WORD_COUNT][6] = {{"no", "false", "off", "0"}, {"yes", "true", "on", "1"}};
    for (int answer = 0; answer < 2; answer++) {
        for (int i = 0; i < WORD_COUNT; i++) {
            if (vcs_scn_bytes_are_word(text, words[answer][i], strlen(words[answer][i]))) {
                *on = answer == 1;
                return true;
            }
        }
    }
    return false;
}
