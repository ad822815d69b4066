//! The packing slips of orders, a page each.

use std::collections::BTreeMap;

use askama::Template;
use pressline_domain::fulfilment::Shipment;
use pressline_domain::id::{OrderId, Prefix};
use pressline_domain::order::{Order, OrderError};
use pressline_domain::store::Store;
use pressline_http::request_error::RequestError;

use super::SHIPMENT;
use super::chosen::orders;
use super::sheets::{Sheets, is_on};
use super::slip::{Slip, slip};
use crate::frame::Frame;
use crate::reply::Reply;
use crate::route::Answer;
use crate::visit::Visit;

const PRICES: &str = "prices";

#[derive(Template)]
#[template(path = "print/slips.html")]
struct SlipsPage {
    frame: Frame,
    sheets: Sheets,
    slips: Vec<Slip>,
    /// Orders without a slip: nothing was sent, and nothing will be.
    left_off: usize,
    shows_prices: bool,
    /// Same page with prices, or without.
    other_prices: String,
}

pub(super) async fn show(visit: Visit) -> Answer {
    let chosen = orders(&visit).await?;
    let mut orders = chosen.orders;
    orders.sort_by(|one, other| key(one).cmp(&key(other)));
    let stores = stores(&visit, &orders).await?;
    let query = visit.query();
    let shows_prices = is_on(query, PRICES);
    let mut slips = Vec::new();
    for order in &orders {
        let store = stores.get(&order.service_order_id.prefix);
        let store = store.ok_or(OrderError::NotFound)?;
        let parcel = parcel(order, query.get(SHIPMENT))?;
        slips.extend(slip(&visit, store, order, parcel, shows_prices)?);
    }
    let others = query.without(&[PRICES]);
    Reply::page(&SlipsPage {
        frame: visit.frame(&["Packing slips"])?,
        sheets: Sheets::of(&visit, super::SLIPS, chosen.has_more)?,
        left_off: orders.len().saturating_sub(slips.len()),
        slips,
        shows_prices,
        other_prices: match shows_prices {
            true => others.address(super::SLIPS),
            false => others.with(PRICES, "1").address(super::SLIPS),
        },
    })
}

/// Sort key: ship class, product, age.
fn key(order: &Order) -> (&str, &str, OrderId) {
    let first = order.content.items.first();
    let class = first.map(|line| line.ship_class_or_standard());
    let sku = first.map(|line| line.sku.as_str());
    (
        class.unwrap_or_default(),
        sku.unwrap_or_default(),
        order.content.id,
    )
}

async fn stores(visit: &Visit, orders: &[Order]) -> Result<BTreeMap<Prefix, Store>, RequestError> {
    let mut stores = BTreeMap::new();
    for order in orders {
        let prefix = &order.service_order_id.prefix;
        if stores.contains_key(prefix) {
            continue;
        }
        if let Some(store) = visit.services().stores.with_prefix(prefix).await? {
            stores.insert(prefix.clone(), store);
        }
    }
    Ok(stores)
}

/// `None` if `id` is empty. Void parcels count as unknown.
fn parcel<'a>(order: &'a Order, id: &str) -> Result<Option<&'a Shipment>, OrderError> {
    if id.is_empty() {
        return Ok(None);
    }
    let mut parcels = order.shipments.iter().filter(|parcel| parcel.counts());
    let found = parcels.find(|parcel| parcel.id.to_string() == id);
    found.map(Some).ok_or(OrderError::UnknownShipment)
}
