/*
 * Checks of jobs and clients, and of what jobs refer to.
 *
 * Rules 10.1 and 10.2; worked by hand in tests/vcsched/dispatch/test_job.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/dispatch/job.h"

#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/fields/dispatch_fields.h"

VCS_CHECK_FIELDS(dispatch_job)

static int check_references(const vcs_dispatch_job *job, uint32_t number, uint32_t client_count, uint32_t job_count,
                            vcs_error *error) {
    if (vcs_job_is_sent(job->state) && job->client >= client_count) {
        return vcs_fail(error, VCS_ERR_INDEX, &vcs_dispatch_job_layout, number, VCS_FIELD(vcs_dispatch_job, client),
                        "is not the index of a client");
    }
    if (job->state == VCS_JOB_FRESH && job->client != VCS_NONE) {
        return vcs_fail(error, VCS_ERR_INDEX, &vcs_dispatch_job_layout, number, VCS_FIELD(vcs_dispatch_job, client),
                        "is given, although the job is fresh");
    }
    if (job->copy_of != VCS_NONE && (job->copy_of >= job_count || job->copy_of == number)) {
        return vcs_fail(error, VCS_ERR_INDEX, &vcs_dispatch_job_layout, number, VCS_FIELD(vcs_dispatch_job, copy_of),
                        "is not the index of another job");
    }
    return VCS_OK;
}

int vcs_job_check(const vcs_dispatch_job *job, uint32_t number, uint32_t client_count, uint32_t job_count,
                  vcs_error *error) {
    int code = vcs_check_dispatch_job_fields(job, number, error);
    return code == VCS_OK ? check_references(job, number, client_count, job_count, error) : code;
}

int vcs_clients_and_jobs_check(const vcs_array *clients, const vcs_array *jobs, vcs_error *error) {
    int code = vcs_check_records(clients, &vcs_client_layout, error);
    code = code == VCS_OK ? vcs_check_records(jobs, &vcs_dispatch_job_layout, error) : code;
    for (uint32_t i = 0; code == VCS_OK && i < jobs->count; i++) {
        const vcs_dispatch_job *job = vcs_element(jobs, i), *original = job;
        code = check_references(job, i, clients->count, jobs->count, error);
        if (code == VCS_OK && job->copy_of != VCS_NONE) {
            original = vcs_element(jobs, job->copy_of);
        }
        if (original != job && original->copy_of != VCS_NONE) {
            code = vcs_fail(error, VCS_ERR_INDEX, &vcs_dispatch_job_layout, i, VCS_FIELD(vcs_dispatch_job, copy_of),
                            "is a copy itself");
        }
    }
    return code;
}
