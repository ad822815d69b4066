//! What pricing could not settle about an item, and the texts that report it.

use crate::report::IssueCode;

/// The field of an item that a finding is about. Findings about one item are listed in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ItemField {
    /// The SKU.
    Sku,
    /// The ship class.
    ShipClass,
    /// The list of print files.
    FileUrls,
}

impl ItemField {
    /// The field's name in requests.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sku => "sku",
            Self::ShipClass => "shipClass",
            Self::FileUrls => "fileUrls",
        }
    }
}

/// Something about an item that pricing could not settle.
///
/// A store decides whether it is a warning or an error. Both texts begin with the problem and end
/// with the remedy; only the warning has the effect, because an error has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The item's position in the order, from 0.
    pub item: usize,
    /// The field it is about.
    pub field: ItemField,
    /// What kind of finding it is.
    pub code: IssueCode,
    /// What is wrong.
    pub problem: String,
    /// What the service does about it when it accepts the order; empty if there is nothing to add.
    pub effect: &'static str,
    /// What would be right; empty if that is not known.
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
