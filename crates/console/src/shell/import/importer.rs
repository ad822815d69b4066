//! Importers: use cases and texts of the pages for one kind of file.

use actix_web::web::Bytes;
use futures_util::future::LocalBoxFuture;
use pressline_backoffice::import::shipment::RowProblem;
use pressline_http::request_error::RequestError;

use crate::shell::form::{Fields, FormField};
use crate::shell::list::{count_text, counted};
use crate::shell::request::SignedInRequest;

/// Maximum number of lines of a preview.
// A file can have 20,000 rows; `errors.csv` lists all problems.
pub(crate) const LISTED: usize = 100;

pub(crate) struct Importer {
    /// Path of the page and its form. Below it are `errors.csv` and `run`.
    pub(crate) path: &'static str,
    pub(crate) name: &'static str,
    pub(crate) section: &'static str,
    /// Path of the page after an import.
    pub(crate) done: &'static str,
    /// Field names of `questions`. The preview's URL contains the fields.
    pub(crate) options: &'static [&'static str],
    pub(crate) hint: fn() -> String,
    pub(crate) questions:
        for<'a> fn(&'a SignedInRequest, &'a Fields) -> ImportFuture<'a, Vec<FormField>>,
    /// Changes nothing. Returns an error if the options are invalid; invalid rows are not an error.
    pub(crate) check:
        for<'a> fn(&'a SignedInRequest, &'a Fields, &'a Bytes) -> ImportFuture<'a, ImportPreview>,
    /// Imports the whole file, or nothing if a row is invalid.
    pub(crate) run: for<'a> fn(&'a SignedInRequest, &'a Fields, &'a Bytes) -> ImportFuture<'a, Ran>,
}

type ImportFuture<'a, T> = LocalBoxFuture<'a, Result<T, RequestError>>;

#[derive(Debug, Default)]
pub(crate) struct ImportPreview {
    pub(crate) rows: usize,
    /// Texts such as `497 parcels are new`.
    pub(crate) counts: Vec<String>,
    /// First lines with changes, up to [`LISTED`].
    pub(crate) lines: Vec<PreviewLine>,
    /// Invalid rows. If there are any, the file cannot be imported.
    pub(crate) problems: Vec<Wrong>,
    /// Values that are probably not intended.
    pub(crate) warnings: Vec<Wrong>,
}

#[derive(Debug)]
pub(crate) struct PreviewLine {
    pub(crate) line: u64,
    /// Changed object, such as an order number.
    pub(crate) subject: String,
    /// URL of the subject's page.
    pub(crate) link: Option<String>,
    pub(crate) field: String,
    /// Current value; empty if no value is set.
    pub(crate) old: String,
    /// Value after the import; equal to `old` if nothing changes.
    pub(crate) new: String,
}

#[derive(Debug)]
pub(crate) struct Wrong {
    pub(crate) line: u64,
    /// Column with the problem; empty if it concerns the whole line.
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

#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) text: String,
    /// Problems that appeared since the check.
    pub(crate) problems: Vec<Wrong>,
}

impl Ran {
    pub(crate) fn new(done: String, unchanged: usize, problems: Vec<RowProblem>) -> Self {
        let unchanged = match unchanged {
            0 => String::new(),
            unchanged => format!(" No change: {}.", count_text(unchanged as u64)),
        };
        Self {
            text: format!("{done}{unchanged}"),
            problems: problems.into_iter().map(Wrong::from).collect(),
        }
    }
}

/// Returns a text for each count in `changes` that is not 0, such as `497 parcels new`.
pub(crate) fn change_counts(noun: &str, changes: [(usize, &str); 2]) -> Vec<String> {
    let changes = changes.into_iter().filter(|(count, _)| *count > 0);
    changes
        .map(|(count, what)| format!("{} {what}", counted(count, noun)))
        .collect()
}
