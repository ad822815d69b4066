//! Importer: use case and page texts for the import of one kind of file.

use actix_web::web::Bytes;
use futures_util::future::LocalBoxFuture;
use pressline_backoffice::import::catalog::Mode;
use pressline_backoffice::import::shipment::RowProblem;

use crate::shell::form::{Fields, FormField};
use crate::shell::list::{count_text, counted};
use crate::shell::request::SignedInRequest;
use crate::shell::result::Result;

/// Maximum number of changes that a preview lists. Also the maximum for problems, and for warnings.
// A file can have 20,000 rows; `errors.csv` lists all problems.
pub(crate) const MAX_LINES: usize = 100;

pub(crate) struct Importer {
    /// Path of the import's page. The paths of `errors.csv` and `run` are below it.
    pub(crate) path: &'static str,
    pub(crate) name: &'static str,
    pub(crate) section: &'static str,
    /// Path of the page that follows a successful import.
    pub(crate) done: &'static str,
    /// Names of the fields that `questions` returns. The preview's URL contains their values.
    pub(crate) options: &'static [&'static str],
    pub(crate) hint: fn() -> String,
    pub(crate) questions:
        for<'a> fn(&'a SignedInRequest, &'a Fields) -> ImportFuture<'a, Vec<FormField>>,
    /// Checks the file. With [`Mode::Apply`], also imports it: the whole file, or nothing if a row
    /// is invalid. Returns an error if the options are invalid; invalid rows are not an error.
    pub(crate) import: for<'a> fn(ImportRequest<'a>) -> ImportFuture<'a, Imported>,
}

type ImportFuture<'a, T> = LocalBoxFuture<'a, Result<T>>;

pub(crate) struct ImportRequest<'a> {
    pub(crate) visit: &'a SignedInRequest,
    pub(crate) options: &'a Fields,
    pub(crate) bytes: Bytes,
    pub(crate) mode: Mode,
}

#[derive(Debug, Default)]
pub(crate) struct Imported {
    pub(crate) rows: usize,
    /// Counts of changes as texts for the preview, such as `497 parcels new`.
    pub(crate) counts: Vec<String>,
    /// Message about a successful import, for the page that follows it.
    pub(crate) done: String,
    /// Changes to preview. Changes after the first [`MAX_LINES`], which no page shows, may be missing.
    pub(crate) lines: Vec<PreviewLine>,
    /// Invalid rows. If there are any, the file cannot be imported.
    pub(crate) problems: Vec<Wrong>,
    pub(crate) warnings: Vec<Wrong>,
}

#[derive(Debug)]
pub(crate) struct PreviewLine {
    pub(crate) line: u64,
    /// Name of the object that the line changes, such as an order number.
    pub(crate) subject: String,
    pub(crate) link: Option<String>,
    pub(crate) field: String,
    /// Value before the import; empty if no value is set.
    pub(crate) old: String,
    /// Value after the import; equal to `old` if nothing changes.
    pub(crate) new: String,
}

#[derive(Debug)]
pub(crate) struct Wrong {
    pub(crate) line: u64,
    /// Column with the problem; empty if the problem concerns the whole line.
    pub(crate) column: String,
    pub(crate) message: String,
}

impl From<RowProblem> for Wrong {
    fn from(problem: RowProblem) -> Self {
        Self {
            line: problem.line,
            column: problem.field,
            message: problem.message,
        }
    }
}

pub(crate) fn done_text(done: &str, unchanged: usize) -> String {
    match unchanged {
        0 => done.to_owned(),
        unchanged => format!("{done} No change: {}.", count_text(unchanged as u64)),
    }
}

/// Formats `changes`, such as `497 parcels new`. Leaves out counts that are 0. `noun` is singular.
pub(crate) fn change_counts(noun: &str, changes: [(usize, &str); 2]) -> Vec<String> {
    let changes = changes.into_iter().filter(|(count, _)| *count > 0);
    changes
        .map(|(count, what)| format!("{} {what}", counted(count, noun)))
        .collect()
}
