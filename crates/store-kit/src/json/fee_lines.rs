//! The lines that explain an order's fees, as JSON text.

use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::money::Amount;
use pressline_domain::pricing::fees::{FeeLine, FeeType};
use serde::{Deserialize, Serialize};

/// A line; the amount in minor units of the order's currency.
#[derive(Serialize, Deserialize)]
struct StoredLine {
    fee: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    item: Option<String>,
    amount: i64,
    rule: String,
}

impl From<&FeeLine> for StoredLine {
    fn from(line: &FeeLine) -> Self {
        Self {
            fee: line.fee.as_str().to_owned(),
            item: line.item.map(|item| item.to_string()),
            amount: line.amount.minor_units(),
            rule: line.rule.clone(),
        }
    }
}

impl TryFrom<StoredLine> for FeeLine {
    type Error = Source;

    fn try_from(stored: StoredLine) -> Result<Self, Source> {
        Ok(Self {
            fee: fee_type(&stored.fee)?,
            item: stored.item.as_deref().map(str::parse).transpose()?,
            amount: Amount::from_minor(stored.amount)?,
            rule: stored.rule,
        })
    }
}

/// The fee of a stored name.
pub(crate) fn fee_type(name: &str) -> Result<FeeType, Source> {
    FeeType::from_name(name).ok_or_else(|| format!("`{name}` is no type of fee").into())
}

pub(crate) fn write(lines: &[FeeLine]) -> Result<String, RepositoryError> {
    super::write(&lines.iter().map(StoredLine::from).collect::<Vec<_>>())
}

pub(crate) fn read(text: &str) -> Result<Vec<FeeLine>, Source> {
    let stored: Vec<StoredLine> = serde_json::from_str(text)?;
    stored.into_iter().map(FeeLine::try_from).collect()
}
