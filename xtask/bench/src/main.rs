//! `cargo xtask bench`: measures the service against its goals.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;

mod budget;
mod calls;
mod catalog;
mod contents;
mod contest;
mod context;
mod database;
mod docs;
mod figures;
mod fill;
mod goals;
mod http;
mod life;
mod load;
mod meter;
mod moves;
mod options;
mod peer;
mod pgbench;
mod plot;
mod process;
mod progress;
mod receiver;
mod repeat;
mod report;
mod request;
mod rows;
mod sample;
mod scale;
mod service;
mod sqlite;
mod statements;
mod task;
mod zipf;

use context::Context;
use options::{Options, Task};
use progress::say;
use report::Report;
use report::{Table, number};

/// The reason why a measurement failed.
type BenchError = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    match run(Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            say(&format!("failed: {failure}"));
            ExitCode::FAILURE
        }
    }
}

fn run(options: Options) -> Result<(), BenchError> {
    fs::create_dir_all(&options.output)?;
    let (output, update_docs) = (options.output.clone(), options.update_docs);
    let (begin, expected) = (Instant::now(), budget::expected(&options));
    say(&format!("this will take about {}", minutes(expected)));
    let mut context = Context::start(options)?;
    let result = measure(&mut context);
    let took = minutes(begin.elapsed());
    let time = format!("{took}; expected were {}", minutes(expected));
    context.report.about.push(("time".to_owned(), time));
    let repeated = format!("{}, as calls were refused in them", context.repeats.count());
    context
        .report
        .about
        .push(("windows measured again".to_owned(), repeated));
    // What was measured before something failed is worth showing too.
    write(&context.report, &output, update_docs && result.is_ok())?;
    result
}

fn measure(context: &mut Context) -> Result<(), BenchError> {
    let options = context.options.clone();
    if let Some(baseline) = &options.baseline {
        return task::compare::run(context, baseline);
    }
    let mut failures = Vec::new();
    let mut times = Table::new("time", ["", "minutes", "expected"]);
    for (task, run) in TASKS {
        if !task.iter().any(|task| options.wants(*task)) {
            continue;
        }
        let begin = Instant::now();
        // A failure of one task does not cost the figures of the others.
        if let Err(failure) = run(context) {
            say(&format!("{task:?} failed: {failure}"));
            failures.push(format!("{task:?}: {failure}"));
            context.cluster.restart()?;
        }
        let expected = task.iter().map(|task| budget::expected_of(&options, *task));
        times.rows.push(vec![
            format!("{task:?}"),
            number(begin.elapsed().as_secs_f64() / 60.0),
            number(expected.sum::<f64>() / 60.0),
        ]);
    }
    context.report.tables.push(times);
    if failures.is_empty() {
        return Ok(());
    }
    Err(failures.join("; ").into())
}

/// What measures a task.
type Run = fn(&mut Context) -> Result<(), BenchError>;

/// All tasks in their order. Four of them share the orders that they work on.
const TASKS: [(&[Task], Run); 12] = [
    (&[Task::Start], task::start::run),
    (&[Task::Auth], task::auth::run),
    (&[Task::Create], task::create::run),
    (
        &[Task::Update, Task::Get, Task::Move, Task::History],
        task::existing::run,
    ),
    (&[Task::Load], task::load::run),
    (&[Task::Memory], task::memory::run),
    (&[Task::Import], task::import::run),
    (&[Task::Webhooks], task::webhooks::run),
    (&[Task::Search], task::search::run),
    // After the searches, whose orders it lets grow old.
    (&[Task::Pages], task::pages::run),
    (&[Task::Neighbours], task::neighbours::run),
    (&[Task::Citus], task::citus::run),
];

fn minutes(duration: Duration) -> String {
    format!("{:.1} minutes", duration.as_secs_f64() / 60.0)
}

/// Shows the report and puts it into files.
fn write(report: &Report, output: &Path, update_docs: bool) -> Result<(), BenchError> {
    let markdown = report.markdown();
    fs::write(output.join("report.md"), &markdown)?;
    fs::write(output.join("report.json"), format!("{:#}\n", report.json()))?;
    for (name, plot) in &report.plots {
        fs::write(output.join(format!("{name}.svg")), plot.svg()?)?;
    }
    std::io::stdout().write_all(markdown.as_bytes())?;
    say(&format!("the report is in {}", output.display()));
    let missed = report.missed();
    if !missed.is_empty() {
        say(&format!("goals not reached: {missed:?}"));
    }
    if update_docs {
        docs::update(report)?;
    }
    Ok(())
}
