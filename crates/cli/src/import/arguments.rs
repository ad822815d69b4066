//! The arguments of every import and export.

use std::path::PathBuf;

use clap::Args;

use crate::location::FileFormat;

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// A file, or `-` for standard input; at most 256 MiB.
    pub(crate) file: PathBuf,
    /// The format; by default given by the name's ending, .csv or .json.
    #[arg(long, required_if_eq("file", "-"))]
    pub(crate) format: Option<FileFormat>,
    /// Change nothing, and print how much would change.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print each change of a dry run.
    #[arg(long, requires = "dry_run")]
    pub(crate) verbose: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// A file, or `-` for standard output; by default standard output, as CSV or with --json as
    /// JSON.
    pub(crate) file: Option<PathBuf>,
    /// The format; by default given by the name's ending, .csv or .json.
    #[arg(long, required_if_eq("file", "-"))]
    pub(crate) format: Option<FileFormat>,
}
