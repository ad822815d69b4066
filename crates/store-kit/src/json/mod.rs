//! Converts values to and from the JSON in columns.

pub(crate) mod art;
pub(crate) mod bill;
pub(crate) mod moves;

use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::order::Address;
use serde::Serialize;

/// Initial size of the buffer for a JSON text, in bytes. Most texts fit without growing the buffer.
const USUAL_TEXT: usize = 512;

/// No type is known to cause an error, but a defect must not cause a panic.
pub(crate) fn write<T: Serialize>(value: &T) -> Result<String, RepositoryError> {
    let mut text = Vec::with_capacity(USUAL_TEXT);
    let refused = |error: Source| RepositoryError::Refused(error);
    serde_json::to_writer(&mut text, value).map_err(|error| refused(error.into()))?;
    String::from_utf8(text).map_err(|error| refused(error.into()))
}

/// Returns `texts` as a JSON array, so that one parameter holds any number of strings.
///
/// # Errors
/// [`RepositoryError::Refused`]; no input is known to cause it.
pub fn text_list(texts: &[&str]) -> Result<String, RepositoryError> {
    write(&texts)
}

pub(crate) fn read_address(text: &str) -> Result<Address, Source> {
    // serde would also read an array, by position, and `[]` as an empty address.
    if !text.starts_with('{') {
        return Err("not a JSON object".into());
    }
    Ok(serde_json::from_str(text)?)
}
