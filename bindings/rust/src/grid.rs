// SPDX-License-Identifier: MIT
//! What comes of a grid, and functions of the caller's in the place of decisions of its servers.

use super::*;
// By name, since sys has others.
use super::{Hooks, Result};
use hooks::{call, guarded, of_array, seen, Failure, ENDED};
use std::os::raw::{c_int, c_void};

/// What came of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct GridEmulated {
    pub outcome: vcs_grid_outcome,
    pub projects: Vec<vcs_grid_project_outcome>,
    /// Each host that there was, in order of class; those that replaced others come last.
    pub hosts: Vec<vcs_grid_host_outcome>,
    /// Of each project, how it was every `terms.sample` seconds, if that is not 0.
    pub samples: Vec<Vec<vcs_grid_sample>>,
    /// Of each project, the histogram of how long its units took: `VCS_GRID_BINS` counts.
    pub turnarounds: Vec<Vec<u64>>,
}

/// Emulates a grid by `run`, with room for so many hosts and for so many samples of each project. The code that the
/// library returned, and the outcome, which holds nothing unless that is `VCS_OK`.
pub(crate) fn emulate(
    (projects, hosts, samples): (u32, u64, u64),
    run: impl FnOnce(*const vcs_grid_results) -> Result<c_int>,
) -> Result<(i32, GridEmulated)> {
    let of_all = u64::from(projects);
    let samples = if projects == 0 { 0 } else { samples };
    let mut outcome = vcs_grid_outcome::default();
    let mut of_projects = records::<vcs_grid_project_outcome>(of_all)?;
    let mut of_hosts = records::<vcs_grid_host_outcome>(hosts)?;
    let mut of_samples = records::<vcs_grid_sample>(samples.saturating_mul(of_all))?;
    let mut turnarounds = records::<u64>(of_all * u64::from(VCS_GRID_BINS))?;
    let results = vcs_grid_results {
        outcome: &mut outcome,
        projects: of_projects.as_mut_ptr(),
        turnarounds: turnarounds.as_mut_ptr(),
        hosts: of_hosts.as_mut_ptr(),
        samples: of_samples.as_mut_ptr(),
        project_size: size_of::<vcs_grid_project_outcome>() as u32,
        project_count: projects,
        host_size: size_of::<vcs_grid_host_outcome>() as u32,
        host_count: hosts as u32,
        sample_size: size_of::<vcs_grid_sample>() as u32,
        sample_count: samples as u32,
        ..Default::default()
    };
    let code = run(&results)?;
    of_hosts.truncate(outcome.hosts as usize);
    let taken = outcome.samples.min(samples) as usize;
    let of_project = |project| of_samples[project * samples as usize..][..taken].to_vec();
    let emulated = GridEmulated {
        outcome,
        projects: of_projects,
        hosts: of_hosts,
        samples: (0..projects as usize).map(of_project).collect(),
        turnarounds: turnarounds.chunks(VCS_GRID_BINS as usize).map(<[u64]>::to_vec).collect(),
    };
    Ok((code, emulated))
}

/// Room for so many; an error if there cannot be.
fn records<T: Default + Clone>(count: u64) -> Result<Vec<T>> {
    let mut records = Vec::new();
    let fits = u32::try_from(count).map_or(false, |count| records.try_reserve_exact(count as usize).is_ok());
    plain(if fits { VCS_OK } else { VCS_ERR_OVERFLOW })?;
    records.resize(count as usize, T::default());
    Ok(records)
}

type Next<'a> = dyn Fn(u32, f64) -> Result<DispatchDecision> + 'a;
type Dispatches<'a> = Box<dyn FnMut(&vcs_grid_situation, &Next) -> Result<Option<DispatchDecision>> + 'a>;
type Validates<'a> =
    Box<dyn FnMut(&vcs_grid_situation, &vcs_unit, &[vcs_result], &[u32]) -> Result<Option<Vec<vcs_change>>> + 'a>;
type Trusts<'a> = Box<dyn FnMut(&vcs_grid_situation, &vcs_trust, f64) -> Result<Option<bool>> + 'a>;
type Observes<'a> = Box<dyn FnMut(&vcs_grid_event) -> Result<()> + 'a>;
type Progresses<'a> = Box<dyn FnMut(f64) -> Result<()> + 'a>;

/// Functions in the place of decisions; what is None, the library decides. The contract of each is that of its
/// namesake in `vcs_grid_hooks`. One that answers None has failed at this one decision, and the grid goes on without.
/// An error ends the emulation, which returns it; so does a panic, which goes on when the library has returned.
#[derive(Default)]
pub struct GridHooks<'a> {
    /// Which job the host of the situation gets next: `job` and `is_copy`. The function that it is given tells what
    /// the index of all jobs would answer to a host at a time.
    pub dispatch: Option<Dispatches<'a>>,
    /// Which changes follow from the classes of a unit's results: at most as many as `VCS_CHANGES_PER_UNIT` says.
    pub validate: Option<Validates<'a>>,
    /// Whether the job of a host also goes to another one. The number is a random draw.
    pub trust: Option<Trusts<'a>>,
    /// Receives each event, in order of time.
    pub observe: Option<Observes<'a>>,
    /// Receives now and then how much is done, from 0 to 1.
    pub progress: Option<Progresses<'a>>,
    /// What the hosts of all populations decide: `schedule`, `fetch`, `send`, `estimate`.
    pub hosts: Hooks<'a>,
}

/// Lets `run` emulate with these functions, while `name_hosts` has named those of the hosts, and returns what it
/// returned, unless one of them failed.
pub(crate) fn with(
    hooks: &mut GridHooks,
    name_hosts: impl Fn(*const vcs_hooks),
    run: impl FnOnce(*const vcs_grid_hooks) -> c_int,
) -> Result<c_int> {
    let for_servers = vcs_grid_hooks {
        dispatch: hooks.dispatch.as_ref().map(|_| dispatch as _),
        validate: hooks.validate.as_ref().map(|_| validate as _),
        trust: hooks.trust.as_ref().map(|_| trust as _),
        observe: hooks.observe.as_ref().map(|_| observe as _),
        progress: hooks.progress.as_ref().map(|_| progress as _),
        ..Default::default()
    };
    let mut hosts = std::mem::take(&mut hooks.hosts);
    let for_hosts = hosts.for_c();
    let mut of_servers = Ok(VCS_OK);
    let of_hosts = guarded(&mut hosts, |context| {
        let for_hosts = vcs_hooks { context, ..for_hosts };
        name_hosts(&for_hosts);
        of_servers = guarded(hooks, |context| run(&vcs_grid_hooks { context, ..for_servers }));
        name_hosts(std::ptr::null());
        *of_servers.as_ref().unwrap_or(&ENDED)
    });
    hooks.hosts = hosts;
    of_hosts.and(of_servers).map_err(Failure::surface)
}

/// Writes what was decided, if anything was.
fn decided<T>(decision: Option<T>, write: impl FnOnce(T) -> Result<()>) -> Result<c_int> {
    decision.map_or(Ok(VCS_GRID_NOT_DECIDED), |decision| write(decision).map(|_| VCS_OK))
}

unsafe extern "C" fn dispatch(
    context: *mut c_void,
    situation: *const vcs_grid_situation,
    index: *const vcs_dispatch,
    decision: *mut vcs_dispatch_decision,
) -> c_int {
    call(context, |hooks: &mut GridHooks| {
        let next = |client, now| dispatch::next(index, client, now);
        let dispatch = hooks.dispatch.as_mut();
        decided(dispatch.map_or(Ok(None), |dispatch| dispatch(&file::copied(situation), &next))?, |chosen| {
            (*decision).job = chosen.job;
            (*decision).is_copy = chosen.is_copy;
            Ok(())
        })
    })
}

unsafe extern "C" fn validate(
    context: *mut c_void,
    situation: *const vcs_grid_situation,
    unit: *const vcs_unit,
    results: *const vcs_array,
    classes: *const u32,
    changes: *const vcs_array,
    change_count: *mut u32,
) -> c_int {
    call(context, |hooks: &mut GridHooks| {
        let results: &[vcs_result] = of_array(&*results)?;
        let classes = seen(classes, results.len());
        let validate = hooks.validate.as_mut();
        let found =
            validate.map_or(Ok(None), |validate| validate(&file::copied(situation), &*unit, results, classes))?;
        decided(found, |found| {
            plain(if found.len() <= (*changes).count as usize { VCS_OK } else { VCS_ERR_COUNT })?;
            // Of a change the size is frozen.
            std::ptr::copy_nonoverlapping(found.as_ptr(), (*changes).base as *mut vcs_change, found.len());
            *change_count = found.len() as u32;
            Ok(())
        })
    })
}

unsafe extern "C" fn trust(
    context: *mut c_void,
    situation: *const vcs_grid_situation,
    trust: *const vcs_trust,
    u: f64,
    needed: *mut u32,
) -> c_int {
    call(context, |hooks: &mut GridHooks| {
        let judge = hooks.trust.as_mut();
        decided(judge.map_or(Ok(None), |judge| judge(&file::copied(situation), &*trust, u))?, |answer| {
            *needed = answer.into();
            Ok(())
        })
    })
}

unsafe extern "C" fn observe(context: *mut c_void, event: *const vcs_grid_event) -> c_int {
    call(context, |hooks: &mut GridHooks| {
        hooks.observe.as_mut().map_or(Ok(()), |observe| observe(&*event)).map(|_| VCS_OK)
    })
}

unsafe extern "C" fn progress(context: *mut c_void, done: f64) -> c_int {
    call(context, |hooks: &mut GridHooks| {
        hooks.progress.as_mut().map_or(Ok(()), |progress| progress(done)).map(|_| VCS_OK)
    })
}
