//! Operations of operators on the webhook endpoints of the shop and of its stores.

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

use actix_web::HttpRequest;
use pressline_domain::operator::AuthenticatedOperator;

use crate::operation::Called;

/// Logs that an operator has changed an endpoint, with the right that it used.
fn log_change(request: &HttpRequest, caller: &AuthenticatedOperator, endpoint: impl Display) {
    let called = request.app_data::<Called>();
    tracing::info!(
        operator = caller.operator.name,
        token = %caller.token,
        call = called.map(|called| called.operation.right()),
        webhook = %endpoint,
        "an operator has changed a webhook endpoint"
    );
}
