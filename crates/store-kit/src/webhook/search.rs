//! Finds entries of the delivery log, newest first.

use pressline_backoffice::webhook::{Delivery, DeliveryFilter, DeliveryStatus, EndpointOwner};
use pressline_domain::value::{DeliveryId, OrderId, Timestamp};

use super::endpoint::{is_owner, owner_value};
use super::row::DeliveryRow;
use crate::cold_store::Db;
use crate::cold_value::{Value, Values};
use crate::failure::{Failure, restore_all};
use crate::json;

/// Store id of test deliveries of the print shop's endpoints: the nil UUID.
pub(super) const NO_STORE: &str = "00000000-0000-0000-0000-000000000000";
/// Maximum difference, in milliseconds, between the time in a delivery's id and its `started_at`.
pub(super) const SLACK: i64 = 10_000;

pub(super) type HeadRow = (String, String, Option<String>);

/// Sorted from new to old. Looks up the newest match of each subscription, then reads one
/// subscription after another until the remaining subscriptions cannot contribute to the page.
pub(super) fn search(
    db: &mut Db<'_>,
    owner: EndpointOwner,
    filter: &DeliveryFilter,
    before: Option<DeliveryId>,
    limit: u32,
) -> Result<Vec<Delivery>, Failure> {
    let (conditions, values) = conditions(filter, before);
    let heads = heads(db, owner, filter, (&conditions, &values), limit)?;
    let text = format!(
        "SELECT webhook_deliveries.*
         FROM webhook_deliveries
         WHERE webhook_deliveries.store_id = :store_id
           AND webhook_deliveries.endpoint_id = :endpoint_id
           {conditions}
         ORDER BY delivery_id DESC
         LIMIT :limit"
    );
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut found: Vec<DeliveryRow> = Vec::new();
    for (store_id, endpoint_id, head) in heads {
        // Heads are sorted: once the page is full, later subscriptions have no newer delivery.
        let is_full = found.get(limit.saturating_sub(1));
        if is_full.is_some_and(|last| Some(&last.delivery_id) > head.as_ref()) {
            break;
        }
        let mut values = values.clone();
        values.push(("store_id", store_id.into()));
        values.push(("endpoint_id", endpoint_id.into()));
        values.push(("limit", (limit as u64).into()));
        found.extend(db.load::<DeliveryRow>(&text, &values)?);
        found.sort_by(|a, b| b.delivery_id.cmp(&a.delivery_id));
        found.truncate(limit);
    }
    restore_all(found, DeliveryRow::restore)
}

/// Returns subscriptions with the ids of their newest matching deliveries, newest first. For the
/// print shop, the list begins with an entry for [`NO_STORE`] per endpoint.
fn heads(
    db: &mut Db<'_>,
    owner: EndpointOwner,
    filter: &DeliveryFilter,
    (conditions, values): (&str, &[(&'static str, Value)]),
    limit: u32,
) -> Result<Vec<HeadRow>, Failure> {
    let endpoints = endpoints_of(db, owner, filter)?;
    let of_store = match owner {
        EndpointOwner::Store(_) => "AND subscription.store_id = :owner",
        EndpointOwner::Shop => "",
    };
    // A page of `limit` deliveries comes from at most `limit` subscriptions.
    let text = format!(
        "SELECT store_id, endpoint_id, head
         FROM (
             SELECT
                 subscription.store_id,
                 subscription.endpoint_id,
                 (
                     SELECT MAX(webhook_deliveries.delivery_id)
                     FROM webhook_deliveries
                     WHERE webhook_deliveries.store_id = subscription.store_id
                       AND webhook_deliveries.endpoint_id = subscription.endpoint_id
                       {conditions}
                 ) AS head
             FROM webhook_subscriptions AS subscription
             WHERE subscription.endpoint_id {in_endpoints}
               {of_store}
         ) AS heads
         WHERE head IS NOT NULL
         ORDER BY head DESC
         LIMIT :limit",
        in_endpoints = db.dialect.in_texts(":endpoints")
    );
    let mut values = [values, &owner_value(owner)].concat();
    values.push(("endpoints", json::write(&endpoints)?.into()));
    values.push(("limit", limit.into()));
    let mut heads = db.load::<HeadRow>(&text, &values)?;
    if owner == EndpointOwner::Shop {
        // Test deliveries of the print shop's endpoints belong to no subscription, so search them
        // in any case.
        let above_all = Some("~".to_owned());
        let tests = endpoints.into_iter();
        let tests = tests.map(|id| (NO_STORE.to_owned(), id, above_all.clone()));
        heads.splice(0..0, tests);
    }
    Ok(heads)
}

fn endpoints_of(
    db: &mut Db<'_>,
    owner: EndpointOwner,
    filter: &DeliveryFilter,
) -> Result<Vec<String>, Failure> {
    let text = format!(
        "SELECT endpoint_id
         FROM webhook_endpoints
         WHERE store_id {}
           AND (:wanted IS NULL OR endpoint_id = :wanted)",
        is_owner(owner)
    );
    let mut values = owner_value(owner);
    values.push(("wanted", filter.endpoint.map(|id| id.to_string()).into()));
    Ok(db.load::<String>(&text, &values)?)
}

/// Returns SQL conditions that each begin with `AND`, and their parameters.
fn conditions(filter: &DeliveryFilter, before: Option<DeliveryId>) -> (String, Values) {
    // The bounds on the id narrow the index range; `started_at` alone has no index.
    let id_at = |millis: i64| Value::from(lowest_id(millis));
    let lowest = |from: Timestamp| id_at(from.as_millis().saturating_sub(SLACK));
    let highest = |to: Timestamp| id_at(to.as_millis().saturating_add(SLACK));
    // Each condition ends with its parameter.
    let conditions = [
        ("delivery_id < :before", before.map(Value::from)),
        ("order_uuid = :order_uuid", filter.order.map(Value::from)),
        ("sequence = :sequence", filter.sequence.map(Value::from)),
        ("started_at >= :from", filter.from.map(Value::from)),
        ("delivery_id >= :lowest", filter.from.map(lowest)),
        ("started_at <= :to", filter.to.map(Value::from)),
        ("delivery_id < :highest", filter.to.map(highest)),
    ];
    let mut text = match filter.status {
        Some(DeliveryStatus::Failed) => "AND error IS NOT NULL".to_owned(),
        Some(DeliveryStatus::Succeeded) => "AND error IS NULL".to_owned(),
        None => String::new(),
    };
    let mut values = Values::new();
    for (condition, value) in conditions {
        if let (Some((_, name)), Some(value)) = (condition.split_once(':'), value) {
            text = format!("{text} AND {condition}");
            values.push((name, value));
        }
    }
    (text, values)
}

/// Returns the lowest delivery id that can be created at `millis` (Unix milliseconds) or later.
pub(super) fn lowest_id(millis: i64) -> String {
    OrderId::first_of(Timestamp::from_millis(millis)).to_string()
}
