//! Request bodies with the values of an order: to create, estimate or update it.

use pressline_domain::order::request::{OrderDraft, UpdateDraft};

use crate::json::bodies;
use crate::operation::RequestSchema;

use super::{AddressBody, CustomerBody, LineItemBody, LineItemChangeBody};

bodies! {
    /// An order to create or to estimate. The required fields depend on the operation: see
    /// [`RequestSchema`].
    pub(crate) struct OrderRequest {
        /// Your id of the order. Permanently unique in the store.
        order_id: Option<String> [max_length = 128],
        /// URL of the prepared shipping label, with `http` or `https`.
        shipping_address_label: Option<String> [format = "uri", max_length = 2048, pattern = r"^\s*$|^[Hh][Tt][Tt][Pp][Ss]?://[^/\s]+"],
        /// Your e-mail address. Any text is kept; an unusual one gets a warning.
        email: Option<String> [max_length = 255],
        /// Destination of the order. The address of a label order is only stored and returned. For
        /// an estimate, only the country is required, and for US, CA and AU also the province.
        shipping_address: Option<AddressBody>,
        /// Billing address; only stored and returned. An address without any value counts as
        /// absent, and so does `[]`.
        billing_address: Option<AddressBody>,
        /// The customer, with a first or a last name, unless the shipping address has a company.
        customer: Option<CustomerBody>,
        /// Line items of the order.
        line_items: Option<Vec<LineItemBody>> [min_items = 1, max_items = 100],
        /// Form of the response. Only `normal` exists; any other value is treated as `normal`, with
        /// a warning.
        response_type: Option<String> [max_length = 255],
        /// `true` checks and prices the order without storing it, and returns the order as it would
        /// be. An estimate never stores an order.
        #[serde(rename = "dryRun")]
        dry_run: Option<bool>,
    }
    draft OrderDraft

    /// Changes to an order. Fields that are absent or `null` remain unchanged, and so do objects
    /// that are `[]`. An empty string or object (`{}`) removes the value of an optional field.
    pub(crate) struct UpdateOrder {
        /// Your id of the order, the service's order number, such as `SUN-12`, or its `id`.
        order_id: String [pattern = r"\S", max_length = 128],
        /// Replaces the whole shipping address. Required in requests of stores, except for label
        /// orders. For a label order, `{}` removes the address.
        shipping_address: Option<AddressBody>,
        /// Replaces the whole billing address.
        billing_address: Option<AddressBody>,
        /// Replaces the whole customer.
        customer: CustomerBody,
        /// Items to change, add or remove. Other items remain unchanged.
        line_items: Vec<LineItemChangeBody> [max_items = 100],
        /// Form of the response. Only `normal` exists; any other value is treated as `normal`, with
        /// a warning.
        response_type: Option<String> [max_length = 255],
        /// Replaces the note to production.
        production_note: Option<String> [max_length = 2000],
        /// Replaces the store's e-mail address.
        email: Option<String> [max_length = 255],
        /// Expected version: the `version` that you have read. If the order has another version
        /// now, nothing is changed. Required to add an item.
        version: Option<i64> [minimum = 1, maximum = 4_294_967_295u32],
        /// Reason for the change, for the order's history.
        reason: Option<String> [max_length = 255],
        /// `true` checks and prices the changes without storing them, and returns the order as it
        /// would be.
        #[serde(rename = "dryRun")]
        dry_run: Option<bool>,
    }
    draft UpdateDraft
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
