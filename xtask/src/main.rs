//! Project tasks: `cargo xtask help` lists them.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

// Modules import only modules of the groups above them.
mod documents;
mod error;

mod cargo;

mod advisories;
mod bench;
mod generated;
mod guides;
mod layers;
mod licences;
mod screenshots;
mod sql;
mod test;
mod tidy;

mod prose;
mod release;

mod ci;

/// Everything the project does besides building.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// All checks: formatting, clippy, tests, documentation, and the tasks below
    Ci {
        /// Leave the tests out
        #[arg(long)]
        no_test: bool,
    },
    /// Tests, on the embedded database and a throw-away PostgreSQL that is found or installed
    Test(test::Arguments),
    /// How fast the service is, as it is distributed, against its goals
    // The bench has its own options, `--help` included.
    #[command(disable_help_flag = true)]
    Bench {
        /// Such as `create --quick`, or `--compare REV` to measure against another revision as well
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// The SQL statements of the stores, as they are sent to PostgreSQL and SQLite
    Sql(sql::Arguments),
    /// The pictures of the console in docs/screenshots, by Chromium and its driver
    Screenshots,
    /// Whether crates depend only on what their layer may
    CheckLayers,
    /// Whether files keep the rules that no other tool checks
    Tidy,
    /// Whether comments, texts and names are within the budgets of xtask/prose.toml
    Prose {
        /// Lower the budgets to the present numbers
        #[arg(long)]
        update: bool,
    },
    /// Whether generated files are as their sources say
    Generated {
        /// Rewrite them
        #[arg(long)]
        update: bool,
    },
    /// Whether the example changes of the guides can be made and built
    Guides,
    /// Whether each dependency's licence, source and name is one we accept
    Licences,
    /// Whether a dependency has a known vulnerability; skipped where the database cannot be fetched
    Advisories,
    /// All artefacts of a release, in target/release-artefacts
    Release(release::Arguments),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Ci { no_test } => ci::run(!no_test),
        Task::Test(arguments) => test::run(&arguments),
        Task::Bench { arguments } => bench::run(&arguments),
        Task::Sql(arguments) => sql::run(&arguments),
        Task::Screenshots => screenshots::run(),
        Task::CheckLayers => layers::run(),
        Task::Tidy => tidy::run(),
        Task::Prose { update } => prose::run(update),
        Task::Generated { update } => generated::run(update),
        Task::Guides => guides::run(),
        Task::Licences => licences::run(),
        Task::Advisories => advisories::run(),
        Task::Release(arguments) => release::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}
