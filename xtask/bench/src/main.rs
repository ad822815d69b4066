//! `cargo xtask bench`: measures the service against its goals.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

mod catalog;
mod contest;
mod context;
mod database;
mod docs;
mod figures;
mod fill;
mod goals;
mod http;
mod load;
mod meter;
mod options;
mod peer;
mod pgbench;
mod plot;
mod process;
mod progress;
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
use report::Report;

/// The reason why a measurement failed.
type BenchError = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    match run(Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            progress::say(&format!("failed: {failure}"));
            ExitCode::FAILURE
        }
    }
}

fn run(options: Options) -> Result<(), BenchError> {
    fs::create_dir_all(&options.output)?;
    let (output, update_docs) = (options.output.clone(), options.update_docs);
    let mut context = Context::start(options)?;
    let result = measure(&mut context);
    // What was measured before something failed is worth showing too.
    write(&context.report, &output, update_docs && result.is_ok())?;
    result
}

fn measure(context: &mut Context) -> Result<(), BenchError> {
    let options = context.options.clone();
    if let Some(baseline) = &options.baseline {
        return task::compare::run(context, baseline);
    }
    if options.wants(Task::Start) {
        task::start::run(context)?;
    }
    if options.wants(Task::Auth) {
        task::auth::run(context)?;
    }
    if options.wants(Task::Create) {
        task::create::run(context)?;
    }
    if options.wants(Task::Update) || options.wants(Task::Get) {
        task::existing::run(context)?;
    }
    if options.wants(Task::Load) {
        task::load::run(context)?;
    }
    if options.wants(Task::Memory) {
        task::memory::run(context)?;
    }
    if options.wants(Task::Import) {
        task::import::run(context)?;
    }
    if options.wants(Task::Search) {
        task::search::run(context)?;
    }
    if options.wants(Task::Neighbours) {
        task::neighbours::run(context)?;
    }
    Ok(())
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
    progress::say(&format!("the report is in {}", output.display()));
    let missed = report.missed();
    if !missed.is_empty() {
        progress::say(&format!("goals not reached: {missed:?}"));
    }
    if update_docs {
        docs::update(report)?;
    }
    Ok(())
}
