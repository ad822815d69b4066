//! Bodies of operations on production.

use pressline_backoffice::production::{MisprintDraft, RecordDraft};
use pressline_domain::field::Field;
use pressline_domain::report::Path;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::json::{Body, Lenient, Unknown, body};

/// Units of an item that are done at a step.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecordProduction {
    /// The code of the item, as it is scanned: the case of letters does not matter, and any character but letters and digits
    /// counts as a hyphen.
    #[schema(value_type = String, pattern = r"\S", max_length = 40)]
    item_code: Lenient<String>,
    /// The step, one of those that are configured: `print`, `check` and `pack` unless changed.
    #[schema(value_type = String, pattern = r"^[a-z][a-z0-9-]*$", max_length = 20)]
    step: Lenient<String>,
    /// How many. All that the step before has done and this one has not, if it is absent.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 1000)]
    units: Lenient<i64>,
    /// Your own name of this request. Another request with this name, about the same item, is its repetition.
    #[schema(value_type = Option<String>, max_length = 64)]
    once: Lenient<String>,
}

body! { RecordProduction => RecordDraft { item_code, step, units, once } }

/// Units of an item that were misprinted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecordMisprint {
    /// The code of the item, as it is scanned.
    #[schema(value_type = String, pattern = r"\S", max_length = 40)]
    item_code: Lenient<String>,
    /// How many.
    #[schema(value_type = i64, minimum = 1, maximum = 1000)]
    units: Lenient<i64>,
    /// Why, for the records.
    #[schema(value_type = String, pattern = r"\S", max_length = 255)]
    reason: Lenient<String>,
    /// Your own name of this request. Another request with this name, about the same item, is its repetition.
    #[schema(value_type = Option<String>, max_length = 64)]
    once: Lenient<String>,
}

body! { RecordMisprint => MisprintDraft { item_code, units, reason, once } }

/// Which order.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct GetProduction {
    /// The service's number of the order; its prefix names the store.
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
}

impl Body for GetProduction {
    type Draft = Field<String>;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> Field<String> {
        self.order_id.0
    }
}
