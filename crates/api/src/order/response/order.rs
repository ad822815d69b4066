//! The JSON form of an order in responses.

use std::borrow::Cow;

use pressline_domain::event::Role;
use pressline_domain::fulfilment::{ItemStatus, window_of_all};
use pressline_domain::order::{DryRun, DryRunOrder, Order, OrderKind};
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::value::{OrderId, ServiceOrderId, StoreId, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::address::{AddressResponse, CustomerResponse, ShippingAddress};
use super::fee::{FeeLineResponse, ShippingOptionResponse};
use super::item::ItemResponse;
use super::life::{ActionResponse, NeedResponse, PendingResponse, ShipmentResponse};
use super::view::{OrderView, View};
use crate::response::{Money, Text};
use crate::schema::{KindName, SourceName, StatusName};

/// An order. Amounts are in major units of `currency`; a fee is `null` if it does not apply or is
/// unknown.
#[derive(Serialize, ToSchema)]
#[schema(as = Order)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderBody<'a> {
    /// The service's id. `null` in a dry run of a new order, because only stored orders have an id.
    #[schema(value_type = Option<String>, format = "uuid", required)]
    id: Option<Text<OrderId>>,
    /// The service's order number, `<prefix>-<number>`. `null` if `id` is `null`.
    #[schema(value_type = Option<String>, pattern = "^[A-Z0-9]{1,12}-[0-9]+$", required)]
    service_order_id: Option<Text<&'a ServiceOrderId>>,
    /// The store's id of the order; equal to `serviceOrderId` if `source` is `app`. Empty in an estimate
    /// without an `order_id`.
    order_id: Cow<'a, str>,
    /// Billing address.
    billing_address: AddressResponse<'a>,
    /// Shipping address.
    #[schema(value_type = AddressResponse<'_>)]
    shipping_address: ShippingAddress<'a>,
    /// The customer of the order.
    customer: CustomerResponse<'a>,
    /// The store's e-mail address.
    #[schema(required)]
    email: Option<&'a str>,
    /// The store's note to production.
    #[schema(required)]
    production_note: Option<&'a str>,
    /// Time of the order's creation, in UTC with milliseconds.
    #[schema(value_type = String, format = DateTime)]
    created_at: Text<Timestamp>,
    /// Time of the last change.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Text<Timestamp>,
    /// Version of the order: `1` at creation, and one more after each change.
    #[schema(minimum = 1)]
    version: u32,
    /// ISO 4217 code of all amounts.
    #[schema(pattern = "^[A-Z]{3}$")]
    currency: &'static str,
    /// `false` if a cost is unknown and therefore not part of `totalCost`.
    priced: bool,
    /// Fee for handling, such as the handling of a prepared label.
    #[schema(value_type = Option<f64>, required)]
    handle_fee: Option<Money>,
    /// Extra fees of the print areas in use, and surcharges by SKU or destination.
    #[schema(value_type = Option<f64>, required)]
    surcharge_fee: Option<Money>,
    /// Other fees.
    #[schema(value_type = Option<f64>, required)]
    other_fee: Option<Money>,
    /// Other fees related to shipping.
    #[schema(value_type = Option<f64>, required)]
    other_shipping_fee: Option<Money>,
    /// Sum of unit costs times quantities.
    #[schema(value_type = Option<f64>, required)]
    product_cost: Option<Money>,
    /// Fee for shipping.
    #[schema(value_type = Option<f64>, required)]
    shipping_fee: Option<Money>,
    /// Sum of the fees that are not `null`.
    #[schema(value_type = f64)]
    total_cost: Money,
    /// Shipping classes that all items can use, cheapest first. Only in estimates, if the order has
    /// no label and no item has a `shipClass`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    shipping_options: Option<Vec<ShippingOptionResponse<'a>>>,
    /// Parts of the fees. The amounts of all lines with the same `type` add up exactly to the fee.
    fee_lines: Vec<FeeLineResponse<'a>>,
    /// Time for which the prices were read: the creation of the order, or the latest change that
    /// priced it again.
    #[schema(value_type = String, format = DateTime)]
    priced_at: Text<Timestamp>,
    /// Distinct statuses of the items; `null` in responses to create and estimate calls of stores
    /// while the order's `version` is `1`.
    #[schema(value_type = Option<Vec<StatusName>>, required)]
    item_statuses: Option<Vec<&'static str>>,
    /// `store` for orders that the store created by its own calls, `app` for imported orders and
    /// replacements.
    #[schema(value_type = SourceName)]
    source: &'static str,
    /// `true` for an order of a test store. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    test: Option<bool>,
    /// Id of the store.
    #[schema(value_type = String, format = "uuid")]
    store_id: Text<StoreId>,
    /// `manual`, or `label` if the store prepared the shipping label.
    #[serde(rename = "type")]
    #[schema(value_type = KindName)]
    kind: &'static str,
    /// URL of the prepared shipping label; `null` for manual orders.
    #[serde(rename = "shipping_address_label")]
    #[schema(pattern = "^[Hh][Tt][Tt][Pp][Ss]?://", required)]
    label: Option<&'a str>,
    /// The line items.
    child_details: Vec<ItemResponse<'a>>,
    /// Actions that the caller may take on at least one of the order's items now.
    allowed_actions: Vec<ActionResponse>,
    /// Time at which the items in `cooling-off` become `ready` together; the store can freely change them
    /// until then. `null` if no item is in `cooling-off`, or while an item is in `pending-design`.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    editable_until: Option<Text<Timestamp>>,
    /// The change that waits for the print shop's decision. Absent if no change waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pending_change: Option<PendingResponse<'a>>,
    /// Input that the print shop needs from the store. Absent if it needs none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    action_needed: Vec<NeedResponse<'a>>,
    /// The shipments, oldest first.
    shipments: Vec<ShipmentResponse<'a>>,
    /// The service's number of the order that this order replaces, such as `SUN-12`. Absent if it
    /// replaces none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    replaces: Option<Text<&'a ServiceOrderId>>,
    /// The service's numbers of the orders that replace this order. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<String>, required = false)]
    replaced_by: Vec<Text<&'a ServiceOrderId>>,
    /// `true` in the response of a dry run or an estimate: nothing was stored. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    dry_run: Option<bool>,
}

impl<'a> OrderBody<'a> {
    pub(crate) fn stored(order: &'a Order, view: View, reader: Role) -> Self {
        Self::new(OrderView {
            order,
            is_stored: true,
            unstored: &[],
            view,
            reader,
        })
    }

    pub(super) fn dry_run(run: &'a DryRun, view: View, reader: Role) -> Self {
        let currency = run.order.parts().currency;
        let options = run.shipping_options.as_ref().map(|options| {
            options
                .iter()
                .map(|option| ShippingOptionResponse::new(option, currency))
                .collect()
        });
        let shown = OrderView {
            order: run.order.snapshot(),
            is_stored: matches!(run.order, DryRunOrder::Existing(_)),
            unstored: &run.unstored,
            view,
            reader,
        };
        Self {
            shipping_options: options,
            dry_run: Some(true),
            ..Self::new(shown)
        }
    }

    fn new(shown: OrderView<'a>) -> Self {
        let order = shown.order;
        let (parts, state) = (&*order.content, &order.state);
        // No stored order has fees out of range, so the default is never used.
        let bill = order.bill().unwrap_or_default();
        let currency = parts.currency;
        let money = |amount| Money(amount, currency);
        let has_request_keys = shown.view == View::Created && parts.kind() == OrderKind::Label;
        let fee = |fee| bill.fee(fee).map(money);
        let number = shown.is_stored.then_some(&order.service_order_id);
        let address = parts.shipping_address.as_ref();
        let items = parts.items.iter().zip(&state.items);
        let item = |(line, state)| ItemResponse::new(shown, line, state);
        let pending = |pending| PendingResponse::new(pending, currency);
        let need = |need| NeedResponse::new(need, currency);
        Self {
            id: number.map(|_| Text(parts.id)),
            service_order_id: number.map(Text),
            order_id: order.shown_order_id(),
            billing_address: AddressResponse::new(parts.billing_address.as_ref()),
            shipping_address: ShippingAddress::new(address, has_request_keys),
            customer: CustomerResponse::new(&parts.customer),
            email: parts.email.as_deref(),
            production_note: parts.production_note.as_deref(),
            created_at: Text(parts.created_at()),
            updated_at: Text(state.updated_at),
            version: state.version,
            currency: currency.code(),
            priced: order.is_priced(),
            handle_fee: fee(FeeType::Handling),
            surcharge_fee: fee(FeeType::Surcharge),
            other_fee: fee(FeeType::Other),
            other_shipping_fee: fee(FeeType::OtherShipping),
            product_cost: fee(FeeType::Product),
            shipping_fee: fee(FeeType::Shipping),
            total_cost: money(bill.total()),
            shipping_options: None,
            fee_lines: FeeLineResponse::of_bill(&bill, parts, shown.unstored),
            priced_at: Text(parts.priced_at),
            item_statuses: shown.shows_statuses().then(|| names(state.item_statuses())),
            source: parts.source.as_str(),
            test: parts.test.then_some(true),
            store_id: Text(parts.store_id),
            kind: parts.kind().as_str(),
            label: parts.label_url.as_deref(),
            child_details: items.map(item).collect(),
            allowed_actions: ActionResponse::of_order(order, shown.reader),
            editable_until: window_of_all(state).map(Text),
            pending_change: state.pending.as_ref().map(pending),
            action_needed: state.needs.iter().map(need).collect(),
            shipments: order.shipments.iter().map(ShipmentResponse::new).collect(),
            replaces: state.replaces.as_ref().map(Text),
            replaced_by: state.replaced_by.iter().map(Text).collect(),
            dry_run: None,
        }
    }
}

fn names(statuses: Vec<ItemStatus>) -> Vec<&'static str> {
    statuses.into_iter().map(ItemStatus::as_str).collect()
}
