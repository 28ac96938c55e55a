// SPDX-License-Identifier: MIT
//! Which job a client gets next, among millions.

use super::*;

/// The index of a dispatcher: clients and jobs, ordered so that the next job is found quickly. It keeps what it needs
/// of the records, which stay with the caller: whenever one changes, set it here, too.
#[derive(Clone, Debug)]
pub struct Dispatch {
    memory: Vec<u64>,
}

impl Dispatch {
    /// Builds the index of all records, with room for so many clients and jobs. Room that is not used costs little.
    pub fn build(
        clients: &[vcs_client],
        jobs: &[vcs_dispatch_job],
        rules: &vcs_dispatch_rules,
        max_clients: u32,
        max_jobs: u32,
    ) -> Result<Self> {
        let (clients, jobs, mut bytes) = (counted(clients)?, counted(jobs)?, 0);
        plain(unsafe { vcs_dispatch_size(max_clients, max_jobs, &mut bytes) })?;
        let mut index = Dispatch { memory: zeros(bytes)? };
        let rules = vcs_dispatch_rules { struct_size: size_of::<vcs_dispatch_rules>() as u32, ..*rules };
        let (place, size) = (index.c(), index.memory.len() * 8);
        let mut detail = vcs_error::default();
        let code =
            unsafe { vcs_dispatch_build(place, size, &clients, &jobs, &rules, max_clients, max_jobs, &mut detail) };
        checked(code, &detail)?;
        Ok(index)
    }

    /// Updates a client that has changed; the number of clients so far adds one. On an error nothing is changed.
    pub fn set_client(&mut self, number: u32, client: &vcs_client) -> Result<()> {
        let mut detail = vcs_error::default();
        let code = unsafe { vcs_dispatch_set_client(self.c(), number, client, &mut detail) };
        checked(code, &detail)
    }

    /// Updates a job that has changed; the number of jobs so far adds one. On an error nothing is changed.
    pub fn set_job(&mut self, number: u32, job: &vcs_dispatch_job) -> Result<()> {
        let mut detail = vcs_error::default();
        let code = unsafe { vcs_dispatch_set_job(self.c(), number, job, &mut detail) };
        checked(code, &detail)
    }

    /// Which job a client gets next. The index stays as it is, so threads may share it and ask side by side.
    pub fn next(&self, client: u32, now: f64) -> Result<DispatchDecision> {
        unsafe { next(self.memory.as_ptr().cast(), client, now) }
    }

    fn c(&mut self) -> *mut vcs_dispatch {
        self.memory.as_mut_ptr().cast()
    }
}

/// # Safety
/// It must be an index.
pub(crate) unsafe fn next(index: *const vcs_dispatch, client: u32, now: f64) -> Result<DispatchDecision> {
    let mut decision = DispatchDecision::default();
    plain(vcs_dispatch_next(index, client, now, &mut decision))?;
    Ok(decision)
}
