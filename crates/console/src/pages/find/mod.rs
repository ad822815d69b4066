//! `Find order`: opens the order that a text names. If not exactly one order matches, opens the
//! search of orders.

use pressline_backoffice::operator::OperatorRole::Viewer;
use pressline_backoffice::queue::{OrdersDraft, StoresDraft};
use pressline_domain::check::limits;
use pressline_domain::order::search::SearchDraft;
use pressline_domain::order::{GetDraft, Order, OrderError};
use pressline_domain::value::page::PageDraft;

use crate::shell::access::Access::Role;
use crate::shell::paths::order::{ORDERS, path};
use crate::shell::{Answer, Fields, Reply, Route, SignedInRequest, routes};

const TEXT: &str = "text";

pub(crate) async fn find(visit: SignedInRequest) -> Answer {
    let text = visit.query().get(TEXT).trim();
    let order = match by_number(&visit, text).await? {
        Some(order) => Some(order),
        None => only_match(&visit, text).await?,
    };
    let address = match order {
        Some(order) => path(&order.service_order_id.to_string()),
        None => Fields::new([("searchKey", text)])
            .without(&[])
            .address(ORDERS),
    };
    Ok(Reply::redirect(address))
}

/// Returns the order with the number or the id in `text`. Returns `None` if the number is also the
/// order id of another order, so that the search shows both.
async fn by_number(visit: &SignedInRequest, text: &str) -> Result<Option<Order>, OrderError> {
    // Order numbers have capitals, but may be typed in small letters.
    let text = text.to_ascii_uppercase();
    // An item code is the order's number and the item's own number: `SUN-1042-1`.
    let of_item = text.rsplit_once('-').map(|(number, _)| number);
    for name in [Some(text.as_str()), of_item].into_iter().flatten() {
        let draft = GetDraft {
            order_id: name.into(),
            ..GetDraft::default()
        };
        let (orders, scope) = (&visit.services().orders, visit.scope_of_typed());
        match orders.read.get(scope, &draft).await {
            Ok(read_order) => {
                return Ok(Some(read_order.order).filter(|_| read_order.warnings.is_empty()));
            }
            Err(OrderError::NotFound | OrderError::Invalid { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// Returns the only order that matches `text`, as search words or else as a tracking number.
/// Returns `None` if no order or several orders match. Orders of test stores are searched last.
async fn only_match(visit: &SignedInRequest, text: &str) -> Result<Option<Order>, OrderError> {
    for test in [false, true] {
        for by_tracking in [false, true] {
            let (queue, draft) = (&visit.services().queue, draft(text, by_tracking, test));
            let result = queue
                .orders(visit.operator(), &draft, limits::PAGE_SIZE)
                .await;
            let mut orders = match result {
                Ok(result) => result.page.entries,
                // The text is not a valid search key or tracking number.
                Err(OrderError::Invalid { .. }) => continue,
                Err(error) => return Err(error),
            };
            match orders.len() {
                0 => {}
                1 => return Ok(orders.pop()),
                _ => return Ok(None),
            }
        }
    }
    Ok(None)
}

fn draft(text: &str, by_tracking: bool, test: bool) -> OrdersDraft {
    let mut draft = OrdersDraft {
        search: SearchDraft {
            // Two orders suffice to see whether the match is unique.
            paging: PageDraft {
                size: 2.into(),
                ..PageDraft::default()
            },
            ..SearchDraft::default()
        },
        stores: StoresDraft {
            test: test.into(),
            ..StoresDraft::default()
        },
        ..OrdersDraft::default()
    };
    if by_tracking {
        draft.tracking_number = text.into();
    } else {
        draft.search.search_key = text.into();
    }
    draft
}

pub(crate) const ROUTES: &[Route] = &routes! {
    page.searching: "/console/find", "Find order", Role(Viewer) => find;
};
