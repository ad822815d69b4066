//! Loads the order that a path names.

use pressline_domain::order::{GetDraft, Order, OrderError};

use crate::shell::request::SignedInRequest;

/// Returns the current version of the order with the path's `{number}`.
pub(super) async fn load(visit: &SignedInRequest) -> Result<Order, OrderError> {
    let draft = GetDraft {
        order_id: visit.parameter("number").into(),
        ..GetDraft::default()
    };
    visit.services().orders.get(visit.scope(), &draft).await
}
