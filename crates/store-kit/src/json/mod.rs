//! What is kept as JSON text.

pub(crate) mod bill;
pub(crate) mod tariff;

use pressline_domain::catalog::PrintArea;
use pressline_domain::error::RepositoryError;
use pressline_domain::money::{Amount, MoneyError};
use pressline_domain::order::Address;
use serde::{Deserialize, Serialize};

/// A print area; the fee in minor units. A width or height that is not known is left out.
#[derive(Serialize, Deserialize)]
pub(crate) struct StoredArea {
    id: String,
    name: String,
    size: String,
    note: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
    requirement: String,
    require_for: Vec<String>,
    extra_fee: i64,
}

impl From<&PrintArea> for StoredArea {
    fn from(area: &PrintArea) -> Self {
        Self {
            id: area.id.clone(),
            name: area.name.clone(),
            size: area.size.clone(),
            note: area.note.clone(),
            width: area.width,
            height: area.height,
            requirement: area.requirement.clone(),
            require_for: area.require_for.clone(),
            extra_fee: area.extra_fee.minor_units(),
        }
    }
}

impl TryFrom<StoredArea> for PrintArea {
    type Error = MoneyError;

    fn try_from(stored: StoredArea) -> Result<Self, MoneyError> {
        Ok(Self {
            id: stored.id,
            name: stored.name,
            size: stored.size,
            note: stored.note,
            width: stored.width,
            height: stored.height,
            requirement: stored.requirement,
            require_for: stored.require_for,
            extra_fee: Amount::from_minor(stored.extra_fee)?,
        })
    }
}

/// The text of a value. Nothing that is kept can fail here, but a defect must not become a panic.
pub(crate) fn write<T: Serialize>(value: &T) -> Result<String, RepositoryError> {
    serde_json::to_string(value).map_err(|error| RepositoryError::Refused(error.into()))
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

pub(crate) fn read_areas(text: &str) -> Result<Vec<PrintArea>, pressline_domain::error::Source> {
    let stored: Vec<StoredArea> = serde_json::from_str(text)?;
    Ok(stored
        .into_iter()
        .map(PrintArea::try_from)
        .collect::<Result<_, _>>()?)
}

pub(crate) fn read_address(text: &str) -> Result<Address, pressline_domain::error::Source> {
    // A list would be read by position, and an empty one as an address without parts.
    if !text.starts_with('{') {
        return Err("not a JSON object".into());
    }
    Ok(serde_json::from_str(text)?)
}
