//! Runs test programs in parallel.

use std::collections::VecDeque;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::output::{Output, Watcher};
use super::program::Program;
use crate::error::TaskError;

/// Slowest programs. They start first, so that the run does not end with only one of them running.
const LONGEST: [(&str, &str); 6] = [
    ("pressline", "blackbox"),
    ("pressline-bench", "smoke"),
    ("pressline-store-postgres", "contract"),
    ("pressline-store-postgres", "statements"),
    ("pressline-console", "console"),
    ("pressline-store-sqlite", "contract"),
];

/// Program with more test threads than processors. Its tests wait for servers, browsers and clocks
/// for 40 % of their time: sequentially they take 928 s, of which 561 s are CPU time.
const WAITING: (&str, &str) = LONGEST[0];

/// Time between two lines about running programs.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(30);

/// Arguments and environment variables of all programs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Surroundings {
    pub(crate) arguments: Vec<String>,
    pub(crate) variables: Vec<(String, String)>,
}

/// Result of a program; an error if it could not be run.
pub(crate) struct Finished {
    pub(crate) program: Program,
    pub(crate) result: Result<Output, String>,
}

/// Runs `programs`, as many at a time as there are processors, and prints a line when each ends.
pub(crate) fn run(programs: Vec<Program>, surroundings: &Surroundings) -> Vec<Finished> {
    let processors = thread::available_parallelism()
        .map_or(1, usize::from)
        .max(2);
    let total = programs.len();
    let mut waiting = in_order(programs);
    let mut running: Vec<(String, Watcher)> = Vec::new();
    let mut finished = Vec::new();
    let (sender, receiver) = mpsc::channel::<Finished>();
    while finished.len() < total {
        while running.len() < processors {
            let Some(program) = waiting.pop_front() else {
                break;
            };
            let watcher = Watcher::default();
            running.push((program.name(), watcher.clone()));
            let threads = threads(&program, processors);
            start(
                program,
                surroundings.clone(),
                threads,
                watcher,
                sender.clone(),
            );
        }
        match receiver.recv_timeout(PROGRESS_INTERVAL) {
            Ok(ended) => {
                let name = ended.program.name();
                running.retain(|(running, _)| *running != name);
                finished.push(ended);
                print_end(finished.last(), finished.len(), total);
            }
            Err(RecvTimeoutError::Timeout) => print_running(&running),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    finished
}

fn start(
    program: Program,
    surroundings: Surroundings,
    threads: usize,
    watcher: Watcher,
    sender: mpsc::Sender<Finished>,
) {
    thread::spawn(move || {
        let Surroundings {
            arguments,
            variables,
        } = &surroundings;
        let result = program
            .run(arguments, variables, threads, watcher)
            .map_err(|error: TaskError| error.to_string());
        // The receiver lives until all programs have ended.
        let _ = sender.send(Finished { program, result });
    });
}

/// Returns the number of test threads of `program`.
fn threads(program: &Program, processors: usize) -> usize {
    if (program.package.as_str(), program.target.as_str()) == WAITING {
        processors + processors / 2
    } else {
        processors
    }
}

/// Puts the slowest of `programs` first.
fn in_order(mut programs: Vec<Program>) -> VecDeque<Program> {
    let rank = |program: &Program| {
        let place = LONGEST
            .iter()
            .position(|(package, target)| program.package == *package && program.target == *target);
        place.unwrap_or(LONGEST.len())
    };
    programs.sort_by_key(rank);
    programs.into()
}

fn print_end(finished: Option<&Finished>, number: usize, total: usize) {
    let Some(Finished { program, result }) = finished else {
        return;
    };
    let name = program.name();
    match result {
        Ok(output) if output.success => eprintln!(
            "xtask: [{number}/{total}] {name}: {} passed ({:.1} s)",
            output.passed,
            output.elapsed.as_secs_f64()
        ),
        Ok(output) => eprintln!(
            "{}\nxtask: [{number}/{total}] {name}: {} FAILED of {} ({:.1} s)",
            output.text,
            output.failed.len(),
            output.passed + output.failed.len(),
            output.elapsed.as_secs_f64()
        ),
        Err(reason) => eprintln!("xtask: [{number}/{total}] {name}: FAILED: {reason}"),
    }
}

fn print_running(running: &[(String, Watcher)]) {
    let programs: Vec<_> = running
        .iter()
        .map(|(name, watcher)| format!("{name} ({} ended)", watcher.ended_tests()))
        .collect();
    eprintln!("xtask: running {} …", programs.join(", "));
}
