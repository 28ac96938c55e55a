// SPDX-License-Identifier: MIT
//! libvcemu: a host and its servers in virtual time, from records.

use super::*;
// By name, since sys has another.
use super::Hooks;

/// A host at the start, and its future, as `vcs_scenario` describes them. Borrowed for the call; nothing is kept.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scenario<'a> {
    /// With the initial tasks, and no candidates.
    pub records: Records<'a>,
    pub emulation: vcs_emulation,
    /// One for each application.
    pub models: &'a [vcs_job_model],
    /// One for each project; none if all servers always answer.
    pub servers: &'a [vcs_server_model],
    /// Sizes of jobs for `VCS_SIZES_LIST`.
    pub sizes: &'a [f64],
    /// When the host is switched off, on, off, ..., s from the start.
    pub switches: &'a [f64],
}

/// What came of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Emulated {
    pub outcome: vcs_outcome,
    pub projects: Vec<vcs_project_outcome>,
    pub resources: Vec<vcs_resource_outcome>,
}

impl vcs_emulation {
    /// What a profile, `VCS_PROFILE_*`, is emulated with: 100 days from time 0, always on, seed 1.
    pub fn of_profile(profile: u32) -> Result<Self> {
        let mut emulation = Self::default();
        plain(unsafe { vcs_emulation_init(&mut emulation, size_of::<Self>() as u32, profile) })?;
        Ok(emulation)
    }
}

impl Scenario<'_> {
    /// Emulates it from start to end. The same arguments give the same outcome on every platform.
    pub fn emulate(&self, parameters: &vcs_parameters) -> Result<Emulated> {
        self.emulate_with(parameters, &mut Hooks::default())
    }

    /// Emulates it with functions of your own in the place of decisions.
    pub fn emulate_with(&self, parameters: &vcs_parameters, hooks: &mut Hooks) -> Result<Emulated> {
        let emulation = self.emulation();
        let scenario = self.with(&emulation)?;
        let mut detail = vcs_error::default();
        let (code, emulated) = unsafe { emulate(&scenario, parameters, hooks, &mut detail)? };
        checked(code, &detail)?;
        Ok(emulated)
    }

    /// What a host loses at least for each project, whatever its policy.
    pub fn bounds(&self) -> Result<Vec<ProjectBound>> {
        let emulation = self.emulation();
        let mut detail = vcs_error::default();
        let (code, bounds) = unsafe { bounds(&self.with(&emulation)?, &mut detail)? };
        checked(code, &detail)?;
        Ok(bounds)
    }

    fn emulation(&self) -> vcs_emulation {
        vcs_emulation { struct_size: size_of::<vcs_emulation>() as u32, ..self.emulation }
    }

    /// For C: good as long as `self` and the emulation are where they are.
    fn with(&self, emulation: &vcs_emulation) -> Result<vcs_scenario> {
        Ok(vcs_scenario {
            snapshot: self.records.snapshot()?,
            emulation: counted(std::slice::from_ref(emulation))?,
            models: counted(self.models)?,
            servers: counted(self.servers)?,
            sizes: counted(self.sizes)?,
            switches: counted(self.switches)?,
            ..Default::default()
        })
    }
}

/// The code that the library returned, and the bounds, which hold nothing unless that is `VCS_OK`.
///
/// # Safety
/// The arrays of the scenario must be what they say they are.
pub(crate) unsafe fn bounds(scenario: &vcs_scenario, detail: &mut vcs_error) -> Result<(i32, Vec<ProjectBound>)> {
    let mut bounds = vec![ProjectBound::default(); scenario.snapshot.projects.count as usize];
    let code = vcs_bound(scenario, &counted_out(&mut bounds)?, detail);
    Ok((code, bounds))
}

/// The code that the library returned, and the outcome, which holds nothing unless that is `VCS_OK`.
///
/// # Safety
/// The arrays of the scenario must be what they say they are.
pub(crate) unsafe fn emulate(
    scenario: &vcs_scenario,
    parameters: &vcs_parameters,
    hooks: &mut Hooks,
    detail: &mut vcs_error,
) -> Result<(i32, Emulated)> {
    let mut emulated = Emulated {
        outcome: Default::default(),
        projects: vec![Default::default(); scenario.snapshot.projects.count as usize],
        resources: vec![Default::default(); scenario.snapshot.resources.count as usize],
    };
    let projects = counted_out(&mut emulated.projects)?;
    let resources = counted_out(&mut emulated.resources)?;
    let parameters = parameters.sized();
    let code = hooks::with(hooks, |hooks| {
        vcs_emulate(scenario, &parameters, hooks, &mut emulated.outcome, &projects, &resources, detail)
    })?;
    Ok((code, emulated))
}
