//! The bill of an order, as JSON text.

use std::borrow::Cow;

use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::money::Amount;
use pressline_domain::pricing::fees::{Bill, FeeLine, FeeType};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct StoredBill<'a> {
    lines: Vec<StoredLine<'a>>,
    /// The fees that are zero without a line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    free: Vec<Cow<'a, str>>,
}

/// A line: its fee, its item, the amount in minor units of the order's currency, its rule. A list
/// takes half of the bytes that an object takes, and each order has several lines.
type StoredLine<'a> = (Cow<'a, str>, Option<String>, i64, Cow<'a, str>);

/// The fee of a stored name.
pub(crate) fn fee_type(name: &str) -> Result<FeeType, Source> {
    FeeType::from_name(name).ok_or_else(|| format!("`{name}` is no type of fee").into())
}

pub(crate) fn write(bill: &Bill) -> Result<String, RepositoryError> {
    super::write(&StoredBill {
        lines: bill.lines().iter().map(write_line).collect(),
        free: bill.free().map(|fee| fee.as_str().into()).collect(),
    })
}

fn write_line(line: &FeeLine) -> StoredLine<'_> {
    (
        line.fee.as_str().into(),
        line.item.map(|item| item.to_string()),
        line.amount.minor_units(),
        line.rule.as_str().into(),
    )
}

pub(crate) fn read(text: &str) -> Result<Bill, Source> {
    let stored: StoredBill<'_> = serde_json::from_str(text)?;
    let lines = stored.lines.into_iter().map(read_line);
    let free = stored.free.iter().map(|name| fee_type(name));
    Ok(Bill::new(
        lines.collect::<Result<_, _>>()?,
        free.collect::<Result<Vec<_>, _>>()?,
    )?)
}

fn read_line((fee, item, amount, rule): StoredLine<'_>) -> Result<FeeLine, Source> {
    Ok(FeeLine {
        fee: fee_type(&fee)?,
        item: item.as_deref().map(str::parse).transpose()?,
        amount: Amount::from_minor(amount)?,
        rule: rule.into_owned(),
    })
}
