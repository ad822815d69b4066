//! What is kept as JSON text.

pub(crate) mod art;
pub(crate) mod bill;
pub(crate) mod tariff;

use std::borrow::Cow;

use pressline_domain::catalog::PrintArea;
use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::money::{Amount, MoneyError};
use pressline_domain::order::Address;
use serde::{Deserialize, Serialize};

/// Room for most values, in bytes, so that their text does not grow piece by piece.
const USUAL_TEXT: usize = 512;

/// A print area; the fee in minor units. A width or height that is not known is left out.
#[derive(Serialize, Deserialize)]
pub(crate) struct StoredArea<'a> {
    id: Cow<'a, str>,
    name: Cow<'a, str>,
    size: Cow<'a, str>,
    note: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
    requirement: Cow<'a, str>,
    require_for: Cow<'a, [String]>,
    extra_fee: i64,
}

impl<'a> From<&'a PrintArea> for StoredArea<'a> {
    fn from(area: &'a PrintArea) -> Self {
        Self {
            id: area.id.as_str().into(),
            name: area.name.as_str().into(),
            size: area.size.as_str().into(),
            note: area.note.as_str().into(),
            width: area.width,
            height: area.height,
            requirement: area.requirement.as_str().into(),
            require_for: area.require_for.as_slice().into(),
            extra_fee: area.extra_fee.minor_units(),
        }
    }
}

impl TryFrom<StoredArea<'_>> for PrintArea {
    type Error = MoneyError;

    fn try_from(stored: StoredArea<'_>) -> Result<Self, MoneyError> {
        Ok(Self {
            id: stored.id.into_owned(),
            name: stored.name.into_owned(),
            size: stored.size.into_owned(),
            note: stored.note.into_owned(),
            width: stored.width,
            height: stored.height,
            requirement: stored.requirement.into_owned(),
            require_for: stored.require_for.into_owned(),
            extra_fee: Amount::from_minor(stored.extra_fee)?,
        })
    }
}

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

pub(crate) fn write_areas(areas: &[PrintArea]) -> Result<String, RepositoryError> {
    write(&areas.iter().map(StoredArea::from).collect::<Vec<_>>())
}

pub(crate) fn read_areas(text: &str) -> Result<Vec<PrintArea>, Source> {
    let stored: Vec<StoredArea<'_>> = serde_json::from_str(text)?;
    Ok(stored
        .into_iter()
        .map(PrintArea::try_from)
        .collect::<Result<_, _>>()?)
}

pub(crate) fn read_address(text: &str) -> Result<Address, Source> {
    // A list would be read by position, and an empty one as an address without parts.
    if !text.starts_with('{') {
        return Err("not a JSON object".into());
    }
    Ok(serde_json::from_str(text)?)
}
