//! The arguments of every import and export.

use std::path::PathBuf;

use clap::Args;

use crate::location::FileFormat;

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// A file, or `-` for standard input; at most 256 MiB.
    pub(crate) file: PathBuf,
    /// Format of the file. Default: from its extension, .csv or .json.
    #[arg(long, required_if_eq("file", "-"))]
    pub(crate) format: Option<FileFormat>,
    /// Change nothing; print the number of changes.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print each change of a dry run.
    #[arg(long, requires = "dry_run")]
    pub(crate) verbose: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// A file, or `-` for standard output. Default: standard output, as CSV, or as JSON with
    /// --json.
    pub(crate) file: Option<PathBuf>,
    /// Format of the file. Default: from its extension, .csv or .json.
    #[arg(long, required_if_eq("file", "-"))]
    pub(crate) format: Option<FileFormat>,
}
