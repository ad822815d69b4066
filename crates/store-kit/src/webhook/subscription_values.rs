//! Statement parameters that identify a subscription, and numbers of a subscription.

use pressline_backoffice::webhook::SubscriptionKey;

use crate::sql::{Value, Values};

/// Returns the parameters `store_id` and `endpoint_id` of `subscription`, followed by `others`.
pub(super) fn of_subscription<const N: usize>(
    subscription: SubscriptionKey,
    others: [(&'static str, Value<'static>); N],
) -> Values<'static> {
    let mut values = vec![
        ("store_id", subscription.store.into()),
        ("endpoint_id", subscription.endpoint.into()),
    ];
    values.extend(others);
    values
}

pub(super) fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Negative numbers, which no table contains, become 0.
pub(super) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
