//! Codes that people scan: of items, orders and batches.

use std::fmt;
use std::str::FromStr;

use super::batch::{BatchNumber, canonical};
use pressline_domain::value::{Prefix, ServiceOrderId};

/// Code of an item: order number and item number, such as `SUN-1042-1`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ItemCode {
    /// Number of the order, such as `SUN-1042`.
    pub order: ServiceOrderId,
    /// Number of the item in its order, from 1.
    pub number: u32,
}

/// A scanned code. The item, order or batch that it names need not exist.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ScannedCode {
    /// Item code, such as `SUN-1042-1`.
    Item(ItemCode),
    /// Order number, such as `SUN-1042`.
    Order(ServiceOrderId),
    /// Batch number, such as `BATCH-12`.
    Batch(BatchNumber),
}

/// Error for a string that is not a [`ScannedCode`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a code: expected an item such as SUN-1042-1, an order such as SUN-1042, or a batch such as BATCH-12"
)]
pub struct InvalidCode;

/// Error for a string that is not an [`ItemCode`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not the code of an item, such as SUN-1042-1")]
pub struct InvalidItemCode;

impl fmt::Display for ItemCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.order, self.number)
    }
}

impl fmt::Display for ScannedCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Item(code) => code.fmt(f),
            Self::Order(number) => number.fmt(f),
            Self::Batch(number) => number.fmt(f),
        }
    }
}

impl FromStr for ItemCode {
    type Err = InvalidItemCode;

    fn from_str(text: &str) -> Result<Self, InvalidItemCode> {
        match text.parse() {
            Ok(ScannedCode::Item(code)) => Ok(code),
            Ok(ScannedCode::Order(_) | ScannedCode::Batch(_)) | Err(InvalidCode) => {
                Err(InvalidItemCode)
            }
        }
    }
}

impl FromStr for ScannedCode {
    type Err = InvalidCode;

    /// Reads a code as a scanner types it. Surrounding white space and letter case do not matter.
    /// Any character other than an ASCII letter or digit counts as a hyphen: the character that a
    /// scanner types for a hyphen depends on the keyboard layout, such as `ß` on a German layout.
    fn from_str(text: &str) -> Result<Self, InvalidCode> {
        let text = text.trim().to_ascii_uppercase();
        let parts: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).collect();
        match parts.as_slice() {
            [Prefix::BATCH, number] => number.parse().map(Self::Batch).map_err(|_| InvalidCode),
            [prefix, number] => order(prefix, number).map(Self::Order),
            [prefix, number, item] => {
                let order = order(prefix, number)?;
                let number = canonical(item)
                    .and_then(|digits| digits.parse().ok())
                    .ok_or(InvalidCode)?;
                Ok(Self::Item(ItemCode { order, number }))
            }
            _ => Err(InvalidCode),
        }
    }
}

fn order(prefix: &str, number: &str) -> Result<ServiceOrderId, InvalidCode> {
    let order = format!("{prefix}-{number}").parse();
    order.map_err(|_| InvalidCode)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<String> {
        match text.parse().ok()? {
            ScannedCode::Item(code) => Some(format!("item {code}")),
            ScannedCode::Order(id) => Some(format!("order {id}")),
            ScannedCode::Batch(number) => Some(format!("batch {number}")),
        }
    }

    #[test]
    fn a_scanned_code_names_an_item_an_order_or_a_batch() {
        for (text, expected) in [
            ("SUN-1042-1", "item SUN-1042-1"),
            ("SUN-1042", "order SUN-1042"),
            ("BATCH-12", "batch BATCH-12"),
            ("2ND-1-100", "item 2ND-1-100"),
        ] {
            assert_eq!(shown(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn case_white_space_and_the_layout_of_the_keyboard_do_not_matter() {
        for text in [
            "sun-1042-1",
            " SUN-1042-1\r\n",
            "SUNß1042ß1",
            "sun'1042'1",
            "SUN/1042/1",
            "SUN)1042)1",
            "SUN–1042–1",
            "SUN 1042 1",
        ] {
            assert_eq!(shown(text).as_deref(), Some("item SUN-1042-1"), "{text}");
        }
        assert_eq!(shown("batchß12").as_deref(), Some("batch BATCH-12"));
    }

    #[test]
    fn other_texts_are_no_codes() {
        for wrong in [
            "",
            "-",
            "SUN",
            "1042",
            "SUN--1042",
            "SUN-1042-",
            "-SUN-1042",
            "SUN-01",
            "SUN-1-01",
            "SUN-1-0",
            "SUN-1-x",
            "SUN-1-2-3",
            "BATCH-0",
            "BATCH-1-1",
            "SUN-99999999999999999999",
            "SUN-1-99999999999",
            "ABCDEFGHIJKLM-1",
            "SUN-x",
        ] {
            assert_eq!(shown(wrong), None, "{wrong}");
        }
        assert_eq!("SUN-1042".parse::<ItemCode>(), Err(InvalidItemCode));
    }
}
