/*
 * The functions of chapter 11, on records with any bytes.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcsched/core/number.c lib/vcsched/core/index_sort.c lib/vcsched/interface/*/*.c lib/vcsched/verify/*.c
#include <vcsched/vcsched.h>

#include "right.h"

int code;

static void keep_quotas(void) {
    uint32_t left;
    ANY(vcs_quota, seen);
    code = vcs_quota_left(&seen, ANY_TIME(), &left);
    ANY(vcs_quota, taken);
    code = vcs_quota_take(&taken, ANY_TIME(), ANY_U32());
    ANY(vcs_quota, judged);
    code = vcs_quota_judge(&judged, ANY_U32());
}

static void delay_hosts(void) {
    ANY(vcs_next_request, request);
    double seconds;
    uint32_t reason;
    request.struct_size = sizeof request; /* which is how much memory there is */
    code = vcs_next_request_delay(&request, ANY_TIME(), ANY_FINITE(), &seconds, &reason, (vcs_error *)0);
    code = vcs_next_request_init(&request, sizeof request);
}

static void trust(void) {
    ANY(vcs_trust, updated);
    code = vcs_trust_update(&updated, ANY_U32(), ANY_U32());
    ANY(vcs_trust, asked);
    uint32_t needed, reason;
    code = vcs_trust_needs_copy(&asked, ANY_FINITE(), &needed, &reason);
    double credibility;
    code = vcs_credibility(ANY_U64(), ANY_FINITE(), &credibility);
    uint32_t copies;
    code = vcs_copies(ANY_FINITE(), ANY_FINITE(), &copies);
}

static void judge(void) {
    ANY(vcs_verdict, verdict);
    verdict.struct_size = sizeof verdict;
    RIGHT_SIZED(check, check);
    MAY_PASS(vcs_verify(&check, &verdict, NOBODY));
}

int main(void) {
    switch (Frama_C_interval(0, 2)) {
    case 0:
        keep_quotas();
        delay_hosts();
        break;
    case 1:
        trust();
        break;
    default:
        judge();
    }
    return 0;
}
