//! Statement parameters that identify a subscription.

use pressline_backoffice::webhook::SubscriptionKey;

use crate::cold_value::Value;

/// Returns the parameters `store_id` and `endpoint_id` of `subscription`, followed by `others`.
pub(super) fn of_subscription<const N: usize>(
    subscription: SubscriptionKey,
    others: [(&'static str, Value); N],
) -> Vec<(&'static str, Value)> {
    let mut values = vec![
        ("store_id", Value::text(&subscription.store.to_string())),
        (
            "endpoint_id",
            Value::text(&subscription.endpoint.to_string()),
        ),
    ];
    values.extend(others);
    values
}
