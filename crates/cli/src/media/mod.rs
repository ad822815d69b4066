//! `pressline files`: checks a print file against a print area.

mod original;

mod check;

mod text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use pressline_domain::media::Verdict;

use crate::error::{CommandError, Result};
use crate::output::Output;
use crate::services::Program;
use check::{Question, check_file};

#[derive(Debug, Subcommand)]
pub(crate) enum FilesCommand {
    /// Check whether a file will print well on a product.
    ///
    /// Prints a verdict, and each problem with its remedy. The file is read in a process that can
    /// open no other file and no connection.
    ///
    /// Exit codes: 0 the verdict is pass; 1 warn; 2 fail, or wrong usage; 3 there is no verdict,
    /// because the file, the catalog, the configuration or the database cannot be read; 4 the SKU
    /// or the print area does not exist.
    Check(CheckArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The print file, or an http or https address of it.
    ///
    /// An address is fetched under the settings of `egress`, as orders' files are.
    #[arg(value_name = "FILE|URL")]
    file: String,
    /// The SKU on which the file is to be printed.
    #[arg(long)]
    sku: String,
    /// Id or name of the print area. Not needed if the product has only one.
    #[arg(long)]
    area: Option<String>,
    /// Take the product from this file, as from `pressline catalog export`, and use no database.
    #[arg(long, value_name = "FILE")]
    catalog: Option<PathBuf>,
}

/// Runs `command`, and returns the exit code for its verdict.
pub(super) async fn run(
    program: &Program,
    settings: Option<&Path>,
    command: FilesCommand,
    output: &Output,
) -> Result<ExitCode> {
    let FilesCommand::Check(arguments) = command;
    let question = Question {
        file: &arguments.file,
        sku: &arguments.sku,
        area: arguments.area.as_deref(),
        catalog: arguments.catalog.as_deref(),
    };
    let checked = check_file(program, settings, &question).await;
    // Without a verdict, no code of a verdict.
    let checked = checked.map_err(|error| CommandError::NoVerdict(Box::new(error)))?;
    output.print(&text::document(&checked), || text::text(&checked))?;
    Ok(ExitCode::from(match checked.check.verdict {
        Verdict::Pass => 0,
        Verdict::Warn => 1,
        Verdict::Fail => 2,
    }))
}
