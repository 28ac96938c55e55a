// SPDX-License-Identifier: MIT
//! libvcsched and libvcemu in Rust: what a volunteer-computing client decides, as safe functions over plain records,
//! and what comes of it.
//!
//! The records (`Task`, `Project`, ...), the constants and what they mean are those of the headers; `sys` holds them
//! with all functions of C. This layer owns memory, takes slices for arrays and returns `Result`. A function of C whose
//! first argument is a record is a method of it, without the name of the record: `Average::add` is `vcs_average_add`.

use std::alloc::{alloc_zeroed, Layout};
use std::cell::Cell;
use std::ffi::{CStr, CString};
use std::fmt;
use std::marker::PhantomData;
use std::mem::size_of;
use std::os::raw::c_char;

mod dispatch;
mod emulate;
mod file;
mod grid;
mod hooks;

/// What follows from the headers: constants, structs, functions of C.
#[allow(non_camel_case_types)]
pub mod sys {
    include!(concat!(env!("OUT_DIR"), "/sys.rs"));
}

/// What the library does with single records and slices of them: averages, timers, replies, and the server's part.
mod safe {
    include!(concat!(env!("OUT_DIR"), "/safe.rs"));
}

pub use dispatch::Dispatch;
pub use emulate::{Emulated, Scenario};
pub use file::{Changes, File, FileError};
pub use grid::{GridEmulated, GridHooks};
pub use hooks::{Hooks, Situation};
pub use safe::*;
pub use sys::*;

/// Why the library refused a call, and where the fault is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// `VCS_ERR_*`
    pub code: i32,
    /// `VCS_TYPE_*` of the struct or record at fault; `VCS_TYPE_NONE` if it is none of these
    pub record: u32,
    /// Which element of its array.
    pub index: u64,
    /// Name of the field; empty if the whole record is at fault.
    pub field: String,
    /// One sentence for a person.
    pub message: String,
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// What `detail` says, as far as the function has written it; else what the code means.
    fn new(code: i32, detail: &vcs_error) -> Self {
        let message = text_in(&detail.message);
        Error {
            code,
            record: detail.r#type,
            index: detail.index,
            field: text_in(&detail.field),
            message: if message.is_empty() { meaning(code) } else { message },
        }
    }

    /// Name of the constant of the code, such as `VCS_ERR_RANGE`.
    pub fn name(&self) -> &'static str {
        text(unsafe { vcs_error_name(self.code) })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

fn meaning(code: i32) -> String {
    text(unsafe { vcs_strerror(code) }).to_string()
}

/// A constant text of the library, which is never NULL and always ASCII.
fn text(pointer: *const c_char) -> &'static str {
    unsafe { CStr::from_ptr(pointer) }.to_str().unwrap_or("")
}

/// The text in a field of a record, such as `FieldInfo::name`.
pub fn text_in(field: &[c_char]) -> String {
    field.iter().take_while(|one| **one != 0).map(|one| *one as u8 as char).collect()
}

/// Ok, or the error with what `detail` holds.
fn checked(code: i32, detail: &vcs_error) -> Result<()> {
    if code == VCS_OK {
        Ok(())
    } else {
        Err(Error::new(code, detail))
    }
}

/// The same for functions that tell no more than the code.
fn plain(code: i32) -> Result<()> {
    checked(code, &vcs_error::default())
}

fn counted<T>(records: &[T]) -> Result<vcs_array> {
    match u32::try_from(records.len()) {
        Ok(count) => Ok(vcs_array { base: records.as_ptr().cast(), element_size: size_of::<T>() as u32, count }),
        Err(_) => Err(Error::new(VCS_ERR_OVERFLOW, &vcs_error::default())),
    }
}

fn counted_out<T>(records: &mut [T]) -> Result<vcs_array> {
    let base = records.as_mut_ptr();
    Ok(vcs_array { base: base.cast(), ..counted(records)? })
}

/// Refuses numbers of which there is not one for each of `count` records, since C cannot know how many there are.
fn as_many<T>(numbers: &[T], count: u32) -> Result<()> {
    plain(if numbers.len() == count as usize { VCS_OK } else { VCS_ERR_COUNT })
}

/// Memory of more than so many bytes, aligned as the library wants it. What is not written to takes none of the
/// machine's; what there cannot be is an error.
fn zeros(bytes: usize) -> Result<Vec<u64>> {
    let (words, none) = (bytes / 8 + 1, || Error::new(VCS_ERR_OVERFLOW, &vcs_error::default()));
    let start = unsafe { alloc_zeroed(Layout::array::<u64>(words).map_err(|_| none())?) };
    if start.is_null() {
        return Err(none());
    }
    Ok(unsafe { Vec::from_raw_parts(start.cast(), words, words) })
}

/// Whether this build, in this thread, computes as every other one does.
pub fn self_test() -> Result<()> {
    let mut detail = vcs_error::default();
    let code = unsafe { vcs_self_test(&mut detail) };
    checked(code, &detail)
}

impl vcs_parameters {
    /// The parameters of a profile, `VCS_PROFILE_*`.
    pub fn of_profile(profile: u32) -> Result<Self> {
        let mut parameters = Self::default();
        plain(unsafe { vcs_parameters_init(&mut parameters, size_of::<Self>() as u32, profile) })?;
        Ok(parameters)
    }

    /// Sets a parameter by its name; a choice by its number.
    pub fn set(&mut self, name: &str, value: f64) -> Result<()> {
        let row = CString::new(name).map_or(VCS_NONE, |name| unsafe { vcs_parameter_find(name.as_ptr()) });
        self.struct_size = size_of::<Self>() as u32;
        let code = unsafe { vcs_parameter_set(self, row, value) };
        let message = match code {
            VCS_OK => return Ok(()),
            VCS_ERR_INDEX => format!("there is no parameter called {name:?}"),
            VCS_ERR_NOT_FINITE | VCS_ERR_RANGE => {
                let info = parameter_at(row)?;
                let kind = if info.kind == VCS_PARAMETER_AMOUNT { "a number" } else { "a whole number" };
                let (least, most) = (info.minimum, info.maximum);
                format!("parameters: {name} must be {kind} from {least} to {most}, not {value}")
            }
            _ => meaning(code),
        };
        Err(Error { code, record: VCS_TYPE_PARAMETERS, index: 0, field: name.to_string(), message })
    }

    /// With the right size, since a caller may have changed it and the library believes it.
    fn sized(&self) -> Self {
        Self { struct_size: size_of::<Self>() as u32, ..*self }
    }
}

impl vcs_send_limits {
    /// No limits, for a host without a class.
    pub fn none() -> Result<Self> {
        let mut limits = Self::default();
        plain(unsafe { vcs_send_limits_init(&mut limits, size_of::<Self>() as u32) })?;
        Ok(limits)
    }
}

/// Everything that a decision about a host reads. Borrowed for the call; nothing is kept.
#[derive(Clone, Copy, Debug, Default)]
pub struct Records<'a> {
    pub host: vcs_host,
    pub resources: &'a [vcs_resource],
    pub projects: &'a [vcs_project],
    pub project_resources: &'a [vcs_project_resource],
    pub apps: &'a [vcs_app],
    pub app_resources: &'a [vcs_app_resource],
    pub tasks: &'a [vcs_task],
    pub candidates: &'a [vcs_task],
    /// When the host is on; read where the parameter `hours` is on.
    pub hours: &'a [vcs_hour],
}

impl Records<'_> {
    /// For C: good as long as `self` is where it is.
    fn snapshot(&self) -> Result<vcs_snapshot> {
        Ok(vcs_snapshot {
            host: counted(std::slice::from_ref(&self.host))?,
            resources: counted(self.resources)?,
            projects: counted(self.projects)?,
            project_resources: counted(self.project_resources)?,
            apps: counted(self.apps)?,
            app_resources: counted(self.app_resources)?,
            tasks: counted(self.tasks)?,
            candidates: counted(self.candidates)?,
            hours: counted(self.hours)?,
            ..vcs_snapshot::default()
        })
    }
}

#[derive(Clone, Copy, Debug)]
struct Counts {
    resources: usize,
    projects: usize,
    tasks: usize,
    running: usize,
}

impl Counts {
    fn of(snapshot: &vcs_snapshot) -> Self {
        Counts {
            resources: snapshot.resources.count as usize,
            projects: snapshot.projects.count as usize,
            tasks: snapshot.tasks.count as usize,
            running: 0,
        }
    }
}

/// A prepared state with memory of its own. Several threads may each have one; one can move between threads.
pub type State = Prepared<'static>;

/// A prepared state: a `State`, or that of a `Situation`, which lasts as long as a call.
#[derive(Debug)]
pub struct Prepared<'a> {
    /// None, if it is the library's.
    memory: Vec<u64>,
    state: *mut vcs_state,
    counts: Counts,
    /// Not to be exchanged for one that lasts longer or shorter.
    lasts: PhantomData<Cell<&'a ()>>,
}

// It refers to nothing but its own memory, and the library has no state elsewhere.
unsafe impl Send for State {}

type Reader = unsafe extern "C" fn(*const vcs_state, *const vcs_array) -> std::os::raw::c_int;

impl State {
    /// Checks the records and sorts them once. There is room for half as many records more, so that `renew` seldom has
    /// to move them.
    pub fn prepare(records: &Records, parameters: &vcs_parameters, now: f64) -> Result<Self> {
        Self::of_snapshot(&records.snapshot()?, parameters, now, &mut vcs_error::default())
    }

    fn of_snapshot(
        snapshot: &vcs_snapshot,
        parameters: &vcs_parameters,
        now: f64,
        detail: &mut vcs_error,
    ) -> Result<Self> {
        let mut bytes = 0;
        if unsafe { vcs_state_size(snapshot, &mut bytes) } != VCS_OK {
            bytes = 0; // it is refused with a reason when it is prepared
        }
        let mut memory = zeros(bytes.saturating_add(bytes / 2))?;
        let mut state = std::ptr::null_mut();
        let code = unsafe {
            let (work, size) = (memory.as_mut_ptr().cast(), memory.len() * 8);
            vcs_state_prepare(snapshot, &parameters.sized(), now, work, size, &mut state, detail)
        };
        checked(code, detail)?;
        Ok(State { memory, state, counts: Counts::of(snapshot), lasts: PhantomData })
    }

    /// Brings the state up to date, in more memory if the records no longer fit. On an error it is unchanged, except
    /// after `VCS_ERR_DUPLICATE` if they fit, which leaves a host without projects and tasks.
    pub fn renew(&mut self, records: &Records, parameters: &vcs_parameters, now: f64) -> Result<()> {
        let snapshot = records.snapshot()?;
        let mut detail = vcs_error::default();
        let bytes = self.memory.len() * 8;
        let code = unsafe { vcs_state_renew(self.state, bytes, &snapshot, &parameters.sized(), now, &mut detail) };
        if code == VCS_ERR_WORKSPACE {
            *self = Self::of_snapshot(&snapshot, parameters, now, &mut vcs_error::default())?;
            return Ok(());
        }
        if code == VCS_OK {
            self.counts = Counts::of(&snapshot);
        } else if code == VCS_ERR_DUPLICATE {
            let resources = records.resources.len();
            self.counts = Counts { resources, projects: 0, tasks: 0, running: 0 };
        }
        checked(code, &detail)
    }
}

impl Prepared<'_> {
    /// Simulates weighted round-robin: when tasks finish, which deadlines are missed, what idles.
    pub fn wrr(&mut self) -> Result<WrrSummary> {
        let mut summary = WrrSummary::default();
        plain(unsafe { vcs_wrr(self.state, &mut summary) })?;
        Ok(summary)
    }

    /// The part of `wrr` that `schedule` needs: nothing where no deadline could be missed. All others need `wrr`.
    pub fn wrr_for_schedule(&mut self) -> Result<()> {
        plain(unsafe { vcs_wrr_for_schedule(self.state) })
    }

    /// Places tasks in order of deadline; `which` is `VCS_EDF_*`.
    pub fn edf(&mut self, which: u32) -> Result<EdfSummary> {
        let mut summary = EdfSummary::default();
        plain(unsafe { vcs_edf(self.state, which, &mut summary) })?;
        Ok(summary)
    }

    /// Decides which tasks run now; `detail` is `VCS_SCHEDULE_*`. Needs `wrr` or its part, or a policy without it.
    pub fn schedule(&mut self, detail: u32) -> Result<ScheduleSummary> {
        let mut summary = ScheduleSummary::default();
        plain(unsafe { vcs_schedule(self.state, detail, &mut summary) })?;
        self.counts.running = summary.running as usize;
        Ok(summary)
    }

    /// Decides whom to ask for work, and for how much. Needs `wrr`; call `schedule` first to know what idles.
    pub fn fetch(&mut self, question: &FetchQuestion) -> Result<FetchSummary> {
        let question = FetchQuestion { struct_size: size_of::<FetchQuestion>() as u32, ..*question };
        let mut summary = FetchSummary::default();
        plain(unsafe { vcs_fetch(self.state, &question, &mut summary) })?;
        Ok(summary)
    }

    /// Decides whether a candidate, by its index, may join the tasks.
    pub fn admit(&mut self, candidate: u32) -> Result<Admission> {
        let mut admission = Admission::default();
        plain(unsafe { vcs_admit(self.state, candidate, &mut admission) })?;
        Ok(admission)
    }

    /// Decides, as a server, on each candidate, by what its element of `jobs` says besides. The summary, and what was
    /// decided on each.
    pub fn send(
        &mut self,
        requests: &[vcs_send_request],
        jobs: &[vcs_send_job],
        limits: &vcs_send_limits,
    ) -> Result<(SendSummary, Vec<SendDecision>)> {
        let limits = SendLimits { struct_size: size_of::<SendLimits>() as u32, ..*limits };
        let mut summary = SendSummary::default();
        let mut decisions = vec![SendDecision::default(); jobs.len()];
        let (requests, jobs, decided) = (counted(requests)?, counted(jobs)?, counted_out(&mut decisions)?);
        let mut detail = vcs_error::default();
        let code = unsafe { vcs_send(self.state, &requests, &jobs, &limits, &decided, &mut summary, &mut detail) };
        checked(code, &detail)?;
        Ok((summary, decisions))
    }

    /// What `wrr` found for each task.
    pub fn wrr_tasks(&self) -> Result<Vec<TaskForecast>> {
        self.read(vcs_wrr_tasks, self.counts.tasks)
    }

    /// What `wrr` found for each resource.
    pub fn wrr_resources(&self) -> Result<Vec<ResourceForecast>> {
        self.read(vcs_wrr_resources, self.counts.resources)
    }

    /// What `wrr` found for each project on each resource, project by project.
    pub fn wrr_project_resources(&self) -> Result<Vec<ProjectResourceForecast>> {
        self.read(vcs_wrr_project_resources, self.counts.projects * self.counts.resources)
    }

    /// Where `edf` placed each task.
    pub fn edf_tasks(&self) -> Result<Vec<EdfTask>> {
        self.read(vcs_edf_tasks, self.counts.tasks)
    }

    /// How long `edf` found each resource to be busy.
    pub fn edf_resources(&self) -> Result<Vec<EdfResource>> {
        self.read(vcs_edf_resources, self.counts.resources)
    }

    /// What `schedule`, with `VCS_SCHEDULE_EXPLAIN`, decided on each task.
    pub fn schedule_tasks(&self) -> Result<Vec<TaskDecision>> {
        self.read(vcs_schedule_tasks, self.counts.tasks)
    }

    /// How much of each resource the tasks that run use.
    pub fn schedule_resources(&self) -> Result<Vec<ResourceDecision>> {
        self.read(vcs_schedule_resources, self.counts.resources)
    }

    /// The tasks that run, by index, in the order of choice.
    pub fn schedule_running(&self) -> Result<Vec<(u32, TaskDecision)>> {
        let mut tasks = vec![0; self.counts.running];
        let mut decisions = vec![TaskDecision::default(); self.counts.running];
        let array = counted_out(&mut decisions)?;
        plain(unsafe { vcs_schedule_running(self.state, tasks.as_mut_ptr(), &array) })?;
        Ok(tasks.into_iter().zip(decisions).collect())
    }

    /// What `fetch` decided on each project and resource, project by project.
    pub fn fetch_decisions(&self) -> Result<Vec<FetchDecision>> {
        self.read(vcs_fetch_decisions, self.counts.projects * self.counts.resources)
    }

    /// Each `T` must be what the function writes; the callers above are right by its comment.
    fn read<T: Default + Clone>(&self, reader: Reader, count: usize) -> Result<Vec<T>> {
        let mut records = vec![T::default(); count];
        let array = counted_out(&mut records)?;
        plain(unsafe { reader(self.state, &array) })?;
        Ok(records)
    }
}

#[cfg(test)]
mod emulator_tests;
#[cfg(test)]
mod kernel_tests;
#[cfg(test)]
mod tests;
