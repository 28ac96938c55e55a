/*
 * Verification (chapter 11): votes, checks, trust and quota with any records. A vote by count is held again as plainly
 * as the rule states it; the order of the ballots decides nothing; a call that is refused writes nothing.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"
#include "support/array.h"

#include <string.h>

#include <vcsched/verify.h>
#include <vcsched/reason.h>

enum { MOST = 8 };

typedef struct poll {
    vcs_ballot ballots[MOST];
    uint32_t count;
    vcs_vote_terms terms;
} poll;

typedef struct outcome {
    uint32_t order[MOST];
    vcs_ballot_verdict verdicts[MOST];
    vcs_vote_summary summary;
    int code;
} outcome;

static void begin(fuzz_input *in, poll *p) {
    const uint32_t shape = fuzz_byte(in);
    memset(p, 0, sizeof *p);
    p->count = shape % (MOST + 1);
    p->terms = (vcs_vote_terms){
        .struct_size = sizeof p->terms, .copies = 1 + shape / 16 % 4, .rule = shape / 64 % 2, .tolerance = 0.01};
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t kind = fuzz_byte(in);
        p->ballots[i] = (vcs_ballot){.id = i,
                                     .result_class = kind % 3,
                                     .credibility = 0.5 + kind / 600.0,
                                     .flags = kind / 16 == 0 ? VCS_BLACKLISTED : 0};
    }
}

static outcome hold(const poll *p) {
    outcome o;
    vcs_error error = {.struct_size = sizeof error};
    fuzz_mark(&o, sizeof o);
    o.summary.struct_size = sizeof o.summary;
    o.code = vcs_vote(ARRAY(p->ballots, p->count), &p->terms, o.order, ARRAY(o.verdicts, p->count), &o.summary, &error);
    if (o.code != VCS_OK) {
        fuzz_refused(o.code, &error);
        fuzz_unmarked("order", o.order, sizeof o.order);
        fuzz_unmarked("verdicts", o.verdicts, sizeof o.verdicts);
        fuzz_unmarked("summary", &o.summary.flags, sizeof o.summary - offsetof(vcs_vote_summary, flags));
    }
    return o;
}

static uint32_t votes_of(const poll *p, uint32_t result_class) {
    uint32_t votes = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        votes += p->ballots[i].flags == 0 && p->ballots[i].result_class == result_class;
    }
    return votes;
}

/* By count: more than any other, once all copies are in. */
static void check_count(const poll *p, const outcome *o) {
    uint32_t votes = 0, most = 0, leaders = 0, winner = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        votes += p->ballots[i].flags == 0;
        const uint32_t own = p->ballots[i].flags == 0 ? votes_of(p, p->ballots[i].result_class) : 0;
        if (own > most || (own == most && own > 0 && p->ballots[i].result_class != winner)) {
            leaders = own > most ? 1 : leaders + 1; /* counts a tied class once for each ballot; more than 1 is a tie */
            winner = leaders == 1 ? p->ballots[i].result_class : winner;
            most = own;
        }
    }
    const bool is_won = votes >= p->terms.copies && leaders == 1;
    assert_int_equal((o->summary.flags & VCS_VOTE_WON) != 0, is_won);
    assert_int_equal(o->summary.winner, is_won ? winner : 0);
    assert_int_equal(o->summary.further, votes < p->terms.copies ? p->terms.copies - votes : !is_won);
    assert_int_equal(o->summary.votes, most);
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t expected = p->ballots[i].flags != 0               ? VCS_BALLOT_REFUSED
                                  : !is_won                              ? VCS_BALLOT_OPEN
                                  : p->ballots[i].result_class == winner ? VCS_BALLOT_VALID
                                                                         : VCS_BALLOT_WRONG;
        assert_int_equal(o->verdicts[i].verdict, expected);
    }
}

/* Whatever the rule. */
static void check_any(const poll *p, const outcome *o) {
    uint32_t refused = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        assert_true(o->order[i] < p->count);
        assert_true(o->verdicts[i].verdict <= VCS_BALLOT_REFUSED);
        assert_string_not_equal(vcs_reason_name(o->verdicts[i].reason), "unknown");
        refused += o->verdicts[i].verdict == VCS_BALLOT_REFUSED;
    }
    assert_int_equal(refused, o->summary.refused);
    assert_true(o->summary.doubt >= 0 && o->summary.doubt <= 1);
}

static bool are_ids_distinct(const poll *p) {
    for (uint32_t i = 0; i < p->count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (p->ballots[i].id == p->ballots[j].id) {
                return false;
            }
        }
    }
    return true;
}

static void check_turned(const poll *p, const outcome *o) {
    poll turned = *p;
    for (uint32_t i = 0; i < p->count; i++) {
        turned.ballots[i] = p->ballots[p->count - 1 - i];
    }
    outcome again = hold(&turned);
    assert_int_equal(again.code, VCS_OK);
    if (again.summary.ballot != VCS_NONE) {
        again.summary.ballot = p->count - 1 - again.summary.ballot;
    }
    fuzz_same("vote in another order", &o->summary, &again.summary, sizeof o->summary);
    for (uint32_t i = 0; i < p->count; i++) {
        fuzz_same("verdict in another order", &o->verdicts[i], &again.verdicts[p->count - 1 - i], sizeof *o->verdicts);
    }
}

static void vote(fuzz_input *in) {
    poll p;
    begin(in, &p);
    const fuzz_records records[] = {
        {VCS_TYPE_BALLOT, p.ballots, sizeof *p.ballots, p.count},
        {VCS_TYPE_VOTE_TERMS, &p.terms, sizeof p.terms, 1},
    };
    for (uint32_t edits = fuzz_byte(in) % 6; edits > 0; edits--) {
        fuzz_edit(in, records, 2);
    }
    const outcome o = hold(&p);
    if (o.code != VCS_OK) {
        return;
    }
    check_any(&p, &o);
    if (p.terms.rule == VCS_VOTE_BY_COUNT && (p.terms.flags & VCS_VOTE_DECIDED) == 0) {
        check_count(&p, &o);
    }
    if (are_ids_distinct(&p)) {
        check_turned(&p, &o);
    }
}

/* ---- Checks, trust and quota ---- */

static void check_result(fuzz_input *in) {
    vcs_check check = {.struct_size = sizeof check, .method = fuzz_byte(in) % 5, .outcome = fuzz_byte(in) % 4};
    vcs_verdict verdict = {.struct_size = sizeof verdict}, untouched = verdict;
    vcs_error error = {.struct_size = sizeof error};
    const fuzz_records records[] = {{VCS_TYPE_CHECK, &check, sizeof check, 1}};
    for (uint32_t edits = fuzz_byte(in) % 3; edits > 0; edits--) {
        fuzz_edit(in, records, 1);
    }
    const int code = vcs_verify(&check, &verdict, &error);
    if (code != VCS_OK) {
        fuzz_refused(code, &error);
        fuzz_same("verdict that was refused", &untouched, &verdict, sizeof verdict);
        return;
    }
    assert_true(verdict.action <= VCS_ACTION_DISCARD);
    assert_true((check.flags & VCS_BLACKLISTED) == 0 || verdict.action == VCS_ACTION_DISCARD);
}

static void follow_host(fuzz_input *in) {
    vcs_trust trust = {.id = 1}, trust_before;
    vcs_quota quota = {.max_quota = 1 + fuzz_byte(in), .quota = 1}, quota_before;
    const fuzz_records records[] = {
        {VCS_TYPE_TRUST, &trust, sizeof trust, 1},
        {VCS_TYPE_QUOTA, &quota, sizeof quota, 1},
    };
    for (uint32_t steps = 0; steps < 20 && fuzz_more(in); steps++) {
        const uint32_t what = fuzz_byte(in);
        const double now = what < 200 ? 1000.0 * what : fuzz_number(in);
        uint32_t left = 77, needed = 77, reason = 77;
        double credibility = -1;
        if (what % 16 == 0) {
            fuzz_edit(in, records, 2);
        }
        trust_before = trust;
        quota_before = quota;
        int code = vcs_quota_left(&quota, now, &left);
        assert_true(code == VCS_OK ? left <= quota.quota : left == 77);
        if (code != VCS_OK) {
            fuzz_same("quota", &quota_before, &quota, sizeof quota);
        }
        quota_before = quota;
        code = vcs_quota_take(&quota, now, fuzz_byte(in) % 8);
        if (code != VCS_OK) {
            fuzz_same("quota", &quota_before, &quota, sizeof quota);
        }
        quota_before = quota;
        code = vcs_quota_judge(&quota, fuzz_byte(in) % 3);
        if (code != VCS_OK) {
            fuzz_same("quota", &quota_before, &quota, sizeof quota);
        } else {
            assert_true(quota.quota >= 1 && quota.quota <= quota.max_quota);
        }
        code = vcs_trust_update(&trust, what % 5, VCS_REASON_OUTVOTED);
        if (code != VCS_OK) {
            fuzz_same("trust", &trust_before, &trust, sizeof trust);
        } else {
            /* an error never raises trust */
            assert_true(what % 5 < VCS_TRUST_ERROR || trust.valid_in_row == 0);
        }
        code = vcs_trust_needs_copy(&trust, fuzz_fraction(in), &needed, &reason);
        assert_true(code == VCS_OK ? needed <= 1 : needed == 77 && reason == 77);
        code = vcs_credibility(fuzz_integer(in, 2), fuzz_number(in), &credibility);
        assert_true(code == VCS_OK ? credibility >= 0 && credibility <= VCS_MAX_CREDIBILITY : credibility == -1);
    }
}

/* However the reply was: no delay is too short, and none goes beyond the next day. */
static void delay_host(fuzz_input *in) {
    vcs_next_request request;
    vcs_error error = {.struct_size = sizeof error};
    double seconds = 77, now = fuzz_number(in);
    uint32_t reason = 77;
    assert_int_equal(vcs_next_request_init(&request, sizeof request), VCS_OK);
    request.sent = fuzz_byte(in) % 3;
    request.late = fuzz_byte(in) % 3;
    request.quota_left = fuzz_byte(in) % 3;
    const fuzz_records records[] = {{VCS_TYPE_NEXT_REQUEST, &request, sizeof request, 1}};
    for (uint32_t edits = fuzz_byte(in) % 4; edits > 0; edits--) {
        fuzz_edit(in, records, 1);
    }
    const int code = vcs_next_request_delay(&request, now, fuzz_fraction(in), &seconds, &reason, &error);
    if (code != VCS_OK) {
        fuzz_refused(code, &error);
        assert_true(seconds == 77 && reason == 77);
        return;
    }
    assert_true(seconds >= request.least_delay);
    assert_true(seconds <=
                request.least_delay + request.no_work_delay + request.deadline_delay + request.quota_spread + 86401);
    assert_string_not_equal(vcs_reason_name(reason), "unknown");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    fuzz_input in = {bytes, size};
    switch (fuzz_byte(&in) % 4) {
    case 0:
        check_result(&in);
        break;
    case 1:
        follow_host(&in);
        delay_host(&in);
        break;
    default:
        vote(&in);
    }
    return 0;
}
