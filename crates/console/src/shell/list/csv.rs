//! The export of a list.

use pressline_http::request_error::{RequestError, chain};

use crate::shell::reply::Reply;

/// Cells that a spreadsheet would take for a formula are marked as text.
pub(crate) fn csv(
    name: &str,
    header: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> Result<Reply, RequestError> {
    let bytes = pressline_tabular::table(header, rows)
        .map_err(|error| RequestError::internal(chain(&error)))?;
    Ok(Reply::file(name, "text/csv; charset=utf-8", bytes))
}
