/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/text/switch.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#define WORD_COUNT 4

bool vcs_scn_switch_read(const char *text, bool *on) {
    static const char words[2][WORD_COUNT][6] = {{"no", "false", "off", "0"}, {"yes", "true", "on", "1"}};
    char lower[8] = "";
    for (size_t i = 0; text[i] != '\0' && i < sizeof lower - 1; i++) {
        lower[i] = (char)tolower((unsigned char)text[i]);
    }
    for (int answer = 0; answer < 2; answer++) {
        for (int i = 0; i < WORD_COUNT; i++) {
            if (strcmp(lower, words[answer][i]) == 0) {
                *on = answer == 1;
                return true;
            }
        }
    }
    return false;
}
