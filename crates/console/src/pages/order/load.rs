//! The order that a path names.

use pressline_domain::order::{GetDraft, Order, OrderError};

use crate::shell::visit::Visit;

/// Present version of the path's order.
pub(super) async fn load(visit: &Visit) -> Result<Order, OrderError> {
    let draft = GetDraft {
        order_id: visit.parameter("number").into(),
        ..GetDraft::default()
    };
    visit.services().orders.get(visit.reach(), &draft).await
}
