/* SPDX-License-Identifier: MIT */
#include "timers/backoff.h"

#include "interface/argument.h"
#include "interface/check.h"
#include "core/number.h"

#include <stdbool.h>
#include <string.h>

static double lesser(double a, double b) {
    return a < b ? a : b;
}

static double greater(double a, double b) {
    return a > b ? a : b;
}

/* ---- How long to wait (rule 3.1) ---- */

/* e^x, infinity when it is too large for a double. */
static double exponential(double x) {
    return vcs_exp2(x * VCS_LOG2_E);
}

static double drawn_wait(const vcs_backoff_range *range, uint32_t failures, double u) {
    if (failures == 0) {
        return 0.0;
    }
    double n = failures;
    if (range->most_failures > 0 && failures > range->most_failures) {
        n = range->most_failures;
    }
    if (range->rule == VCS_BACKOFF_EXPONENT) {
        return greater(range->minimum, lesser(range->maximum, exponential(u * n)));
    }
    if (range->rule == VCS_BACKOFF_UNIFORM) {
        double room = lesser(range->maximum, exponential(n)) - range->minimum;
        return range->minimum + u * greater(room, 0.0);
    }
    return lesser(range->maximum, range->minimum * vcs_exp2(n)) * (0.5 + 0.5 * u);
}

static int take_range(vcs_backoff_range *known, const vcs_backoff_range *callers) {
    int code = vcs_take_input(known, callers, VCS_TYPE_BACKOFF_RANGE, NULL);
    if (code != VCS_OK) {
        return code;
    }
    return known->minimum <= known->maximum ? VCS_OK : VCS_ERR_RANGE;
}

static vcs_backoff_range range_of(const vcs_parameters *policy, double minimum, double maximum) {
    vcs_backoff_range range;
    memset(&range, 0, sizeof range);
    range.struct_size = sizeof range;
    range.rule = policy->backoff_rule;
    range.most_failures = policy->backoff_failures;
    range.minimum = minimum;
    range.maximum = maximum;
    return range;
}

vcs_backoff_range vcs_scheduler_range(const vcs_parameters *policy) {
    return range_of(policy, policy->backoff_min, policy->backoff_max);
}

vcs_backoff_range vcs_resource_range(const vcs_parameters *policy) {
    return range_of(policy, policy->pair_backoff_min, policy->pair_backoff_max);
}

static vcs_backoff_range transfer_range(const vcs_parameters *policy) {
    return range_of(policy, policy->transfer_backoff_min, policy->transfer_backoff_max);
}

/* Whether there is such a purpose; if so, its range. */
static bool find_range(const vcs_parameters *policy, uint32_t purpose, vcs_backoff_range *range) {
    switch (purpose) {
    case VCS_BACKOFF_OF_SCHEDULER:
        *range = vcs_scheduler_range(policy);
        return true;
    case VCS_BACKOFF_OF_RESOURCE:
        *range = vcs_resource_range(policy);
        return true;
    case VCS_BACKOFF_OF_TRANSFER:
        *range = transfer_range(policy);
        return true;
    default:
        return false;
    }
}

int vcs_backoff_range_init(vcs_backoff_range *range, uint32_t size, const vcs_parameters *parameters, uint32_t purpose,
                           vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    if (range == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_BACKOFF_RANGE, 0, VCS_WHOLE_RECORD, "is NULL");
    }
    if (parameters == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, VCS_TYPE_PARAMETERS, 0, VCS_WHOLE_RECORD, "are NULL");
    }
    code = vcs_check_size(size, sizeof *range);
    if (code != VCS_OK) {
        return vcs_fail(error, code, VCS_TYPE_BACKOFF_RANGE, 0, VCS_WHOLE_RECORD, "never had this size");
    }
    vcs_parameters room;
    code = vcs_parameters_read(&parameters, &room, error);
    if (code != VCS_OK) {
        return code;
    }
    vcs_backoff_range found;
    if (!find_range(parameters, purpose, &found)) {
        return vcs_fail(error, VCS_ERR_FLAGS, VCS_TYPE_NONE, 0, VCS_WHOLE_RECORD,
                        "purpose is a choice that this version of the library does not know");
    }
    found.struct_size = size;
    vcs_hand_out(range, size, &found, sizeof found);
    return VCS_OK;
}

int vcs_backoff(const vcs_backoff_range *range, uint32_t failures, double u, double *wait) {
    if (wait == NULL) {
        return VCS_ERR_NULL;
    }
    vcs_backoff_range known;
    int code = vcs_first_error(take_range(&known, range), vcs_check_draw(u));
    if (code == VCS_OK) {
        *wait = drawn_wait(&known, failures, u);
    }
    return code;
}

/* ---- Moments that are waited for ---- */

/* Averages and timers are kept within what their records take. */
static double as_time(double time) {
    return greater(-VCS_MAX_TIME, lesser(time, VCS_MAX_TIME));
}

/* The same moment by a clock that went back; 0, which is no moment, stays 0. */
static double moved_back(double moment, double by) {
    return moment == 0.0 ? 0.0 : as_time(moment - by);
}

/* What a failure or an empty reply needs: a record, the range of waits, the present and a draw. */
static int begin_failure(uint32_t type, const void *timer, vcs_backoff_range *known, const vcs_backoff_range *range,
                         double now, double u) {
    if (timer == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_check_fields(type, timer, 0, NULL);
    code = vcs_first_error(code, take_range(known, range));
    code = vcs_first_error(code, vcs_check_time(now));
    return vcs_first_error(code, vcs_check_draw(u));
}

/* What a question needs: a record, room for the answer, and the present. */
static int begin_question(uint32_t type, const void *timer, const void *answer, double now) {
    if (timer == NULL || answer == NULL) {
        return VCS_ERR_NULL;
    }
    return vcs_first_error(vcs_check_fields(type, timer, 0, NULL), vcs_check_time(now));
}

/* ---- Project (rule 3.2) ---- */

void vcs_timer_move_back(vcs_project_timer *timer, double by) {
    timer->min_rpc_time = moved_back(timer->min_rpc_time, by);
}

/* Later, never earlier. */
void vcs_timer_delay(vcs_project_timer *timer, double now, double delay) {
    const double until = as_time(now + delay);
    vcs_timer_see(timer, now);
    timer->min_rpc_time = timer->min_rpc_time == 0.0 ? until : greater(timer->min_rpc_time, until);
}

void vcs_timer_failed(vcs_project_timer *timer, const vcs_backoff_range *range, double now, double u) {
    timer->failures += timer->failures < UINT32_MAX;
    vcs_timer_delay(timer, now, drawn_wait(range, timer->failures, u));
}

void vcs_timer_clear(vcs_project_timer *timer) {
    timer->min_rpc_time = 0.0;
    timer->failures = 0;
}

int vcs_project_timer_delay(vcs_project_timer *timer, double now, double delay) {
    if (timer == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_check_project_timer_fields(timer, 0, NULL);
    code = vcs_first_error(code, vcs_check_time(now));
    code = vcs_first_error(code, vcs_check_number(delay, 0.0, VCS_MAX_SECONDS));
    if (code == VCS_OK) {
        vcs_timer_delay(timer, now, delay);
    }
    return code;
}

int vcs_project_timer_failed(vcs_project_timer *timer, const vcs_backoff_range *range, double now, double u) {
    vcs_backoff_range known;
    int code = begin_failure(VCS_TYPE_PROJECT_TIMER, timer, &known, range, now, u);
    if (code == VCS_OK) {
        vcs_timer_failed(timer, &known, now, u);
    }
    return code;
}

int vcs_project_timer_clear(vcs_project_timer *timer) {
    if (timer == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_check_project_timer_fields(timer, 0, NULL);
    if (code == VCS_OK) {
        vcs_timer_clear(timer);
    }
    return code;
}

int vcs_project_timer_wait(vcs_project_timer *timer, double now, double *wait) {
    int code = begin_question(VCS_TYPE_PROJECT_TIMER, timer, wait, now);
    if (code == VCS_OK) {
        vcs_timer_see(timer, now);
        *wait = vcs_timer_wait(timer, now);
    }
    return code;
}

/* ---- Project and resource (rule 3.3) ---- */

static void bring_pair_up_to_date(vcs_resource_backoff *backoff, double now) {
    backoff->until = moved_back(backoff->until, vcs_went_back(backoff->seen, now));
    backoff->seen = now;
}

void vcs_resource_refused(vcs_resource_backoff *backoff, const vcs_backoff_range *range, double now, double u) {
    bring_pair_up_to_date(backoff, now);
    if (vcs_wait_until(backoff->until, now) == 0.0) {
        backoff->interval = greater(range->minimum, lesser(range->maximum, 2.0 * backoff->interval));
        backoff->until = as_time(now + backoff->interval * (0.5 + u));
    }
}

void vcs_resource_arrived(vcs_resource_backoff *backoff) {
    backoff->interval = 0.0;
    backoff->until = 0.0;
}

int vcs_resource_backoff_refused(vcs_resource_backoff *backoff, const vcs_backoff_range *range, double now, double u) {
    vcs_backoff_range known;
    int code = begin_failure(VCS_TYPE_RESOURCE_BACKOFF, backoff, &known, range, now, u);
    if (code == VCS_OK) {
        vcs_resource_refused(backoff, &known, now, u);
    }
    return code;
}

int vcs_resource_backoff_arrived(vcs_resource_backoff *backoff) {
    if (backoff == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_check_resource_backoff_fields(backoff, 0, NULL);
    if (code == VCS_OK) {
        vcs_resource_arrived(backoff);
    }
    return code;
}

int vcs_resource_backoff_wait(vcs_resource_backoff *backoff, double now, double *wait) {
    int code = begin_question(VCS_TYPE_RESOURCE_BACKOFF, backoff, wait, now);
    if (code == VCS_OK) {
        bring_pair_up_to_date(backoff, now);
        *wait = vcs_wait_until(backoff->until, now);
    }
    return code;
}

/* ---- Transfers (rule 3.4) ---- */

static void bring_transfers_up_to_date(vcs_transfer_backoff *backoff, double now) {
    double back = vcs_went_back(backoff->seen, now);
    backoff->until = moved_back(backoff->until, back);
    backoff->failing_since = as_time(backoff->failing_since - back);
    backoff->failed_at = as_time(backoff->failed_at - back);
    backoff->seen = now;
}

/* Whether a failure is one of those that have been counted already. */
static bool is_counted(const vcs_transfer_backoff *backoff, double now) {
    return vcs_wait_until(backoff->until, now) > 0.0 || (backoff->failures > 0 && backoff->failed_at == now);
}

int vcs_transfer_backoff_failed(vcs_transfer_backoff *backoff, const vcs_backoff_range *range, double now, double u) {
    vcs_backoff_range known;
    int code = begin_failure(VCS_TYPE_TRANSFER_BACKOFF, backoff, &known, range, now, u);
    if (code != VCS_OK) {
        return code;
    }
    bring_transfers_up_to_date(backoff, now);
    if (is_counted(backoff, now)) {
        return VCS_OK;
    }
    if (backoff->failures == 0) {
        backoff->failing_since = now;
    }
    backoff->failed_at = now;
    backoff->failures += backoff->failures < UINT32_MAX;
    if (backoff->failures >= VCS_TRANSFER_FAILURES) {
        backoff->until = as_time(now + drawn_wait(&known, backoff->failures, u));
    }
    return VCS_OK;
}

int vcs_transfer_backoff_succeeded(vcs_transfer_backoff *backoff) {
    if (backoff == NULL) {
        return VCS_ERR_NULL;
    }
    int code = vcs_check_transfer_backoff_fields(backoff, 0, NULL);
    if (code == VCS_OK) {
        backoff->until = 0.0;
        backoff->failing_since = 0.0;
        backoff->failed_at = 0.0;
        backoff->failures = 0;
    }
    return code;
}

int vcs_transfer_backoff_wait(vcs_transfer_backoff *backoff, double now, double *wait) {
    int code = begin_question(VCS_TYPE_TRANSFER_BACKOFF, backoff, wait, now);
    if (code == VCS_OK) {
        bring_transfers_up_to_date(backoff, now);
        *wait = vcs_wait_until(backoff->until, now);
    }
    return code;
}

int vcs_transfer_backoff_is_hopeless(vcs_transfer_backoff *backoff, double now, double give_up, uint32_t *hopeless) {
    int code = begin_question(VCS_TYPE_TRANSFER_BACKOFF, backoff, hopeless, now);
    code = vcs_first_error(code, vcs_check_number(give_up, 1e-3, VCS_MAX_SECONDS));
    if (code == VCS_OK) {
        bring_transfers_up_to_date(backoff, now);
        *hopeless = backoff->failures > 0 && now - backoff->failing_since >= give_up;
    }
    return code;
}
