//! `cargo xtask bench`: measures the service against its goals.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;

// Modules import only modules of the groups above them.
mod catalog;
mod error;
mod figures;
mod options;

mod goals;
mod http;
mod process;
mod receiver;
mod repeat;
mod sample;

mod database;
mod report;
mod request;

mod load;
mod service;
mod sqlite;

mod meter;
mod world;

mod pgbench;

mod context;

mod contest;
mod peer;
mod statements;

mod task;

use context::Context;
use error::{BenchError, say};
use options::Options;

type Run = fn(&mut Context) -> Result<(), BenchError>;

const TASKS: [(&[&str], Run); 10] = [
    (&["start"], task::start::run),
    (&["auth"], task::auth::run),
    (&["create"], task::create::run),
    (&["update", "get", "move"], task::existing::run),
    (&["load"], task::load::run),
    (&["webhooks"], task::webhooks::run),
    (&["search"], task::search::run),
    // After the searches, because it changes the orders.
    (&["pages"], task::pages::run),
    (&["neighbours"], task::neighbours::run),
    (&["citus"], task::citus::run),
];

/// Markers around the figures in `docs/PERFORMANCE.md`.
const BEGIN: &str = "<!-- bench: begin -->\n";
const END: &str = "<!-- bench: end -->\n";

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
    let mut context = Context::start(options)?;
    let begin = Instant::now();
    let result = match context.options.baseline.clone() {
        Some(baseline) => task::compare::run(&mut context, &baseline),
        None => measure(&mut context).map(|()| String::new()),
    };
    let minutes = format!("{:.1} minutes", begin.elapsed().as_secs_f64() / 60.0);
    let repeats = context.repeats.count().to_string();
    let about = [("time", minutes), ("windows measured again", repeats)];
    context.report.about.extend(about);
    // Figures measured before a failure are worth showing too.
    write(&context, result.as_deref().unwrap_or_default())?;
    result?;
    if context.options.update_docs {
        update_docs(&context.report.markdown(true))?;
    }
    Ok(())
}

fn measure(context: &mut Context) -> Result<(), BenchError> {
    let mut failures = Vec::new();
    for (tasks, run) in TASKS {
        if !context.options.wants(tasks) {
            continue;
        }
        say(&format!("{tasks:?}"));
        // If a task fails, the figures of the others are kept.
        if let Err(failure) = run(context) {
            say(&format!("{tasks:?} failed: {failure}"));
            failures.push(format!("{tasks:?}: {failure}"));
        }
        // A task that measures SQLite has stopped the cluster.
        if !context.cluster.runs() {
            context.cluster.restart()?;
        }
    }
    if failures.is_empty() {
        return Ok(());
    }
    Err(failures.join("; ").into())
}

/// Prints the report and writes its files. `differences` compares with another revision.
fn write(context: &Context, differences: &str) -> Result<(), BenchError> {
    let (report, output) = (&context.report, &context.options.output);
    let markdown = report.markdown(false) + differences;
    fs::write(output.join("report.md"), &markdown)?;
    fs::write(output.join("report.json"), format!("{:#}\n", report.json()))?;
    std::io::stdout().write_all(markdown.as_bytes())?;
    say(&format!("the report is in {}", output.display()));
    let missed = report.missed();
    if !missed.is_empty() {
        say(&format!("goals not reached: {missed:?}"));
    }
    Ok(())
}

fn update_docs(figures: &str) -> Result<(), BenchError> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/PERFORMANCE.md");
    let text = replaced(&fs::read_to_string(&file)?, figures);
    Ok(fs::write(
        file,
        text.ok_or("docs/PERFORMANCE.md lacks the marks of the bench")?,
    )?)
}

fn replaced(text: &str, figures: &str) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}{figures}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_text_between_the_marks_is_replaced() {
        let text = format!("# A\n{BEGIN}old\n{END}rest\n");
        let expected = format!("# A\n{BEGIN}new\n{END}rest\n");
        assert_eq!(replaced(&text, "new\n"), Some(expected));
        assert_eq!(replaced("# A\n", "new\n"), None);
        let document = include_str!("../../../docs/PERFORMANCE.md");
        assert!(replaced(document, "").is_some());
    }
}
