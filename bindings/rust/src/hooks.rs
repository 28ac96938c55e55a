// SPDX-License-Identifier: MIT
//! Functions of the caller's in the place of decisions of the emulator.

use super::*;
// By name, since sys has others.
use super::{Error, Result};
use std::any::Any;
use std::os::raw::{c_int, c_void};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr::NonNull;

/// What a decision is based on. It lasts as long as the call.
#[derive(Debug)]
pub struct Situation<'a> {
    /// The present.
    pub now: f64,
    /// Of the emulation: a function that draws at random starts from it.
    pub seed: u64,
    /// The host as it is now; with candidates if a server decides.
    pub records: Records<'a>,
    /// The policy of the client.
    pub parameters: vcs_parameters,
    /// Prepared from both; `wrr` has run on it. Its decisions are those of the library.
    pub state: Prepared<'a>,
}

type Schedules<'a> = Box<dyn FnMut(&mut Situation, &mut [vcs_task_decision]) -> Result<f64> + 'a>;
type Fetches<'a> =
    Box<dyn FnMut(&mut Situation, &vcs_fetch_question, &mut [vcs_fetch_decision]) -> Result<(u32, f64)> + 'a>;
type Sends<'a> = Box<dyn FnMut(&mut Situation, u32) -> Result<bool> + 'a>;
type Estimates<'a> = Box<dyn FnMut(&vcs_progress, u32) -> Result<f64> + 'a>;
type Observes<'a> = Box<dyn FnMut(&vcs_event) -> Result<()> + 'a>;

/// Functions in the place of decisions; what is None, the library decides. The contract of each is that of its
/// namesake in `vcs_hooks`: a `next_check` below a second counts as a second. An error of one of them ends the
/// emulation, which returns it; so does a panic, which goes on when the library has returned.
#[derive(Default)]
pub struct Hooks<'a> {
    /// Which tasks run: sets `run` in the decision on each task, which is 0 before; `flags` and `devices` are read,
    /// too. Returns `next_check`.
    pub schedule: Option<Schedules<'a>>,
    /// Which project to ask for how much work: sets the decision on each project and resource, project by project,
    /// which are all 0 before. Returns the index of the project, or `VCS_NONE`, and `next_check`.
    pub fetch: Option<Fetches<'a>>,
    /// Whether the server sends this candidate, by its index.
    pub send: Option<Sends<'a>>,
    /// How many device seconds a task has left. The number is the parameter `estimate`.
    pub estimate: Option<Estimates<'a>>,
    /// Receives each event, in order of time.
    pub observe: Option<Observes<'a>>,
}

impl Hooks<'_> {
    /// Without the context.
    pub(crate) fn for_c(&self) -> vcs_hooks {
        vcs_hooks {
            schedule: self.schedule.as_ref().map(|_| schedule as _),
            fetch: self.fetch.as_ref().map(|_| fetch as _),
            send: self.send.as_ref().map(|_| send as _),
            estimate: self.estimate.as_ref().map(|_| estimate as _),
            observe: self.observe.as_ref().map(|_| observe as _),
            ..Default::default()
        }
    }
}

/// Lets `run` emulate with these functions, and returns what it returned, unless one of them failed.
pub(crate) fn with(hooks: &mut Hooks, run: impl FnOnce(*const vcs_hooks) -> c_int) -> Result<c_int> {
    let for_c = hooks.for_c();
    guarded(hooks, |context| run(&vcs_hooks { context, ..for_c })).map_err(Failure::surface)
}

pub(crate) enum Failure {
    Refused(Error),
    Panicked(Box<dyn Any + Send>),
}

impl Failure {
    /// Lets a panic go on.
    pub(crate) fn surface(self) -> Error {
        match self {
            Failure::Refused(error) => error,
            Failure::Panicked(panic) => resume_unwind(panic),
        }
    }
}

/// What C passes to each function.
struct Calls<'a, H> {
    hooks: &'a mut H,
    failure: Option<Failure>,
}

/// Any negative number ends the emulation; `Calls` knows why.
pub(crate) const ENDED: c_int = c_int::MIN;

/// Lets `run` pass these functions' context to C. Never unwinds because of them.
pub(crate) fn guarded<H>(
    hooks: &mut H,
    run: impl FnOnce(*const c_void) -> c_int,
) -> std::result::Result<c_int, Failure> {
    let mut calls = Calls { hooks, failure: None };
    let code = run((&mut calls as *mut Calls<H>).cast());
    calls.failure.map_or(Ok(code), Err)
}

/// Nothing may unwind through C. The context must be that of `guarded` for functions of this kind.
pub(crate) unsafe fn call<H>(context: *mut c_void, decide: impl FnOnce(&mut H) -> Result<c_int>) -> c_int {
    let calls = &mut *context.cast::<Calls<H>>();
    if calls.failure.is_none() {
        let hooks = &mut *calls.hooks;
        calls.failure = match catch_unwind(AssertUnwindSafe(|| decide(hooks))) {
            Ok(Ok(code)) => return code,
            Ok(Err(error)) => Some(Failure::Refused(error)),
            Err(panic) => Some(Failure::Panicked(panic)),
        };
    }
    ENDED
}

unsafe extern "C" fn schedule(
    context: *mut c_void,
    situation: *const vcs_situation,
    decisions: *mut vcs_task_decision,
    summary: *mut vcs_schedule_summary,
) -> c_int {
    call(context, |hooks: &mut Hooks| {
        let mut situation = Situation::of(&*situation)?;
        let decisions = to_fill(decisions, situation.records.tasks.len());
        if let Some(schedule) = &mut hooks.schedule {
            (*summary).next_check = schedule(&mut situation, decisions)?;
        }
        Ok(VCS_OK)
    })
}

unsafe extern "C" fn fetch(
    context: *mut c_void,
    situation: *const vcs_situation,
    question: *const vcs_fetch_question,
    decisions: *mut vcs_fetch_decision,
    summary: *mut vcs_fetch_summary,
) -> c_int {
    call(context, |hooks: &mut Hooks| {
        let mut situation = Situation::of(&*situation)?;
        let count = situation.records.projects.len() * situation.records.resources.len();
        if let Some(fetch) = &mut hooks.fetch {
            let (project, next_check) = fetch(&mut situation, &file::copied(question), to_fill(decisions, count))?;
            (*summary).project = project;
            (*summary).next_check = next_check;
        }
        Ok(VCS_OK)
    })
}

unsafe extern "C" fn send(
    context: *mut c_void,
    situation: *const vcs_situation,
    candidate: u32,
    admission: *mut vcs_admission,
) -> c_int {
    call(context, |hooks: &mut Hooks| {
        let mut situation = Situation::of(&*situation)?;
        if let Some(send) = &mut hooks.send {
            (*admission).admitted = send(&mut situation, candidate)?.into();
        }
        Ok(VCS_OK)
    })
}

unsafe extern "C" fn estimate(
    context: *mut c_void,
    progress: *const vcs_progress,
    rule: u32,
    device_seconds: *mut f64,
) -> c_int {
    call(context, |hooks: &mut Hooks| {
        if let Some(estimate) = &mut hooks.estimate {
            *device_seconds = estimate(&file::copied(progress), rule)?;
        }
        Ok(VCS_OK)
    })
}

unsafe extern "C" fn observe(context: *mut c_void, event: *const vcs_event) -> c_int {
    call(context, |hooks: &mut Hooks| hooks.observe.as_mut().map_or(Ok(()), |observe| observe(&*event)).map(|_| VCS_OK))
}

impl<'a> Situation<'a> {
    unsafe fn of(situation: &'a vcs_situation) -> Result<Self> {
        let seen = &*situation.snapshot;
        let host = of_array::<vcs_host>(&seen.host)?;
        Ok(Situation {
            now: situation.now,
            seed: situation.seed,
            records: Records {
                host: host.first().copied().unwrap_or_default(),
                resources: of_array(&seen.resources)?,
                projects: of_array(&seen.projects)?,
                project_resources: of_array(&seen.project_resources)?,
                apps: of_array(&seen.apps)?,
                app_resources: of_array(&seen.app_resources)?,
                tasks: of_array(&seen.tasks)?,
                candidates: of_array(&seen.candidates)?,
                hours: of_array(&seen.hours)?,
            },
            parameters: file::copied(situation.parameters),
            state: Prepared {
                memory: Vec::new(),
                state: situation.state as *mut vcs_state,
                counts: Counts::of(seen),
                lasts: PhantomData,
            },
        })
    }
}

/// The records of the library's. Those of another release may be longer than ours.
pub(crate) unsafe fn of_array<'a, T>(array: &vcs_array) -> Result<&'a [T]> {
    let same = array.count == 0 || array.element_size as usize == size_of::<T>();
    plain(if same { VCS_OK } else { VCS_ERR_ABI_SIZE })?;
    Ok(seen(array.base.cast(), array.count as usize))
}

/// Those that a function looks at. C has NULL where there is nothing.
pub(crate) unsafe fn seen<'a, T>(start: *const T, count: usize) -> &'a [T] {
    std::slice::from_raw_parts(if count == 0 { NonNull::dangling().as_ptr() } else { start }, count)
}

/// Those that a function fills.
unsafe fn to_fill<'a, T>(start: *mut T, count: usize) -> &'a mut [T] {
    std::slice::from_raw_parts_mut(if count == 0 { NonNull::dangling().as_ptr() } else { start }, count)
}
