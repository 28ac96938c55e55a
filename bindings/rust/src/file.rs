// SPDX-License-Identifier: MIT
//! Files that describe a host, a host with its servers, or a grid: doc/state_format.md.

use super::*;
// By name, since sys has others.
use super::{Error, GridHooks, Hooks};
use std::os::raw::c_int;

/// Changes to what a file says, as the options of `vcemu run` make them. The default: none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Changes<'a> {
    /// Name of the profile instead of the file's.
    pub profile: Option<&'a str>,
    /// Each "parameter=value".
    pub settings: &'a [&'a str],
    pub seed: Option<u32>,
    /// How long to emulate, days; 0 = as long as the file says.
    pub days: f64,
}

/// What is wrong with a file, as one line: "FILE:LINE: \[section\] key: ...".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError(pub String);

impl fmt::Display for FileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for FileError {}

/// A file that has been read.
#[derive(Debug)]
pub struct File {
    file: *mut vcs_file,
    notes: String,
}

// It refers to nothing but memory of its own.
unsafe impl Send for File {}

impl Drop for File {
    fn drop(&mut self) {
        unsafe { vcs_file_free(self.file) }
    }
}

impl File {
    /// Reads a file, and the tables and traces that it names; "-" is standard input. As what it is read, `kind` says:
    /// `VCS_FILE_STATE`, `VCS_FILE_SCENARIO` or `VCS_FILE_GRID`.
    pub fn read(path: &str, kind: u32, changes: &Changes) -> std::result::Result<Self, FileError> {
        let path = for_c(path)?;
        Self::made(changes, |options, message, size| unsafe {
            vcs_file_read(path.as_ptr(), kind, options, message, size)
        })
    }

    /// Reads the text of a file. Messages call it by its name, beside which files that it names are looked for.
    pub fn parse(text: &str, name: &str, kind: u32, changes: &Changes) -> std::result::Result<Self, FileError> {
        let name = for_c(name)?;
        let start = text.as_ptr().cast();
        Self::made(changes, |options, message, size| unsafe {
            vcs_file_parse(start, text.len(), name.as_ptr(), kind, options, message, size)
        })
    }

    fn made(
        changes: &Changes,
        make: impl FnOnce(*const vcs_file_options, *mut c_char, u32) -> *mut vcs_file,
    ) -> std::result::Result<Self, FileError> {
        let profile = changes.profile.map(for_c).transpose()?;
        let texts = changes.settings.iter().map(|text| for_c(text)).collect::<std::result::Result<Vec<_>, _>>()?;
        let settings: Vec<_> = texts.iter().map(|text| text.as_ptr()).collect();
        let options = vcs_file_options {
            flags: if changes.seed.is_some() { VCS_FILE_SEED } else { 0 },
            profile: profile.as_ref().map_or(std::ptr::null(), |name| name.as_ptr()),
            settings: settings.as_ptr(),
            setting_count: settings.len() as u32,
            seed: changes.seed.unwrap_or(0),
            days: changes.days,
            ..Default::default()
        };
        let mut file = std::ptr::null_mut();
        let notes = message(|buffer, size| file = make(&options, buffer, size));
        if file.is_null() {
            Err(FileError(notes))
        } else {
            Ok(File { file, notes })
        }
    }

    /// What was taken for granted, or is now called otherwise; "" if nothing.
    pub fn notes(&self) -> &str {
        &self.notes
    }

    /// The name of a record, by `VCS_TYPE_*` and its index; "" if there is none.
    pub fn name(&self, record: u32, index: u32) -> &str {
        unsafe { CStr::from_ptr(vcs_file_name(self.file, record, index)) }.to_str().unwrap_or("")
    }

    /// Whether the file itself sets a parameter, for the hosts of a population or, with `VCS_NONE`, for all hosts.
    pub fn sets(&self, population: u32, parameter: &str) -> bool {
        CString::new(parameter)
            .map_or(false, |name| unsafe { vcs_file_sets(self.file, population, name.as_ptr()) } != 0)
    }

    /// The policy of the file.
    pub fn parameters(&self) -> vcs_parameters {
        unsafe { copied(vcs_file_parameters(self.file)) }
    }

    pub fn set_parameters(&mut self, parameters: &vcs_parameters) {
        unsafe { replace(vcs_file_parameters(self.file), parameters) }
    }

    /// How it is emulated, with duration and seed; of a state, `start` is the moment that the file describes.
    pub fn emulation(&self) -> vcs_emulation {
        unsafe { copied(vcs_file_emulation(self.file)) }
    }

    pub fn set_emulation(&mut self, emulation: &vcs_emulation) {
        unsafe { replace(vcs_file_emulation(self.file), emulation) }
    }

    /// The terms of a grid; None of another file.
    pub fn terms(&self) -> Option<vcs_grid_terms> {
        let terms = unsafe { vcs_file_grid_terms(self.file) };
        (!terms.is_null()).then(|| unsafe { copied(terms) })
    }

    /// Sets the terms of a grid; of another file, nothing.
    pub fn set_terms(&mut self, terms: &vcs_grid_terms) {
        let there = unsafe { vcs_file_grid_terms(self.file) };
        if !there.is_null() {
            unsafe { replace(there, terms) }
        }
    }

    /// The host of a state or a scenario, at its start.
    pub fn prepare(&self) -> Result<State> {
        let mut detail = vcs_error::default();
        State::of_snapshot(&self.scenario()?.snapshot, &self.parameters(), self.emulation().start, &mut detail)
            .map_err(|error| self.explained(error, &detail))
    }

    /// Emulates a scenario.
    pub fn emulate(&self) -> Result<Emulated> {
        self.emulate_with(&mut Hooks::default())
    }

    /// Emulates a scenario with functions of your own in the place of decisions.
    pub fn emulate_with(&self, hooks: &mut Hooks) -> Result<Emulated> {
        let mut detail = vcs_error::default();
        let (scenario, parameters) = (self.scenario()?, self.parameters());
        let (code, emulated) = unsafe { emulate::emulate(scenario, &parameters, hooks, &mut detail)? };
        checked(code, &detail).map_err(|error| self.explained(error, &detail))?;
        Ok(emulated)
    }

    /// What the host of a scenario loses at least for each project, whatever its policy.
    pub fn bounds(&self) -> Result<Vec<ProjectBound>> {
        let mut detail = vcs_error::default();
        let (code, bounds) = unsafe { emulate::bounds(self.scenario()?, &mut detail)? };
        checked(code, &detail).map_err(|error| self.explained(error, &detail))?;
        Ok(bounds)
    }

    /// Emulates a grid.
    pub fn emulate_grid(&self) -> Result<GridEmulated> {
        self.run_grid(|grid, results, detail| Ok(unsafe { vcs_emulate_grid(grid, std::ptr::null(), results, detail) }))
    }

    /// Emulates a grid with functions of your own in the place of decisions.
    pub fn emulate_grid_with(&mut self, hooks: &mut GridHooks) -> Result<GridEmulated> {
        let file = self.file;
        // The functions of the hosts are named in the file, which is borrowed, until they can be called no more.
        let name_hosts = |hosts: *const vcs_hooks| unsafe {
            for class in (0..).map(|population| vcs_file_host_class(file, population)).take_while(|one| !one.is_null())
            {
                (*class).hooks = hosts;
            }
        };
        self.run_grid(|grid, results, detail| {
            grid::with(hooks, name_hosts, |hooks| unsafe { vcs_emulate_grid(grid, hooks, results, detail) })
        })
    }

    fn run_grid(
        &self,
        run: impl FnOnce(*const vcs_grid, *const vcs_grid_results, *mut vcs_error) -> Result<c_int>,
    ) -> Result<GridEmulated> {
        let (start, mut detail) = (unsafe { vcs_file_grid(self.file) }, vcs_error::default());
        let projects = unsafe { start.as_ref() }.ok_or_else(another_kind)?.projects.count;
        let terms = self.terms().ok_or_else(another_kind)?;
        let samples = if terms.sample > 0.0 { ((terms.duration / terms.sample) as u64).saturating_add(1) } else { 0 };
        let hosts = unsafe { vcs_file_most_hosts(self.file) };
        let (code, emulated) = grid::emulate((projects, hosts, samples), |results| run(start, results, &mut detail))?;
        checked(code, &detail).map_err(|error| self.explained(error, &detail))?;
        Ok(emulated)
    }

    fn scenario(&self) -> Result<&vcs_scenario> {
        unsafe { vcs_file_scenario(self.file).as_ref() }.ok_or_else(another_kind)
    }

    /// The error, told by file, line and key.
    fn explained(&self, error: Error, detail: &vcs_error) -> Error {
        let message = message(|buffer, size| unsafe { vcs_file_explain(self.file, detail, buffer, size) });
        Error { message, ..error }
    }
}

/// A grid was asked for what a host has, or a host for what a grid has.
fn another_kind() -> Error {
    Error::new(VCS_ERR_NULL, &vcs_error::default())
}

fn for_c(text: &str) -> std::result::Result<CString, FileError> {
    CString::new(text).map_err(|_| FileError(format!("{text:?}: has a NUL")))
}

/// The line that a function writes to a buffer.
fn message(write: impl FnOnce(*mut c_char, u32)) -> String {
    let mut buffer = vec![0u8; VCS_MESSAGE_SIZE as usize];
    write(buffer.as_mut_ptr().cast(), VCS_MESSAGE_SIZE);
    let end = buffer.iter().position(|byte| *byte == 0).unwrap_or(buffer.len());
    String::from_utf8_lossy(&buffer[..end]).into_owned()
}

/// A struct of the library's that begins with its size, as far as both know it.
pub(crate) unsafe fn copied<T: Default>(from: *const T) -> T {
    let mut copy = T::default();
    let size = (*from.cast::<u32>() as usize).min(size_of::<T>());
    let start = size_of::<u32>();
    let there = from.cast::<u8>().add(start);
    std::ptr::copy_nonoverlapping(there, (&mut copy as *mut T).cast::<u8>().add(start), size - start);
    copy
}

/// The other way; the library's struct keeps its size.
unsafe fn replace<T>(to: *mut T, from: &T) {
    let size = (*to.cast::<u32>() as usize).min(size_of::<T>());
    let start = size_of::<u32>();
    let here = (from as *const T).cast::<u8>().add(start);
    std::ptr::copy_nonoverlapping(here, to.cast::<u8>().add(start), size - start);
}
