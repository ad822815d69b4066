//! Operations on the webhook endpoints of the print shop and its stores, for operators.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod deliveries;
pub(crate) mod disable;
pub(crate) mod enable;
pub(crate) mod list;
pub(crate) mod rotate_secret;
pub(crate) mod test;
pub(crate) mod update;

use std::fmt::Display;

use crate::caller::ByOperator;

/// Logs that an operator has changed `endpoint`, with the right that the operator used.
fn log_change(call: &ByOperator, endpoint: impl Display) {
    tracing::info!(
        operator = call.caller.operator.name,
        token = %call.caller.token,
        call = call.right(),
        webhook = %endpoint,
        "an operator has changed a webhook endpoint"
    );
}
