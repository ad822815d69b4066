//! Request bodies of operations on production.

use pressline_backoffice::production::{MisprintDraft, RecordDraft};
use pressline_domain::check::field::Field;
use pressline_domain::check::report::Path;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::json::{Body, Lenient, Unknown, body};

/// Finished units of an item at a step.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecordProduction {
    /// Code of the item, as it is scanned, in any letter case. Any character but letters and digits
    /// counts as a hyphen.
    #[schema(value_type = String, pattern = r"\S", max_length = 40)]
    item_code: Lenient<String>,
    /// The step: `print`, `check` or `pack`, unless other steps are configured.
    #[schema(value_type = String, pattern = r"^[a-z][a-z0-9-]*$", max_length = 20)]
    step: Lenient<String>,
    /// Number of finished units. If absent, all units that wait at the step: they are done at the
    /// previous step, but not at this step.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 1000)]
    units: Lenient<i64>,
    /// Your own name for this request. If you repeat the request for the same item with this name,
    /// nothing is recorded again.
    #[schema(value_type = Option<String>, max_length = 64)]
    once: Lenient<String>,
}

body! { RecordProduction => RecordDraft { item_code, step, units, once } }

/// Misprinted units of an item.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecordMisprint {
    /// Code of the item, as it is scanned.
    #[schema(value_type = String, pattern = r"\S", max_length = 40)]
    item_code: Lenient<String>,
    /// Number of misprinted units.
    #[schema(value_type = i64, minimum = 1, maximum = 1000)]
    units: Lenient<i64>,
    /// Reason, for the production records.
    #[schema(value_type = String, pattern = r"\S", max_length = 255)]
    reason: Lenient<String>,
    /// Your own name for this request. If you repeat the request for the same item with this name,
    /// nothing is recorded again.
    #[schema(value_type = Option<String>, max_length = 64)]
    once: Lenient<String>,
}

body! { RecordMisprint => MisprintDraft { item_code, units, reason, once } }

/// Query for the production of an order.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct GetProduction {
    /// The service's number of the order, such as `SUN-12`; its prefix identifies the store.
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
}

impl Body for GetProduction {
    type Draft = Field<String>;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> Field<String> {
        self.order_id.0
    }
}
