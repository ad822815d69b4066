//! Export of a list as a CSV file.

use pressline_http::request_error::{RequestError, chain};

use crate::shell::reply::Reply;
use crate::shell::result::Result;

/// Creates a download of `rows` as the CSV file `name`. `header` is separated by commas. Cells that
/// spreadsheets treat as formulas are marked as text.
pub(crate) fn csv(
    name: &str,
    header: &str,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> Result<Reply> {
    let header: Vec<&str> = header.split(',').collect();
    let bytes = pressline_tabular::table(&header, rows)
        .map_err(|error| RequestError::internal(chain(&error)))?;
    Ok(Reply::file(name, "text/csv; charset=utf-8", bytes))
}
