/*
 * What becomes of a result, and how many copies a job gets.
 *
 * Rules 11.1 and 11.2; worked by hand in tests/vcsched/verify/test_verify.c. The rest of the room: vote.c has the vote
 * of rules 11.2 and 11.3, trust.c and quota.c have the rest of 11.3.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/fields/verify_fields.h"

/* By method and outcome of its check (rule 11.1). Without a reason: the method has no such check. */
static const vcs_verdict consequences[VCS_VERIFY_RECOMPUTATION + 1][VCS_CHECK_FAILED + 1] = {
    [VCS_VERIFY_NONE][VCS_CHECK_NOT_MADE] = {.action = VCS_ACTION_ACCEPT, .reason = VCS_REASON_UNCHECKED},
    [VCS_VERIFY_DIRECT][VCS_CHECK_NOT_MADE] = {.action = VCS_ACTION_EXAMINE, .reason = VCS_REASON_TO_BE_EXAMINED},
    [VCS_VERIFY_DIRECT][VCS_CHECK_PASSED] = {.action = VCS_ACTION_ACCEPT, .reason = VCS_REASON_CHECK_PASSED},
    [VCS_VERIFY_DIRECT][VCS_CHECK_FAILED] = {.action = VCS_ACTION_DISCARD,
                                             .flags = VCS_BLACKLIST_CLIENT,
                                             .reason = VCS_REASON_CHECK_FAILED},
    [VCS_VERIFY_INVERSE][VCS_CHECK_NOT_MADE] = {.action = VCS_ACTION_SEND_CHECK,
                                                .flags = VCS_QUEUE_HEAD,
                                                .reason = VCS_REASON_TO_BE_INVERTED},
    [VCS_VERIFY_INVERSE][VCS_CHECK_PASSED] = {.action = VCS_ACTION_ACCEPT, .reason = VCS_REASON_CHECK_PASSED},
    [VCS_VERIFY_INVERSE][VCS_CHECK_FAILED] = {.action = VCS_ACTION_DISCARD,
                                              .flags = VCS_BLACKLIST_CLIENT | VCS_BLACKLIST_CHECKER | VCS_QUEUE_HEAD,
                                              .reason = VCS_REASON_INVERSE_FAILED},
    [VCS_VERIFY_RECOMPUTATION][VCS_CHECK_NOT_MADE] = {.action = VCS_ACTION_VOTE, .reason = VCS_REASON_TO_BE_VOTED},
};

/* The verdict on any result of a client on the blacklist, which need not be put there again. */
static const vcs_verdict refusal = {.action = VCS_ACTION_DISCARD, .reason = VCS_REASON_BLACKLISTED};

int vcs_verify(const vcs_check *check, vcs_verdict *verdict, vcs_error *error) {
    vcs_check known;
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_check_struct(verdict, &vcs_verdict_layout, error) : code;
    code = code == VCS_OK ? vcs_copy_input(&known, check, &vcs_check_layout, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    vcs_verdict answer = consequences[known.method][known.outcome];
    if (answer.reason == VCS_REASON_NONE) {
        return vcs_fail(error, VCS_ERR_UNSUPPORTED, &vcs_check_layout, 0, VCS_FIELD(vcs_check, outcome),
                        "is not possible: the method has no such check");
    }
    if ((known.flags & VCS_BLACKLISTED) != 0) {
        answer = refusal;
    }
    answer.struct_size = verdict->struct_size;
    vcs_hand_out(verdict, verdict->struct_size, &answer, sizeof answer);
    return VCS_OK;
}

int vcs_copies(double factor, double u, uint32_t *copies) {
    if (copies == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_first_error(vcs_check_number(factor, 1.0, VCS_MAX_COPIES), vcs_check_draw(u));
    if (code == VCS_OK) {
        uint32_t whole = (uint32_t)factor;
        *copies = whole + (u < factor - whole); /* the difference is exact */
    }
    return code;
}
