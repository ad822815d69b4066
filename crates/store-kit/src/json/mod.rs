//! What is kept as JSON text.

pub(crate) mod art;
pub(crate) mod bill;
pub(crate) mod moves;

use std::collections::BTreeSet;

use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::id::StoreId;
use pressline_domain::order::Address;
use serde::Serialize;

/// Room for most values, in bytes, so that their text does not grow piece by piece.
const USUAL_TEXT: usize = 512;

/// The text of a value. Nothing that is kept can fail here, but a defect must not become a panic.
pub(crate) fn write<T: Serialize>(value: &T) -> Result<String, RepositoryError> {
    let mut text = Vec::with_capacity(USUAL_TEXT);
    let refused = |error: Source| RepositoryError::Refused(error);
    serde_json::to_writer(&mut text, value).map_err(|error| refused(error.into()))?;
    String::from_utf8(text).map_err(|error| refused(error.into()))
}

/// Texts as a JSON list, as which one parameter of a statement can hold any number of them.
///
/// # Errors
/// [`RepositoryError::Refused`], which no text is known to cause.
pub fn text_list(texts: &[&str]) -> Result<String, RepositoryError> {
    write(&texts)
}

/// The ids of stores of a JSON list.
pub(crate) fn read_stores(text: &str) -> Result<BTreeSet<StoreId>, Source> {
    let ids: Vec<String> = serde_json::from_str(text)?;
    let ids: Result<_, _> = ids.iter().map(|id| id.parse::<StoreId>()).collect();
    Ok(ids?)
}

pub(crate) fn read_address(text: &str) -> Result<Address, Source> {
    // A list would be read by position, and an empty one as an address without parts.
    if !text.starts_with('{') {
        return Err("not a JSON object".into());
    }
    Ok(serde_json::from_str(text)?)
}
