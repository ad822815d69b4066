//! Export of a list.

use pressline_http::request_error::{RequestError, chain};

use crate::shell::reply::Reply;
use crate::shell::result::Result;

/// `header` has the column names, separated by commas. Marks cells of `rows` as text if a spreadsheet would take them for formulas.
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
