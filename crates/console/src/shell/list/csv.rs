//! Export of a list as a CSV file.

use pressline_http::request_error::{RequestError, chain};

use crate::shell::reply::Reply;
use crate::shell::result::Result;

/// Marks cells that spreadsheets treat as formulas as text. `header` is separated by commas.
pub(crate) fn csv(
    name: &str,
    header: &str,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> Result<Reply> {
    let header: Vec<&str> = header.split(',').collect();
    let bytes = pressline_tabular::table(&header, rows)
        .map_err(|error| RequestError::internal(chain(&error)))?;
    let file = pressline_tabular::for_spreadsheets(bytes);
    Ok(Reply::file(name, "text/csv; charset=utf-8", file))
}
