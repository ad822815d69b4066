//! Parameters that name a lane.

use pressline_backoffice::webhook::LaneKey;

use crate::cold_value::Value;

/// Returns the parameters that name a lane, and these.
pub(super) fn of_lane<const N: usize>(
    lane: LaneKey,
    others: [(&'static str, Value); N],
) -> Vec<(&'static str, Value)> {
    let mut values = vec![
        ("store_id", Value::text(&lane.store.to_string())),
        ("endpoint_id", Value::text(&lane.endpoint.to_string())),
    ];
    values.extend(others);
    values
}
