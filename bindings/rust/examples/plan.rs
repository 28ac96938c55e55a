// SPDX-License-Identifier: MIT
//! A host with two projects: what runs now, and whom to ask for work, with reasons by name.

use vcsched::*;

fn main() -> Result<()> {
    let resources = [Resource { flops: 1e9, usable: 0.8, instances: 2, ..Default::default() }];
    let projects =
        [Project { id: 1, share: 2.0, ..Default::default() }, Project { id: 2, share: 1.0, ..Default::default() }];
    let task = |id, project, remaining, deadline| Task {
        id,
        project,
        app: VCS_NONE,
        cpus: 1.0,
        remaining,
        deadline,
        ..Default::default()
    };
    let tasks = [task(1, 0, 7200.0, 86400.0), task(2, 0, 7200.0, 86400.0), task(3, 1, 3600.0, 2000.0)];
    let records = Records { resources: &resources, projects: &projects, tasks: &tasks, ..Default::default() };

    let mut parameters = Parameters::of_profile(VCS_PROFILE_CURRENT)?;
    parameters.set("min_buffer", 43200.0)?;
    let mut state = State::prepare(&records, &parameters, 0.0)?;
    println!("{} task misses its deadline", state.wrr()?.misses);

    state.schedule(VCS_SCHEDULE_EXPLAIN)?;
    for (task, decision) in tasks.iter().zip(state.schedule_tasks()?) {
        let what = if decision.run == 1 { "runs" } else { "waits" };
        println!("task {} {what}: {}", task.id, reason_name(decision.reason));
    }

    let summary = state.fetch(&FetchQuestion::default())?;
    match projects.get(summary.project as usize) {
        Some(project) => println!("ask project {}: {}", project.id, reason_name(summary.reason)),
        None => println!("ask nobody: {}", reason_name(summary.reason)),
    }
    for (project, decision) in projects.iter().zip(state.fetch_decisions()?) {
        println!("project {}: {:.0} s, {}", project.id, decision.seconds, reason_name(decision.reason));
    }
    Ok(())
}
