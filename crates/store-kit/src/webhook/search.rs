//! Finds entries of the delivery log, newest first.

use pressline_backoffice::webhook::{Delivery, DeliveryFilter, DeliveryStatus, EndpointOwner};
use pressline_domain::value::{DeliveryId, OrderId, Timestamp};

use super::endpoint::owner_value;
use super::row::DeliveryRow;
use super::subscription_values::number;
use crate::cold_store::Db;
use crate::failure::{Failure, restore_all};
use crate::sql::{Value, Values};

/// Store id of test deliveries of the print shop's endpoints: the nil UUID.
pub(super) const NO_STORE: &str = "00000000-0000-0000-0000-000000000000";
/// Maximum difference, in milliseconds, between the time in a delivery's id and its `started_at`.
pub(super) const SLACK: i64 = 10_000;

pub(super) type HeadRow = (String, String, Option<String>);

/// Statements that find deliveries of a kind. Each kind has an index of its own.
struct SearchTexts {
    /// Selects deliveries of a subscription.
    of_subscription: &'static str,
    /// Selects subscriptions of the print shop's endpoints.
    heads: &'static str,
}

const ALL: SearchTexts = SearchTexts {
    of_subscription: include_str!("sql/search.sql"),
    heads: include_str!("sql/heads.sql"),
};

const FAILED: SearchTexts = SearchTexts {
    of_subscription: include_str!("sql/search_failed.sql"),
    heads: include_str!("sql/heads_failed.sql"),
};

const OF_ORDER: SearchTexts = SearchTexts {
    of_subscription: include_str!("sql/search_of_order.sql"),
    heads: include_str!("sql/heads_of_order.sql"),
};

const OF_EVENT: SearchTexts = SearchTexts {
    of_subscription: include_str!("sql/search_of_event.sql"),
    heads: include_str!("sql/heads_of_event.sql"),
};

impl SearchTexts {
    /// Chooses the kind with the fewest deliveries that `filter` permits.
    fn of(filter: &DeliveryFilter) -> &'static Self {
        match (filter.sequence, filter.order, filter.status) {
            (Some(_), _, _) => &OF_EVENT,
            (None, Some(_), _) => &OF_ORDER,
            (None, None, Some(DeliveryStatus::Failed)) => &FAILED,
            (None, None, Some(DeliveryStatus::Succeeded) | None) => &ALL,
        }
    }
}

/// Sorted from new to old. Looks up the newest match of each subscription, then reads one
/// subscription after another until the remaining subscriptions cannot contribute to the page.
pub(super) fn search(
    db: &mut Db<'_>,
    owner: EndpointOwner,
    filter: &DeliveryFilter,
    before: Option<DeliveryId>,
    limit: u32,
) -> Result<Vec<Delivery>, Failure> {
    let texts = SearchTexts::of(filter);
    let mut page_values = values(filter, before);
    page_values.push(("limit", limit.into()));
    let heads = heads(db, owner, texts.heads, &page_values)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut rows: Vec<DeliveryRow> = Vec::new();
    for (store_id, endpoint_id, head) in heads {
        // Heads are sorted: once the page is full, later subscriptions have no newer delivery.
        let is_full = rows.get(limit.saturating_sub(1));
        if is_full.is_some_and(|last| Some(&last.delivery_id) > head.as_ref()) {
            break;
        }
        let of_subscription = [
            ("store_id", store_id.into()),
            ("endpoint_id", endpoint_id.into()),
        ];
        let values = [&of_subscription[..], &page_values].concat();
        rows.extend(db.load::<DeliveryRow>(texts.of_subscription, &values)?);
        rows.sort_by(|a, b| b.delivery_id.cmp(&a.delivery_id));
        rows.truncate(limit);
    }
    restore_all(rows, DeliveryRow::restore)
}

/// Returns subscriptions with the ids of their newest matching deliveries, newest first. The list
/// begins with subscriptions that have to be read in any case: all of a store, which has few
/// endpoints, and an entry for [`NO_STORE`] for each endpoint of the print shop, because its test
/// deliveries belong to no subscription.
fn heads(
    db: &mut Db<'_>,
    owner: EndpointOwner,
    text: &'static str,
    values: &[(&'static str, Value<'_>)],
) -> Result<Vec<HeadRow>, Failure> {
    let endpoint_query = match owner {
        EndpointOwner::Store(_) => {
            "SELECT endpoint_id
             FROM webhook_endpoints
             WHERE store_id = :owner
               AND (CAST(:endpoint AS TEXT) IS NULL OR endpoint_id = :endpoint)"
        }
        EndpointOwner::Shop => {
            "SELECT endpoint_id
             FROM webhook_endpoints
             WHERE store_id IS NULL
               AND (CAST(:endpoint AS TEXT) IS NULL OR endpoint_id = :endpoint)"
        }
    };
    let endpoint_ids =
        db.load::<String>(endpoint_query, &[values, &owner_value(owner)].concat())?;
    let store = match owner {
        EndpointOwner::Store(store) => store.to_string(),
        EndpointOwner::Shop => NO_STORE.to_owned(),
    };
    // A head that is newer than each delivery.
    let newest = || Some(ABOVE_ALL.to_owned());
    let endpoints = endpoint_ids.into_iter();
    let mut heads: Vec<HeadRow> = endpoints.map(|id| (store.clone(), id, newest())).collect();
    if owner == EndpointOwner::Shop {
        // A page of `limit` deliveries comes from at most `limit` subscriptions.
        heads.extend(db.load::<HeadRow>(text, values)?);
    }
    Ok(heads)
}

/// A text greater than each id.
const ABOVE_ALL: &str = "~";

/// Returns the parameters of all searches.
fn values(filter: &DeliveryFilter, before: Option<DeliveryId>) -> Values<'static> {
    let time = |time: Option<Timestamp>, otherwise| time.map_or(otherwise, Timestamp::as_millis);
    let (from, to) = (time(filter.from, i64::MIN), time(filter.to, i64::MAX));
    // An id may be from some time before or after `started_at`.
    let lowest = filter.from.map(|_| lowest_id(from.saturating_sub(SLACK)));
    let highest = filter.to.map(|_| lowest_id(to.saturating_add(SLACK)));
    let above_all = || ABOVE_ALL.to_owned();
    let failed = filter.status.map(|status| status == DeliveryStatus::Failed);
    vec![
        ("endpoint", filter.endpoint.map(|id| id.to_string()).into()),
        (
            "before",
            before.map_or_else(above_all, |id| id.to_string()).into(),
        ),
        ("lowest", lowest.unwrap_or_default().into()),
        ("highest", highest.unwrap_or_else(above_all).into()),
        ("from", from.into()),
        ("to", to.into()),
        ("order_uuid", filter.order.map(|id| id.to_string()).into()),
        ("sequence", filter.sequence.map(number).into()),
        ("failed", Value::Bool(failed)),
    ]
}

/// Returns the lowest delivery id that can be created at `millis` (Unix milliseconds) or later.
pub(super) fn lowest_id(millis: i64) -> String {
    OrderId::first_of(Timestamp::from_millis(millis)).to_string()
}
