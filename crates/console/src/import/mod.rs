//! Imports of files, all in one flow: a file is chosen and checked, its preview is shown by line, and
//! then it is imported, or its errors are downloaded.
//!
//! Between check and import the file waits in the database, so that any server can answer. It is
//! checked again each time that its preview is shown: what others have changed meanwhile counts.

mod flow;
mod page;

use pressline_http::request_error::RequestError;

pub(crate) use flow::{errors, receive, run, show};

use crate::form::{Fields, Question};
use crate::visit::Visit;

/// Maximum number of lines of a preview.
pub(crate) const LISTED: usize = 100;

pub(crate) trait Importer {
    /// Path of the page and its form. Below it are `errors.csv` and `run`.
    const PATH: &'static str;
    const NAME: &'static str;
    const SECTION: &'static str;
    /// Page after an import.
    const DONE: &'static str;
    /// Names of the fields of [`questions`](Self::questions), which the preview's address has.
    const OPTIONS: &'static [&'static str];

    /// Explains the columns.
    fn hint() -> String;

    /// Fields besides the file.
    async fn questions(visit: &Visit, given: &Fields) -> Result<Vec<Question>, RequestError>;

    /// Changes nothing. Returns an error if the options are wrong; wrong rows are not an error.
    async fn check(visit: &Visit, options: &Fields, bytes: &[u8]) -> Result<Checked, RequestError>;

    /// Imports the whole file, or nothing if a row is wrong.
    async fn run(visit: &Visit, options: &Fields, bytes: &[u8]) -> Result<Ran, RequestError>;
}

#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// Number of rows of the file.
    pub(crate) rows: usize,
    /// Texts such as `497 parcels are new`.
    pub(crate) counts: Vec<String>,
    /// First lines with changes, at most [`LISTED`].
    pub(crate) lines: Vec<PreviewLine>,
    /// If there are any, nothing can be imported.
    pub(crate) problems: Vec<Wrong>,
    /// What is probably not intended.
    pub(crate) warnings: Vec<Wrong>,
}

#[derive(Debug)]
pub(crate) struct PreviewLine {
    pub(crate) line: u64,
    /// Such as the number of an order.
    pub(crate) subject: String,
    /// Page of the subject.
    pub(crate) link: Option<String>,
    pub(crate) field: String,
    /// Present value; empty if there is none.
    pub(crate) old: String,
    /// Value after the import; equal to `old` if nothing changes.
    pub(crate) new: String,
}

#[derive(Debug)]
pub(crate) struct Wrong {
    pub(crate) line: u64,
    /// Empty for the whole line.
    pub(crate) column: String,
    pub(crate) message: String,
}

#[derive(Debug)]
pub(crate) struct Ran {
    /// Message after the import.
    pub(crate) text: String,
    /// Problems that have appeared since the check.
    pub(crate) problems: Vec<Wrong>,
}
