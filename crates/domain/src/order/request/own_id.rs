//! The order id that a store gives to a new order.

use crate::check::{Field, IssueCode, Path, Report, order_id};
use crate::order::Lookup;
use crate::store::Store;

/// Returns the required order id of a new order of `store`. Adds a warning if calls could later
/// mistake it for the number of an order: it is accepted, because shops cannot number their orders
/// in another way once a customer has ordered.
pub(super) fn own_order_id(
    field: &Field<String>,
    store: &Store,
    report: &mut Report,
) -> Option<String> {
    let path = Path::Root.key("order_id");
    let own = order_id(field, &path, report)?;
    // Asks the key that calls look up, so that the warning covers each name that is a number there.
    if Lookup::named(&own, store).number.is_some() {
        let message = format!(
            "`{own}` has the form of this service's order numbers: if another order has this \
             number, name either order by its `id`; prefer ids that do not begin with `{}-`",
            store.prefix
        );
        report.warning(&path, IssueCode::AmbiguousOrderId, message);
    }
    Some(own)
}
