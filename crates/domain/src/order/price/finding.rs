//! Findings: problems of an item that pricing cannot resolve, with their messages.

use crate::check::IssueCode;

/// Field of an item that a finding is about. Findings are sorted in the order of this enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ItemField {
    /// The field `sku`.
    Sku,
    /// The field `shipClass`.
    ShipClass,
    /// The field `fileUrls`.
    FileUrls,
}

impl ItemField {
    /// Returns the name of the field in requests, such as `shipClass`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sku => "sku",
            Self::ShipClass => "shipClass",
            Self::FileUrls => "fileUrls",
        }
    }
}

/// A problem of an item. A setting of the store decides whether it becomes a warning or an error.
/// Messages start with `problem` and end with `remedy`; only a warning also contains `effect`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Index of the item in the order, from 0.
    pub item: usize,
    /// Field that the finding is about.
    pub field: ItemField,
    /// Kind of the problem, for programs.
    pub code: IssueCode,
    /// The problem with the item, in words.
    pub problem: String,
    /// Consequence if the order is accepted, in words; empty if there is nothing to add.
    pub effect: &'static str,
    /// The correct value, in words; empty if it is unknown.
    pub remedy: String,
}

impl Finding {
    pub(crate) fn depends_on_ship_class(&self) -> bool {
        matches!(
            self.code,
            IssueCode::NoShippingRate | IssueCode::ShipClassNotOffered | IssueCode::WeightUnknown
        )
    }

    pub(crate) fn as_warning(&self) -> String {
        joined([&self.problem, self.effect, &self.remedy])
    }

    pub(crate) fn as_error(&self) -> String {
        joined([&self.problem, "", &self.remedy])
    }
}

fn joined(parts: [&str; 3]) -> String {
    let present: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    present.join("; ")
}
