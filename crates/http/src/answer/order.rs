//! An order as answers spell it.

use pressline_domain::order::{Order, OrderKind};
use serde::Serialize;
use utoipa::ToSchema;

use super::View;
use super::address::{AddressAnswer, CustomerAnswer, ShippingAddress};
use super::item::ItemAnswer;
use super::money::Money;

/// An order. Amounts are in major units of `currency`; null is a fee that does not apply or is not known.
#[derive(Serialize, ToSchema)]
#[schema(as = Order)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderBody<'a> {
    /// The service's id.
    id: String,
    /// The service's order number, `<prefix>-<number>`.
    service_order_id: String,
    /// Your id of the order.
    order_id: &'a str,
    /// Who pays.
    billing_address: AddressAnswer<'a>,
    /// Where the order goes.
    shipping_address: ShippingAddress<'a>,
    /// Who ordered.
    customer: CustomerAnswer<'a>,
    /// Your e-mail address.
    #[schema(required)]
    email: Option<&'a str>,
    /// Your note to production.
    #[schema(required)]
    production_note: Option<&'a str>,
    /// When the order was created, in UTC with milliseconds.
    #[schema(format = DateTime)]
    created_at: String,
    /// When it was last changed.
    #[schema(format = DateTime)]
    updated_at: String,
    /// 1 at creation, one more with every change.
    version: u32,
    /// ISO 4217 code of all amounts.
    currency: &'static str,
    /// False where a cost is not known, so that `totalCost` lacks it.
    priced: bool,
    /// For handling a prepared label.
    #[schema(value_type = Option<f64>, required)]
    handle_fee: Option<Money>,
    /// Extra fees of the print areas in use.
    #[schema(value_type = Option<f64>, required)]
    surcharge_fee: Option<Money>,
    /// Anything else.
    #[schema(value_type = Option<f64>, required)]
    other_fee: Option<Money>,
    /// Anything else about shipping.
    #[schema(value_type = Option<f64>, required)]
    other_shipping_fee: Option<Money>,
    /// Unit costs times quantities.
    #[schema(value_type = Option<f64>, required)]
    product_cost: Option<Money>,
    /// Shipping.
    #[schema(value_type = Option<f64>, required)]
    shipping_fee: Option<Money>,
    /// The sum of the fees that are not null.
    #[schema(value_type = f64)]
    total_cost: Money,
    /// The distinct statuses of the items; null before production.
    #[schema(required)]
    item_statuses: Option<Vec<&'static str>>,
    /// `store` for orders that came by this API, `app` for others.
    source: &'static str,
    /// The store.
    store_id: String,
    /// `manual`, or `label` where the store prepared the shipping label.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The prepared shipping label; null on manual orders.
    #[serde(rename = "shipping_address_label")]
    #[schema(required)]
    label: Option<&'a str>,
    /// The line items.
    child_details: Vec<ItemAnswer<'a>>,
}

impl<'a> OrderBody<'a> {
    pub(crate) fn of(order: &'a Order, view: View) -> Self {
        let parts = order.parts();
        let (currency, fees) = (parts.currency, &parts.fees);
        let money = |amount| Money(amount, currency);
        Self {
            id: parts.id.to_string(),
            service_order_id: order.service_order_id().to_string(),
            order_id: &parts.order_id,
            billing_address: AddressAnswer::of(parts.billing_address.as_ref()),
            shipping_address: ShippingAddress::of(
                parts.shipping_address.as_ref(),
                view == View::LabelWritten,
            ),
            customer: CustomerAnswer::of(&parts.customer),
            email: parts.email.as_deref(),
            production_note: parts.production_note.as_deref(),
            created_at: parts.created_at.to_string(),
            updated_at: parts.updated_at.to_string(),
            version: parts.version,
            currency: currency.code(),
            priced: order.is_priced(),
            handle_fee: fees.handle.map(money),
            surcharge_fee: fees.surcharge.map(money),
            other_fee: fees.other.map(money),
            other_shipping_fee: fees.other_shipping.map(money),
            product_cost: fees.product.map(money),
            shipping_fee: fees.shipping.map(money),
            total_cost: money(order.total()),
            item_statuses: order
                .item_statuses()
                .map(|statuses| statuses.into_iter().map(|status| status.as_str()).collect()),
            source: parts.source.as_str(),
            store_id: parts.store_id.to_string(),
            kind: parts.kind.as_str(),
            label: match &parts.kind {
                OrderKind::Label { url } => Some(url),
                OrderKind::Manual => None,
            },
            child_details: parts.items.iter().map(|item| ItemAnswer::of(item, currency, view)).collect(),
        }
    }
}
