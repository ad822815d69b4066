//! Request bodies with the values of an order: to create, estimate or update it.

use pressline_domain::check::Field;
use pressline_domain::order::request::{OrderDraft, UpdateDraft};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::json::{Lenient, Object, body};
use crate::operation::RequestSchema;

use super::{AddressBody, CustomerBody, LineItemBody, LineItemChangeBody};

/// An order to create or to estimate. The required fields depend on the operation: see
/// [`RequestSchema`].
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct OrderRequest {
    /// Your id of the order. Permanently unique in the store.
    #[schema(value_type = Option<String>, max_length = 128)]
    order_id: Lenient<String>,
    /// URL of the prepared shipping label, with `http` or `https`.
    #[schema(value_type = Option<String>, format = "uri", max_length = 2048, pattern = r"^\s*$|^[Hh][Tt][Tt][Pp][Ss]?://[^/\s]+")]
    shipping_address_label: Lenient<String>,
    /// Your e-mail address.
    #[schema(value_type = Option<String>, format = "email", max_length = 255)]
    email: Lenient<String>,
    /// Destination of the order. The address of a label order is only stored and returned. For an
    /// estimate, only the country is required, and for US, CA and AU also the province.
    #[schema(value_type = Option<AddressBody>)]
    shipping_address: Lenient<Object<AddressBody>>,
    /// Billing address; only stored and returned. An address without any value counts as absent.
    #[schema(value_type = Option<AddressBody>)]
    billing_address: Lenient<Object<AddressBody>>,
    /// The customer, with a first or a last name.
    #[schema(value_type = Option<CustomerBody>)]
    customer: Lenient<Object<CustomerBody>>,
    /// Line items of the order.
    #[schema(value_type = Option<Vec<LineItemBody>>, min_items = 1, max_items = 100)]
    line_items: Lenient<Vec<Field<Object<LineItemBody>>>>,
    /// Form of the response. Only `normal` exists; any other value is treated as `normal`, with a
    /// warning.
    #[schema(value_type = Option<String>, max_length = 255)]
    response_type: Lenient<String>,
    /// `true` checks and prices the order without storing it, and returns the order as it would be.
    /// An estimate never stores an order.
    #[serde(rename = "dryRun")]
    #[schema(value_type = Option<bool>)]
    dry_run: Lenient<bool>,
}

body! {
    OrderRequest => OrderDraft {
        order_id, email, shipping_address_label,
        shipping_address: object("shipping_address"),
        billing_address: object("billing_address"), customer: object("customer"),
        line_items: list("line_items"), response_type, dry_run,
    }
}

/// Changes to an order. Fields that are absent or `null` remain unchanged. An empty string or
/// object removes the value of an optional field.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct UpdateOrder {
    /// Your id of the order, or the service's order number, such as `SUN-12`.
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
    /// Replaces the whole shipping address. Required in requests of stores, except for label
    /// orders. For a label order, `{}` removes the address.
    #[schema(value_type = Option<AddressBody>)]
    shipping_address: Lenient<Object<AddressBody>>,
    /// Replaces the whole billing address.
    #[schema(value_type = Option<AddressBody>)]
    billing_address: Lenient<Object<AddressBody>>,
    /// Replaces the whole customer.
    #[schema(value_type = CustomerBody)]
    customer: Lenient<Object<CustomerBody>>,
    /// Items to change, add or remove. Other items remain unchanged.
    #[schema(value_type = Vec<LineItemChangeBody>, max_items = 100)]
    line_items: Lenient<Vec<Field<Object<LineItemChangeBody>>>>,
    /// Form of the response. Only `normal` exists; any other value is treated as `normal`, with a
    /// warning.
    #[schema(value_type = Option<String>, max_length = 255)]
    response_type: Lenient<String>,
    /// Replaces the note to production.
    #[schema(value_type = Option<String>, max_length = 2000)]
    production_note: Lenient<String>,
    /// Replaces your e-mail address.
    #[schema(value_type = Option<String>, format = "email", max_length = 255)]
    email: Lenient<String>,
    /// Expected version: the `version` that you have read. If the order has another version now,
    /// nothing is changed. Required to add an item.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295u32)]
    version: Lenient<i64>,
    /// Reason for the change, for the order's history.
    #[schema(value_type = Option<String>, max_length = 255)]
    reason: Lenient<String>,
    /// `true` checks and prices the changes without storing them, and returns the order as it would
    /// be.
    #[serde(rename = "dryRun")]
    #[schema(value_type = Option<bool>)]
    dry_run: Lenient<bool>,
}

body! {
    UpdateOrder => UpdateDraft {
        order_id, email, shipping_address: object("shipping_address"),
        billing_address: object("billing_address"), customer: object("customer"),
        line_items: list("line_items"), response_type, production_note, version, reason,
        dry_run,
    }
}

/// Field that only requests for label orders have.
pub(crate) const LABEL: &[&str] = &["shipping_address_label"];

pub(crate) const CREATE: RequestSchema = RequestSchema {
    name: "CreateOrder",
    description: "An order that the service ships.",
    required: &["order_id", "shipping_address", "customer", "line_items"],
    ships: true,
};

pub(crate) const CREATE_LABEL: RequestSchema = RequestSchema {
    name: "CreateOrderLabel",
    description: "An order that ships with a label the store prepared.",
    required: &[
        "order_id",
        "shipping_address_label",
        "customer",
        "line_items",
    ],
    ships: true,
};

pub(crate) const ESTIMATE: RequestSchema = RequestSchema {
    name: "EstimateOrder",
    description: "A cart: the body of create order or create order label. Required are \
                  `line_items` and, without a label, the country of the destination, and its \
                  province for US, CA and AU.",
    required: &["line_items"],
    ships: false,
};
