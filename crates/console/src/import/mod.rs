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

/// What files of one kind are imported as.
pub(crate) trait Importer {
    /// The path of the page; its form is sent there too. Below it are `errors.csv` and `run`.
    const PATH: &'static str;
    /// The heading of the page.
    const NAME: &'static str;
    /// What the page belongs to, for its title.
    const SECTION: &'static str;
    /// The page that is shown after an import.
    const DONE: &'static str;
    /// The names of the fields that [`questions`](Self::questions) asks for. The address of the preview
    /// has them.
    const OPTIONS: &'static [&'static str];

    /// Returns what is said about the columns.
    fn hint() -> String;

    /// Returns what is asked besides the file.
    ///
    /// # Errors
    /// As the use cases fail.
    async fn questions(visit: &Visit, given: &Fields) -> Result<Vec<Question>, RequestError>;

    /// Checks a file. Changes nothing.
    ///
    /// # Errors
    /// If the options are wrong, and as the use cases fail. Wrong rows are no error.
    async fn check(visit: &Visit, options: &Fields, bytes: &[u8]) -> Result<Checked, RequestError>;

    /// Imports a file: all of it, or nothing if a row is wrong.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    async fn run(visit: &Visit, options: &Fields, bytes: &[u8]) -> Result<Ran, RequestError>;
}

/// What a check has found.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// Number of rows of the file.
    pub(crate) rows: usize,
    /// What the import comes to, each as a text such as `497 parcels are new`.
    pub(crate) counts: Vec<String>,
    /// The first lines with what changes, at most [`LISTED`].
    pub(crate) lines: Vec<PreviewLine>,
    /// What is wrong. Nothing can be imported then.
    pub(crate) problems: Vec<Wrong>,
    /// What is most likely not intended.
    pub(crate) warnings: Vec<Wrong>,
}

/// A line of a file, with what an import of it changes.
#[derive(Debug)]
pub(crate) struct PreviewLine {
    pub(crate) line: u64,
    /// What it is about, such as the number of an order.
    pub(crate) subject: String,
    /// The page of that.
    pub(crate) link: Option<String>,
    pub(crate) field: String,
    /// The present value; empty if there is none.
    pub(crate) old: String,
    /// The value after the import; the same if nothing changes.
    pub(crate) new: String,
}

/// Something that is wrong with a line.
#[derive(Debug)]
pub(crate) struct Wrong {
    pub(crate) line: u64,
    /// The column; empty for the whole line.
    pub(crate) column: String,
    pub(crate) message: String,
}

/// What an import has done.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The message of the page after it.
    pub(crate) text: String,
    /// What was wrong after all, because others have changed something since the check.
    pub(crate) problems: Vec<Wrong>,
}
