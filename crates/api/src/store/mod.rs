//! The administration of stores by operators.

pub(crate) mod create;
pub(crate) mod disable;
pub(crate) mod enable;
pub(crate) mod list;
mod request;
mod response;
pub(crate) mod revoke_key;
pub(crate) mod rotate_key;
pub(crate) mod set;
pub(crate) mod show;

use actix_web::HttpRequest;
use pressline_domain::id::{KeyId, StoreId};
use pressline_domain::operator::{AuthenticatedOperator, OperatorStores};
use pressline_http::context::RequestContext;

use crate::OperatorApi;
use crate::json::Body;
use crate::operation::Called;
use crate::operator::ByOperator;

pub use response::StoreDocument;

impl OperatorApi {
    /// Returns the stores that the caller of a request administers.
    fn stores<'a, T: Body>(&self, request: &'a ByOperator<T>) -> OperatorStores<'a> {
        let operator = &request.caller.operator;
        OperatorStores::new(&self.services.stores, operator, Some(request.id()))
    }
}

/// Logs that an operator has changed a store, with the right that it used and the key that was
/// made or revoked.
fn log_change(
    request: &HttpRequest,
    caller: &AuthenticatedOperator,
    store: StoreId,
    key: Option<KeyId>,
) {
    RequestContext::of(request).note(|notes| notes.store = Some(store));
    let called = request.app_data::<Called>();
    tracing::info!(
        operator = caller.operator.name,
        token = %caller.token,
        call = called.map(|called| called.operation.right()),
        %store,
        key = key.map(|key| key.to_string()),
        "an operator has changed a store"
    );
}
