//! Packing slip: contents of a parcel, and units that come later.

use askama::Template;
use pressline_domain::fulfilment::{ItemStatus, Shipment};
use pressline_domain::order::{Address, LineItem, Order, OrderError};
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::store::Store;
use pressline_domain::value::OrderId;

use super::chosen::{Sheets, is_produced, orders};
use crate::shell::paths::print::{SHIPMENT, SLIPS};
use crate::shell::view::{Barcode, bill, money};
use crate::shell::{Answer, Frame, Reply, Result, SignedInRequest};

struct Slip<'a> {
    store: &'a Store,
    order: &'a Order,
    rows: Vec<SlipRow>,
    units: u32,
    has_later: bool,
    has_other: bool,
    prices: Option<Prices>,
}

impl Slip<'_> {
    fn ship_class(&self) -> &str {
        let first = self.order.content.items.first();
        first.map_or("", LineItem::ship_class_or_standard)
    }
}

struct SlipRow {
    barcode: Barcode,
    product: String,
    sku: String,
    /// Number of units of the item in the slip's parcel or, without a parcel, to be sent now.
    units: u32,
    later: u32,
    /// Number of units of the item in parcels other than the slip's parcel.
    other: u32,
    /// Unit cost; empty if it is unknown, or on a slip without prices.
    cost: String,
}

struct Prices {
    fees: Vec<(&'static str, String)>,
    total: String,
}

/// Returns the packing slip of `parcel`. If `parcel` is `None`, returns the slip of the units that
/// can be sent now or, if there are none, of the latest parcel. Returns `None` if the slip has no
/// units.
fn slip<'a>(
    store: &'a Store,
    order: &'a Order,
    parcel: Option<&Shipment>,
    shows_prices: bool,
) -> Result<Option<Slip<'a>>> {
    let rows: Vec<SlipRow> = rows(order, parcel, shows_prices);
    let units = rows.iter().map(|row| row.units).sum();
    if units == 0 {
        return Ok(None);
    }
    Ok(Some(Slip {
        store,
        order,
        has_later: rows.iter().any(|row| row.later > 0),
        has_other: rows.iter().any(|row| row.other > 0),
        rows,
        units,
        prices: match shows_prices {
            true => Some(prices(order)?),
            false => None,
        },
    }))
}

fn rows(order: &Order, parcel: Option<&Shipment>, shows_prices: bool) -> Vec<SlipRow> {
    let is_open = |id, status| is_produced(status) && order.unshipped(id) > 0;
    let mut states = order.state.items.iter();
    let has_open = states.any(|item| is_open(item.id, item.status));
    let latest = || order.shipments.iter().rev().find(|parcel| parcel.counts());
    // If nothing is left to send, the slip shows the latest parcel.
    let parcel = parcel.or_else(|| latest().filter(|_| !has_open));
    let pairs = order.content.items.iter().zip(&order.state.items);
    pairs
        .filter(|(_, state)| state.status != ItemStatus::Cancelled)
        .map(|(line, state)| {
            let unshipped = order.unshipped(line.id);
            // Without a parcel, the slip is for the units that can be sent now.
            let (units, later) = match parcel {
                Some(parcel) => (parcel.units_of(line.id), unshipped),
                None if is_produced(state.status) => (unshipped, 0),
                None => (0, unshipped),
            };
            let cost = line.unit_cost.filter(|_| shows_prices);
            SlipRow {
                barcode: Barcode::new(&state.code(&order.service_order_id)),
                product: line.name.clone().unwrap_or_default(),
                sku: line.sku.clone(),
                units,
                later,
                other: line.quantity.saturating_sub(units).saturating_sub(later),
                cost: cost.map_or_else(String::new, |cost| money(cost, order.content.currency)),
            }
        })
        .collect()
}

fn prices(order: &Order) -> Result<Prices> {
    let currency = order.content.currency;
    let bill = bill(order)?;
    let fees = FeeType::ALL.into_iter().filter_map(|fee| {
        let amount = bill.fee(fee)?;
        Some((fee.as_str(), money(amount, currency)))
    });
    let total = money(bill.total(), currency);
    Ok(Prices {
        fees: fees.collect(),
        total: match order.is_priced() {
            true => total,
            false => format!("{total} and unknown fees"),
        },
    })
}

fn lines(address: Option<&Address>) -> String {
    let Some(address) = address else {
        return String::new();
    };
    let province = address.province.as_ref().or(address.province_code.as_ref());
    let place: Vec<&str> = [address.zip.as_ref(), address.city.as_ref(), province]
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    let country = address.country.as_ref().or(address.country_code.as_ref());
    let lines: Vec<String> = [
        address.full_name(),
        address.company.clone(),
        address.address1.clone(),
        address.address2.clone(),
        Some(place.join(" ")),
        country.cloned(),
    ]
    .into_iter()
    .flatten()
    .filter(|line| !line.is_empty())
    .collect();
    lines.join("\n")
}

const PRICES: &str = "prices";

#[derive(Template)]
#[template(path = "print/slips.html")]
struct SlipsPage<'a> {
    frame: Frame,
    sheets: Sheets,
    slips: Vec<Slip<'a>>,
    /// Number of orders that the page omits, as they have neither a parcel nor units to send.
    left_off: usize,
    shows_prices: bool,
    other_prices: String,
}

pub(super) async fn show(visit: SignedInRequest) -> Answer {
    let chosen = orders(&visit).await?;
    let mut orders = chosen.orders;
    orders.sort_by(|one, other| key(one).cmp(&key(other)));
    let stores = stores(&visit, &orders).await?;
    let query = visit.query();
    let shows_prices = query.flag(PRICES).value() == Some(&true);
    let mut slips = Vec::new();
    for order in &orders {
        let prefix = &order.service_order_id.prefix;
        let store = stores
            .iter()
            .find(|store| store.prefix == *prefix)
            .ok_or(OrderError::NotFound)?;
        let parcel = parcel(order, query.get(SHIPMENT))?;
        slips.extend(slip(store, order, parcel, shows_prices)?);
    }
    let others = query.without(&[PRICES]);
    Reply::page(&SlipsPage {
        frame: visit.frame(&["Packing slips"])?,
        sheets: Sheets::from_request(&visit, SLIPS, chosen.has_more)?,
        left_off: orders.len().saturating_sub(slips.len()),
        slips,
        shows_prices,
        other_prices: match shows_prices {
            true => others.address(SLIPS),
            false => others.with(PRICES, "1").address(SLIPS),
        },
    })
}

/// Returns ship class and SKU of the order's first item, and the order's id.
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

async fn stores(visit: &SignedInRequest, orders: &[Order]) -> Result<Vec<Store>> {
    let mut stores: Vec<Store> = Vec::new();
    for order in orders {
        let prefix = &order.service_order_id.prefix;
        // One lookup for each store, however many of its orders are printed.
        if !stores.iter().any(|store| store.prefix == *prefix) {
            stores.extend(visit.services().stores.by_prefix().get(prefix).await?);
        }
    }
    Ok(stores)
}

/// Returns `None` if `id` is empty, `UnknownShipment` if the parcel does not exist or is void.
fn parcel<'a>(order: &'a Order, id: &str) -> Result<Option<&'a Shipment>, OrderError> {
    if id.is_empty() {
        return Ok(None);
    }
    let mut parcels = order.shipments.iter().filter(|parcel| parcel.counts());
    parcels
        .find(|parcel| parcel.id.to_string() == id)
        .map(Some)
        .ok_or(OrderError::UnknownShipment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_line_for_each_of_its_parts() {
        let address = Address {
            name: Some("Zoë O'Brien".to_owned()),
            address1: Some("1 Main St".to_owned()),
            city: Some("Springfield".to_owned()),
            zip: Some("62701".to_owned()),
            province: Some("Illinois".to_owned()),
            country_code: Some("US".to_owned()),
            ..Address::default()
        };
        assert_eq!(
            lines(Some(&address)),
            "Zoë O'Brien\n1 Main St\n62701 Springfield Illinois\nUS"
        );
        assert_eq!(lines(None), "");
    }
}
